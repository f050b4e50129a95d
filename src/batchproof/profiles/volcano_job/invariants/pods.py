"""Invariants of Volcano Jobs: which pods are created for them, when, and how."""

from __future__ import annotations

from batchproof.judgement.finding import Finding
from batchproof.judgement.history import Json
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import in_words, said
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.objects.volcano import PodGroup, Queue
from batchproof.profiles.shared.tally import SERVED
from batchproof.profiles.volcano_job.containers import containers_of
from batchproof.profiles.volcano_job.facts.jobs import unmarked
from batchproof.profiles.volcano_job.facts.plugins import knows_index
from batchproof.profiles.volcano_job.objects import VolcanoJob, needed

_TASK = "volcano.sh/task-spec"


def _made_for(past: Past, change: ObjectChange[Pod]) -> VolcanoJob | None:
    """The Job for which the implementation creates a pod."""
    made = change.created and past.made(change.now)
    return past.owner(VolcanoJob, change.now) if made else None


def _no_pod(change: ObjectChange[Pod], why: str) -> Finding:
    return against(change.now, expected=f"no pod {why}", observed=said("{pod} created", pod=change.now.name))


@about("VOL-004", Pod)
def pods_wait_for_the_group(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """VOL-004: no pod is created before a PodGroup of the Job has had another phase than Pending."""
    job = _made_for(past, change)
    if not job or past.admitted(PodGroup, job) or not past.ever(PodGroup, job):
        return None
    return _no_pod(change, "before the PodGroup is let in")


@about("VOL-006", Pod)
def pods_named_and_marked(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """VOL-006: each pod has the name of a task and an index, its annotations, and the Job's schedulerName."""
    if not (job := _made_for(past, change)):
        return None
    pod = change.now
    named = any(pod.name in it.pod_names for it in past.specs(job))
    groups = past.ever(PodGroup, job)
    if named and (not groups or not all(unmarked(pod, job, it) for it in groups)):
        return None
    return against(pod, expected="the name and the annotations of a pod of its Job", observed=_shown(pod))


def _shown(pod: Pod) -> str:
    return f"{pod.name}: {in_words(pod.annotations)}"


@about("VOL-008", Pod)
def pods_in_a_queue_that_exists(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """VOL-008: no pod is created for a Job whose queue has never existed, while other queues are seen."""
    job, queues = _made_for(past, change), past.had(Queue)
    queues = queues and queues | {"default"}  # that one may be older than the history
    if not job or not queues or any(it.queue in queues for it in past.specs(job)):
        return None
    return _no_pod(change, f"while there is no queue {job.queue}")


@about("VOL-040", Pod)
def pods_after_those_they_depend_on(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """VOL-040: no pod of a task before as many pods of those it depends on were ready, or had succeeded."""
    if not (job := _made_for(past, change)):
        return None
    waits = [_awaited(past, it, change.now.annotations.get(_TASK, "")) for it in past.specs(job)]
    return _no_pod(change, f"before {in_words(waits[-1])} are ready") if all(waits) else None


def _awaited(past: Past, job: VolcanoJob, task: str) -> Json:
    """What a task of a Job with this spec still had to wait for; empty: nothing."""
    tasks: dict[str, Json] = {it["name"]: it for it in job.spec.get("tasks") or []}
    depends: Json = (tasks.get(task) or {}).get("dependsOn") or {}
    named = [tasks[name] for name in depends.get("name") or [] if name in tasks]
    served = [past.count(job, SERVED, it["name"]) >= needed(it) for it in named]
    enough = any(served) if depends.get("iteration") == "any" else all(served)
    return {} if enough or not named else depends


@about("VOL-042", Pod)
def indexes_given(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """VOL-042: with the plugin env, each container of a pod has the index of its pod since its creation."""
    job, pod = _made_for(past, change), change.now
    if not job or "env" not in (job.spec.get("plugins") or {}):
        return None
    bare = [it["name"] for it in containers_of(pod) if not knows_index(pod, it)]
    if not bare:
        return None
    return against(pod, expected="its index in each container", observed=f"not in {in_words(bare)}")
