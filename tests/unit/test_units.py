"""Which unit tests a change can affect: nothing that may fail because of it is left out."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "units.py"))
FILES = {
    "src/batchproof/__init__.py": "",
    "src/batchproof/ground/suite.py": "",
    "src/batchproof/low.py": "",
    "src/batchproof/high.py": "from batchproof.low import x",
    "src/batchproof/reads.py": "from batchproof.ground import suite",
    "src/batchproof/profiles/__init__.py": "",
    "src/batchproof/profiles/job/record.py": "",
    "reference_controller/__init__.py": "",
    "reference_controller/work.py": "",
    "tests/shared/helper.py": "import batchproof.high",
    "tests/unit/test_low.py": "from batchproof import low",
    "tests/unit/test_helped.py": "def test_it():\n    from helper import y",
    "tests/unit/test_profiles.py": "from batchproof.profiles import profile",
    "tests/unit/test_suite.py": "from batchproof.reads import z",
    "tests/unit/test_pages.py": 'ROOT / "docs" / "page.md"',
    "tests/unit/test_tables.py": "import_module(path.stem)",
    "tests/unit/reference/test_work.py": "import reference_controller.work",
}
TESTS = {Path(file).stem for file in FILES if "/test_" in file}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("src/batchproof/low.py", {"test_low", "test_helped", "test_tables"}),
        ("src/batchproof/high.py", {"test_helped", "test_tables"}),
        ("src/batchproof/profiles/job/record.py", {"test_profiles", "test_tables"}),
        ("src/batchproof/__init__.py", TESTS - {"test_pages", "test_work"}),
        ("reference_controller/work.py", {"test_work", "test_tables"}),
        ("tests/shared/helper.py", {"test_helped", "test_tables"}),
        ("tests/unit/test_low.py", {"test_low", "test_tables"}),
        ("src/batchproof/gone.py", set()),
        ("features/job/a.feature", {"test_suite", "test_tables"}),
        ("tests/mutants/a.yaml", {"test_suite", "test_tables"}),
        ("docs/other.md", {"test_pages", "test_tables"}),
        ("README.md", set()),
        ("pyproject.toml", TESTS),
    ],
)
def test_what_imports_or_reads_it_is_affected(checkout: Path, file: str, expected: set[str]) -> None:
    assert {Path(one).stem for one in SCRIPT["affected"]([file], checkout)} == expected


def test_of_a_change_of_several_files_all_are_affected(checkout: Path) -> None:
    files = ["docs/other.md", "reference_controller/work.py"]
    assert {Path(one).stem for one in SCRIPT["affected"](files, checkout)} == {
        "test_pages",
        "test_tables",
        "test_work",
    }


def test_whatever_loads_others_by_their_names_is_known() -> None:
    """Else a change of what it loads would leave out its tests."""
    loading = {
        path.relative_to(ROOT / base).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for base, package in (("src", "batchproof"), (".", "reference_controller"))
        for path in (ROOT / base / package).rglob("*.py")
        if re.search(r"\b(import_module|iter_modules)\(", path.read_text("utf-8"))
    }
    assert loading == {name for name in SCRIPT["LOADS"] if "." in name}


def test_in_this_checkout_a_fact_affects_some_and_not_all() -> None:
    found = SCRIPT["affected"](["src/batchproof/profiles/job/facts/pods.py"])
    assert "tests/unit/test_facts_all.py" in found
    assert "tests/unit/test_control_plane_seals.py" not in found
