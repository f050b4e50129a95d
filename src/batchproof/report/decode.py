"""Turn JSON values into the frozen dataclasses of ``records``: every field is checked, none is guessed.

A field without a default must be there; a field that the dataclass does not have is refused, so that a
misspelt one is seen at once and not dropped.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_JSON_NAMES = {bool: "true or false", str: "a string", int: "a whole number", float: "a number"}


class Mismatch(ValueError):  # noqa: N818 - reads as what it is; results.py turns it into MalformedLine
    """A JSON value is not of the form that its record needs; the message names the field."""


def decode(form: Any, value: object, where: str = "") -> Any:
    """The value as ``form``.

    Args:
        form: a dataclass (read field by field), ``tuple[X, ...]``, ``Mapping[str, X]``, ``X | None``,
            ``Literal``, or a plain JSON type.
        value: what the JSON parser gave.
        where: the path of the value, for the message (``steps[2].at_s``).

    Raises:
        Mismatch: the value has another form.
    """
    if is_dataclass(form) and isinstance(form, type):
        return _decode_record(form, value, where)
    origin, args = get_origin(form), get_args(form)
    if origin in (Union, types.UnionType):
        return None if value is None else decode(args[0], value, where)
    if origin is Literal:
        if value not in args:
            raise Mismatch(f"{where} is {value!r}, it must be one of {', '.join(map(str, args))}")
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise Mismatch(f"{where} must be a list")
        return tuple(decode(args[0], item, f"{where}[{index}]") for index, item in enumerate(value))
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise Mismatch(f"{where} must be an object")
        return {str(key): decode(args[1], item, f"{where}.{key}") for key, item in value.items()}
    return _decode_plain(form, value, where)


def _decode_record(form: type, value: object, where: str) -> object:
    if isinstance(value, form):
        return value
    if not isinstance(value, Mapping):
        raise Mismatch(f"{where or form.__name__.lower()} must be an object")
    hints, required = _fields_of(form)
    if unknown := sorted(set(value) - set(hints)):
        raise Mismatch(f"{_join(where, unknown[0])} is not a known field")
    if absent := sorted(required - set(value)):
        raise Mismatch(f"{_join(where, absent[0])} is missing")
    return form(**{name: decode(hints[name], item, _join(where, name)) for name, item in value.items()})


def _decode_plain(form: type, value: object, where: str) -> object:
    if form is float and type(value) is int:
        return float(value)
    if type(value) is not form:
        raise Mismatch(f"{where} must be {_JSON_NAMES[form]}, it is {value!r}")
    return value


@cache
def _fields_of(form: type) -> tuple[dict[str, Any], frozenset[str]]:
    """The types of all fields, and the names of those that must be there."""
    hints = get_type_hints(form)
    required = (
        field.name for field in fields(form) if field.default is MISSING and field.default_factory is MISSING
    )
    return hints, frozenset(required)


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
