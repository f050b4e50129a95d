"""YAML documents that people write: read, checked against a JSON Schema, and blamed by file and line.

The registry, the descriptors and the mutants are read through this module. Dates stay text, a key may
stand only once, and each problem says where it is and what to do.
"""

from __future__ import annotations

import difflib
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import jsonschema
import orjson
import yaml

from batchproof.ground import suite, yaml_text
from batchproof.ground.errors import UserError
from batchproof.ground.files import while_unchanged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_MOST_BYTES = 1024 * 1024
_MOST_VALUES = 20_000
"""Each alias counted as what it stands for; the largest file of the suite has some 3,000."""
_MOST_TOLD = 20
_MOST_NAMED = 5
_MOST_CHARACTERS = 120
_TYPE_NAMES = {
    "array": "a list",
    "boolean": "true or false",
    "number": "a number",
    "object": "a mapping",
    "string": "text",
}


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong in a file that a person wrote.

    Attributes:
        path: the file.
        line: the line in it, from 1.
        message: what is wrong and what to do.
    """

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def refuse(problems: Iterable[Problem]) -> None:
    """Raise a ``UserError`` that lists the problems, if there are any."""
    lines = [str(problem) for problem in problems]
    if len(lines) > _MOST_TOLD:
        lines[_MOST_TOLD:] = [f"and {len(lines) - _MOST_TOLD} more"]
    if lines:
        raise UserError("\n".join(lines))


@dataclass(frozen=True)
class Document:
    """A YAML document whose places are known.

    Attributes:
        path: the file it was read from.
        value: its content; None if it could not be parsed.
        problems: what is wrong with it, by the YAML syntax and by the schema.
        spoiled: the keys at the top whose values the schema does not allow, or that are missing or mistyped:
            all else can still be looked at.
        text: what was read.
        node: its places, as PyYAML composes them.
        base: the file that it inherits from, if it does.
    """

    path: Path
    value: Any
    problems: tuple[Problem, ...]
    spoiled: frozenset[str] = frozenset()
    text: str = ""
    node: yaml.Node | None = None
    base: Path | None = None

    def line(self, *place: str | int) -> int:
        """The line, from 1, of what stands at ``place`` (keys and positions), or of its nearest ancestor."""
        node = self.node
        line = 1 if node is None else node.start_mark.line + 1
        for step in place:
            found = _child(node, step)
            if found is None:
                break
            line, node = found
        return line


def read(path: Path, schema: str) -> Document:
    """Read a YAML file and check it against the schema ``<schema>.schema.json`` of the suite.

    Raises:
        UserError: the file cannot be read. Mistakes in it are the document's ``problems``.
    """
    return checked(composed(path), schema)


def parsed(text: str, path: Path, schema: str) -> Document:
    """The same of a text that was read already; ``path`` says where, for messages."""
    return checked(_composed(text, path), schema)


@while_unchanged(lambda path: [path], most=100)
def composed(path: Path) -> Document:
    """Read a YAML file that a schema is not known for yet.

    Raises:
        UserError: the file cannot be read.
    """
    return _composed(yaml_text.read_text(path, _MOST_BYTES), path)


def _composed(text: str, path: Path) -> Document:
    try:
        nodes, values, repeated_keys = yaml_text.parsed(text, _MOST_VALUES)
    except yaml_text.WrongYaml as error:
        return Document(path, None, (Problem(path, error.line, f"not valid YAML: {error}"),))
    if len(nodes) > 1:
        line = nodes[1].start_mark.line + 1
        return Document(path, None, (Problem(path, line, "not valid YAML: a second document begins here"),))
    if not nodes:
        return Document(path, None, (Problem(path, 1, "the file is empty"),))
    repeated = tuple(Problem(path, *one) for one in repeated_keys)
    return Document(path, values[0], repeated, text=text, node=nodes[0])


def checked(document: Document, schema: str) -> Document:
    """A document with what is wrong with it by a schema of the suite."""
    if document.node is None:
        return document
    value = document.value
    failures = _failures(value, schema)
    problems = (*document.problems, *_told(document, (), value, failures))
    return replace(document, problems=problems, spoiled=frozenset(_spoiled(value, failures)))


def good_rows(document: Document) -> Iterator[tuple[int, Any]]:
    """The rows of a list that have no problem, each with its position: one bad row spoils no other."""
    if not isinstance(document.value, list):
        return
    lines = [document.line(position) for position in range(len(document.value))]
    bad = {bisect_right(lines, problem.line) - 1 for problem in document.problems}
    yield from ((position, row) for position, row in enumerate(document.value) if position not in bad)


def check(document: Document, place: tuple[str, ...], schema: str) -> Iterator[Problem]:
    """What is wrong, by a schema of the suite, with what stands at a place of a document."""
    value = document.value
    for step in place:
        value = value[step]
    return _told(document, place, value, _failures(value, schema))


def _failures(value: Any, schema: str) -> list[jsonschema.ValidationError]:
    """The first failures of a value, by their places."""
    first = islice(_validator(schema).iter_errors(value), _MOST_TOLD)
    return sorted(first, key=lambda failure: list(map(str, failure.path)))


def _told(
    document: Document, place: tuple[str, ...], value: Any, failures: Iterable[jsonschema.ValidationError]
) -> Iterator[Problem]:
    """Each failure of what stands at a place, at its line; unknown keys each at their own."""
    before = f"{'.'.join(place)}: " if place else ""
    for failure in failures:
        where = (*place, *failure.absolute_path)
        if failure.validator == "additionalProperties":
            for key, what in _strange(failure):
                message = f"{before}{_place(failure, value)}: {what}"
                yield Problem(document.path, document.line(*where, key), message)
        else:
            yield Problem(document.path, document.line(*where), before + _explain(failure, value))


def _spoiled(value: Any, failures: Sequence[jsonschema.ValidationError]) -> Iterator[str]:
    """The keys at the top of a mapping of which it is not known what they mean."""
    if len(failures) == _MOST_TOLD:  # there may be more
        yield from map(str, value)
    for failure in failures:
        match list(failure.absolute_path), str(failure.validator):
            case [], "additionalProperties":  # the key that was meant is not missing
                known = cast("dict[str, Any]", failure.schema).get("properties", {})
                absent = [key for key in known if key not in value]
                yield from (meant for key in value if key not in known for meant in _nearest(key, absent))
            case [], "required":
                yield from (key for key in cast("list[str]", failure.validator_value) if key not in value)
            case [_, *_], "additionalProperties":
                pass  # what is beside an unknown key can be used
            case [key, *_], _:
                yield str(key)
            case _:
                pass


def near(word: str, known: Iterable[str]) -> str:
    """A hint at the known word that ``word`` is nearest to, or nothing."""
    return "".join(f"; did you mean {meant!r}?" for meant in _nearest(word, known))


def _nearest(word: Any, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(str(word), list(known), n=1)


@cache
def _validator(schema: str) -> jsonschema.Draft202012Validator:
    content = (suite.schemas() / f"{schema}.schema.json").read_bytes()
    return _Validator(orjson.loads(content), format_checker=_FORMATS)


_FORMATS = jsonschema.FormatChecker(formats=())
"""The formats that are checked; any other one is a note to readers."""


@_FORMATS.checks("profile")
def _is_profile(found: object) -> bool:
    """The name of a profile: that of a folder of features."""
    return not isinstance(found, str) or found in suite.profiles()


def _unique(_: Any, wanted: bool, found: Any, __: Any) -> Iterator[jsonschema.ValidationError]:  # noqa: FBT001
    """``uniqueItems`` in linear time: that of jsonschema compares each with each where types are mixed."""
    if not wanted or not isinstance(found, list):
        return
    seen: set[bytes] = set()
    for item in found:
        text = orjson.dumps(item, option=orjson.OPT_SORT_KEYS)
        if text in seen:
            yield jsonschema.ValidationError(f"{_short(item)} appears twice")
            return
        seen.add(text)


_Validator: type[jsonschema.Draft202012Validator] = jsonschema.validators.extend(  # type: ignore[no-untyped-call]  # its stub has no types
    jsonschema.Draft202012Validator, {"uniqueItems": _unique}
)


def _child(node: yaml.Node | None, step: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, child in node.value:
            if key.value == step:
                return key.start_mark.line + 1, child
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        child = node.value[step]
        return child.start_mark.line + 1, child
    return None


def _strange(failure: jsonschema.ValidationError) -> Iterator[tuple[Any, str]]:
    """Each unknown key of a mapping, and what to say of it; of many the first."""
    known = cast("dict[str, Any]", failure.schema).get("properties", {})
    strange = [key for key in cast("dict[Any, Any]", failure.instance) if key not in known]
    for key in strange[:_MOST_NAMED]:
        yield key, f"unknown key {_short(key)}{near(key, known)}"
    if len(strange) > _MOST_NAMED:
        yield strange[_MOST_NAMED], f"and {len(strange) - _MOST_NAMED} more unknown keys"


def _explain(failure: jsonschema.ValidationError, document: Any) -> str:
    """One sentence: the place, what is wrong there, and what is expected."""
    keyword = str(failure.validator)
    wanted, found = cast("Any", failure.validator_value), cast("Any", failure.instance)
    schema = cast("dict[str, Any]", failure.schema)
    match keyword:
        case "required":
            what = f"{', '.join(repr(key) for key in wanted if key not in found)} is missing"
        case "type":
            types = [wanted] if isinstance(wanted, str) else wanted
            right = " or ".join(_TYPE_NAMES.get(one, "of the right type") for one in types)
            what = f"{_short(found)} is not {right}"
            if "string" in types and isinstance(found, (int, float)):
                what += "; write it in quotes"
        case "enum":
            what = f"{_short(found)} is not one of {', '.join(map(str, wanted))}"
        case "format" if wanted == "profile":
            what = f"{_short(found)} is not one of {', '.join(suite.profiles())}"
        case "oneOf" if all("required" in one for one in wanted):
            what = f"it must have {' or '.join(' and '.join(map(repr, one['required'])) for one in wanted)}"
        case "maximum":
            what = f"{_short(found)} is more than {wanted}"
        case "pattern":
            what = f"{_short(found)} does not have the form {wanted}"
        case _:
            what = _short(failure.message, str)
    about = schema.get("description") if keyword in {"type", "pattern", "enum", "format", "maximum"} else None
    return f"{_place(failure, document)}: {what}" + (f" ({about})" if about else "")


def _short(found: Any, words: Callable[[Any], str] = repr) -> str:
    """A value in words, cut where it is long."""
    text = words(found)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]} ..."


def _place(failure: jsonschema.ValidationError, document: Any) -> str:
    """The place in words: ``start.argv[0]``, and in a list of things with an id or a name, that."""
    words = ""
    value = document
    for step in failure.absolute_path:
        value = value[step]
        if isinstance(step, str):
            words += f".{step}" if words else step
        elif isinstance(value, dict) and isinstance(name := value.get("id", value.get("name")), str):
            words += f"[{name}]" if words else name
        else:
            words += f"[{step}]"
    return words or "the document"


def at(path: Sequence[str], thing: Mapping[str, Any]) -> Any:
    """What stands at a place of an object, key by key (``["spec", "minMember"]``); None if nothing does."""
    value: Any = thing
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
