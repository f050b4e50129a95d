"""Facts about the finalizers of pods: who has the tracking finalizer, who has lost it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.things.core import Pod
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from batchproof.judgement.observed import Observed


def versions_of_pods(seen: Observed, job: str) -> Iterator[tuple[str, Pod]]:
    """Each change of a pod that a Job of that name has ever controlled, in order, with its type."""
    jobs = {thing.uid for _, thing in seen.versions(JOBS) if thing.name == job}
    owned: set[str] = set()
    for kind, pod in seen.versions(PODS):
        if isinstance(pod, Pod):
            if pod.controller and pod.controller["uid"] in jobs:
                owned.add(pod.uid)
            if pod.uid in owned:
                yield kind, pod


def _named(pods: list[Pod]) -> str:
    return ", ".join(pod.name for pod in pods) or "none"


@fact("every pod of {job:job} was created with the tracking finalizer")
def created_tracked(seen: Observed, *, job: str) -> Finding:
    """The first state of each pod of the Job has the tracking finalizer."""
    created = [pod for kind, pod in versions_of_pods(seen, job) if kind == "ADDED"]
    bare = [pod for pod in created if not pod.tracked]
    return found(
        created and not bare,
        expected="every pod created with the tracking finalizer",
        observed=f"{len(created)} created; without it: {_named(bare)}",
        decisive=[pod.record for pod in bare[:1]],
    )


@fact("<a|no> pod of {job:job} loses the tracking finalizer")
def pod_released(seen: Observed, *, job: str) -> Finding:
    """Some pod of the Job had the tracking finalizer once, and then had it no more or was gone."""
    tracked: set[str] = set()
    released: list[Pod] = []
    for kind, pod in versions_of_pods(seen, job):
        if pod.tracked and kind != "DELETED":
            tracked.add(pod.uid)
        elif pod.uid in tracked:
            released.append(pod)
    return found(
        released,
        expected="a pod without the tracking finalizer",
        observed=f"{len(tracked)} pods seen with it; lost it: {_named(released)}",
        decisive=[pod.record for pod in released[:1]],
    )


@fact("no pod of {job:job} has the tracking finalizer")
def none_tracked(seen: Observed, *, job: str) -> Finding:
    """None of the Job's pods that there are now has the tracking finalizer."""
    tracked = [pod for pod in seen.pods_of(seen.job(job)) if pod.tracked]
    return found(
        not tracked,
        expected="no pod with the tracking finalizer",
        observed=f"with it: {_named(tracked)}",
        decisive=[pod.record for pod in tracked[:1]],
    )


@fact("no finished pod of {job:job} has the tracking finalizer")
def no_finished_tracked(seen: Observed, *, job: str) -> Finding:
    """Each of the Job's pods that are finished now has lost the tracking finalizer."""
    finished = [pod for pod in seen.pods_of(seen.job(job)) if pod.finished]
    tracked = [pod for pod in finished if pod.tracked]
    return found(
        not tracked,
        expected="no finished pod with the tracking finalizer",
        observed=f"{len(finished)} finished; with it: {_named(tracked)}",
        decisive=[pod.record for pod in tracked[:1]],
    )


@fact("{count:d} [pod|pods]{job:of_job} [has|have] the finalizer {finalizer:path}")
def pods_with_finalizer(seen: Observed, *, job: str, count: int, finalizer: str) -> Finding:
    """Exactly so many of the Job's pods that there are now have this finalizer."""
    having = [pod for pod in seen.pods_of(seen.job(job)) if finalizer in pod.finalizers]
    return found(
        len(having) == count,
        expected=f"{count} pods with {finalizer}",
        observed=f"with it: {_named(having)}",
        decisive=[pod.record for pod in seen.pods_of(seen.job(job))],
    )


@fact("pod {pod:name} has the tracking finalizer")
def pod_tracked(seen: Observed, *, pod: str) -> Finding:
    """The pod of that name is there now and has the tracking finalizer."""
    it = next((one for one in seen.pods if one.name == pod), None)
    gone = [thing.record for kind, thing in seen.versions(PODS) if thing.name == pod and kind == "DELETED"]
    return found(
        it is not None and it.tracked,
        expected=f"pod {pod} with the tracking finalizer",
        observed=f"finalizers {it.finalizers}" if it else "no such pod",
        decisive=[it.record] if it else gone,
    )


@fact("pod {pod:name} does not have the tracking finalizer")
def pod_untracked(seen: Observed, *, pod: str) -> Finding:
    """The pod of that name has lost the tracking finalizer, or is gone."""
    it = next((one for one in seen.pods if one.name == pod), None)
    return found(
        it is None or not it.tracked,
        expected=f"pod {pod} without the tracking finalizer",
        observed=f"finalizers {it.finalizers}" if it else "no such pod",
        decisive=[it.record] if it else [],
    )
