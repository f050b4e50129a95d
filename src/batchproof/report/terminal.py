"""Where tables are printed."""

from __future__ import annotations

import os

from rich.console import Console

_UNFOLDED = 10_000  # columns: more than any line has


def terminal() -> Console:
    """The standard output. Where it is no terminal nothing is folded, so that names can be copied."""
    console = Console()
    return console if console.is_terminal or "COLUMNS" in os.environ else Console(width=_UNFOLDED)
