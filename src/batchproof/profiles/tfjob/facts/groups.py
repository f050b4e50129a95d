"""Facts about the PodGroup of a TFJob, of whichever gang scheduler, and about its pods in that."""

from __future__ import annotations

from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.api_object import quantity
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, named, said, stated
from batchproof.profiles.shared.facts.folds import Ever
from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.facts.tfjobs import PREFIX, tfjob, with_pods
from batchproof.profiles.tfjob.objects import TFJob

GROUPS = (PODGROUPS, COSCHEDULING_GROUPS)
"""What the PodGroup of a TFJob may be."""
_OF_VOLCANO = ("scheduling.k8s.io/group-name", "volcano.sh/task-spec")
_OF_COSCHEDULING = "scheduling.x-k8s.io/pod-group"
_DEFAULT_QUEUE = "default"
_NOBODY = {None, "", "default-scheduler"}


def tfjob_group(seen: Observed) -> ApiObject | None:
    """The PodGroup that the TFJob controls, if there is one now."""
    job = tfjob(seen)
    for kind in GROUPS:
        for group in seen.objects(kind).values():
            if job and group.owned_by(job):
                return group
    return None


@fact("the PodGroup of the TFJob needs {minimum:d} [pod|pods]")
def tfjob_group_minimum(seen: Observed, *, minimum: int) -> Finding:
    """A PodGroup of the name of the TFJob, which controls it, has this minMember."""
    job, group = tfjob(seen), tfjob_group(seen)
    name = job.name if job else ""
    holds = group and group.name == name and group.spec.get("minMember") == minimum
    return found(
        holds,
        observed=stated(f"{group.name}: {in_words(group.spec)}", {"name": group.name, **named(group.spec)})
        if group
        else "no PodGroup",
    )


@fact("the PodGroup of the TFJob says {what:word} {value:name}")
def tfjob_group_says(seen: Observed, *, what: str, value: str) -> Finding:
    """Its spec has this value in this field."""
    group = tfjob_group(seen)
    return found(group and group.spec.get(what) == value, observed=group.spec if group else "no PodGroup")


@fact("the PodGroup of the TFJob needs {amount:d} [CPU|CPUs]")
def tfjob_group_resources(seen: Observed, *, amount: int) -> Finding:
    """Its minResources have this amount of CPU; what else is in them is not judged."""
    group = tfjob_group(seen)
    asked = (group.spec.get("minResources") or {}) if group else {}
    holds = "cpu" in asked and quantity(str(asked["cpu"])) == amount
    return found(holds, observed=asked if group else "no PodGroup")


@fact("the PodGroup of the TFJob is in queue {value:name}")
def tfjob_group_queue(seen: Observed, *, value: str) -> Finding:
    """Its spec names this queue; one that names none is in queue default (Volcano's PodGroupSpec.Queue)."""
    group = tfjob_group(seen)
    holds = group and (group.spec.get("queue") or _DEFAULT_QUEUE) == value
    return found(holds, observed=group.spec if group else "no PodGroup")


@fact("the PodGroup of the TFJob was made once and is gone")
def tfjob_group_ended(seen: Observed) -> Finding:
    """There has been one PodGroup in all, and there is none now."""
    made = [uid for kind in GROUPS for uid in seen.versions(kind).fold(Ever).first]
    there = [it.name for kind in GROUPS for it in seen.objects(kind).values()]
    return found(
        len(made) == 1 and not there,
        observed=said("{made} made, {there} there", made=len(made), there=len(there)),
    )


@fact("<a|no> PodGroup is changed by the implementation", in_place=False)
def group_written(seen: Observed) -> Finding:
    """It has asked to change a PodGroup, whether or not that made a difference."""
    writes = [it for kind in GROUPS for verb in ("update", "patch") for it in seen.writes_to(kind, verb)]
    return found(writes, observed=counted(len(writes), "time"), decisive=[it.number for it in writes[:1]])


@fact("each pod of the TFJob has named its PodGroup since it was created")
def tfjob_grouped(seen: Observed) -> Finding:
    """By the annotations of Volcano, its type included, or by the label of scheduler-plugins.

    Every pod that was ever created for the TFJob is judged as it was then: its scheduler sees it so first.
    """
    job, group = tfjob(seen), tfjob_group(seen)
    where = (group.resource, group.name) if group else None
    made = seen.versions(PODS).fold(_Grouped, job.uid if job else "", where)
    wrong = made.wrong
    named = f"{wrong.name}: {in_words(wrong.annotations)}; {in_words(wrong.labels)}" if wrong else ""
    return found(
        made.pods and not wrong,
        observed=named or counted(made.pods, "pod"),
        decisive=[wrong.record] if wrong else [],
    )


class _Grouped:
    """The pods that were created for a TFJob, and the first that does not name its PodGroup."""

    def __init__(self, job: str, where: tuple[Resource, str] | None) -> None:
        self.pods = 0
        self.wrong: Pod | None = None
        self._job = job
        self._where = where

    def take(self, kind: str, pod: Pod) -> None:
        if kind == "ADDED" and self._job and pod.controller_uid == self._job:
            self.pods += 1
            right = self._where is not None and _names(pod, *self._where)
            self.wrong = self.wrong or (None if right else pod)


def grouped(pod: Pod, group: ApiObject) -> bool:
    """A pod names its PodGroup in the way of that group's scheduler."""
    return _names(pod, group.resource, group.name)


def _names(pod: Pod, resource: Resource | None, group: str) -> bool:
    if resource == COSCHEDULING_GROUPS:
        return pod.labels.get(_OF_COSCHEDULING) == group
    named = tuple(pod.annotations.get(key) for key in _OF_VOLCANO)
    return named == (group, pod.labels.get(f"{PREFIX}replica-type"))


@fact("each pod of the TFJob is given to one gang scheduler")
def tfjob_gang_scheduled(seen: Observed) -> Finding:
    """All have the same schedulerName: neither that of their template nor the default one."""
    pods = with_pods(seen)
    names = {_scheduler(pod) for _, pod in pods}
    left = [pod for job, pod in pods if _scheduler(pod) in _NOBODY | {_of_template(pod, job)}]
    return found(len(names) == 1 and not left, observed=_schedulers(names))


@fact("each pod of the TFJob is given to the scheduler of its template")
def tfjob_template_scheduled(seen: Observed) -> Finding:
    """Every pod that was ever created for the TFJob has the schedulerName of the template of its type."""
    job = tfjob(seen)
    wanted = tuple((kind, _named_in(job, kind)) for kind in job.replicas) if job else ()
    made = seen.versions(PODS).fold(_Scheduled, job.uid if job else "", wanted)
    return found(
        made.names and not made.wrong,
        observed=_schedulers(made.names),
        decisive=[made.wrong.record] if made.wrong else [],
    )


class _Scheduled:
    """The schedulers of the pods that were created for a TFJob, and the first pod that has another one."""

    def __init__(self, job: str, wanted: tuple[tuple[str, str | None], ...]) -> None:
        self.names: set[str | None] = set()
        self.wrong: Pod | None = None
        self._job = job
        self._wanted = dict(wanted)

    def take(self, kind: str, pod: Pod) -> None:
        if kind == "ADDED" and self._job and pod.controller_uid == self._job:
            name = _scheduler(pod)
            self.names.add(name)
            right = name == self._wanted.get(pod.labels.get(f"{PREFIX}replica-type", ""))
            self.wrong = self.wrong or (None if right else pod)


def _scheduler(pod: Pod) -> str | None:
    name: str | None = pod.spec.get("schedulerName")
    return name


def _schedulers(names: set[str | None]) -> str:
    return ", ".join(sorted(map(in_words, names))) or "no pods"


def _of_template(pod: Pod, job: TFJob) -> str | None:
    return _named_in(job, pod.labels.get(f"{PREFIX}replica-type", ""))


def _named_in(job: TFJob, kind: str) -> str | None:
    """The scheduler that the template of a type names."""
    template = job.template(kind)
    name: str | None = template.get("spec", {}).get("schedulerName")
    return name
