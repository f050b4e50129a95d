"""``report.json``: the outcome of a run for programs; ``report.schema.json`` is made from its records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import msgspec

from batchproof.ground import stored
from batchproof.judgement.finding import Moment
from batchproof.report.evidence import Evidence
from batchproof.report.outcome import Conformity, Outcome
from batchproof.report.records import (
    VERDICTS,
    ClaimRecord,
    ClusterRecord,
    Count,
    FiredFault,
    FirstPlay,
    ImplementationRecord,
    Level,
    Precondition,
    ScenarioRecord,
    Seconds,
    Suite,
    Time,
    UnmetClaim,
    Verdict,
    Waiver,
)
from batchproof.report.results import FILE_NAME as RESULTS_NAME
from batchproof.report.results import Results
from batchproof.report.standing import STANDINGS, RequirementOutcome, Standing
from batchproof.report.undecided import Obstacle

if TYPE_CHECKING:
    from collections.abc import Sequence

REPORT_SCHEMA_VERSION: Final = 3

Ids: TypeAlias = tuple[str, ...]


class ReportedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When and how the run was made.

    Attributes:
        results: the results stream that this was made from.
    """

    started: Time
    finished: Time
    duration_s: Seconds
    workers: int
    time_scale: float
    deadlines: Mapping[str, float]
    results: str


class VerdictReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may be said about the implementation.

    Attributes:
        conformity: not-conformant-known: core requirements fail as the descriptor lists it.
            not-proven: not failed, but something needed has no verdict, or a waiver is needless.
            partial: nothing speaks against it, but MUST requirements were left out of the run.
            conformant-with-deviations: a SHOULD fails, or a MUST of a capability, as the descriptor lists it.
        mark: the same in the words of all reports.
        reason: why the run is not complete.
        failed: the MUST requirements that are not met.
        unproven: the MUST requirements that are inconclusive, errored or missing.
        needless_waivers: the requirements with a deviation that was looked for and not seen.
        waived: the requirements that nothing but deviations keeps from having failed.
        deviations: the requirements with a deviation, even if this run did not show it.
        known: those of them that are MUST and need no capability.
        retried: the ids of the scenarios that could not be judged the first time.
        strict: scenarios that were retried or could not be judged fail the run.
        accept_known: the run does not fail with core requirements that deviations cover.
    """

    conformity: Conformity
    mark: str
    sentence: str
    exit_code: Annotated[int, msgspec.Meta(ge=0, le=1)]
    complete: bool
    reason: str
    failed: Ids
    unproven: Ids
    needless_waivers: Ids
    waived: Ids
    deviations: Ids
    known: Ids
    retried: Ids
    strict: bool
    accept_known: bool


class NotJudged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A capability that the implementation does not declare, with what was not judged for that.

    Attributes:
        requirements: those without any verdict.
        scenarios: how many were skipped, those of other requirements included.
    """

    capability: str
    requirements: Ids
    scenarios: Count


class Broken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requirement that is not met.

    Attributes:
        histories: how many histories show it: its own scenarios and breaches in others.
        after: empty for a cause. Else the requirements that were broken before it: at least one of them in
            each history that shows it.
        supposed: no history shows that it comes after those: it lacks what they lack, and may follow from
            them. Reports of before do not have it.
    """

    requirement: str
    level: Level
    histories: Annotated[int, msgspec.Meta(ge=1)]
    after: Ids
    supposed: bool = False


class Undecided(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A precondition that was not met, so that scenarios are inconclusive.

    Attributes:
        reason: precondition, or why else they could not be judged.
        what: what was not met, in words.
        speaks_of: the requirements whose scenarios judge that.
        broken: those of them that are not met.
        scenarios: the ids of the scenarios.
    """

    reason: str
    what: tuple[str, ...]
    speaks_of: Ids
    broken: Ids
    scenarios: Ids


class Totals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many requirements and scenarios came to what."""

    requirements: Mapping[Standing, Count]
    scenarios: Mapping[Verdict, Count]


class VerdictEvidence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where to check a verdict: the history, and the numbers of its records that decided it."""

    history: str
    records: tuple[int, ...]


class ScenarioReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario of the requirement.

    Attributes:
        title: the name with the values of the example filled in.
        first: how it ended the first time, if it was retried.
    """

    id: str
    name: str
    title: str
    example: str | None
    feature: str
    verdict: Verdict
    reason: str
    duration_s: Seconds
    claims: tuple[ClaimRecord, ...]
    faults: tuple[FiredFault, ...]
    unmet: UnmetClaim | None
    precondition: Precondition | None
    waived: Waiver | None
    error: str | None
    first: FirstPlay | None
    evidence: VerdictEvidence | None


class BreachReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario of another requirement whose history breaks this one.

    Attributes:
        scenario: the id of the scenario.
    """

    scenario: str
    expected: str
    observed: str
    waived: bool
    evidence: VerdictEvidence | None


class WaiverReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deviation, and how often the run has seen what it describes.

    Attributes:
        seen: in how many scenarios its finding was there.
        looked: how many scenarios have shown it, or have passed without it.
        needless: it was looked for and not seen: it has to be removed.
    """

    waiver: Waiver
    seen: Count
    looked: Count
    needless: bool


class RequirementReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one requirement comes to.

    Attributes:
        required: the run fails if it has no verdict.
        verdict: the worst of its scenarios; failed too if the history of another scenario breaks it.
            missing: a needed scenario has no record. not-run: the run did not set out to judge it.
        waivers: the deviations from it that the descriptor admits.
        breaches: the scenarios of other requirements whose history breaks this one, the clearest first.
        unrun: titles of its planned scenarios that have no record.
    """

    id: str
    level: Level
    required: bool
    sentence: str
    norm: str
    source: str
    capability: str | None
    verdict: Standing
    reason: str
    waivers: tuple[WaiverReport, ...]
    scenarios: tuple[ScenarioReport, ...]
    breaches: tuple[BreachReport, ...]
    unrun: tuple[str, ...]


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """report.json: what a run comes to, a verdict for each requirement.

    It is made from results.jsonl alone, which holds every scenario in full. Paths are relative to the folder
    of the report.

    Attributes:
        schema: the version of this format.
        broken: each requirement that is not met, once. First the causes, which some history breaks first;
            MUST before SHOULD, and then by how many histories show it.
        not_judged: the capabilities that are not declared; the one with the most requirements first.
        undecided: the preconditions that were not met, so that scenarios are inconclusive: each once.
    """

    schema: Literal[3]
    batchproof: str
    suite: Suite
    implementation: ImplementationRecord
    cluster: ClusterRecord
    profile: str
    run: ReportedRun
    verdict: VerdictReport
    broken: tuple[Broken, ...]
    not_judged: tuple[NotJudged, ...]
    undecided: tuple[Undecided, ...]
    totals: Totals
    requirements: tuple[RequirementReport, ...]


def json_report(results: Results, outcome: Outcome) -> bytes:
    """The report as indented JSON."""
    return stored.indented(_report(results, outcome))


def _report(results: Results, outcome: Outcome) -> Report:
    header, footer = results.header, results.footer
    return stored.copied(
        Report,
        header,
        schema=REPORT_SCHEMA_VERSION,
        run=stored.copied(
            ReportedRun, header, finished=footer.finished, duration_s=footer.duration_s, results=RESULTS_NAME
        ),
        verdict=_verdict(outcome),
        broken=tuple(_broken(one, outcome) for one in (*outcome.causes, *outcome.followers)),
        not_judged=tuple(stored.copied(NotJudged, one) for one in outcome.not_judged),
        undecided=tuple(map(_undecided, outcome.obstacles)),
        totals=Totals(
            requirements={name: outcome.standings.get(name, 0) for name in STANDINGS},
            scenarios={name: outcome.scenarios.get(name, 0) for name in VERDICTS},
        ),
        requirements=tuple(map(_requirement, outcome.requirements)),
    )


def _broken(one: RequirementOutcome, outcome: Outcome) -> Broken:
    after, supposed = tuple(outcome.wake.get(one.id, ())), one.id in outcome.supposed
    return Broken(one.id, one.requirement.level, len(one.broken), after, supposed)


def _verdict(outcome: Outcome) -> VerdictReport:
    return stored.copied(
        VerdictReport,
        outcome,
        failed=tuple(outcome.failed_musts),
        unproven=tuple(outcome.unproven_musts),
        needless_waivers=tuple(outcome.needless_waivers),
        waived=tuple(one.id for one in outcome.waived),
        deviations=tuple(one.id for one in outcome.deviating),
        known=tuple(one.id for one in outcome.known),
        retried=tuple(one.id for one in outcome.retried),
    )


def _requirement(one: RequirementOutcome) -> RequirementReport:
    return stored.copied(
        RequirementReport,
        one.requirement,
        id=one.id,
        required=one.required,
        verdict=one.standing,
        reason=one.reason,
        waivers=tuple(WaiverReport(use.waiver, use.seen, use.looked, use.needless) for use in one.waivers),
        scenarios=tuple(map(_scenario, one.scenarios)),
        breaches=tuple(map(_breach, one.breaches)),
        unrun=tuple(one.unrun),
    )


def _breach(one: Evidence) -> BreachReport:
    return stored.copied(
        BreachReport,
        one.unmet,
        scenario=one.scenario.id,
        waived=one.waived is not None,
        evidence=_shown(one.scenario.history, one.unmet.timeline),
    )


def _undecided(one: Obstacle) -> Undecided:
    ids = tuple(scenario.id for scenario in one.scenarios)
    return Undecided(one.why, tuple(one.what), tuple(one.speaks_of), tuple(one.broken), ids)


def _scenario(scenario: ScenarioRecord) -> ScenarioReport:
    decided = scenario.unmet or scenario.precondition
    shown = _shown(scenario.history, decided.timeline if decided else ())
    return stored.copied(ScenarioReport, scenario, evidence=shown)


def _shown(history: str | None, moments: Sequence[Moment]) -> VerdictEvidence | None:
    """Where to look: the history, and in it the records that decided."""
    if history is None:
        return None
    decisive = (moment.record for moment in moments if moment.here and moment.record is not None)
    return VerdictEvidence(history, tuple(decisive))
