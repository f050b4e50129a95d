"""One wording for one fact: a template that prints a sentence and reads it again.

``{count:d} [pod|pods]{job:of_job} [is|are] active`` prints ``1 pod is active`` and ``2 pods of Job b are
active``, and reads both. There are three signs:

- ``{name:kind}``: an argument, in the way of its kind (``KINDS``);
- ``[one|many]``: a word that follows the number before it;
- ``<so|not so>``: the words of the fact, and those of its denial: ``pod p is <|not >bound``.

To read is the inverse of to print; ``parse`` does the reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

JOB = "a"
"""The name of a scenario's Job where its sentence names none: ``the Job``."""

LONG_JOB = f"long-{'n' * 56}"
"""The name of ``the long-named Job``: with ``-9`` it has the 63 characters that a host name may have."""

_SIGNS = re.compile(
    r"\{(?P<name>\w+):(?P<kind>\w+)\}"
    r"|\[(?P<one>[^][|]*)\|(?P<many>[^][|]*)\]"
    r"|<(?P<so>[^<>|]*)\|(?P<not_so>[^<>|]*)>"
)
_LEFT_OVER = re.compile(r"[][{}<>|]")
_SEVERAL = r"{0}(?:, {0})*(?: and {0})?"


@dataclass(frozen=True, slots=True)
class Kind:
    """How the values of an argument are written.

    Attributes:
        pattern: what is read as one.
        read: the value of a text.
        write: the text of a value.
        one: whether ``[one|many]`` after it is the first; None if it does not count.
    """

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str
    one: Callable[[Any], bool] | None = None


def _listed(texts: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)


def _parts(text: str) -> list[str]:
    return text.replace(" and ", ", ").split(", ")


_JOBS = {"the Job": JOB, "the long-named Job": LONG_JOB}
_NAMED = {name: words for words, name in _JOBS.items()}

KINDS: dict[str, Kind] = {
    "d": Kind(r"\d+", int, one=lambda value: bool(value == 1)),
    "digits": Kind(r"\d+", one=lambda value: bool(value == "1")),
    "seconds": Kind(r"\d+(?:\.\d+)?", float, "{:g}".format, lambda value: bool(value == 1)),
    "most": Kind(
        r"no more than \d+|no",
        lambda text: int(text.removeprefix("no more than ")) if text != "no" else 0,
        lambda value: f"no more than {value}" if value else "no",
        lambda value: bool(value <= 1),
    ),
    "at_most": Kind(
        r"(?: and at most \d+)?",
        lambda text: int(text.removeprefix(" and at most ")) if text else None,
        lambda value: "" if value is None else f" and at most {value}",
    ),
    "name": Kind(r"[\w-]+"),
    "word": Kind(r"\w+"),
    "path": Kind(r"[\w./-]+"),
    "text": Kind(r'[^"\n]+'),
    "job": Kind(
        r"the Job|the long-named Job|Job [a-z]",
        lambda text: _JOBS.get(text) or text.removeprefix("Job "),
        lambda value: _NAMED.get(value) or f"Job {value}",
    ),
    "of_job": Kind(
        r"(?: of (?:the long-named Job|Job [a-z]))?",
        lambda text: _JOBS.get(text.removeprefix(" of ")) or text.removeprefix(" of Job ") or JOB,
        lambda value: "" if value == JOB else f" of {_NAMED.get(value) or f'Job {value}'}",
    ),
    "gang": Kind(r"[a-z]"),
    "gang_or_one": Kind(
        r"one|[a-z]", lambda text: "" if text == "one" else text, lambda value: value or "one"
    ),
    "gangs": Kind(_SEVERAL.format("[a-z]"), _parts, lambda value: _listed(list(value))),
    "numbers": Kind(
        _SEVERAL.format(r"\d+"),
        lambda text: [int(number) for number in _parts(text)],
        lambda value: _listed([str(number) for number in value]),
    ),
    "counts": Kind(
        _SEVERAL.format(r"\d+ (?:active|ready|terminating|succeeded|failed)"),
        one=lambda value: re.fullmatch(r"1 \w+", value) is not None,
    ),
    "words": Kind(_SEVERAL.format(r"[A-Z]\w*"), _parts, lambda value: _listed(list(value))),
    "indexes": Kind(
        r"none|\d+(?:[,-]\d+)*",
        lambda text: "" if text == "none" else text,
        lambda value: value or "none",
    ),
    "place": Kind(r"annotation|label|hostname|name|environment"),
    "failures": Kind(r"(?:ignored )?failure counts"),
    "outcome": Kind(r"succeeded|failed"),
    "made": Kind(r"created|deleted"),
    "event": Kind(r"Normal|Warning"),
}


class TemplateError(ValueError):
    """A template that cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class _Forms:
    """``[one|many]``, and the argument that decides."""

    one: str
    many: str
    number: str


@dataclass(frozen=True, slots=True)
class _Denied:
    """``<so|not so>``."""

    so: str
    not_so: str


class Template:
    """A sentence with arguments.

    Attributes:
        text: the template as it is written.
        kinds: its arguments, each with the name of its kind.
    """

    def __init__(self, text: str) -> None:
        """Take a template apart.

        Raises:
            TemplateError: a sign is not closed, a kind is unknown, or ``[one|many]`` follows no number.
        """
        self.text = text
        self.kinds: dict[str, str] = {}
        self._parts: list[str | Kind | _Forms | _Denied] = []
        self._names: dict[int, str] = {}
        number, end = "", 0
        for sign in _SIGNS.finditer(text):
            self._literal(text[end : sign.start()])
            end = sign.end()
            match sign.groupdict():
                case {"name": str(name), "kind": str(kind)}:
                    self._argument(name, kind)
                    number = name if KINDS[kind].one else number
                case {"one": str(one), "many": str(many)}:
                    if not number:
                        raise TemplateError(f"[{one}|{many}] follows no number")
                    self._parts.append(_Forms(one, many, number))
                case {"so": str(so), "not_so": str(not_so)}:
                    self._parts.append(_Denied(so, not_so))
        self._literal(text[end:])
        self._readers = {denied: self._reader(denied=denied) for denied in {False, self.deniable}}

    def _literal(self, text: str) -> None:
        if left := _LEFT_OVER.search(text):
            raise TemplateError(f"{left[0]!r} is part of no sign: {{name:kind}}, [one|many], <so|not so>")
        if text:
            self._parts.append(text)

    def _argument(self, name: str, kind: str) -> None:
        if kind not in KINDS:
            raise TemplateError(f"there is no kind {kind!r}; there is {', '.join(sorted(KINDS))}")
        if name in self.kinds:
            raise TemplateError(f"{{{name}}} stands twice")
        self._names[len(self._parts)] = name
        self.kinds[name] = kind
        self._parts.append(KINDS[kind])

    @property
    def deniable(self) -> bool:
        """It has ``<so|not so>``."""
        return any(isinstance(part, _Denied) for part in self._parts)

    def write(self, arguments: Mapping[str, Any], *, denied: bool = False) -> str:
        """The sentence with these arguments; ``denied``: that it is not so."""
        words: list[str] = []
        for position, part in enumerate(self._parts):
            match part:
                case Kind():
                    words.append(part.write(arguments[self._names[position]]))
                case _Forms():
                    words.append(self._form(part, arguments))
                case _Denied():
                    words.append(part.not_so if denied else part.so)
                case str():
                    words.append(part)
        return "".join(words)

    def _form(self, forms: _Forms, arguments: Mapping[str, Any]) -> str:
        is_one = KINDS[self.kinds[forms.number]].one
        return forms.one if is_one and is_one(arguments[forms.number]) else forms.many

    def read(self, sentence: str, *, denied: bool = False) -> dict[str, Any] | None:
        """The arguments of a sentence; None if it is another one."""
        if denied not in self._readers:
            return None
        found = self._readers[denied].parse(sentence)
        if found is None:
            return None
        forms = [part for part in self._parts if isinstance(part, _Forms)]
        right = [self._form(part, found.named) for part in forms]
        return dict(found.named) if list(found.fixed) == right else None

    def _reader(self, *, denied: bool) -> parse.Parser:
        """The template in the language of ``parse``: forms are unnamed fields of a type of their own."""
        types: dict[str, Callable[[str], Any]] = {}
        words: list[str] = []
        for position, part in enumerate(self._parts):
            kind = f"kind{position}"
            match part:
                case Kind():
                    types[kind] = _reading(part.pattern, part.read)
                    words.append(f"{{{self._names[position]}:{kind}}}")
                case _Forms(one=one, many=many):
                    types[kind] = _reading(f"{re.escape(one)}|{re.escape(many)}", str)
                    words.append(f"{{:{kind}}}")
                case _Denied(so=so, not_so=not_so):
                    words.append(not_so if denied else so)
                case str():
                    words.append(part)
        return parse.compile("".join(words), types, case_sensitive=True)


def _reading(pattern: str, read: Callable[[str], Any]) -> Callable[[str], Any]:
    def value(text: str) -> Any:
        return read(text)

    return parse.with_pattern(pattern)(value)  # type: ignore[no-any-return]
