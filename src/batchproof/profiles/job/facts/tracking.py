"""Facts about the finalizers of pods: which have the tracking finalizer, which have lost it."""

from __future__ import annotations

from itertools import islice

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import Finding, fact, found, names_of
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, named, said, stated
from batchproof.profiles.shared.objects.batch import Job


@fact("every pod of {job:job} was created with the tracking finalizer")
def created_tracked(seen: Observed, *, job: str) -> Finding:
    """The first state of each pod of the Job has the tracking finalizer."""
    pods = seen.versions_of_pods(Job, job).fold(_Created)
    return found(
        pods.created and not pods.bare,
        observed=stated(
            f"{len(pods.created)} created; without it: {names_of(pods.bare)}",
            {"created": len(pods.created), "untracked": len(pods.bare)},
        ),
        decisive=[pod.record for pod in pods.bare[:1]],
    )


class _Created:
    """The pods that were created, and those without the tracking finalizer."""

    def __init__(self) -> None:
        self.created: list[Pod] = []
        self.bare: list[Pod] = []

    def take(self, kind: str, pod: Pod) -> None:
        if kind == "ADDED":
            self.created.append(pod)
            if not pod.tracked:
                self.bare.append(pod)


@fact("<a|no> pod of {job:job} loses the tracking finalizer")
def pod_released(seen: Observed, *, job: str) -> Finding:
    """Some pod of the Job had the tracking finalizer once, and then had it no more or was gone."""
    pods = seen.versions_of_pods(Job, job).fold(_Released)
    return found(
        pods.released,
        observed=stated(
            f"{counted(len(pods.tracked), 'pod')} seen with it; lost it: {names_of(pods.released)}",
            {"tracked": len(pods.tracked), "released": len(pods.released)},
        ),
        decisive=[pod.record for pod in pods.released[:1]],
    )


class _Released:
    """The pods that had the tracking finalizer, and the versions of those that had it no more."""

    def __init__(self) -> None:
        self.tracked: set[str] = set()
        self.released: list[Pod] = []

    def take(self, kind: str, pod: Pod) -> None:
        if pod.tracked and kind != "DELETED":
            self.tracked.add(pod.uid)
        elif pod.uid in self.tracked:
            self.released.append(pod)


@fact("no pod of {job:job} has the tracking finalizer")
def none_tracked(seen: Observed, *, job: str) -> Finding:
    """None of the Job's pods that there are now has the tracking finalizer."""
    tracked = seen.owned(seen.find(Job, job)).having.get(seen.finalizer, {}).values()
    return found(
        not tracked,
        observed=stated(f"with it: {names_of(tracked)}", {"tracked": len(tracked)}),
        decisive=[pod.record for pod in islice(tracked, 1)],
    )


@fact("no finished pod of {job:job} has the tracking finalizer", judged_by=("FIN-003",))
def no_finished_tracked(seen: Observed, *, job: str) -> Finding:
    """Each of the Job's pods that are finished now has lost the tracking finalizer."""
    pods = seen.owned(seen.find(Job, job))
    finished, tracked = pods.finished, pods.held.values()
    return found(
        not tracked,
        observed=stated(
            f"{len(finished)} finished; with it: {names_of(tracked)}",
            {"finished": len(finished), "tracked": named(names_of(tracked))["names"]},
        ),
        decisive=[pod.record for pod in islice(tracked, 1)],
    )


@fact("{count:d} [pod|pods]{job:of_job} [has|have] the finalizer {finalizer:path}")
def pods_with_finalizer(seen: Observed, *, job: str, count: int, finalizer: str) -> Finding:
    """Exactly the given number of the Job's pods that there are now have this finalizer."""
    pods = seen.owned(seen.find(Job, job))
    having = pods.having.get(finalizer, {})
    lost = seen.versions_of_pods(Job, job).fold(_Lost, finalizer).last
    fewer, more = (islice(reversed(some.values()), 1) for some in (lost, having))
    return found(
        len(having) == count,
        observed=stated(f"with it: {names_of(having.values())}", {"tracked": len(having)}),
        decisive=[pod.record for pod in (fewer if len(having) < count else more)],
    )


class _Lost:
    """The versions of pods that first lacked a finalizer that they had had, the newest at the end."""

    def __init__(self, finalizer: str) -> None:
        self.last: dict[str, Pod] = {}
        self._having: set[str] = set()
        self._finalizer = finalizer

    def take(self, kind: str, pod: Pod) -> None:
        if self._finalizer in pod.finalizers and kind != "DELETED":
            self._having.add(pod.uid)
            self.last.pop(pod.uid, None)
        elif pod.uid in self._having:
            self._having.discard(pod.uid)
            self.last[pod.uid] = pod


@fact("pod {pod:name} has the tracking finalizer")
def pod_tracked(seen: Observed, *, pod: str) -> Finding:
    """The pod of that name is there now and has the tracking finalizer."""
    it, gone = seen.pod(pod), seen.versions(PODS).fold(_Gone, pod).records
    return found(
        it is not None and it.tracked,
        observed=said("finalizers {finalizers}", finalizers=it.finalizers) if it else "no such pod",
        decisive=[it.record] if it else gone,
    )


class _Gone:
    """The records that show a pod of some name gone."""

    def __init__(self, name: str) -> None:
        self.records: list[int] = []
        self._name = name

    def take(self, kind: str, pod: Pod) -> None:
        if kind == "DELETED" and pod.name == self._name:
            self.records.append(pod.record)


@fact("pod {pod:name} does not have the tracking finalizer")
def pod_untracked(seen: Observed, *, pod: str) -> Finding:
    """The pod of that name has lost the tracking finalizer, or is gone."""
    it = seen.pod(pod)
    return found(
        it is None or not it.tracked,
        observed=said("finalizers {finalizers}", finalizers=it.finalizers) if it else "no such pod",
        decisive=[it.record] if it else [],
    )
