"""Invariants of TFJobs: their PodGroups, and what waits for them."""

from __future__ import annotations

from typing import Any, TypeAlias

from batchproof.judgement.finding import Finding
from batchproof.judgement.history import Json
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import in_words, said, stated
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.objects.coscheduling import CoschedulingGroup
from batchproof.profiles.shared.objects.volcano import PodGroup
from batchproof.profiles.tfjob.facts.groups import grouped
from batchproof.profiles.tfjob.invariants.pods import made_for
from batchproof.profiles.tfjob.objects import TFJob

Group: TypeAlias = PodGroup | CoschedulingGroup


def _policy(job: TFJob) -> Json:
    found: Json = (job.spec.get("runPolicy") or {}).get("schedulingPolicy") or {}
    return found


def _owner(past: Past, change: ObjectChange[Any]) -> TFJob | None:
    """The TFJob whose PodGroup the implementation creates or changes."""
    return past.owner(TFJob, change.now) if past.wrote(change.now) else None


@about("TFJ-044", PodGroup, CoschedulingGroup)
def group_minimum(past: Past, change: ObjectChange[Group]) -> Finding | None:
    """TFJ-044: a PodGroup has the name of its TFJob and its minAvailable, or the number of all replicas."""
    if not (job := _owner(past, change)):
        return None
    wanted = {_policy(it).get("minAvailable") or sum(it.replicas.values()) for it in past.specs(job)}
    asked = change.now.spec.get("minMember")
    if change.now.name == job.name and asked in wanted:
        return None
    return against(
        change.now,
        expected=f"{job.name} with minMember {in_words(wanted)}",
        observed=said("{name} with {minimum}", name=change.now.name, minimum=asked),
    )


@about("TFJ-057", PodGroup)
def group_in_its_queue(past: Past, change: ObjectChange[PodGroup]) -> Finding | None:
    """TFJ-057: a PodGroup has the queue and the priority class that the schedulingPolicy names."""
    if not (job := _owner(past, change)):
        return None
    for of_policy, of_group in (("queue", "queue"), ("priorityClass", "priorityClassName")):
        wanted = {_policy(it).get(of_policy) for it in past.specs(job)}
        has = change.now.spec.get(of_group)
        if all(wanted) and has not in wanted:
            return against(change.now, expected=f"{of_group} {in_words(wanted)}", observed=in_words(has))
    return None


@about("TFJ-050", PodGroup, CoschedulingGroup)
def no_group_after_the_end(past: Past, change: ObjectChange[Group]) -> Finding | None:
    """TFJ-050: no PodGroup is created for a TFJob that had succeeded or failed before."""
    job = _owner(past, change) if change.created else None
    if not job or not (job.condition("Succeeded") or job.condition("Failed")):
        return None
    observed = stated(
        f"{change.now.name} created; {' '.join(job.words)}", {"name": change.now.name, **job.values}
    )
    return against(change.now, expected="no PodGroup after the end", observed=observed)


@about("TFJ-045", Pod)
def pods_wait_for_the_group(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """TFJ-045: no pod is created before the PodGroup has had another phase than Pending."""
    job = made_for(past, change)
    if not job or not past.ever(PodGroup, job) or past.admitted(PodGroup, job):
        return None
    observed = f"{change.now.name} created"
    return against(change.now, expected="no pod before the PodGroup is let in", observed=observed)


def _in_group(past: Past, change: ObjectChange[Pod], kind: type[Group]) -> Finding | None:
    job = made_for(past, change)
    groups = past.ever(kind, job) if job else []
    if not groups or any(grouped(change.now, it) for it in groups):
        return None
    it = change.now
    return against(
        it,
        expected="a pod that names its PodGroup",
        observed=f"{in_words(it.annotations)}; {in_words(it.labels)}",
    )


@about("TFJ-046", Pod)
def pods_annotated(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """TFJ-046: each pod has the annotations of its PodGroup and its type since its creation."""
    return _in_group(past, change, PodGroup)


@about("TFJ-058", Pod)
def pods_labelled(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """TFJ-058: each pod has the label of its PodGroup since its creation."""
    return _in_group(past, change, CoschedulingGroup)
