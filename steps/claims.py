"""Steps that claim something: the sentences of all facts, in every form that a claim has.

A fact brings its own sentence (``batchproof.judgement.facts``), and ``batchproof.judgement.forms`` the words
for how long it is claimed: ``2 pods are active``, ``eventually 2 pods are active``, ``for 2 seconds 2 pods
are active``. Here is what is made to happen first (``once the faults end ...``), and what no sentence says
but the scenario knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from pytest_bdd import step

from batchproof.judgement.claims import Claim, Role
from batchproof.judgement.facts import Fact, every
from batchproof.judgement.fault_words import views_pattern
from batchproof.profiles import profiles
from batchproof.profiles import verbs as makers
from batchproof.profiles import verbs as verbs_of_profiles
from batchproof.specification.verbs import Spoken, spoken_of
from batchproof.specification.vocabulary import ClaimSentence
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _catching_up(plural: str) -> Callable[[World], object]:
    return lambda world: world.faults.thaw(world.resource(plural))


def _happening(verbs: str, one: Spoken) -> Callable[[World], object]:
    """What makes a verb happen, with the arguments that it has after ``once``."""
    make, given = makers()[verbs], {**(one.once or {}), **one.fixed}
    return lambda world: getattr(world.verbs(make), one.verb)(**given)


ONCE: Mapping[str, Callable[[World], object]] = {
    "the faults end": lambda world: world.faults.lift(),
    **{f"the view of {plural} catches up": _catching_up(plural) for plural in views_pattern().split("|")},
    **{
        one.sentence.template.write(one.once): _happening(verbs, one)
        for verbs, owner in verbs_of_profiles().items()
        for one in spoken_of(owner)
        if one.once is not None
    },
}
"""What is made to happen before a claim that begins with ``once``."""

BESIDE: Mapping[str, Callable[[World], Mapping[str, Any]]] = {
    "written": lambda world: {"since": world.seen.last},
    **{fact: find for profile in profiles().values() for fact, find in profile.given.items()},
}
"""The arguments of facts that their sentences do not say."""

SEES = [profile.sees for profile in profiles().values() if profile.sees]
"""What profiles make sure of before a fact is claimed."""

OF_THE_HARNESS = {"faults_struck"}
"""Facts that are no failure of the implementation: the harness itself makes them true."""


def claiming(it: Fact) -> Callable[[World, str, list[Claim]], None]:
    """The step that claims a fact."""

    def claimed(world: World, once: str, claims: list[Claim]) -> None:
        if once:
            ONCE[once](world)
        for claim in claims:
            for sees in SEES:
                sees(world, claim.fact)
            beside = BESIDE[it.name](world) if it.name in BESIDE else {}
            call = replace(claim.fact, arguments={**claim.fact.arguments, **beside})
            role = Role.PRECONDITION if it.name in OF_THE_HARNESS else claim.role
            world.claim(replace(claim, fact=call, role=role))

    claimed.__name__ = it.name
    return claimed


for fact in every():  # where an argument is unknown here, a verb of the World makes the claim
    if fact.name in BESIDE or fact.defaults.keys() >= {*fact.beside}:
        step(ClaimSentence(fact, ONCE))(claiming(fact))
