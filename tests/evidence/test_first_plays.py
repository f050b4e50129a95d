"""A play that had no verdict is kept, and judged again too."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from forging import Forgery, replayed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("verdict", "kept"), [("inconclusive", False), ("errored", False), ("errored", True)]
)
def test_the_history_of_a_first_play_has_to_be_there(
    original: Path, tmp_path: Path, verdict: str, *, kept: bool
) -> None:
    it = Forgery(original, tmp_path / "forged")
    one = it.passed()
    first, second = one["history"], one["history"].replace(".jsonl", "-second.jsonl")
    shutil.move(it.folder / first, it.folder / second)
    if kept:
        shutil.copy(it.folder / second, it.folder / first)
    told = {"verdict": verdict, "why": "slow answers", "history": first}
    one["first"], one["history"] = told | {"history_digest": one["history_digest"]}, second
    it.without_reports()

    status, said = replayed(it.save())

    assert (status, f"{first} is missing" in said) == ((0, False) if kept else (1, True)), said
