"""What a run comes to: a verdict for each requirement, the exit code, and one sentence that says it all.

A requirement is as good as the worst of its own scenarios, and it is failed where the history of any scenario
breaks it. Two more things make it worse than that: a planned scenario without a record leaves it ``missing``,
and a waived failure leaves it ``skipped``, even if its other scenarios passed: a deviation must never look
like a pass.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof.report.causes import Broken, wake
from batchproof.report.evidence import Evidence, WaiverUse, evidence, waiver_uses
from batchproof.report.grid import telling
from batchproof.report.records import IN_PLACE, WAIVED, Header, Level, Requirement, Scenario, Waiver
from batchproof.report.undecided import Obstacle, obstacles
from batchproof.report.wording import count, named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from batchproof.report.results import Results

Standing = Literal["failed", "errored", "inconclusive", "missing", "passed", "skipped", "not-run"]
Conformity = Literal["conformant", "not-conformant", "not-proven", "partial"]

STANDINGS: tuple[Standing, ...] = (
    "passed",
    "failed",
    "errored",
    "inconclusive",
    "missing",
    "skipped",
    "not-run",
)
NOT_APPLICABLE = "not-applicable"
_WORST_FIRST: tuple[Standing, ...] = ("failed", "errored", "inconclusive", "missing", "passed", "skipped")
_UNPROVEN: tuple[Standing, ...] = ("errored", "inconclusive", "missing")
_MOST_FOLLOWERS = 20
_BECAUSE = {"errored": "errored", "inconclusive": "stayed inconclusive", "missing": "went unjudged"}


@dataclass(frozen=True, slots=True)
class RequirementOutcome:
    """A requirement with its verdict and all that it rests on.

    Attributes:
        standing: the verdict; ``missing`` if a needed scenario has no record, ``not-run`` if the run did not
            set out to judge it.
        reason: why it is skipped or missing.
        applies: it is in force, and needs no capability, or one that the implementation declares.
        scenarios: its own scenarios, in the order of the plan.
        evidence: the scenarios whose history breaks it, the clearest first, those that are waived last.
        unrun: the titles of its planned scenarios that have no record.
        waivers: the deviations of the implementation's descriptor, each with how often it was seen.
    """

    id: str
    requirement: Requirement
    required: bool
    applies: bool
    standing: Standing
    reason: str
    scenarios: tuple[Scenario, ...]
    evidence: tuple[Evidence, ...]
    unrun: tuple[str, ...]
    waivers: tuple[WaiverUse, ...]

    @property
    def must(self) -> bool:
        """Whether the run fails with it."""
        return self.required or self.requirement.level == "MUST"

    @property
    def broken(self) -> tuple[Evidence, ...]:
        """The evidence against it that no deviation covers, the clearest first."""
        return tuple(one for one in self.evidence if one.waived is None)

    @property
    def breaches(self) -> tuple[Evidence, ...]:
        """The evidence from scenarios of other requirements, waived or not."""
        return tuple(one for one in self.evidence if not one.own)

    @property
    def shown_by(self) -> str:
        """How many histories show that it is broken: ``13 histories, 1 of its own scenarios``."""
        own = sum(one.own for one in self.broken)
        others = len(self.broken) - own
        all_ = count(len(self.broken), "history", "histories")
        if not others:
            return f"{all_} of its own scenarios"
        return f"{all_}, {own} of its own scenarios" if own else f"{all_} of other scenarios"

    @property
    def needless_waiver(self) -> bool:
        """A deviation was looked for and not seen: it has to go."""
        return any(one.needless for one in self.waivers)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The run as a whole.

    Attributes:
        requirements: every requirement of the registry and of the records, in the order of the registry.
        causes: the broken requirements that some history breaks first: MUST before SHOULD, and then by how
            many histories show it.
        followers: the other broken requirements: in each history that shows one, another was broken before.
        wake: for each of those, the requirements that were broken before it.
        obstacles: what did not come about, so that scenarios could not be judged.
        scenarios: how many scenarios have which verdict.
        standings: how many requirements have which verdict; those not run are not counted among the judged.
    """

    requirements: tuple[RequirementOutcome, ...]
    causes: tuple[RequirementOutcome, ...]
    followers: tuple[RequirementOutcome, ...]
    wake: Mapping[str, tuple[str, ...]]
    obstacles: tuple[Obstacle, ...]
    scenarios: Mapping[str, int]
    standings: Mapping[str, int]
    complete: bool
    reason: str

    def of(self, *standings: Standing) -> tuple[RequirementOutcome, ...]:
        """The requirements with one of these verdicts."""
        return tuple(one for one in self.requirements if one.standing in standings)

    @property
    def judged(self) -> int:
        """How many requirements the run set out to judge."""
        return len(self.requirements) - self.standings.get("not-run", 0)

    @property
    def failed_musts(self) -> tuple[str, ...]:
        """The MUST requirements that are not met, causes first."""
        return tuple(one.id for one in (*self.causes, *self.followers) if one.must)

    @property
    def failed_others(self) -> tuple[RequirementOutcome, ...]:
        """The requirements that are not met though they are no MUST: the run does not fail with them."""
        return tuple(one for one in (*self.causes, *self.followers) if not one.must)

    @property
    def in_the_wake(self) -> str:
        """What failed only after something else, in a sentence; empty if nothing did."""
        if not self.followers:
            return ""
        before = dict.fromkeys(id_ for one in self.followers for id_ in self.wake[one.id])
        causes = [one.id for one in self.causes if one.id in before]
        names = named([one.id for one in self.followers], _MOST_FOLLOWERS)
        return f"{names} failed too, but only where {named(causes)} had failed"

    @property
    def unproven_musts(self) -> tuple[str, ...]:
        """The MUST requirements of which nothing is shown: inconclusive, errored or missing."""
        return tuple(one.id for one in self.of(*_UNPROVEN) if one.must)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The MUST requirements that bind the implementation, but that the run did not set out to judge."""
        return tuple(one.id for one in self.of("not-run") if one.must and one.applies)

    @property
    def waived(self) -> tuple[RequirementOutcome, ...]:
        """The requirements that nothing but deviations keeps from having failed."""
        return tuple(one for one in self.of("skipped") if one.reason == WAIVED)

    @property
    def needless_waivers(self) -> tuple[str, ...]:
        """The requirements with a deviation that was looked for and not seen."""
        return tuple(one.id for one in self.requirements if one.needless_waiver)

    def needless_in(self, scenario: Scenario) -> Waiver | None:
        """The deviation that this scenario should have shown, and did not."""
        needless = (use.waiver for one in self.requirements for use in one.waivers if use.needless)
        return next((waiver for waiver in needless if waiver.scenario == scenario.title), None)

    @property
    def exit_code(self) -> int:
        """0 only if all was judged, and no MUST is failed, inconclusive, errored or missing; else 1."""
        bad = self.failed_musts or self.unproven_musts or self.needless_waivers
        return 0 if self.complete and not bad else 1

    @property
    def conformity(self) -> Conformity:
        """What may be said about the implementation.

        ``partial``: no MUST speaks against it, but MUST requirements were left out of the run.
        """
        if self.failed_musts:
            return "not-conformant"
        if self.exit_code:
            return "not-proven"
        return "partial" if self.left_out else "conformant"

    @property
    def headline(self) -> str:
        """The verdict of the run in words: ``NOT CONFORMANT because FIN-004 failed``."""
        others = [f"{one.id} ({one.requirement.level})" for one in self.failed_others]
        besides = f"; {named(others)} failed" if others else ""
        match self.conformity:
            case "not-conformant":
                causes = named([one.id for one in self.causes if one.must])
                more = sum(one.must for one in self.followers)
                return (
                    f"NOT CONFORMANT because {causes} failed{f', and {more} more after that' if more else ''}"
                )
            case "not-proven":
                return f"NOT PROVEN because {self._why_unproven()}"
            case "partial":
                left_out = count(len(self.left_out), "MUST requirement")
                none = "NO MUST FAILED" if others else "NO FAILURE"
                return f"{none} in a partial run: {left_out} not judged{besides}"
            case "conformant":
                waived = [one.id for one in self.waived]
                with_ = f", with {named(waived)} waived" if waived else ""
                return f"CONFORMANT{self._where_judged}{with_}{besides}"

    @property
    def sentence(self) -> str:
        """The one line that ends a run."""
        counts = ", ".join(
            f"{self.standings[name]} {name}"
            for name in STANDINGS
            if name != "not-run" and self.standings.get(name)
        )
        state = "complete" if self.complete else f"INCOMPLETE ({self.reason or 'no reason given'})"
        judged = f"{count(self.judged, 'requirement')}: {counts or 'none judged'}"
        return f"{judged}; the run is {state}: {self.headline}"

    @property
    def _where_judged(self) -> str:
        """What the verdict says less than that of one whose requests are seen; empty for such a one."""
        beyond = [one for one in self.of("skipped") if one.reason == IN_PLACE]
        if not beyond:
            return ""
        musts = count(sum(one.must for one in beyond), "MUST requirement")
        return f" IN PLACE, with {musts} out of reach"

    def _why_unproven(self) -> str:
        reasons = [
            f"{named([one.id for one in self.of(standing) if one.must])} {_BECAUSE[standing]}"
            for standing in _UNPROVEN
            if any(one.must for one in self.of(standing))
        ]
        if self.needless_waivers:
            reasons.append(f"{named(self.needless_waivers)} passed though waived (remove the waiver)")
        if not self.complete:
            reasons.insert(0, f"the run is incomplete ({self.reason or 'no reason given'})")
        return " and ".join(reasons)


def judge_run(results: Results) -> Outcome:
    """The outcome of a run."""
    header, footer = results.header, results.footer
    against = evidence(results.scenarios)
    own: dict[str, list[Scenario]] = {}
    for one in results.scenarios:
        own.setdefault(one.requirement, []).append(one)
    requirements = tuple(
        _judge(name, results, tuple(own.get(name, ())), against.get(name, ()))
        for name in _requirement_ids(results)
    )
    failed = [one for one in requirements if one.standing == "failed"]
    failed.sort(key=lambda one: (not one.must, -len(one.broken)))
    after = wake(Broken(one.id, one.must, one.broken, one.requirement.explains) for one in failed)
    return Outcome(
        requirements=requirements,
        causes=tuple(one for one in failed if one.id not in after),
        followers=tuple(one for one in failed if one.id in after),
        wake=after,
        obstacles=obstacles(telling(results.scenarios), {one.id for one in failed}),
        scenarios=Counter(one.verdict for one in results.scenarios),
        standings=Counter(one.standing for one in requirements),
        complete=footer.complete and bool(header.planned),
        reason=footer.reason or ("" if header.planned else "nothing was planned"),
    )


def _requirement_ids(results: Results) -> tuple[str, ...]:
    """Every requirement that the run knows: first the registry in its order, then whatever else is named."""
    header = results.header
    named = [
        *header.requirements,
        *header.required,
        *(one.requirement for one in header.planned),
        *(one.requirement for one in results.scenarios),
        *(breach.requirement for one in results.scenarios for breach in one.breaches),
    ]
    return tuple(dict.fromkeys(named))


def _judge(
    name: str, results: Results, own: tuple[Scenario, ...], against: tuple[Evidence, ...]
) -> RequirementOutcome:
    header = results.header
    recorded = {one.id for one in own}
    unrun = tuple(one.title for one in header.planned if one.requirement == name and one.id not in recorded)
    required = name in header.required
    in_force = name not in header.not_in_force
    standing, reason = _standing(own, against, required=required, unrun=len(unrun), in_force=in_force)
    requirement = _requirement(name, header, own, against)
    declared = requirement.capability in (None, *header.implementation.capabilities)
    admitted = [one for one in header.implementation.deviations if one.requirement == name]
    return RequirementOutcome(
        id=name,
        requirement=requirement,
        required=required,
        applies=declared and in_force,
        standing=standing,
        reason=reason,
        scenarios=own,
        evidence=against,
        unrun=unrun,
        waivers=waiver_uses(admitted, against, results.scenarios),
    )


def _standing(
    own: tuple[Scenario, ...], against: tuple[Evidence, ...], *, required: bool, unrun: int, in_force: bool
) -> tuple[Standing, str]:
    """The worst of its scenarios and of what other histories show, and the reason that goes with it."""
    found: dict[Standing, str] = {}
    for one in telling(own):
        found.setdefault(one.verdict, one.reason)
    if any(one.waived is None for one in against):
        found.setdefault("failed", "")
    if unrun:
        found["missing"] = f"{count(unrun, 'planned scenario')} did not run"
    if any(one.waived for one in against) and not set(found) - {"passed", "skipped"}:
        return "skipped", WAIVED
    if not found and not in_force:
        return "skipped", NOT_APPLICABLE
    if not found:
        return ("missing", "it has no scenario in this run") if required else ("not-run", "")
    worst = next(standing for standing in _WORST_FIRST if standing in found)
    return worst, found[worst]


def _requirement(
    name: str, header: Header, own: tuple[Scenario, ...], against: tuple[Evidence, ...]
) -> Requirement:
    """The entry of the registry, or what the records say where the registry is silent."""
    if name in header.requirements:
        return header.requirements[name]
    level: Level = own[0].level if own else "MUST"
    return Requirement(level=level, sentence=against[0].unmet.sentence if against else "")
