"""An ephemeral kind cluster, for one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.control_plane.kind import TRAITS, KindCluster
from batchproof.control_plane.provider import ClusterOption, ClusterRequest, Offer, Provider, check_newest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def node_image(options: Mapping[str, Any]) -> str | None:
    """The node image that the user has chosen; None for the one that kind takes on its own."""
    if version := options.get("kubernetes_version"):
        return f"kindest/node:v{version.removeprefix('v')}"
    return options.get("kind_image")


def _make(request: ClusterRequest) -> Offer:
    check_newest(request.implementation)
    program = request.binaries.kind()

    def start(run_dir: Path, run: str) -> KindCluster:
        return KindCluster(
            run_dir,
            program,
            run=run,
            image=node_image(request.options),
            config=request.options.get("kind_config"),
            api_server_flags=request.implementation.control_plane.api_server_flags,
            part=request.part,
            say=request.say,
        )

    return Offer(start)


def _mistake(options: Mapping[str, Any]) -> str:
    if "kind_image" in options and "kubernetes_version" in options:
        return "--kind-image says which Kubernetes it is: leave out --kubernetes-version"
    return ""


PROVIDER = Provider(
    TRAITS,
    options=(
        ClusterOption("kind-image", "the node image; default: the one of kind.", metavar="IMAGE"),
        ClusterOption("kind-config", "a configuration of the cluster.", "file"),
        ClusterOption("kubernetes-version", "its own node image of this version.", metavar="VERSION"),
    ),
    make=_make,
    mistake=_mistake,
)
