"""CPU seconds of other processes (Linux): what a controller costs, however busy the machine is besides."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def cpu_s(pids: Iterable[int]) -> float:
    """CPU seconds that processes have used so far; none for those that are gone."""
    return sum(map(_of, pids)) / os.sysconf("SC_CLK_TCK")


def _of(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[11]) + int(fields[12])
