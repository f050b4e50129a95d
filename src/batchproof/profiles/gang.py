"""The profile ``gang``: what a scheduler owes to pods that are of use only together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.cell.scope import BASICS, Collection
from batchproof.errors import HarnessError
from batchproof.exploration import gangs
from batchproof.judgement.claims import always, eventually
from batchproof.judgement.facts.gangs import gang_bound, gang_bound_at_most
from batchproof.judgement.finding import Inconclusive, Unmet
from batchproof.judgement.things.native import WORKLOADS
from batchproof.profiles.profile import Profile, Trial, requests
from batchproof.resources import NODES

if TYPE_CHECKING:
    from batchproof.descriptor.implementation import Implementation
    from batchproof.world import World


def _collections(implementation: Implementation) -> tuple[Collection, ...]:
    """Its nodes, what tells of gangs in its dialect, their trees, and the Workloads of Jobs."""
    nodes = Collection(NODES, namespaced=False)
    dialect = implementation.dialect
    groups = [Collection(dialect.told_by)] if dialect and dialect.told_by else []
    if dialect and dialect.tree and "GangTrees" in implementation.capabilities:
        groups.append(Collection(dialect.tree.spelling.resource))
    if "JobWorkloads" in implementation.capabilities:
        groups.append(Collection(WORKLOADS))
    return (*BASICS, nodes, *groups)


def _acts(world: World, implementation: Implementation) -> Trial:
    """It binds a gang, and that of a Job if it declares these."""
    bound = _binds_a_gang(world, implementation)
    with_jobs = bound.holds and "GangJobs" in implementation.capabilities
    return _binds_a_gang_job(world, implementation, bound) if with_jobs else bound


def _binds_a_gang_job(world: World, implementation: Implementation, before: Trial) -> Trial:
    acts = f"{before.text}, and that of a Job"
    advice = f"Is 'dialect.job' in {implementation.descriptor} how its users make the pods of a Job a gang, "
    advice += "and does the Job controller that heeds it run?"
    try:
        world.gangs.add_node("2")
        world.gangs.add_job("b", 2, 2)
        world.claim(eventually(gang_bound(gang="b", count=2), within="settle"))
    except (HarnessError, Inconclusive, Unmet) as error:
        what = "" if isinstance(error, Unmet) else f"{error}\n"
        return Trial(holds=False, text=acts, advice=what + advice)
    return Trial(holds=True, text=acts, advice=before.advice)


def _binds_a_gang(world: World, implementation: Implementation) -> Trial:
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


PROFILE = Profile(
    name="gang",
    reference="reference-scheduler",
    variants=("reference-scheduler-native",),
    collections=_collections,
    acts=_acts,
    rules=gangs.begin,
)
