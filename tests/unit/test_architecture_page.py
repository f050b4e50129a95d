"""The page of the architecture names the folders and packages that there are, and no others."""

from __future__ import annotations

import re
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
_FOLDERS = dict(
    re.findall(r"^\| `([\w/]+)/` \| (.*) \|$", _PAGE.partition("## Where things are")[2], re.MULTILINE)
)


def _below(folder: Path) -> set[str]:
    """The folders of the checkout there: what tools leave behind has no file of its own, or a hidden name."""
    return {path.parent.name for path in folder.glob("[a-z]*/*.*") if path.is_file()}


def test_every_folder_that_the_table_names_is_there() -> None:
    assert len(_FOLDERS) > 6
    assert [name for name in _FOLDERS if not (_ROOT / name).is_dir()] == []


def test_the_row_of_the_tests_names_each_of_their_folders() -> None:
    assert set(re.findall(r"`(\w+)/`", _FOLDERS["tests"])) == _below(_ROOT / "tests")


def test_the_layers_name_every_package() -> None:
    layers = _PAGE.partition("## The layers")[2].partition("```")[0]
    named = {
        part.rstrip("/")
        for row in re.findall(r"^\| (`.*?) \|", layers, re.MULTILINE)
        for part in re.findall(r"`([\w/]+)`", row)
    }
    assert _below(_ROOT / "src" / "batchproof") <= named
    assert [
        one
        for one in named
        if not (_ROOT / "src" / "batchproof" / one).is_dir()
        and not (_ROOT / "src" / "batchproof" / f"{one}.py").is_file()
    ] == []
