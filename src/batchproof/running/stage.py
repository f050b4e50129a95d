"""The stage of a run: a control plane with everything built that is needed, and pytest upon it.

The control plane starts while pytest collects and the workers load: whoever needs it first waits for it.
"""

from __future__ import annotations

import os
import secrets
import threading
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from batchproof.cell.instance import Program
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.existing import ExistingCluster
from batchproof.control_plane.kind import KindCluster
from batchproof.control_plane.plane import EMBEDDED, KIND, announce, await_plane
from batchproof.control_plane.progress import shown
from batchproof.control_plane.rivals import TTL, Part
from batchproof.descriptor.implementation import objects
from batchproof.descriptor.launch import HOW_TO_NAME_ONE, missing_program, passed_on
from batchproof.errors import BatchproofError, UserError
from batchproof.processes.programs import run_directory
from batchproof.profiles import needs_of, profile
from batchproof.running.plugin import OPTION
from batchproof.running.session.watchdog import STACKS, HungWorkers
from batchproof.running.settings import HANGS_AFTER_S, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from batchproof.control_plane.choice import Choice
    from batchproof.control_plane.plane import OwnPlane, Plane, Provider
    from batchproof.descriptor.implementation import Implementation

_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Stage:
    """A control plane that runs or soon will, with an implementation to be judged on it.

    Attributes:
        binaries: the program that ``{binary}`` in the descriptor stands for, by the name of the process.
        crds: files with the CustomResourceDefinitions that the implementation needs.
        run_dir: the folder of the run.
        run: its id, unique on the API server.
        provider: ``embedded``, ``kind`` or ``existing``.
        kubernetes_version: the version of the API server, without the ``v``.
        taken: capabilities that the cluster itself has, which nobody can judge in it.
        own_plane: what each cell's own control plane is made of; None: there is one for all.
        apart: what the control plane of scenarios with hundreds of pods is made of; None: they have none.
    """

    implementation: Implementation
    binaries: Mapping[str, Path]
    crds: tuple[Path, ...]
    run_dir: Path
    run: str
    provider: str
    kubernetes_version: str = ""
    taken: tuple[str, ...] = ()
    own_plane: OwnPlane | None = None
    apart: OwnPlane | None = None

    @property
    def program(self) -> Program:
        """What a cell runs."""
        return Program(self.implementation, self.binaries, self.crds, {})

    @contextmanager
    def plane(self) -> Iterator[Plane]:
        """The control plane of one cell: that of all cells, or one of its own for the length of a block.

        Raises:
            HarnessError: it did not become ready.
        """
        if self.own_plane is None:
            yield await_plane(self.run_dir)
        else:
            with EmbeddedControlPlane.of(self.own_plane, self.run_dir) as plane:
                yield plane

    def workers(self, wanted: int) -> int:
        """Scenarios at once: one where an API server is shared by what needs one to itself."""
        alone = self.implementation.isolation == "control-plane" and self.own_plane is None
        return 1 if alone else wanted

    def pytest(
        self,
        arguments: list[str],
        plugin: object,
        *,
        output: Path,
        workers: int,
        profile: str,
        planted: tuple[tuple[str, str], ...] = (),
        only: tuple[str, ...] = (),
        reference: Path | None = None,
        plays: tuple[tuple[str, str], ...] = (),
        ends: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
        second: bool = False,
        out_of_reach: tuple[str, ...] = (),
    ) -> int:
        """Run scenarios in pytest, in so many workers; returns pytest's exit code.

        For all from ``planted`` on see ``Settings``.
        """
        settings = Settings(
            run=self.run,
            descriptor=self.implementation.descriptor.resolve(),
            profile=profile,
            binaries=self.binaries,
            crds=self.crds,
            run_dir=self.run_dir,
            output=output.resolve(),
            provider=self.provider,
            kubernetes_version=self.kubernetes_version,
            taken=self.taken,
            out_of_reach=out_of_reach,
            hangs_after_s=HANGS_AFTER_S * max(1.0, self.implementation.time_scale),
            own_plane=self.own_plane,
            apart=self.apart,
            planted=planted,
            only=only,
            reference=reference.resolve() if reference else None,
            plays=plays,
            ends=dict(ends),
            second=second,
        )
        file = self.run_dir / f"settings-{settings.run}.json"
        settings.write(file)
        many = ["-n", str(workers), "--dist=load", "--maxschedchunk=1"]
        spread = many if workers > 1 else ["-p", "no:xdist"]
        own = [f"{OPTION}={file}", f"--basetemp={self.run_dir / 'pytest'}"]  # else pytest leaves a folder
        own.append("--tb=native")  # other styles parse sources, which is slow and can fail in itself
        return pytest.main([*own, *arguments, *spread], plugins=[plugin, HungWorkers(self.run_dir / STACKS)])


@contextmanager
def staged(implementation: Implementation, choice: Choice, say: Callable[[str], None]) -> Iterator[Stage]:
    """The stage for an implementation; all of it is gone afterwards.

    Raises:
        UserError: something that is needed cannot be had here.
        HarnessError: a build or the control plane failed.
    """
    embedded = choice.cluster == EMBEDDED
    with shown() as progress:
        binaries = Binaries(choice.assets, progress)
        needed = binaries.needed(implementation) if embedded else None
        programs = binaries.of_processes(implementation)
        crds = binaries.crds(implementation)
        kind = binaries.kind() if choice.cluster == KIND else None
    _check_programs(implementation, programs)
    if embedded and implementation.installed:
        raise UserError(
            f"{implementation.descriptor}: does not say how it is started ('start', 'processes'), so it is "
            "judged in place: name the cluster in which it is installed, with --cluster existing or kind"
        )
    hold: AbstractContextManager[Plane | None]
    with run_directory() as run:
        stage = Stage(implementation, programs, crds, run.path, secrets.token_hex(3), choice.cluster)
        if needed and implementation.isolation == "control-plane":
            stage = replace(stage, own_plane=needed)
            version, hold = needed.kubernetes_version, nullcontext()
        elif needed:
            stage = replace(stage, apart=needed)
            provider: Provider = EmbeddedControlPlane.of(needed, run.path)
            version, hold = needed.kubernetes_version, _behind_the_scenes(provider, run.path)
        else:
            provider = _provider(stage, choice, kind, say)
            hold = _beforehand(provider, run.path)
        with hold as started:
            if started:
                version = started.kubernetes_version
                stage = replace(stage, taken=started.taken)
            judged = implementation.on(version)
            where = f" ({choice.cluster}{', in place' if judged.installed else ''})"
            if embedded:
                where = ", beside its own Job controller" if judged.managed_by else ""
            say(f"judging {judged.full_name} on Kubernetes {version}{where}")
            yield replace(stage, implementation=judged, kubernetes_version=version)


def _provider(stage: Stage, choice: Choice, kind: Path | None, say: Callable[[str], None]) -> Provider:
    """Where a cluster comes from that is not embedded."""
    implementation = stage.implementation
    needs = implementation.control_plane
    if needs.kubernetes:
        raise UserError(
            f"{implementation.descriptor}: needs an API server of Kubernetes {needs.kubernetes}: judge it "
            "with --cluster embedded"
        )
    judged_as = [profile(name) for name in implementation.profiles]
    part = Part(
        witnesses=tuple(one.witness(implementation) for one in judged_as if one.witness),
        managed_by=implementation.managed_by,
        deletes_finished=TTL in implementation.capabilities,
        dialect=implementation.dialect,
        installed=implementation.installed,
    )
    if kind:
        return KindCluster(
            stage.run_dir,
            kind,
            run=stage.run,
            image=choice.node_image,
            config=choice.kind_config,
            api_server_flags=needs.api_server_flags,
            part=part,
            say=say,
        )
    if needs.api_server_flags:
        flags = " ".join(needs.api_server_flags)
        raise UserError(
            f"{implementation.descriptor}: needs an API server with {flags}, which an existing cluster "
            "cannot be given: judge it with --cluster embedded or kind"
        )
    return ExistingCluster(
        stage.run_dir,
        run=stage.run,
        config=choice.kubeconfig,
        context=choice.context,
        part=part,
        needs=needs_of(implementation),
        with_all_my_rights=bool(choice.with_all_my_rights),
        crds=stage.crds,
        objects=objects(implementation, dict.fromkeys(implementation.ports, 0)),
        say=say,
    )


@contextmanager
def _beforehand(provider: Provider, run_dir: Path) -> Iterator[Plane]:
    """Have a control plane that is there before anything is judged."""
    try:
        plane = provider.start()
        announce(run_dir, plane)
        yield plane
    finally:
        provider.stop()


@contextmanager
def _behind_the_scenes(provider: Provider, run_dir: Path) -> Iterator[None]:
    """Have a control plane that starts while pytest collects, and is looked after while it judges."""
    trouble: list[BatchproofError] = []
    over = threading.Event()
    keeping = threading.Thread(target=_keep, args=(provider, run_dir, trouble, over), daemon=True)
    keeping.start()
    try:
        yield
    finally:
        over.set()
        keeping.join()
        provider.stop()
    if trouble:
        raise trouble[0]


def _check_programs(implementation: Implementation, binaries: Mapping[str, Path]) -> None:
    """See that the programs of a descriptor are there, before anything is started for it."""
    replica = [implementation.election] if implementation.election else []
    for process in (*implementation.processes, *replica):
        passed_on(process, implementation.descriptor, os.environ)
        if program := missing_program(process, binaries.get(process.name), implementation.descriptor):
            raise UserError(
                f"{implementation.descriptor}: {process.place}.argv: there is no program {program!r}; "
                f"{HOW_TO_NAME_ONE}"
            )


def _keep(provider: Provider, run_dir: Path, trouble: list[BatchproofError], over: threading.Event) -> None:
    """Start the control plane; report when it is ready, and whether it dies before all is over."""
    try:
        announce(run_dir, provider.start())
    except BatchproofError as error:
        trouble.append(error)
        announce(run_dir, error)
        return
    try:
        while not over.wait(_LOOK_EVERY_S):
            provider.check()
    except BatchproofError as error:  # the scenarios that it breaks are errored: that says enough
        announce(run_dir, error)
        provider.stop()  # what is left of it would only keep everybody waiting
