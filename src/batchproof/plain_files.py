"""Files that others wrote: read only if they are plain, and within limits."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from batchproof.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path, most_bytes: int) -> bytes:
    """What a plain file holds.

    Raises:
        UserError: it cannot be read, is no plain file, or is too large.
    """
    try:
        # Without O_NONBLOCK a named pipe would make this wait for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{path}: cannot be read: it is not a plain file")
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    if len(content) > most_bytes:
        raise UserError(f"{path}: cannot be read: it is larger than {most_bytes // 1024} KiB")
    return content
