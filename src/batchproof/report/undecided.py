"""What could not be judged, grouped by what did not come about.

One thing that an implementation does not do leaves many scenarios inconclusive: they are not many troubles
but one, and a report says it once, with the requirement that speaks of it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report.records import ScenarioRecord
from batchproof.report.wording import count, joined

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why scenarios could not be judged.

    Attributes:
        what: what did not come about, in words, the most frequent first; empty if ``why`` says it all.
        why: the reason of the scenarios: ``precondition``, ``fault never triggered``, ...
        speaks_of: the requirements whose scenarios judge what did not come about.
        broken: those of them that this run has found broken.
        scenarios: the scenarios that are inconclusive because of it.
    """

    what: tuple[str, ...]
    why: str
    speaks_of: tuple[str, ...]
    broken: tuple[str, ...]
    scenarios: tuple[ScenarioRecord, ...]

    @property
    def text(self) -> str:
        """One sentence: ``12 scenarios could not be judged: precondition not met: "3 pods are running"``."""
        return f"{count(len(self.scenarios), 'scenario')} could not be judged: {self.cause}"

    @property
    def cause(self) -> str:
        """What did not come about, and which requirement speaks of it."""
        shown = self.what[:_MOST_SHOWN]
        more = [f"{len(self.what) - len(shown)} more"] if len(self.what) > len(shown) else []
        if self.why != PRECONDITION:
            return f"{self.why}: {joined([*shown, *more])}" if shown else self.why
        quoted = joined([f'"{one}"' for one in shown] + more)
        return f"precondition not met: {quoted}{_speaking(self.speaks_of, self.broken)}"

    @property
    def requirements(self) -> tuple[str, ...]:
        """The requirements of the scenarios, each once."""
        return tuple(dict.fromkeys(one.requirement for one in self.scenarios))


PRECONDITION = "precondition"
"""The reason of a scenario in which a claim of a Given or a When did not hold."""


def obstacles(scenarios: Iterable[ScenarioRecord], broken: Collection[str]) -> tuple[Obstacle, ...]:
    """The inconclusive ones among the scenarios, grouped; what follows from a broken requirement comes first.

    Args:
        scenarios: all scenarios of a run.
        broken: the requirements that the run has found broken.
    """
    groups: dict[tuple[str, ...], list[ScenarioRecord]] = {}
    for one in scenarios:
        if one.verdict == "inconclusive":
            groups.setdefault(_key(one), []).append(one)
    found = (_obstacle(group, broken) for group in groups.values())
    return tuple(sorted(found, key=lambda one: (not one.broken, -len(one.scenarios))))


def why_undecided(scenario: ScenarioRecord, broken: Collection[str] = ()) -> str:
    """Why one scenario is inconclusive: what did not come about in it, and what speaks of that."""
    missing = scenario.precondition
    if missing is None:
        return scenario.reason or "no reason given"
    speaking = _speaking(missing.speaks_of, [one for one in missing.speaks_of if one in broken])
    return f'precondition not met: "{missing.expected}"{speaking}'


def _obstacle(scenarios: list[ScenarioRecord], broken: Collection[str]) -> Obstacle:
    first = scenarios[0]
    what = Counter(_what(one) for one in scenarios)
    speaks_of = first.precondition.speaks_of if first.precondition else ()
    return Obstacle(
        what=tuple(one for one, _ in what.most_common() if one),
        why=PRECONDITION if first.precondition else _head(first),
        speaks_of=speaks_of,
        broken=tuple(one for one in speaks_of if one in broken),
        scenarios=tuple(scenarios),
    )


def _key(scenario: ScenarioRecord) -> tuple[str, ...]:
    """What a group shares: the requirements that speak of it, or the words but for their numbers."""
    missing = scenario.precondition
    if missing is None:
        return ("", _head(scenario))
    return missing.speaks_of or ("", re.sub(r"\d+", "#", missing.expected))


def _what(scenario: ScenarioRecord) -> str:
    missing = scenario.precondition
    return missing.expected if missing else scenario.reason.partition(": ")[2]


def _head(scenario: ScenarioRecord) -> str:
    return scenario.reason.partition(": ")[0] or "no reason given"


def _speaking(speaks_of: Collection[str], broken: Collection[str]) -> str:
    """``; FIN-004 covers that, and failed``."""
    if not speaks_of:
        return ""
    if broken:
        return f"; {joined(list(broken))} {'covers' if len(broken) == 1 else 'cover'} that, and failed"
    return f"; {joined(list(speaks_of))} {'covers' if len(speaks_of) == 1 else 'cover'} that"
