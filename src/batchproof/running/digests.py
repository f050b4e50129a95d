"""What a run is judged with, in one word each: what is the same has the same digest."""

from __future__ import annotations

import functools
from hashlib import sha256
from pathlib import Path

import batchproof
from batchproof import suite

_KINDS = {".feature", ".yaml", ".py"}


def suite_digest(feature: Path | None = None) -> str:
    """Of all features, requirements and steps, and of a feature file."""
    return _digest(suite.features(), suite.steps(), first=feature.read_bytes() if feature else b"")


@functools.cache
def code_digest(*more: Path) -> str:
    """Of all that decides what a reference is found to do, the references included; and of more folders."""
    harness = Path(batchproof.__file__).parent
    return _digest(suite.features(), suite.steps(), suite.reference(), harness, *more)


def _digest(*folders: Path, first: bytes = b"") -> str:
    found = sha256(first)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _KINDS:
                found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"sha256:{found.hexdigest()}"
