"""The profile ``gang``: what a scheduler owes to pods that are of use only together."""

from __future__ import annotations

from types import MappingProxyType

from batchproof.cell.scope import Collection
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import NODES, WORKLOADS
from batchproof.judgement.claims import always, eventually
from batchproof.judgement.facts import FactCall
from batchproof.judgement.finding import Inconclusive, Unmet
from batchproof.judgement.values import counted
from batchproof.profiles.gang.facts.gangs import gang_bound, gang_bound_at_most
from batchproof.profiles.gang.faults import FAULTS
from batchproof.profiles.gang.model import rules
from batchproof.profiles.gang.specs import GangSpec, NodeSpec, PodSpec
from batchproof.profiles.gang.verbs import (
    GangClaims,
    GangPods,
    Gangs,
    Nodes,
    OtherClients,
    PodOutcomes,
    Queues,
    Trees,
)
from batchproof.profiles.records import Profile, Trial, requests
from batchproof.profiles.shared.collections import WITH_JOBS
from batchproof.world import World

_OF_GANGS = {"gang", "gangs", "queue"}
"""The arguments of facts about gangs."""


def _collections(implementation: Implementation) -> tuple[Collection, ...]:
    """Its nodes, what describes gangs in its dialect, their trees, and the Workloads of Jobs."""
    nodes = Collection(NODES, namespaced=False)
    dialect = implementation.dialect
    groups = [Collection(dialect.status_resource)] if dialect and dialect.status_resource else []
    if dialect and dialect.tree and "GangTrees" in implementation.capabilities:
        groups.append(Collection(dialect.tree.spelling.resource))
    if "JobWorkloads" in implementation.capabilities:
        groups.append(Collection(WORKLOADS))
    return (*WITH_JOBS, nodes, *groups)


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
        world.verbs(Nodes).add_nodes(NodeSpec(cpus=2))
        world.verbs(Gangs).add_job("b", 2, 2)
        world.claim(eventually(gang_bound(gang="b", count=2), within="settle"))
    except (HarnessError, Inconclusive, Unmet) as error:
        what = "" if isinstance(error, Unmet) else f"{error}\n"
        return Trial(holds=False, text=acts, advice=what + advice)
    return Trial(holds=True, text=acts, advice=before.advice)


def _binds_a_gang(world: World, implementation: Implementation) -> Trial:
    acts = "it binds a gang of two pods"
    descriptor, alone = implementation.descriptor, ""
    try:
        world.verbs(Nodes).add_nodes(NodeSpec(cpus=2))
        world.verbs(Gangs).add(GangSpec(name="a", minimum=2, pods=PodSpec()))
        try:
            world.claim(always(gang_bound_at_most(gang="a", count=0)))
        except Unmet:
            alone = (
                "A pod of it was bound alone, though: either GNG-001 fails, or 'dialect.member' is not how "
                "its users make a pod a member."
            )
        world.verbs(GangPods).add_pods("a", PodSpec())
        world.claim(eventually(gang_bound(gang="a", count=2), within="settle"))
    except Unmet:
        scheduler = world.verbs(Gangs).dialect.scheduler
        advice = (
            f"It made {counted(requests(world), 'request')}, but no binding. Does {descriptor} start the "
            "scheduler with {kubeconfig} and without leader election, is it configured with the name "
            f"{scheduler!r} of 'dialect.scheduler', and does 'dialect' say how its "
            "users express a gang?"
        )
        return Trial(holds=False, text=acts, advice=advice)
    except (HarnessError, Inconclusive) as error:
        return Trial(holds=False, text=acts, advice=f"{error}\nLook at 'dialect' in {descriptor}.")
    return Trial(holds=True, text=acts, advice=alone)


def _see_minimums(world: World, call: FactCall) -> None:
    """A fact about gangs is judged only while each gang has the minimum that it was made with."""
    if not _OF_GANGS.isdisjoint(call.arguments):
        world.verbs(Gangs).see_minimums()


PROFILE = Profile(
    name="gang",
    reference="reference-scheduler",
    variants=("reference-scheduler-native",),
    collections=_collections,
    acts=_acts,
    verbs=MappingProxyType(
        {
            "gang_nodes": Nodes,
            "gang_queues": Queues,
            "gang_trees": Trees,
            "gangs": Gangs,
            "gang_pods": GangPods,
            "pod_outcomes": PodOutcomes,
            "other_clients": OtherClients,
            "gang_claims": GangClaims,
        }
    ),
    given=MappingProxyType(
        {
            "pods_counted": lambda world: world.verbs(Gangs).counts,
            "in_phase": lambda world: world.verbs(Gangs).phases,
            "group_gone": lambda world: {"resource": world.verbs(Gangs).counts["resource"]},
            "queue_got_more": lambda world: {"since": world.since("room appears")},
            "report_withdrawn": lambda world: world.verbs(Gangs).signs,
            "reported": lambda world: world.verbs(Gangs).signs,
            "shares_given": lambda world: world.verbs(Gangs).shares,
        }
    ),
    sees=_see_minimums,
    rules=rules.begin,
    faults=FAULTS,
    drafted=(
        "dialect: native  # how your users write a gang: docs/how-to/dialect.md names others",
        "control_plane:",
        "  api_server_flags:",
        "    - --runtime-config=scheduling.k8s.io/v1beta1=true",
        "    - --feature-gates=GenericWorkload=true",
    ),
    watches=("pods", "nodes"),
)
