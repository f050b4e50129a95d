"""What tests a file of evidence speaks of, as the checker of CNCF AI Conformance reads it.

It reads three files, by their names alone (cncf/k8s-ai-conformance, ``scripts/validate.go``:
``classifyArtifact``, ``parseJUnit``, ``parseGoTestJSON``, ``parseE2ELog``, ``record``, ``outcomeFor``). Any
other evidence only has to exist.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from xml.parsers import expat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import PurePosixPath

LOG, JUNIT, EVENTS = "e2e.log", "junit.xml", "results.json"

Ended = Literal["passed", "failed", "skipped"]

_MOST_LINE = 16 * 1024 * 1024
"""Bytes of a line that the checker's scanner takes."""
_MOST_SUITES = 100
"""Suites within each other; the checker takes more, but no tool writes more than a few."""
_LOG_LINE = re.compile(r"[\t\n\f\r ]*--- (PASS|FAIL|SKIP): ([^\t\n\f\r ]+)")
_BLANKS = " \t\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""What Go's ``strings.TrimSpace`` takes off; Python's ``strip`` takes off more."""
_ENDED: Mapping[str, Ended] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


class Unreadable(ValueError):  # noqa: N818 - reads as what it is
    """A file of tests cannot be read as what its name says it is."""


@dataclass(slots=True)
class Artifact:
    """The tests of a file.

    Attributes:
        ended: how each ended, by its name.
        failures: the names of those that failed, or the package that failed without one.
    """

    ended: dict[str, Ended] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def record(self, name: str, ended: Ended) -> None:
        """Note how a test ended; what has failed once stays failed."""
        if self.ended.get(name) == "failed":
            return
        self.ended[name] = ended
        if ended == "failed":
            self.failures.append(name)

    def of(self, name: str) -> Ended | None:
        """How a test ended: as itself, or else by its parts; None if the file does not have it."""
        if name in self.ended:
            return self.ended[name]
        parts = {ended for part, ended in self.ended.items() if part.startswith(f"{name}/")}
        if not parts:
            return None
        if "failed" in parts:
            return "failed"
        return "skipped" if parts == {"skipped"} else "passed"


def reader(path: PurePosixPath) -> Callable[[bytes], Artifact] | None:
    """What reads a file of this name; None if the checker does not read it."""
    return _READERS.get(path.name.lower())


def read_junit(content: bytes) -> Artifact:
    """The tests of a JUnit report, with ``testsuites`` or ``testsuite`` at its root.

    Raises:
        Unreadable: it is no XML, or has no test case.
    """
    tests = Artifact()
    for name, ended in _Report().read(content).cases():
        tests.record(name, ended)
    if not tests.ended:
        raise Unreadable("no <testcase> in it")
    return tests


def read_events(content: bytes) -> Artifact:
    """The tests of what ``go test -json`` has printed.

    Raises:
        Unreadable: a line is no JSON object, or no line says how a test ended.
    """
    tests, packages = Artifact(), []
    for number, line in enumerate(_lines(content), 1):
        if not (text := line.strip(_BLANKS)):
            continue
        action, package, test = _event(text, number)
        ended = _ENDED.get(action)
        if ended and test:
            tests.record(test, ended)
        elif ended == "failed":
            packages.append(f"package {package}")
    if not tests.failures:  # a package that fails without a test did not build, or panicked
        tests.failures.extend(packages)
    if not tests.ended and not tests.failures:
        raise Unreadable("no event of a test in it")
    return tests


def read_log(content: bytes) -> Artifact:
    """The tests of what ``go test -v`` has printed.

    Raises:
        Unreadable: no line says how a test ended.
    """
    tests = Artifact()
    for line in _lines(content):
        if found := _LOG_LINE.match(line):
            tests.record(found[2], _ENDED[found[1].lower()])
    if not tests.ended:
        raise Unreadable("no line '--- PASS: ...', '--- FAIL: ...' or '--- SKIP: ...' in it")
    return tests


_READERS = {JUNIT: read_junit, EVENTS: read_events, LOG: read_log}


def _lines(content: bytes) -> Iterator[str]:
    for number, line in enumerate(content.split(b"\n"), 1):
        if len(line) >= _MOST_LINE:
            raise Unreadable(f"line {number} is longer than {_MOST_LINE // 1024 // 1024} MiB")
        yield line.removesuffix(b"\r").decode("utf-8", "replace")


def _event(text: str, number: int) -> tuple[str, str, str]:
    """The action of an event, its package and its test."""
    try:
        event: Any = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"line {number} is no JSON: {error}") from error
    if event is not None and not isinstance(event, dict):
        raise Unreadable(f"line {number} is no JSON object")
    said = {key.lower(): value for key, value in (event or {}).items() if value is not None}
    action, package, test = (said.get(key, "") for key in ("action", "package", "test"))
    if not (isinstance(action, str) and isinstance(package, str) and isinstance(test, str)):
        raise Unreadable(f"line {number}: Action, Package or Test is no text")
    return action, package, test


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


@dataclass(slots=True)
class _Suite:
    """A suite of a report: its cases come before those of the suites in it."""

    own: list[tuple[str, Ended]] = field(default_factory=list)
    inner: list[_Suite] = field(default_factory=list)

    def cases(self) -> Iterator[tuple[str, Ended]]:
        yield from self.own
        for suite in self.inner:
            yield from suite.cases()


class _Report:
    """Reads a JUnit report piece by piece: it holds only the names of the cases, and resolves no entity."""

    def __init__(self) -> None:
        self._root = _Suite()
        self._suites: list[_Suite] = []  # those that are open, the root first
        self._case: str | None = None  # the name of the case that is open
        self._said: set[str] = set()  # what stands in that case
        self._others = 0  # how many other elements are open within these
        self._ended = False

    def read(self, content: bytes) -> _Suite:
        """The root of the report, which holds what it has."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.XmlDeclHandler = self._declared
        parser.EntityDeclHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        try:
            parser.Parse(content, True)  # noqa: FBT003 - expat's
        except expat.ExpatError as error:
            if not self._ended:  # what follows the root is not read by the checker
                raise Unreadable(f"no XML: {expat.ErrorString(error.code)}, line {error.lineno}") from error
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if not self._suites:
            self._suites.append(self._root)
        elif self._others or self._case is not None:
            if not self._others:
                self._said.add(name)
            self._others += 1
        elif name == "testcase":
            named = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
            self._case, self._said = named.get("name", ""), set()
        elif name == "testsuite":
            self._inner()
        else:
            self._others += 1

    def _inner(self) -> None:
        if len(self._suites) == _MOST_SUITES:
            raise Unreadable(f"more than {_MOST_SUITES} <testsuite> within each other")
        self._suites[-1].inner.append(suite := _Suite())
        self._suites.append(suite)

    def _end(self, _: str) -> None:
        if self._others:
            self._others -= 1
        elif self._case is not None:
            self._suites[-1].own.append((self._case, self._outcome()))
            self._case = None
        else:
            self._suites.pop()
            self._ended = not self._suites

    def _outcome(self) -> Ended:
        if self._said & {"failure", "error"}:
            return "failed"
        return "skipped" if "skipped" in self._said else "passed"

    @staticmethod
    def _declared(_: str, encoding: str | None, __: int) -> None:
        if encoding and encoding.lower() != "utf-8":
            raise Unreadable(f"its encoding is {encoding}: only UTF-8 is read")

    @staticmethod
    def _entity(name: str, *_: Any) -> None:
        raise Unreadable(f"it declares the entity {name}: entities are not read")
