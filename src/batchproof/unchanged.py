"""Files that are read again only when they have changed: a process asks for the same ones many times."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

F = TypeVar("F", bound="Callable[..., Any]")


def while_unchanged(files: Callable[[Path], Iterable[Path]], most: int) -> Callable[[F], F]:
    """Keep what a function reads below a path for as long as the files there are the same.

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
