"""The one folder outside a run that batchproof writes to: what was built, and what building needs.

::

    CACHE/binaries/<module>-<version>-<os>-<arch>-<digest>/<command>
    CACHE/go/            Go's own caches: modules, compiled packages, configuration
    CACHE/toolchain/     a private Go, where the PATH has none
    CACHE/locks/

It lies where the system keeps a user's caches; ``BATCHPROOF_CACHE`` moves it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import filelock

from batchproof.control_plane.progress import BuildProgress
from batchproof.ground.errors import UserError
from batchproof.ground.places import cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

_MIB = 1024 * 1024


def binaries_folder() -> Path:
    """What was built: a folder for each module, version, and digest of what it was built from."""
    return cache_folder() / "binaries"


def go_folder() -> Path:
    """Go's own caches."""
    return cache_folder() / "go"


def toolchain_folder() -> Path:
    """The private Go."""
    return cache_folder() / "toolchain"


@contextlib.contextmanager
def locked(name: str, what: str, progress: BuildProgress) -> Iterator[None]:
    """Be the only process that works at ``name``; waits for another one, and says so.

    The lock ends with the process, however that ends.
    """
    locks = cache_folder() / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(locks / f"{name}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        progress(f"waiting: another run is already making {what}", 0, 0)
        lock.acquire(poll_interval=0.2)
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def nobody_building() -> Iterator[None]:
    """Hold every lock.

    Raises:
        UserError: another run is building.
    """
    with contextlib.ExitStack() as held:
        for path in sorted((cache_folder() / "locks").glob("*.lock")):
            try:
                held.enter_context(filelock.FileLock(path, timeout=0))
            except filelock.Timeout as error:
                raise UserError(
                    f"another run is building ({path.stem}): wait for it or end it first"
                ) from error
        yield


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """Turn what the disk refuses into advice.

    Raises:
        UserError: the cache cannot be written, or its disk is full.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise UserError(full_disk()) from error
        raise UserError(
            f"the cache {cache_folder()} cannot be written: {error}; set BATCHPROOF_CACHE to another folder"
        ) from error


def full_disk() -> str:
    """What to say to a user whose disk is full."""
    places = (
        f"{place} ({_free_mib(place)} MiB free)" for place in (cache_folder(), Path(tempfile.gettempdir()))
    )
    return (
        f"the disk is full: {', '.join(places)}. Building a Kubernetes version needs about 5 GiB: free some, "
        "or set BATCHPROOF_CACHE (and TMPDIR) to folders on a larger disk, then run the same command again"
    )


def remove_tree(folder: Path) -> None:
    """Remove a folder, also the read-only folders of Go's module cache."""
    folder.chmod(stat.S_IRWXU)
    for path, folders, _ in os.walk(folder):
        for name in folders:
            inner = Path(path, name)
            if not inner.is_symlink():
                inner.chmod(stat.S_IRWXU)
    shutil.rmtree(folder)


def _free_mib(place: Path) -> int:
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free // _MIB
