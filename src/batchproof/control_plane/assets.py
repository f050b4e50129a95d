"""Where binaries come from: the folder that the user gave, else the cache, else they are built.

The user's folder is ``--assets DIR``, where everything must be, or ``KUBEBUILDER_ASSETS``, from which is
taken what is there (envtest's folder has no kube-controller-manager, for instance). It holds the Kubernetes
that the suite is written for; an older one that a descriptor asks for is always the suite's own build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

from batchproof.control_plane.build import GoModule, ensure_all, ensure_files
from batchproof.control_plane.embedded import API_SERVER, CONTROLLERS, DELETION, ETCD
from batchproof.control_plane.plane import OwnPlane
from batchproof.control_plane.progress import BuildProgress
from batchproof.descriptor.implementation import Implementation
from batchproof.descriptor.launch import GoProgram
from batchproof.descriptor.needs import ModuleFiles
from batchproof.ground import suite
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MODULE: Final = "control_plane"
KIND: Final = "kind"
OLDER: Final = "kubernetes-"
ASSETS_VARIABLE: Final = "KUBEBUILDER_ASSETS"
PARTS: Final = (ETCD, API_SERVER, DELETION)
"""What most runs need, and what is built before a run unless something else is named."""


def parts(given: Path | None, beside: Sequence[str] = (), *, whole: bool = False) -> tuple[str, ...]:
    """The programs of an embedded control plane of today, by name.

    kube-controller-manager takes its part in it only if more of its controllers are needed than those of
    deletion, or if it is what the user gives.

    Args:
        given: a folder of the user with some of them.
        beside: further controllers of kube-controller-manager that run in it.
        whole: all must be in that folder.
    """
    has = {name: given is not None and (given / name).is_file() for name in (CONTROLLERS, DELETION)}
    needed = bool(beside) or (not has[DELETION] and (whole or has[CONTROLLERS]))
    return (ETCD, API_SERVER, CONTROLLERS if needed else DELETION)


def modules() -> list[GoModule]:
    """What the suite can build."""
    return [GoModule.read(found.parent) for found in sorted(suite.fixtures().glob("*/build.yaml"))]


def module(name: str) -> GoModule:
    """The module with this name.

    Raises:
        UserError: the suite has none.
    """
    known = {each.name: each for each in modules()}
    if name not in known:
        raise UserError(f"there is no module {name} to build; there are {', '.join(known)}")
    return known[name]


def modules_of(implementation: Implementation) -> list[GoModule]:
    """The modules of the suite of which a run of an implementation builds something, if nothing is given."""
    needs = implementation.control_plane
    names = {MODULE, f"{OLDER}{needs.kubernetes}"}
    names |= {one.binary.module for one in implementation.processes if isinstance(one.binary, GoProgram)}
    names |= {given.module for given in needs.crds if not isinstance(given, Path)}
    return [one for one in modules() if one.name in names]


class Binaries:
    """Finds or builds what a run starts.

    Args:
        assets: the folder of ``--assets``; None if it was not given.
        progress: called with how far a build is.
    """

    def __init__(self, assets: Path | None, progress: BuildProgress) -> None:
        given = os.environ.get(ASSETS_VARIABLE)
        self._assets = assets or (Path(given) if given else None)
        self._origin = "--assets" if assets else ASSETS_VARIABLE
        self._all_given = assets is not None
        self._progress = progress
        self.kubernetes_version = module(MODULE).version

    def control_plane(self, beside: Sequence[str] = ()) -> dict[str, Path]:
        """The programs of the embedded control plane, by name.

        Args:
            beside: further controllers of kube-controller-manager that run in it.

        Raises:
            UserError: one is missing or has the wrong version, or cannot be built here.
            HarnessError: a build failed.
        """
        return self._of_control_plane(*parts(self._assets, beside, whole=self._all_given))

    def needed(self, implementation: Implementation, beside: tuple[str, ...] = ()) -> OwnPlane:
        """The control plane that an implementation needs: one of today, or an older one with etcd of today.

        Args:
            implementation: what is judged.
            beside: further controllers of kube-controller-manager that run with it.

        Raises:
            UserError: the suite has no such version, or a program cannot be had here.
            HarnessError: a build failed.
        """
        needs = implementation.control_plane
        if not needs.kubernetes:
            return OwnPlane(
                self.control_plane(beside), self.kubernetes_version, needs.api_server_flags, beside
            )
        known = {name: each for each in modules() if (name := each.name.removeprefix(OLDER)) != each.name}
        older = {name: each for name, each in known.items() if API_SERVER in each.commands}
        if needs.kubernetes not in older:
            raise UserError(
                f"{implementation.descriptor}: control_plane.kubernetes: the suite has no API server of "
                f"{needs.kubernetes}; it has {', '.join([*older, self.kubernetes_version])}"
            )
        module_ = older[needs.kubernetes]
        own = ensure_all(module_, (API_SERVER, CONTROLLERS), self._progress)
        parts = {**self._of_control_plane(ETCD), **own}
        return OwnPlane(parts, module_.version, needs.api_server_flags, beside)

    def of_processes(self, implementation: Implementation) -> dict[str, Path]:
        """What ``{binary}`` stands for in each process that has one, by the name of the process.

        Raises:
            UserError: there is no such program, or it cannot be built here.
            HarnessError: a build failed.
        """
        binaries = {process.name: process.binary for process in implementation.processes}
        programs = [one for one in binaries.values() if isinstance(one, GoProgram)]
        for name in dict.fromkeys(one.module for one in programs):
            self._of_module(name, [one.package for one in programs if one.module == name])
        return {name: found for name, binary in binaries.items() if (found := self.of(binary))}

    def crds(self, implementation: Implementation) -> tuple[Path, ...]:
        """The files with the CustomResourceDefinitions that an implementation needs.

        Raises:
            UserError: one of a Go module cannot be had here.
        """
        return tuple(path for given in implementation.control_plane.crds for path in self._crds(given))

    def _crds(self, given: Path | ModuleFiles) -> Iterator[Path]:
        if isinstance(given, Path):
            yield given
        else:
            yield from ensure_files(module(given.module), given.patterns, self._progress)

    def of(self, binary: Path | GoProgram | None) -> Path | None:
        """What ``{binary}`` of a descriptor stands for.

        Raises:
            UserError: there is no such program, or it cannot be built here.
            HarnessError: its build failed.
        """
        if binary is None:
            return None
        if isinstance(binary, Path):
            if not os.access(binary, os.X_OK) or not binary.is_file():
                raise UserError(f"{binary} cannot be started; look at 'binary' in the descriptor")
            return binary
        [found] = self._of_module(binary.module, [binary.package]).values()
        return found

    def kind(self) -> Path:
        """The program kind: the one on the PATH, else built.

        Raises:
            UserError: it cannot be built here.
            HarnessError: its build failed.
        """
        on_path = shutil.which(KIND)
        return Path(on_path) if on_path else ensure_all(module(KIND), (KIND,), self._progress)[KIND]

    def _of_module(self, name: str, packages: Sequence[str]) -> dict[str, Path]:
        """The programs of a module with these import paths, by their names."""
        source = module(name)
        commands = [source.command(package) for package in packages]
        if name == MODULE:
            return self._of_control_plane(*commands)
        return ensure_all(source, commands, self._progress)

    def _of_control_plane(self, *commands: str) -> dict[str, Path]:
        given = {command: found for command in commands if (found := self._given(command))}
        others = [command for command in commands if command not in given]
        return {**given, **ensure_all(module(MODULE), others, self._progress)}

    def _given(self, command: str) -> Path | None:
        """The program in the folder of the user; None if it is built."""
        if not self._assets:
            return None
        found = self._assets / command
        if found.is_file():
            check_version(found, self.kubernetes_version, self._origin)
            return found.absolute()
        if self._all_given or not self._assets.is_dir():
            raise UserError(
                f"{self._origin}: there is no {command} in {self._assets}; "
                f"put {self.kubernetes_version} there, or leave {self._origin} out to have it built"
            )
        return None


def check_version(binary: Path, wanted: str, origin: str) -> None:
    """Make sure that a Kubernetes binary has the wanted version; patch versions may differ.

    etcd is not looked at: Kubernetes works with many.

    Raises:
        UserError: it has another one, or does not say.
    """
    if binary.name == ETCD:
        return
    try:
        asked = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{origin}: {binary} cannot be started: {error}") from error
    said = re.match(r"Kubernetes v(\S+)", asked.stdout)
    if said is None:
        raise UserError(f"{origin}: {binary} does not say which Kubernetes it is; needed is {wanted}")
    if said[1].split(".")[:2] != wanted.split(".")[:2]:
        raise UserError(
            f"{origin}: {binary} is Kubernetes {said[1]}, needed is {wanted}; "
            f"put that version there, or leave {origin} out to have it built"
        )
