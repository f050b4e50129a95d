"""Which cluster the user has chosen to judge on, and what belongs to that choice."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from batchproof.control_plane.plane import EMBEDDED, EXISTING, KIND
from batchproof.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

_BELONGS_TO: Final = {
    "assets": (EMBEDDED,),
    "kubeconfig": (EXISTING,),
    "context": (EXISTING,),
    "with_all_my_rights": (EXISTING,),
    "kind_image": (KIND,),
    "kind_config": (KIND,),
    "kubernetes_version": (KIND,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A cluster, as the command line describes it.

    Attributes:
        cluster: ``embedded``, ``kind`` or ``existing``.
        assets: the folder of the embedded control plane's binaries.
        kubeconfig: how to reach an existing cluster; None for the user's own kubeconfig.
        context: the context in it; None for its current one.
        with_all_my_rights: judge also as a user who may do more than a run needs; None: do not.
        kind_image: the node image of kind; None for kind's own.
        kind_config: a configuration of kind; what batchproof needs is added to it.
        kubernetes_version: the version of kind's own node image; None for the newest that it knows.
    """

    cluster: str = EMBEDDED
    assets: Path | None = None
    kubeconfig: Path | None = None
    context: str | None = None
    with_all_my_rights: bool | None = None
    kind_image: str | None = None
    kind_config: Path | None = None
    kubernetes_version: str | None = None

    @property
    def node_image(self) -> str | None:
        """The node image of kind; None for the one that kind takes by itself."""
        if self.kubernetes_version:
            return f"kindest/node:v{self.kubernetes_version.removeprefix('v')}"
        return self.kind_image

    def __post_init__(self) -> None:
        """Refuse what does not belong to the cluster.

        Raises:
            UserError: an option is given that another kind of cluster has.
        """
        for option in fields(self):
            clusters = _BELONGS_TO.get(option.name, (self.cluster,))
            if getattr(self, option.name) is not None and self.cluster not in clusters:
                name = option.name.replace("_", "-")
                raise UserError(
                    f"--{name} belongs to --cluster {clusters[0]}, not to --cluster {self.cluster}"
                )
        if self.kind_image and self.kubernetes_version:
            raise UserError("--kind-image says which Kubernetes it is: leave out --kubernetes-version")
