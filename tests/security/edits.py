"""Random edits of files that batchproof reads: of their bytes, and of the values in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    import random

STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**40,
    10**400,
    1e308,
    1.5,
    "",
    "x",
    "\x1b[31m\u202e",
    "\ud800",
    "2026-13-45",
    "../../etc/passwd",
    [],
    [[]],
    {},
    {"": None},
    "a" * 10_000,
)
BYTES = (
    b"\xff\xfe",
    b"\x00",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\x1b]0;x\x07",
    b"\n",
    b"{",
    b'"',
    b"\xf0\x9f",
    b": ",
)


def edited(content: bytes, kind: str, chance: random.Random) -> bytes:
    """The content with one edit; ``kind`` is ``yaml``, ``jsonl`` or ``json``."""
    if chance.random() < 0.5:
        return _bytes(content, chance)
    if kind == "yaml":
        return yaml.safe_dump(_value(yaml.safe_load(content), chance), allow_unicode=True).encode(
            errors="surrogatepass"
        )
    lines = content.splitlines() if kind == "jsonl" else [content]
    at = chance.randrange(len(lines))
    lines[at] = json.dumps(_value(json.loads(lines[at]), chance)).encode()
    return b"\n".join(lines) + b"\n"


def _bytes(content: bytes, chance: random.Random) -> bytes:
    at, length = chance.randrange(len(content)), chance.choice([1, 2, 8, 40, 400])
    match chance.randrange(6):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + content[at + length :]
        case 2:
            return content[:at] + chance.choice(BYTES) + content[at:]
        case 3:
            return content[:at] + chance.randbytes(length) + content[at + length :]
        case 4:
            return content[:at] + content[at : at + length] * 2 + content[at + length :]
        case _:
            lines = content.splitlines(keepends=True)
            one, other = (chance.randrange(len(lines)) for _ in range(2))
            lines[one], lines[other] = lines[other], lines[one]
            return b"".join(lines)


def _value(value: Any, chance: random.Random) -> Any:
    """The value with one of its parts exchanged, removed, or put elsewhere."""
    places = list(_places(value))
    if not places:
        return chance.choice(STRANGE)
    holder, key = chance.choice(places)
    match chance.randrange(4):
        case 0:
            del holder[key]
        case 1:
            other, elsewhere = chance.choice(places)
            holder[key] = (
                json.loads(json.dumps(other[elsewhere], default=str)) if _there(other, elsewhere) else None
            )
        case _:
            holder[key] = chance.choice(STRANGE)
    return value


def _there(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _places(value: Any) -> Any:
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in children:
        yield value, key
        yield from _places(inner)
