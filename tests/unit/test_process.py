"""The verbs about the implementation's process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from batchproof.cell import Cell, ScenarioRun
from batchproof.judgement.faults import Crash, Fault, On
from batchproof.world.process import ProcessVerbs

if TYPE_CHECKING:
    from collections.abc import Coroutine


class _Cell:
    """What a cell and the scenario in it are to the verb: where it runs, and what it does, in order."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.turns = 0

    def call(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        self.turns += 1
        return asyncio.run(coroutine)

    def keep_running(self) -> None:
        self.done.append("kept running")

    def arm(self, fault: Fault) -> int:
        self.done.append(f"{fault.text} from now on")
        return 1


def test_who_is_killed_at_once_is_started_again_too() -> None:
    cell = _Cell()
    process = ProcessVerbs(cast("Cell", cell), cast("ScenarioRun", cell), pytest.fail)
    before = cell.turns

    process.kill_at(Fault("killed", On(), Crash(after_effect=False)))

    assert cell.done == ["kept running", "killed from now on"]
    assert cell.turns == before + 1  # else a request would come between the two
