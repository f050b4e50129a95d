"""Facts about the PodGroup of a TFJob, of whichever gang scheduler, and about its pods in that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.facts.tfjob import PREFIX, pods_of, tfjob
from batchproof.judgement.things.core import Pod
from batchproof.judgement.things.coscheduling import COSCHEDULING_GROUPS
from batchproof.judgement.things.volcano import PODGROUPS
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things import Thing

_GROUPS = (PODGROUPS, COSCHEDULING_GROUPS)
_OF_VOLCANO = ("scheduling.k8s.io/group-name", "volcano.sh/task-spec")
_OF_COSCHEDULING = "scheduling.x-k8s.io/pod-group"
_NOBODY = {"", "default-scheduler"}


def tfjob_group(seen: Observed) -> Thing | None:
    """The PodGroup that the TFJob controls, if there is one now."""
    job = tfjob(seen)
    for kind in _GROUPS:
        for group in seen.objects(kind).values():
            owners = group.metadata.get("ownerReferences") or []
            if job and any(it.get("controller") and it["uid"] == job.uid for it in owners):
                return group
    return None


@fact("the PodGroup of the TFJob asks for {minimum:d} [pod|pods]")
def tfjob_group_minimum(seen: Observed, *, minimum: int) -> Finding:
    """A PodGroup of the name of the TFJob, which controls it, has this minMember."""
    job, group = tfjob(seen), tfjob_group(seen)
    holds = job and group and group.name == job.name and group.spec.get("minMember") == minimum
    return found(holds, observed=f"{group.name}: {group.spec}" if group else "no PodGroup")


@fact("the PodGroup of the TFJob says {what:word} {value:name}")
def tfjob_group_says(seen: Observed, *, what: str, value: str) -> Finding:
    """Its spec has this value in this field."""
    group = tfjob_group(seen)
    return found(
        group and group.spec.get(what) == value, observed=str(group.spec) if group else "no PodGroup"
    )


@fact("the PodGroup of the TFJob was made once and is gone")
def tfjob_group_ended(seen: Observed) -> Finding:
    """There has been one PodGroup in all, and there is none now."""
    made = {it.uid for kind in _GROUPS for _, it in seen.versions(kind)}
    there = [it.name for kind in _GROUPS for it in seen.objects(kind).values()]
    return found(len(made) == 1 and not there, observed=f"{len(made)} made, {len(there)} there")


@fact("<a|no> PodGroup is changed by the implementation", in_place=False)
def group_written(seen: Observed) -> Finding:
    """It has asked to change a PodGroup, whether or not that made a difference."""
    writes = [it for kind in _GROUPS for verb in ("update", "patch") for it in seen.writes_to(kind, verb)]
    return found(writes, observed=f"{len(writes)} times", decisive=[it.number for it in writes[:1]])


@fact("each pod of the TFJob has named its PodGroup since it was created")
def tfjob_grouped(seen: Observed) -> Finding:
    """By the annotations of Volcano, its type included, or by the label of scheduler-plugins.

    Every pod that was ever created for the TFJob is judged as it was then: its scheduler sees it so first.
    """
    job = tfjob(seen)
    made = [it for kind, it in seen.versions(PODS) if kind == "ADDED" and isinstance(it, Pod)]
    pods = [it for it in made if job and it.owned_by(job)]
    wrong = [pod for pod in pods if not _grouped(pod, tfjob_group(seen))]
    observed = f"{wrong[0].name}: {wrong[0].annotations} {wrong[0].labels}" if wrong else f"{len(pods)} pods"
    return found(pods and not wrong, observed=observed, decisive=[it.record for it in wrong[:1]])


def _grouped(pod: Pod, group: Thing | None) -> bool:
    if group is None:
        return False
    if group.resource == COSCHEDULING_GROUPS:
        return pod.labels.get(_OF_COSCHEDULING) == group.name
    named = tuple(pod.annotations.get(key) for key in _OF_VOLCANO)
    return named == (group.name, pod.labels.get(f"{PREFIX}replica-type"))


@fact("each pod of the TFJob is given to <a gang scheduler|the scheduler of its template>")
def tfjob_gang_scheduled(seen: Observed) -> Finding:
    """Its schedulerName is neither that of its template nor the default one."""
    job, pods = tfjob(seen), pods_of(seen)
    names = {pod.name: str(pod.spec.get("schedulerName") or "") for pod in pods}
    left = [pod.name for pod in pods if not job or names[pod.name] in _NOBODY | {_of_template(pod, seen)}]
    return found(pods and not left, observed=", ".join(sorted(set(names.values()))) or "no pods")


def _of_template(pod: Pod, seen: Observed) -> str:
    job = tfjob(seen)
    template = job.template(pod.labels.get(f"{PREFIX}replica-type", "")) if job else {}
    return str(template.get("spec", {}).get("schedulerName") or "")
