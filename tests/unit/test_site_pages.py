"""What git does not have is made of the suite, and links in git lead to what stands for it."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchproof.ground import suite
from batchproof.profiles import profiles
from batchproof.specification.reported import load_reported
from batchproof.specification.words import unwanted

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "site_pages.py"
_FOUND = runpy.run_path(str(SCRIPT))
made: Callable[[], frozenset[str]] = _FOUND["made"]
stand_ins: Callable[[], dict[str, str]] = _FOUND["stand_ins"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the script writes, in a process of its own: other tests register facts and steps."""
    written = tmp_path_factory.mktemp("made")
    subprocess.run([sys.executable, SCRIPT, written], capture_output=True, check=True)
    return written


def test_the_script_writes_all_that_is_made(folder: Path) -> None:
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert written == made()
    assert len(written) == len(profiles()) + 1 + 4 + 3


def test_the_pages_of_steps_and_facts_name_each_file_that_has_some(folder: Path) -> None:
    steps, facts = ((folder / f"docs/reference/{name}.md").read_text("utf-8") for name in ("steps", "facts"))
    subjects = {path.name for path in (ROOT / "steps").glob("*.py") if "@" in path.read_text("utf-8")}
    assert [name for name in subjects if f"(../../steps/{name})" not in steps] == []
    sources = [path for path in (ROOT / "src").rglob("facts/*.py") if "\n@fact(" in path.read_text("utf-8")]
    assert len(sources) > 10
    names = {f"`{name}`" for path in sources for name in _facts_of(path)}
    assert [name for name in names if name not in facts] == []


def _facts_of(path: Path) -> list[str]:
    rules = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
    return [
        rule.name for rule in rules if any(ast.unparse(it).startswith("fact(") for it in rule.decorator_list)
    ]


def test_the_page_of_kinds_has_each_profile_and_that_of_reported_inputs_each_report(folder: Path) -> None:
    kinds = (folder / "docs/reference/kinds.md").read_text("utf-8")
    assert [name for name in profiles() if f"features/{name}/kinds.yaml" not in kinds] == []
    reported = (folder / "docs/reference/reported.md").read_text("utf-8")
    reports = {report for one in load_reported(suite.features()) for report in one.reports}
    assert [one for one in reports if one.rpartition("/")[2] not in reported] == []


@pytest.mark.parametrize("name", ["kinds", "reported"])
def test_a_made_page_has_the_words_of_the_glossary(folder: Path, name: str) -> None:
    """As `batchproof lint` says of pages that are in git; what the others are made of is linted itself."""
    found = unwanted((folder / f"docs/reference/{name}.md").read_text("utf-8"))
    assert [(word, say) for _, word, say in found] == []


def test_what_is_made_for_the_site_is_not_in_the_checkout() -> None:
    assert [path for path in made() if (ROOT / path).exists()] == [], "it is made when the site is built"


def test_what_stands_for_a_made_page_is_there_and_has_the_heading_or_the_id() -> None:
    files = {place.partition("#")[0] for place in stand_ins()}
    texts = {path: (ROOT / path).read_text("utf-8") for path in files}
    for place, leads in stand_ins().items():
        path, _, name = place.partition("#")
        wanted = rf"^#+ {name}$" if path.endswith(".md") else rf"^- id: {name}$"
        assert re.search(wanted, texts[path], re.MULTILINE), place
        assert leads.partition("#")[0] in made()
