"""One wording for one fact: a template that prints a sentence and reads it again.

``{count:d} [pod|pods]{job:of_job} [is|are] active`` prints ``1 pod is active`` and ``2 pods of Job b are
active``, and reads both. There are three signs:

- ``{name:kind}``: an argument, in the way of its kind (``KINDS``);
- ``[one|many]``: a word that follows the number before it; ``[count?one|many]``: one that follows another;
- ``<so|not so>``: the words of the fact, and those of its denial: ``pod p is <|not >bound``.

To read is the inverse of to print; ``parse`` does the reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import parse

from batchproof.judgement.parts import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SIGNS = re.compile(
    r"\{(?P<name>\w+):(?P<kind>\w+)\}"
    r"|\[(?:(?P<by>\w+)\?)?(?P<one>[^][|?]*)\|(?P<many>[^][|?]*)\]"
    r"|<(?P<so>[^<>|]*)\|(?P<not_so>[^<>|]*)>"
)
_LEFT_OVER = re.compile(r"[][{}<>|]")
SEVERAL = r"{0}(?:, {0})*(?: and {0})?"
"""The pattern of ``a``, ``a and b``, ``a, b and c``, to be formatted with that of one."""


@dataclass(frozen=True, slots=True)
class ArgumentKind:
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


def listed(texts: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)


def parts(text: str) -> list[str]:
    """The inverse of ``listed``."""
    return text.replace(" and ", ", ").split(", ")


def several(pattern: str) -> str:
    """The pattern of one of these, and of several that are ``listed``."""
    return SEVERAL.format(pattern)


KINDS: dict[str, ArgumentKind] = {
    "d": ArgumentKind(r"\d+", int, one=lambda value: bool(value == 1)),
    "digits": ArgumentKind(r"\d+", one=lambda value: bool(value == "1")),
    "seconds": ArgumentKind(r"\d+(?:\.\d+)?", float, "{:g}".format, lambda value: bool(value == 1)),
    "most": ArgumentKind(
        r"no more than \d+|no",
        lambda text: int(text.removeprefix("no more than ")) if text != "no" else 0,
        lambda value: f"no more than {value}" if value else "no",
        lambda value: bool(value <= 1),
    ),
    "at_most": ArgumentKind(
        r"(?: and at most \d+)?",
        lambda text: int(text.removeprefix(" and at most ")) if text else None,
        lambda value: "" if value is None else f" and at most {value}",
    ),
    "name": ArgumentKind(r"[\w-]+"),
    "word": ArgumentKind(r"\w+"),
    "path": ArgumentKind(r"[\w./-]+"),
    "text": ArgumentKind(r'[^"\n]+'),
    "numbers": ArgumentKind(
        SEVERAL.format(r"\d+"),
        lambda text: [int(number) for number in parts(text)],
        lambda value: listed([str(number) for number in value]),
    ),
    "words": ArgumentKind(SEVERAL.format(r"[A-Z]\w*"), parts, lambda value: listed(list(value))),
}
"""Those that the sentences of every profile have; a profile adds its own in ``profiles/NAME/kinds``, and
its phrases in ``profiles/NAME/phrases``."""


def add(kinds: Mapping[str, ArgumentKind]) -> None:
    """Let sentences have arguments of these kinds as well.

    Raises:
        ValueError: one of that name is there already.
    """
    if twice := KINDS.keys() & kinds.keys():
        raise ValueError(f"two kinds are named {min(twice)}")
    KINDS.update(kinds)


class TemplateError(ValueError):
    """A template that cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class _Forms:
    """``[one|many]``, and the argument that decides, with its kind."""

    one: str
    many: str
    number: str
    kind: str


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
        landmark: words that each of its sentences has: a quick look for them passes over most others.
    """

    def __init__(self, text: str, numbers: Mapping[str, str] | None = None) -> None:
        """Take a template apart.

        Args:
            text: the template.
            numbers: numbers that its words may follow and that stand elsewhere, each with its kind.

        Raises:
            TemplateError: a sign is not closed, a kind is unknown, or ``[one|many]`` follows no number.
        """
        self.text = text
        self.kinds: dict[str, str] = {}
        self._parts: list[str | ArgumentKind | _Forms | _Denied] = []
        self._names: dict[int, str] = {}
        number, end, elsewhere = "", 0, numbers or {}
        for sign in _SIGNS.finditer(text):
            self._literal(text[end : sign.start()])
            end = sign.end()
            match sign.groupdict():
                case {"name": str(name), "kind": str(kind)}:
                    self._argument(name, kind)
                    number = name if KINDS[kind].one else number
                case {"one": str(one), "many": str(many), "by": by}:
                    decides = by or number
                    kind = {**elsewhere, **self.kinds}.get(decides, "")
                    if not kind:
                        raise TemplateError(f"[{one}|{many}] follows no number")
                    self._parts.append(_Forms(one, many, decides, kind))
                case {"so": str(so), "not_so": str(not_so)}:
                    self._parts.append(_Denied(so, not_so))
        self._literal(text[end:])
        self.landmark = max((it for it in self._parts if isinstance(it, str)), key=len, default="")
        self._readers = {denied: self._reader(denied=denied) for denied in {False, self.deniable}}

    def _literal(self, text: str) -> None:
        if left := _LEFT_OVER.search(text):
            raise TemplateError(f"{left[0]!r} is part of no sign: {{name:kind}}, [one|many], <so|not so>")
        if text:
            self._parts.append(text)

    def _argument(self, name: str, kind: str) -> None:
        for part in ("kinds", "phrases"):
            if kind not in KINDS:
                load(part)
        if kind not in KINDS:
            raise TemplateError(f"there is no kind {kind!r}; there is {', '.join(sorted(KINDS))}")
        if name in self.kinds:
            raise TemplateError(f"{{{name}}} appears twice")
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
                case ArgumentKind():
                    words.append(part.write(arguments[self._names[position]]))
                case _Forms():
                    words.append(self._form(part, arguments))
                case _Denied():
                    words.append(part.not_so if denied else part.so)
                case str():
                    words.append(part)
        return "".join(words)

    def _form(self, forms: _Forms, arguments: Mapping[str, Any]) -> str:
        is_one = KINDS[forms.kind].one
        return forms.one if is_one and is_one(arguments[forms.number]) else forms.many

    def read(self, sentence: str, *, denied: bool = False) -> dict[str, Any] | None:
        """The arguments of a sentence; None if it is another one."""
        found = self.taken(sentence, denied=denied)
        return found[0] if found and found[1] == self.forms(found[0]) else None

    def taken(self, sentence: str, *, denied: bool = False) -> tuple[dict[str, Any], list[str]] | None:
        """The arguments of a sentence, and the words in it that follow a number, whether or not they do."""
        if denied not in self._readers or self.landmark not in sentence:
            return None
        found = self._readers[denied].parse(sentence)
        return None if found is None else (dict(found.named), list(found.fixed))

    def forms(self, arguments: Mapping[str, Any]) -> list[str]:
        """The words that follow a number, as they are right with these arguments."""
        return [self._form(part, arguments) for part in self._parts if isinstance(part, _Forms)]

    @property
    def begins_with(self) -> str:
        """The kind of the argument that it begins with; empty: it begins with words."""
        return self.kinds.get(self._names.get(0, ""), "")

    @property
    def shown(self) -> str:
        """The template as people read it: ``{count} pods are active``."""
        return "".join(self._shown(position, part) for position, part in enumerate(self._parts))

    def _shown(self, position: int, part: str | ArgumentKind | _Forms | _Denied) -> str:
        match part:
            case ArgumentKind():
                return f"{{{self._names[position]}}}"
            case _Forms():
                return part.many
            case _Denied():
                return part.so
            case str():
                return part

    @property
    def pattern(self) -> str:
        """The regular expression of its sentences, whichever form words have that follow a number."""
        return "".join(map(_pattern_of, self._parts))

    def _reader(self, *, denied: bool) -> parse.Parser:
        """The template in the language of ``parse``: forms are unnamed fields of a type of their own."""
        types: dict[str, Callable[[str], Any]] = {}
        words: list[str] = []
        for position, part in enumerate(self._parts):
            kind = f"kind{position}"
            match part:
                case ArgumentKind():
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


def _pattern_of(part: str | ArgumentKind | _Forms | _Denied) -> str:
    match part:
        case ArgumentKind():
            return f"(?:{part.pattern})"
        case _Forms():
            longest_first = sorted([part.one, part.many], key=len, reverse=True)
            return f"(?:{'|'.join(map(re.escape, longest_first))})"
        case _Denied():
            return f"(?:{re.escape(part.so)}|{re.escape(part.not_so)})"
        case str():
            return re.escape(part)


def _reading(pattern: str, read: Callable[[str], Any]) -> Callable[[str], Any]:
    def value(text: str) -> Any:
        return read(text)

    return parse.with_pattern(pattern)(value)  # type: ignore[no-any-return]
