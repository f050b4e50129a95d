"""What the suite says of the run that a header describes, and what that header says otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from batchproof import __version__
from batchproof.control_plane.providers import providers, traits
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.evidence import demands
from batchproof.evidence.digests import code_digest, file_digest, lock_digest, text_digest
from batchproof.evidence.plan import catalogue, fault_profile, features, needs, plain, under
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.judgement.forms import DEADLINES_S
from batchproof.profiles import profile
from batchproof.report.records import (
    IN_PLACE,
    NOT_DECLARED,
    Header,
    Planned,
    ScenarioRecord,
    Waiver,
)
from batchproof.report.wording import count
from batchproof.specification import gherkin, in_place
from batchproof.specification.registry import Registry, load_registry
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


NOT_APPLICABLE = "not-applicable"


@dataclass(frozen=True)
class Bound:
    """What the suite says of a run of the implementation that a header describes.

    Attributes:
        header: the header.
        implementation: what its descriptor describes, on the cluster that it names.
        finished: when the run ended, in RFC 3339.
        ends: how each scenario ended without faults, where it was to be compared.
        left_out: why each was not played under faults, if it was not.
    """

    header: Header
    implementation: Implementation
    finished: str
    ends: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def by(cls, header: Header, finished: str, scenarios: Iterable[ScenarioRecord] = ()) -> Bound:
        """By what a header describes.

        Raises:
            UserError: the descriptor in it is none.
        """
        judged = header.implementation
        try:
            described = descriptors.of_text(judged.descriptor_text, judged.descriptor)
        except UserError as error:
            raise UserError(f"the descriptor in the header of the results is none: {error}") from error
        plays = {one.id: one for one in scenarios if not one.fault}
        ends = {id_: one.end for id_, one in plays.items() if one.end is not None}
        left_out = {id_: _why(one) for id_, one in plays.items()}
        return cls(header, described.on(header.cluster.kubernetes), finished, ends, left_out)

    @cached_property
    def began(self) -> datetime:
        """When the run began."""
        return datetime.fromisoformat(self.header.started)

    @cached_property
    def ended(self) -> datetime:
        """When it ended."""
        return datetime.fromisoformat(self.finished)

    @cached_property
    def registry(self) -> Registry:
        """The requirements of the profile."""
        return load_registry().of_profile(self.header.profile)

    @cached_property
    def sentences(self) -> dict[str, str]:
        """The requirements that are in force, with their sentences."""
        version = self.implementation.implements
        return {one.id: one.sentence for one in self.registry.values() if one.in_force(version)}

    @cached_property
    def waivers(self) -> tuple[Waiver, ...]:
        """The deviations that were in force when the run began, by the descriptor."""
        return demands.waivers(self.implementation, self.began.date())

    @cached_property
    def feature(self) -> Path | None:
        """The small suite that was played; None: the profile, or a file that the suite does not know."""
        played = suite.suites() / self.header.suite.feature
        return played if self.header.suite.feature and played.is_file() else None

    @property
    def known(self) -> bool:
        """The suite knows the scenarios: they are not those of another feature file."""
        return not self.header.suite.feature or self.feature is not None

    @cached_property
    def what(self) -> Path:
        """The small suite, or the folder of the profile, that was played."""
        return self.feature or suite.features() / profile(self.header.profile).name

    @cached_property
    def catalogue(self) -> dict[str, Planned]:
        """The scenarios that can be played: of the profile, or of the small suite."""
        return catalogue(self.what)

    @cached_property
    def cases(self) -> dict[str, tuple[gherkin.Scenario, gherkin.Case]]:
        """These scenarios as they are written."""
        written = features(self.what)
        return {case.id: (one, case) for one in written for case in one.cases if case.id in self.catalogue}

    @cached_property
    def grid(self) -> bool:
        """It is a run of the fault grid."""
        return any(one.fault for one in self.header.planned)

    @cached_property
    def out_of_reach(self) -> frozenset[str]:
        """The scenarios that cannot be judged in place, where the implementation is."""
        if not self.implementation.installed:
            return frozenset()
        written = {one.id: one for one, _ in self.cases.values()}
        return frozenset(in_place.out_of_reach(written.values(), load_steps(suite.steps())))

    def planned(self, one: Planned) -> Planned | None:
        """What the suite says of a planned scenario; None if it has none of that id."""
        written = self.catalogue.get(plain(one.id))
        if written is None or not one.fault:
            return written
        faults = fault_profile(written.feature, one.fault)
        return under(written, faults) if faults else None

    def skipped(self, one: ScenarioRecord) -> str:
        """Why a scenario must be skipped; empty if it must not."""
        written = self.cases[plain(one.id)][0]
        requirement, capability = self.registry[one.requirement], self.registry[one.requirement].capability
        if not all(map(self.implementation.declares, {capability, *needs(self.what)[plain(one.id)]})):
            return NOT_DECLARED
        if not requirement.in_force(self.implementation.implements):
            return NOT_APPLICABLE
        if plain(one.id) in self.out_of_reach:
            return IN_PLACE
        cluster = self.header.cluster
        real_kubelet = traits(cluster.provider).real_kubelet
        out_of_place = gherkin.REAL_KUBELET in written.tags and not real_kubelet
        return NOT_APPLICABLE if capability in cluster.taken or out_of_place else ""


def other_header(header: Header, bound: Bound) -> Iterator[str]:
    """What a header says that the suite does not."""
    judged, implementation = header.implementation, bound.implementation
    if not header.run:
        yield "the header names no run"
    if judged.descriptor_digest != text_digest(judged.descriptor_text):
        yield "the descriptor in the header is not the one whose digest stands beside it"
    told: dict[str, tuple[Any, Any]] = {
        "batchproof": (header.batchproof, __version__),
        "suite.code": (header.suite.code, code_digest()),
        "suite.lock": (header.suite.lock, lock_digest()),
        "implementation.name": (judged.name, implementation.name),
        "implementation.version": (judged.version, implementation.version),
        "implementation.organisation": (judged.organisation, implementation.organisation),
        "implementation.profiles": (judged.profiles, tuple(implementation.profiles)),
        "implementation.capabilities": (judged.capabilities, tuple(sorted(implementation.capabilities))),
        "implementation.implements": (judged.implements, implementation.implements),
        "implementation.isolation": (judged.isolation, implementation.isolation),
        "implementation.configuration": (judged.configuration, implementation.configuration),
        "implementation.in_place": (judged.in_place, implementation.installed),
        "implementation.deviations": (judged.deviations, bound.waivers),
        "cluster.flags": (header.cluster.flags, implementation.control_plane.api_server_flags),
        "time_scale": (header.time_scale, implementation.time_scale),
        "deadlines": (
            dict(header.deadlines),
            {name: limit * implementation.time_scale for name, limit in DEADLINES_S.items()},
        ),
        "requirements": (dict(header.requirements), demands.recorded(bound.registry)),
        "not_in_force": (header.not_in_force, demands.not_in_force(bound.registry, implementation)),
        "required": (header.required, _required(header, bound)),
    }
    for name, (says, is_) in told.items():
        if says != is_:
            yield f"the header says of {name} something else than the suite and the descriptor"
    yield from _cluster(header, bound)
    yield from _plan(header, bound)


def _cluster(header: Header, bound: Bound) -> Iterator[str]:
    """What was started, and what the control plane is made of."""
    judged, implementation = header.implementation, bound.implementation
    if header.profile not in implementation.profiles:
        yield f"the descriptor does not claim the profile {header.profile}"
    started = (*implementation.processes, *([implementation.election] if implementation.election else ()))
    told_ = [(one.name, tuple(one.argv), one.env) for one in judged.started]
    if told_ != [(one.place, tuple(one.argv), tuple(sorted({*one.env, *one.pass_env}))) for one in started]:
        yield "the header says of implementation.started something else than the descriptor"
    if not {*header.cluster.taken} <= _may_be_taken(implementation):
        yield "no cluster has these capabilities of its own"
    if header.cluster.provider not in providers():
        yield f"there is no cluster {header.cluster.provider!r}"
    ours = traits(header.cluster.provider).own_programs
    if bool(header.cluster.programs) != ours:
        yield "the programs of the control plane are known if it is embedded, and else not"
    if not bound.known:
        yield f"the suite has no {header.suite.feature}, so nothing says what it demands: see --any-suite"
    if header.cluster.taken and ours:
        yield "an embedded control plane has no capabilities of its own, but the header names some"


def _required(header: Header, bound: Bound) -> tuple[str, ...]:
    all_ = demands.required(bound.registry, bound.implementation, header.cluster.taken)
    if header.suite.whole and not bound.grid:
        return all_
    tested = {one.requirement for one in header.planned}
    return tuple(one for one in all_ if one in tested)


def _may_be_taken(implementation: Implementation) -> set[str]:
    """The capabilities of an implementation that a cluster may have itself."""
    probed = {name for each in implementation.profiles for name in profile(each).probes}
    return probed & {*implementation.capabilities}


def _plan(header: Header, bound: Bound) -> Iterator[str]:
    """The plan is the suite's own, and all of it where nothing says that it is a selection."""
    if not bound.known:
        return
    if header.suite.feature and header.suite.feature_digest != file_digest(
        suite.suites() / header.suite.feature
    ):
        yield f"{header.suite.feature} is not that of the suite"
    for one in header.planned:
        if bound.planned(one) != one:
            yield f"the plan has {one.id} otherwise than the suite"
    missing = bound.catalogue.keys() - {one.id for one in header.planned}
    if missing and not header.suite.selection:
        what = f"{count(len(missing), 'scenario')} of the suite, the first {min(missing)}"
        yield f"the plan calls itself whole, but lacks {what}"


def _why(one: ScenarioRecord) -> str:
    """Why a scenario was not played under faults, by its play without; see ``running.grid.why_left_out``."""
    if one.verdict != "passed":
        return f"without faults it is {one.verdict}{f': {one.reason}' if one.reason else ''}"
    return one.left_out
