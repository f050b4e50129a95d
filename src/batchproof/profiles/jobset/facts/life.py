"""Facts about what happened to a JobSet and its child Jobs, one thing after another."""

from __future__ import annotations

from datetime import timedelta

from batchproof.ground.resources import JOBS
from batchproof.judgement.facts import Finding, fact, found, names_of, record_of
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.observed import Observed
from batchproof.profiles.jobset.facts.jobs import ATTEMPT, is_child, jobset, labels_of
from batchproof.profiles.jobset.objects import JOBSETS, JobSet
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.services import SERVICES


@fact("the JobSet is <gone|there>", within="settle")
def jobset_gone(seen: Observed) -> Finding:
    """There is no JobSet of its name, or it is being deleted."""
    it = jobset(seen)
    return found(
        it is None or it.deleting,
        observed="being deleted" if it and it.deleting else "there" if it else "gone",
    )


@fact("the JobSet was deleted {seconds:seconds} [second|seconds] after it finished", within="now")
def jobset_expired(seen: Observed, *, seconds: float) -> Finding:
    """Its deletion was asked for no sooner than this after the time at which its condition says it finished.

    That time is cut to a second. How late it may be is said by the deadline of the claim that it is gone.
    """
    life = seen.versions(JOBSETS).fold(_Life)
    if life.ended is None or life.deleted is None:
        return found(holds=False, observed="it did not finish" if life.ended is None else "it is there")
    ended = timestamp((life.ended.end or {})["lastTransitionTime"])
    took = seen.clock(life.deleted) - ended
    return found(
        took >= timedelta(seconds=seconds),
        observed=f"deleted {took.total_seconds():.1f} s after it finished",
        decisive=[life.ended.record, life.deleted],
    )


class _Life:
    """The first version that is finished, and the record that shows that it is being deleted."""

    def __init__(self) -> None:
        self.ended: JobSet | None = None
        self.deleted: int | None = None

    def take(self, kind: str, it: ApiObject) -> None:
        if not isinstance(it, JobSet) or it.name != JOB:
            return
        if self.ended is None and it.end:
            self.ended = it
        if self.deleted is None and (it.deleting or kind == "DELETED"):
            self.deleted = it.record


@fact("the JobSet <has been|has not been> reconciled", within="settle")
def jobset_reconciled(seen: Observed) -> Finding:
    """Something was created for it, or its status was written."""
    it = jobset(seen)
    names = [*it.indexes, it.subdomain] if it else []
    things = [one for resource in (JOBS, SERVICES) for one in seen.objects(resource).values()]
    made = [one for one in things if one.name in names or is_child(one)]
    shown = [f"{one.resource.singular if one.resource else ''} {one.name}" for one in made]
    written = seen.versions(JOBSETS).fold(_Written).first
    decisive = [one.record for one in made[:1]] or record_of(written)
    shown += ["another status"] if written else []
    return found(shown, observed=", ".join(shown) or "nothing", decisive=decisive)


class _Written:
    """The first version of the JobSet with another status than it had at first."""

    def __init__(self) -> None:
        self.first: ApiObject | None = None
        self._status: dict[str, object] = {}

    def take(self, _: str, it: ApiObject) -> None:
        if it.name == JOB and self.first is None and self._status.setdefault(it.uid, it.status) != it.status:
            self.first = it


@fact("no Job of the JobSet was created while one of an earlier restart was there", within="now")
def jobset_blocked(seen: Observed) -> Finding:
    """Whenever a child Job came up that is labeled with a restart, none with a lower number was there."""
    early = seen.versions(JOBS).fold(_Early).early
    shown = f"{early[0].name} while {early[1].name} was there" if early else "none"
    return found(early is None, observed=shown, decisive=[one.record for one in early or ()])


class _Early:
    """The first child Job that was created while one of an earlier restart was there."""

    def __init__(self) -> None:
        self.early: tuple[ApiObject, ApiObject] | None = None
        self._there: dict[str, tuple[int, ApiObject]] = {}

    def take(self, kind: str, job: ApiObject) -> None:
        attempt = labels_of(job.metadata).get(ATTEMPT, "")
        if not is_child(job) or not attempt.isdecimal():
            return
        if kind == "DELETED":
            self._there.pop(job.uid, None)
            return
        earlier = [one for number, one in self._there.values() if number < int(attempt)]
        if job.uid not in self._there and earlier and self.early is None:
            self.early = (job, earlier[0])
        self._there[job.uid] = (int(attempt), job)


@fact("Job {job:name} of the user has an active pod", within="settle")
def jobset_foreign_runs(seen: Observed, *, job: str) -> Finding:
    """A pod that a Job of this name controls is neither finished nor being deleted."""
    pods = [
        pod for it in seen.all(Job) if it.name == job for pod in seen.owned(it).pods.values() if pod.active
    ]
    return found(pods, observed=names_of(pods))


@fact("Job {job:name}, which the JobSet does not control, <has|has not> been changed")
def jobset_foreign_changed(seen: Observed, *, job: str) -> Finding:
    """A Job of this name that no JobSet controlled is gone, being deleted, or has another spec or labels."""
    change = seen.versions(JOBS).fold(_Foreign, job).change
    return found(
        change,
        observed="gone or changed" if change else "as it was made",
        decisive=[change.record] if change else [],
    )


class _Foreign:
    """The first change of a Job that no JobSet controlled when it was made, but for its status."""

    def __init__(self, name: str) -> None:
        self.change: ApiObject | None = None
        self._name = name
        self._made: dict[str, tuple[object, ...]] = {}

    def take(self, kind: str, job: ApiObject) -> None:
        if job.name != self._name:
            return
        if job.uid not in self._made:
            if is_child(job):
                return
            self._made[job.uid] = self._content(job)
        if self.change is None and (kind == "DELETED" or self._content(job) != self._made[job.uid]):
            self.change = job

    @staticmethod
    def _content(job: ApiObject) -> tuple[object, ...]:
        return job.spec, labels_of(job.metadata), job.metadata.get("ownerReferences"), job.deleting
