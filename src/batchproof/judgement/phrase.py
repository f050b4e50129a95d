"""A phrase: what describes one thing, with parts in any number and order, and is read into one value.

``gang a in queue small with minimum 3 has 3 pods of 2 CPUs each, no two on one node`` begins with ``gang a``.
Each part after that sets fields of a frozen value. A part is declared once, as a template::

    Part("in queue {queue:word}")                             sets the field queue
    Part("without a minimum", {"minimum": 1, "loose": True})  sets two fields, to these values

Parts are joined by a space, a comma or ``and``. Two parts that set one field contradict each other. A part
may hold another phrase (``has {pods:pods}``); what could belong to both belongs to the nearest one before it.
A phrase is a kind of argument (see ``template``), so that sentences of verbs can have it.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, field, fields
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from batchproof.judgement.template import KINDS, ArgumentKind, Template, add

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from _typeshed import DataclassInstance

_JOINED = r"(?:,? and |, | )"
_ENDS = r"(?=,? and |, | |$)"
_NEAR = 0.6
"""How like a part some words must be so that it is named: of 1, as ``difflib`` measures it."""
PHRASES: dict[str, Phrase[Any]] = {}
"""All phrases, by the kind of argument that each is."""

T = TypeVar("T", bound="DataclassInstance")


class PhraseError(ValueError):
    """Words that are no phrase, though they begin as one; the text says what to write."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a phrase may say.

    Attributes:
        text: its template; the arguments are fields of the value.
        sets: further fields that it sets, each with the value. A part that sets nothing is always written.
        before: what stands before it where the phrase is written.
        silent: it may be said, and is not written.
    """

    text: str
    sets: Mapping[str, Any] = field(default_factory=dict)
    before: str = " "
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """A part with its template."""

    part: Part
    template: Template
    pattern: re.Pattern[str]

    @property
    def sets(self) -> set[str]:
        """The fields that it sets."""
        return {*self.template.kinds, *self.part.sets}

    def said(self, value: object, usual: Mapping[str, Any]) -> bool:
        """Whether it is to be written of a value; ``usual``: the fields of which nothing has to be said."""
        if not self.sets:
            return not self.part.silent
        of_it = {name: getattr(value, name) for name in self.sets}
        wrong = any(of_it[name] != it for name, it in self.part.sets.items())
        return not wrong and any(name not in usual or it != usual[name] for name, it in of_it.items())


@dataclass(frozen=True, slots=True)
class ReadPart:
    """What was read of a phrase: a part, its words and its arguments."""

    clause: Clause
    words: str
    arguments: Mapping[str, Any]
    forms: Sequence[str]


class Phrase(Generic[T]):
    """How one kind of thing is described.

    Attributes:
        name: the name of the kind of argument that it is.
        of: the class of the values.
        clauses: what it may say, in the order in which it is written.
        opening_clause: what it begins with.
    """

    def __init__(self, name: str, of: type[T], opening: str, parts: Sequence[Part]) -> None:
        """Declare a phrase, which then is a kind of argument.

        Args:
            name: the name of that kind.
            of: a frozen dataclass; a field without a default has to be said.
            opening: the template that it begins with.
            parts: what it may say.

        Raises:
            TemplateError: a template cannot be used.
            ValueError: a part sets a field that there is not, or there is a kind of that name.
        """
        self.name, self.of = name, of
        self.opening_clause = self._clause(Part(opening), {})
        self._opening = self.opening_clause.template
        self._usual = {it.name: it.default for it in fields(of) if it.default is not MISSING}
        numbers = {
            name: kind for name, kind in {"count": "d", **self._opening.kinds}.items() if KINDS[kind].one
        }
        self.clauses = [self._clause(part, numbers) for part in parts]
        known = {it.name for it in fields(of)}
        if strange := set(self._opening.kinds).union(*(one.sets for one in self.clauses)) - known:
            raise ValueError(f"{of.__name__} has no field {min(strange)!r}")
        alternatives = "|".join(one.template.pattern for one in self.clauses)
        pattern = f"{self._opening.pattern}(?:{_JOINED}(?:{alternatives}))*"
        counts = KINDS[self._opening.kinds["count"]].one if "count" in self._opening.kinds else None
        one = (lambda value: bool(counts(value.count))) if counts else None
        add({name: ArgumentKind(pattern, self.read, self.write, one)})
        PHRASES[name] = self

    def _clause(self, part: Part, numbers: Mapping[str, str]) -> Clause:
        template = Template(part.text, numbers)
        return Clause(part, template, re.compile(f"(?:{template.pattern}){_ENDS}"))

    @property
    def opening(self) -> str:
        """The template that it begins with."""
        return self._opening.text

    @property
    def needed(self) -> set[str]:
        """The fields that have to be said."""
        return {it.name for it in fields(self.of) if it.default is MISSING}

    def write(self, value: T) -> str:
        """The phrase that means a value.

        Raises:
            ValueError: a field has a value that no part says.
        """
        of_it = {it.name: getattr(value, it.name) for it in fields(value)}
        covered, said = set(self._opening.kinds), list[Clause]()
        for one in sorted(self.clauses, key=lambda it: not it.part.sets):  # what fits exactly goes first
            if not covered & one.sets and one.said(value, self._usual):
                said.append(one)
                covered |= one.sets
        silent = {name for name, it in of_it.items() if self._usual.get(name, MISSING) != it} - covered
        if silent:
            raise ValueError(f"no part of the phrase {self.name!r} says {min(silent)} of {value}")
        parts = [one.part.before + one.template.write(of_it) for one in self.clauses if one in said]
        return self._opening.write(of_it) + "".join(parts)

    def read(self, words: str) -> T:
        """The value of a phrase.

        Raises:
            PhraseError: it contradicts itself, or has a part that there is not.
        """
        beginning = self._begun(words)
        if beginning is None:
            raise PhraseError(f"{words!r} does not begin with {self.opening!r}")
        opening, rest = beginning
        said, left = self._furthest(rest)
        if left:
            raise PhraseError(self._unknown(opening, left))
        return self._complete(opening, self._values(opening, said))

    def problem(self, sentence: str) -> tuple[int, str] | None:
        """What is wrong with a sentence that begins with this phrase, and how much of it was understood.

        None if it does not begin so, or if nothing about it suggests that it was meant to.
        """
        beginning = self._begun(sentence)
        if beginning is None:
            return None
        opening, rest = beginning
        try:
            said, left = self._furthest(rest)
            values = self._values(opening, said)
            if not left:
                self._complete(opening, values)
        except PhraseError as error:
            return len(sentence), str(error)
        if left and (said or self._nearest(left)):
            return len(sentence) - len(left), self._unknown(opening, left)
        return None

    def _begun(self, words: str) -> tuple[ReadPart, str] | None:
        """The opening of a phrase, and what stands after it; None if it is another."""
        found = self.opening_clause.pattern.match(words)
        if found is None or (taken := self._opening.taken(found[0])) is None:
            return None
        return ReadPart(self.opening_clause, found[0], *taken), words[found.end() :]

    def _furthest(self, words: str) -> tuple[list[ReadPart], str]:
        """The parts that words consist of, and what is left where that is no part: as little as can be."""
        best: tuple[list[ReadPart], str] = ([], words)
        for said, left in self._next(words):
            more, rest = self._furthest(left)
            if not rest:
                return [said, *more], ""
            if len(rest) < len(best[1]):
                best = [said, *more], rest
        return best

    def _next(self, words: str) -> Iterator[tuple[ReadPart, str]]:
        """What the next part may be, the longest first, and what is left after it."""
        if (joined := re.match(_JOINED, words)) is None:
            return
        found = [
            (ReadPart(one, match[0], *taken), words[match.end() :])
            for one in self.clauses
            if (match := one.pattern.match(words, joined.end())) and (taken := one.template.taken(match[0]))
        ]
        yield from sorted(found, key=lambda it: len(it[1]))

    def _values(self, opening: ReadPart, said: Sequence[ReadPart]) -> dict[str, Any]:
        """The fields that were said.

        Raises:
            PhraseError: parts contradict each other, or a word does not follow its number.
        """
        by: dict[str, str] = {}
        values: dict[str, Any] = {}
        for one in (opening, *said):
            for name, value in {**one.arguments, **one.clause.part.sets}.items():
                if name in by:
                    both = f"{by[name]!r} and {one.words!r}"
                    raise PhraseError(f"{opening.words}: {both} contradict each other; say one of them")
                by[name], values[name] = one.words, value
        full = {**self._usual, **values}
        for one in (opening, *said):
            right = one.clause.template.forms(full)
            if any(form not in {"", it} for form, it in zip(one.forms, right, strict=True)):
                raise PhraseError(
                    f"{opening.words}: say {one.clause.template.write(full)!r}, not {one.words!r}"
                )
        return values

    def _complete(self, opening: ReadPart, values: Mapping[str, Any]) -> T:
        if lacking := self.needed - values.keys():
            ways = [repr(one.template.shown) for one in self.clauses if min(lacking) in one.sets]
            raise PhraseError(f"{opening.words}: say {' or '.join(ways)}")
        return self.of(**values)

    def _nearest(self, words: str) -> str:
        """The part that words are most like, as it is shown; empty if they are like none."""
        likeness = {shown: _likeness(re.sub(f"^{_JOINED}", "", words), shown) for shown in self.shown}
        best = max(likeness, key=lambda it: likeness[it], default="")
        return best if best and likeness[best] >= _NEAR else ""

    def _unknown(self, opening: ReadPart, left: str) -> str:
        near = self._nearest(left)
        known = f"the nearest is {near!r}" if near else f"there is {', '.join(map(repr, self.shown))}"
        words = re.sub(f"^{_JOINED}", "", left)
        return f"{words!r} begins with no part that {opening.words!r} can have; {known}"

    @property
    def shown(self) -> list[str]:
        """Its parts, as they are shown to people, and those of the phrases in it."""
        own = [one.template.shown for one in self.clauses]
        inner = {kind for one in self.clauses for kind in one.template.kinds.values()} & PHRASES.keys()
        return [*own, *(shown for kind in sorted(inner) for shown in PHRASES[kind].shown)]


def _likeness(words: str, shown: str) -> float:
    """How like words begin to a part: from 0 to 1, whatever stands in place of its arguments."""
    if (
        re.fullmatch(r"\w+ \{\w+\}", shown)
        and words.split(" ", maxsplit=1)[0] == shown.split(" ", maxsplit=1)[0]
    ):
        return _NEAR  # ``with`` something
    pattern = re.sub(r"\{\w+\}", "0", shown).split()
    begun = " ".join(re.sub(r"^\d+$", "0", word) for word in words.split()[: len(pattern)])
    return SequenceMatcher(None, begun, " ".join(pattern)).ratio()
