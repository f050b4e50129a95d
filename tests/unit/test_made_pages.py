"""The pages of the reference that are made of code and schemas say what these say now."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ = [
    ROOT / "README.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if path.parent.name not in {"adr", "requirements"}
        and path.name not in {"schedulers.md", "findings.md"}
    ),
]
"""What people read first. Decisions and what runs have shown keep the numbers of their day."""

_AS_JSON = "import json, pages; print(json.dumps({str(path): text for path, text in pages.pages().items()}))"


@pytest.fixture(scope="module")
def made() -> dict[Path, str]:
    """The pages that the script writes, in a process of its own: other tests register facts and steps."""
    ended = subprocess.run(
        [sys.executable, "-c", _AS_JSON], cwd=ROOT / "scripts", capture_output=True, text=True, check=True
    )
    return {Path(path): text for path, text in json.loads(ended.stdout).items()}


def test_the_pages_of_the_reference_are_up_to_date(made: dict[Path, str]) -> None:
    old = [path.name for path, text in made.items() if path.read_text("utf-8") != text]
    assert not old, "run `python scripts/pages.py`"


@pytest.fixture(scope="module")
def numbered() -> dict[str, dict[Path, str]]:
    """The pages with the numbers of the suite as they are now, and without them."""
    script = (
        "import json, suite_numbers; told = dict(now=suite_numbers.pages(), rest=suite_numbers.rest()); "
        "print(json.dumps({name: {str(it): text for it, text in of.items()} for name, of in told.items()}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT / "scripts", capture_output=True, text=True, check=True
    )
    return {
        name: {Path(path): text for path, text in of.items()} for name, of in json.loads(ended.stdout).items()
    }


def test_the_numbers_that_pages_show_are_those_of_the_suite(numbered: dict[str, dict[Path, str]]) -> None:
    pages = numbered["now"]
    assert ROOT / "README.md" in pages
    old = [path.name for path, text in pages.items() if path.read_text("utf-8") != text]
    assert not old, "run `python scripts/pages.py`"


_AGES = re.compile(
    r"(?<![\w-])\d[\d,]{2,} (?:(?:MUST|core|whole|planted|other) )*"
    r"(?:scenarios|requirements|mutants|defects|histories|descriptors)\b"
)


def test_no_page_counts_the_suite_but_by_numbers_that_are_kept_up_to_date(
    numbered: dict[str, dict[Path, str]],
) -> None:
    """A number that someone typed is another one soon: it leaves, or ``suite_numbers.py`` keeps it."""
    pages = {*READ, ROOT / "tox.ini", ROOT / "CONTRIBUTING.md"}
    texts = {path: numbered["rest"].get(path) or path.read_text("utf-8") for path in pages}
    assert {path.name: found for path, text in texts.items() if (found := _AGES.findall(text))} == {}
    assert _AGES.findall("the 150 scenarios of the profile, 1,610 planted defects") == [
        "150 scenarios",
        "1,610 planted defects",
    ]


_BUILT = re.compile(r"\bbuil(?:ds?|t)\b[^.|]*Kubernetes[^.|]*\d+ minutes")


def test_one_page_says_how_long_kubernetes_takes_to_build() -> None:
    said = {path.name for path in READ if _BUILT.search(path.read_text("utf-8"))}
    assert said <= {"control-plane.md"}
    assert _BUILT.search("The first run builds Kubernetes (about 5 minutes on 2 cores)")


def test_every_page_that_says_that_it_is_made_is_made(made: dict[Path, str]) -> None:
    said = "Made by `python scripts/pages.py`"
    texts = [path for path in (ROOT / "docs").rglob("*.*") if path.suffix in {".md", ".svg"}]
    assert {path for path in texts if said in path.read_text("utf-8")} == made.keys()


def test_every_field_of_a_descriptor_and_of_a_dialect_says_what_it_means(made: dict[Path, str]) -> None:
    rows = [
        line
        for path, text in made.items()
        if path.stem in {"descriptor", "dialect"}
        for line in text.splitlines()
        if line.startswith("| `")
    ]
    explained = ("](#", "as `")
    assert rows
    assert not [row for row in rows if row.endswith("|  |") and not any(it in row for it in explained)]
