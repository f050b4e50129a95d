"""How much is kept of what a process prints: the beginning and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

LARGEST: Final = 32 * 2**20
"""In bytes, of one start of one process."""
_BEGINNING: Final = 2**20
_END: Final = 2**20


def shorten(log: Path, largest: int = LARGEST) -> None:
    """Leave out the middle of a log that has become too large; its process goes on appending to it."""
    try:
        size = log.stat().st_size
        if size <= largest:
            return
        with log.open("r+b") as file:
            beginning = file.read(min(_BEGINNING, largest // 4))
            file.seek(-min(_END, largest // 4), 2)
            end = file.read()
            left_out = size - len(beginning) - len(end)
            note = f"\n[batchproof keeps {largest} bytes of a log: {left_out} bytes are left out here]\n"
            file.seek(0)
            file.truncate()
            file.write(beginning + note.encode() + end)
    except FileNotFoundError:
        return
