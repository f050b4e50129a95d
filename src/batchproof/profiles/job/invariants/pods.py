"""Invariants of Job controllers: what pods are made like, and that finished ones are left alone."""

from __future__ import annotations

from batchproof.ground.resources import PODS
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import about_histories, against
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import said
from batchproof.profiles.job.invariants.past import REACTION_S, PastJobs
from batchproof.profiles.job.invariants.rule import about_pods
from batchproof.profiles.shared.changes import ObjectChange
from batchproof.profiles.shared.facts.made import lacking
from batchproof.profiles.shared.objects.batch import Job


@about_pods("EXP-030")
def made_from_the_template(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """EXP-030: a pod that is created for a Job has all that the Job's template says."""
    pod = change.now
    if not change.created or not (job := past.job_of(pod)):
        return None
    places = [lacking(spec.template, pod) for spec in past.specs(job, change.at_s)]
    if not all(places):
        return None
    return against(pod, expected=f"pod {pod.name} is made as its template says", observed=places[-1])


@about_histories("BAS-078")
def finished_pods_stay(seen: Observed) -> Finding | None:
    """BAS-078: a controller that has counted a finished pod does not delete it, unless its Job is deleted."""
    pods: dict[str, tuple[Pod, float]] = {}
    jobs: dict[str, Job] = {}
    for kind, item in seen.arrivals:
        match item:
            case Job() if kind == "DELETED":
                jobs.pop(item.uid, None)
            case Job():
                jobs[item.uid] = item
            case Pod():
                since_s = pods[item.name][1] if item.name in pods else item.at_s
                pods[item.name] = item, since_s if item.finished and not item.tracked else item.at_s
            case Write() if kind == "asked" and _deletes_a_pod(item) and item.request.name in pods:
                pod, since_s = pods[item.request.name]
                job = jobs.get(pod.controller["uid"]) if pod.controller else None
                known = item.at_s - since_s >= REACTION_S * seen.time_scale
                if job and not job.deleting and pod.finished and not pod.tracked and known:
                    return against(
                        item.number,
                        expected="no pod is deleted that has finished and was let go",
                        observed=said("the deletion of {pod} is asked for", pod=pod.name),
                    )
    return None


def _deletes_a_pod(write: Write) -> bool:
    return (write.request.resource, write.request.verb, write.request.subresource) == (PODS, "delete", "")
