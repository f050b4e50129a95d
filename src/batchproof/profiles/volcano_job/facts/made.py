"""Facts about what is made for a Volcano Job beside its pods: what its PodGroup asks for, claims, names."""

from __future__ import annotations

from batchproof.ground.resources import CLAIMS
from batchproof.judgement.facts import Finding, fact, found, names_of, only
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.api_object import quantity
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, stated
from batchproof.profiles.shared.facts.folds import Controlled, Ever
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS, PodGroup
from batchproof.profiles.volcano_job.facts.jobs import group_of, pods_of, volcano_job
from batchproof.profiles.volcano_job.objects import (
    CONFIG_MAPS,
    NETWORK_POLICIES,
    SECRETS,
    VOLCANO_JOBS,
    VolcanoJob,
)


@fact("the PodGroup of the Volcano Job needs {count:d} [pod|pods] of task {task:word}")
def volcano_group_task(seen: Observed, *, count: int, task: str) -> Finding:
    """Its minTaskMember has this number for the task."""
    group = group_of(seen)
    members = (group.spec.get("minTaskMember") or {}) if group else {}
    return found(members.get(task) == count, observed=members if group else "no PodGroup")


@fact("the PodGroup of the Volcano Job has the label {label:word}")
def volcano_group_labelled(seen: Observed, *, label: str) -> Finding:
    """It has the label, with the value that the Job has."""
    job, group = volcano_job(seen), group_of(seen)
    labels = (group.metadata.get("labels") or {}) if group else {}
    wanted = (job.metadata.get("labels") or {}).get(label) if job else None
    return found(wanted is not None and labels.get(label) == wanted, observed=labels)


@fact("the PodGroup of the Volcano Job has the priorityClassName {name:word}")
def volcano_group_ranked(seen: Observed, *, name: str) -> Finding:
    """Its priorityClassName is this."""
    group = group_of(seen)
    ranked = group is not None and group.spec.get("priorityClassName") == name
    return found(ranked, observed=group.spec.get("priorityClassName") if group else "no PodGroup")


@fact("the PodGroup of the Volcano Job needs {amount:d} [CPU|CPUs]")
def volcano_group_resources(seen: Observed, *, amount: int) -> Finding:
    """Its minResources have this amount of CPU; what else is in them is not judged."""
    group = group_of(seen)
    asked = (group.spec.get("minResources") or {}) if group else {}
    holds = "cpu" in asked and quantity(str(asked["cpu"])) == amount
    return found(holds, observed=asked if group else "no PodGroup")


@fact(
    "the Volcano Job has a PersistentVolumeClaim of its own that its pods mount",
)
def volcano_claim_mounted(seen: Observed) -> Finding:
    """The Job controls one claim; every container of every pod mounts it where the Job says."""
    job, pods = volcano_job(seen), pods_of(seen)
    claims = [it.name for it in seen.objects(CLAIMS).values() if it.controlled_by(job)]
    path = job.spec["volumes"][0]["mountPath"] if job else ""
    if (claim := only(claims)) is None or not pods:
        return found(holds=False, observed=f"claims {in_words(claims)}; {counted(len(pods), 'pod')}")
    bare = [pod.name for pod in pods if not _mounts(pod, claim, path)]
    return found(not bare, observed=f"{claim}, not mounted by {in_words(bare)}")


def _mounts(pod: ApiObject, claim: str, path: str) -> bool:
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
    claims = [it.name for it in seen.objects(CLAIMS).values() if it.controlled_by(job)]
    listed = (job.status.get("controlledResources") or {}) if job else {}
    return found(
        claims and {*claims} <= {*listed.values()}, observed=f"{in_words(listed)}; claims {in_words(claims)}"
    )


@fact("{count:d} [PersistentVolumeClaim has|PersistentVolumeClaims have] been made for the Volcano Job")
def volcano_claims_made(seen: Observed, *, count: int) -> Finding:
    """This many claims were ever controlled by it."""
    job = volcano_job(seen)
    made = seen.versions(CLAIMS).fold(Controlled).of.get(job.uid, {}) if job else {}
    claims = list(made.values())
    return found(
        len(claims) == count,
        observed=names_of(claims) if claims else "none",
        decisive=[claim.record for claim in claims[count:][:1]],
    )


@fact("the PodGroup with the name of the Volcano Job is <|not >as its user made it", within="now")
def volcano_group_kept(seen: Observed) -> Finding:
    """There is one of the Job's name, and its spec and its controller are those of its first version."""
    named = [group for group in seen.all(PodGroup) if group.name == JOB]
    first = seen.versions(PODGROUPS).fold(Ever).first
    changed = [it for it in named if (it.spec, it.controller) != _made(first[it.uid])]
    observed = named[0].spec if named else "no such PodGroup"
    return found(named and not changed, observed=observed, decisive=[it.record for it in changed])


def _made(group: ApiObject) -> tuple[object, object]:
    return group.spec, group.controller


EXTRAS_OF = {
    "ConfigMap": (CONFIG_MAPS, "-svc"),
    "Secret": (SECRETS, "-ssh"),
    "NetworkPolicy": (NETWORK_POLICIES, ""),
    "service": (SERVICES, ""),
}
"""What the plugins svc and ssh need: the resource, and what follows the name of the Job in the name."""


@fact("the {kind:extra_kind} that is not the Volcano Job's own is <|not >as it was", within="now")
def volcano_extra_kept(seen: Observed, *, kind: str) -> Finding:
    """There is one of that name, with the content that it had when first no Job controlled it."""
    resource, suffix = EXTRAS_OF[kind]
    name = f"{JOB}{suffix}"
    first = seen.versions(resource).fold(_Uncontrolled, name).first
    now = next(iter(seen.named(resource, name)), None)
    if first is None or now is None:
        return found(holds=False, observed="it is gone" if first else f"no such {kind}")
    holds = _content(now) == _content(first)
    content = now.raw.get("data") or now.spec
    observed = stated(
        f"{in_words(content)}, of {in_words(now.controller)}",
        {"keys": sorted(content), "controller": now.controller},
    )
    return found(holds, observed=observed, decisive=[] if holds else [now.record])


class _Uncontrolled:
    """The first version of an object of this name that nothing controls."""

    def __init__(self, name: str) -> None:
        self.first: ApiObject | None = None
        self._name = name

    def take(self, _: str, thing: ApiObject) -> None:
        if thing.name == self._name and not thing.controller_uid:
            self.first = self.first or thing


def _content(thing: ApiObject) -> tuple[object, ...]:
    return thing.uid, thing.spec, thing.raw.get("data"), thing.controller, thing.deleting


@fact("the pod with the name of the first has no controller")
def volcano_name_taken(seen: Observed) -> Finding:
    """There is a pod of that name that has no controller and is not being deleted."""
    pod = seen.pod(f"{JOB}-work-0")
    holds = pod is not None and pod.controller is None and not pod.deleting
    return found(holds, observed=pod.controller if pod else "no such pod")


@fact("other Volcano Jobs have pods")
def volcano_others_go_on(seen: Observed) -> Finding:
    """At least one of those that have another name than the Job has a pod."""
    jobs = [it for it in seen.objects(VOLCANO_JOBS).values() if isinstance(it, VolcanoJob)]
    going = [it.name for it in jobs if it.name != JOB and pods_of(seen, it.name)]
    return found(going, observed=f"{len(going)} of {len(jobs) - 1}")
