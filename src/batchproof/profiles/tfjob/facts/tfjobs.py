"""Facts about a TFJob, its pods and their services. A scenario has one TFJob.

A pod belongs to a replica by its name, which is prescribed.
"""

from __future__ import annotations

from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import named, said, stated
from batchproof.profiles.shared.facts.in_force import REACTION_S, in_force
from batchproof.profiles.shared.facts.made import First
from batchproof.profiles.shared.objects.services import SERVICES, Service
from batchproof.profiles.tfjob.objects import TFJob

PORT_NAME = "tfjob-port"
"""The name of the port on which a replica is reached."""

PREFIX = "training.kubeflow.org/"
"""How the names of the labels begin that say whose a pod is."""

_CONFLICT = 409
_REPLICA = (f"{PREFIX}replica-type", f"{PREFIX}replica-index")


def tfjob(seen: Observed) -> TFJob | None:
    """The scenario's TFJob, if there is one now."""
    return seen.first(TFJob)


def pods_of(seen: Observed) -> list[Pod]:
    """The pods that the TFJob controls now, without those that are being deleted."""
    return [pod for pod in seen.owned(tfjob(seen)).pods.values() if not pod.deleting]


def with_pods(seen: Observed) -> list[tuple[TFJob, Pod]]:
    """The TFJob, with each pod that it controls now and that is not being deleted."""
    job = tfjob(seen)
    return [(job, pod) for pod in pods_of(seen)] if job else []


def with_specs(seen: Observed) -> list[tuple[list[TFJob], Pod]]:
    """Each of these pods, with the states of the TFJob that may have been in force when it was made."""
    if (job := tfjob(seen)) is None:
        return []
    versions = (it for _, it in seen.versions(TFJob.served_as) if isinstance(it, TFJob))
    states = [it for it in versions if it.uid == job.uid]
    reaction_s = REACTION_S * seen.time_scale
    made = seen.versions(PODS).fold(First).pods
    return [(in_force(states, made[pod.uid], reaction_s) or [job], pod) for pod in pods_of(seen)]


def services_of(seen: Observed) -> list[Service]:
    """The services that the TFJob controls now, without those that are being deleted."""
    job = tfjob(seen)
    return [it for it in seen.all(Service) if it.controlled_by(job) and not it.deleting]


def pod_of_replica(seen: Observed, kind: str, index: int) -> Pod | None:
    """The pod of this replica, if there is one now."""
    job = tfjob(seen)
    name = f"{job.name}-{kind.lower()}-{index}" if job else ""
    return next((pod for pod in pods_of(seen) if pod.name == name), None)


def listed(pods: list[Pod]) -> str:
    """Their names and phases."""
    text = ", ".join(f"{pod.name} {pod.phase}" for pod in pods) or "none"
    return stated(text, {"pods": [pod.name for pod in pods], "phases": [pod.phase for pod in pods]})


@fact("the TFJob has one pod for each of its {count:d} [replica|replicas]", judged_by=("TFJ-001",))
def tfjob_pods(seen: Observed, *, count: int) -> Finding:
    """Its pods are named as its replicas are, by its spec, and there is no other."""
    job, pods = tfjob(seen), pods_of(seen)
    names, wanted = sorted(pod.name for pod in pods), sorted(job.names) if job else None
    return found(len(names) == count and names == wanted, observed=listed(pods))


@fact("the TFJob has {count:d} [pod|pods] and as many services")
def tfjob_pods_and_services(seen: Observed, *, count: int) -> Finding:
    """It controls the given number of pods, whatever their phase, and each has a service of its name."""
    pods, services = pods_of(seen), sorted(it.name for it in services_of(seen))
    holds = len(pods) == count and services == sorted(pod.name for pod in pods)
    return found(
        holds,
        observed=stated(
            f"pods: {listed(pods)}; services: {', '.join(services) or 'none'}",
            {**named(listed(pods)), "services": services},
        ),
    )


@fact("{kind:word} {index:d} of the TFJob runs")
def tfjob_replica_runs(seen: Observed, *, kind: str, index: int) -> Finding:
    """The replica has a pod that runs."""
    pod = pod_of_replica(seen, kind, index)
    return found(
        pod and pod.phase == "Running", observed=said("{phase}", phase=pod.phase) if pod else "no pod"
    )


@fact("{kind:word} {index:d} of the TFJob <has an|has no> active pod")
def tfjob_replica_active(seen: Observed, *, kind: str, index: int) -> Finding:
    """The replica has a pod that has not ended and is not being deleted."""
    pod = pod_of_replica(seen, kind, index)
    return found(pod and pod.active, observed=said("{phase}", phase=pod.phase) if pod else "no pod")


@fact(
    "the {what:word} of {kind:word} {index:d} <belongs|does not belong> to the TFJob",
)
def tfjob_owns(seen: Observed, *, what: str, kind: str, index: int) -> Finding:
    """The pod or the service of the replica's name is controlled by the TFJob."""
    job = tfjob(seen)
    name = f"{job.name}-{kind.lower()}-{index}" if job else ""
    owned = [it.name for it in (pods_of(seen) if what == "pod" else services_of(seen))]
    return found(
        name in owned, observed=stated(f"its {what}s: {', '.join(owned) or 'none'}", {f"{what}s": owned})
    )


@fact("{kind:word} {index:d} of the TFJob is replaced", within="settle")
def tfjob_replica_replaced(seen: Observed, *, kind: str, index: int) -> Finding:
    """Its first pod is gone, and another one of its name is there that has not ended."""
    pod = pod_of_replica(seen, kind, index)
    first = seen.versions(PODS).fold(_Firsts).first
    holds = pod and not pod.finished and first.get(pod.name) != pod.uid
    return found(
        holds,
        observed=said("{pod} {phase}, UID {uid}", pod=pod.name, phase=pod.phase, uid=pod.uid)
        if pod
        else "no pod",
    )


class _Firsts:
    """The UID of the first pod of each name."""

    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def take(self, _: str, pod: Pod) -> None:
        self.first.setdefault(pod.name, pod.uid)


@fact("{kind:word} {index:d} of the TFJob has had {count:most} [pod|pods]", within="now")
def tfjob_replica_pods_at_most(seen: Observed, *, kind: str, index: int, count: int) -> Finding:
    """No more pods than that have ever had the labels of this replica and the TFJob as their controller."""
    job, which = tfjob(seen), (kind.lower(), str(index))
    had = seen.versions(PODS).fold(_OfReplica, job.uid if job else "", which).had
    first = sorted(had.values(), key=lambda it: it.record)
    return found(
        had and len(had) <= count,
        observed=", ".join(it.name for it in first) or "none",
        decisive=[it.record for it in first[count : count + 1]],
    )


class _OfReplica:
    """The pods that a TFJob controlled while they had the labels of a replica: as they first were, by UID."""

    def __init__(self, job: str, which: tuple[str, str]) -> None:
        self.had: dict[str, Pod] = {}
        self._job = job
        self._which = which

    def take(self, _: str, pod: Pod) -> None:
        of_job = self._job and pod.controller_uid == self._job
        if of_job and tuple(map(pod.labels.get, _REPLICA)) == self._which:
            self.had.setdefault(pod.uid, pod)


@fact("<a|no> pod is requested that the TFJob has already", in_place=False)
def tfjob_pod_asked_twice(seen: Observed) -> Finding:
    """A creation of a pod was refused with 409 because there was one of its name.

    Such a request is known by its reply, because some implementations send bodies that are not JSON.
    """
    return _asked_twice(seen, PODS)


@fact("<a|no> service is requested that the TFJob has already", in_place=False)
def tfjob_service_asked_twice(seen: Observed) -> Finding:
    """A creation of a service was refused with 409 because there was one of its name."""
    return _asked_twice(seen, SERVICES)


def _asked_twice(seen: Observed, what: Resource) -> Finding:
    refused = [write for write in seen.writes_to(what, "create") if _refused(write)]
    return found(
        refused,
        observed=said("{requests} asked for again", requests=len(refused)),
        decisive=[write.number for write in refused[:1]],
    )


def _refused(write: Write) -> bool:
    if write.reply is None or write.reply.status != _CONFLICT or write.reply.fault:
        return False
    return isinstance(write.reply.body, dict) and write.reply.body.get("reason") == "AlreadyExists"


@fact("the {what:word} of {kind:word} {index:d} is released by the TFJob")
def tfjob_released(seen: Observed, *, what: str, kind: str, index: int) -> Finding:
    """It is there, and the TFJob does not control it any more."""
    job = tfjob(seen)
    name = f"{job.name}-{kind.lower()}-{index}" if job else ""
    there = {it.name for it in seen.objects(PODS if what == "pod" else SERVICES).values()}
    owned = {it.name for it in (pods_of(seen) if what == "pod" else services_of(seen))}
    return found(
        name in there - owned,
        observed=stated(f"its {what}s: {', '.join(sorted(owned)) or 'none'}", {f"{what}s": sorted(owned)}),
    )
