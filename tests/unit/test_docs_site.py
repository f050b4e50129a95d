"""The strict build of the docs refuses dead links, unread lists, and what is loaded from elsewhere."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
_LEFT = re.compile(r"\..*|build|dist|batchproof-results|node_modules")
"""What tools leave behind."""
PAGE = SimpleNamespace(file=SimpleNamespace(src_uri="how-to/ci.md"))


@pytest.fixture(scope="module")
def hook() -> dict[str, Any]:
    """The hook that mkdocs.yml names."""
    return runpy.run_path(str(ROOT / "scripts" / "docs_site.py"))


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        ("README.md", "index.md"),
        ("docs/how-to/ci.md", "how-to/ci.md"),
        ("SECURITY.md", "checkout/SECURITY.md"),
        ("features/job/ttl.feature", "checkout/features/job/ttl.feature.md"),
    ],
)
def test_every_file_of_the_checkout_has_a_place_in_the_site(
    hook: dict[str, Any], source: str, uri: str
) -> None:
    assert hook["_uri"](source) == uri


@pytest.mark.parametrize(
    ("written", "led"),
    [
        ("[a](../../features/job/ttl.feature#L3)", "[a](../checkout/features/job/ttl.feature.md#L3)"),
        ("[a](../../README.md) [b](develop.md#x)", "[a](../index.md) [b](develop.md#x)"),
        ("![a](../images/page.webp)", "![a](../images/page.webp)"),
        ("[a](https://example.com/x) `[b](../../x)`", "[a](https://example.com/x) `[b](../../x)`"),
        ("```\n[a](../../x)\n```\n", "```\n[a](../../x)\n```\n"),
        ("[a](../requirements/README.md#job)", "[a](../requirements/job.md)"),
        ("[a](../requirements/README.md#the-registry)", "[a](../requirements/README.md#the-registry)"),
        (
            "[a](../../features/requirements/robustness.yaml#ROB-001) [b](ci.md)",
            "[a](../requirements/job.md#rob-001-must) [b](ci.md)",
        ),
        (
            "[a](../../reports/README.md#results)",
            "[a](../checkout/reports/schemas/results.schema.json.md)",
        ),
    ],
)
def test_links_that_work_on_github_lead_to_pages_of_the_site(
    hook: dict[str, Any], written: str, led: str
) -> None:
    assert hook["on_page_markdown"](written, PAGE) == led


@pytest.mark.parametrize(
    ("step", "text", "told"),
    [
        ("on_page_content", "<p>It does\n- one</p>", "no list"),
        ("on_page_content", "<p>It does</p>\n<ul><li>one</li></ul>", ""),
        (
            "on_post_page",
            '<script src="https://cdn.example.com/x.js"></script>',
            "loads https://cdn.example.com/x.js",
        ),
        (
            "on_post_page",
            '<link rel="stylesheet" href="//fonts.example.com/a">',
            "loads //fonts.example.com/a",
        ),
        ("on_post_page", '<a href="https://example.com">x</a><script src="x.js"></script>', ""),
    ],
)
def test_what_is_wrong_with_a_page_is_a_warning(
    hook: dict[str, Any], step: str, text: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    hook[step](text, PAGE)
    assert told in caplog.text
    assert bool(caplog.records) == bool(told)


def test_a_link_to_a_file_that_is_not_there_is_a_warning(
    hook: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    assert not hook["_is_file"]("docs/how-to/ci.md", "tests/unusual")
    assert "docs/how-to/ci.md links to tests/unusual, which is no file" in caplog.text
    assert hook["_is_file"]("docs/how-to/ci.md", "SECURITY.md")


def test_a_link_to_what_git_does_not_have_is_a_warning(
    hook: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    hook["on_page_markdown"]("[a](../requirements/job.md)", PAGE)
    assert "docs/how-to/ci.md links to docs/requirements/job.md, which git does not have" in caplog.text


def test_every_link_in_the_checkout_leads_to_what_is_there(hook: dict[str, Any]) -> None:
    """Those of GitHub, the site aside: no page need be made to follow them."""
    pages = [path for path in ROOT.rglob("*.md") if not any(map(_LEFT.match, path.relative_to(ROOT).parts))]
    assert len(pages) > 50
    dead = [
        f"{path.relative_to(ROOT)}: {link['path']}"
        for path in pages
        for link in hook["_LINK"].finditer(hook["_CODE"].sub("", path.read_text("utf-8")))
        if "://" not in link["path"] and not link["path"].startswith("mailto:")
        if not (path.parent / link["path"]).exists()
    ]
    assert dead == []
