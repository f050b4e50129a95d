"""Values of the API in the words of a finding: what a person reads is neither Python nor a wall of quotes."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any, Self

NOTHING = "none"
_OPENS = re.compile(r"""[\[{]|\((?=['"])|(?<==)(?:True|False|None)\b""")
_CLOSES = {"{": "}", "[": "]", "(": ")"}
_LONGEST = 4000  # characters of a value within a text: a longer one is shown as it stands

_OF_ONE = {"are": "is", "go": "goes"}
"""The verbs that do not just end with an ``s`` where one does it."""
_ONE_ACTS = re.compile(r"^(\* pod) (is|goes|[a-z]+s)\b")
_ONE = re.compile(r"(\* (?:running )?(?:pod|time|completion))\b(?= of | in | with |$)")


class _Said(str):
    """A text with the values that it says, by name: a deviation is compared with these, not with the text."""

    __slots__ = ("values",)
    values: Mapping[str, Any]

    def __new__(cls, text: str, values: Mapping[str, Any]) -> Self:
        """The text as it is, and the values as the API has them."""
        said = super().__new__(cls, text)
        said.values = values
        return said


def stated(text: str, values: Mapping[str, Any]) -> str:
    """A text with the values that it says, by name, which ``named`` finds in it."""
    return _Said(text, values)


def said(form: str, **values: Any) -> str:
    """The values in words, in a form such as ``{bound} bound``; a value need not be in the form."""
    return _Said(form.format(**{name: in_words(value) for name, value in values.items()}), values)


def named(shown: Any) -> dict[str, Any]:
    """The values of what a finding shows, by name.

    A text that is ``stated`` has names for its values, and so has a mapping; in a mapping of mappings, both
    names with a dot between. Any other value, a plain sentence too, is named ``observed``.
    """
    match shown:
        case _Said():
            return {name: _typed(value) for name, value in shown.values.items()}
        case Mapping():
            return {name: _typed(value) for name, value in _flat(shown, "")}
        case _:
            return {"observed": _typed(shown)}


def _flat(value: Mapping[Any, Any], before: str) -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        if isinstance(inner, Mapping) and inner:
            yield from _flat(inner, f"{before}{in_words(key)}.")
        else:
            yield f"{before}{in_words(key)}", inner or None if isinstance(inner, Mapping) else inner


def _typed(value: Any) -> Any:
    """A value as JSON has it: a constant, a number, a string, or a list; a mapping only within a list."""
    match value:
        case str():
            typed: Any = str(value)
        case datetime():
            typed = f"{value:%Y-%m-%dT%H:%M:%SZ}"
        case Fraction():
            typed = value.numerator if value.denominator == 1 else float(value)
        case Mapping():
            typed = {str(key): _typed(inner) for key, inner in value.items()}
        case set() | frozenset():
            typed = sorted(map(_typed, value), key=str)
        case Collection():
            typed = [*map(_typed, value)]
        case _:
            typed = value if isinstance(value, bool | int | float | None) else str(value)
    return typed


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 claim``, ``3 claims``, ``2 histories``; the value is named as several are: ``active_pods``."""
    several = plural or noun + "s"
    text = f"{number} {noun}" if number == 1 else f"{number} {several}"
    return _Said(text, {several.replace(" ", "_"): number})


def subject_and_verb(number: int, noun: str, rest: str) -> str:
    """``3 pods are running``, ``1 pod is running``: the verb is the first word of the rest, as of several."""
    verb, _, after = rest.partition(" ")
    if number == 1:
        verb = _OF_ONE.get(verb, f"{verb}s")
    return f"{counted(number, noun)} {verb} {after}".rstrip()


def as_of_several(text: str) -> str:
    """A text whose numbers are ``*``, the same whichever number stood there: ``* pods are running``."""
    text = _ONE_ACTS.sub(lambda found: f"{found[1]}s {_of_several(found[2])}", text)
    return _ONE.sub(r"\1s", text)


def _of_several(verb: str) -> str:
    return next((many for many, one in _OF_ONE.items() if one == verb), verb.removesuffix("s"))


def in_words(value: Any) -> str:
    """A value in words: ``none``, ``a, b``, ``active=0, failed=1``, ``gang.minCount=2``, ``true``."""
    match value:
        case None:
            return NOTHING
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case Mapping():
            return ", ".join(_pairs(value, "")) or NOTHING
        case Collection():
            items = map(_item, value)
            return ", ".join(sorted(items) if isinstance(value, set | frozenset) else items) or NOTHING
        case _:
            return str(value)


def readable(text: str) -> str:
    """A text in which each value that stands as Python writes it is put in words.

    Histories keep what a step did as it was said when they were recorded, with such values in it.
    """
    parts: list[str] = []
    place = 0
    while found := _OPENS.search(text, place):
        value = _literal_at(text, found.start())
        parts += [text[place : found.start()], in_words(ast.literal_eval(value)) if value else found[0]]
        place = found.start() + len(value or found[0])
    return "".join([*parts, text[place:]])


def _literal_at(text: str, start: int) -> str:
    """The list, mapping or constant of Python that begins there; empty if none does."""
    if text[start] not in _CLOSES:
        return text[start : start + 5 if text.startswith("False", start) else start + 4]
    closing = _CLOSES[text[start]]
    for end in (place for place in range(start, min(len(text), start + _LONGEST)) if text[place] == closing):
        try:
            value = ast.literal_eval(text[start : end + 1])
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return text[start : end + 1] if isinstance(value, list | dict | tuple) else ""
    return ""


def _pairs(value: Mapping[Any, Any], before: str) -> Iterator[str]:
    """Each value by its place; a mapping of nothing is its place alone."""
    for key, inner in value.items():
        place = f"{before}{in_words(key)}"
        if isinstance(inner, Mapping):
            yield from _pairs(inner, f"{place}.") if inner else (place,)
        else:
            yield f"{place}={_item(inner)}"


def _item(value: Any) -> str:
    """A value within another: a list or a mapping is kept together."""
    if isinstance(value, Mapping) or (isinstance(value, Collection) and not isinstance(value, str)):
        return f"({in_words(value)})" if value else NOTHING
    return in_words(value)
