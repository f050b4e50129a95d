"""YAML that others wrote: read within limits, and refused by its line where it cannot be what a person means.

A short text can stand for more than fits into any memory (aliases of aliases), for itself, or for values that
JSON does not have. All of that is found before anything is built from it.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import yaml

from batchproof.ground import files
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yaml import SafeLoader
else:  # that of libyaml where PyYAML has it: every worker of a run reads the whole registry
    SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MOST_BYTES = 16 * 1024 * 1024
"""Of a file: CustomResourceDefinitions have some; the largest descriptor of the suite has 30 KiB."""
MOST_VALUES = 1_000_000
"""Of a document, each alias counted as what it stands for."""
_LARGEST_INTEGER = 2**63
_CORE = "tag:yaml.org,2002:"
_TAGS = frozenset({"str", "int", "float", "bool", "null", "seq", "map", "merge", "value"})
_KEY_TAGS = frozenset({"str", "value", "merge"})


class WrongYaml(Exception):  # noqa: N818 - reads as what it is
    """A text is not YAML that can be used.

    Attributes:
        line: where, from 1.
    """

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


class Loader(SafeLoader):
    """Plain YAML without dates: ``2027-01-31`` stays text, so that a schema decides what it is."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the form that PyYAML wants
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - PyYAML's
        """The value of a node; what is wrong with it is known by its line, and is no error of Python's."""
        try:
            value = super().construct_object(node, deep)
        except (yaml.YAMLError, RecursionError, WrongYaml):
            raise
        except Exception as error:  # whatever a constructor raises for a value that its tag does not fit
            raise WrongYaml(_line(node), f"the value does not fit its type: {error}") from error
        if isinstance(value, float) and not math.isfinite(value):
            raise WrongYaml(_line(node), f"{node.value} is no finite number")
        if isinstance(value, int) and abs(value) >= _LARGEST_INTEGER:
            raise WrongYaml(_line(node), "the number is too large")
        return value


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """The text of a plain file.

    Raises:
        UserError: it is no plain file, too large, or not UTF-8; the message names file and line.
    """
    content = files.read(path, most_bytes)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: not UTF-8: byte {content[error.start]:#04x} in this line") from error


def nodes(text: str, most_values: int = MOST_VALUES) -> list[yaml.Node]:
    """The documents of a text as PyYAML composes them, none of which stands for too much.

    Raises:
        WrongYaml: it is no YAML, refers to itself, or stands for more than ``most_values`` values.
    """
    with _refused(text):
        found = [node for node in yaml.compose_all(text, Loader=Loader) if node is not None]
        for node in found:
            _Measure(most_values).of(node)
    return found


def parsed(
    text: str, most_values: int = MOST_VALUES
) -> tuple[list[yaml.Node], list[Any], list[tuple[int, str]]]:
    """The documents of a text, composed and as values of JSON, and the keys that stand twice in the first.

    Raises:
        WrongYaml: it cannot be used; see ``nodes`` and ``values``.
    """
    found = nodes(text, most_values)
    repeated = [*repeated_keys(found[0])] if found else []  # before a merge key becomes what it stands for
    loader = Loader("")
    with _refused(text):
        return found, [loader.construct_document(one) for one in found], repeated


def values(text: str) -> list[Any]:
    """The documents of a text, which ``nodes`` has accepted, as values of JSON.

    Raises:
        WrongYaml: a value does not fit its type.
    """
    with _refused(text):
        return list(yaml.load_all(text, Loader=Loader))


@contextmanager
def _refused(text: str) -> Iterator[None]:
    """What is wrong with the values of a text is known by its line."""
    try:
        yield
    except yaml.YAMLError as error:
        raise _wrong(error, text) from error
    except RecursionError as error:
        raise WrongYaml(1, "it is nested too deeply") from error


def load_all(path: Path) -> list[Any]:
    """The documents of a file that no schema of ours describes, but for the empty ones.

    Raises:
        UserError: it cannot be read; the message names the file and the line.
    """
    text = read_text(path)
    try:
        wrong = [one for node in nodes(text) for one in repeated_keys(node)]
        found = [] if wrong else [each for each in values(text) if each]
    except WrongYaml as error:
        wrong, found = [(error.line, str(error))], []
    for line, what in wrong:
        raise UserError(f"{path}:{line}: not valid YAML: {what}")
    return found


def repeated_keys(node: yaml.Node) -> Iterator[tuple[int, str]]:
    """The keys that stand twice in a mapping, by line: PyYAML silently takes the last value."""
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, yaml.SequenceNode):
            waiting.extend(reversed(one.value))
        elif isinstance(one, yaml.MappingNode):
            keys: set[str] = set()
            for key, child in one.value:
                if key.value in keys:
                    yield _line(key), f"the key {key.value!r} appears twice"
                keys.add(key.value)
                waiting.append(child)


class _Measure:
    """How many values a document stands for, counted once for each node."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[int, int] = {}
        self._within: set[int] = set()

    def of(self, node: yaml.Node) -> int:
        """The number of values that a node stands for; refuses what has none, or too many."""
        if id(node) in self._known:
            return self._known[id(node)]
        if id(node) in self._within:
            raise WrongYaml(_line(node), "it refers to itself by an alias")
        if node.tag.removeprefix(_CORE) not in _TAGS:
            raise WrongYaml(_line(node), f"the tag {node.tag} cannot be used")
        self._within.add(id(node))
        total = 1 + sum(map(self.of, _children(node)))
        if total > self._most:
            raise WrongYaml(_line(node), f"with its aliases it stands for more than {self._most} values")
        self._within.remove(id(node))
        self._known[id(node)] = total
        return total


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    elif isinstance(node, yaml.MappingNode):
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise WrongYaml(_line(key), "a key must be text, not a list or a mapping")
            if key.tag.removeprefix(_CORE) not in _KEY_TAGS:
                raise WrongYaml(_line(key), f"the key {key.value!r} is not text: write it in quotes")
            yield key
            yield child


def _line(node: yaml.Node) -> int:
    line: int = node.start_mark.line
    return line + 1


def _wrong(error: yaml.YAMLError, text: str) -> WrongYaml:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or str(error).partition("\n")[0]
    if mark is None and (position := getattr(error, "position", None)) is not None:  # an unusable character
        return WrongYaml(text.count("\n", 0, position) + 1, what)
    return WrongYaml(min(mark.line + 1, text.count("\n") + 1) if mark else 1, what)
