"""A running scenario: what its history says at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from batchproof.cell.scene import Scene
from batchproof.judgement.history import Header

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed


async def seen_by_a_scene_with(header: Header) -> Observed:
    return Scene("here", kill=lambda: None, header=header).seen


def test_what_is_judged_while_it_runs_knows_the_header() -> None:
    header = Header(time_scale=2.0, manager="example.com/mine", finalizer="example.com/tracking")

    seen = asyncio.run(seen_by_a_scene_with(header))

    assert (seen.last, seen.time_scale) == (0, 2.0)
    assert (seen.manager, seen.finalizer) == ("example.com/mine", "example.com/tracking")
