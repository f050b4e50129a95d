"""A run of the fault grid: how the plays under each fault profile ended, what differs, what was left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report.records import LEFT_OUT, Planned, ScenarioRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEVER_TRIGGERED = "fault never "
"""How the reason begins where no fault of the profile was triggered, in the words of every version."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A scenario with what it came to under each fault profile.

    Attributes:
        title: the title of the scenario.
        verdicts: the verdict of each play, by fault profile.
    """

    title: str
    feature: str
    verdicts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Grid:
    """What a run of the grid came to.

    Attributes:
        profiles: the fault profiles, in their order.
        counts: how many plays under each ended with which verdict; those that are left out do not count.
        rows: each scenario that was played under faults.
        differing: the plays that are failed, or break another requirement.
        left_out: how many scenarios are left out, by why.
    """

    profiles: tuple[str, ...]
    counts: Mapping[str, Mapping[str, int]]
    rows: tuple[GridRow, ...]
    differing: tuple[ScenarioRecord, ...]
    left_out: Mapping[str, int]


def grid(planned: Iterable[Planned], scenarios: Iterable[ScenarioRecord]) -> Grid | None:
    """The grid of a run; None if it was none."""
    profiles = tuple(dict.fromkeys(one.fault for one in planned if one.fault))
    if not profiles:
        return None
    counts: dict[str, Counter[str]] = {name: Counter() for name in profiles}
    rows: dict[tuple[str, str, str | None], dict[str, str]] = {}
    left_out: dict[tuple[str, str, str | None], str] = {}
    differing: list[ScenarioRecord] = []
    for one in scenarios:
        key = (one.feature, one.name, one.example)
        if one.reason.startswith(LEFT_OUT):
            left_out[key] = one.reason.removeprefix(LEFT_OUT)
        elif one.fault:
            counts[one.fault][one.verdict] += 1
            rows.setdefault(key, {})[one.fault] = one.verdict
            if one.verdict == "failed" or any(breach.waived is None for breach in one.breaches):
                differing.append(one)
    return Grid(
        profiles,
        counts,
        tuple(
            GridRow(f"{name} [{example}]" if example else name, feature, verdicts)
            for (feature, name, example), verdicts in rows.items()
        ),
        tuple(differing),
        Counter(left_out.values()),
    )


def idle(one: ScenarioRecord) -> bool:
    """No fault of its profile was triggered: the play shows nothing, and is no trouble by itself."""
    return bool(one.fault) and one.verdict == "inconclusive" and one.reason.startswith(NEVER_TRIGGERED)


def telling(scenarios: Iterable[ScenarioRecord]) -> tuple[ScenarioRecord, ...]:
    """The scenarios without the idle ones of faults under which others were judged."""
    kept = tuple(scenarios)
    played = {one.fault for one in kept if one.fault and one.verdict in {"passed", "failed"}}
    return tuple(one for one in kept if not (idle(one) and one.fault in played))
