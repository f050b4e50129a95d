"""What a requirement comes to in a run: the worst of its scenarios and of what other histories show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from batchproof.report.evidence import Evidence, WaiverUse, waiver_uses
from batchproof.report.grid import telling
from batchproof.report.records import WAIVED, Header, Level, RequirementRecord, ScenarioRecord
from batchproof.report.results import Results
from batchproof.report.wording import count
from batchproof.specification.runs import KeptState

State = Literal["met", "broken", "not judged"]
Standing = Literal["failed", "errored", "inconclusive", "missing", "passed", "skipped", "not-run"]
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
UNPROVEN: tuple[Standing, ...] = ("errored", "inconclusive", "missing")
"""The verdicts by which nothing is shown."""


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
    requirement: RequirementRecord
    required: bool
    applies: bool
    standing: Standing
    reason: str
    scenarios: tuple[ScenarioRecord, ...]
    evidence: tuple[Evidence, ...]
    unrun: tuple[str, ...]
    waivers: tuple[WaiverUse, ...]

    @property
    def must(self) -> bool:
        """Whether the run fails with it."""
        return self.required or self.requirement.level == "MUST"

    @property
    def core(self) -> bool:
        """A MUST that needs no capability: a mark cannot do without it, and no deviation covers it."""
        return self.must and self.requirement.capability is None

    @property
    def waived(self) -> bool:
        """Nothing but deviations keeps it from having failed."""
        return self.standing == "skipped" and self.reason == WAIVED

    @property
    def unreported(self) -> bool:
        """A deviation from it has no public issue."""
        return any(one.looked and one.waiver.unreported for one in self.waivers)

    @property
    def state(self) -> State:
        """What the run shows of it; a deviation is broken: it must never look like a pass."""
        if self.standing == "failed" or self.waived:
            return "broken"
        return "met" if self.standing == "passed" else "not judged"

    @property
    def kept(self) -> KeptState | None:
        """What is kept of it in the repository; None if the run did not judge it."""
        match self.state, self.standing:
            case "met", _:
                return "met, not always" if any(one.waiver.sometimes for one in self.waivers) else "met"
            case "broken", standing:
                return "not met" if standing == "failed" else "not met, known"
            case _, standing:
                return "not decided" if standing in UNPROVEN else None

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


def judge_requirement(
    name: str, results: Results, own: tuple[ScenarioRecord, ...], against: tuple[Evidence, ...]
) -> RequirementOutcome:
    """What a requirement comes to.

    Args:
        name: its id.
        results: the run.
        own: its own scenarios.
        against: what the run shows against it.
    """
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
    own: tuple[ScenarioRecord, ...],
    against: tuple[Evidence, ...],
    *,
    required: bool,
    unrun: int,
    in_force: bool,
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
    name: str, header: Header, own: tuple[ScenarioRecord, ...], against: tuple[Evidence, ...]
) -> RequirementRecord:
    """The entry of the registry, or what the records say where the registry is silent."""
    if name in header.requirements:
        return header.requirements[name]
    level: Level = own[0].level if own else "MUST"
    return RequirementRecord(level=level, sentence=against[0].unmet.sentence if against else "")
