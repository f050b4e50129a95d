"""Facts about Volcano Jobs, their PodGroups and queues, and the Commands of users.

A scenario has one Volcano Job, of the name that every Job has that no sentence names, one queue and at most
one Command.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import Finding, fact, found, state_of
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, said, stated
from batchproof.profiles.shared.facts.folds import Controlled
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.volcano import PODGROUPS, PodGroup, Queue
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS, Command, VolcanoJob

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

LIVE = {"", "Pending", "Running"}
"""The phases in which a Job has not been left."""

FINAL = {"Completed", "Failed", "Terminated"}
"""The phases in which a Job has ended."""

_ANNOTATIONS = ("volcano.sh/job-name", "volcano.sh/task-spec", "volcano.sh/job-version")
_GROUP = "scheduling.k8s.io/group-name"


def volcano_job(seen: Observed, name: str = JOB) -> VolcanoJob | None:
    """The Volcano Job of this name, if there is one now."""
    return seen.first(VolcanoJob, name)


def queue_of(seen: Observed) -> Queue | None:
    """The scenario's queue, if there is one now."""
    return seen.first(Queue)


def with_group(seen: Observed) -> tuple[VolcanoJob, PodGroup] | None:
    """The Volcano Job and the PodGroup that it controls, if there are both now."""
    if (job := volcano_job(seen)) is None:
        return None
    return next(((job, group) for group in seen.all(PodGroup) if group.owned_by(job)), None)


def group_of(seen: Observed) -> PodGroup | None:
    """The PodGroup that the Volcano Job controls, if there is one now."""
    return its[1] if (its := with_group(seen)) else None


def active_pods_of(seen: Observed, task: str = "") -> list[Pod]:
    """The active pods of the Volcano Job, or of one task: neither finished nor being deleted."""
    pods = [pod for pod in pods_of(seen) if not pod.finished and not pod.deleting]
    return [pod for pod in pods if not task or pod.name.startswith(f"{JOB}-{task}-")]


def pods_of(seen: Observed, name: str = JOB) -> list[Pod]:
    """The pods that the Volcano Job of this name controls now."""
    return [*seen.owned(volcano_job(seen, name)).pods.values()]


def past_of(seen: Observed) -> JobPast:
    """What the Volcano Job has been so far."""
    return seen.versions(VOLCANO_JOBS).fold(JobPast, JOB)


class JobPast:
    """What the Volcano Jobs of a name have been.

    Attributes:
        jobs: the newest version of each, by UID.
        told: the first version that has a phase.
        phases: its phases one after the other.
        rises: the versions before and after each rise of status.version.
        ended: the first version in which it has ended.
        deleted: the first version that is being deleted, or is gone.
    """

    def __init__(self, name: str) -> None:
        self.jobs: dict[str, VolcanoJob] = {}
        self.told: VolcanoJob | None = None
        self.phases: list[str] = []
        self.rises: list[tuple[VolcanoJob, VolcanoJob]] = []
        self.ended: VolcanoJob | None = None
        self.deleted: VolcanoJob | None = None
        self._name = name
        self._newest: VolcanoJob | None = None

    def take(self, kind: str, job: VolcanoJob) -> None:
        """Take in a version."""
        if job.name != self._name:
            return
        before, self._newest = self._newest, job
        self.jobs[job.uid] = job
        if job.phase:
            self.told = self.told or job
            self.phases += [job.phase] if self.phases[-1:] != [job.phase] else []
        if before and job.number("version") > before.number("version"):
            self.rises.append((before, job))
        if job.phase in FINAL:
            self.ended = self.ended or job
        if kind == "DELETED" or job.deleting:
            self.deleted = self.deleted or job


def pods_in_words(pods: Iterable[Pod]) -> str:
    """The name and the phase of each pod, and whether it is being deleted."""
    shown = list(pods)
    text = ", ".join(f"{pod.name} {pod.phase}{' deleting' * pod.deleting}" for pod in shown) or "none"
    values = {
        "pods": [pod.name for pod in shown],
        "phases": [pod.phase for pod in shown],
        "deleting": [bool(pod.deleting) for pod in shown],
    }
    return stated(text, values)


@fact(
    "the Volcano Job <is|is not> {phase:word}", within="settle", judged_by=("VOL-014", "VOL-016", "VOL-021")
)
def volcano_job_phase(seen: Observed, *, phase: str) -> Finding:
    """Its status has this phase now."""
    job = volcano_job(seen)
    observed = state_of(job, "no such Job")
    return found(job and job.phase == phase, observed=observed, decisive=[job.record] if job else [])


@fact("the Volcano Job begins as Pending, with version 0 and its minimum in its status")
def volcano_job_begins(seen: Observed) -> Finding:
    """Its first phase is Pending, with a condition, spec.minAvailable and version 0 (absent is 0)."""
    first = past_of(seen).told
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
    return found(holds, observed=status, decisive=[first.record])


@fact("a PodGroup of the Volcano Job needs {minimum:d} [pod|pods] in its queue")
def volcano_group(seen: Observed, *, minimum: int) -> Finding:
    """A PodGroup that the Job controls has this minMember and the Job's queue."""
    if (its := with_group(seen)) is None:
        return found(holds=False, observed="no PodGroup")
    job, group = its
    asked = (group.spec.get("minMember"), group.spec.get("queue"))
    return found(
        asked == (minimum, job.queue),
        observed=said("minMember {minMember} in {queue}", minMember=asked[0], queue=asked[1]),
        decisive=[group.record],
    )


@fact("the PodGroup of the Volcano Job is gone")
def volcano_group_gone(seen: Observed) -> Finding:
    """The Job had a PodGroup, and has none now."""
    job, group = volcano_job(seen), group_of(seen)
    had = seen.versions(PODGROUPS).fold(Controlled).versions[job.uid] if job else 0
    return found(
        had and not group, observed=group.name if group else f"{counted(had, 'version')} of one before"
    )


@fact("the PodGroup of the Volcano Job is another one than at first")
def volcano_group_anew(seen: Observed) -> Finding:
    """The Job has a PodGroup, and the first one that it had is gone."""
    job, group = volcano_job(seen), group_of(seen)
    first = seen.versions(PODGROUPS).fold(Controlled).first.get(job.uid) if job else None
    gone = first is not None and first.uid not in seen.objects(PODGROUPS)
    return found(group and gone, observed=said("{group}", group=group.name) if group else "no PodGroup")


@fact("the PodGroup of the Volcano Job is the one that it had at first")
def volcano_group_first_still(seen: Observed) -> Finding:
    """The Job has its first PodGroup, which is not being deleted."""
    job, group = volcano_job(seen), group_of(seen)
    first = seen.versions(PODGROUPS).fold(Controlled).first.get(job.uid) if job else None
    kept = group is not None and first is not None and first.uid == group.uid and not group.deleting
    return found(kept, observed=said("{group}", group=group.name) if group else "no PodGroup")


@fact("the Volcano Job has a PodGroup", judged_by=("VOL-002",))
def volcano_group_exists(seen: Observed) -> Finding:
    """There is a PodGroup that the Job controls, and it is not being deleted."""
    group = group_of(seen)
    return found(
        group and not group.deleting, observed=said("{group}", group=group.name) if group else "no PodGroup"
    )


@fact("the Volcano Job has {count:d} [pod|pods]", judged_by=("VOL-004",))
def volcano_pods(seen: Observed, *, count: int) -> Finding:
    """It controls the given number of pods that are not being deleted, whatever their phase."""
    pods = [pod for pod in pods_of(seen) if not pod.deleting]
    observed = pods_in_words(pods)
    return found(len(pods) == count, observed=observed, decisive=[pod.record for pod in pods[count:][:1]])


@fact("the Volcano Job has at least {at_least:d} active [pod|pods]", judged_by=("VOL-004",))
def volcano_active_pods(seen: Observed, *, at_least: int) -> Finding:
    """Pods that have finished, or that are being deleted, are not counted."""
    pods = active_pods_of(seen)
    return found(len(pods) >= at_least, observed=said("{pods}", pods=[pod.name for pod in pods]))


@fact("the Volcano Job has {count:d} unfinished [pod|pods]")
def volcano_unfinished(seen: Observed, *, count: int) -> Finding:
    """The given number of its pods have not ended, those that are being deleted included."""
    pods = [pod for pod in pods_of(seen) if not pod.finished]
    observed = pods_in_words(pods)
    return found(len(pods) == count, observed=observed)


@fact(
    "each pod of the Volcano Job is named by its task, and names its Job, task, version and PodGroup",
)
def volcano_pods_marked(seen: Observed) -> Finding:
    """Name, annotations, schedulerName and controller of every pod that was ever created for the Job."""
    if (its := with_group(seen)) is None:
        return found(holds=False, observed="no PodGroup")
    job, group = its
    made = seen.in_order(VOLCANO_JOBS, PODS).fold(_Marked, _Wanted.of(job, group))
    wrong = made.wrong
    observed = (
        f"{wrong.name}: {in_words(wrong.metadata.get('annotations'))}" if wrong else counted(made.pods, "pod")
    )
    return found(made.pods and not wrong, observed=observed, decisive=[wrong.record] if wrong else [])


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How the pods of a Volcano Job are made; equal for versions of it that do not differ in this."""

    job: VolcanoJob = field(compare=False)
    group: PodGroup = field(compare=False)
    asked: Hashable

    @classmethod
    def of(cls, job: VolcanoJob, group: PodGroup) -> _Wanted:
        return cls(job, group, (job.uid, job.spec.get("schedulerName"), group.name))


class _Marked:
    """The pods that were created for a Volcano Job, and the first that is not as it should be.

    A pod has a name that some spec of the Job had asked for when it was created.
    """

    def __init__(self, wanted: _Wanted) -> None:
        self.pods = 0
        self.wrong: Pod | None = None
        self._of = wanted
        self._names: frozenset[str] = frozenset()

    def take(self, kind: str, it: ApiObject) -> None:
        job = self._of.job
        if isinstance(it, VolcanoJob) and it.uid == job.uid:
            self._names |= it.pod_names
        if kind != "ADDED" or not isinstance(it, Pod) or not it.owned_by(job):
            return
        self.pods += 1
        if self.wrong is None and (it.name not in self._names or unmarked(it, job, self._of.group)):
            self.wrong = it


def unmarked(pod: Pod, job: VolcanoJob, group: PodGroup) -> bool:
    """A pod of a Job lacks an annotation, or names something else than its Job, task and PodGroup."""
    annotations = pod.metadata.get("annotations") or {}
    task = annotations.get("volcano.sh/task-spec", "")
    return (
        any(not annotations.get(name) for name in _ANNOTATIONS)
        or annotations.get("volcano.sh/job-name") != job.name
        or not pod.name.startswith(f"{job.name}-{task}-")
        or annotations.get(_GROUP) != group.name
        or pod.spec.get("schedulerName") != job.spec.get("schedulerName")
    )


@fact("the Command was deleted before the Volcano Job became {phase:word}")
def command_taken_first(seen: Observed, *, phase: str) -> Finding:
    """By the order of revisions, every Command to it was gone at its first version in this phase."""
    commands = seen.in_order(COMMANDS, VOLCANO_JOBS).fold(_Commands, phase)
    if (job := commands.job) is None:
        return found(holds=False, observed=f"never {phase}")
    observed = f"{commands.taken} taken, {len(commands.open)} still there"
    return found(commands.taken and not commands.open, observed=observed, decisive=[job.record])


class _Commands:
    """The Commands to the Volcano Job until it first has a phase: how many were taken, and which are open."""

    def __init__(self, phase: str) -> None:
        self.open: set[str] = set()
        self.taken = 0
        self.job: VolcanoJob | None = None
        self._phase = phase

    def take(self, kind: str, thing: ApiObject) -> None:
        if self.job is not None:
            return
        match thing:
            case VolcanoJob(name=name, phase=now) if (name, now) == (JOB, self._phase):
                self.job = thing
            case Command(target=target) if target == JOB:
                (self.open.discard if kind == "DELETED" else self.open.add)(thing.uid)
                self.taken += kind == "DELETED"


@fact("the queue is {state:word}", judged_by=("VOL-054", "VOL-055"))
def queue_state(seen: Observed, *, state: str) -> Finding:
    """Its status has this state now."""
    queue = queue_of(seen)
    observed = state_of(queue, "no such queue")
    return found(queue and queue.state == state, observed=observed, decisive=[queue.record] if queue else [])


@fact("the queue counts {count:d} {phase:word} [PodGroup|PodGroups] and no other")
def queue_counts(seen: Observed, *, count: int, phase: str) -> Finding:
    """Its status counts the given number of PodGroups in this phase and none in any other."""
    queue = queue_of(seen)
    wanted = {phase.lower(): count} if count else {}
    observed = state_of(queue, "no such queue")
    return found(queue and queue.groups == wanted, observed=observed)


@fact("{cpus:d} [CPU|CPUs] [is|are] reported as allocated in the queue", within="now")
def queue_allocated(seen: Observed, *, cpus: int) -> Finding:
    """Its status says that its pods have the given number of CPUs, and no other resource."""
    queue = queue_of(seen)
    told = queue.allocated if queue else {}
    return found(
        told == ({"cpu": cpus} if cpus else {}),
        observed=in_words({name: f"{float(it):g}" for name, it in told.items()}),
        decisive=[queue.record] if queue else [],
    )
