"""Invariants: what must hold of every history, whatever the scenario, without being asked for.

Changes are taken in the order of etcd revisions, which is the order in which they happened; the records of
two watches may have arrived otherwise. Each rule stands in the module of its subject (see ``rule``), under
the requirement that it judges; nothing else lists them.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ParamSpec

from batchproof.errors import BatchproofError
from batchproof.judgement.finding import FactBroke
from batchproof.judgement.invariants.past import Past
from batchproof.judgement.invariants.rule import HISTORY_RULES, JOB_RULES, POD_RULES, Change
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.judgement.timeline import timeline
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from batchproof.judgement.finding import Finding
    from batchproof.judgement.observed import Observed

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

_Given = ParamSpec("_Given")


def invariants() -> frozenset[str]:
    """The ids of the requirements that have a rule."""
    return frozenset({*JOB_RULES, *POD_RULES, *HISTORY_RULES})


def breaches(seen: Observed, sentences: Mapping[str, str] | None = None) -> list[Finding]:
    """The first breach of each requirement that a history breaks, in the order in which they happened.

    Args:
        seen: what the whole history shows.
        sentences: the requirements that are in force, with their sentences; None: all, without any.

    Raises:
        FactBroke: an invariant raised an exception.
    """
    found: dict[str, Finding] = {}
    for requirement, finding in _found(seen, sentences):
        found.setdefault(requirement, finding)
    spoken = (
        finding.about(requirement, (sentences or {}).get(requirement, ""))
        for requirement, finding in found.items()
    )
    return [replace(one, timeline=timeline(seen.records, one.decisive, until=seen.last)) for one in spoken]


def _found(seen: Observed, in_force: Mapping[str, str] | None) -> Iterator[tuple[str, Finding]]:
    """Whatever the rules find, by requirement."""
    past = Past(seen)
    of_jobs = [(id_, rule) for id_, rule in JOB_RULES.items() if in_force is None or id_ in in_force]
    of_pods = [(id_, rule) for id_, rule in POD_RULES.items() if in_force is None or id_ in in_force]
    of_all = [(id_, rule) for id_, rule in HISTORY_RULES.items() if in_force is None or id_ in in_force]
    for kind, thing in seen.in_order(JOBS, PODS):
        match thing:
            case Job():
                of_job = Change(kind, thing, past.jobs.get(thing.uid))
                for id_, job_rule in of_jobs:
                    if finding := _blamed(id_, thing.record, job_rule, past, of_job):
                        yield id_, finding
                past.take_job(thing, gone=of_job.gone)
            case Pod():
                of_pod = Change(kind, thing, past.pods.get(thing.uid))
                for id_, pod_rule in of_pods:
                    if finding := _blamed(id_, thing.record, pod_rule, past, of_pod):
                        yield id_, finding
                past.take_pod(thing, gone=of_pod.gone)
    for id_, rule in of_all:
        if finding := _blamed(id_, seen.last, rule, seen):
            yield id_, finding


def _blamed(
    requirement: str,
    record: int,
    rule: Callable[_Given, Finding | None],
    *args: _Given.args,
    **kwargs: _Given.kwargs,
) -> Finding | None:
    """What a rule finds; what it raises names it."""
    try:
        return rule(*args, **kwargs)
    except BatchproofError:
        raise
    except Exception as error:
        raise FactBroke(f"the invariant of {requirement}", record, error) from error
