"""Facts about Volcano Jobs, their PodGroups and queues, and the Commands of users.

A scenario has one Volcano Job, of the name that every Job has that no sentence names, one queue and at most
one Command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.template import JOB
from batchproof.judgement.things.core import Pod
from batchproof.judgement.things.volcano import (
    COMMANDS,
    PODGROUPS,
    QUEUES,
    VOLCANO_JOBS,
    Command,
    PodGroup,
    Queue,
    VolcanoJob,
)
from batchproof.resources import PODS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things import Thing

_ANNOTATIONS = ("volcano.sh/job-name", "volcano.sh/task-spec", "volcano.sh/job-version")
_GROUP = "scheduling.k8s.io/group-name"


def _first(things: Iterable[Thing], kind: type[Thing]) -> Thing | None:
    return next((thing for thing in things if isinstance(thing, kind)), None)


def volcano_job(seen: Observed, name: str = JOB) -> VolcanoJob | None:
    """The Volcano Job of this name, if there is one now."""
    found_ = _first(seen.named(VOLCANO_JOBS, name), VolcanoJob)
    return found_ if isinstance(found_, VolcanoJob) else None


def queue_of(seen: Observed) -> Queue | None:
    """The scenario's queue, if there is one now."""
    found_ = _first(seen.objects(QUEUES).values(), Queue)
    return found_ if isinstance(found_, Queue) else None


def group_of(seen: Observed) -> PodGroup | None:
    """The PodGroup that the Volcano Job controls, if there is one now."""
    job = volcano_job(seen)
    for thing in seen.objects(PODGROUPS).values():
        if isinstance(thing, PodGroup) and job and thing.controller_uid == job.uid:
            return thing
    return None


def pods_of(seen: Observed, name: str = JOB) -> list[Pod]:
    """The pods that the Volcano Job of this name controls now."""
    job = volcano_job(seen, name)
    return [pod for pod in seen.pods if job and pod.owned_by(job)]


def versions_of_job(seen: Observed) -> list[VolcanoJob]:
    """Every version that the Volcano Job ever had."""
    versions = (it for _, it in seen.versions(VOLCANO_JOBS) if isinstance(it, VolcanoJob))
    return [it for it in versions if it.name == JOB]


@fact("the Volcano Job <is|is not> {phase:word}", within="settle")
def volcano_job_phase(seen: Observed, *, phase: str) -> Finding:
    """Its status has this phase now."""
    job = volcano_job(seen)
    observed = " ".join(job.words) or "no status yet" if job else "no such Job"
    return found(job and job.phase == phase, observed=observed, decisive=[job.record] if job else [])


@fact("the Volcano Job begins as Pending, with version 0 and its minimum in its status")
def volcano_job_begins(seen: Observed) -> Finding:
    """Its first phase is Pending, with a condition, spec.minAvailable and version 0 (absent is 0)."""
    first = next((job for job in versions_of_job(seen) if job.phase), None)
    if first is None:
        return found(holds=False, observed="no status yet")
    status = first.status
    statuses = [condition.get("status") for condition in status.get("conditions") or []]
    holds = (
        first.phase == "Pending"
        and not status.get("version")
        and status.get("minAvailable") == first.min_available
        and statuses == ["Pending"]
    )
    return found(holds, observed=str(status), decisive=[first.record])


@fact("a PodGroup of the Volcano Job asks for {minimum:d} [pod|pods] in its queue")
def volcano_group(seen: Observed, *, minimum: int) -> Finding:
    """A PodGroup that the Job controls has this minMember and the Job's queue."""
    job, group = volcano_job(seen), group_of(seen)
    holds = job and group and group.spec.get("minMember") == minimum and group.spec.get("queue") == job.queue
    observed = (
        f"minMember {group.spec.get('minMember')} in {group.spec.get('queue')}" if group else "no PodGroup"
    )
    return found(holds, observed=observed, decisive=[group.record] if group else [])


@fact("the PodGroup of the Volcano Job is gone")
def volcano_group_gone(seen: Observed) -> Finding:
    """The Job had a PodGroup, and has none now."""
    job = volcano_job(seen)
    versions = [it for _, it in seen.versions(PODGROUPS) if isinstance(it, PodGroup)]
    had = [it for it in versions if job and it.controller_uid == job.uid]
    group = group_of(seen)
    return found(had and not group, observed=group.name if group else f"{len(had)} versions of one before")


@fact("the PodGroup of the Volcano Job is another one than at first")
def volcano_group_anew(seen: Observed) -> Finding:
    """The Job has a PodGroup, and the first one that it had is gone."""
    job, group = volcano_job(seen), group_of(seen)
    versions = [it for _, it in seen.versions(PODGROUPS) if isinstance(it, PodGroup)]
    first = next((it for it in versions if job and it.controller_uid == job.uid), None)
    gone = first is not None and first.uid not in seen.objects(PODGROUPS)
    return found(group and gone, observed=group.name if group else "no PodGroup")


@fact("the Volcano Job has a PodGroup")
def volcano_group_exists(seen: Observed) -> Finding:
    """There is a PodGroup that the Job controls, and it is not being deleted."""
    group = group_of(seen)
    return found(group and not group.deleting, observed=group.name if group else "no PodGroup")


@fact("the Volcano Job has {count:d} [pod|pods]")
def volcano_pods(seen: Observed, *, count: int) -> Finding:
    """So many pods are controlled by it and are not being deleted, whatever their phase."""
    pods = [pod for pod in pods_of(seen) if not pod.deleting]
    observed = ", ".join(f"{pod.name} {pod.phase}" for pod in pods) or "none"
    return found(len(pods) == count, observed=observed, decisive=[pod.record for pod in pods[count:][:1]])


@fact("the Volcano Job has {count:d} unfinished [pod|pods]")
def volcano_unfinished(seen: Observed, *, count: int) -> Finding:
    """So many of its pods have not ended, those that are being deleted included."""
    pods = [pod for pod in pods_of(seen) if not pod.finished]
    observed = ", ".join(f"{pod.name} {pod.phase}" for pod in pods) or "none"
    return found(len(pods) == count, observed=observed)


@fact(
    "each pod of the Volcano Job is named by its task, and names its Job, task, version and PodGroup",
)
def volcano_pods_marked(seen: Observed) -> Finding:
    """Name, annotations, schedulerName and controller of every pod that was ever created for the Job."""
    job, group = volcano_job(seen), group_of(seen)
    made = [thing for kind, thing in seen.versions(PODS) if kind == "ADDED" and isinstance(thing, Pod)]
    pods = [pod for pod in made if job and pod.owned_by(job)]
    if not job or not group or not pods:
        return found(holds=False, observed=f"{len(pods)} pods, {'a' if group else 'no'} PodGroup")
    tasks = {task["name"]: int(task["replicas"]) for task in job.spec["tasks"]}
    names = {f"{job.name}-{task}-{index}" for task, count in tasks.items() for index in range(count)}
    wrong = [pod for pod in pods if pod.name not in names or _unmarked(pod, job, group)]
    observed = f"{wrong[0].name}: {wrong[0].metadata.get('annotations')}" if wrong else f"{len(pods)} pods"
    return found(not wrong, observed=observed, decisive=[pod.record for pod in wrong[:1]])


def _unmarked(pod: Pod, job: VolcanoJob, group: PodGroup) -> bool:
    annotations = pod.metadata.get("annotations") or {}
    task = annotations.get("volcano.sh/task-spec", "")
    return (
        any(not annotations.get(name) for name in _ANNOTATIONS)
        or annotations.get("volcano.sh/job-name") != job.name
        or not pod.name.startswith(f"{job.name}-{task}-")
        or annotations.get(_GROUP) != group.name
        or pod.spec.get("schedulerName") != job.spec.get("schedulerName")
    )


@fact("the Command was taken away before the Volcano Job became {phase:word}")
def command_taken_first(seen: Observed, *, phase: str) -> Finding:
    """By the order of revisions, every Command to it was gone at its first version in this phase."""
    open_: set[str] = set()
    taken = 0
    for kind, thing in seen.in_order(COMMANDS, VOLCANO_JOBS):
        match thing:
            case VolcanoJob(name=name, phase=now) if (name, now) == (JOB, phase):
                observed = f"{taken} taken, {len(open_)} still there"
                return found(taken and not open_, observed=observed, decisive=[thing.record])
            case Command(target=target) if target == JOB:
                (open_.discard if kind == "DELETED" else open_.add)(thing.uid)
                taken += kind == "DELETED"
    return found(holds=False, observed=f"never {phase}")


@fact("the queue is {state:word}")
def queue_state(seen: Observed, *, state: str) -> Finding:
    """Its status has this state now."""
    queue = queue_of(seen)
    observed = " ".join(queue.words) or "no status yet" if queue else "no such queue"
    return found(queue and queue.state == state, observed=observed, decisive=[queue.record] if queue else [])


@fact("the queue counts {count:d} {phase:word} [PodGroup|PodGroups] and no other")
def queue_counts(seen: Observed, *, count: int, phase: str) -> Finding:
    """Its status counts so many PodGroups in this phase and none in any other."""
    queue = queue_of(seen)
    wanted = {phase.lower(): count} if count else {}
    observed = " ".join(queue.words) if queue else "no such queue"
    return found(queue and queue.groups == wanted, observed=observed)
