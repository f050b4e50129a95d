"""The volumes of a Volcano Job: claims that are there, and claims that are made for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from reference_controller.volcano.objects import Job

if TYPE_CHECKING:
    from collections.abc import Collection

_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Claim:
    """A PersistentVolumeClaim that the pods of a Job mount.

    Attributes:
        spec: of the claim that is to be made; None: its user makes it.
    """

    name: str
    mount_path: str
    spec: dict[str, Any] | None = field(default=None, repr=False)


def claims(job: Job) -> tuple[Claim, ...]:
    """VOL-007: one for each volume; a claim that is made for the Job is named <job>-pvc-<12 characters>."""
    volumes = job.raw["spec"].get("volumes") or ()
    return tuple(
        Claim(
            volume.get("volumeClaimName") or f"{job.name}-pvc-{_mark(job, place)}",
            volume["mountPath"],
            None if volume.get("volumeClaimName") else volume.get("volumeClaim"),
        )
        for place, volume in enumerate(volumes)
    )


def missing_claims(job: Job, there: Collection[str]) -> tuple[Claim, ...]:
    """Those that are not there, among the names of all claims that are."""
    return tuple(claim for claim in claims(job) if claim.name not in there)


def _mark(job: Job, place: int) -> str:
    """The same at every look, and another one for each Job and volume."""
    return sha256(f"{job.uid}/{place}".encode()).hexdigest()[:_LENGTH]
