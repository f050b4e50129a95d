"""Seals of what was built: a program of the cache is only started if it is the one that was put there.

Beside each binary lies its SHA-256, written when it was built. A seal finds a damaged or exchanged file. Only
the rights of the folder help against a user that can write both: so these are looked at too.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from typing import TYPE_CHECKING, Final

from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

_OWN_FOLDER: Final = "set BATCHPROOF_CACHE to a folder of your own"
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def seal(binary: Path, folder: Path) -> None:
    """Write the digest of a binary that was just built and is about to be moved into a folder."""
    _write(_of(folder / binary.name), _digest(binary))


def see_sealed(binary: Path) -> None:
    """See that a binary of the cache is what was built, and that no other user can change it.

    What earlier versions have built has no seal; it gets one now.

    Raises:
        UserError: it is something else, or others may write it.
    """
    for place in (binary.parent, binary):
        _see_owned(place)
    written = _of(binary)
    if not written.is_file():
        with contextlib.suppress(OSError):  # a cache that only root writes needs no seal
            _write(written, _digest(binary))
    elif written.read_text("ascii", errors="replace").strip() != _digest(binary):
        raise UserError(f"{binary} is not what batchproof has built there: remove it, and it is built again")


def _see_owned(place: Path) -> None:
    """See that only its owner and root write a place; of what is ours, others lose the right to."""
    about = place.stat()
    if about.st_uid not in {os.getuid(), 0}:
        raise UserError(f"{place} belongs to another user, so it is not started: {_OWN_FOLDER}")
    if about.st_mode & _OTHERS_WRITE:
        try:
            place.chmod(stat.S_IMODE(about.st_mode) & ~_OTHERS_WRITE)
        except PermissionError as error:
            raise UserError(
                f"others than its owner may write {place}, so it is not started: run `chmod go-w {place}`,"
                f" or {_OWN_FOLDER}"
            ) from error


def _of(binary: Path) -> Path:
    return binary.with_name(f".{binary.name}.sha256")


def _digest(binary: Path) -> str:
    with binary.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(seal: Path, digest: str) -> None:
    unfinished = seal.with_name(f"{seal.name}.{os.getpid()}.unfinished")
    unfinished.write_text(f"{digest}\n", "ascii")
    unfinished.rename(seal)
