"""The command as a user starts it: in a process of its own, with this Python."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = (sys.executable, "-c", "from batchproof.cli import main; main()")


def ended(*arguments: str | Path, within_s: float | None = None) -> tuple[int, str]:
    """Run ``batchproof`` to its end; the exit code, and all that it said.

    Raises:
        subprocess.TimeoutExpired: it takes longer.
    """
    command: list[str | Path] = [*COMMAND, *arguments]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=within_s)
    return run.returncode, run.stdout + run.stderr
