"""Whether the named values of a finding are those that a deviation names.

Values are compared by type: ``2`` is neither ``"2"`` nor ``true``. What a deviation does not name does not
matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ANY = "any"
"""Stands for any value but none, and in a list for any elements."""


def agrees(have: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether each wanted value is there under its name; ``None`` also wants that there is no such name."""
    return all(_same(have.get(name), value) for name, value in wanted.items())


def _same(have: Any, wanted: Any) -> bool:
    if wanted == ANY:
        return have is not None
    match wanted:
        case str():
            return isinstance(have, str) and fits(have, wanted)
        case list() | tuple():
            return isinstance(have, list | tuple) and _in_order(have, wanted)
        case bool() | None:
            return have is wanted
        case _:
            return not isinstance(have, bool) and bool(have == wanted)


def _in_order(have: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether the elements are the wanted ones; there, ``any`` stands for any number of elements, or none."""
    reached = {0}
    for one in wanted:
        if one == ANY:
            reached = set(range(min(reached, default=len(have) + 1), len(have) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(have) and _same(have[at], one)}
    return len(have) in reached


def fits(text: str, form: str) -> bool:
    """Whether a text has a form in which ``*`` stands for anything; in linear time, whatever the two are."""
    first, *rest = form.split("*")
    if not rest:
        return text == form
    *between, last = rest
    begin, end = len(first), len(text) - len(last)
    if begin > end or not text.startswith(first) or not text.endswith(last):
        return False
    for part in between:
        found = text.find(part, begin, end)
        if found < 0:
            return False
        begin = found + len(part)
    return True
