"""What ends a worker that hangs, so that a run never does.

Nothing is played before all workers have collected, and a run ends when the last has: one that hangs would
keep all others waiting, without a word. pytest-xdist puts another in the place of one that has ended.
"""

from __future__ import annotations

import faulthandler
from typing import TYPE_CHECKING, Any, Final

import pytest

from batchproof.ground.screen import say

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

STACKS: Final = "stacks"
"""The folder, within that of the run, of what watchdogs write: a file for each worker, by its name."""


class Watchdog:
    """Ends this process if it hangs, and writes first where each of its threads was.

    Args:
        stacks: the file for that.
        limit_s: after how long without getting on; it has to collect, from now on, within that time too.
    """

    def __init__(self, stacks: Path, limit_s: float) -> None:
        stacks.parent.mkdir(exist_ok=True)
        self._file = stacks.open("w", encoding="utf-8")
        self._limit_s = limit_s
        self._watch()

    def pytest_collection_finish(self) -> None:
        """It may have to wait for the other workers now."""
        faulthandler.cancel_dump_traceback_later()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """Watch over a scenario, from its set-up to its end."""
        self._watch()
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, object, object]:
        """Watch over the end, at which what was started is stopped."""
        self._watch()
        return (yield)

    def pytest_unconfigure(self) -> None:
        """It has ended by itself."""
        faulthandler.cancel_dump_traceback_later()
        self._file.close()

    def _watch(self) -> None:
        faulthandler.dump_traceback_later(self._limit_s, exit=True, file=self._file)


class HungWorkers:
    """In the process that the user started: reports workers that were ended, and where they hung.

    Args:
        folder: of the files that the watchdogs of the workers write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has ended."""
        if where := self._where(node):
            say(f"worker {node.gateway.id} hung, and was ended and replaced; it was here:\n{where}", err=True)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, report: pytest.TestReport) -> None:
        """What it played has no verdict: the report is to say why."""
        if where := self._where(report.node):
            report.longrepr = f"{report.longrepr}; it hung here:\n{where}"

    def _where(self, node: Any) -> str:
        stacks = self._folder / node.gateway.id
        return stacks.read_text("utf-8") if stacks.exists() else ""
