"""A provider of clusters, as a record: all that the harness has to know of a kind of cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.competing import ImplementationRole
from batchproof.control_plane.plane import Lifecycle, OwnPlane, Traits
from batchproof.control_plane.rights import Needs
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class ClusterOption:
    """An option of the command line that belongs to one kind of cluster.

    Attributes:
        name: as it is typed, without the dashes: ``kind-image``.
        help: one line; the name of the provider is put before it.
        takes: what the user gives: a text, a file, a folder that is there, or nothing.
        metavar: what stands for the value in the help; None for the usual one.
    """

    name: str
    help: str
    takes: Literal["text", "file", "folder", "nothing"] = "text"
    metavar: str | None = None

    @property
    def key(self) -> str:
        """Its name in code."""
        return self.name.replace("-", "_")


@dataclass(frozen=True, slots=True)
class ClusterRequest:
    """What a cluster is needed for.

    Attributes:
        implementation: what is judged in it.
        options: what the user has given of the provider's own options, by key.
        binaries: finds or builds the programs that the provider starts.
        crds: files with the CustomResourceDefinitions that have to be there.
        part: what the implementation is to do there.
        beside: controllers of kube-controller-manager that run with it in one of ours, by today's names.
        needs: what its user needs rights for.
        say: called with each line that a user should read.
    """

    implementation: Implementation
    options: Mapping[str, Any]
    binaries: Binaries
    crds: tuple[Path, ...]
    part: ImplementationRole
    beside: tuple[str, ...]
    needs: Needs
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Offer:
    """A cluster that can be started now: whatever it is made of is there.

    Attributes:
        start: makes the cluster of a run, of its folder and its id; it does not start it yet.
        own: what it is made of, if it is so cheap that each cell can have one of its own; None if not.
    """

    start: Callable[[Path, str], Lifecycle]
    own: OwnPlane | None = None


def _no_mistake(_: Mapping[str, Any]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Provider:
    """Where clusters of one kind come from. A module in ``providers/`` each; nothing else lists them.

    Attributes:
        traits: what its clusters are like.
        options: the options of the command line that it has.
        make: sees that a cluster can be made for a request, and offers it. Raises ``UserError`` where it
            cannot be made for that implementation or on this machine, ``HarnessError`` where a build failed.
        mistake: why options exclude each other; empty if they do not.
    """

    traits: Traits
    options: tuple[ClusterOption, ...]
    make: Callable[[ClusterRequest], Offer]
    mistake: Callable[[Mapping[str, Any]], str] = _no_mistake

    @property
    def name(self) -> str:
        """What ``--cluster`` calls it."""
        return self.traits.name


def check_newest(implementation: Implementation) -> None:
    """See that an implementation can be judged on whichever Kubernetes a cluster has.

    Raises:
        UserError: it needs an older one, which only batchproof itself builds.
    """
    if wanted := implementation.control_plane.kubernetes:
        raise UserError(
            f"{implementation.descriptor}: needs an API server of Kubernetes {wanted}: judge it "
            "with --cluster embedded"
        )
