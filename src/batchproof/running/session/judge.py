"""What a worker does: give each scenario its World, and report what became of it."""

from __future__ import annotations

from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from pytest_bdd.types import THEN

from batchproof.cell import Cell
from batchproof.cell.instance import LaunchPlan
from batchproof.control_plane.leftovers import cell_name
from batchproof.control_plane.providers import traits
from batchproof.descriptor.implementation import Implementation, load
from batchproof.evidence import demands
from batchproof.evidence.digests import text_digest
from batchproof.evidence.plan import history_path
from batchproof.evidence.verdicts import faults
from batchproof.ground import stored
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.finding import Inconclusive, Unmet
from batchproof.judgement.history import Origin
from batchproof.report.records import (
    IN_PLACE,
    NOT_DECLARED,
    ClaimRecord,
    FiredFault,
    ScenarioRecord,
    StepRecord,
    excuses,
)
from batchproof.report.results import read_results
from batchproof.running.session.collect import needed, planned, play_of, written
from batchproof.running.session.printed import Printed
from batchproof.running.session.record import CAUGHT, LOGS, MUTANT, PLANTED, RECORD, now, outcome_of
from batchproof.running.session.slot import WorkerSlot
from batchproof.running.settings import Settings
from batchproof.specification.gherkin import LARGE, REAL_KUBELET
from batchproof.specification.registry import load_registry
from batchproof.world import World
from batchproof.world.grid import FaultyWorld, GridWorld

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path, PurePosixPath

_WORLD = pytest.StashKey[World]()
_PASSED = pytest.StashKey[bool]()


class Judge:
    """Runs scenarios in this worker's cell, and those with hundreds of pods apart from the others.

    The events of hundreds of pods are more than an API server can send to all cells in time: it closes
    their watches, and other scenarios are disturbed.
    """

    def __init__(self, settings: Settings, worker: str) -> None:
        self._settings = settings
        self._worker = worker
        self._implementation: Implementation = load(settings.descriptor).on(settings.kubernetes_version)
        self._descriptor_digest = text_digest(self._implementation.text)
        self._waivers = demands.waivers(self._implementation, datetime.now(UTC).date())
        self._registry = load_registry()
        self._needed_s = needed_s(settings.reference) if settings.reference else {}
        name = cell_name(settings.run, worker)
        self._among_all = WorkerSlot(settings, name, settings.own_plane)
        self._apart = WorkerSlot(settings, f"{name}-apart", settings.apart)
        self._steps: list[StepRecord] = []
        self._step_began: float | None = None
        self._stopped_by: BaseException | None = None
        self._began = 0.0
        self._started = ""
        self._printed: Printed | None = None

    # -- the place

    def _place(self, item: pytest.Item) -> WorkerSlot:
        """Where a scenario is judged: what takes hundreds of pods is played apart, where that is possible."""
        large = item.get_closest_marker(LARGE) is not None
        return self._apart if large and self._settings.apart else self._among_all

    def _program(self, defect: str) -> LaunchPlan:
        settings = self._settings
        env = {"PYTHONPATH": str(settings.run_dir / PLANTED / defect)} if defect else {}
        logs = self._output(defect) / LOGS
        return LaunchPlan(self._implementation, settings.binaries, settings.crds, env, logs)

    def _output(self, defect: str) -> Path:
        """The folder of the results: each planted defect has its own."""
        return self._settings.output / defect if defect else self._settings.output

    @pytest.hookimpl(trylast=True)  # pytest tears down an interrupted scenario in this hook too
    def pytest_sessionfinish(self) -> None:
        """Stop the implementation and the proxy, and the worker's own control planes."""
        self._among_all.leave()
        self._apart.leave()

    # -- a scenario

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip what the implementation does not declare, or what cannot be judged on this cluster."""
        self._steps, self._step_began, self._stopped_by = [], None, None
        self._began, self._started, self._printed = monotonic(), now(), None
        if (defect := play_of(item).mutant) and (self._settings.run_dir / CAUGHT / defect).exists():
            pytest.skip(CAUGHT)
        requirement = self._registry[planned(item).requirement]
        if not all(map(self._implementation.declares, {requirement.capability, *needed(item)})):
            pytest.skip(NOT_DECLARED)
        if not requirement.in_force(self._implementation.implements):
            pytest.skip("not-applicable")
        if planned(item).id in self._settings.out_of_reach:
            pytest.skip(IN_PLACE)
        real_kubelet = item.get_closest_marker(REAL_KUBELET) is not None
        if requirement.capability in self._settings.taken or (
            real_kubelet and not traits(self._settings.provider).real_kubelet
        ):
            pytest.skip("not-applicable")

    @pytest.fixture
    def world(self, request: pytest.FixtureRequest) -> Iterator[World]:
        """The World of the running scenario."""
        requirement = self._registry[planned(request.node).requirement]
        it, defect = planned(request.node), play_of(request.node).mutant
        place = self._place(request.node)
        cell = place.cell(self._program(defect))
        self._printed = Printed(self._output(defect) / LOGS, self._worker)
        world = self._world(
            request.node,
            cell,
            witnesses=place.witnesses,
            requirement=requirement.id,
            sentences={
                one.id: one.sentence
                for one in self._registry.of_profile(requirement.profile).values()
                if one.in_force(self._implementation.implements)
            },
            scale=self._implementation.time_scale,
            spool=self._spool(it.id, defect),
            needed_s=self._needed_s.get(it.id, {}),
            longest_backoff_s=self._implementation.longest_backoff_s,
            origin=self._origin(it.id),
            excused=excuses(self._waivers, it.id),
        )
        request.node.stash[_WORLD] = world
        yield world
        passed = request.node.stash.get(_PASSED, False)
        history, ended = world.scene.history, self._ended(world)
        lingers = isinstance(world, FaultyWorld) and world.under.lingers
        cell.call(cell.finish(disturbed=lingers or not passed))
        history.close(ended)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, nextitem: pytest.Item | None) -> None:
        """An idle control plane costs much: leave the one apart, unless the next scenario is played there."""
        if nextitem is None or self._place(nextitem) is not self._apart:
            self._apart.leave()

    def _world(self, item: pytest.Item, cell: Cell, **given: Any) -> World:
        """The World that a scenario is played in: as it is written, or for the fault grid."""
        play = play_of(item)
        if faults := play.fault_profile(written(item)):
            return FaultyWorld(cell, under=faults, end=play.end or {}, **given)
        return (World if play.faults is None else GridWorld)(cell, **given)

    def _origin(self, id_: str) -> Origin:
        """Of what a history is the record."""
        judged, settings = self._implementation, self._settings
        return Origin(settings.results, id_, judged.full_name, self._descriptor_digest, settings.suite)

    @staticmethod
    def _ended(world: World) -> int:
        """How many records belong to a scenario; where it came to no end, those that there are now."""
        if world.ended is None:
            world.ended = len(world.scene.history)
        return world.ended

    def _faults(self, world: World) -> tuple[FiredFault, ...]:
        """The faults of a scenario, by its history; where a full disk has cut that, as they are known."""
        try:
            return faults(world.scene.history.until(self._ended(world)))
        except msgspec.DecodeError:
            return tuple(FiredFault(**one) for one in world.scene.faults)

    def _spool(self, id_: str, defect: str) -> Path:
        """Where the history of a scenario is written while it happens: it stays if this process is killed."""
        path = self._output(defect) / self._history(id_)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _history(self, id_: str) -> PurePosixPath:
        return history_path(id_, second=self._settings.second)

    def pytest_bdd_before_scenario(self, request: pytest.FixtureRequest, scenario: Any) -> None:
        """Set the stage before the first step."""
        self._steps = [
            StepRecord(keyword=step.keyword.strip(), text=step.name, outcome="not-run")
            for step in scenario.steps
        ]
        request.getfixturevalue("world")

    def pytest_bdd_before_step(self, request: pytest.FixtureRequest, scenario: Any, step: Any) -> None:
        """Note when a step begins, and give it to the World, whose claims depend on its kind."""
        self._step_began = monotonic()
        noted = self._note(scenario.steps.index(step), at_s=round(self._step_began - self._began, 3))
        world = request.node.stash[_WORLD]
        world.begin_step(f"{noted.keyword} {noted.text}", sets_up=step.type != THEN)

    def pytest_bdd_after_step(self, scenario: Any, step: Any) -> None:
        """Note that a step is done."""
        self._end_step(scenario.steps.index(step), "passed")

    def pytest_bdd_step_error(self, scenario: Any, step: Any, exception: BaseException) -> None:
        """Note that a step has ended the scenario."""
        self._stopped_by = exception
        self._end_step(scenario.steps.index(step), "failed")

    def _end_step(self, place: int, outcome: str) -> None:
        if self._step_began is None:
            return
        self._note(place, outcome=outcome, duration_s=round(monotonic() - self._step_began, 3))
        self._step_began = None

    def _note(self, place: int, **noted: Any) -> StepRecord:
        self._steps[place] = msgspec.structs.replace(self._steps[place], **noted)
        return self._steps[place]

    def pytest_bdd_after_scenario(self, request: pytest.FixtureRequest) -> None:
        """Judge the whole history, unless there was trouble of our own."""
        stopped = isinstance(self._stopped_by, Unmet | Inconclusive)
        if stopped or (self._steps and all(step.outcome == "passed" for step in self._steps)):
            request.node.stash[_WORLD].finish(stopped=stopped)

    # -- the record

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the scenario's record to the report that goes to the process that writes the results."""
        report = yield
        if call.when == "call" or call.excinfo is not None:
            record = self._record(item, call)
            item.stash[_PASSED] = record.verdict == "passed"
            setattr(report, RECORD, stored.encode(record).decode())
            setattr(report, MUTANT, play_of(item).mutant)
        if call.when == "teardown" and _WORLD in item.stash:
            del item.stash[_WORLD]  # the item stays until the session ends, and with it a whole history would
        return report

    def _record(self, item: pytest.Item, call: pytest.CallInfo[None]) -> ScenarioRecord:
        error = call.excinfo.value if call.excinfo else None
        it = planned(item)
        world = item.stash.get(_WORLD, None)
        marks = {mark.name for mark in item.iter_markers()} - {"parametrize", "usefixtures"}
        outcome = outcome_of(error, world.conclusion if world else None, it.id, self._waivers)
        shown = outcome["verdict"] not in {Verdict.PASSED, Verdict.SKIPPED}
        return ScenarioRecord(
            **msgspec.structs.asdict(it),
            level=self._registry[it.requirement].level,
            tags=tuple(sorted(marks)),
            worker=self._worker,
            started=self._started,
            duration_s=round(monotonic() - self._began, 3),
            steps=tuple(self._steps),
            claims=tuple(map(ClaimRecord.of, world.judged)) if world else (),
            faults=self._faults(world) if world else (),
            history=str(self._history(it.id)) if world else None,
            history_digest=f"sha256:{world.scene.history.digest(self._ended(world))}" if world else "",
            end=world.end if isinstance(world, GridWorld) else None,
            left_out=world.left_out if isinstance(world, GridWorld) else "",
            printed=self._printed.tail() if self._printed and shown else "",
            **outcome,
        )


def needed_s(reference: Path) -> dict[str, dict[str, float]]:
    """The longest time in seconds that each claim took the reference, by scenario and text of the claim.

    A wrong controller gets a few times as long, and no more.
    """
    found: dict[str, dict[str, float]] = {}
    for scenario in read_results(reference).scenarios:
        times = found.setdefault(scenario.id, {})
        for claim in scenario.claims:
            times[claim.text] = max(claim.took_s or 0.0, times.get(claim.text, 0.0))
    return found
