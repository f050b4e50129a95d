"""Facts about how pods are made from the template of their Job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.ground.documents import at
from batchproof.ground.resources import COMPLETION_INDEX
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, said
from batchproof.profiles.shared.facts.in_force import in_force
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.pods import completion_index

if TYPE_CHECKING:
    from collections.abc import Callable

_TAKEN_OVER = (
    (["metadata", "labels"], COMPLETION_INDEX),
    (["metadata", "annotations"], COMPLETION_INDEX),
    (["spec"], "hostname"),
)
"""What a pod has from its template, and what of it makes way for the index of a pod that has one."""


def each_made(seen: Observed, job: str, wrong: Callable[[Pod], str]) -> Finding:
    """There were pods of the Job, and nothing was wrong with any of them when it was created.

    Args:
        seen: what was observed.
        job: the Job's name.
        wrong: says what is wrong with a pod; empty: nothing.
    """
    made = seen.versions_of_pods(Job, job).fold(First).pods.values()
    for pod in made:
        if why := wrong(pod):
            return found(
                holds=False, observed=said("{pod}: {why}", pod=pod.name, why=why), decisive=[pod.record]
            )
    return found(made, observed=counted(len(made), "pod"))


class First:
    """Each pod of a Job as it was first seen, by UID."""

    def __init__(self) -> None:
        self.pods: dict[str, Pod] = {}

    def take(self, _: str, pod: Pod) -> None:
        """Take in a version of a pod."""
        self.pods.setdefault(pod.uid, pod)


@fact("every pod of {job:job} is made as its template says")
def made_by_template(seen: Observed, *, job: str) -> Finding:
    """There were pods of the Job, and each was created with all that the Job's template said then."""
    states = [it for _, it in seen.versions_of(Job, job)]

    def wrong(pod: Pod) -> str:
        then = in_force(states, pod) or states[:1]
        template: Json = then[-1].spec.get("template", {}) if then else {}
        return lacking(template, pod)

    return each_made(seen, job, wrong)


def lacking(template: Json, pod: Pod) -> str:
    """What of a pod template a pod lacks or has otherwise, as a path; empty: nothing.

    Whatever is added to a template, by the controller or by admission, is no difference, nor is how a pod
    shows its index.
    """
    for path, of_index in _TAKEN_OVER:
        wanted = {**(at(path, template) or {})}
        if completion_index(pod) is not None:
            wanted.pop(of_index, None)
        if place := lacks(wanted, at(path, pod.raw) or {}):
            return ".".join(path) + place
    finalizers = at(["metadata", "finalizers"], template) or []
    if missing := [it for it in finalizers if it not in pod.finalizers]:
        return f"metadata.finalizers: none is {missing[0]}"
    return ""


def lacks(wanted: Any, given: Any) -> str:
    """What other JSON lacks of some, as a path; empty: nothing. What it has besides is no difference."""
    if isinstance(wanted, dict) and isinstance(given, dict):
        for key, value in wanted.items():
            if place := lacks(value, given.get(key)):
                return f".{key}{place}"
        return ""
    if isinstance(wanted, list) and isinstance(given, list):
        missing = (number for number, value in enumerate(wanted) if all(lacks(value, it) for it in given))
        number = next(missing, None)
        return "" if number is None else f"[{number}]"
    return "" if wanted == given else f": {in_words(given)} instead of {in_words(wanted)}"
