"""Files: what others wrote is read within limits, what we write is never written through a link.

Files for the user are written whole under a new name, then renamed.

Results may come from another machine: ``index.html`` in them may be a link to a file of the user, and
``allure`` a link to a folder of his. So every part of a path below the folder that the user named is opened
without following links, and a file is never opened for writing but replaced by a new one.

Everything here raises ``UserError`` where the path is wrong, and ``HarnessError`` where the disk fails.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
from functools import lru_cache, wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

from batchproof.ground.errors import HarnessError, UserError
from batchproof.ground.stored import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

F = TypeVar("F", bound="Callable[..., Any]")

_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


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


def while_unchanged(files: Callable[[Path], Iterable[Path]], most: int) -> Callable[[F], F]:
    """Keep what a function reads below a path for as long as the files there are the same.

    A process asks for the same files many times.
    The path is its first argument. What it returns must not be changed by anyone. It is called again where a
    file cannot be looked at.

    Args:
        files: the files that it reads, for a path.
        most: of how many paths and states what was read is kept.
    """

    def decorated(read: F) -> F:
        kept = lru_cache(maxsize=most)(lambda _, *args: read(*args))

        @wraps(read)
        def asked(path: Path, *args: object) -> object:
            try:
                states = tuple(map(_state, files(path)))
            except OSError:
                return read(path, *args)
            return kept(states, path, *args)

        return cast("F", asked)

    return decorated


def _state(path: Path) -> tuple[str, int, int, int]:
    found = path.stat()
    return str(path), found.st_ino, found.st_size, found.st_mtime_ns


def write(folder: Path, name: str, content: bytes) -> Path:
    """Write a file whole, or leave what was there before.

    Args:
        folder: the folder that the user named; it is made if it is not there, and may be reached by links.
        name: the file below it, with the folders between, which are made and are no links.
        content: all of it.

    Returns:
        The path of the file.
    """
    with new_file(folder, name) as file:
        file.write(content)
    return folder / name


def write_to(path: Path, content: bytes) -> Path:
    """Write a file that the user named."""
    return write(path.parent, path.name, content)


@contextlib.contextmanager
def new_file(folder: Path, name: str) -> Iterator[IO[bytes]]:
    """A new file to write; it takes its name when the block has ended without an error."""
    with _explained(folder / name), _opened(folder, name) as (inner, last):
        unfinished = f".{secrets.token_hex(8)}.new"
        try:
            with _created(unfinished, inner) as file:
                yield file
            os.replace(unfinished, last, src_dir_fd=inner, dst_dir_fd=inner)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(unfinished, dir_fd=inner)
            raise


def stream(folder: Path, name: str) -> IO[bytes]:
    """A new file, unbuffered, which has its name at once: what is written stays if the process is killed."""
    with _explained(folder / name), _opened(folder, name) as (inner, last):
        unfinished = f".{secrets.token_hex(8)}.new"
        file = _created(unfinished, inner, buffering=0)
        os.replace(unfinished, last, src_dir_fd=inner, dst_dir_fd=inner)
        return file


def copy(source: Path, folder: Path, name: str) -> Path:
    """Copy a file below a folder that the user named."""
    with new_file(folder, name) as file, source.open("rb") as content:
        shutil.copyfileobj(content, file)
    return folder / name


def check_writable(path: Path) -> None:
    """See that a file can be written later: everything is tried but for the last step."""
    with _explained(path), _opened(path.parent, path.name) as (inner, _):
        tried = f".{secrets.token_hex(8)}.new"
        _created(tried, inner).close()
        os.unlink(tried, dir_fd=inner)


def empty_folder(folder: Path, name: str) -> Path:
    """An empty folder of that name below a folder that the user named; what it held is removed."""
    with new_folder(folder, name):
        return folder / name


def remove_folder(folder: Path, name: str) -> None:
    """Remove a folder below one that the user named, if it is there."""
    with _explained(folder / name), _outer(folder) as outer:
        _refuse_other(name, outer, stat.S_ISDIR, "folder")
        shutil.rmtree(name, ignore_errors=True, dir_fd=outer)


@contextlib.contextmanager
def new_folder(folder: Path, name: str) -> Iterator[Path]:
    """A new folder to fill, for what writes files by itself; it replaces the one of that name in the end."""
    with _explained(folder / name), _outer(folder) as outer:
        unfinished = f".{secrets.token_hex(8)}.new"
        try:
            _refuse_other(name, outer, stat.S_ISDIR, "folder")
            os.mkdir(unfinished, dir_fd=outer)
            yield folder / unfinished
            shutil.rmtree(name, ignore_errors=True, dir_fd=outer)
            os.rename(unfinished, name, src_dir_fd=outer, dst_dir_fd=outer)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True, dir_fd=outer)


@contextlib.contextmanager
def _outer(path: Path) -> Iterator[int]:
    """A folder that the user named, made if it is not there, as a descriptor."""
    path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)


@contextlib.contextmanager
def _opened(folder: Path, name: str) -> Iterator[tuple[int, str]]:
    """The folder that holds a file, as a descriptor, and the last part of its name, free or a plain file."""
    *between, last = Path(name).parts
    if Path(name).is_absolute() or ".." in between or last == "..":
        raise UserError(f"{name} is no path below {folder}")
    with contextlib.ExitStack() as stack:
        inner = stack.enter_context(_outer(folder))
        for part in between:
            _refuse_other(part, inner, stat.S_ISDIR, "folder")
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=inner)
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=inner)
            stack.callback(os.close, inner)
        _refuse_other(last, inner, stat.S_ISREG, "file")
        yield inner, last


def _refuse_other(name: str, folder: int, right: Callable[[int], bool], kind: str) -> None:
    """Refuse what has the name already but is something else: a link, a pipe, a device."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise UserError(f"{name} is a link, which is not followed: remove it, or name another folder")
    if not right(mode):
        raise UserError(f"{name} is no {kind}: remove it, or name another folder")


def _created(name: str, folder: int, buffering: int = -1) -> IO[bytes]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return open(os.open(name, flags, 0o666, dir_fd=folder), "wb", buffering)  # noqa: PTH123 - a descriptor


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except UserError as error:
        raise UserError(f"{path} cannot be written: {error}") from error
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> UserError | HarnessError:
    """What to raise where a path cannot be written."""
    kind = HarnessError if error.errno in _DISK else UserError
    return kind(f"{path} cannot be written: {error.strerror or error}")
