"""Facts about the PodGroups of pods that are of no Volcano Job."""

from __future__ import annotations

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects.api_object import quantity
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, named, said, stated
from batchproof.profiles.shared.facts.folds import Ever
from batchproof.profiles.shared.objects.volcano import PODGROUPS, PodGroup
from batchproof.profiles.volcano_job.facts.jobs import queue_of

GROUP_NAME = "scheduling.k8s.io/group-name"


def _group_of(seen: Observed, pod: Pod) -> PodGroup | None:
    """The PodGroup that a pod names."""
    return seen.first(PodGroup, pod.annotations.get(GROUP_NAME, ""))


@fact("pod {name:word} is in a PodGroup of its own that needs {amount:d} [CPU|CPUs]")
def pod_grouped(seen: Observed, *, name: str, amount: int) -> Finding:
    """The PodGroup that it names has minMember 1 and is controlled by the pod."""
    if (pod := seen.pod(name)) is None:
        return found(holds=False, observed="no such pod")
    if (group := _group_of(seen, pod)) is None:
        return found(holds=False, observed=pod.annotations)
    cpus = (group.spec.get("minResources") or {}).get("cpu")
    holds = (
        group.spec.get("minMember") == 1
        and group.controller_uid == pod.uid
        and cpus is not None
        and quantity(str(cpus)) == amount
    )
    return found(
        holds,
        observed=stated(f"{in_words(group.spec)}, of {group.controller_uid}", named(group.spec)),
        decisive=[group.record],
    )


@fact("the PodGroup of pod {name:word} is in the queue")
def pod_queued(seen: Observed, *, name: str) -> Finding:
    """The PodGroup that it names is in the queue of the scenario."""
    pod, queue = seen.pod(name), queue_of(seen)
    group = _group_of(seen, pod) if pod else None
    observed = in_words(group.spec.get("queue")) if group else "no PodGroup"
    return found(group and queue and group.spec.get("queue") == queue.name, observed=observed)


@fact("the PodGroup of pod {name:word} has the priorityClassName of the pod")
def pod_ranked(seen: Observed, *, name: str) -> Finding:
    """The pod has a priorityClassName, and the PodGroup that it names has the same."""
    pod = seen.pod(name)
    rank = pod.spec.get("priorityClassName") if pod else None
    group = _group_of(seen, pod) if pod else None
    observed = in_words(group.spec.get("priorityClassName")) if group else "no PodGroup"
    return found(group and rank and group.spec.get("priorityClassName") == rank, observed=observed)


@fact("pod {name:word} <is in a|is in no> PodGroup")
def pod_in_group(seen: Observed, *, name: str) -> Finding:
    """It names one, or there is one that it controls."""
    pod = seen.pod(name)
    its = [it.name for it in seen.all(PodGroup) if it.controlled_by(pod)]
    holds = pod is not None and bool(its or pod.annotations.get(GROUP_NAME))
    return found(holds, observed=f"{in_words(pod.annotations)}, {in_words(its)}" if pod else "no such pod")


@fact("{count:d} [pod|pods] of the ReplicaSet [shares|share] one PodGroup")
def pods_share_group(seen: Observed, *, count: int) -> Finding:
    """That many pods have a controller; all name the same PodGroup, which is theirs and the only one."""
    holds, observed = _shared(seen, count)
    return found(holds, observed=observed)


@fact("{count:d} [pod|pods] of the StatefulSet [shares|share] one PodGroup that needs {amount:d} [CPU|CPUs]")
def pods_share_group_of(seen: Observed, *, count: int, amount: int) -> Finding:
    """As ``pods_share_group``; its minResources are what one of these pods requests."""
    holds, observed = _shared(seen, count)
    there = seen.all(PodGroup)
    cpus = [(it.spec.get("minResources") or {}).get("cpu") for it in there]
    return found(
        holds and all(cpu is not None and quantity(str(cpu)) == amount for cpu in cpus),
        observed=f"{observed}, needs {in_words(cpus)} CPUs",
        decisive=[it.record for it in there],
    )


def _shared(seen: Observed, count: int) -> tuple[bool, str]:
    """Whether that many pods with a controller share the only PodGroup, and what there is."""
    pods = [pod for pod in seen.pods if pod.controller]
    groups = [_group_of(seen, pod) for pod in pods]
    there = seen.all(PodGroup)
    holds = (
        len(pods) == count
        and len(there) == 1
        and all(groups)
        and {it.controller_uid for it in there} == {pod.controller_uid for pod in pods}
    )
    named, names = sorted({it.name for it in groups if it}), in_words([it.name for it in there])
    return holds, f"{counted(len(pods), 'pod')} in {in_words(named)}; there is {names}"


@fact("no PodGroup is left")
def no_group_left(seen: Observed) -> Finding:
    """There was a PodGroup, and there is none now."""
    had = seen.versions(PODGROUPS).fold(Ever).first
    there = [it.name for it in seen.objects(PODGROUPS).values()]
    return found(had and not there, observed=f"{len(had)} before, {in_words(there)} now")


@fact("no PodGroup has been made for a pod or its controller", within="now")
def no_group_made(seen: Observed) -> Finding:
    """None that there ever was has an owner, as one has that the controllers make for pods."""
    ever = seen.versions(PODGROUPS).fold(Ever).first.values()
    made = [it for it in ever if it.metadata.get("ownerReferences")]
    return found(
        not made,
        observed=said("{groups}", groups=[it.name for it in made]),
        decisive=[it.record for it in made],
    )
