"""A control plane of plain processes, for one run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from batchproof.control_plane.embedded import TRAITS, EmbeddedControlPlane
from batchproof.control_plane.plane import OwnPlane
from batchproof.control_plane.provider import ClusterOption, ClusterRequest, Offer, Provider
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


def _make(request: ClusterRequest) -> Offer:
    implementation = request.implementation
    if implementation.installed:
        raise UserError(
            f"{implementation.descriptor}: does not say how it is started ('start', 'processes'), so it is "
            "tested in in-cluster mode: name the cluster in which it is installed, "
            "with --cluster existing or kind"
        )
    own = request.binaries.needed(implementation, request.beside)
    return Offer(partial(_start, own), own)


def _start(own: OwnPlane, run_dir: Path, _: str) -> EmbeddedControlPlane:
    return EmbeddedControlPlane.of(own, run_dir)


PROVIDER = Provider(
    TRAITS,
    options=(ClusterOption("assets", "folder of its binaries; default: built once, cached.", "folder"),),
    make=_make,
)
