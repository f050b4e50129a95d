"""What a run comes to: a verdict for each requirement, the exit code, and one sentence that says it all.

A requirement is as good as the worst of its scenarios. Two things make it worse than the records alone say:
a planned scenario without a record leaves it ``missing``, and a waived failure leaves it ``skipped``, even if
its other scenarios passed: a deviation must never look like a pass.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof.report.records import WAIVED, Header, Level, Requirement, Scenario, Waiver
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
_WORST_FIRST: tuple[Standing, ...] = ("failed", "errored", "inconclusive", "missing", "passed", "skipped")
_UNPROVEN: tuple[Standing, ...] = ("errored", "inconclusive", "missing")
_BECAUSE = {"errored": "errored", "inconclusive": "stayed inconclusive", "missing": "went unjudged"}


@dataclass(frozen=True, slots=True)
class RequirementOutcome:
    """A requirement with its verdict and all that it rests on.

    Attributes:
        standing: the verdict; ``missing`` if a needed scenario has no record, ``not-run`` if the run did not
            set out to judge it.
        reason: why it is skipped or missing.
        applies: it needs no capability, or one that the implementation declares.
        scenarios: its own scenarios, in the order of the plan.
        broken_in: scenarios of other requirements whose history broke this one (an invariant).
        unrun: the names of its planned scenarios that have no record.
        waiver: the deviation that the implementation's descriptor admits.
    """

    id: str
    requirement: Requirement
    required: bool
    applies: bool
    standing: Standing
    reason: str
    scenarios: tuple[Scenario, ...]
    broken_in: tuple[Scenario, ...]
    unrun: tuple[str, ...]
    waiver: Waiver | None

    @property
    def must(self) -> bool:
        """Whether the run fails with it."""
        return self.required or self.requirement.level == "MUST"

    @property
    def needless_waiver(self) -> bool:
        """Waived, yet each scenario that the waiver covers passed: the waiver has to go."""
        return self.waiver is not None and self.standing == "passed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The run as a whole.

    Attributes:
        requirements: every requirement of the registry and of the records, in the order of the registry.
        scenarios: how many scenarios have which verdict.
        standings: how many requirements have which verdict; those not run are not counted among the judged.
    """

    requirements: tuple[RequirementOutcome, ...]
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
        """The MUST requirements that are not met."""
        return tuple(one.id for one in self.of("failed") if one.must)

    @property
    def unproven_musts(self) -> tuple[str, ...]:
        """The MUST requirements of which nothing is shown: inconclusive, errored or missing."""
        return tuple(one.id for one in self.of(*_UNPROVEN) if one.must)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The MUST requirements that bind the implementation, but that the run did not set out to judge."""
        return tuple(one.id for one in self.of("not-run") if one.must and one.applies)

    @property
    def needless_waivers(self) -> tuple[str, ...]:
        """The requirements that are waived, but pass."""
        return tuple(one.id for one in self.requirements if one.needless_waiver)

    @property
    def exit_code(self) -> int:
        """0 only if all was judged, and no MUST is failed, inconclusive, errored or missing; else 1."""
        bad = self.failed_musts or self.unproven_musts or self.needless_waivers
        return 0 if self.complete and not bad else 1

    @property
    def conformity(self) -> Conformity:
        """What may be said about the implementation.

        ``partial``: nothing speaks against it, but MUST requirements were left out of the run.
        """
        if self.failed_musts:
            return "not-conformant"
        if self.exit_code:
            return "not-proven"
        return "partial" if self.left_out else "conformant"

    @property
    def headline(self) -> str:
        """The verdict of the run in words: ``NOT CONFORMANT because FIN-004 failed``."""
        match self.conformity:
            case "not-conformant":
                return f"NOT CONFORMANT because {named(self.failed_musts)} failed"
            case "not-proven":
                return f"NOT PROVEN because {self._why_unproven()}"
            case "partial":
                left_out = count(len(self.left_out), "MUST requirement")
                return f"NO FAILURE in a partial run: {left_out} not judged"
            case "conformant":
                waived = [one.id for one in self.of("skipped") if one.waiver]
                return f"CONFORMANT, with {named(waived)} waived" if waived else "CONFORMANT"

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
    requirements = tuple(_judge(name, results) for name in _requirement_ids(results))
    return Outcome(
        requirements=requirements,
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
        *(one.unmet.requirement for one in results.scenarios if one.unmet),
    ]
    return tuple(dict.fromkeys(named))


def _judge(name: str, results: Results) -> RequirementOutcome:
    header = results.header
    own = tuple(one for one in results.scenarios if one.requirement == name)
    broken_in = tuple(
        one for one in results.scenarios if one.unmet and one.unmet.requirement == name != one.requirement
    )
    recorded = {one.id for one in own}
    unrun = tuple(one.name for one in header.planned if one.requirement == name and one.id not in recorded)
    required = name in header.required
    standing, reason = _standing((*own, *broken_in), required=required, unrun=len(unrun))
    waivers = [one.waived for one in results.scenarios if one.waived and one.waived.requirement == name]
    requirement = _requirement(name, header, own)
    capability = requirement.capability
    return RequirementOutcome(
        id=name,
        requirement=requirement,
        required=required,
        applies=capability is None or capability in header.implementation.capabilities,
        standing=standing,
        reason=reason,
        scenarios=own,
        broken_in=broken_in,
        unrun=unrun,
        waiver=waivers[0] if waivers else None,
    )


def _standing(scenarios: tuple[Scenario, ...], *, required: bool, unrun: int) -> tuple[Standing, str]:
    """The worst of the scenarios, and the reason that goes with it."""
    found: dict[Standing, str] = {}
    for one in scenarios:
        found.setdefault(one.verdict, one.reason)
    if unrun:
        found["missing"] = f"{count(unrun, 'planned scenario')} did not run"
    if not found:
        return ("missing", "it has no scenario in this run") if required else ("not-run", "")
    waived = any(one.verdict == "skipped" and one.reason == WAIVED for one in scenarios)
    if waived and not set(found) - {"passed", "skipped"}:
        return "skipped", WAIVED
    worst = next(standing for standing in _WORST_FIRST if standing in found)
    return worst, found[worst]


def _requirement(name: str, header: Header, own: tuple[Scenario, ...]) -> Requirement:
    """The entry of the registry, or what the records say where the registry is silent."""
    if name in header.requirements:
        return header.requirements[name]
    level: Level = own[0].level if own else "MUST"
    unmet = next((one.unmet for one in own if one.unmet and one.unmet.requirement == name), None)
    return Requirement(level=level, sentence=unmet.sentence if unmet else "")
