"""Facts about the pods of a Job that is gone, or that it has given up."""

from __future__ import annotations

from batchproof.judgement.facts import Finding, fact, found, names_of
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, named, stated
from batchproof.profiles.shared.objects.batch import Job


@fact("no pod of {job:job} is left", within="settle")
def none_left(seen: Observed, *, job: str) -> Finding:
    """Pods were controlled by a Job of that name once, and none of them is there now."""
    pods = seen.versions_of_pods(Job, job).fold(_Left)
    return found(
        pods.ever and not pods.left,
        observed=stated(
            f"{counted(len(pods.ever), 'pod')} ever; left: {names_of(pods.left.values())}",
            {"ever": len(pods.ever), "left": named(names_of(pods.left.values()))["names"]},
        ),
        decisive=[pod.record for pod in pods.left.values()][:1],
    )


@fact(
    "{count:d} [pod|pods] that {job:job} had [is|are] there without a controller and without the tracking "
    "finalizer",
    within="settle",
)
def left_free(seen: Observed, *, job: str, count: int) -> Finding:
    """There are that many pods without controller and finalizer that a Job of that name once controlled."""
    left = seen.versions_of_pods(Job, job).fold(_Left).left.values()
    free = [pod for pod in left if pod.controller is None and not pod.tracked]
    held = [pod for pod in left if pod not in free]
    return found(
        len(free) == count,
        observed=stated(
            f"free: {names_of(free)}; with a controller or the finalizer: {names_of(held)}",
            {"free": [it.name for it in free], "held": [it.name for it in held]},
        ),
        decisive=[pod.record for pod in held[:1]],
    )


class _Left:
    """The pods that a Job ever controlled, and those of them that are still there."""

    def __init__(self) -> None:
        self.ever: set[str] = set()
        self.left: dict[str, Pod] = {}

    def take(self, kind: str, pod: Pod) -> None:
        self.ever.add(pod.uid)
        if kind == "DELETED":
            self.left.pop(pod.uid, None)
        else:
            self.left[pod.uid] = pod
