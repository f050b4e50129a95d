"""JSON that another party has signed: what two readers could read in two ways is refused.

RFC 8259 leaves open what a reader does with a key that appears twice, and readers differ. A certificate must
mean the same to all of them.
"""

from __future__ import annotations

import json
from typing import Any


class NotJson(ValueError):  # noqa: N818 - reads as what it is
    """A text is not JSON, or means different things to different readers."""


def load(text: bytes) -> Any:
    """The value of a JSON text.

    Raises:
        NotJson: it has none, a key appears twice, or a number is not finite.
    """
    try:
        return json.loads(text.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise NotJson(f"not JSON: {error}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotJson(f"the key {twice!r} appears twice in one object")
    return found


def _refuse(text: str) -> Any:
    raise NotJson(f"{text} is not a number of JSON")
