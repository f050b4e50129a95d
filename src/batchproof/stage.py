"""The stage of a run: a control plane with everything built that is needed, and pytest upon it.

The control plane starts while pytest collects and the workers load: whoever needs it first waits for it.
"""

from __future__ import annotations

import secrets
import shutil
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.plane import announce, await_plane
from batchproof.control_plane.progress import shown
from batchproof.errors import BatchproofError, UserError
from batchproof.implementation import command
from batchproof.plugin import OPTION
from batchproof.processes import run_directory
from batchproof.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from batchproof.control_plane.plane import Plane
    from batchproof.implementation import Implementation

_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Stage:
    """A control plane that runs or soon will, with an implementation to be judged on it.

    Attributes:
        binary: the program that ``{binary}`` in the descriptor stands for.
        run_dir: the folder of the run.
    """

    implementation: Implementation
    binary: Path | None
    run_dir: Path
    kubernetes_version: str

    @property
    def plane(self) -> Plane:
        """The control plane; waits until it is ready.

        Raises:
            HarnessError: it did not become ready.
        """
        return await_plane(self.run_dir)

    def workers(self, wanted: int) -> int:
        """Scenarios at once: one where the implementation needs an API server to itself."""
        return 1 if self.implementation.isolation == "control-plane" else wanted

    def pytest(
        self,
        arguments: list[str],
        plugin: object,
        *,
        output: Path,
        workers: int,
        defects: tuple[str, ...] = (),
    ) -> int:
        """Run scenarios in pytest, in so many workers; returns pytest's exit code."""
        settings = Settings(
            run=secrets.token_hex(3),
            descriptor=self.implementation.descriptor.resolve(),
            binary=self.binary,
            run_dir=self.run_dir,
            output=output.resolve(),
            defects=defects,
        )
        file = self.run_dir / f"settings-{settings.run}.json"
        settings.write(file)
        many = ["-n", str(workers), "--dist=load", "--maxschedchunk=1"]
        spread = many if workers > 1 else ["-p", "no:xdist"]
        own = [f"{OPTION}={file}", f"--basetemp={self.run_dir / 'pytest'}"]  # else pytest leaves a folder
        own.append("--tb=native")  # other styles parse sources, which is slow and can fail in itself
        return pytest.main([*own, *arguments, *spread], plugins=[plugin])


@contextmanager
def staged(
    implementation: Implementation, assets: Path | None, say: Callable[[str], None]
) -> Iterator[Stage]:
    """The stage for an implementation; all of it is gone afterwards.

    Raises:
        UserError: something that is needed cannot be had here.
        HarnessError: a build or the control plane failed.
    """
    with shown() as progress:
        binaries = Binaries(assets, progress)
        parts = binaries.control_plane()
        binary = binaries.of(implementation.binary)
    _check_program(implementation, binary)
    version = binaries.kubernetes_version
    with run_directory() as run:
        provider = EmbeddedControlPlane(
            run.path, parts, kubernetes_version=version, api_server_flags=implementation.api_server_flags
        )
        trouble: list[BatchproofError] = []
        over = threading.Event()
        keeping = threading.Thread(target=_keep, args=(provider, run.path, trouble, over), daemon=True)
        keeping.start()
        say(f"judging {implementation.name} {implementation.version} on Kubernetes {version}")
        try:
            yield Stage(implementation, binary, run.path, version)
        finally:
            over.set()
            keeping.join()
            provider.stop()
        if trouble:
            raise trouble[0]


def _check_program(implementation: Implementation, binary: Path | None) -> None:
    """See that the program of a descriptor is there, before anything is started for it."""
    if implementation.start is None:
        return
    nowhere = Path("/")
    argv, env = command(
        implementation, kubeconfig=nowhere, binary=binary, python=sys.executable, state_dir=nowhere
    )
    program = Path(argv[0])
    # A path relative to the instance's own empty folder leads nowhere.
    relative = len(program.parts) > 1 and not program.is_absolute()
    if relative or not shutil.which(program, path=env.get("PATH")):
        raise UserError(
            f"{implementation.descriptor}: start.argv: there is no program {argv[0]!r}; name one that is "
            "on the PATH, or below {descriptor_dir}, or give its absolute path"
        )


def _keep(
    provider: EmbeddedControlPlane, run_dir: Path, trouble: list[BatchproofError], over: threading.Event
) -> None:
    """Start the control plane, and tell everybody when it is ready, and should it die before all is over."""
    try:
        announce(run_dir, provider.start())
    except BatchproofError as error:
        trouble.append(error)
        announce(run_dir, error)
        return
    try:
        while not over.wait(_LOOK_EVERY_S):
            provider.check()
    except BatchproofError as error:  # the scenarios that it breaks are errored: that tells enough
        announce(run_dir, error)
        provider.stop()  # what is left of it would only keep everybody waiting
