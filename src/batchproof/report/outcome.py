"""What a run comes to: a verdict for each requirement, the exit code, and one sentence that says it all.

A requirement is as good as the worst of its own scenarios, and it is failed where the history of any scenario
breaks it. Two more things make it worse than that: a planned scenario without a record leaves it ``missing``,
and a waived failure leaves it ``skipped``, even if its other scenarios passed: a deviation must never look
like a pass.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from batchproof.report.causes import BrokenRequirement, supposed, wake
from batchproof.report.evidence import WaiverUse, evidence
from batchproof.report.grid import telling
from batchproof.report.records import IN_PLACE, LEFT_OUT, WAIVED, ScenarioRecord, Waiver
from batchproof.report.results import Results
from batchproof.report.scope import Unjudged, not_judged, scope
from batchproof.report.standing import STANDINGS, UNPROVEN, RequirementOutcome, Standing, judge_requirement
from batchproof.report.undecided import Obstacle, obstacles
from batchproof.report.wording import count, named, retried

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Conformity = Literal[
    "conformant",
    "conformant-with-deviations",
    "not-conformant-known",
    "not-conformant",
    "not-proven",
    "partial",
]
CONFORMS: Final = ("conformant", "conformant-with-deviations")
"""The verdicts that are a mark: what an implementation may say of itself."""

_MOST_FOLLOWERS = 20
_BECAUSE = {"errored": "errored", "inconclusive": "stayed inconclusive", "missing": "went unjudged"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The run as a whole.

    Attributes:
        requirements: every requirement of the registry and of the records, in the order of the registry.
        causes: the broken requirements that some history breaks first: MUST before SHOULD, and then by how
            many histories show it.
        followers: the other broken requirements: in each history that shows one, another was broken before.
        wake: for each of those, the requirements that were broken before it.
        supposed: those of them of which no history shows that: they may follow, or be bugs of their own.
        obstacles: what did not come about, so that scenarios could not be judged.
        scenarios: how many scenarios have which verdict.
        standings: how many requirements have which verdict; those not run are not counted among the judged.
        not_judged: what was not judged because the implementation does not declare it, by capability.
        retried: the scenarios that could not be judged the first time, and were played a second time.
        undecided: the scenarios without a verdict in the end.
        strict: a scenario that was retried or is undecided fails the run.
        accept_known: the run does not fail with what is known: core requirements that deviations cover.
        in_place: it was judged where it was installed already, without faults and without its requests.
    """

    requirements: tuple[RequirementOutcome, ...]
    causes: tuple[RequirementOutcome, ...]
    followers: tuple[RequirementOutcome, ...]
    wake: Mapping[str, tuple[str, ...]]
    supposed: frozenset[str]
    obstacles: tuple[Obstacle, ...]
    scenarios: Mapping[str, int]
    standings: Mapping[str, int]
    complete: bool
    reason: str
    not_judged: tuple[Unjudged, ...]
    retried: tuple[ScenarioRecord, ...]
    undecided: tuple[ScenarioRecord, ...]
    strict: bool
    selected: bool = False
    accept_known: bool = False
    in_place: bool = False

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
        shown = [one.id for one in self.followers if one.id not in self.supposed]
        guessed = [one.id for one in self.followers if one.id in self.supposed]
        parts = []
        if shown:
            names = named(shown, _MOST_FOLLOWERS)
            parts.append(f"{names} failed too, but only where {self._leading(shown)} had failed")
        if guessed:
            names = named(guessed, _MOST_FOLLOWERS)
            parts.append(f"{names} failed too, and may follow from {self._leading(guessed)}")
        return "; ".join(parts)

    @property
    def how_followers_failed(self) -> str:
        """How those that are no causes failed: after another, or maybe because of another."""
        supposed = sum(one.id in self.supposed for one in self.followers)
        if supposed and supposed == len(self.followers):
            return "failed, and may follow from another"
        maybe = "failed, after another or maybe because of another"
        return maybe if supposed else "failed, but only where another had failed"

    def _leading(self, followers: Iterable[str]) -> str:
        """The causes in whose wake these are, else what was broken before them."""
        before = dict.fromkeys(id_ for one in followers for id_ in self.wake[one])
        return named([one.id for one in self.causes if one.id in before] or [*before])

    @property
    def hidden_behind(self) -> Mapping[str, tuple[str, ...]]:
        """The requirements that broken ones left without a verdict, or that failed after them: of which."""
        found = {one.id: self.wake[one.id] for one in self.followers}
        for obstacle in self.obstacles:
            for id_ in obstacle.requirements if obstacle.broken else ():
                found.setdefault(id_, obstacle.broken)
        return found

    @property
    def unproven_musts(self) -> tuple[str, ...]:
        """The MUST requirements of which nothing is shown: inconclusive, errored or missing."""
        return tuple(one.id for one in self.of(*UNPROVEN) if one.must)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The MUST requirements that bind the implementation, but that the run did not set out to judge."""
        return tuple(one.id for one in self.of("not-run") if one.must and one.applies)

    @property
    def waived(self) -> tuple[RequirementOutcome, ...]:
        """The requirements that nothing but deviations keeps from having failed."""
        return tuple(one for one in self.requirements if one.waived)

    @property
    def skipped(self) -> Mapping[str, tuple[str, ...]]:
        """The requirements that were not judged for another reason than a capability, by that reason."""
        told = {id_ for one in self.not_judged for id_ in one.requirements}
        found: dict[str, tuple[str, ...]] = {}
        for one in self.of("skipped"):
            if one.reason != WAIVED and one.id not in told and not one.reason.startswith(LEFT_OUT):
                found[one.reason] = (*found.get(one.reason, ()), one.id)
        return found

    @property
    def needless_waivers(self) -> tuple[str, ...]:
        """The requirements with a deviation that was looked for and not seen."""
        return tuple(one.id for one in self.requirements if one.needless_waiver)

    @property
    def deviations(self) -> tuple[WaiverUse, ...]:
        """The deviations that the run has looked for; an intermittent one counts though it was not seen."""
        return tuple(use for one in self.requirements for use in one.waivers if use.looked)

    def of_waiver(self, use: WaiverUse) -> RequirementOutcome:
        """The requirement that a deviation is about."""
        return next(one for one in self.requirements if use in one.waivers)

    @property
    def deviating(self) -> tuple[RequirementOutcome, ...]:
        """The requirements that deviations are about, in this run or in others."""
        return tuple(one for one in self.requirements if any(use.looked for use in one.waivers))

    @property
    def known(self) -> tuple[RequirementOutcome, ...]:
        """The core requirements among those: what breaks one does not conform, however well that is known."""
        return tuple(one for one in self.deviating if one.core)

    @property
    def all_waived(self) -> bool:
        """Deviations cover every MUST requirement that was judged, so that nothing is shown."""
        musts = [one for one in self.of("passed", "skipped") if one.must and one.reason in {"", WAIVED}]
        return bool(musts) and all(one in self.waived for one in musts) and not self.left_out

    def needless_in(self, scenario: ScenarioRecord) -> Waiver | None:
        """The deviation that this scenario should have shown, and did not."""
        needless = (use.waiver for one in self.requirements for use in one.waivers if use.needless)
        return next((waiver for waiver in needless if waiver.scenario == scenario.id), None)

    @property
    def exit_code(self) -> int:
        """0 for a mark, for a selection without a failure, and for what is known if that is accepted."""
        accepted = {*CONFORMS, "partial", *(["not-conformant-known"] if self.accept_known else [])}
        return int(self.conformity not in accepted)

    @property
    def conformity(self) -> Conformity:
        """What may be said about the implementation.

        ``partial``: no MUST speaks against it, but MUST requirements were left out of the run.
        """
        if self.failed_musts:
            return "not-conformant"
        doubtful = self.strict and (self.retried or self.undecided)
        unproven = self.unproven_musts or self.needless_waivers or self.all_waived
        if unproven or doubtful or not self.complete:
            return "not-proven"
        if self.left_out or self.selected:
            return "partial"
        if self.known:
            return "not-conformant-known"
        return "conformant-with-deviations" if self.deviating else "conformant"

    @property
    def mark(self) -> str:
        """The verdict in the few words that are the same in each report: ``NOT CONFORMANT, 2 known``."""
        match self.conformity:
            case "conformant":
                return f"CONFORMANT{self._place}"
            case "conformant-with-deviations":
                return f"CONFORMANT{self._place}, with {count(len(self.deviating), 'deviation')}"
            case "not-conformant-known":
                return f"NOT CONFORMANT, {len(self.known)} known"
            case "not-conformant":
                return "NOT CONFORMANT"
            case "not-proven":
                return "NOT PROVEN"
            case "partial":
                return "NO MUST FAILED" if self.failed_others else "NO FAILURE"

    @property
    def headline(self) -> str:
        """The verdict of the run in words: ``NOT CONFORMANT because FIN-004 failed``."""
        return f"{self._verdict}{self._scope}{self._besides}{self._retried}"

    @property
    def _verdict(self) -> str:
        match self.conformity:
            case "not-conformant":
                causes = named([one.id for one in self.causes if one.must])
                more = [one.id for one in self.followers if one.must]
                how = "that may follow from that" if self.supposed.intersection(more) else "after that"
                after = f", and {len(more)} more {how}" if more else ""
                return f"{self.mark} because {causes} failed{after}"
            case "not-proven":
                return f"{self.mark} because {self._why_unproven()}"
            case "partial":
                left_out = count(len(self.left_out), "MUST requirement")
                deviations = f", with {count(len(self.deviating), 'deviation')}" if self.deviating else ""
                about = self._about(self.deviating)
                return f"{self.mark} in what was selected: {left_out} not judged{deviations}{about}"
            case "not-conformant-known":
                others = tuple(one for one in self.deviating if not one.core)
                besides = f"; {count(len(others), 'other deviation')}" if others else ""
                return f"{self.mark}{self._about(self.known)}{besides}{self._about(others)}"
            case "conformant" | "conformant-with-deviations":
                return f"{self.mark}{self._about(self.deviating)}{self.reach}"

    def _about(self, deviating: tuple[RequirementOutcome, ...]) -> str:
        """Which requirements deviations are about, each with what it is; as many as were counted."""
        if not deviating:
            return ""
        unreported = sum(one.unreported for one in deviating)
        of_these = f" ({unreported} unreported)" if unreported else ""
        return f": {named([_told(one) for one in deviating])}{of_these}"

    @property
    def _besides(self) -> str:
        """What failed or has no verdict beside the verdict, so that nothing is hidden behind what errored."""
        if self.conformity in {"not-conformant", "not-proven"}:
            return ""
        others = {"failed": self.failed_others}
        others |= {_BECAUSE[it]: tuple(one for one in self.of(it) if not one.must) for it in UNPROVEN}
        return "".join(
            f"; {named([f'{one.id} ({one.requirement.level})' for one in found])} {what}"
            for what, found in others.items()
            if found
        )

    @property
    def _scope(self) -> str:
        """What was not judged for want of a capability."""
        if not self.not_judged:
            return ""
        comma = "," if self.conformity in CONFORMS else ";"
        return f"{comma} {scope(self.not_judged)}"

    @property
    def _retried(self) -> str:
        """How many first plays were undecided; where that is the verdict, it says so already."""
        told = self.retried and not (self.strict and self.conformity == "not-proven")
        return f"; {retried(len(self.retried))}" if told else ""

    def _why_unproven(self) -> str:
        reasons = [
            f"{named([one.id for one in self.of(standing) if one.must])} {_BECAUSE[standing]}"
            for standing in UNPROVEN
            if any(one.must for one in self.of(standing))
        ]
        if self.needless_waivers:
            reasons.append(f"{named(self.needless_waivers)} passed though waived (remove the waiver)")
        if self.all_waived:
            reasons.append(f"every MUST requirement that was judged is waived: {named(self._waived_ids)}")
        if self.strict and self.retried:
            reasons.append(f"{retried(len(self.retried))} (--strict)")
        if self.strict and self.undecided:
            reasons.append(f"{count(len(self.undecided), 'scenario')} could not be judged (--strict)")
        if not self.complete:
            reasons.insert(0, f"the run is incomplete ({self.reason or 'no reason given'})")
        return " and ".join(reasons)

    @property
    def _waived_ids(self) -> list[str]:
        return [one.id for one in self.waived]

    @property
    def _beyond(self) -> list[RequirementOutcome]:
        """What cannot be judged of an implementation whose requests are not seen; empty for any other."""
        return [one for one in self.of("skipped") if one.reason == IN_PLACE]

    @property
    def _place(self) -> str:
        return " IN PLACE" if self.in_place else ""

    @property
    def reach(self) -> str:
        """How many MUST requirements cannot be judged of it in place, after a comma; empty: none."""
        musts = count(sum(one.must for one in self._beyond), "MUST requirement")
        return f", with {musts} out of reach" if self._beyond else ""

    @property
    def sentence(self) -> str:
        """The one line that ends a run."""
        counts = ", ".join(
            f"{self.standings[name]} {name}"
            for name in STANDINGS
            if name != "not-run" and self.standings.get(name)
        )
        what = "selection" if self.conformity == "partial" else "run"
        state = "complete" if self.complete else f"INCOMPLETE ({self.reason or 'no reason given'})"
        judged = f"{count(self.judged, 'requirement')}: {counts or 'none judged'}"
        return f"{judged}; the {what} is {state}: {self.headline}"


def judge_run(results: Results) -> Outcome:
    """The outcome of a run."""
    header, footer = results.header, results.footer
    against = evidence(results.scenarios)
    own: dict[str, list[ScenarioRecord]] = {}
    for one in results.scenarios:
        own.setdefault(one.requirement, []).append(one)
    requirements = tuple(
        judge_requirement(name, results, tuple(own.get(name, ())), against.get(name, ()))
        for name in _requirement_ids(results)
    )
    failed = [one for one in requirements if one.standing == "failed"]
    failed.sort(key=lambda one: (not one.must, -len(one.broken)))
    broken = [BrokenRequirement(one.id, one.must, one.broken, one.requirement.explains) for one in failed]
    after = wake(broken)
    return Outcome(
        requirements=requirements,
        causes=tuple(one for one in failed if one.id not in after),
        followers=tuple(one for one in failed if one.id in after),
        wake=after,
        supposed=supposed(after, broken, judged=sum(one.history is not None for one in results.scenarios)),
        obstacles=obstacles(telling(results.scenarios), {one.id for one in failed}),
        scenarios=Counter(one.verdict for one in results.scenarios),
        standings=Counter(one.standing for one in requirements),
        complete=footer.complete and bool(header.planned),
        reason=footer.reason or ("" if header.planned else "nothing was planned"),
        not_judged=not_judged(
            header, [one.id for one in requirements if one.standing == "skipped"], results.scenarios
        ),
        retried=tuple(one for one in results.scenarios if one.first),
        undecided=tuple(one for one in telling(results.scenarios) if one.verdict in UNPROVEN),
        strict=header.strict,
        selected=bool(header.suite.selection),
        accept_known=header.accept_known,
        in_place=header.implementation.in_place or any(one.reason == IN_PLACE for one in results.scenarios),
    )


def _told(one: RequirementOutcome) -> str:
    """A requirement with a deviation: its id, what it is, and whether this run shows it."""
    if one.core:
        what = []
    elif one.must:
        what = [f"MUST of {one.requirement.capability}"]
    else:
        what = [one.requirement.level]
    unseen = [] if one.waived else ["not in this run"]
    return f"{one.id} ({', '.join(told)})" if (told := [*what, *unseen]) else one.id


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
