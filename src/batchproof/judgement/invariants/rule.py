"""How an invariant is written: a rule about a whole history, by the id it judges, or a walk over its changes.

::

    @about_histories("GNG-002")
    def no_gang_without_room(seen: Observed) -> Finding | None:
        ...

It returns what breaks the requirement, or None. A profile whose rules are about single changes of its objects
registers one walk for all of them (``profiles/job/invariants/rule.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

from batchproof.ground.errors import BatchproofError
from batchproof.judgement.finding import FactBroke, Finding
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.judgement.parts import load
from batchproof.judgement.values import named

HistoryRule: TypeAlias = Callable[[Observed], Finding | None]
Rule: TypeAlias = Callable[..., "Finding | None"]
R = TypeVar("R", bound=Rule)
_Given = ParamSpec("_Given")


class Walk(NamedTuple):
    """Rules that one walk over a history asks.

    Attributes:
        rules: the rules, by the requirement that each judges.
        found: what those that are in force find in a history, by requirement; None: all are.
    """

    rules: Callable[[], Mapping[str, Rule]]
    found: Callable[[Observed, Mapping[str, str] | None], Iterator[tuple[str, Finding]]]


HISTORY_RULES: dict[str, HistoryRule] = {}
_WALKS: list[Walk] = []


def walks(
    rules: Callable[[], Mapping[str, Rule]],
    found: Callable[[Observed, Mapping[str, str] | None], Iterator[tuple[str, Finding]]],
) -> None:
    """Ask rules of every history by a walk over it (see ``Walk``)."""
    _WALKS.append(Walk(rules, found))


def about_histories(requirement: str) -> Callable[[HistoryRule], HistoryRule]:
    """A rule that is asked once, of a whole history."""
    return lambda rule: judges(HISTORY_RULES, requirement, rule)


def found_in(seen: Observed, in_force: Mapping[str, str] | None) -> Iterator[tuple[str, Finding]]:
    """Whatever all rules find, by requirement.

    Args:
        seen: what the whole history shows.
        in_force: the requirements that are judged; None: all.

    Raises:
        FactBroke: a rule raised an exception.
    """
    load("invariants")
    for walk in _WALKS:
        yield from walk.found(seen, in_force)
    for id_, rule in chosen(HISTORY_RULES, in_force):
        if finding := blamed(id_, seen.last, rule, seen):
            yield id_, finding


def invariants() -> frozenset[str]:
    """The requirements that have a rule."""
    return frozenset(rules())


def rule_names() -> frozenset[str]:
    """The names of the rules: what is broken where an invariant is."""
    return frozenset(rule.__name__ for rule in rules().values())


def requirements_of(rule: Rule) -> frozenset[str]:
    """The requirements that one rule judges: where each profile has one of its own, it is the same rule."""
    return frozenset(id_ for id_, judged_by in rules().items() if judged_by is rule)


def rules() -> Mapping[str, Rule]:
    """All rules, by the requirement that each judges."""
    load("invariants")
    return _all()


def _all() -> dict[str, Rule]:
    return {
        id_: rule
        for rules in (*(walk.rules() for walk in _WALKS), HISTORY_RULES)
        for id_, rule in rules.items()
    }


def judges(rules: dict[str, Any], requirement: str, rule: R) -> R:
    """The rule, which judges its requirement from now on.

    Raises:
        ValueError: another rule judges it, which this one would silently replace.
    """
    if requirement in _all():
        raise ValueError(f"{requirement} has a rule already: make one of both")
    rules[requirement] = rule
    return rule


def chosen(rules: Mapping[str, R], in_force: Mapping[str, str] | None) -> list[tuple[str, R]]:
    """The rules in force, in the order of their modules: which was imported first says nothing."""
    some = [(id_, rule) for id_, rule in rules.items() if in_force is None or id_ in in_force]
    return sorted(some, key=lambda one: getattr(one[1], "__module__", ""))


def blamed(
    requirement: str,
    record: int,
    rule: Callable[_Given, Finding | None],
    *args: _Given.args,
    **kwargs: _Given.kwargs,
) -> Finding | None:
    """What a rule finds, with the name of the rule.

    Raises:
        FactBroke: the rule raised an exception.
    """
    try:
        finding = rule(*args, **kwargs)
        return finding and replace(finding, fact=rule.__name__)
    except BatchproofError:
        raise
    except Exception as error:
        raise FactBroke(f"the invariant of {requirement}", record, error) from error


def against(what: ApiObject | int, *, expected: str, observed: str) -> Finding:
    """What speaks against a change, or against a record by its number, in words."""
    record = what if isinstance(what, int) else what.record
    return Finding(
        holds=False, expected=expected, observed=str(observed), decisive=(record,), values=named(observed)
    )
