"""Facts about Indexed Jobs: which index each pod stands for, and which indexes are completed.

A pod's index is what its annotation says; a pod that a user made may have none, or a wrong one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from batchproof.ground.resources import COMPLETION_INDEX, INDEX_FAILURES, INDEX_IGNORED_FAILURES
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words, stated
from batchproof.profiles.shared.facts.made import First, each_made
from batchproof.profiles.shared.objects.batch import Job, indexes_of, status_of
from batchproof.profiles.shared.objects.pods import completion_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

INDEX_VARIABLE = "JOB_COMPLETION_INDEX"
_OF_POD = {f"metadata.{place}s['{COMPLETION_INDEX}']": place for place in ("annotation", "label")}
_LONGEST_GENERATED = 58  # characters before the random ones, which the API server adds

# -- the status of the Job


@fact("the completed indexes of {job:job} are {indexes:indexes}")
def completed_indexes(seen: Observed, *, job: str, indexes: str) -> Finding:
    """status.completedIndexes lists these indexes, in whatever form."""
    return _reported(seen, job, lambda it: it.completed_indexes == indexes_of(indexes))


@fact('the completed indexes of {job:job} are written as "{indexes:indexes}"')
def completed_indexes_written(seen: Observed, *, job: str, indexes: str) -> Finding:
    """status.completedIndexes is this text."""
    return _reported(seen, job, lambda it: it.status.get("completedIndexes", "") == indexes)


@fact("the failed indexes of {job:job} are {indexes:indexes}")
def failed_indexes(seen: Observed, *, job: str, indexes: str) -> Finding:
    """status.failedIndexes is there and lists these indexes, in whatever form."""
    return _reported(seen, job, lambda it: it.failed_indexes == indexes_of(indexes))


@fact('the failed indexes of {job:job} are written as "{indexes:indexes}"')
def failed_indexes_written(seen: Observed, *, job: str, indexes: str) -> Finding:
    """status.failedIndexes is this text."""
    return _reported(seen, job, lambda it: it.status.get("failedIndexes") == indexes)


def _reported(seen: Observed, job: str, rightly: Callable[[Job], bool]) -> Finding:
    """The Job is there, and its status is right."""
    it = seen.find(Job, job)
    return found(
        it is not None and rightly(it),
        observed=status_of(it),
        decisive=[it.record] if it else [],
    )


# -- the indexes of pods


@fact("the active pods{job:of_job} have the indexes {indexes:numbers}")
def active_indexes(seen: Observed, *, job: str, indexes: list[int]) -> Finding:
    """The Job has one active pod for each of these indexes, and no other."""
    pods = seen.owned(seen.find(Job, job)).active.values()
    surplus = _beyond(pods, indexes)
    return found(
        _listed(pods) == sorted(map(str, indexes)),
        observed=_indexes(pods),
        decisive=surplus[:1],
        awaits_pods=not surplus,
    )


def _beyond(pods: Iterable[Pod], indexes: list[int]) -> list[int]:
    """The records of the pods whose index is not among these, or as often already."""
    left, surplus = Counter(map(str, indexes)), []
    for pod in pods:
        if left[index := _text(pod)]:
            left[index] -= 1
        else:
            surplus.append(pod.record)
    return surplus


@fact("{job:job} has active pods of the indexes {indexes:numbers}")
def active_among(seen: Observed, *, job: str, indexes: list[int]) -> Finding:
    """The Job has an active pod for each of these indexes, maybe with others."""
    pods = seen.owned(seen.find(Job, job)).active.values()
    present = {completion_index(pod) for pod in pods}
    return found({*indexes} <= present, observed=_indexes(pods), awaits_pods=True)


@fact("pods{job:of_job} have been created for the indexes {indexes:numbers} and for no other")
def created_indexes(seen: Observed, *, job: str, indexes: list[int]) -> Finding:
    """The pods that there ever were of the Job had these indexes, each as often as it is named."""
    made = seen.versions_of_pods(Job, job).fold(First).pods
    surplus = _beyond(made.values(), indexes)
    return found(
        _listed(made.values()) == sorted(map(str, indexes)),
        observed=_indexes(made.values()),
        decisive=surplus[:1],
        awaits_pods=not surplus,
    )


@fact("pod {pod:name} is <|not >active")
def pod_active(seen: Observed, *, pod: str) -> Finding:
    """There is a pod of that name, and it is neither finished nor being deleted."""
    it = seen.pod(pod)
    return found(
        it is not None and it.active,
        observed=" ".join(filter(None, it.words)) if it else "no such pod",
        decisive=[it.record] if it else [],
    )


@fact("the pods of index {index:d}{job:of_job} were made with the {kind:failures} {counts:numbers}")
def failures_carried(seen: Observed, *, index: int, job: str, kind: str, counts: list[int]) -> Finding:
    """The pods that there ever were of an index, in their order, say that it had failed so often before.

    They have it in an annotation; where it lacks, no failures are ignored.
    """
    made = [
        pod
        for pod in seen.versions_of_pods(Job, job).fold(First).pods.values()
        if completion_index(pod) == index
    ]
    annotation, lacking = _COUNTED[kind]
    carried = [pod.annotations.get(annotation, lacking) for pod in made]
    wanted = [str(count) for count in counts]
    return found(
        carried == wanted,
        observed=f"{kind} {', '.join(carried) or '(there is no pod)'}",
        decisive=[pod.record for pod in made],
        awaits_pods=carried == wanted[: len(carried)],
    )


_COUNTED: Mapping[str, tuple[str, str]] = {
    "failure counts": (INDEX_FAILURES, "missing"),
    "ignored failure counts": (INDEX_IGNORED_FAILURES, "0"),
}


def _text(pod: Pod) -> str:
    return "none" if completion_index(pod) is None else str(completion_index(pod))


def _listed(pods: Iterable[Pod]) -> list[str]:
    return sorted(map(_text, pods))


def _indexes(pods: Iterable[Pod]) -> str:
    indexes = _listed(pods)
    return stated(f"pods of the indexes {', '.join(indexes) or '(there is no pod)'}", {"indexes": indexes})


# -- how a pod knows its index


@fact("every pod{job:of_job} has its index in its {place:place}")
def index_shown(seen: Observed, *, job: str, place: str) -> Finding:
    """There are pods, and each of them had its index from its creation.

    It is in its ``annotation``, repeated in its ``label``, its ``hostname`` is ``<job>-<index>``, its
    ``name`` begins so, and all containers have it as JOB_COMPLETION_INDEX in their ``environment``.
    """

    def wrong(pod: Pod) -> str:
        return "" if _SHOWN[place](pod, job) else _places(pod)

    return each_made(seen, job, wrong)


def _in_name(pod: Pod, job: str) -> bool:
    """The name is ``<job>-<index>-`` and random characters; of a long name the Job's part is cut."""
    index, made_of = f"-{completion_index(pod)}-", f"{job}-{completion_index(pod)}-"
    if len(made_of) <= _LONGEST_GENERATED:
        return pod.name.startswith(made_of)
    return index in pod.name and job.startswith(pod.name.rpartition(index)[0])


def _in_environment(pod: Pod) -> bool:
    return all(_value(container, pod) == str(completion_index(pod)) for container in _containers(pod))


_SHOWN: Mapping[str, Callable[[Pod, str], bool]] = {
    "annotation": lambda pod, _: completion_index(pod) is not None,
    "label": lambda pod, _: pod.labels.get(COMPLETION_INDEX) == str(completion_index(pod)),
    "hostname": lambda pod, job: bool(pod.spec.get("hostname") == f"{job}-{completion_index(pod)}"),
    "name": _in_name,
    "environment": lambda pod, _: _in_environment(pod),
}


def _containers(pod: Pod) -> list[Json]:
    return [*(pod.spec.get("initContainers") or ()), *(pod.spec.get("containers") or ())]


def _value(container: Json, pod: Pod) -> str | None:
    """What JOB_COMPLETION_INDEX is in a container: the last variable of that name counts."""
    named = [it for it in container.get("env") or () if it["name"] == INDEX_VARIABLE]
    if not named:
        return None
    path = _field(named[-1])
    marks = {"annotation": pod.annotations, "label": pod.labels}
    if path in _OF_POD:
        return marks[_OF_POD[path]].get(COMPLETION_INDEX)
    return str(named[-1].get("value", ""))


def _field(variable: Json) -> str | None:
    """The field of its pod that an environment variable shows; None if it shows none."""
    return ((variable.get("valueFrom") or {}).get("fieldRef") or {}).get("fieldPath")


def _places(pod: Pod) -> str:
    """What stands at each place where a pod may have its index."""
    variables = {container["name"]: _value(container, pod) for container in _containers(pod)}
    places = {
        "annotation": pod.annotations.get(COMPLETION_INDEX),
        "label": pod.labels.get(COMPLETION_INDEX),
        "hostname": pod.spec.get("hostname"),
        INDEX_VARIABLE: variables,
    }
    return ", ".join(f"{place} {in_words(there)}" for place, there in places.items())


@fact("{variable:word} is {value:word} in every container of every pod{job:of_job}")
def variable_everywhere(seen: Observed, *, variable: str, value: str, job: str) -> Finding:
    """There are pods, and their containers have the variable once, with this value."""

    def wrong(pod: Pod) -> str:
        values = [
            it.get("value", "(from elsewhere)")
            for container in _containers(pod)
            for it in container.get("env") or ()
            if it["name"] == variable
        ]
        return "" if values == [value] * len(_containers(pod)) else in_words(values)

    return each_made(seen, job, wrong)


@fact("every pod{job:of_job} is in the subdomain {subdomain:name}")
def pods_in_subdomain(seen: Observed, *, job: str, subdomain: str) -> Finding:
    """There are pods, and each of them was created with this subdomain."""
    return each_made(
        seen,
        job,
        lambda pod: (
            ""
            if pod.spec.get("subdomain") == subdomain
            else f"subdomain {in_words(pod.spec.get('subdomain'))}"
        ),
    )


@fact("no pod{job:of_job} has an index", within="now")
def no_index_shown(seen: Observed, *, job: str) -> Finding:
    """There were pods, and none of them was created with an index in annotation, label or environment."""
    return each_made(seen, job, lambda pod: " and ".join(index_marks(pod)))


def index_marks(pod: Pod) -> list[str]:
    """Where a pod has an index, whatever it is: its ``annotation``, ``label``, ``environment``."""
    marks = {
        "annotation": COMPLETION_INDEX in pod.annotations,
        "label": COMPLETION_INDEX in pod.labels,
        "environment": any(
            _field(variable) in _OF_POD
            for container in _containers(pod)
            for variable in container.get("env") or ()
        ),
    }
    return [place for place, there in marks.items() if there]
