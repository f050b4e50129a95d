"""What a killed program has left running: processes that have left its group, and outlive it.

A program that starts another in a session of its own is not killed with its group. On Linux such a process
becomes a child of this one when its parent ends, whatever it has done to its group and its environment, so it
is found. Elsewhere it is not.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Final

_PR_SET_CHILD_SUBREAPER: Final = 36
_GIVE_UP_S: Final = 5.0
_PAUSE_S: Final = 0.002

STARTING: Final = threading.Lock()
"""To be held from the start of a process with a session of its own until it is in ``ours``."""
ours: Final[set[int]] = set()
"""The processes that were started by this one in sessions of their own."""


def adopt() -> None:
    """Become the parent of what a program leaves behind (prctl(2), PR_SET_CHILD_SUBREAPER)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def tell(program: int, number: signal.Signals) -> None:
    """Send a signal to all that a program has started or left behind, itself included."""
    with STARTING:
        for pid in _left_behind(program):
            _signal(pid, number)


def end() -> None:
    """Kill all that was left behind, and wait until it is gone; it may start more until then."""
    deadline = time.monotonic() + _GIVE_UP_S
    with STARTING:
        while (left := _left_behind()) and time.monotonic() < deadline:
            for pid in left:
                _signal(pid, signal.SIGKILL)
            for pid in left:
                with contextlib.suppress(ChildProcessError):  # not a child of ours yet: its parent is one
                    os.waitpid(pid, os.WNOHANG)
            time.sleep(_PAUSE_S)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _left_behind(*beside: int) -> list[int]:
    """The children that this process has not started and others that are named, with all below them.

    What it starts itself is in its own session, or in ``ours``: no process can join a session.
    """
    if sys.platform != "linux":
        return []
    children: dict[int, list[int]] = defaultdict(list)
    sessions: dict[int, int] = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
                children[int(fields[1])].append(int(process.name))
                sessions[int(process.name)] = int(fields[3])
    own = os.getsid(0)
    adopted = [pid for pid in children[os.getpid()] if sessions[pid] != own and pid not in ours]
    found = [*beside, *adopted]
    for pid in found:  # it grows meanwhile
        found += children[pid]
    return found
