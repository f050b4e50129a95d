"""Builds the site from docs/ as GitHub shows it: a hook of mkdocs.yml.

A link in a page is relative and names a file of the checkout, so it works on GitHub. This hook makes it work
on the site too: README.md is the first page, and every file outside of docs/ that a page links to becomes a
page of the site, Markdown and HTML as they are and any other file as a listing with numbered lines. What git
does not have is made for the site: see ``site_pages.py``. So the site needs no network, and a link to a file
that is not there fails the strict build.
"""

from __future__ import annotations

import html
import logging
import os
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from markdown.extensions import Extension
from mkdocs.structure.files import File
from site_pages import made, stand_ins, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown import Markdown
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parents[1]
_LOG = logging.getLogger("mkdocs.hooks.docs_site")  # a warning fails the strict build
_CODE = re.compile(r"^( *)(```+).*?^\1\2 *$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<=\]\()(?P<path>[^)\s#]+)(?P<fragment>#[^)\s]*)?(?=\))")
_LOADED = re.compile(
    r"<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)=[\"']?(?P<url>(?:https?:)?//[^\"'\s>]+)"
)
_UNREAD = re.compile(r"<p>(?:(?!</p>).)*?\n(?:[-*] |\d+\. |\|)", re.DOTALL)


class _Indented(Extension):
    """Lists are indented by two spaces, as GitHub reads them."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the name that Markdown calls
        md.tab_length = 2


def on_config(config: MkDocsConfig) -> None:
    """Read Markdown as GitHub does."""
    config.markdown_extensions.append(_Indented())


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add what is linked and lies outside of docs/."""
    for source in sorted(made()):
        if source.startswith("docs/"):
            files.append(File.generated(config, _uri(source), content=text_of(source)))
    waiting = {"README.md"} | {f"docs/{file.src_uri}" for file in files.documentation_pages()}
    seen: set[str] = set()
    while waiting:
        seen.add(source := waiting.pop())
        if not source.startswith("docs/"):
            files.append(_outside(source, config))
        if source.endswith(".md"):
            links = _links(source, _text(source))
            waiting |= {target for _, target, _ in links if _is_file(source, target)} - seen
        elif source.endswith(".html"):
            waiting |= set(_beside(source)) - seen


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Let links lead to the pages of the site."""
    source = _source(page.file.src_uri)
    text = markdown
    for link, target, fragment in reversed([*_links(source, markdown)]):
        there = posixpath.relpath(_uri(target), posixpath.dirname(_uri(source)) or ".")
        text = f"{text[: link.start()]}{there}{fragment}{text[link.end() :]}"
    return text


def on_page_content(html: str, page: Page, **_: object) -> None:
    """Find lists and tables that only GitHub reads: a blank line before them is missing."""
    if found := _UNREAD.search(html):
        _LOG.warning("%s: no list and no table is read here: %s", page.file.src_uri, found[0][-80:])


def on_post_page(output: str, page: Page, **_: object) -> None:
    """Find what a page would load from elsewhere."""
    for found in _LOADED.finditer(output):
        if 'rel="canonical"' not in found[0]:
            _LOG.warning("%s loads %s from elsewhere", page.file.src_uri, found["url"])


def _text(source: str) -> str:
    """What stands in a file of the checkout, or in one that is made."""
    return text_of(source) if source in made() else (_ROOT / source).read_text("utf-8")


def _links(source: str, text: str) -> Iterator[tuple[re.Match[str], str, str]]:
    """The links of a page to files: for each where it leads, as a path in the checkout and a fragment."""
    code = [found.span() for found in _CODE.finditer(text)]
    for link in _LINK.finditer(text):
        url = urlsplit(link["path"])
        if url.scheme or url.netloc or any(start <= link.start() < end for start, end in code):
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link["path"]))
        fragment = link["fragment"] or ""
        if target in made() and source not in made():
            _LOG.warning("%s links to %s, which git does not have: see scripts/site_pages.py", source, target)
        leads = stand_ins().get(f"{target}{fragment}", "")
        target, mark, part = leads.partition("#") if leads else (target, "", fragment)
        yield link, target, f"{mark}{part}"


def _is_file(source: str, target: str) -> bool:
    there = target in made() or (_ROOT / target).is_file()
    if not there:
        _LOG.warning("%s links to %s, which is no file of the checkout", source, target)
    return there and not (target.startswith("docs/") and not target.endswith(".md"))


def _beside(source: str) -> Iterator[str]:
    """The timelines that the page of a run links to."""
    for path in (_ROOT / source).parent.glob("timelines/*.html"):
        yield path.relative_to(_ROOT).as_posix()


def _outside(source: str, config: MkDocsConfig) -> File:
    """A page of the site for a file outside of docs/: HTML stays as it is."""
    if source.endswith((".md", ".html")):
        return File.generated(config, _uri(source), abs_src_path=os.fspath(_ROOT / source))
    lines = _text(source).splitlines()
    listing = "".join(
        f'<span id="L{number}">{html.escape(line)}\n</span>' for number, line in enumerate(lines, 1)
    )
    head = f"---\ntitle: {source}\nsearch: {{exclude: true}}\n---\n\n# {source}\n\n"
    return File.generated(config, _uri(source), content=f"{head}<pre><code>{listing}</code></pre>\n")


def _uri(source: str) -> str:
    """The name that a file of the checkout has in the site's source."""
    if source == "README.md":
        return "index.md"
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    return f"checkout/{source}" if source.endswith((".md", ".html")) else f"checkout/{source}.md"


def _source(uri: str) -> str:
    """The file of the checkout that a page of the site is made of."""
    if uri == "index.md":
        return "README.md"
    if uri.startswith("checkout/"):
        return uri.removeprefix("checkout/")
    return f"docs/{uri}"
