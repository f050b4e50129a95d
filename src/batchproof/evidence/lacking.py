"""What the history of a scenario does not have that the claims manifest of the suite demands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.descriptor.implementation import Implementation
from batchproof.evidence.claims import REPEATED, SINCE, Demand, Demands, of_the_run
from batchproof.evidence.deeds import undone
from batchproof.evidence.played import Made, PlayedSteps
from batchproof.ground.matching import fits
from batchproof.judgement.claims import Claim, Role
from batchproof.judgement.facts.actions import step_finds
from batchproof.judgement.values import in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_AS_NEEDED = {"volcano_active_pods", "volcano_active_task_pods", "volcano_terminating_at_least"}
"""What a step waits for only where it is not so already: a precondition that may be there or not."""
_LONGER = {"active_among", "active_pods"}
"""What a step waits for longer where the pods may be replacements, which come late."""
_OF_THE_DELAY = ("reaction", "recovery")
_WITH_ROOM = "room_was_free"
"""A precondition of gangs that wait, but where their pods were refused when they were created."""


def lacking(
    demands: Demands,
    found: PlayedSteps,
    requirement: str,
    implementation: Implementation,
    *,
    whole: bool,
    in_grid: bool = False,
) -> Iterator[str]:
    """What a history does not have that its scenario demands, in words.

    Args:
        demands: of the scenario.
        found: how it was played.
        requirement: the scenario's own.
        implementation: the one that was judged.
        whole: the scenario came to its end; else what is missing after its last claim is no lack.
        in_grid: it was played for a fault grid, though without faults.
    """
    yield from _claims_lacking(demands, found, requirement, implementation, whole=whole)
    yield from _faults_lacking(demands, found, whole=whole)
    yield from undone(demands.did, found.did, whole=whole, in_grid=in_grid)


def _claims_lacking(
    demands: Demands, found: PlayedSteps, requirement: str, implementation: Implementation, *, whole: bool
) -> Iterator[str]:
    place = 0
    for made in found.claims:
        wrong = "nothing"
        while place < len(demands.claims):
            demand = demands.claims[place]
            wrong = _differs(demand, made, requirement, implementation)
            if not wrong or not _may_lack(demand, found):
                break
            place, wrong = place + 1, "nothing"
        if wrong:
            if demands.from_words or _as_needed(made):
                continue  # a verb made it: what no run has shown is not known
            yield f"in step {made.step + 1} it claims {made.claim.text!r}; the suite: {wrong}"
            return
        yield from _looks_back(demands.claims[place], made, found)
        yield from limit_of(made.claim, requirement, implementation)
        if demands.claims[place].fact not in REPEATED:
            place += 1
    missing = [one for one in demands.claims[place:] if not _may_lack(one, found)]
    if whole and missing:
        one = missing[0]
        claim = f"{one.quantifier} {one.fact} ({in_words(one.arguments)})"
        yield f"in step {one.step + 1} it lacks the claim {claim}"


def _may_lack(demand: Demand, found: PlayedSteps) -> bool:
    """Whether a run need not make a claim."""
    if demand.optional:
        return True
    is_precondition = demand.role is Role.PRECONDITION
    return is_precondition and (demand.fact in _AS_NEEDED or (demand.fact == _WITH_ROOM and found.refused))


def _as_needed(made: Made) -> bool:
    return made.claim.role is Role.PRECONDITION and made.claim.fact.name in {*_AS_NEEDED, step_finds.__name__}


def _differs(demand: Demand, made: Made, requirement: str, implementation: Implementation) -> str:
    """How a claim is not the one that is demanded; empty if it is."""
    claim = made.claim
    asked = dict(claim.fact.arguments)
    for name in (SINCE, REPEATED.get(demand.fact, "")):
        asked.pop(name, None)
    wanted = {**demand.arguments, **of_the_run(demand.fact, implementation)}
    have = (made.step, claim.quantifier, claim.fact.name, asked, claim.role, claim.requirement)
    want = (
        demand.step,
        demand.quantifier,
        demand.fact,
        wanted,
        demand.role,
        demand.requirement or requirement,
    )
    limits = demand.limits
    if demand.role is Role.PRECONDITION and demand.fact in _LONGER:
        limits = (*limits, *_OF_THE_DELAY)
    if have == want and claim.limit in limits:
        return ""
    return f"{demand.quantifier} {demand.fact} ({in_words(wanted)}) by {' or '.join(demand.limits)}"


def _looks_back(demand: Demand, made: Made, found: PlayedSteps) -> Iterator[str]:
    """A fact that looks back to a record looks back to the step of the manifest, before all that it does."""
    since, wanted = made.claim.fact.arguments.get(SINCE), demand.back_to
    if since is None or wanted is None:
        return
    if made.back_to != wanted or since >= found.first[wanted]:
        yield (
            f"in step {made.step + 1} {made.claim.fact.name} looks back to record {since}, not to where "
            f"step {wanted + 1} begins"
        )


def limit_of(claim: Claim, requirement: str, implementation: Implementation) -> Iterator[str]:
    """The deadline is that of the suite, for this implementation."""
    scaled = claim.scaled(implementation.time_scale, requirement, implementation.longest_backoff_s)
    if claim.limit_s != scaled.limit_s:
        yield (
            f"the claim {claim.sentence!r} had {claim.limit_s:g} s; its deadline {claim.limit!r} is "
            f"{scaled.limit_s:g} s"
        )


def _faults_lacking(demands: Demands, found: PlayedSteps, *, whole: bool) -> Iterator[str]:
    if demands.from_words:
        return
    for wanted, armed in zip(demands.faults, found.faults, strict=False):
        if armed.step != wanted.step or not fits(armed.text, wanted.text):
            yield f"in step {armed.step + 1} it arms {armed.text!r}; the suite: {wanted.text!r}"
            return
    if len(found.faults) > len(demands.faults):
        yield f"it arms {found.faults[len(demands.faults)].text!r}, which the suite does not"
    elif whole and len(found.faults) < len(demands.faults):
        yield f"it never arms {demands.faults[len(found.faults)].text!r}"
