"""What a run is judged with, as digests: what is the same has the same digest, however it was installed."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import batchproof
from batchproof.ground import suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CODE: Final = Path(batchproof.__file__).parent
_LEFT_OUT: Final = {"__pycache__", "suite"}
"""Folders of the package that are none of its code: in a wheel the suite lies in it, and is listed itself."""
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True, order=True)
class DigestPart:
    """A file of what judges.

    Attributes:
        path: below the root of a checkout, without ``src/``, wherever it is installed.
        size: in bytes.
        sha256: of its content, in hexadecimal digits.
    """

    path: str
    size: int
    sha256: str


@functools.cache
def parts() -> tuple[DigestPart, ...]:
    """Every file that specifies or judges, in the order of the paths: the suite, its words, and the code."""
    return tuple(
        sorted(
            [
                *_below("features", suite.features()),
                *_below("suites", suite.suites()),
                *_below("steps", suite.steps()),
                *_below("fixtures/dialects", suite.fixtures() / "dialects"),
                *_below("batchproof", _CODE),
            ]
        )
    )


@functools.cache
def suite_digest() -> str:
    """Of all that specifies and judges; the same in a checkout, in a wheel, and where that is installed."""
    return digest_of(parts())


def digest_of(listed: Iterable[DigestPart]) -> str:
    """Of a list of files: each with its path and its size, so that no byte can move from one to another."""
    found = hashlib.sha256()
    for part in listed:
        found.update(f"{part.path}\0{part.size}\0{part.sha256}\n".encode())
    return f"sha256:{found.hexdigest()}"


@functools.cache
def code_digest(*more: Path) -> str:
    """Of all that decides what a reference is found to do, the references included; and of more folders."""
    given = (part for place, folder in enumerate(more) for part in _below(f"{place}", folder))
    return digest_of([*parts(), *_below("reference_controller", suite.reference()), *given])


def lock_digest() -> str:
    """Of the file that pins the libraries; empty where batchproof is installed without it."""
    return file_digest(suite.lock()) if suite.lock().is_file() else ""


def text_digest(text: str) -> str:
    """Of a text, as of the file that holds it."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def file_digest(path: Path) -> str:
    """Of one file.

    Raises:
        OSError: it cannot be read.
    """
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return f"sha256:{found.hexdigest()}"


def _below(name: str, folder: Path) -> Iterator[DigestPart]:
    """The files below a folder, as if it were called that."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if _LEFT_OUT.isdisjoint(inside.parts) and not path.name.startswith(".") and path.is_file():
            content = path.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            yield DigestPart(f"{name}/{inside.as_posix()}", len(content), digest)
