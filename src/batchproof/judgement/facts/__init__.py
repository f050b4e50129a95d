"""Facts: what can be said of an ``Observed``, as named, pure functions.

A fact is written as a function of an ``Observed`` and keyword arguments that returns a ``Finding``, under its
one sentence, which is what stands in scenarios, in reports and in findings (see ``template``). ``@fact``
makes of it a factory of ``FactCall``: the name and the arguments, which is what a history keeps::

    @fact("pod {pod:name} is bound", within="settle")
    def pod_bound(seen: Observed, *, pod: str) -> Finding: ...

    world.claim(eventually(pod_bound(pod="a")))

What a fact has to know of all that ever happened it asks a log for, as a fold (see ``log``): so a fact costs
as much at the last record of a long history as at the first. It reads nothing but its ``Observed``, which
notes what is read (see ``inputs``): it is evaluated again only after a record that changes some of it.

Here are those about requests, replies and processes, which every profile has; the others belong to a profile,
one module a subject (``profiles/job/facts/tracking.py``), or to several (``profiles/shared/facts``).
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import msgspec

from batchproof.ground.documents import Problem
from batchproof.ground.errors import UserError
from batchproof.judgement.finding import Finding
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.judgement.parts import load
from batchproof.judgement.template import Template, TemplateError
from batchproof.judgement.values import in_words, named, stated

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

__all__ = [
    "Fact",
    "FactCall",
    "Finding",
    "every",
    "fact",
    "found",
    "listed",
    "names_of",
    "only",
    "record_of",
    "state_of",
]

_NAMED = 10  # names that a finding lists at the most

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a fact beside what it finds.

    Attributes:
        name: the name of its function.
        rule: that function.
        template: its sentence; None if there is a problem.
        within: the deadline by which it is claimed where a sentence names none; ``now`` for what is true of
            the past, so that nothing is waited for.
        beside: arguments that the scenario knows and the sentence does not say.
        witness: that it stays untrue shows nothing unless the implementation was alive: no plain sentence may
            claim it of a window.
        in_place: what it finds is true also where the requests of the implementation are not seen.
        judged_by: the requirements that judge it in a Then, where other scenarios rely on it in a Given or a
            When; none where it is no obligation of the implementation, as that a fault was triggered.
        defaults: the values of arguments that a caller may leave out.
        problem: what is wrong with its sentence.
    """

    name: str
    rule: Callable[..., Finding]
    template: Template | None
    within: str
    beside: tuple[str, ...]
    witness: bool
    in_place: bool
    judged_by: tuple[str, ...]
    defaults: Mapping[str, Any]
    problem: Problem | None

    @property
    def wording(self) -> Template:
        """The sentence.

        Raises:
            UserError: it cannot be used.
        """
        if self.template is None:
            raise UserError(str(self.problem))
        return self.template

    def read(self, sentence: str, *, denied: bool = False) -> FactCall | None:
        """The call that a sentence states, or denies; None if it speaks of something else.

        Raises:
            UserError: the fact's own sentence cannot be used.
        """
        if denied and not self.wording.deniable:
            bare = sentence.removeprefix(_NEVER)
            return self.read(bare) if bare != sentence else None
        arguments = self.wording.read(sentence, denied=denied)
        return None if arguments is None else FactCall(self.name, {**self.defaults, **arguments})


_NEVER = "never: "
"""How a fact is denied whose sentence has no ``<so|not so>``."""
_FACTS: dict[str, Fact] = {}


class FactCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact with its arguments: data, so that a history can keep it."""

    name: str
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def fact(self) -> Fact:
        """The fact that is called.

        Raises:
            UserError: there is none of that name.
        """
        return _known(self.name)

    @property
    def text(self) -> str:
        """The fact as a sentence."""
        return self._sentence(denied=False)

    @property
    def denial(self) -> str:
        """That it is not so, as a sentence."""
        return self._sentence(denied=True) if self.fact.wording.deniable else f"{_NEVER}{self.text}"

    def _sentence(self, *, denied: bool) -> str:
        return self.fact.wording.write({**self.fact.defaults, **self.arguments}, denied=denied)

    def of(self, seen: Observed) -> Finding:
        """Whether the fact holds of what was observed; expected is its sentence where it says none."""
        finding = self.fact.rule(seen, **self.arguments)
        return finding if finding.expected else replace(finding, expected=self.text)


def fact(
    sentence: str,
    *,
    within: str = "reaction",
    beside: Iterable[str] = (),
    witness: bool = False,
    in_place: bool = True,
    judged_by: Iterable[str] = (),
) -> Callable[[Callable[Concatenate[Observed, P], Finding]], Callable[P, FactCall]]:
    """Register a fact under the name of its function.

    A sentence that does not fit its function spoils only that fact: ``batchproof lint`` says so, and so does
    each use of the fact.

    Args:
        sentence: the template of its sentence; each argument stands in it, or is named in ``beside``.
        within: see ``Fact``.
        beside: see ``Fact``.
        witness: see ``Fact``.
        in_place: see ``Fact``; False for what is found by requests, faults or processes.
        judged_by: see ``Fact``.
    """

    def register(rule: Callable[Concatenate[Observed, P], Finding]) -> Callable[P, FactCall]:
        name = rule.__name__
        if name in _FACTS:
            raise ValueError(f"two facts are named {name}")
        parameters = list(inspect.signature(rule).parameters.values())[1:]
        defaults = {it.name: it.default for it in parameters if it.default is not it.empty}
        template, problem = _read(sentence, {it.name for it in parameters}, set(beside))
        where = Problem(Path(rule.__code__.co_filename), rule.__code__.co_firstlineno, f"{name}: {problem}")
        _FACTS[name] = Fact(
            name,
            rule,
            template,
            within,
            tuple(beside),
            witness,
            in_place,
            tuple(judged_by),
            defaults,
            where if problem else None,
        )

        def call(*_: P.args, **arguments: P.kwargs) -> FactCall:
            return FactCall(name, {**defaults, **arguments})

        call.__doc__ = rule.__doc__
        call.__name__ = name
        return call

    return register


def _read(sentence: str, parameters: set[str], beside: set[str]) -> tuple[Template | None, str]:
    """The template of a fact, or why its sentence does not fit its function."""
    try:
        template = Template(sentence)
    except TemplateError as error:
        return None, f"{sentence!r}: {error}"
    wrong = [f"{{{it}}} is no argument of it" for it in sorted(template.kinds.keys() - parameters)]
    wrong += [f"beside names {it!r}, which is no argument of it" for it in sorted(beside - parameters)]
    wrong += [f"{it!r} is in the sentence and in beside" for it in sorted(beside & template.kinds.keys())]
    missing = sorted(parameters - beside - template.kinds.keys())
    wrong += [f"the sentence does not say {it!r}; put it in, or name it in beside" for it in missing]
    return (None, f"{sentence!r}: {'; '.join(wrong)}") if wrong else (template, "")


def found(
    holds: object,
    *,
    expected: str = "",
    observed: object,
    decisive: tuple[int, ...] | list[int] = (),
    awaits_pods: bool = False,
) -> Finding:
    """A finding: ``observed`` is kept in words and by its named values; ``expected`` is left to the fact."""
    return Finding(
        bool(holds),
        expected,
        str(in_words(observed)),
        tuple(decisive),
        awaits_pods=awaits_pods and not holds,
        values=named(observed),
    )


def only(some: Iterable[T]) -> T | None:
    """The one of them; None where there is none, or another one."""
    match [*some]:
        case [one]:
            return one
        case _:
            return None


def record_of(thing: ApiObject | None, *, tells: object = True) -> list[int]:
    """The record that shows a thing, where there is one and it shows what the fact is about."""
    return [thing.record] if thing and tells else []


def names_of(things: Collection[ApiObject]) -> str:
    """The names of some objects; of many, the first and how many more there are."""
    names = [thing.name for thing in islice(things, _NAMED)]
    return stated(listed(names, len(things) - _NAMED), {"names": names, "count": len(things)})


def state_of(thing: ApiObject | None, absent: str, empty: str = "no status yet") -> str:
    """The state of an object in words, with its values; or that it is absent, or that its state is empty."""
    if thing is None:
        return stated(absent, {"observed": absent})
    return stated(" ".join(filter(None, thing.words)) or empty, thing.values)


def listed(words: Iterable[str], more: int, *, separator: str = ", ") -> str:
    """Words that a finding shows, and how many more there are; none of them is "none"."""
    first = separator.join(words)
    return f"{first} and {more} more" if more > 0 else first or "none"


def because(condition: Mapping[str, Any]) -> str:
    """The reason of a condition, and its message."""
    return f"{in_words(condition.get('reason'))}: {in_words(condition.get('message'))}"


def every() -> list[Fact]:
    """All facts that there are, by name."""
    load("facts")
    return [_FACTS[name] for name in sorted(_FACTS)]


def _known(name: str) -> Fact:
    if name not in _FACTS:
        every()
    if name not in _FACTS:
        raise UserError(f"no fact is named {name}: the history was written by another version of batchproof")
    return _FACTS[name]
