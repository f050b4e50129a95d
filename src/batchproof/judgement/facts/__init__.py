"""Facts: what can be said of an ``Observed``, as named, pure functions.

A fact is written as a function of an ``Observed`` and keyword arguments that returns a ``Finding``, under a
sentence that tells it. ``@fact`` makes of it a factory of ``FactCall``: the name and the arguments, which is
what a history keeps::

    @fact("the Job {job} has {count} succeeded pods")
    def job_succeeded(seen: Observed, *, job: str, count: int) -> Finding: ...

    world.claim(eventually(job_succeeded(job="a", count=3)))

One module a subject: ``jobs``, ``pods``, ``writes``, ``tracking``, ``events``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol

from batchproof.errors import UserError
from batchproof.judgement.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Callable

    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things.batch import Job

__all__ = ["FactCall", "Finding", "fact", "found", "status_of"]


class _Rule(Protocol):
    def __call__(self, seen: Observed, **arguments: Any) -> Finding: ...


_RULES: dict[str, tuple[str, _Rule]] = {}


@dataclass(frozen=True, slots=True)
class FactCall:
    """A fact with its arguments: data, so that a history can keep it."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The fact as a sentence."""
        return _rule(self.name)[0].format(**self.arguments)

    def of(self, seen: Observed) -> Finding:
        """Whether the fact holds of what was observed."""
        return _rule(self.name)[1](seen, **self.arguments)


def fact(sentence: str) -> Callable[[Callable[..., Finding]], Callable[..., FactCall]]:
    """Register a fact under the name of its function; ``sentence`` may name its arguments in braces."""

    def register(rule: Callable[..., Finding]) -> Callable[..., FactCall]:
        name = rule.__name__
        if name in _RULES:
            raise ValueError(f"two facts are named {name}")
        _RULES[name] = (sentence, rule)

        def call(**arguments: Any) -> FactCall:
            return FactCall(name, arguments)

        call.__doc__ = rule.__doc__
        call.__name__ = name
        return call

    return register


def found(
    holds: object, *, expected: str, observed: object, decisive: tuple[int, ...] | list[int] = ()
) -> Finding:
    """A finding; ``observed`` is told as text."""
    return Finding(bool(holds), expected, str(observed), tuple(decisive))


def status_of(job: Job | None) -> str:
    """A Job's status in one line, or that there is no such Job."""
    return job.summary if job else "no such Job"


def _rule(name: str) -> tuple[str, _Rule]:
    if name not in _RULES:
        for module in iter_modules(__path__):
            import_module(f"{__name__}.{module.name}")
    if name not in _RULES:
        raise UserError(f"no fact is named {name}: the history was written by another version of batchproof")
    return _RULES[name]
