"""A run as test cases, which is how CI sees it: one for each scenario, and one for each broken invariant.

Whatever failed is red here, as is whatever makes the exit code of the run 1; a failed SHOULD is red too,
though it does not fail the run. What failed only after something else says so in its kind and its message
(``AFTER``), and so does what may follow from something else (``MAY_FOLLOW``): a reader finds the causes.
What is inconclusive is *skipped* once a MUST has failed; else it is an *error*, because nothing else shows it
then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof.judgement.values import counted
from batchproof.report.grid import idle
from batchproof.report.outcome import Outcome
from batchproof.report.records import NOT_DECLARED, Header, Planned, ScenarioRecord
from batchproof.report.results import Results
from batchproof.report.scope import missing
from batchproof.report.standing import RequirementOutcome
from batchproof.report.undecided import why_undecided
from batchproof.report.wording import count, duration, errored_because, named

if TYPE_CHECKING:
    from collections.abc import Iterator

Status = Literal["passed", "failure", "error", "skipped"]

NO_SCENARIO = "requirements without a scenario"
IN_EVERY_HISTORY = "requirements in every history"
"""The suite of what the histories of other scenarios break: an invariant is judged in all of them."""


AFTER = "after "
"""The message of what failed only after a cause begins with it."""
MAY_FOLLOW = "may follow from "
"""The message of what only lacks what a cause lacks too begins with it."""
AS_A_WHOLE = "the run as a whole"
"""The suite of what is no matter of one requirement."""


@dataclass(frozen=True, slots=True)
class ReportEnding:
    """How a case ended.

    Attributes:
        kind: the verdict behind the status, in a few words: ``MUST not met``, ``inconclusive``.
        message: one line that says why.
        text: all that is to be said, with the timeline.
    """

    status: Status
    kind: str = ""
    message: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReportCase:
    """One test case.

    Attributes:
        suite: the feature file, or ``NO_SCENARIO``, ``IN_EVERY_HISTORY`` or ``AS_A_WHOLE``.
        name: begins with the requirement.
        evidence: what it rests on, line by line.
        scenario: its scenario, if that has run.
        shown_in: the scenario whose history shows it: its own, or the clearest that breaks its requirement.
    """

    suite: str
    name: str
    requirement: str
    ending: ReportEnding
    evidence: tuple[str, ...] = ()
    scenario: ScenarioRecord | None = None
    shown_in: ScenarioRecord | None = None


def cases(results: Results, outcome: Outcome) -> Iterator[ReportCase]:
    """The cases of a run: first broken invariants, then each scenario of the plan, then what has none."""
    if outcome.all_waived:
        yield ReportCase(
            AS_A_WHOLE, "a MUST is not waived", "", ReportEnding("error", "nothing proven", outcome.headline)
        )
    if outcome.conformity == "not-conformant-known":
        status: Status = "skipped" if outcome.accept_known else "failure"
        yield ReportCase(
            AS_A_WHOLE, "no core MUST is waived", "", ReportEnding(status, outcome.mark, outcome.headline)
        )
    yield from (_breached(one, outcome) for one in outcome.requirements if one.breaches)
    recorded = {one.id: one for one in results.scenarios}
    for planned in results.header.planned:
        scenario = recorded.get(planned.id)
        yield _unrun(planned, outcome) if scenario is None else _case(scenario, results.header, outcome)
    for one in outcome.of("missing"):
        if not one.unrun:
            name = f"{one.id} {one.requirement.sentence}".rstrip()
            yield ReportCase(NO_SCENARIO, name, one.id, ReportEnding("error", "missing", one.reason))


def _case(scenario: ScenarioRecord, header: Header, outcome: Outcome) -> ReportCase:
    return ReportCase(
        suite=scenario.feature,
        name=f"{scenario.requirement} {scenario.title}",
        requirement=scenario.requirement,
        ending=_ending(scenario, header, outcome),
        evidence=tuple(_evidence(scenario)),
        scenario=scenario,
        shown_in=scenario,
    )


def _ending(scenario: ScenarioRecord, header: Header, outcome: Outcome) -> ReportEnding:
    unmet = scenario.unmet.text() if scenario.unmet else ""
    match scenario.verdict:
        case "failed":
            return _broken(scenario.requirement, scenario.level, unmet.partition("\n")[0], unmet, outcome)
        case "errored":
            error = scenario.error or scenario.reason
            return ReportEnding("error", "errored", errored_because(scenario.reason, error)[0], error)
        case "inconclusive":
            broken = [one.id for one in outcome.of("failed")]
            why = f"could not be judged: {why_undecided(scenario, broken)}"
            text = scenario.precondition.text() if scenario.precondition else ""
            harmless = outcome.failed_musts or not _troubles(scenario, outcome)
            return ReportEnding("skipped" if harmless else "error", "inconclusive", why, text)
        case "skipped":
            return ReportEnding("skipped", scenario.reason, _why_skipped(scenario, header), unmet)
        case _:
            return _passed(scenario, outcome)


def _passed(scenario: ScenarioRecord, outcome: Outcome) -> ReportEnding:
    """A scenario that passed, though a waiver says that it would not, or only when it was retried."""
    if needless := outcome.needless_in(scenario):
        text = f"{needless.requirement} passes though it is waived: remove the waiver"
        return ReportEnding("failure", "needless waiver", text, needless.reason)
    if outcome.strict and scenario.first:
        why = f"the first time {scenario.first.verdict}: {scenario.first.why}"
        return ReportEnding("error", "retried", f"retried, and the run is strict: {why}")
    return ReportEnding("passed")


def _troubles(scenario: ScenarioRecord, outcome: Outcome) -> bool:
    """It is listed among what could not be judged: others under its fault profile have not shown enough."""
    return not idle(scenario) or any(scenario in one.scenarios for one in outcome.obstacles)


def _why_skipped(scenario: ScenarioRecord, header: Header) -> str:
    if scenario.waived:
        return f"{scenario.reason}: {scenario.waived.text}"
    if scenario.reason == NOT_DECLARED and (capability := missing(header, scenario)):
        return f"{scenario.reason}: {capability}"
    return scenario.reason


def _unrun(planned: Planned, outcome: Outcome) -> ReportCase:
    """A planned scenario that the run did not come to."""
    ending = ReportEnding("error", "missing", f"did not run: {outcome.reason or 'no reason given'}")
    return ReportCase(planned.feature, f"{planned.requirement} {planned.title}", planned.requirement, ending)


def _broken(requirement: str, level: str, message: str, text: str, outcome: Outcome) -> ReportEnding:
    """Something is not met; what was only ever broken after something else says after what."""
    if before := outcome.wake.get(requirement):
        if requirement in outcome.supposed:
            after = f"{MAY_FOLLOW}{named(before)}"
            return ReportEnding("failure", f"{level} not met, {after}", f"{after}: {message}", text)
        after = f"{AFTER}{named(before)}"
        return ReportEnding("failure", f"{level} not met, {after}", f"{after} had failed: {message}", text)
    return ReportEnding("failure", f"{level} not met", message, text)


def _breached(one: RequirementOutcome, outcome: Outcome) -> ReportCase:
    """A requirement that the histories of other scenarios break, with the clearest of them in full."""
    unwaived = [breach for breach in one.breaches if breach.waived is None]
    shown = unwaived or one.breaches
    clearest, histories = shown[0], count(len(shown), "history", "histories")
    text = f"{clearest.unmet.text()}\n  history   {clearest.scenario.history}"
    if clearest.waived:
        ending = ReportEnding("skipped", "waived", f"waived in {histories}: {clearest.waived.text}", text)
    else:
        message = f"{one.id} not met in {histories}: {clearest.unmet.observed}"
        ending = _broken(one.id, one.requirement.level, message, text, outcome)
    name = f"{one.id} (invariant) {one.requirement.sentence}".rstrip()
    evidence = tuple(_where(one))
    return ReportCase(IN_EVERY_HISTORY, name, one.id, ending, evidence, shown_in=clearest.scenario)


def _where(one: RequirementOutcome) -> Iterator[str]:
    """Each scenario whose history breaks the requirement."""
    for breach in one.breaches:
        word = "waived in" if breach.waived else "broken in"
        yield f"{word}  {breach.scenario.requirement} {breach.scenario.title}  {breach.scenario.history}"


def _evidence(scenario: ScenarioRecord) -> Iterator[str]:
    """The steps, claims and faults: what a passed case rests on as well."""
    if first := scenario.first:
        yield f"retried   once; the first time {first.verdict}: {first.why}  {first.history or 'no history'}"
    for step in scenario.steps:
        yield f"{step.outcome:<8} {step.keyword} {step.text}  {duration(step.duration_s)}".rstrip()
    for claim in scenario.claims:
        took = f"{duration(claim.took_s)} of {duration(claim.limit_s)} ({claim.deadline})"
        yield f"{claim.outcome:<9} {claim.text}{f'  {took}' if claim.limit_s else ''}"
    for fault in scenario.faults:
        yield f"fault     {fault.text}: triggered {counted(fault.fired, 'time')}"
    for breach in scenario.breaches:
        yield f"breaks    {breach.requirement}{' (waived)' if breach.waived else ''}: {breach.observed}"
    if scenario.history:
        yield f"history   {scenario.history}"
