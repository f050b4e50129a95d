"""Runs of bundled implementations that are kept in the repository: what pages say of them comes from these.

A requirement that a run judged is kept with the key of its scenarios (``proved.requirement_keys``). When
these change, the run no longer says anything of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from batchproof.descriptor.implementation import Implementation
from batchproof.ground import stored
from batchproof.specification.registry import Requirement

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KeptState = Literal["met", "not met", "not met, known", "met, not always", "not decided"]
Said = KeptState | Literal["not in force", "not declared", "not run"]
"""What a page says of an implementation and a requirement."""

COLUMNS = ("day", "Kubernetes", "suite", "machine", "configuration", "verdict")
"""What the cells of a run stand for."""
_DIGITS = 12


class KeptRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole run of a bundled implementation, as far as pages need it.

    Attributes:
        implementation: its name and version.
        descriptor: the digest of its descriptor.
        suite: the digest of the suite that judged.
        day: when the run began, in UTC.
        kubernetes: the version of the API server.
        machine: operating system, architecture and number of processors.
        configuration: in what it differs from a release in its default configuration.
        mark: the words of the verdict.
        requirements: what each requirement that was judged comes to, and the key of its scenarios.
    """

    implementation: str
    descriptor: str
    suite: str
    day: str
    kubernetes: str
    machine: str
    configuration: tuple[str, ...]
    mark: str
    requirements: dict[str, tuple[KeptState, str]]

    @property
    def cells(self) -> tuple[str, ...]:
        """The run in a table, below ``COLUMNS``."""
        suite = self.suite.removeprefix("sha256:")[:_DIGITS]
        return self.day, self.kubernetes, suite, self.machine, "; ".join(self.configuration), self.mark

    def state(self, requirement: str, keys: Mapping[str, str]) -> KeptState | None:
        """What the run says of a requirement; None if it did not judge it as it is now.

        Args:
            requirement: its id.
            keys: those of all requirements, as they are now.
        """
        state, key = self.requirements.get(requirement, (None, ""))
        return state if key == keys.get(requirement) else None


def said(
    requirement: Requirement, implementation: Implementation, run: KeptRun | None, keys: Mapping[str, str]
) -> Said:
    """What is known of an implementation and a requirement: from a kept run, or from its descriptor.

    Args:
        requirement: the requirement.
        implementation: what its descriptor says.
        run: its kept run, if there is one.
        keys: those of all requirements, as they are now.
    """
    if not requirement.in_force(implementation.implements):
        return "not in force"
    if not implementation.declares(requirement.capability):
        return "not declared"
    return (run.state(requirement.id, keys) if run else None) or "not run"


def path_of(folder: Path, profile: str, descriptor: str) -> Path:
    """Where the run of a descriptor is kept.

    Args:
        folder: that of all kept runs.
        profile: what it was judged as.
        descriptor: the name of its file without the ending.
    """
    return folder / profile / f"{descriptor}.json"


def kept(folder: Path, profile: str) -> dict[str, KeptRun]:
    """The kept runs of a profile by the names of their descriptors; none without the folder.

    Raises:
        UserError: one cannot be read.
    """
    files = sorted((folder / profile).glob("*.json"))
    return {path.stem: stored.read(path, KeptRun, "a run, as scripts/runs.py keeps it") for path in files}


def encode(run: KeptRun) -> bytes:
    """A run as it is kept, with a line for each requirement."""
    head, _, rest = msgspec.json.encode(run).partition(b'"requirements":{')
    lines = rest.removesuffix(b"}}").replace(b'],"', b'],\n"')
    return head.replace(b',"', b',\n"') + b'"requirements":{\n' + lines + b"\n}}\n"
