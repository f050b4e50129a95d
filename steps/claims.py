"""Steps that claim something: the sentences of all facts, in every form that a claim has.

A fact brings its own sentence (``batchproof.judgement.facts``), and ``batchproof.judgement.forms`` the words
for how long it is claimed: ``2 pods are active``, ``in the end 2 pods are active``, ``for 2 seconds 2 pods
are active``. Here is what is made to happen first (``once the faults end ...``), and what no sentence says
but the scenario knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from pytest_bdd import step

from batchproof.judgement.claims import Role
from batchproof.judgement.facts import every
from batchproof.specification.vocabulary import ClaimSentence
from batchproof.world import JOB, World

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from batchproof.judgement.claims import Claim
    from batchproof.judgement.facts import Fact

ONCE: Mapping[str, Callable[[World], object]] = {
    "the faults end": lambda world: world.lift(),
    "the terminating pods end": lambda world: world.terminate_pods(),
    "the user resumes the Job": lambda world: world.patch_job(JOB, suspend=False),
    "the view of jobs catches up": lambda world: world.thaw(world.resource("jobs")),
    "the view of pods catches up": lambda world: world.thaw(world.resource("pods")),
    "the view of services catches up": lambda world: world.thaw(world.resource("services")),
    "the view of podgroups catches up": lambda world: world.thaw(world.resource("podgroups")),
    "the view of tfjobs catches up": lambda world: world.thaw(world.resource("tfjobs")),
}
"""What is made to happen before a claim that begins with ``once``."""

BESIDE: Mapping[str, Callable[[World], Mapping[str, Any]]] = {
    "pods_counted": lambda world: world.gangs.counts,
    "deadline_punctual": lambda world: {"scale": world.scale},
    "in_phase": lambda world: world.gangs.phases,
    "group_gone": lambda world: {"resource": world.gangs.counts["resource"]},
    "queue_got_more": lambda world: {"since": world.since("room appears")},
    "report_withdrawn": lambda world: world.gangs.signs,
    "reported": lambda world: world.gangs.signs,
    "shares_given": lambda world: world.gangs.shares,
    "written": lambda world: {"since": world.seen.last},
}
"""The arguments of facts that their sentences do not say."""

OF_GANGS = {"gang", "gangs", "queue"}
"""The arguments of facts that are judged only while each gang has the minimum that it was made with."""

OF_THE_HARNESS = {"faults_struck"}
"""Facts that can accuse nobody: the harness itself makes them true."""


def claiming(it: Fact) -> Callable[[World, str, list[Claim]], None]:
    """The step that claims a fact."""

    def claimed(world: World, once: str, claims: list[Claim]) -> None:
        if once:
            ONCE[once](world)
        for claim in claims:
            if not OF_GANGS.isdisjoint(claim.fact.arguments):
                world.gangs.see_minimums()
            beside = BESIDE[it.name](world) if it.name in BESIDE else {}
            call = replace(claim.fact, arguments={**claim.fact.arguments, **beside})
            role = Role.PRECONDITION if it.name in OF_THE_HARNESS else claim.role
            world.claim(replace(claim, fact=call, role=role))

    claimed.__name__ = it.name
    return claimed


for fact in every():  # where an argument is unknown here, a verb of the World makes the claim
    if fact.name in BESIDE or fact.defaults.keys() >= {*fact.beside}:
        step(ClaimSentence(fact, ONCE))(claiming(fact))
