"""Invariants: what must hold of every history, whatever the scenario, without being asked for.

Changes are taken in the order of etcd revisions, which is the order in which they happened; the records of
two watches may have arrived otherwise. Each rule stands in the module of its subject (see ``rule``), under
the requirement that it judges; nothing else lists them.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from batchproof.errors import BatchproofError
from batchproof.judgement.finding import FactBroke
from batchproof.judgement.invariants.past import Past
from batchproof.judgement.invariants.rule import HISTORY_RULES, RULES, Change, invariants, rule_names
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.judgement.timeline import timeline
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from batchproof.judgement.finding import Finding
    from batchproof.judgement.observed import Observed

__all__ = ["breaches", "invariants", "rule_names"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

_Given = ParamSpec("_Given")
_Rule = TypeVar("_Rule")


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
    rules = {of: _chosen(about, in_force) for of, about in RULES.items()}
    for kind, thing in seen.in_order(JOBS, PODS):
        if not isinstance(thing, Job | Pod):
            continue
        change = Change(kind, thing, past.known(thing))
        left_out = past.foreign(thing) or (change.gone and isinstance(thing, Job))
        for id_, rule in () if left_out else rules[type(thing)]:
            if finding := _blamed(id_, thing.record, rule, past, change):
                yield id_, finding
        past.take(thing, gone=change.gone)
    for id_, of_all in _chosen(HISTORY_RULES, in_force):
        if finding := _blamed(id_, seen.last, of_all, seen):
            yield id_, finding


def _chosen(rules: Mapping[str, _Rule], in_force: Mapping[str, str] | None) -> list[tuple[str, _Rule]]:
    return [(id_, rule) for id_, rule in rules.items() if in_force is None or id_ in in_force]


def _blamed(
    requirement: str,
    record: int,
    rule: Callable[_Given, Finding | None],
    *args: _Given.args,
    **kwargs: _Given.kwargs,
) -> Finding | None:
    """What a rule finds, with the name of the rule; what it raises names it."""
    try:
        finding = rule(*args, **kwargs)
        return finding and replace(finding, fact=rule.__name__)
    except BatchproofError:
        raise
    except Exception as error:
        raise FactBroke(f"the invariant of {requirement}", record, error) from error
