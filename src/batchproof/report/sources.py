"""The source of a requirement with links: paths at the tag that it names, enhancement proposals, issues.

A path is one of the repository that was named last in the same part of the text (parts end with a semicolon),
and one of k8s.io/kubernetes at the newest version that the suite knows where none was named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from batchproof.ground import documents, suite
from batchproof.ground.screen import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

_KUBERNETES = "v1.37.0"
_ORGANISATIONS = {
    "k8s.io": "kubernetes",
    "sigs.k8s.io": "kubernetes-sigs",
    "volcano.sh": "volcano-sh",
}
_OF_OTHERS = {"TFJ": ("kubeflow/training-operator", "v1.8.1"), "VOL": ("volcano-sh/volcano", "v1.10.0")}
"""Where the paths of an area lie that are not those of Kubernetes, as its registry says."""
_OF_KUBERNETES = "kubernetes.io "
"""How titles of its documentation begin in ``features/documents.yaml``."""
_FOUND = re.compile(
    r"(?P<module>(?:sigs\.)?k8s\.io/[a-z-]+|volcano\.sh/[a-z-]+)(?: (?P<version>v\d[\w.]*))?(?= |$|[;,(])"
    r"|(?P<issue>(?P<of>[\w-]+/[\w.-]+)(?:#| issue )(?P<number>\d+))"
    r"|(?P<more>(?<=, )#(?P<next>\d+))"
    r"|(?P<kep>KEP-(?P<proposal>\d+))"
    r"|(?P<path>(?:[\w.-]+/)+v\d\w* types\.go"
    r"|(?:pkg|test|staging|cmd|docs|plugin)/[\w./-]*[\w-]|(?:[\w.-]+/)+[\w.-]+\.(?:go|md|yaml))"
    r"|(?P<web>https://[^\s;,()]+)"
)
"""What is linked in the text of a source, beside the titles of documents."""


@dataclass(slots=True)
class _Where:
    """The repository whose paths are meant."""

    repository: str
    tag: str
    issues: str = ""


def linked(source: str, area: str = "") -> Markup:
    """The text of a source, with links to what it names.

    Args:
        source: the text.
        area: that of the requirement, such as ``TFJ``.
    """
    repository, tag = _OF_OTHERS.get(area, ("kubernetes/kubernetes", _KUBERNETES))
    parts = source.split(";")
    return Markup(";").join(Markup("").join(_part(part, _Where(repository, tag))) for part in parts)


def _part(part: str, where: _Where) -> Iterator[Markup]:
    done = 0
    for found in _found().finditer(part):
        yield escape(printable(part[done : found.start()]))
        done = found.end()
        if address := _address(found, where):
            text = escape(printable(found[0]))
            yield Markup('<a href="{}" rel="noreferrer">{}</a>').format(address, text)
        else:
            yield escape(printable(found[0]))
    yield escape(printable(part[done:]))


def _address(found: re.Match[str], where: _Where) -> str:
    """Where what was found can be read; empty for the name of a repository, which says where paths lie."""
    if title := found["title"]:
        return _documents()[re.sub(r"^(?:Kubernetes documentation|kubernetes\.io),? ", _OF_KUBERNETES, title)]
    match found.lastgroup:
        case "module" | "version":
            host, _, name = found["module"].partition("/")
            where.repository = f"{_ORGANISATIONS[host]}/{name}"
            where.tag = found["version"] or ("master" if name != "kubernetes" else _KUBERNETES)
            return ""
        case "issue" | "number" | "of" | "more" | "next":
            where.issues = found["of"] or where.issues
            number = found["number"] or found["next"]
            return f"https://github.com/{where.issues}/issues/{number}" if where.issues else ""
        case "kep" | "proposal":
            return f"https://github.com/kubernetes/enhancements/issues/{found['proposal']}"
        case "path":
            path = found["path"].replace(" ", "/")
            kind = "blob" if "." in path.rpartition("/")[2] else "tree"
            return f"https://github.com/{where.repository}/{kind}/{where.tag}/{path}"
        case _:
            return found[0]


@cache
def _documents() -> dict[str, str]:
    """The addresses of documents, by their titles.

    Raises:
        UserError: the file is not as it must be.
    """
    document = documents.read(suite.features() / "documents.yaml", "documents")
    documents.refuse(document.problems)
    return dict(document.value)


@cache
def _found() -> re.Pattern[str]:
    titles = "|".join(
        rf"(?:Kubernetes documentation|kubernetes\.io),? {re.escape(title.removeprefix(_OF_KUBERNETES))}"
        if title.startswith(_OF_KUBERNETES)
        else re.escape(title)
        for title in _documents()
    )
    return re.compile(rf"(?P<title>{titles})|{_FOUND.pattern}")
