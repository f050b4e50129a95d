"""What other processes use (Linux): CPU seconds, however busy the machine is besides, and memory."""

from __future__ import annotations

import os
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


def _cpu_ticks(pid: int) -> int:
    fields = _of(pid, "stat").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12]) if fields else 0


def _peak_kib(pid: int) -> int:
    lines = (line.split() for line in _of(pid, "status").splitlines())
    return next((int(words[1]) for words in lines if words[0] == "VmHWM:"), 0)


def _of(pid: int, what: str) -> str:
    try:
        return Path(f"/proc/{pid}/{what}").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return ""
