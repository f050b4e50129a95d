"""How far something long is: reported to a callback, shown as a bar on a terminal and as lines elsewhere."""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import TYPE_CHECKING, Protocol, TextIO

from batchproof.ground.screen import LiveLine, console, printable, quiet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress as Bars
    from rich.progress import TaskID

_PERCENT = 100
_PLAIN_STEP = 20  # percent


class BuildProgress(Protocol):
    """Called with what is being done and how much of it is done; ``total`` is 0 where it is unknown."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take one report; called often, from the thread that works."""
        ...


def unseen(stage: str, done: int, total: int) -> None:
    """A ``BuildProgress`` that shows nothing."""
    del stage, done, total


@contextlib.contextmanager
def shown(out: TextIO | None = None) -> Iterator[BuildProgress]:
    """A ``BuildProgress`` that people see: bars on a terminal, else a line each fifth of a stage."""
    out = out or sys.stderr
    if quiet() or not out.isatty():
        yield _Lines(out)
        return
    # They are slow to load, and needed on a terminal only.
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
    from rich.progress import Progress as Bars  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=console(out)) as bars:
        yield _Bars(bars)


class _Bars:
    """One bar a stage, the newest below."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._lock = threading.Lock()

    def __call__(self, stage: str, done: int, total: int) -> None:
        with self._lock:
            if stage not in self._tasks:
                self._finish_all()
                self._tasks[stage] = self._bars.add_task(printable(stage), total=total or None)
            self._bars.update(self._tasks[stage], completed=done, total=total or None)

    def _finish_all(self) -> None:
        for task in self._bars.tasks:
            if not task.finished:
                self._bars.update(task.id, total=task.completed or 1, completed=task.completed or 1)


class _Lines:
    """A line when a stage begins, and at each step of it that has a known end."""

    def __init__(self, out: TextIO) -> None:
        self._line = LiveLine(out)
        self._printed: dict[str, int] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        step = done * _PERCENT // total // _PLAIN_STEP if total else 0
        if step > self._printed.get(stage, -1):
            self._printed[stage] = step
            self._line.say(f"{stage}: {step * _PLAIN_STEP} %" if step else stage)
