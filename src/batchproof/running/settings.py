"""What a run is to do, as the command line hands it to the pytest processes that do it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from batchproof.control_plane.plane import OwnPlane
from batchproof.ground import stored
from batchproof.running.plays import Play

HANGS_AFTER_S: Final = 600.0
"""How long a worker may take to collect, for one scenario, and to end: many times what the longest takes."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of one run.

    Attributes:
        run: a short id, unique on the API server.
        descriptor: the implementation's descriptor.
        profile: what it is judged as.
        binaries: the built program that ``{binary}`` in it stands for, by the name of the process.
        crds: files with the CustomResourceDefinitions that it needs.
        run_dir: the folder of the run; its control plane is announced there.
        output: the folder of the results.
        provider: where the control plane comes from.
        kubernetes_version: the version of the API server, without the ``v``.
        taken: capabilities that the cluster itself has, which cannot be judged in it.
        own_plane: each worker starts a control plane of this kind for itself; None: there is one for all.
        apart: what the control plane of scenarios with hundreds of pods is made of; None: they are played
            where all are.
        plays: what is played, in this order if there are variants; empty: all that the selection leaves.
        reference: the results of the reference itself, which say how long each claim takes it.
        second: it is the second play of each: the histories of the first are kept.
        out_of_reach: the ids of the scenarios that cannot be judged in place, where the implementation is.
        hangs_after_s: how long a worker may be without getting on.
        results: the id of the run in its results, which every history carries.
        suite: the digest of the suite.
    """

    run: str
    descriptor: Path
    profile: str
    binaries: Mapping[str, Path]
    crds: tuple[Path, ...]
    run_dir: Path
    output: Path
    provider: str
    kubernetes_version: str
    taken: tuple[str, ...]
    own_plane: OwnPlane | None = None
    apart: OwnPlane | None = None
    plays: tuple[Play, ...] = ()
    reference: Path | None = None
    second: bool = False
    out_of_reach: tuple[str, ...] = ()
    hangs_after_s: float = HANGS_AFTER_S
    results: str = ""
    suite: str = ""

    def write(self, path: Path) -> None:
        """Save as JSON."""
        path.write_bytes(stored.encode(self))

    @classmethod
    def read(cls, path: Path) -> Settings:
        """The settings that ``write`` saved.

        Raises:
            UserError: the file holds something else.
        """
        return stored.read(path, cls, "the settings of a run")
