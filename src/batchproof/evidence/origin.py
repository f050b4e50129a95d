"""Whether a history is the one that a run has recorded, of this scenario and this implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from batchproof import __version__
from batchproof.control_plane.providers import traits
from batchproof.evidence.bound import Bound
from batchproof.evidence.digests import file_digest
from batchproof.evidence.plan import history_path
from batchproof.evidence.replay import Heard
from batchproof.ground.resources import BUILT_IN_MANAGER
from batchproof.judgement.history import HistoryHeader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def of_file(path: str | None, digest: str, folder: Path) -> Iterator[str]:
    """The file is there, and is the one that the run has recorded."""
    if path and not (folder / path).is_file():
        yield f"{path} is missing"
    elif path and file_digest(folder / path) != digest:
        yield f"{path} is not the file that the run has recorded"


def of_path(path: str | None, id_: str, *, second: bool) -> Iterator[str]:
    """The file has the name that the history of a play of the scenario has."""
    right = str(history_path(id_, second=second))
    if path != right:
        yield f"its history is {path}, not {right}"


def of_history(id_: str, heard: Heard, bound: Bound) -> Iterator[str]:
    """The history says that it is of this run, this scenario and this implementation."""
    header, origin = bound.header, heard.origin
    if origin is None:
        yield "its history does not say of what it is: it is empty, or was recorded before 0.2.0"
        return
    wanted = {
        "run": (origin.run, header.run),
        "scenario": (origin.scenario, id_),
        "implementation": (origin.implementation, bound.implementation.full_name),
        "descriptor": (origin.descriptor, header.implementation.descriptor_digest),
        "suite": (origin.suite, header.suite.digest),
    }
    for what, (is_, should_be) in wanted.items():
        if is_ != should_be:
            yield f"its history is of another {what}: {is_}"
    judged = bound.implementation
    says = msgspec.structs.replace(heard.header, origin=None) if heard.header else None
    if says != HistoryHeader(
        version=__version__,
        time_scale=judged.time_scale,
        manager=judged.managed_by or BUILT_IN_MANAGER,
        finalizer=judged.finalizer,
        audited=traits(header.cluster.provider).own_programs,
    ):
        yield "its history says of the implementation something else than the descriptor"
