"""How an invariant of Job controllers is written: a rule about Jobs or about pods, by the id it judges.

A rule is asked at each change of a Job or a pod, in the order of etcd's revisions; where a Job is removed,
which shows its last state once more, no rule about Jobs is asked::

    @about_jobs("BAS-059")
    def one_end(past: PastJobs, change: Change[Job]) -> Finding | None:
        ...

It returns what the change breaks, or None. What a rule needs to know of what was before, ``PastJobs`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import blamed, chosen, judges, walks
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.job.invariants.past import PastJobs
from batchproof.profiles.shared.changes import ObjectChange
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

JobRule: TypeAlias = Callable[[PastJobs, ObjectChange[Job]], Finding | None]
PodRule: TypeAlias = Callable[[PastJobs, ObjectChange[Pod]], Finding | None]

RULES: dict[type[Job | Pod], dict[str, Callable[[PastJobs, ObjectChange[Any]], Finding | None]]] = {
    Job: {},
    Pod: {},
}
"""The rules about the changes of a kind of object, by the requirement that each judges."""


def about_jobs(requirement: str) -> Callable[[JobRule], JobRule]:
    """A rule that is asked at each change of a Job but its removal, which shows its last state once more."""
    return lambda rule: judges(RULES[Job], requirement, rule)


def about_pods(requirement: str) -> Callable[[PodRule], PodRule]:
    """A rule that is asked at each change of a pod."""
    return lambda rule: judges(RULES[Pod], requirement, rule)


def _changes(seen: Observed, in_force: Mapping[str, str] | None) -> Iterator[tuple[str, Finding]]:
    """Whatever the rules find, one change after the other."""
    past = PastJobs(seen)
    rules = {of: chosen(about, in_force) for of, about in RULES.items()}
    for kind, thing in seen.in_order(JOBS, PODS):
        if not isinstance(thing, Job | Pod):
            continue
        change = ObjectChange(kind, thing, past.known(thing))
        left_out = past.foreign(thing) or (change.gone and isinstance(thing, Job))
        for id_, rule in () if left_out else rules[type(thing)]:
            if finding := blamed(id_, thing.record, rule, past, change):
                yield id_, finding
        past.take(thing, gone=change.gone)


walks(lambda: {id_: rule for rules in RULES.values() for id_, rule in rules.items()}, _changes)
