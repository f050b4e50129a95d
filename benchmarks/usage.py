"""What other processes use (Linux): CPU seconds, however busy the machine is besides, and memory."""

from __future__ import annotations

import os
import resource
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def cpu_s(pids: Iterable[int]) -> float:
    """CPU seconds that processes have used so far; none for those that are gone."""
    return sum(map(_cpu_ticks, pids)) / os.sysconf("SC_CLK_TCK")


def peak_mib(pids: Iterable[int]) -> float:
    """The most memory that each process has ever had resident, added up, in MiB; 0 for those gone."""
    return sum(map(_peak_kib, pids)) / 1024


def cpu_s_of_ended() -> float:
    """CPU seconds of all processes that this one has started and that have ended, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_mb_of_ended() -> float:
    """The most memory that one of these processes has ever had resident, in MB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6


def beneath(pid: int) -> set[int]:
    """The processes that a process has started, theirs, and it."""
    children = defaultdict(list)
    for each in Path("/proc").glob("[0-9]*"):
        if fields := _stat(int(each.name)):
            children[int(fields[1])].append(int(each.name))
    found, to_see = set(), [pid]
    while to_see:
        found.add(one := to_see.pop())
        to_see += children[one]
    return found


def resident_mib(pids: Iterable[int]) -> dict[str, float]:
    """The memory that processes have resident now, in MiB, those of each program together."""
    of_all: defaultdict[str, float] = defaultdict(float)
    for pid in pids:
        if lines := _of(pid, "status"):
            of_all[_program(pid)] += _kib(lines, "VmRSS:") / 1024
    return dict(of_all)


def _program(pid: int) -> str:
    """The file name of its program; of one in Python the module, if it was started by its name."""
    words = _of(pid, "cmdline").split("\0")
    return words[words.index("-m") + 1] if "-m" in words[:-1] else Path(words[0]).name


def _cpu_ticks(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[11]) + int(fields[12]) if fields else 0


def _stat(pid: int) -> list[str]:
    """What the kernel reports of a process, from its state on."""
    return _of(pid, "stat").rpartition(")")[2].split()


def _peak_kib(pid: int) -> int:
    return _kib(_of(pid, "status"), "VmHWM:")


def _kib(status: str, name: str) -> int:
    lines = (line.split() for line in status.splitlines())
    return next((int(words[1]) for words in lines if words[0] == name), 0)


def _of(pid: int, what: str) -> str:
    try:
        return Path(f"/proc/{pid}/{what}").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return ""
