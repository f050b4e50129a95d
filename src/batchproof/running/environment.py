"""The stage of a run: a control plane with everything built that is needed, and pytest upon it.

The control plane starts while pytest collects and the workers load: the first that needs it waits for it.
"""

from __future__ import annotations

import os
import secrets
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from batchproof.cell.instance import LaunchPlan
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.competing import ImplementationRole
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.plane import Lifecycle, OwnPlane, Plane, announce, await_plane
from batchproof.control_plane.progress import shown
from batchproof.control_plane.provider import ClusterRequest, Offer
from batchproof.descriptor.implementation import Implementation
from batchproof.descriptor.launch import missing_program, no_program, passed_on
from batchproof.evidence.digests import suite_digest
from batchproof.ground import stored
from batchproof.ground.errors import BatchproofError, UserError
from batchproof.processes.programs import run_directory
from batchproof.profiles import profile
from batchproof.profiles.needs import needs_of
from batchproof.running.alone import run_pytest
from batchproof.running.plays import Play
from batchproof.running.plugin import OPTION
from batchproof.running.session.watchdog import STACKS, HungWorkers
from batchproof.running.settings import HANGS_AFTER_S, Settings
from batchproof.running.workers.spread import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

ENDED = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}
"""What pytest returns when it has come to its end."""
_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Session:
    """What one session of pytest plays; what is not described here is described at ``Settings``.

    Attributes:
        arguments: those of pytest that select the scenarios.
        what: the features that they are of.
        output: the folder of the results.
        workers: how many scenarios are played at the same time.
        profile: what the implementation is judged as.
    """

    arguments: Sequence[str]
    what: Path
    output: Path
    workers: int
    profile: str
    plays: tuple[Play, ...] = ()
    reference: Path | None = None
    second: bool = False
    out_of_reach: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunEnvironment:
    """A control plane that runs or soon will, with an implementation to be judged on it.

    Attributes:
        binaries: the program that ``{binary}`` in the descriptor stands for, by the name of the process.
        crds: files with the CustomResourceDefinitions that the implementation needs.
        run_dir: the folder of the run.
        run: its id, unique on the API server.
        provider: the name of where its cluster comes from.
        options: the options of the command line that chose it, but for files.
        kubernetes_version: the version of the API server, without the ``v``.
        taken: capabilities that the cluster itself has, which cannot be judged in it.
        own_plane: what each cell's own control plane is made of; None: there is one for all.
        apart: what the control plane of scenarios with hundreds of pods is made of; None: they have none.
        results: the id of the run in its results, however many sessions of pytest it has.
    """

    implementation: Implementation
    binaries: Mapping[str, Path]
    crds: tuple[Path, ...]
    run_dir: Path
    run: str
    provider: str
    options: tuple[str, ...] = ()
    kubernetes_version: str = ""
    taken: tuple[str, ...] = ()
    own_plane: OwnPlane | None = None
    apart: OwnPlane | None = None
    results: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def program(self) -> LaunchPlan:
        """What a cell runs."""
        return LaunchPlan(self.implementation, self.binaries, self.crds, {})

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

    def pytest(self, session: Session, plugin: object) -> int:
        """Run scenarios in pytest; returns pytest's exit code.

        Args:
            session: which, and how.
            plugin: what takes their records.
        """
        settings = self._settings(session)
        file = self.run_dir / f"settings-{settings.run}.json"
        settings.write(file)
        own = [f"{OPTION}={file}", f"--basetemp={self.run_dir / 'pytest'}"]  # else pytest leaves a folder
        own.append("--tb=native")  # other styles parse sources, which is slow and can fail in itself
        plugins = [plugin, HungWorkers(self.run_dir / STACKS)]
        with spread(self.run_dir, session.what, session.workers) as workers:
            return run_pytest([*own, *workers, *session.arguments], plugins)

    def play(self, session: Session, plugin: object, again: Callable[[], Sequence[Play]]) -> int:
        """Run scenarios, and some of them a second time; returns pytest's exit code.

        Args:
            session: see ``pytest``.
            plugin: see ``pytest``.
            again: what is to be played a second time, once all has been.
        """
        status = self.pytest(session, plugin)
        if status in ENDED and (plays := tuple(again())):
            second = replace(session, plays=plays, second=True, workers=min(session.workers, len(plays)))
            status = self.anew.pytest(second, plugin)
        return status

    @property
    def anew(self) -> RunEnvironment:
        """The same for another session of pytest: the cells have names of their own."""
        return replace(self, run=secrets.token_hex(3))

    def _settings(self, session: Session) -> Settings:
        """What the processes of a session have to know."""
        return stored.copied(
            Settings,
            self,
            descriptor=self.implementation.descriptor.resolve(),
            profile=session.profile,
            output=session.output.resolve(),
            out_of_reach=session.out_of_reach,
            hangs_after_s=HANGS_AFTER_S * max(1.0, self.implementation.time_scale),
            plays=session.plays,
            reference=session.reference.resolve() if session.reference else None,
            second=session.second,
            suite=suite_digest(),
        )


@contextmanager
def staged(
    implementation: Implementation, choice: ClusterOptions, say: Callable[[str], None]
) -> Iterator[RunEnvironment]:
    """The stage for an implementation; all of it is gone afterwards.

    Raises:
        UserError: something that is needed cannot be had here.
        HarnessError: a build or the control plane failed.
    """
    with shown() as progress:
        binaries = Binaries(choice.assets, progress)
        programs = binaries.of_processes(implementation)
        crds = binaries.crds(implementation)
        offer = choice.provider.make(
            ClusterRequest(
                implementation=implementation,
                options=choice.options,
                binaries=binaries,
                crds=crds,
                part=_part(implementation),
                beside=controllers_beside(implementation),
                needs=needs_of(implementation),
                say=say,
            )
        )
    _check_programs(implementation, programs)
    with run_directory() as run:
        stage = RunEnvironment(
            implementation,
            programs,
            crds,
            run.path,
            secrets.token_hex(3),
            choice.cluster,
            choice.words(files=False),
        )
        with _with_plane(stage, offer) as served:
            judged = implementation.on(served.kubernetes_version)
            where = f" ({choice.cluster}{', in place' if judged.installed else ''})"
            if choice.provider.traits.own_programs:
                where = ", beside its own Job controller" if judged.managed_by else ""
            say(f"judging {judged.full_name} on Kubernetes {served.kubernetes_version}{where}")
            yield replace(served, implementation=judged)


def controllers_beside(implementation: Implementation) -> tuple[str, ...]:
    """The controllers of kube-controller-manager that run beside an implementation."""
    found = (name for each in implementation.profiles for name in profile(each).beside(implementation))
    return tuple(dict.fromkeys(found))


def _part(implementation: Implementation) -> ImplementationRole:
    """What an implementation is to do in a cluster that others may use too."""
    judged_as = [profile(name) for name in implementation.profiles]
    return ImplementationRole(
        witnesses=tuple(one.witness(implementation) for one in judged_as if one.witness),
        managed_by=implementation.managed_by,
        probes={
            name: probe
            for one in judged_as
            for name, probe in one.probes.items()
            if name in implementation.capabilities
        },
        built_in=tuple(name for one in judged_as for name in one.built_in),
        dialect=implementation.dialect,
        installed=implementation.installed,
    )


@contextmanager
def _with_plane(stage: RunEnvironment, offer: Offer) -> Iterator[RunEnvironment]:
    """The stage with its control plane: one that is ready, one that starts meanwhile, or one a cell."""
    own = offer.own
    if own and stage.implementation.isolation == "control-plane":
        yield replace(stage, own_plane=own, kubernetes_version=own.kubernetes_version)
        return
    cluster = offer.start(stage.run_dir, stage.run)
    if own:
        with _behind_the_scenes(cluster, stage.run_dir):
            yield replace(stage, apart=own, kubernetes_version=own.kubernetes_version)
        return
    with _beforehand(cluster, stage.run_dir) as plane:
        yield replace(stage, kubernetes_version=plane.kubernetes_version, taken=plane.taken)


@contextmanager
def _beforehand(cluster: Lifecycle, run_dir: Path) -> Iterator[Plane]:
    """Have a control plane that is there before anything is judged."""
    try:
        plane = cluster.start()
        announce(run_dir, plane)
        yield plane
    finally:
        cluster.stop()


@contextmanager
def _behind_the_scenes(cluster: Lifecycle, run_dir: Path) -> Iterator[None]:
    """Have a control plane that starts while pytest collects, and is looked after while it judges."""
    trouble: list[BatchproofError] = []
    over = threading.Event()
    keeping = threading.Thread(target=_keep, args=(cluster, run_dir, trouble, over), daemon=True)
    keeping.start()
    try:
        yield
    finally:
        over.set()
        keeping.join()
        cluster.stop()
    if trouble:
        raise trouble[0]


def _check_programs(implementation: Implementation, binaries: Mapping[str, Path]) -> None:
    """See that the programs of a descriptor are there, before anything is started for it."""
    replica = [implementation.election] if implementation.election else []
    for process in (*implementation.processes, *replica):
        passed_on(process, implementation.descriptor, os.environ)
        if program := missing_program(process, binaries.get(process.name), implementation.descriptor):
            raise UserError(
                f"{implementation.descriptor}: {process.place}.argv: {'; '.join(no_program(program))}"
            )


def _keep(cluster: Lifecycle, run_dir: Path, trouble: list[BatchproofError], over: threading.Event) -> None:
    """Start the control plane; report when it is ready, and whether it dies before all is over."""
    try:
        announce(run_dir, cluster.start())
    except BatchproofError as error:
        trouble.append(error)
        announce(run_dir, error)
        return
    try:
        while not over.wait(_LOOK_EVERY_S):
            cluster.check()
    except BatchproofError as error:  # the scenarios that it breaks are errored: that says enough
        announce(run_dir, error)
        cluster.stop()  # what is left of it would only keep all cells waiting
