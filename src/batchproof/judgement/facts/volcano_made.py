"""Facts about what is made for a Volcano Job beside its pods: what its PodGroup asks for, claims, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.facts.volcano import group_of, pods_of, volcano_job
from batchproof.judgement.template import JOB
from batchproof.judgement.things.thing import quantity
from batchproof.judgement.things.volcano import VOLCANO_JOBS, VolcanoJob
from batchproof.resources import CLAIMS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things import Thing


def controlled_by(job: Thing | None, thing: Thing) -> bool:
    """The object is controlled by the Job."""
    owners = thing.metadata.get("ownerReferences") or []
    return job is not None and any(it.get("controller") and it["uid"] == job.uid for it in owners)


@fact("the PodGroup of the Volcano Job needs {count:d} [pod|pods] of task {task:word}")
def volcano_group_task(seen: Observed, *, count: int, task: str) -> Finding:
    """Its minTaskMember has this number for the task."""
    group = group_of(seen)
    members = (group.spec.get("minTaskMember") or {}) if group else {}
    return found(members.get(task) == count, observed=str(members) if group else "no PodGroup")


@fact("the PodGroup of the Volcano Job has the label {label:word}")
def volcano_group_labelled(seen: Observed, *, label: str) -> Finding:
    """It has the label, with the value that the Job has."""
    job, group = volcano_job(seen), group_of(seen)
    labels = (group.metadata.get("labels") or {}) if group else {}
    wanted = (job.metadata.get("labels") or {}).get(label) if job else None
    return found(wanted is not None and labels.get(label) == wanted, observed=str(labels))


@fact("the PodGroup of the Volcano Job asks for {amount:d} [CPU|CPUs]")
def volcano_group_resources(seen: Observed, *, amount: int) -> Finding:
    """Its minResources have this amount of CPU; what else is in them is not judged."""
    group = group_of(seen)
    asked = (group.spec.get("minResources") or {}) if group else {}
    holds = "cpu" in asked and quantity(str(asked["cpu"])) == amount
    return found(holds, observed=str(asked) if group else "no PodGroup")


@fact(
    "the Volcano Job has a PersistentVolumeClaim of its own that its pods mount",
)
def volcano_claim_mounted(seen: Observed) -> Finding:
    """The Job controls one claim; every container of every pod mounts it where the Job says."""
    job, pods = volcano_job(seen), pods_of(seen)
    claims = [it.name for it in seen.objects(CLAIMS).values() if controlled_by(job, it)]
    if job is None or len(claims) != 1 or not pods:
        return found(holds=False, observed=f"claims {claims}, {len(pods)} pods")
    path = job.spec["volumes"][0]["mountPath"]
    bare = [pod.name for pod in pods if not _mounts(pod, claims[0], path)]
    return found(not bare, observed=f"{claims[0]}, not mounted by {bare or 'none'}")


def _mounts(pod: Thing, claim: str, path: str) -> bool:
    volumes = [
        it["name"]
        for it in pod.spec.get("volumes") or []
        if (it.get("persistentVolumeClaim") or {}).get("claimName") == claim
    ]
    return bool(volumes) and all(
        any(it["name"] in volumes and it["mountPath"] == path for it in container.get("volumeMounts") or [])
        for container in pod.spec["containers"]
    )


@fact("the Volcano Job lists its PersistentVolumeClaim as its own")
def volcano_claim_listed(seen: Observed) -> Finding:
    """status.controlledResources has a value that is the name of the claim that the Job controls."""
    job = volcano_job(seen)
    claims = [it.name for it in seen.objects(CLAIMS).values() if controlled_by(job, it)]
    listed = (job.status.get("controlledResources") or {}) if job else {}
    return found(claims and {*claims} <= {*listed.values()}, observed=f"{listed}, claims {claims}")


@fact("the pod with the name of the first is nobody's")
def volcano_name_taken(seen: Observed) -> Finding:
    """There is a pod of that name that has no controller and is not being deleted."""
    pod = seen.pod(f"{JOB}-work-0")
    holds = pod is not None and pod.controller is None and not pod.deleting
    return found(holds, observed=f"{pod.controller}" if pod else "no such pod")


@fact("other Volcano Jobs have pods")
def volcano_others_go_on(seen: Observed) -> Finding:
    """At least one of those that have another name than the Job has a pod."""
    jobs = [it for it in seen.objects(VOLCANO_JOBS).values() if isinstance(it, VolcanoJob)]
    going = [it.name for it in jobs if it.name != JOB and pods_of(seen, it.name)]
    return found(going, observed=f"{len(going)} of {len(jobs) - 1}")
