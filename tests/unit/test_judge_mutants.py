"""A reason why a wrong edit of the judge makes no difference is about an edit that can be made."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutations import mutants

from batchproof.ground.yaml_text import values

ROOT = Path(__file__).parents[2]
HARMLESS = values((ROOT / "tests/judge_mutants/harmless.yaml").read_text("utf-8"))[0]


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row['file']} {row['becomes']}") for row in HARMLESS])
def test_the_edit_that_has_a_reason_can_be_made(row: dict[str, str]) -> None:
    source = (ROOT / "src/batchproof" / row["file"]).read_text("utf-8")

    known = {(one.scope, one.was, one.becomes) for one in mutants(row["file"], source)}

    assert (row["in"], row["was"], row["becomes"]) in known
    assert row["why"]
