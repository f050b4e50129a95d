"""What a decisive record shows of a TFJob, its pods and services, and what they were after a wait in vain."""

from __future__ import annotations

from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.shared.causes import (
    changed,
    conditions_in_words,
    conditions_turned,
    pods_by,
    state_of,
    stood,
    was,
)
from batchproof.profiles.shared.objects.services import Service
from batchproof.profiles.tfjob.facts.tfjobs import PREFIX
from batchproof.profiles.tfjob.objects import TFJob
from batchproof.report.cause_and_effect import Shown, cause, standing
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count


@cause
def turned(seen: Observed, shown: Shown) -> str:
    """The TFJob got another condition or other counts, or was deleted: which pods it had of each type."""
    job = shown.thing
    if not isinstance(job, TFJob):
        return ""
    had = f"it had {_pods_of(seen, job)}{_restarts(seen, job)}"
    return changed(shown, f"TFJob {job.name}", conditions_turned(shown), had)


@cause
def created(seen: Observed, shown: Shown) -> str:
    """A pod or a service that the TFJob should not get was created: what the TFJob was then.

    Of any other creation this would name what was right about it.
    """
    thing = shown.thing
    job = _owner(seen, thing) if shown.kind == "ADDED" and not shown.before else None
    if job is None:
        return ""
    if ended := _ended(job):
        return f"{thing.name} was created when TFJob {job.name} was {ended} already"
    if job.suspended:
        return f"{thing.name} was created while TFJob {job.name} was suspended"
    return _of_too_many(seen, job, thing) if isinstance(thing, Pod) else ""


@cause
def deleted(seen: Observed, shown: Shown) -> str:
    """A pod or a service was deleted that may stay: what the TFJob was then, and its cleanPodPolicy.

    Once the TFJob is gone or suspended, everything of it has to go; so says a cleanPodPolicy once it ended.
    """
    thing, before = shown.thing, shown.before
    job = _owner(seen, thing)
    goes = shown.kind == "DELETED" or thing.deleting
    if job is None or before is None or before.deleting or not goes or job.deleting or job.suspended:
        return ""
    ended = _ended(job)
    policy = str((job.spec.get("runPolicy") or {}).get("cleanPodPolicy") or "None")
    if ended and (policy == "All" or (policy == "Running" and not _finished(before))):
        return ""
    state = f"it was {state_of(before)} and " if isinstance(before, Pod) else ""
    told = f"TFJob {job.name} was {conditions_in_words(job)}"
    kept = f" with cleanPodPolicy {policy}" if ended else ""
    return f"{thing.name} was deleted while {state}{told}{kept}"


@standing
def stands(seen: Observed, unmet: UnmetClaim) -> str:
    """The conditions and counts of a TFJob, its pods of each type; its services if these are waited for."""

    def state(job: TFJob) -> str:
        services = sum(it.owned_by(job) for it in seen.all(Service))
        more = f", and {count(services, 'service')}" if "service" in unmet.expected else ""
        return was(job, conditions_in_words(job), f"{_pods_of(seen, job)}{more}")

    return stood(seen, unmet, TFJob, "TFJob", state)


def _owner(seen: Observed, thing: ApiObject) -> TFJob | None:
    """The TFJob that a pod or a service is of; None if it is of none."""
    if not isinstance(thing, Pod | Service):
        return None
    return next((job for job in seen.all(TFJob) if thing.owned_by(job)), None)


def _ended(job: TFJob) -> str:
    return next((kind for kind in ("Succeeded", "Failed") if job.condition(kind)), "")


def _finished(thing: ApiObject) -> bool:
    return isinstance(thing, Pod) and thing.finished


def _of_too_many(seen: Observed, job: TFJob, pod: Pod) -> str:
    """The pod has the name of no replica, or its type had all its replicas already."""
    kind = _type_of(job, pod)
    replicas = job.replicas.get(kind.lower(), 0)
    if not job.has_replica(pod.name):
        return f"{pod.name} was created when TFJob {job.name} had {count(replicas, 'replica')} of {kind}"
    active = [one for one in seen.owned(job).active.values() if _type_of(job, one) == kind]
    if len(active) < replicas:
        return ""
    are = "was" if len(active) == 1 else "were"
    return (
        f"{pod.name} was created while {count(len(active), 'pod')} of {kind} {are} active, "
        f"of which TFJob {job.name} had {count(replicas, 'replica')}"
    )


def _pods_of(seen: Observed, job: TFJob) -> str:
    """How many pods of each type a TFJob has, and in which phases."""
    types = [*(job.spec.get("tfReplicaSpecs") or {})]
    return pods_by(seen.owned(job).pods.values(), types, lambda pod: _type_of(job, pod))


def _restarts(seen: Observed, job: TFJob) -> str:
    """How often containers of a TFJob were started again in place, where it has a backoffLimit."""
    limit = (job.spec.get("runPolicy") or {}).get("backoffLimit")
    statuses = [one for pod in seen.owned(job).pods.values() for one in pod.containers]
    restarts = sum(int(one.get("restartCount") or 0) for one in statuses)
    return "" if limit is None else f", with {count(restarts, 'container restart')} and backoffLimit {limit}"


def _type_of(job: TFJob, pod: Pod) -> str:
    """The type of replica that a pod is of, as the TFJob spells it."""
    label = pod.labels.get(f"{PREFIX}replica-type", "")
    types = (kind for kind in job.spec.get("tfReplicaSpecs") or {} if kind.lower() == label.lower())
    return next(types, label or "no type")
