"""How long threads were ready to run and had no processor, as Linux counts it.

Source: the kernel's documentation, "Scheduler Statistics", ``/proc/<pid>/schedstat``: its second number is
the time spent waiting on a run queue, in nanoseconds. Waiting for a reply, for a timer or while it is paused
is no part of it.
"""

from __future__ import annotations

import contextlib
import threading
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PROC = Path("/proc")
_NS = 1e9
Queued: TypeAlias = "dict[int, float]"
"""By the id of each thread: how long it has waited on a run queue so far, in seconds."""


def queued(pids: Iterable[int]) -> Queued:
    """How long each thread of these processes, and of those that they have started, waited for a processor.

    Empty where the kernel does not count it, or where the processes have ended.
    """
    return {thread: waited_s for pid in pids for thread, waited_s in _of_process(pid)}


def queued_here() -> Queued:
    """How long the thread that asks has waited for a processor."""
    thread = threading.get_native_id()
    return dict(_of_thread(_PROC / "self" / "task" / str(thread)))


def queued_since(before: Queued, now: Queued) -> float:
    """How long the threads of ``now`` waited for a processor since ``before``, in seconds, summed."""
    return fsum(waited_s - before.get(thread, 0.0) for thread, waited_s in now.items())


def _of_process(pid: int) -> Iterator[tuple[int, float]]:
    children: list[str] = []
    with contextlib.suppress(OSError):  # it may end at any moment
        for task in (_PROC / str(pid) / "task").iterdir():
            yield from _of_thread(task)
            with contextlib.suppress(OSError):
                children += (task / "children").read_text(encoding="ascii").split()
    for child in children:
        yield from _of_process(int(child))


def _of_thread(task: Path) -> Iterator[tuple[int, float]]:
    with contextlib.suppress(OSError):
        yield int(task.name), int((task / "schedstat").read_bytes().split()[1]) / _NS
