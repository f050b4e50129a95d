"""Facts about the pods of a Job: how many there are, and how many there ever were."""

from __future__ import annotations

import itertools
from itertools import islice

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.facts import Finding, fact, found, names_of
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, said, stated
from batchproof.profiles.shared.objects.batch import Job


@fact("{job:job} has at least {at_least:d} active [pod|pods]", judged_by=("BAS-015", "BAS-016", "BAS-024"))
def active_pods(seen: Observed, *, job: str, at_least: int) -> Finding:
    """At least the given number of pods of the Job are neither finished nor being deleted."""
    pods = seen.owned(seen.find(Job, job)).active
    return found(
        len(pods) >= at_least,
        observed=counted(len(pods), "active pod"),
        awaits_pods=True,
    )


@fact(
    "{count:d} [pod|pods]{job:of_job} [is|are] active",
    judged_by=("BAS-015", "BAS-016", "BAS-019", "BAS-029", "FAIL-004"),
)
def active_pods_exactly(seen: Observed, *, job: str, count: int) -> Finding:
    """Exactly the given number of pods of the Job are neither finished nor being deleted."""
    pods = seen.owned(seen.find(Job, job)).active
    surplus = any(islice(pods, count, None))
    return found(len(pods) == count, observed=counted(len(pods), "active pod"), awaits_pods=not surplus)


@fact("{count:d} [pod|pods]{job:of_job} [is|are] terminating")
def terminating_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """Exactly the given number of pods of the Job are being deleted but not finished."""
    pods = [pod for pod in seen.owned(seen.find(Job, job)).pods.values() if pod.terminating]
    return found(len(pods) == count, observed=counted(len(pods), "terminating pod"))


@fact("{job:job} has counted and released {succeeded:d} succeeded [pod|pods]")
def counted_and_released(seen: Observed, *, job: str, succeeded: int) -> Finding:
    """status.succeeded has this value, and no finished pod that is there carries the tracking finalizer."""
    it = seen.find(Job, job)
    held = seen.owned(it).held.values()
    return found(
        it is not None and it.count("succeeded") == succeeded and not held,
        observed=stated(
            f"{it.summary if it else 'no such Job'}; with finalizer: {names_of(held)}",
            {**(it.values if it else {}), "tracked": len(held)},
        ),
        decisive=[pod.record for pod in islice(held, 1)],
    )


@fact("<a|no> pod changes its controller")
def controller_changed(seen: Observed) -> Finding:
    """Two versions of a pod have different controllers; having none at first is no change."""
    changed = seen.versions(PODS).fold(_Controllers).changed
    return found(
        changed,
        observed=changed.name if changed else "none",
        decisive=[changed.record] if changed else [],
    )


class _Controllers:
    """The first pod that has another controller than it had before."""

    def __init__(self) -> None:
        self.changed: Pod | None = None
        self._first: dict[str, str] = {}

    def take(self, _: str, pod: Pod) -> None:
        owner, first = pod.controller, self._first.get(pod.uid, "")
        uid = str(owner["uid"]) if owner else first
        if first and uid != first:
            self.changed = self.changed or pod
        self._first[pod.uid] = uid


@fact("<a|no> pod is created above what {job:job} allows")
def surplus_created(seen: Observed, *, job: str) -> Finding:
    """By the order of revisions, a pod was created while no more were wanted.

    Wanted are as many active pods as the smaller of parallelism and completions - status.succeeded, by the
    spec and status that were stored when the pod was created.
    """
    surplus = seen.in_order(JOBS, PODS).fold(_Surplus, job)
    return found(
        surplus.pod,
        expected=f"a pod created above {surplus.allowed} active ones"
        if surplus.pod
        else "a pod created above what the Job allows",
        observed=said("{active} active with {pod}", active=surplus.active, pod=surplus.pod.name)
        if surplus.pod
        else "none",
        decisive=[surplus.pod.record] if surplus.pod else [],
    )


class _Surplus:
    """The first pod of a Job that was created above what it allows, and how many were active with it."""

    def __init__(self, job: str) -> None:
        self.pod: Pod | None = None
        self.active: int
        self.allowed: int
        self._job = job
        self._it: Job | None = None
        self._active: set[str] = set()

    def take(self, kind: str, thing: Job | Pod) -> None:
        if self.pod:
            return
        match thing:
            case Job(name=name) if name == self._job:
                self._it = thing
            case Pod() if kind == "DELETED":
                self._active.discard(thing.uid)
            case Pod() if self._it and thing.owned_by(self._it):
                (self._active.add if thing.active else self._active.discard)(thing.uid)
                self.active, self.allowed = len(self._active), _allowed(self._it)
                if kind == "ADDED" and self.active > self.allowed:
                    self.pod = thing


def _allowed(job: Job) -> int:
    if job.completions is None:
        return job.parallelism
    return max(0, min(job.parallelism, job.completions - job.count("succeeded")))


def _made(seen: Observed, job: str) -> list[int]:
    """The records that show each pod first that was ever created for a Job of that name."""
    match [seen.owned(uid).records for uid in seen.uids(Job, job)]:
        case [made]:
            return made
        case several:
            return sorted(itertools.chain(*several))


@fact("{count:d} [pod|pods]{job:of_job} [has|have] been created in all", judged_by=("BAS-015", "BAS-022"))
def created_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """The given number of pods were created for the Job since the scenario began, whatever their phase."""
    made = _made(seen, job)
    surplus = made[count : count + 1]
    return found(
        len(made) == count,
        observed=stated(f"{counted(len(made), 'pod')} created", {"created": len(made)}),
        decisive=surplus,
        awaits_pods=not surplus,
    )


@fact("<|no >more than {count:d} [pod|pods]{job:of_job} [is|are] created in all")
def more_created_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """More pods than that were created for the Job since the scenario began."""
    made = _made(seen, job)
    return found(
        len(made) > count,
        observed=stated(f"{counted(len(made), 'pod')} created", {"created": len(made)}),
        decisive=made[count : count + 1],
        awaits_pods=True,
    )


@fact("{count:d} finished [pod|pods] of {job:job} [is|are] there")
def finished_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """There are that many finished pods of the Job that no client has deleted."""
    pods = [pod for pod in seen.owned(seen.find(Job, job)).finished.values() if not pod.deleting]
    return found(len(pods) == count, observed=stated(f"finished: {names_of(pods)}", {"finished": len(pods)}))
