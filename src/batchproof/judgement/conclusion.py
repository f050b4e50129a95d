"""What the claims and invariants of a history come to: the verdict of one scenario. It is pure.

A scenario has the verdict of its own requirement and of no other:

- a claim of a Then that does not hold, or an invariant of the scenario's own requirement: *failed*;
- a claim of a Given or a When that does not hold: *inconclusive*, for nothing was shown;
- a fault that was never triggered, or no proof that the implementation was alive: *inconclusive*;
- a claim that was waited for in vain while the API server was slow to answer, or while the implementation
  had no processor: *inconclusive*;
- a write around the proxy, whatever else there is: *errored*, for faults and record were evaded;
- what the history breaks besides stands in ``breaches``, each under the requirement that speaks of it.

Where both a claim and an invariant of one requirement are broken, the invariant is shown: it judges the
sentence itself, the claim what the scenario makes of it, which may end with a record that breaks nothing. A
claim is shown that marks the same record and was not waited for in vain. A breach that a deviation excuses is
shown only if none of the same requirement is without an excuse.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from batchproof.judgement.claims import Judged, Role
from batchproof.judgement.facts.writes import faults_struck
from batchproof.judgement.finding import Excused, Finding, nothing_excused, worse
from batchproof.judgement.history import WrittenAround
from batchproof.judgement.timeline import WAITED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Verdict(StrEnum):
    """The outcome of a scenario; see the table of words in docs/how-to/read-a-report.md."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    ERRORED = "errored"
    SKIPPED = "skipped"


AROUND = "written around the proxy"
"""How the reason of a verdict begins that is errored because of what no recorded request explains."""
PRECONDITION = "precondition"
"""The reason of a verdict that is inconclusive because of a Given or a When."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The verdict of a scenario, and what it rests on.

    Attributes:
        reason: why it is inconclusive.
        unmet: how the scenario's own requirement is broken.
        precondition: the claim of a Given or a When that does not hold.
        breaches: the first breach of each other requirement.
    """

    verdict: Verdict
    reason: str = ""
    unmet: Finding | None = None
    precondition: Judged | None = None
    breaches: tuple[Finding, ...] = ()


def conclude(
    requirement: str,
    judged: Iterable[Judged],
    breaches: Iterable[Finding],
    unfired: Sequence[str],
    excused: Excused = nothing_excused,
) -> Conclusion:
    """The verdict on a requirement.

    Args:
        requirement: the id of the scenario's own.
        judged: every claim with its finding, in order.
        breaches: what the invariants found, of whatever requirement.
        unfired: the faults that were never triggered.
        excused: whether a deviation covers a breach.
    """
    first, stopped = _claimed(requirement, judged, excused)
    for breach in breaches:
        claimed = first.get(breach.requirement)
        if claimed is None or _shown(breach, claimed, excused):
            first[breach.requirement] = breach
    unmet = first.pop(requirement, None)
    others = tuple(first.values())
    if unmet:
        return Conclusion(Verdict.FAILED, unmet=unmet, breaches=others)
    if stopped:
        return replace(_undecided(stopped, unfired), breaches=others)
    if unfired:
        return Conclusion(Verdict.INCONCLUSIVE, _never_triggered(unfired), breaches=others)
    return Conclusion(Verdict.PASSED, breaches=others)


def _claimed(
    requirement: str, judged: Iterable[Judged], excused: Excused
) -> tuple[dict[str, Finding], Judged | None]:
    """The first broken claim of each requirement, and the undecided claim with which the scenario ended."""
    first: dict[str, Finding] = {}
    for one in sorted(judged, key=lambda one: one.opened_s):  # what has to stay so is closed last
        if one.outcome == "broken":
            finding = replace(one.finding, speaks_of=speaks_of(one))
            if worse(first.get(one.claim.requirement), finding, excused):
                first[one.claim.requirement] = finding
            if one.claim.requirement == requirement and not excused(finding):
                break
        elif one.outcome == "undecided" and one.claim.role is not Role.WAITED:
            return first, one
    return first, None


def _shown(breach: Finding, claimed: Finding, excused: Excused) -> bool:
    """Whether the breach of an invariant is shown, and not the broken claim of the same requirement.

    If they mark the same record they are one breach: what excuses one of them excuses both.
    """
    if excused(breach) == excused(claimed):
        return not _as_clear(claimed, breach)
    return excused(breach) if _same(claimed, breach) else excused(claimed)


def _same(claimed: Finding, breach: Finding) -> bool:
    """Whether a broken claim and the breach of an invariant mark the same record."""
    return not {*claimed.decisive}.isdisjoint(breach.decisive)


def _as_clear(claimed: Finding, breach: Finding) -> bool:
    """Whether a broken claim shows the breach of an invariant as well as that itself.

    It does if it marks the same record, and was not waited for in vain.
    """
    in_vain = any(moment.subject == WAITED for moment in claimed.timeline)
    return not in_vain and _same(claimed, breach)


def evaded(around: Sequence[WrittenAround]) -> Conclusion | None:
    """What a scenario comes to, whatever else is in its history, if a client wrote around the proxy in it."""
    if not around:
        return None
    more = f", and {len(around) - 1} more" if around[1:] else ""
    reason = (
        f"{AROUND}: {around[0]}{more}. Neither batchproof nor a request through the proxy explains it: "
        "let the implementation know the API server by {kubeconfig} alone"
    )
    return Conclusion(Verdict.ERRORED, reason)


def _undecided(stopped: Judged, unfired: Sequence[str]) -> Conclusion:
    """What a claim comes to that does not hold and is no failure of the implementation."""
    finding = stopped.finding
    if stopped.claim.role is Role.PROOF:
        reason = f"no proof of life: needs {finding.expected}; observed {finding.observed}"
        return Conclusion(Verdict.INCONCLUSIVE, reason)
    if stopped.slow and stopped.claim.role is Role.JUDGED and stopped.grounded:
        return Conclusion(Verdict.INCONCLUSIVE, stopped.slow)
    if stopped.claim.role is Role.JUDGED or stopped.claim.fact.name == faults_struck.__name__:
        return Conclusion(Verdict.INCONCLUSIVE, _never_triggered(unfired))
    return Conclusion(Verdict.INCONCLUSIVE, PRECONDITION, precondition=stopped)


def _never_triggered(unfired: Sequence[str]) -> str:
    return f"fault never triggered: {'; '.join(unfired)}"


def speaks_of(judged: Judged) -> tuple[str, ...]:
    """The requirements whose own scenarios judge what a claim is about."""
    return judged.claim.fact.fact.judged_by
