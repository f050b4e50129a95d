"""What a scenario demands, measured: from the histories of runs that passed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from batchproof.evidence.claims import OF_THE_RUN, REPEATED, SINCE, Demand, DemandedFault, Demands
from batchproof.evidence.deeds import common
from batchproof.evidence.played import Made, PlayedSteps
from batchproof.ground.errors import UserError
from batchproof.judgement.claims import Role
from batchproof.judgement.values import in_words

if TYPE_CHECKING:
    from collections.abc import Sequence


def demands_of(id_: str, requirement: str, runs: Sequence[PlayedSteps]) -> Demands:
    """What a scenario demands, from runs that passed it.

    Args:
        id_: its id.
        requirement: its own.
        runs: one or more.

    Raises:
        UserError: the runs differ in more than what may differ.
    """
    first, *others = ([demand_of(made, requirement) for made in one.claims] for one in runs)
    claims = _once(first)
    for other in others:
        claims = _merged(id_, claims, _once(other))
    at_will = {one.step for one in claims if one.fact in REPEATED}
    did = tuple(
        None if step in at_will else done for step, done in enumerate(common([one.did for one in runs]))
    )
    return Demands(id_, tuple(claims), _faults(id_, [one.faults for one in runs]), did=did)


def demand_of(made: Made, requirement: str) -> Demand:
    """The demand that a claim of a history meets."""
    claim = made.claim
    spoken = "" if claim.requirement == requirement else claim.requirement
    varies = {SINCE, REPEATED.get(claim.fact.name), *OF_THE_RUN.get(claim.fact.name, ())}
    arguments = {name: value for name, value in claim.fact.arguments.items() if name not in varies}
    of = (made.step, claim.quantifier, claim.fact.name, (claim.limit,), arguments, claim.role, spoken)
    return Demand(*of, back_to=made.back_to)


def _once(claims: Sequence[Demand]) -> list[Demand]:
    """Claims of which one that a step repeats stands once, and need not be made."""
    kept: list[Demand] = []
    for one in claims:
        if one.fact in REPEATED:
            one = msgspec.structs.replace(one, optional=True)  # noqa: PLW2901
        if not (one.fact in REPEATED and one in kept):
            kept.append(one)
    return kept


def _merged(id_: str, ours: Sequence[Demand], theirs: Sequence[Demand]) -> list[Demand]:
    """The claims of two runs: what only one makes is optional, if it judges nothing."""
    merged: list[Demand] = []
    left = list(theirs)
    for one in ours:
        place = next((at for at, other in enumerate(left) if _same(one, other)), None)
        if place is None:
            merged.append(_may_lack(id_, one))
            continue
        merged += (_may_lack(id_, other) for other in left[:place])
        other = left[place]
        limits = tuple(dict.fromkeys((*one.limits, *other.limits)))
        optional = one.optional or other.optional
        merged.append(msgspec.structs.replace(one, limits=limits, optional=optional))
        del left[: place + 1]
    return merged + [_may_lack(id_, other) for other in left]


def _same(one: Demand, other: Demand) -> bool:
    """The same claim but for its limit, which a precondition may have another of."""
    alike = msgspec.structs.replace(other, limits=one.limits, optional=one.optional)
    return one == alike and (one.role is not Role.JUDGED or {*other.limits} <= {*one.limits})


def _may_lack(id_: str, one: Demand) -> Demand:
    if one.role is Role.JUDGED and not one.optional:
        raise UserError(
            f"{id_}: only one of two runs that passed claims {one.fact} ({in_words(one.arguments)})"
        )
    return msgspec.structs.replace(one, optional=True)


def _faults(id_: str, runs: Sequence[Sequence[DemandedFault]]) -> tuple[DemandedFault, ...]:
    first, *others = runs
    merged = list(first)
    for other in others:
        if [one.step for one in other] != [one.step for one in merged]:
            raise UserError(f"{id_}: two runs that passed it arm other faults")
        merged = [
            DemandedFault(one.step, _common(one.text, two.text))
            for one, two in zip(merged, other, strict=True)
        ]
    return tuple(merged)


def _common(one: str, other: str) -> str:
    """Two texts of as many words, with ``*`` for each word that differs."""
    pairs = zip(one.split(" "), other.split(" "), strict=True)
    return " ".join(ours if ours == theirs else "*" for ours, theirs in pairs)
