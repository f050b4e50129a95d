"""Amounts of resources as the API writes them."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

CPU = "cpu"

_FORM = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?")
_SCALES = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    **{letter: Fraction(1000**power) for power, letter in enumerate(["", "k", "M", "G", "T", "P", "E"])},
    **{f"{letter}i": Fraction(1024**power) for power, letter in enumerate("KMGTPE", start=1)},
}


@lru_cache(maxsize=4096)
def amount(resource: str, text: str) -> int:
    """A quantity in whole units, rounded up: CPU in thousandths, memory in bytes, all else by number.

    Source: apimachinery pkg/api/resource/quantity.go.

    Raises:
        ValueError: the text is no quantity.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no quantity of {resource}")
    number, exponent, suffix = found.groups()
    value = Fraction(number) * (Fraction(10) ** int(exponent) if exponent else _SCALES[suffix or ""])
    return ceil(value * 1000 if resource == CPU else value)


def amounts(raw: Mapping[str, Any] | None) -> dict[str, int]:
    """Amounts of resources by their names, in whole units; none where nothing is said."""
    return {resource: amount(resource, str(text)) for resource, text in (raw or {}).items()}


def requests_of(spec: dict[str, Any]) -> dict[str, int]:
    """What the containers of a pod ask for in all, in whole units of each resource."""
    total: Counter[str] = Counter()
    for container in spec.get("containers") or ():
        total.update(amounts((container.get("resources") or {}).get("requests")))
    return dict(total)


def amounts_patch(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, str | None]:
    """The part of a JSON merge patch that makes some amounts others: those that are no longer there go."""
    gone = {resource: None for resource in before if resource not in now}
    return {**gone, **{resource: written(resource, units) for resource, units in now.items()}}


def written(resource: str, units: int) -> str:
    """What `amount` reads back as the same number."""
    if resource != CPU:
        return str(units)
    return f"{units}m" if units % 1000 else str(units // 1000)
