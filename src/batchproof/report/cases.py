"""A run as test cases, which is how CI sees it: one for each scenario, and one for each broken invariant.

Whatever makes the exit code of the run 1 is red here; a failed SHOULD is red too, though the exit code does
not mind it. A page that shows only what is red is to name causes. So what was broken only after something
else is *skipped* here, for the run is red already; and so is what is inconclusive once a MUST has failed.
Else that is an *error*: nothing else shows it then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof.report.grid import idle
from batchproof.report.undecided import why_undecided
from batchproof.report.wording import count, duration, errored_because, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from batchproof.report.outcome import Outcome
    from batchproof.report.records import Planned, Scenario
    from batchproof.report.results import Results
    from batchproof.report.standing import RequirementOutcome

Status = Literal["passed", "failure", "error", "skipped"]

NO_SCENARIO = "requirements without a scenario"
IN_EVERY_HISTORY = "requirements in every history"
"""The suite of what the histories of other scenarios break: an invariant is judged in all of them."""


AS_A_WHOLE = "the run as a whole"
"""The suite of what is no matter of one requirement."""


@dataclass(frozen=True, slots=True)
class Ending:
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
class Case:
    """One test case.

    Attributes:
        suite: the feature file, or ``NO_SCENARIO``, ``IN_EVERY_HISTORY`` or ``AS_A_WHOLE``.
        name: begins with the requirement.
        evidence: what it rests on, line by line.
        scenario: its scenario, if that has run.
    """

    suite: str
    name: str
    requirement: str
    ending: Ending
    evidence: tuple[str, ...] = ()
    scenario: Scenario | None = None


def cases(results: Results, outcome: Outcome) -> Iterator[Case]:
    """The cases of a run: first broken invariants, then each scenario of the plan, then what has none."""
    if outcome.all_waived:
        yield Case(
            AS_A_WHOLE, "a MUST is not waived", "", Ending("error", "nothing proven", outcome.headline)
        )
    yield from (_breached(one, outcome) for one in outcome.requirements if one.breaches)
    recorded = {one.id: one for one in results.scenarios}
    for planned in results.header.planned:
        scenario = recorded.get(planned.id)
        yield _unrun(planned, outcome) if scenario is None else _case(scenario, outcome)
    for one in outcome.of("missing"):
        if not one.unrun:
            name = f"{one.id} {one.requirement.sentence}".rstrip()
            yield Case(NO_SCENARIO, name, one.id, Ending("error", "missing", one.reason))


def _case(scenario: Scenario, outcome: Outcome) -> Case:
    return Case(
        suite=scenario.feature,
        name=f"{scenario.requirement} {scenario.title}",
        requirement=scenario.requirement,
        ending=_ending(scenario, outcome),
        evidence=tuple(_evidence(scenario)),
        scenario=scenario,
    )


def _ending(scenario: Scenario, outcome: Outcome) -> Ending:
    unmet = scenario.unmet.text() if scenario.unmet else ""
    match scenario.verdict:
        case "failed":
            return _broken(scenario.requirement, scenario.level, unmet.partition("\n")[0], unmet, outcome)
        case "errored":
            error = scenario.error or scenario.reason
            return Ending("error", "errored", errored_because(scenario.reason, error)[0], error)
        case "inconclusive":
            broken = [one.id for one in outcome.of("failed")]
            why = f"could not be judged: {why_undecided(scenario, broken)}"
            text = scenario.precondition.text() if scenario.precondition else ""
            harmless = outcome.failed_musts or not _troubles(scenario, outcome)
            return Ending("skipped" if harmless else "error", "inconclusive", why, text)
        case "skipped":
            return Ending("skipped", scenario.reason, _why_skipped(scenario), unmet)
        case _:
            return _passed(scenario, outcome)


def _passed(scenario: Scenario, outcome: Outcome) -> Ending:
    """A scenario that passed, though a waiver says that it would not, or only when it was retried."""
    if needless := outcome.needless_in(scenario):
        text = f"{needless.requirement} passes though it is waived: remove the waiver"
        return Ending("failure", "needless waiver", text, needless.reason)
    if outcome.strict and scenario.first:
        why = f"the first time {scenario.first.verdict}: {scenario.first.why}"
        return Ending("error", "retried", f"retried, and the run is strict: {why}")
    return Ending("passed")


def _troubles(scenario: Scenario, outcome: Outcome) -> bool:
    """It is told among what could not be judged: others under its fault profile have not shown enough."""
    return not idle(scenario) or any(scenario in one.scenarios for one in outcome.obstacles)


def _why_skipped(scenario: Scenario) -> str:
    waiver = scenario.waived
    return f"{scenario.reason}: {waiver.text}" if waiver else scenario.reason


def _unrun(planned: Planned, outcome: Outcome) -> Case:
    """A planned scenario that the run did not come to."""
    ending = Ending("error", "missing", f"did not run: {outcome.reason or 'no reason given'}")
    return Case(planned.feature, f"{planned.requirement} {planned.title}", planned.requirement, ending)


def _broken(requirement: str, level: str, message: str, text: str, outcome: Outcome) -> Ending:
    """Something is not met: red, unless it was only ever broken after something else."""
    if before := outcome.wake.get(requirement):
        return Ending(
            "skipped", "failed after that", f"after {named(before)} had been broken: {message}", text
        )
    return Ending("failure", f"{level} not met", message, text)


def _breached(one: RequirementOutcome, outcome: Outcome) -> Case:
    """A requirement that the histories of other scenarios break, with the clearest of them in full."""
    unwaived = [breach for breach in one.breaches if breach.waived is None]
    shown = unwaived or one.breaches
    clearest, histories = shown[0], count(len(shown), "history", "histories")
    text = f"{clearest.unmet.text()}\n  history   {clearest.scenario.history}"
    if clearest.waived:
        ending = Ending("skipped", "waived", f"waived in {histories}: {clearest.waived.text}", text)
    else:
        message = f"{one.id} not met in {histories}: {clearest.unmet.observed}"
        ending = _broken(one.id, one.requirement.level, message, text, outcome)
    name = f"{one.id} (invariant) {one.requirement.sentence}".rstrip()
    return Case(IN_EVERY_HISTORY, name, one.id, ending, tuple(_where(one)))


def _where(one: RequirementOutcome) -> Iterator[str]:
    """Each scenario whose history breaks the requirement."""
    for breach in one.breaches:
        word = "waived in" if breach.waived else "broken in"
        yield f"{word}  {breach.scenario.requirement} {breach.scenario.title}  {breach.scenario.history}"


def _evidence(scenario: Scenario) -> Iterator[str]:
    """The steps, claims and faults: what a passed case rests on as well."""
    if first := scenario.first:
        yield f"played    twice; the first time {first.verdict}: {first.why}  {first.history or 'no history'}"
    for step in scenario.steps:
        yield f"{step.outcome:<8} {step.keyword} {step.text}  {duration(step.duration_s)}".rstrip()
    for claim in scenario.claims:
        took = f"{duration(claim.took_s)} of {duration(claim.limit_s)} ({claim.deadline})"
        yield f"{claim.outcome:<9} {claim.text}{f'  {took}' if claim.limit_s else ''}"
    for fault in scenario.faults:
        yield f"fault     {fault.text}: fired {fault.fired} times"
    for breach in scenario.breaches:
        yield f"breaks    {breach.requirement}{' (waived)' if breach.waived else ''}: {breach.observed}"
    if scenario.history:
        yield f"history   {scenario.history}"
