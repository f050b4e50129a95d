"""The profile ``gang``: what a scheduler owes to pods that are of use only together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.cell.scope import BASICS, Collection
from batchproof.errors import HarnessError
from batchproof.judgement.claims import always, eventually
from batchproof.judgement.facts.gangs import gang_bound, gang_bound_at_most
from batchproof.judgement.finding import Unmet
from batchproof.profiles.profile import Profile, Trial, requests
from batchproof.resources import NODES

if TYPE_CHECKING:
    from batchproof.descriptor.implementation import Implementation
    from batchproof.world import World


def _collections(implementation: Implementation) -> tuple[Collection, ...]:
    """Its nodes, and the groups of its dialect."""
    nodes = Collection(NODES, namespaced=False)
    groups = [Collection(implementation.dialect.group.resource)] if implementation.dialect else []
    return (*BASICS, nodes, *groups)


def _acts(world: World, implementation: Implementation) -> Trial:
    acts = "it binds a gang of two pods"
    descriptor, alone = implementation.descriptor, ""
    try:
        world.gangs.add_node("2")
        world.gangs.add("a", 2)
        world.gangs.add_pods("a", 1)
        try:
            world.claim(always(gang_bound_at_most(gang="a", count=0)))
        except Unmet:
            alone = (
                "A pod of it was bound alone, though: either GNG-001 fails, or 'dialect.member' is not how "
                "its users make a pod a member."
            )
        world.gangs.add_pods("a", 1)
        world.claim(eventually(gang_bound(gang="a", count=2), within="settle"))
    except Unmet:
        advice = (
            f"It made {requests(world)} requests, but no binding. Does {descriptor} start the scheduler with "
            "{kubeconfig} and without leader election, is it configured with the name "
            f"{world.gangs.dialect.scheduler!r} of 'dialect.scheduler', and is 'dialect' how its users spell "
            "a gang?"
        )
        return Trial(holds=False, text=acts, advice=advice)
    except HarnessError as error:
        return Trial(holds=False, text=acts, advice=f"{error}\nLook at 'dialect' in {descriptor}.")
    return Trial(holds=True, text=acts, advice=alone)


PROFILE = Profile(name="gang", reference="reference-scheduler", collections=_collections, acts=_acts)
