"""What a history shows before one of its changes: that is what an invariant judges the change by."""

from __future__ import annotations

import sys
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground.resources import COMPLETION_INDEX, JOBS, PODS
from batchproof.judgement.elected import Leading
from batchproof.judgement.history import EXITED, Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.owned import Owned, Owners
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.pods import completion_index

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

REACTION_S = 2.0  # scaled: a controller may still act on a spec that was changed so short a time ago


class PastJobs:
    """The Jobs and pods as they were before a change, and what was ever seen of them.

    Attributes:
        jobs: those that there are, by UID.
        pods: those that there are, by UID.
        owners: the pods of each Job.
        without_lease: replicas that do not lead have created pods: ROB-001 and ROB-005 speak of that.
        unheard: how many creations of pods were carried out, but not answered.
        written: the names of all pods that the implementation has written to.
        given: the UIDs of pods that had no controller when they were created.
        removed: the UIDs of pods that the implementation deleted while they were active.
        marked: the UIDs of pods whose index annotation another client has changed.
        finalizer: by which the implementation tracks pods.
    """

    def __init__(self, seen: Observed) -> None:
        self.jobs: dict[str, Job] = {}
        self.pods: dict[str, Pod] = {}
        self.owners = Owners()
        strays = (write.request for write in seen.calls.fold(Leading).strays)
        self.without_lease = any((it.resource, it.verb) == (PODS, "create") for it in strays)
        self.unheard = sum(write.unheard for write in seen.writes_to(PODS, "create"))
        self.written = {w.request.name for w in seen.writes if w.applied and w.request.resource == PODS}
        self.given: set[str] = set()
        self.removed: set[str] = set()
        self.marked: set[str] = set()
        self._deletions = _first(seen, "delete")
        self._changes = _first(seen, "update", "patch")
        self.finalizer = seen.finalizer
        self._seen = seen
        self._succeeded: dict[str, dict[str, float]] = {}  # each with when that was seen first
        self._sure: dict[str, dict[str, float]] = {}
        self._ending_s: dict[str, float] = {}
        self._indexes: dict[str, Indexes] = {}
        self._active: dict[tuple[str, int | None], dict[str, Pod]] = {}
        self._specs: dict[str, list[tuple[float, Spec]]] = {}
        self._recorded: dict[str, set[str]] = {}

    def known(self, thing: Job | Pod) -> Job | Pod | None:
        """The same thing as it is until now; None if it is not there."""
        return self.jobs.get(thing.uid) if isinstance(thing, Job) else self.pods.get(thing.uid)

    def take(self, thing: Job | Pod, *, gone: bool) -> None:
        """Take in a change."""
        if isinstance(thing, Job):
            self._take_job(thing, gone=gone)
        else:
            self._take_pod(thing, gone=gone)

    def _take_job(self, job: Job, *, gone: bool) -> None:
        if gone:
            self.jobs.pop(job.uid, None)
            return
        self.jobs[job.uid] = job
        spec = Spec.of(job)
        specs = self._specs.setdefault(job.uid, [])
        if not specs or specs[-1][1] != spec:
            specs.append((job.at_s, spec))
        self._recorded.setdefault(job.uid, set()).update(*job.uncounted.values())
        for uid in job.uncounted["failed"]:
            self._sure.get(job.uid, {}).pop(uid, None)
        if job.condition("SuccessCriteriaMet") or job.condition("FailureTarget"):
            self._ending_s.setdefault(job.uid, job.at_s)
        if job.indexed:
            self.indexes(job).take_job(job)

    def _take_pod(self, pod: Pod, *, gone: bool) -> None:
        self._take_index(pod, gone=gone)
        self._take_success(pod, gone=gone)
        self._take_removal(pod)
        self._take_mark(pod)
        if gone:
            self.pods.pop(pod.uid, None)
        else:
            if not pod.controller and pod.uid not in self.pods:
                self.given.add(pod.uid)
            self.pods[pod.uid] = pod
        self.owners.take(pod, gone=gone)
        if pod.phase == "Succeeded" and pod.controller:
            self._succeeded.setdefault(pod.controller["uid"], {}).setdefault(pod.uid, pod.at_s)

    def _take_removal(self, pod: Pod) -> None:
        """Note an active pod whose deletion the implementation had asked for when it began."""
        before = self.pods.get(pod.uid)
        begins = pod.deleting and before is not None and before.active
        if begins and self._deletions.get(pod.name, pod.record) < pod.record:
            self.removed.add(pod.uid)

    def _take_mark(self, pod: Pod) -> None:
        """Note a pod whose index annotation changes before the implementation has written to the pod."""
        before = self.pods.get(pod.uid)
        changed = before and before.annotations.get(COMPLETION_INDEX) != pod.annotations.get(COMPLETION_INDEX)
        if changed and self._changes.get(pod.name, pod.record) >= pod.record:
            self.marked.add(pod.uid)

    def _take_success(self, pod: Pod, *, gone: bool) -> None:
        """Note a pod that becomes Succeeded while it is tracked; not one that another client releases."""
        before = self.pods.get(pod.uid)
        if not pod.controller or not before or not before.tracked:
            return
        sure = self._sure.setdefault(pod.controller["uid"], {})
        ends = pod.phase == "Succeeded" and not before.finished
        if ends and pod.tracked and not pod.deleting and not gone:
            sure[pod.uid] = pod.at_s
        elif (gone or not pod.tracked) and pod.name not in self.written:
            sure.pop(pod.uid, None)

    def successes(self, job: Job) -> tuple[int, int]:
        """How many pods have succeeded that the Job has to count, and how many ever did.

        It has to count those that it must have seen before its end was decided.
        """
        ending_s = self._ending_s.get(job.uid, job.at_s)
        since_s = self._seen.known_since_s(PODS, ending_s, REACTION_S * self._seen.time_scale)
        sure = sum(at_s < since_s for at_s in self._sure.get(job.uid, {}).values())
        return sure, len(self._succeeded.get(job.uid, ()))

    def pods_of(self, job: Job) -> Owned:
        """The pods that a Job controls."""
        return self.owners.of(job.uid)

    def _take_index(self, pod: Pod, *, gone: bool) -> None:
        before = self.pods.get(pod.uid)
        if before and before.controller:
            self._active.get((before.controller["uid"], completion_index(before)), {}).pop(pod.uid, None)
        if pod.controller and pod.active and not gone:
            self._active.setdefault((pod.controller["uid"], completion_index(pod)), {})[pod.uid] = pod

    def active_of(self, job: Job, index: int) -> Collection[Pod]:
        """The active pods of one index of a Job."""
        return self._active.get((job.uid, index), {}).values()

    def indexes(self, job: Job) -> Indexes:
        """What became of the indexes of an Indexed Job."""
        return self._indexes.setdefault(job.uid, Indexes())

    def job_of(self, pod: Pod) -> Job | None:
        """The living Job that controls a pod."""
        return self.jobs.get(pod.controller["uid"]) if pod.controller else None

    def foreign(self, thing: Job | Pod) -> bool:
        """It is a Job that another controller manages, or a pod of one: others answer for it."""
        job = thing if isinstance(thing, Job) else self.job_of(thing)
        return job is not None and job.manager != self._seen.manager

    def recorded(self, job: Job, pod: Pod) -> bool:
        """The UID of a pod has been in the Job's status.uncountedTerminatedPods."""
        return pod.uid in self._recorded[job.uid]

    def once_succeeded(self, job: Job, pod: Pod) -> bool:
        """The pod has reported Succeeded, whatever it reports now."""
        return pod.uid in self._succeeded.get(job.uid, ())

    def wanted(self, job: Job, at_s: float) -> int:
        """The most pods that may be active, by the successes that the status counts.

        The spec is any that the controller may still act on: it may not have seen yet what is new, or what
        came while its view of Jobs was frozen. A success that is not counted yet may be unseen, and one of a
        pod whose finalizer another client removes never is counted: neither is removed here.
        """
        if job.indexed:
            completed = job.completed_indexes
            return self._most(job, at_s, lambda count: sum(index < count for index in completed))
        return self._most(job, at_s, lambda _: job.count("succeeded"))

    def wanted_by_a_stale_view(self, job: Job, at_s: float) -> int:
        """The same where the controller may not have seen its own status writes: none has succeeded."""
        return self._most(job, at_s, lambda _: 0)

    def stale(self, at_s: float) -> bool:
        """The controller's view of Jobs is frozen or late."""
        return self._seen.stale(JOBS, at_s, REACTION_S * self._seen.time_scale)

    def specs(self, job: Job, at_s: float) -> list[Spec]:
        """What the Job's spec has said, as far as the controller may still act on it, oldest first."""
        since_s = self._seen.known_since_s(JOBS, at_s, REACTION_S * self._seen.time_scale)
        specs = self._specs[job.uid]
        known = bisect_left(specs, since_s, key=_began_s)
        return [one for _, one in specs[max(0, known - 1) :]]

    def succeeded_before(self, job: Job, at_s: float) -> bool:
        """A pod of the Job has succeeded, and the controller must have seen it."""
        since_s = self._seen.known_since_s(PODS, at_s, REACTION_S * self._seen.time_scale)
        return next(iter(self._succeeded.get(job.uid, {}).values()), at_s) < since_s

    def knows_its_pods(self, at_s: float) -> bool:
        """A process knows the pods that it made; a new one is shown them, if its view is not stale."""
        ended = any(process.what.startswith(("killed", EXITED)) for _, process in self._seen.processes)
        return not ended or not self._seen.stale(PODS, at_s, REACTION_S * self._seen.time_scale)

    def _most(self, job: Job, at_s: float, succeeded: Callable[[int], int]) -> int:
        return max(one.active(succeeded) for one in self.specs(job, at_s))


def _first(seen: Observed, *verbs: str) -> dict[str, int]:
    """The first record by which the implementation asked for such a change of each pod, by its name."""
    first: dict[str, int] = {}
    for write in (it for verb in verbs for it in seen.writes_to(PODS, verb) if it.applied):
        name = write.request.name or ""
        first[name] = min(write.number, first.get(name, write.number))
    return first


def _began_s(spec: tuple[float, Spec]) -> float:
    return spec[0]


@dataclass(frozen=True, slots=True)
class Spec:
    """What a Job's spec says of its pods.

    Attributes:
        parallelism: how many may be active.
        completions: how many have to succeed; None: that is not said.
        suspended: the user wants none.
        deleting: the Job has a deletionTimestamp.
        deadline_s: how long the Job may be active, in seconds; None: that is not said.
        template: what they are made like.
    """

    parallelism: int
    completions: int | None
    suspended: bool
    deleting: bool
    deadline_s: int | None
    template: Json

    @classmethod
    def of(cls, job: Job) -> Spec:
        """What a Job says now."""
        template = job.spec.get("template") or {}
        return cls(
            job.parallelism, job.completions, job.suspended, job.deleting, job.active_deadline_s, template
        )

    def active(self, succeeded: Callable[[int], int]) -> int:
        """How many, by how many have succeeded of that many completions."""
        if self.completions is None:
            return self.parallelism
        return min(self.parallelism, max(0, self.completions - succeeded(self.completions)))


class Indexes:
    """What became of the indexes of an Indexed Job.

    Attributes:
        completed: those that the status ever listed.
        fewest: the lowest completions that there ever were.
    """

    def __init__(self) -> None:
        self.completed: set[int] = set()
        self.fewest = sys.maxsize

    def take_job(self, job: Job) -> None:
        """Take in a change of the Job."""
        self.fewest = min(self.fewest, job.completions or 0)
        self.completed |= job.completed_indexes

    def within(self, job: Job) -> int:
        """How many indexes the Job has always had, and has now."""
        return min(job.completions or 0, self.fewest)

    def beyond(self, pod: Pod) -> bool:
        """The pod has no index that has always been one of the Job."""
        index = completion_index(pod)
        return index is None or index >= self.fewest
