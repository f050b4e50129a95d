"""What was read is kept while its files are the same, and read again when one is another, new or gone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from batchproof.ground.files import while_unchanged

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_is_read_again_only_when_a_file_in_it_has_changed(tmp_path: Path) -> None:
    calls: list[str] = []

    @while_unchanged(lambda folder: sorted(folder.iterdir()), most=2)
    def words(folder: Path, ending: str) -> str:
        calls.append(ending)
        return " ".join(path.read_text() for path in sorted(folder.iterdir())) + ending

    (tmp_path / "a").write_text("one")
    assert [words(tmp_path, "."), words(tmp_path, ".")] == ["one.", "one."]
    assert calls == ["."]
    assert words(tmp_path, "!") == "one!"
    (tmp_path / "a").write_text("two")
    os.utime(tmp_path / "a", ns=(1, 1))
    assert words(tmp_path, ".") == "two."
    (tmp_path / "b").write_text("more")
    assert words(tmp_path, ".") == "two more."
    (tmp_path / "a").unlink()
    assert words(tmp_path, ".") == "more."


def test_what_cannot_be_looked_at_is_read_each_time(tmp_path: Path) -> None:
    @while_unchanged(lambda path: [path], most=2)
    def text(path: Path) -> str:
        return path.read_text()

    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            text(tmp_path / "none")
    (tmp_path / "none").write_text("now")
    assert text(tmp_path / "none") == "now"
