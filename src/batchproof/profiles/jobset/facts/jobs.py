"""Facts about the child Jobs of a JobSet: which there are, and how they are made. A scenario has one JobSet.

A child Job is one that the JobSet controls, by UID; sentences call it by what follows the JobSet's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import JOBS
from batchproof.judgement.facts import Finding, fact, found, names_of, record_of
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, stated
from batchproof.profiles.jobset.objects import JOBSETS, JobSet
from batchproof.profiles.shared.facts.made import lacks
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.batch import Job, status_of
from batchproof.profiles.shared.objects.services import SERVICES

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "jobset.sigs.k8s.io/"
"""How the names of the labels begin that name the JobSet of a Job."""
REPLICATED = f"{PREFIX}replicatedjob-name"
ATTEMPT = f"{PREFIX}restart-attempt"


def jobset(seen: Observed) -> JobSet | None:
    """The scenario's JobSet, if there is one now: the newest of that name."""
    found = [it for it in seen.named(JOBSETS, JOB) if isinstance(it, JobSet)]
    return max(found, key=lambda it: it.record, default=None)


def children(seen: Observed) -> list[Job]:
    """The Jobs that the JobSet controls now, without those that are being deleted."""
    it = jobset(seen)
    return [job for job in seen.all(Job) if it and job.owned_by(it) and not job.deleting]


def child(seen: Observed, name: str) -> Job | None:
    """The child Job that sentences call so, if there is one now."""
    return next((job for job in children(seen) if job.name == f"{JOB}-{name}"), None)


def is_child(thing: ApiObject) -> bool:
    """A JobSet of the scenario's name controls it: the one that there is, or an earlier one."""
    owner = thing.controller or {}
    return (owner.get("kind"), owner.get("name")) == ("JobSet", JOB)


def labels_of(metadata: Json) -> dict[str, str]:
    """The labels that some metadata has."""
    found: dict[str, str] = metadata.get("labels") or {}
    return found


def pods_of(seen: Observed, name: str) -> list[Pod]:
    """The active pods of a child Job."""
    job = child(seen, name)
    return [pod for pod in seen.owned(job).pods.values() if pod.active] if job else []


@fact("the JobSet has {jobs:children}")
def jobset_jobs(seen: Observed, *, jobs: list[str]) -> Finding:
    """It controls a Job of each of these names and no other, but for those that are being deleted."""
    it, there = jobset(seen), sorted(children(seen), key=lambda job: job.name)
    names = [job.name for job in there]
    holds = it is not None and names == sorted(f"{JOB}-{name}" for name in jobs)
    return found(holds, observed=names_of(there) if it else "no JobSet")


@fact("Job {job:child} has {count:d} active [pod|pods]")
def jobset_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """The given number of pods of this child Job are neither finished nor being deleted."""
    pods = pods_of(seen, job)
    return found(child(seen, job) and len(pods) == count, observed=names_of(pods))


@fact("Job {job:child} of the JobSet has been created {count:d} [time|times] in all")
def jobset_job_made(seen: Observed, *, job: str, count: int) -> Finding:
    """The JobSet has controlled that many Jobs of this name, one after the other."""
    made = seen.versions(JOBS).fold(_Made, f"{JOB}-{job}").uids
    return found(len(made) == count, observed=counted(len(made), "time"), decisive=list(made.values())[-1:])


class _Made:
    """The Jobs of a name that some JobSet controlled, each with the record that showed it first."""

    def __init__(self, name: str) -> None:
        self.uids: dict[str, int] = {}
        self._name = name

    def take(self, _: str, job: ApiObject) -> None:
        if job.name == self._name and is_child(job):
            self.uids.setdefault(job.uid, job.record)


@fact("<a|no> Job of {name:replicated} has been created")
def jobset_created(seen: Observed, *, name: str) -> Finding:
    """The JobSet has, or had, a child Job that is labeled as one of this ReplicatedJob."""
    return _found_first(_ever(seen, name))


@fact("<a|no> Job of {name:replicated} has been started")
def jobset_started(seen: Observed, *, name: str) -> Finding:
    """The JobSet has, or had, a child Job of this ReplicatedJob that was not suspended."""
    return _found_first([job for job in _ever(seen, name) if not job.suspended])


def _ever(seen: Observed, name: str) -> list[Job]:
    """The Jobs that a JobSet has ever had of a ReplicatedJob, each as it was when it was least suspended."""
    return list(seen.versions(JOBS).fold(_Ever, name).jobs.values())


def _found_first(jobs: list[Job]) -> Finding:
    return found(jobs, observed=names_of(jobs), decisive=[job.record for job in jobs[:1]])


class _Ever:
    """Each child Job of a ReplicatedJob as it was when it was least suspended."""

    def __init__(self, name: str) -> None:
        self.jobs: dict[str, Job] = {}
        self._name = name

    def take(self, _: str, job: Job) -> None:
        if not is_child(job) or labels_of(job.metadata).get(REPLICATED) != self._name:
            return
        if self.jobs.setdefault(job.uid, job).suspended and not job.suspended:
            self.jobs[job.uid] = job


@fact("{count:d} [Job|Jobs] of the JobSet [is|are] {state:suspension}")
def jobset_jobs_suspended(seen: Observed, *, count: int, state: str) -> Finding:
    """The given number of child Jobs that are not finished have this suspend in their spec."""
    jobs = [it for it in children(seen) if not it.finished and it.suspended == (state == "suspended")]
    return found(len(jobs) == count, observed=names_of(jobs), decisive=[it.record for it in jobs[:1]])


@fact("Job {job:child} has {end:end}", within="settle")
def jobset_job_ended(seen: Observed, *, job: str, end: str) -> Finding:
    """This child Job has the condition Complete, or Failed: its Job controller says so."""
    it = child(seen, job)
    holds = it is not None and it.condition("Complete" if end == "completed" else "Failed")
    return found(holds, observed=status_of(it), decisive=record_of(it))


@fact("Job {job:child} reports {condition:condition}", within="settle")
def jobset_job_reports(seen: Observed, *, job: str, condition: str) -> Finding:
    """This child Job has the condition of that type, True: its Job controller says so."""
    it = child(seen, job)
    holds = it is not None and it.condition(condition)
    return found(holds, observed=status_of(it), decisive=record_of(it))


@fact("Job {job:child} of the JobSet is <gone|there>", within="settle")
def jobset_job_gone(seen: Observed, *, job: str) -> Finding:
    """The JobSet controls no Job of this name, or it is being deleted."""
    it = child(seen, job)
    return found(it is None, observed="there" if it else "gone", decisive=record_of(it))


@fact("the pods of Job {job:child} select nodes by {label:word}={value:word}")
def jobset_selects(seen: Observed, *, job: str, label: str, value: str) -> Finding:
    """The pod template of this child Job has this node selector."""
    it = child(seen, job)
    return found(_selector(it).get(label) == value, observed=_selector(it), decisive=record_of(it))


@fact("the pods of Job {job:child} select nodes by {label:word}={value:word} alone")
def jobset_selects_only(seen: Observed, *, job: str, label: str, value: str) -> Finding:
    """The pod template of this child Job has this node selector and no other."""
    it = child(seen, job)
    return found(_selector(it) == {label: value}, observed=_selector(it), decisive=record_of(it))


@fact("the pod template of Job {job:child} says what that of {name:replicated} says")
def jobset_as_now(seen: Observed, *, job: str, name: str) -> Finding:
    """The pod template of this child Job has all that the JobSet says of the pods of a ReplicatedJob now."""
    it, own = child(seen, job), jobset(seen)
    template = (own.template(name).get("spec") or {}).get("template") if own else None
    lacking = lacks(template, it.spec.get("template") or {}) if it and template else ": not there"
    return found(
        not lacking,
        observed=stated(f"{job}{lacking or ': all of it'}", {"job": job, "wrong": bool(lacking)}),
        decisive=record_of(it),
    )


@fact("the pods of Job {job:child} have the tolerations of {name:replicated} alone")
def jobset_tolerates_only(seen: Observed, *, job: str, name: str) -> Finding:
    """The pod template of this child Job has the tolerations that the JobSet says of a ReplicatedJob now."""
    it, own = child(seen, job), jobset(seen)
    wanted = _tolerations(own.template(name)) if own else []
    has = _tolerations(it.raw) if it else []
    same = all(one in has for one in wanted) and all(one in wanted for one in has)
    keys = sorted(str(one.get("key") or "any key") for one in has)
    return found(it and own and same, observed=stated(in_words(keys), {"keys": keys}), decisive=record_of(it))


def _tolerations(job: Json) -> list[Json]:
    """Those of the pod template of a Job, or of its template."""
    pod = ((job.get("spec") or {}).get("template") or {}).get("spec") or {}
    found: list[Json] = pod.get("tolerations") or []
    return found


def _selector(job: Job | None) -> dict[str, str]:
    template = (job.spec.get("template") or {}) if job else {}
    found: dict[str, str] = (template.get("spec") or {}).get("nodeSelector") or {}
    return found


# -- how they are made


@fact("each Job of the JobSet and its pod template have the labels of their replica")
def jobset_labelled(seen: Observed) -> Finding:
    """Labels of jobset.sigs.k8s.io name JobSet, ReplicatedJob, its replicas, the index and the restart."""
    it = jobset(seen)
    wanted = _wanted(it) if it else {}
    return _each(seen, lambda job, where: _lacking(wanted.get(job.name, {"": "such a Job"}), where))


def _wanted(it: JobSet) -> dict[str, dict[str, str]]:
    """The labels of each child Job, by its name."""
    return {
        f"{it.name}-{name}-{index}": {
            f"{PREFIX}jobset-name": it.name,
            REPLICATED: name,
            f"{PREFIX}replicatedjob-replicas": str(count),
            f"{PREFIX}job-index": str(index),
            ATTEMPT: str(it.restarts),
        }
        for name, count in it.replicas.items()
        for index in range(count)
    }


def _lacking(wanted: dict[str, str], labels: dict[str, str]) -> str:
    wrong = [f"{key}={labels.get(key, 'none')}" for key, value in wanted.items() if labels.get(key) != value]
    return in_words(wrong) if wrong else ""


def _each(seen: Observed, wrong: Callable[[Job, dict[str, str]], str]) -> Finding:
    """There are child Jobs, and nothing is wrong with the labels of any, nor of its pod template."""
    jobs = children(seen)
    for job in jobs:
        template = (job.spec.get("template") or {}).get("metadata") or {}
        for what, metadata in (("", job.metadata), ("pod template of ", template)):
            if why := wrong(job, labels_of(metadata)):
                return found(
                    holds=False,
                    observed=stated(f"{what}{job.name}: {why}", {"job": job.name, "why": why}),
                    decisive=[job.record],
                )
    return found(jobs, observed=names_of(jobs))


@fact("the global indexes of the Jobs of the JobSet are 0 to {last:d}")
def jobset_indexed(seen: Observed, *, last: int) -> Finding:
    """Each child Job and its pod template have the label job-global-index, each index stands at one Job."""
    key = f"{PREFIX}job-global-index"
    finding = _each(seen, lambda _, labels: "" if labels.get(key, "").isdecimal() else f"no {key}")
    given = {job.name: labels_of(job.metadata).get(key, "") for job in children(seen)}
    counted = sorted(given.values()) == sorted(str(number) for number in range(last + 1))
    return finding if not finding.holds else found(counted, observed=given)


@fact("each Job of the JobSet has a job-key of its own")
def jobset_keyed(seen: Observed) -> Finding:
    """Each child Job has the label job-key, which no other has; its pod template has the same."""
    key = f"{PREFIX}job-key"
    own = {job.name: labels_of(job.metadata).get(key) for job in children(seen)}
    finding = _each(
        seen, lambda job, labels: "" if own[job.name] and labels.get(key) == own[job.name] else key
    )
    return finding if not finding.holds else found(len({*own.values()}) == len(own), observed=own)


@fact("each Job of the JobSet and its pod template name the coordinator {host:path}")
def jobset_coordinated(seen: Observed, *, host: str) -> Finding:
    """Each child Job and its pod template have the annotation with the address of the coordinator."""
    key, jobs = f"{PREFIX}coordinator", children(seen)
    for job in jobs:
        template = (job.spec.get("template") or {}).get("metadata") or {}
        for what, metadata in (("", job.metadata), ("pod template of ", template)):
            value = (metadata.get("annotations") or {}).get(key)
            if value != host:
                why = f"{what}{job.name}: {value or 'none'}"
                return found(holds=False, observed=why, decisive=[job.record])
    return found(jobs, observed=names_of(jobs))


@fact("each Job of the JobSet is made as its template says")
def jobset_by_template(seen: Observed) -> Finding:
    """It was made with all that the template of its ReplicatedJob says: labels, annotations, spec."""
    it, jobs = jobset(seen), children(seen)
    for job in jobs:
        template = it.template(labels_of(job.metadata).get(REPLICATED, "")) if it else {}
        given = {"metadata": job.born["metadata"], "spec": job.born.get("spec") or {}}
        if why := lacks(template, given) if template else ": no such template":
            return found(
                holds=False, observed=stated(f"{job.name}{why}", {"job": job.name}), decisive=[job.record]
            )
    return found(jobs, observed=names_of(jobs))


@fact("each Job and service of the JobSet names it as the controller that it blocks")
def jobset_controls(seen: Observed) -> Finding:
    """Each object of a prescribed name has a controller reference to the JobSet with blockOwnerDeletion."""
    if (it := jobset(seen)) is None:
        return found(holds=False, observed="no JobSet")
    names = [*it.indexes, *([it.subdomain] if it.hostnames else [])]
    made = [thing for thing in _made_for(seen) if thing.name in names]
    wrong = [thing for thing in made if not _owned(thing, it)]
    shown = (
        f"{wrong[0].name}: {in_words(wrong[0].metadata.get('ownerReferences'))}" if wrong else names_of(made)
    )
    return found(names and len(made) == len(names) and not wrong, observed=shown)


def _owned(thing: ApiObject, it: JobSet) -> bool:
    reference = {
        "apiVersion": JOBSETS.api_version,
        "kind": "JobSet",
        "name": it.name,
        "uid": it.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return reference in (thing.metadata.get("ownerReferences") or [])


def _made_for(seen: Observed) -> list[ApiObject]:
    return [*seen.objects(JOBS).values(), *seen.objects(SERVICES).values()]
