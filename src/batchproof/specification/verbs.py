"""Verbs with their sentences: what a scenario makes happen, said once, above what does it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from batchproof.judgement.template import Template
from batchproof.specification.vocabulary import VerbSentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

F = TypeVar("F", bound="Callable[..., Any]")
_MARK = "_sentences"


@dataclass(frozen=True, slots=True)
class Spoken:
    """One sentence of a verb.

    Attributes:
        verb: the name of the method.
        sentence: how it is said.
        fixed: arguments that the sentence means and does not say.
        not_in_place: why its scenarios cannot be judged in place; empty: they can.
        once: the arguments with which a claim may begin with it (``once the terminating pods end ...``);
            None: it may not.
    """

    verb: str
    sentence: VerbSentence
    fixed: dict[str, Any]
    not_in_place: str
    once: Mapping[str, Any] | None


def verb(
    sentence: str | Template, *, not_in_place: str = "", once: Mapping[str, Any] | None = None, **fixed: Any
) -> Callable[[F], F]:
    """Say a method in scenarios by this sentence; several times where there are several.

    Args:
        sentence: a template (see ``template``), whose arguments are those of the method.
        not_in_place: why its scenarios cannot be judged in place (``specification.in_place``).
        once: the arguments with which a claim may begin with it; None: it may not.
        fixed: further arguments of the method.

    Raises:
        TemplateError: the template cannot be used.
        ValueError: the method has no such argument, or lacks one.
    """
    said = VerbSentence(Template(sentence) if isinstance(sentence, str) else sentence)

    def spoken(method: F) -> F:
        try:
            inspect.signature(method).bind("self", **dict.fromkeys([*said.template.kinds, *fixed]))
        except TypeError as error:
            raise ValueError(f"{method.__qualname__} under {said.template.text!r}: {error}") from error
        one = Spoken(method.__name__, said, fixed, not_in_place, once)
        setattr(method, _MARK, (one, *getattr(method, _MARK, ())))
        return method

    return spoken


def spoken_of(owner: type) -> Iterator[Spoken]:
    """The sentences of all methods of a class, inherited ones included."""
    for _, method in inspect.getmembers(owner, inspect.isfunction):
        yield from getattr(method, _MARK, ())
