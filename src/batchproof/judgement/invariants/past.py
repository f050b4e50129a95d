"""What a history shows before one of its changes: that is what an invariant judges the change by."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.judgement.owned import Owned, Owners
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things.batch import Job
    from batchproof.judgement.things.core import Pod

_REACTION_S = 2.0  # scaled: a controller may still act on a spec that was changed so short a time ago


class Past:
    """The Jobs and pods as they were before a change, and what was ever seen of them.

    Attributes:
        jobs: those that there are, by UID.
        pods: those that there are, by UID.
        owners: the pods of each Job.
        unheard: how many creations of pods were carried out, but not answered.
        written: the names of all pods that the implementation has written to.
    """

    def __init__(self, seen: Observed) -> None:
        self.jobs: dict[str, Job] = {}
        self.pods: dict[str, Pod] = {}
        self.owners = Owners()
        self.unheard = sum(write.unheard for write in seen.writes_to(PODS, "create"))
        self.written = {w.request.name for w in seen.writes if w.applied and w.request.resource == PODS}
        self._seen = seen
        self._succeeded: dict[str, set[str]] = {}
        self._wanted: dict[str, list[tuple[float, Wanted]]] = {}
        self._recorded: dict[str, set[str]] = {}

    def take_job(self, job: Job, *, gone: bool) -> None:
        """Take in a change of a Job."""
        if gone:
            self.jobs.pop(job.uid, None)
            return
        self.jobs[job.uid] = job
        wanted = Wanted(job.parallelism, None if job.indexed else job.completions)
        specs = self._wanted.setdefault(job.uid, [])
        if not specs or specs[-1][1] != wanted:
            specs.append((job.at_s, wanted))
        self._recorded.setdefault(job.uid, set()).update(*job.uncounted.values())

    def take_pod(self, pod: Pod, *, gone: bool) -> None:
        """Take in a change of a pod."""
        if gone:
            self.pods.pop(pod.uid, None)
        else:
            self.pods[pod.uid] = pod
        self.owners.take(pod, gone=gone)
        if pod.phase == "Succeeded" and pod.controller:
            self._succeeded.setdefault(pod.controller["uid"], set()).add(pod.uid)

    def pods_of(self, job: Job) -> Owned:
        """The pods that a Job controls."""
        return self.owners.of(job.uid)

    def job_of(self, pod: Pod) -> Job | None:
        """The living Job that controls a pod."""
        return self.jobs.get(pod.controller["uid"]) if pod.controller else None

    def recorded(self, job: Job, pod: Pod) -> bool:
        """The UID of a pod has been in the Job's status.uncountedTerminatedPods."""
        return pod.uid in self._recorded[job.uid]

    def wanted(self, job: Job, at_s: float) -> int:
        """The most pods that may be active, by any spec that the controller may still act on.

        It may not have seen yet what is new, or what came while its view of Jobs was frozen.
        """
        return self._most(job, at_s, succeeded=len(self._succeeded.get(job.uid, ())))

    def wanted_by_a_stale_view(self, job: Job, at_s: float) -> int:
        """The same where the controller may not have seen its own status writes: none has succeeded."""
        return self._most(job, at_s, succeeded=0)

    def stale(self, at_s: float) -> bool:
        """The controller's view of Jobs is frozen or late."""
        return self._seen.stale(JOBS, at_s, _REACTION_S * self._seen.time_scale)

    def _most(self, job: Job, at_s: float, *, succeeded: int) -> int:
        since_s = self._seen.known_since_s(JOBS, at_s, _REACTION_S * self._seen.time_scale)
        specs = self._wanted[job.uid]
        known = bisect_left(specs, since_s, key=_began_s)
        return max(one.active(succeeded) for _, one in specs[max(0, known - 1) :])


def _began_s(spec: tuple[float, Wanted]) -> float:
    return spec[0]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a Job's spec says of how many pods may be active; ``completions`` only where they bound it."""

    parallelism: int
    completions: int | None

    def active(self, succeeded: int) -> int:
        """How many, once so many pods have succeeded."""
        if self.completions is None:
            return self.parallelism
        return min(self.parallelism, max(0, self.completions - succeeded))
