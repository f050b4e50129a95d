"""What speaks against a requirement: the histories that break it, and the deviations that cover some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report.marks import marked
from batchproof.report.records import ScenarioRecord, UnmetClaim, Waiver
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Evidence:
    """A scenario whose history breaks a requirement, and how.

    Attributes:
        unmet: what was expected and observed, with its timeline.
        waived: the deviation that covers it.
    """

    scenario: ScenarioRecord
    unmet: UnmetClaim
    waived: Waiver | None

    @property
    def own(self) -> bool:
        """The scenario is about this requirement; else its history breaks it besides."""
        return self.scenario.requirement == self.unmet.requirement

    @property
    def hearsay(self) -> bool:
        """What did not come about is what other requirements speak of: it may be missing because of these."""
        return bool(self.unmet.speaks_of) and self.unmet.requirement not in self.unmet.speaks_of

    @property
    def clearness(self) -> tuple[bool, bool, bool, bool, int]:
        """What is read first is least.

        That is what is not waived, speaks of the requirement itself, marks the record that breaks it, stands
        in a scenario of its own, and has few moments.
        """
        waived = self.waived is not None
        return waived, self.hearsay, not marked(self.unmet), not self.own, len(self.unmet.timeline)


def evidence(scenarios: Iterable[ScenarioRecord]) -> dict[str, tuple[Evidence, ...]]:
    """All that a run shows against each requirement, the clearest first, what is waived last."""
    found: dict[str, list[Evidence]] = {}
    for scenario in scenarios:
        for one in _against(scenario):
            found.setdefault(one.unmet.requirement, []).append(one)
    return {id_: tuple(sorted(of, key=lambda one: one.clearness)) for id_, of in found.items()}


def _against(scenario: ScenarioRecord) -> Iterator[Evidence]:
    if scenario.unmet and (scenario.verdict == "failed" or scenario.waived):
        yield Evidence(scenario, scenario.unmet, scenario.waived)
    for breach in scenario.breaches:
        yield Evidence(scenario, breach, breach.waived)


@dataclass(frozen=True, slots=True)
class WaiverUse:
    """A deviation of the descriptor, and how often a run has seen what it describes.

    Attributes:
        seen: in how many scenarios its finding was there.
        looked: how many scenarios have shown it, or have passed without it.
    """

    waiver: Waiver
    seen: int
    looked: int

    @property
    def needless(self) -> bool:
        """It was looked for and not seen, and is not intermittent."""
        return bool(self.looked) and not self.seen and not self.waiver.sometimes

    @property
    def how_often(self) -> str:
        """How often it was seen: ``seen in 1 of 3 scenarios``."""
        if not self.looked:
            return "not looked for in this run"
        sometimes = ", it is intermittent" if self.waiver.sometimes else ""
        return f"seen in {self.seen} of {count(self.looked, 'scenario')}{sometimes}"


def waiver_uses(
    admitted: Iterable[Waiver], against: Iterable[Evidence], scenarios: Iterable[ScenarioRecord]
) -> tuple[WaiverUse, ...]:
    """Each deviation from a requirement, with how often it was seen.

    Args:
        admitted: the deviations from it that were in force when the run began.
        against: the evidence against it.
        scenarios: all scenarios of the run.
    """
    seen = [one.waived for one in against if one.waived]
    mine: list[Waiver] = []
    for one in (*admitted, *seen):
        mine += [one] if one not in mine else []
    if not mine:
        return ()
    shown = [(one.scenario.id, one.waived) for one in against if one.waived]
    passed = [one.id for one in scenarios if one.verdict == "passed"]
    return tuple(
        WaiverUse(
            waiver,
            seen=seen.count(waiver),
            looked=seen.count(waiver)
            + sum(id_ == waiver.scenario and (id_, waiver) not in shown for id_ in passed),
        )
        for waiver in mine
    )
