"""JSON that batchproof has written and reads again: decoded into records, and blamed by the place in it.

A field without a default must be there, and one that the record does not have is refused, so that a misspelt
one is seen at once and not dropped.
"""

from __future__ import annotations

import re
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import msgspec

from batchproof.ground.errors import UserError
from batchproof.ground.screen import printable

if TYPE_CHECKING:
    from pathlib import Path

_T = TypeVar("_T")

PRIVATE: Final = 0o700
"""The mode of a folder of results: histories and logs are for their owner, until that one publishes them."""

_PLACED = re.compile(r"(?P<what>.*) - at `\$\.?(?P<place>.*)`", re.DOTALL)
_ABOUT_A_FIELD = (
    (re.compile(r"Object missing required field `(.*)`"), "is missing"),
    (re.compile(r"Object contains unknown field `(.*)`"), "is not a known field"),
)


class Mismatch(ValueError):  # noqa: N818 - reads as what it is
    """JSON text has not the form of its record; the message names the field."""


@overload
def decode(text: bytes | str, form: type[_T]) -> _T: ...


@overload
def decode(text: bytes | str, form: Any) -> Any: ...


def decode(text: bytes | str, form: Any) -> Any:
    """The value of type ``form`` that a JSON text holds.

    Raises:
        Mismatch: it holds none.
    """
    try:
        return _decoder(form).decode(text)
    except msgspec.ValidationError as error:
        raise Mismatch(explain(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Mismatch(f"not JSON: {error}") from error


def copied(form: type[_T], source: object, **more: object) -> _T:
    """A Struct or dataclass: `more`, and all else from the attributes of `source` of the same names.

    Raises:
        AttributeError: the source lacks one: it would silently get its default.
    """
    names = [name for name in signature(form).parameters if name not in more]
    return form(**{name: getattr(source, name) for name in names}, **more)


def encode(value: object) -> bytes:
    """The value as JSON text, in one line; ``decode`` is the inverse."""
    return msgspec.json.encode(value, enc_hook=str)


def indented(value: object) -> bytes:
    """The value as JSON text for people: indented, printable, with a newline at its end."""
    text = msgspec.json.format(encode(value), indent=2).decode()
    return f"{printable(text)}\n".encode()


def read(path: Path, form: type[_T], what: str) -> _T:
    """The value of type ``form`` that a file of one JSON text holds.

    Args:
        path: the file.
        form: the type.
        what: what the file should be, in words: ``a matrix of mutants``.

    Raises:
        UserError: it cannot be read, or holds something else.
    """
    try:
        return decode(path.read_bytes(), form)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}; it should be {what}") from error
    except Mismatch as error:
        raise UserError(f"{path} is not {what}: {error}") from error


def explain(error: msgspec.ValidationError) -> str:
    """What does not fit and where, in a few words: ``claims[0].outcome is missing``."""
    placed = _PLACED.fullmatch(str(error))
    what, place = (placed["what"], placed["place"]) if placed else (str(error), "")
    for pattern, words in _ABOUT_A_FIELD:
        if about := pattern.fullmatch(what):
            return f"{place}.{about[1]} {words}" if place else f"{about[1]} {words}"
    return f"{place}: {what[:1].lower()}{what[1:]}" if place else what


@cache
def _decoder(form: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(form, dec_hook=_made)


def _made(form: type[_T], value: Any) -> _T:
    """What JSON has no form of (a path), made of its text."""
    return form(value)  # type: ignore[call-arg]  # msgspec asks only for types whose values ``encode`` wrote
