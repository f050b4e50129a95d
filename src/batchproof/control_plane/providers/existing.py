"""The cluster of a kubeconfig, which stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.control_plane.existing import TRAITS, ExistingCluster
from batchproof.control_plane.provider import ClusterOption, ClusterRequest, Offer, Provider, check_newest
from batchproof.descriptor.implementation import objects
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


def _make(request: ClusterRequest) -> Offer:
    implementation = request.implementation
    check_newest(implementation)
    if flags := " ".join(implementation.control_plane.api_server_flags):
        raise UserError(
            f"{implementation.descriptor}: needs an API server with {flags}, which an existing cluster "
            "cannot be given: judge it with --cluster embedded or kind"
        )

    def start(run_dir: Path, run: str) -> ExistingCluster:
        return ExistingCluster(
            run_dir,
            run=run,
            config=request.options.get("kubeconfig"),
            context=request.options.get("context"),
            part=request.part,
            needs=request.needs,
            with_all_my_rights=request.options.get("with_all_my_rights", False),
            crds=request.crds,
            objects=objects(implementation, dict.fromkeys(implementation.ports, 0)),
            say=request.say,
        )

    return Offer(start)


PROVIDER = Provider(
    TRAITS,
    options=(
        ClusterOption("kubeconfig", "default as for kubectl.", "file"),
        ClusterOption("context", "a context of the kubeconfig; default is its current one."),
        ClusterOption(
            "with-all-my-rights",
            "run the implementation also as a user who may do more than `batchproof rbac` gives.",
            "nothing",
        ),
    ),
    make=_make,
)
