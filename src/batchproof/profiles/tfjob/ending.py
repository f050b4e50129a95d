"""How the TFJobs of a scenario end: what is stored once everything is at rest.

Compared are whether a TFJob is there, and has succeeded, failed, is suspended or is under way; under way,
how many pods each type of replica has, how many of them have succeeded and failed, and how many Services
there are; once it has finished, how many pods are unfinished. Not compared are names, times, reasons,
messages and Events.
"""

from __future__ import annotations

from collections import Counter

from batchproof.ground.resources import PODS
from batchproof.judgement.ends import End, Ends, register
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.shared.objects.services import Service
from batchproof.profiles.shared.objects.volcano import PodGroup
from batchproof.profiles.tfjob.facts.tfjobs import PREFIX
from batchproof.profiles.tfjob.objects import TFJOBS, TFJob

_ENDS = ("Succeeded", "Failed")
_BY_TIME = ("activeDeadlineSeconds", "ttlSecondsAfterFinished", "backoffLimit")


def unrest(seen: Observed) -> str:
    """What still has to happen before the TFJobs are at rest; empty if nothing has."""
    found = ((job, _unrest(seen, job)) for job in seen.all(TFJob))
    return next((f"TFJob {job.name} {why}" for job, why in found if why), "")


def lacks_pods(seen: Observed) -> bool:
    """Some TFJob under way has fewer pods than replicas."""
    return any(_state(job) == "under way" and _lacking(seen, job) for job in seen.all(TFJob))


def _state(job: TFJob) -> str:
    ended = next((kind for kind in _ENDS if job.condition(kind)), "")
    return ended or ("suspended" if job.suspended else "under way")


def _pods(seen: Observed, job: TFJob) -> list[Pod]:
    return [pod for pod in seen.owned(job).pods.values() if not pod.deleting]


def _services(seen: Observed, job: TFJob) -> list[Service]:
    return [it for it in seen.all(Service) if it.owned_by(job) and not it.deleting]


def _held_back(seen: Observed, job: TFJob) -> bool:
    """Its PodGroup waits for the scheduler, so that it may have no pods."""
    return any(group.owned_by(job) and group.phase == "Pending" for group in seen.all(PodGroup))


def _lacking(seen: Observed, job: TFJob) -> bool:
    there = {pod.name for pod in _pods(seen, job)}
    return bool({*job.names} - there) and not _held_back(seen, job)


def _unrest(seen: Observed, job: TFJob) -> str:
    """What a TFJob still has to do."""
    if job.deleting:
        return "is being deleted"
    if any(pod.deleting for pod in seen.owned(job).pods.values()):
        return "has pods that are being deleted"
    match _state(job):
        case "under way":
            return _under_way(seen, job)
        case "suspended":
            left = _pods(seen, job) or _services(seen, job)
            return "" if job.condition("Suspended") and not left else "is not suspended yet"
        case _:
            return _cleaned(seen, job)


def _under_way(seen: Observed, job: TFJob) -> str:
    names = {pod.name for pod in _pods(seen, job)}
    if _lacking(seen, job):
        return "lacks pods"
    if excess := names - {*job.names}:
        return f"has pod {min(excess)}, which is no replica"
    if {it.name for it in _services(seen, job)} != names:
        return "has not a Service for each pod"
    return "" if _reported(job) == _counted(seen, job) else "reports other counts than its pods have"


def _reported(job: TFJob) -> dict[str, dict[str, int]]:
    """The counts of its status by type, in lower case; types without any are left out."""
    kinds = job.status.get("replicaStatuses") or {}
    return {kind.lower(): job.counts(kind) for kind in kinds if any(job.counts(kind).values())}


def _counted(seen: Observed, job: TFJob) -> dict[str, dict[str, int]]:
    """What its status should report."""
    found: dict[str, dict[str, int]] = {}
    named = {"Running": "active", "Succeeded": "succeeded", "Failed": "failed"}
    for pod in _pods(seen, job):
        if what := named.get(pod.phase):
            kind = pod.labels.get(f"{PREFIX}replica-type", "").lower()
            counts = found.setdefault(kind, {"active": 0, "succeeded": 0, "failed": 0})
            counts[what] += 1
    return found


def _cleaned(seen: Observed, job: TFJob) -> str:
    """What a finished TFJob still has to delete, by its cleanPodPolicy."""
    policy = (job.spec.get("runPolicy") or {}).get("cleanPodPolicy") or "None"
    pods = _pods(seen, job)
    left = pods if policy == "All" else [pod for pod in pods if pod.active and policy == "Running"]
    return f"has pod {left[0].name} still to delete" if left else ""


def ending(seen: Observed) -> End:
    """How all TFJobs are now."""
    if not [*seen.versions(TFJOBS)]:
        return {}
    jobs = seen.all(TFJob)
    end = {"tfjobs": ", ".join(sorted(job.name for job in jobs)) or "none"}
    for job in jobs:
        state = _state(job)
        its = {"state": state}
        if state == "under way":
            its |= {f"{kind} replicas": str(count) for kind, count in _kinds(seen, job).items()}
            its |= {
                f"{what} {kind} replicas": str(counts[what])
                for kind, counts in _reported(job).items()
                for what in ("succeeded", "failed")
            }
            its["services"] = str(len(_services(seen, job)))
        else:
            its["unfinished pods"] = str(sum(pod.active for pod in _pods(seen, job)))
        end |= {f"tfjob/{job.name}: {what}": how for what, how in its.items()}
    return end


def _kinds(seen: Observed, job: TFJob) -> Counter[str]:
    return Counter(pod.labels.get(f"{PREFIX}replica-type", "").lower() for pod in _pods(seen, job))


def undetermined(seen: Observed) -> str:
    """Why the API does not determine how the TFJobs of this history end; empty if it does."""
    for _, job in seen.versions(TFJOBS):
        policy = job.spec.get("runPolicy") or {}
        if found := next((name for name in _BY_TIME if policy.get(name) is not None), ""):
            return f"{found} decides how TFJob {job.name} ends"
    phases = {pod.phase for _, pod in seen.versions(PODS) if isinstance(pod, Pod)}
    ended = [job for job in seen.all(TFJob) if _state(job) in _ENDS]
    if ended and {"Succeeded", "Failed"} <= phases:
        return f"pods of TFJob {ended[0].name} succeed and fail: it depends on what is seen first"
    return ""


register(
    Ends(
        lambda seen: seen.all(TFJob),
        unrest,
        lacks_pods,
        ending,
        ending,
        undetermined,
        due=frozenset({"tfjob_pods", "tfjob_pods_and_services"}),
    )
)
