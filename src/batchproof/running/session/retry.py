"""Which scenarios are played a second time: those that a bad moment may have kept from a verdict.

A scenario that is inconclusive or errored says nothing about the implementation; where the machine stood
still for some seconds a few of hundreds are. A verdict is never asked for again: neither one that failed nor
one that passed. See ADR 0019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.conclusion import AROUND
from batchproof.report.records import FACT_BROKE, FirstPlay, ScenarioRecord
from batchproof.report.undecided import why_undecided
from batchproof.report.wording import errored_because

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

UNDECIDED = ("inconclusive", "errored")
_AT_LEAST = 3
_ONE_IN = 20


def second_plays(played: Collection[ScenarioRecord], levels: Mapping[str, str]) -> tuple[str, ...]:
    """The ids of the scenarios to play a second time, in the order of their first.

    None where a MUST is not met: then the run has its verdict, and what could not be judged mostly follows
    from that. None where more than a few have no verdict: that is no moment. And of those in which the same
    MUST did not come about, the first only: what happens twice is no moment either.

    Args:
        played: all that were.
        levels: the level of each requirement.
    """
    if any(_breaks_a_must(one, levels) for one in played):
        return ()
    undecided = [one for one in played if one.verdict in UNDECIDED and one.first is None]
    if not few(len(undecided), len(played)):
        return ()
    excused: set[str] = set()
    chosen: list[str] = []
    for one in undecided:
        spoken = _spoken_musts(one, levels)
        if not _by_chance(one) or one.breaches or excused & spoken:
            continue
        excused |= spoken
        chosen.append(one.id)
    return tuple(chosen)


def _spoken_musts(one: ScenarioRecord, levels: Mapping[str, str]) -> set[str]:
    """The MUST requirements that speak of what did not come about, unless the machine was slow."""
    missing = one.precondition
    if missing is None or missing.slow:
        return set()
    return {requirement for requirement in missing.speaks_of if levels.get(requirement, "MUST") == "MUST"}


def few(undecided: int, played: int) -> bool:
    """Whether that many without a verdict may come from a busy moment, and not from the implementation."""
    return undecided <= max(_AT_LEAST, played // _ONE_IN)


def _by_chance(one: ScenarioRecord) -> bool:
    """A bad moment may be the reason: a fact that breaks, and a write around the proxy, have others."""
    return one.reason != FACT_BROKE and not one.reason.startswith(AROUND)


def first_run(one: ScenarioRecord) -> FirstPlay:
    """What is kept of a play without a verdict."""
    why = errored_because(one.reason, one.error)[0] if one.verdict == "errored" else why_undecided(one)
    return FirstPlay(verdict=one.verdict, why=why, history=one.history, history_digest=one.history_digest)


def _breaks_a_must(one: ScenarioRecord, levels: Mapping[str, str]) -> bool:
    broken = [breach.requirement for breach in one.breaches if breach.waived is None]
    if one.verdict == "failed":
        broken.append(one.requirement)
    return any(levels.get(requirement, "MUST") == "MUST" for requirement in broken)
