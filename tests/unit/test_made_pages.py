"""The pages of the reference that are made of code and schemas say what these say now."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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


def test_the_numbers_that_pages_show_are_those_of_the_suite() -> None:
    script = _AS_JSON.replace("pages; ", "suite_numbers as pages; ")
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT / "scripts", capture_output=True, text=True, check=True
    )
    pages = {Path(path): text for path, text in json.loads(ended.stdout).items()}
    assert ROOT / "README.md" in pages
    old = [path.name for path, text in pages.items() if path.read_text("utf-8") != text]
    assert not old, "run `python scripts/pages.py`"


def test_every_page_that_says_that_it_is_made_is_made(made: dict[Path, str]) -> None:
    said = "Made by `python scripts/pages.py`"
    assert {path for path in (ROOT / "docs").rglob("*.md") if said in path.read_text("utf-8")} == made.keys()


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
