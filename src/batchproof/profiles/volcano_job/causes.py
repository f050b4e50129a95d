"""What a record shows of a Volcano Job, its pods, PodGroup and queue; what they were after a wait in vain."""

from __future__ import annotations

import re

from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words
from batchproof.profiles.shared.causes import amount, changed, pods_by, pods_in_words, stood, was
from batchproof.profiles.shared.objects.volcano import PodGroup, Queue
from batchproof.profiles.volcano_job.facts.jobs import FINAL
from batchproof.profiles.volcano_job.objects import VolcanoJob, needed, replicas
from batchproof.report.cause_and_effect import Shown, cause, standing
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count, joined

_TASK = "volcano.sh/task-spec"
_LEFT = FINAL | {"Aborted"}
_RETRIES = {"Restarting", "Failed"}
"""The phases that depend on how often a Job was tried before."""


@cause
def turned(seen: Observed, shown: Shown) -> str:
    """The Job got another phase or other counts, or was deleted: which pods it had, and its minAvailable."""
    job, before = shown.thing, shown.before
    if not isinstance(job, VolcanoJob) or not isinstance(before, VolcanoJob):
        return ""
    numbers = [f"minAvailable {job.min_available}"]
    if {before.phase, job.phase} & _RETRIES:
        numbers += [f"retryCount {job.number('retryCount')}", f"maxRetry {_most_retries(job)}"]
    had = f"it had {_pods_of(seen, job)}, with {joined(numbers)}"
    return changed(shown, f"Volcano Job {job.name}", _turned(before.phase, job.phase), had)


@cause
def created(seen: Observed, shown: Shown) -> str:
    """A pod was created that the Job should not get, or not yet: what the Job was then.

    Of any other creation this would name what was right about it.
    """
    pod = shown.thing
    job = _owner(seen, pod) if shown.kind == "ADDED" and not shown.before else None
    if job is None or not isinstance(pod, Pod):
        return ""
    if job.phase in _LEFT:
        return f"{pod.name} was created when Volcano Job {job.name} was {job.phase} already"
    tasks: dict[str, Json] = {it["name"]: it for it in job.spec.get("tasks") or []}
    task = pod.annotations.get(_TASK, "")
    if pod.name not in job.pod_names and task in tasks:
        pods = count(replicas(tasks[task]), "replica")
        return f"{pod.name} was created when task {task} of Volcano Job {job.name} had {pods}"
    if awaited := _awaited(seen, job, tasks, task):
        return (
            f"{pod.name} was created when Volcano Job {job.name} had {awaited}, on which task {task} depends"
        )
    waiting = [it for it in seen.all(PodGroup) if it.owned_by(job)]
    if waiting and all(it.phase == "Pending" for it in waiting):
        return f"{pod.name} was created while PodGroup {waiting[0].name} was Pending"
    return ""


@cause
def grouped(seen: Observed, shown: Shown) -> str:
    """The PodGroup got another minMember, or was deleted: what the Job asked for."""
    group, before = shown.thing, shown.before
    job = _owner(seen, group)
    if job is None or not isinstance(group, PodGroup):
        return ""
    if shown.kind == "DELETED" or (before and group.deleting > before.deleting):
        told = f"was deleted while Volcano Job {job.name} was {job.phase} and had {_pods_of(seen, job)}"
        return f"PodGroup {group.name} {told}"
    least, had = (in_words(it.spec.get("minMember")) if it else "" for it in (group, before))
    if least == had or (not had and least == str(job.min_available)):
        return ""
    came = f"went from minMember {had} to {least}" if had else f"was created with minMember {least}"
    return (
        f"PodGroup {group.name} {came} while minAvailable of Volcano Job {job.name} was {job.min_available}"
    )


@cause
def queued(seen: Observed, shown: Shown) -> str:
    """The queue got another state or other counts, or was deleted: which PodGroups it had."""
    queue, before = shown.thing, shown.before
    if not isinstance(queue, Queue) or not isinstance(before, Queue):
        return ""
    had = f"it had {_groups_in(seen, queue)}"
    return changed(shown, f"Queue {queue.name}", _turned(before.state, queue.state), had)


def _most_retries(job: VolcanoJob) -> str:
    return in_words(job.spec.get("maxRetry"))


@standing
def stands(seen: Observed, unmet: UnmetClaim) -> str:
    """The phase and counts of a Volcano Job with its pods, or the state of a queue with its PodGroups."""
    if re.match(r"(?:(?!Volcano Job).)*\bqueue\b", unmet.expected):
        return stood(
            seen,
            unmet,
            Queue,
            "queue",
            lambda it: was(it, it.state or "without a state", _groups_in(seen, it)),
        )
    return stood(seen, unmet, VolcanoJob, "Volcano Job", lambda job: _state_of(seen, job, unmet))


def _state_of(seen: Observed, job: VolcanoJob, unmet: UnmetClaim) -> str:
    """What a Job was, with its PodGroup where that is waited for."""
    groups = [it for it in seen.all(PodGroup) if it.owned_by(job)]
    more = f", and {amount([it.phase for it in groups], 'PodGroup')}" if "PodGroup" in unmet.expected else ""
    had = f"{_pods_of(seen, job)}, with minAvailable {job.min_available}"
    return was(job, job.phase or "without a phase", f"{had}{more}")


def _groups_in(seen: Observed, queue: Queue) -> str:
    """How many PodGroups a queue has, and in which phases."""
    return amount([it.phase for it in seen.all(PodGroup) if it.spec.get("queue") == queue.name], "PodGroup")


def _turned(before: str, now: str) -> str:
    """From which phase to which something went; empty if it stayed in its own."""
    if before == now:
        return ""
    return f"went from {before} to {now or 'none'}" if before else f"became {now}"


def _owner(seen: Observed, thing: ApiObject) -> VolcanoJob | None:
    return next((job for job in seen.all(VolcanoJob) if thing.owned_by(job)), None)


def _awaited(seen: Observed, job: VolcanoJob, tasks: dict[str, Json], task: str) -> str:
    """The pods of the tasks that a task depends on, if they are not as many as these have to have.

    Pods are enough that are ready or have succeeded; of one of the tasks if the iteration is ``any``.
    """
    depends: Json = (tasks.get(task) or {}).get("dependsOn") or {}
    named = [name for name in depends.get("name") or [] if name in tasks]
    of = {name: [pod for pod in seen.owned(job).pods.values() if _task_of(pod) == name] for name in named}
    enough = [sum(map(_served, pods)) >= needed(tasks[name]) for name, pods in of.items()]
    if not enough or (any(enough) if depends.get("iteration") == "any" else all(enough)):
        return ""
    return joined([pods_in_words(pods, name) for name, pods in of.items()])


def _served(pod: Pod) -> bool:
    return pod.ready or pod.phase == "Succeeded"


def _pods_of(seen: Observed, job: VolcanoJob) -> str:
    """How many pods of each task a Job has, and in which phases."""
    tasks = [it["name"] for it in job.spec.get("tasks") or []]
    return pods_by(seen.owned(job).pods.values(), tasks, _task_of)


def _task_of(pod: Pod) -> str:
    return pod.annotations.get(_TASK) or "no task"
