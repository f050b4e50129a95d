"""Facts about the PodGroups of pods that are of no Volcano Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.facts.volcano import queue_of
from batchproof.judgement.things.thing import quantity
from batchproof.judgement.things.volcano import PODGROUPS, PodGroup

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things.core import Pod

_GROUP_NAME = "scheduling.k8s.io/group-name"


def _group_of(seen: Observed, pod: Pod) -> PodGroup | None:
    """The PodGroup that a pod names."""
    named = seen.named(PODGROUPS, pod.annotations.get(_GROUP_NAME, ""))
    return next((it for it in named if isinstance(it, PodGroup)), None)


@fact("pod {name:word} is in a PodGroup of its own that asks for {amount:d} [CPU|CPUs]")
def pod_grouped(seen: Observed, *, name: str, amount: int) -> Finding:
    """The PodGroup that it names has minMember 1 and is controlled by the pod."""
    pod = seen.pod(name)
    group = _group_of(seen, pod) if pod else None
    if pod is None or group is None:
        return found(holds=False, observed=f"{pod.annotations}" if pod else "no such pod")
    cpus = (group.spec.get("minResources") or {}).get("cpu")
    holds = (
        group.spec.get("minMember") == 1
        and group.controller_uid == pod.uid
        and cpus is not None
        and quantity(str(cpus)) == amount
    )
    return found(holds, observed=f"{group.spec}, of {group.controller_uid}", decisive=[group.record])


@fact("the PodGroup of pod {name:word} is in the queue")
def pod_queued(seen: Observed, *, name: str) -> Finding:
    """The PodGroup that it names is in the queue of the scenario."""
    pod, queue = seen.pod(name), queue_of(seen)
    group = _group_of(seen, pod) if pod else None
    observed = str(group.spec.get("queue")) if group else "no PodGroup"
    return found(group and queue and group.spec.get("queue") == queue.name, observed=observed)


@fact("pod {name:word} <is in a|is in no> PodGroup")
def pod_in_group(seen: Observed, *, name: str) -> Finding:
    """It names one, or there is one that it controls."""
    pod = seen.pod(name)
    groups = [it for it in seen.objects(PODGROUPS).values() if isinstance(it, PodGroup)]
    its = [it.name for it in groups if pod and it.controller_uid == pod.uid]
    holds = pod is not None and bool(its or pod.annotations.get(_GROUP_NAME))
    return found(holds, observed=f"{pod.annotations}, {its}" if pod else "no such pod")


@fact("{count:d} [pod|pods] of the ReplicaSet [shares|share] one PodGroup")
def pods_share_group(seen: Observed, *, count: int) -> Finding:
    """So many pods have a controller; all name the same PodGroup, which is theirs and the only one."""
    pods = [pod for pod in seen.pods if pod.controller]
    groups = {group.name for pod in pods if (group := _group_of(seen, pod))}
    there = [it for it in seen.objects(PODGROUPS).values() if isinstance(it, PodGroup)]
    owners = {pod.controller["uid"] for pod in pods if pod.controller}
    holds = (
        len(pods) == count
        and len(groups) == len(there) == 1
        and all(_group_of(seen, pod) for pod in pods)
        and {it.controller_uid for it in there} == owners
    )
    return found(
        holds, observed=f"{len(pods)} pods in {sorted(groups)}; there is {[it.name for it in there]}"
    )


@fact("no PodGroup is left")
def no_group_left(seen: Observed) -> Finding:
    """There was a PodGroup, and there is none now."""
    had = {it.uid for _, it in seen.versions(PODGROUPS)}
    there = [it.name for it in seen.objects(PODGROUPS).values()]
    return found(had and not there, observed=f"{len(had)} before, {there or 'none'} now")
