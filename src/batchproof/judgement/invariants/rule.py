"""How an invariant is written: a rule about Jobs, about pods or about a whole history, by the id it judges.

A rule about Jobs or pods is asked at each change of one, in the order of etcd's revisions; where a Job is
removed, which shows its last state once more, no rule about Jobs is asked::

    @about_jobs("BAS-059")
    def one_end(past: Past, change: Change[Job]) -> Finding | None:
        ...

It returns what the change breaks, or None. What a rule needs to know of what was before, ``Past`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.past import Past
from batchproof.judgement.observed import Observed
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod

if TYPE_CHECKING:
    from batchproof.judgement.things import Thing

T = TypeVar("T", bound="Job | Pod")


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    """A change of a Job or a pod.

    Attributes:
        kind: ``ADDED``, ``MODIFIED`` or ``DELETED``.
        now: what is stored from then on; of what is gone, its last state.
        before: what was stored until then; None: nothing.
    """

    kind: str
    now: T
    before: T | None

    @property
    def created(self) -> bool:
        """It was not there before."""
        return self.kind == "ADDED"

    @property
    def gone(self) -> bool:
        """It is removed from storage."""
        return self.kind == "DELETED"

    @property
    def at_s(self) -> float:
        """When, in seconds since the history began."""
        return self.now.at_s


JobRule: TypeAlias = Callable[[Past, Change[Job]], Finding | None]
PodRule: TypeAlias = Callable[[Past, Change[Pod]], Finding | None]
HistoryRule: TypeAlias = Callable[[Observed], Finding | None]
R = TypeVar("R", bound=Callable[..., "Finding | None"])

RULES: dict[type[Job | Pod], dict[str, Callable[[Past, Change[Any]], Finding | None]]] = {Job: {}, Pod: {}}
"""The rules about the changes of a kind of thing, by the requirement that each judges."""
HISTORY_RULES: dict[str, HistoryRule] = {}


def about_jobs(requirement: str) -> Callable[[JobRule], JobRule]:
    """A rule that is asked at each change of a Job but its removal, which shows its last state once more."""
    return lambda rule: _registered(RULES[Job], requirement, rule)


def about_pods(requirement: str) -> Callable[[PodRule], PodRule]:
    """A rule that is asked at each change of a pod."""
    return lambda rule: _registered(RULES[Pod], requirement, rule)


def about_histories(requirement: str) -> Callable[[HistoryRule], HistoryRule]:
    """A rule that is asked once, of a whole history."""
    return lambda rule: _registered(HISTORY_RULES, requirement, rule)


def invariants() -> frozenset[str]:
    """The requirements that have a rule."""
    about = frozenset(requirement for rules in RULES.values() for requirement in rules)
    return about | frozenset(HISTORY_RULES)


def rule_names() -> frozenset[str]:
    """The names of the rules: what is broken where an invariant is."""
    of_changes = (rule for rules in RULES.values() for rule in rules.values())
    return frozenset(rule.__name__ for rule in (*of_changes, *HISTORY_RULES.values()))


def _registered(rules: dict[str, Any], requirement: str, rule: R) -> R:
    """The rule, which judges its requirement from now on.

    Raises:
        ValueError: another rule judges it, which this one would silently replace.
    """
    if requirement in invariants():
        raise ValueError(f"{requirement} has a rule already: make one of both")
    rules[requirement] = rule
    return rule


def against(what: Thing | int, *, expected: str, observed: str) -> Finding:
    """What speaks against a change, or against a record by its number, in words."""
    record = what if isinstance(what, int) else what.record
    return Finding(holds=False, expected=expected, observed=observed, decisive=(record,))
