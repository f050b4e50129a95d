"""Descriptors: what is under test, how to start it, and what it declares.

A descriptor is one YAML file (``reports/schemas/implementation.schema.json``). The bundled ones have names;
a vendor's is named by its path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from batchproof import dialect, documents, suite
from batchproof.documents import Problem, near
from batchproof.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from batchproof.dialect import Dialect

PLACEHOLDERS = ("kubeconfig", "binary", "python", "state_dir", "descriptor_dir")
_PLACEHOLDER = re.compile(r"\{\{(?P<literal>[a-z_]+)\}\}|\{(?P<name>[a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Ready:
    """How to see that an instance is ready.

    Attributes:
        watches: the resources that it watches when it is ready.
        within_s: how long that may take, in seconds.
    """

    watches: tuple[str, ...] = ("jobs", "pods")
    within_s: float = 20.0


@dataclass(frozen=True, slots=True)
class Start:
    """How one instance is started.

    Attributes:
        argv: the program and its arguments, with placeholders.
        env: environment variables in addition to those of the harness, with placeholders.
        ready: how to see that it is ready.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    ready: Ready = field(default_factory=Ready)


@dataclass(frozen=True, slots=True)
class GoProgram:
    """A program that is built from a Go module of the suite.

    Attributes:
        module: the folder below ``fixtures/`` that holds go.mod and go.sum.
        package: the import path of the program.
    """

    module: str
    package: str


@dataclass(frozen=True, slots=True)
class Deviation:
    """A requirement that the implementation is known not to meet: a waiver with an end.

    Attributes:
        requirement: its id.
        reason: what the implementation does instead.
        issue: the address of the public issue.
        expires: the last day on which the waiver counts.
    """

    requirement: str
    reason: str
    issue: str
    expires: date

    def expired(self, today: date) -> bool:
        """Whether the waiver no longer counts on that day."""
        return today > self.expires


@dataclass(frozen=True, slots=True)
class Implementation:
    """What is under test.

    Attributes:
        name: how it stands in reports.
        version: the version that is judged.
        organisation: who makes it.
        profiles: what it claims to be.
        capabilities: the optional parts that it has.
        start: how it is started; None if it runs already.
        binary: the program that ``{binary}`` stands for: a file, a Go program, or None.
        api_server_flags: further flags that the API server needs for it.
        isolation: whether instances share an API server through views or have one each.
        dialect: how gangs are spelled for it; None if it schedules none.
        managed_by: ``spec.managedBy`` of the Jobs that it handles; None: those that name nobody.
        time_scale: the factor of all deadlines.
        deviations: the requirements that it is known not to meet.
        descriptor: the file that says so.
    """

    name: str
    version: str
    organisation: str
    profiles: tuple[str, ...]
    capabilities: frozenset[str]
    start: Start | None
    binary: Path | GoProgram | None
    api_server_flags: tuple[str, ...]
    isolation: Literal["view", "control-plane"]
    dialect: Dialect | None
    managed_by: str | None
    time_scale: float
    deviations: tuple[Deviation, ...]
    descriptor: Path

    def declares(self, capability: str | None) -> bool:
        """Whether a requirement that needs this capability (None: none) applies."""
        return capability is None or capability in self.capabilities

    def waived(self, today: date) -> list[str]:
        """The requirements whose waivers count on that day."""
        return [one.requirement for one in self.deviations if not one.expired(today)]

    def deviation(self, requirement: str) -> Deviation | None:
        """The waiver of that requirement, be it expired or not."""
        return next((one for one in self.deviations if one.requirement == requirement), None)


def bundled() -> dict[str, Path]:
    """The descriptors of the suite by name."""
    return {path.stem: path for path in sorted((suite.fixtures() / "implementations").glob("*.yaml"))}


def find(name_or_path: str) -> Path:
    """The descriptor that a user means: a bundled one by its name, any other by its path.

    Anything with a slash or the ending ``.yaml`` or ``.yml`` is a path.

    Raises:
        UserError: there is none of that name, or no such file.
    """
    if "/" in name_or_path or name_or_path.endswith((".yaml", ".yml")):
        path = Path(name_or_path).expanduser()
        if path.is_file():
            return path
        raise UserError(f"{path}: there is no such descriptor file")
    known = bundled()
    if name_or_path in known:
        return known[name_or_path]
    hint = near(name_or_path, known)
    names = ", ".join(known)
    message = f"no implementation is called {name_or_path!r}{hint}\nBundled: {names}"
    raise UserError(f"{message}. For a descriptor of your own give its path: ./{name_or_path}.yaml")


def load(path: Path) -> Implementation:
    """The implementation that a descriptor describes.

    Raises:
        UserError: the descriptor is not as it must be; the message names file, line, place and what to do.
    """
    implementation, problems = read(path)
    documents.refuse(problems)
    if implementation is None:
        raise UserError(f"{path}: is not a descriptor")
    return implementation


def read(path: Path) -> tuple[Implementation | None, list[Problem]]:
    """The implementation, if the descriptor can be used, and all that is wrong with the descriptor.

    Raises:
        UserError: the file cannot be read.
    """
    document = documents.read(path, "implementation")
    problems = [*document.problems]
    if not problems:
        problems += _beyond_the_schema(document)
    return (None if problems else _implementation(document, path)), problems


def command(
    implementation: Implementation,
    *,
    kubeconfig: Path,
    binary: Path | None,
    python: str,
    state_dir: Path,
) -> tuple[list[str], dict[str, str]]:
    """The program with its arguments, and the environment to add, for one instance.

    Args:
        implementation: what is started; it must have a ``start``.
        kubeconfig: the file to connect with.
        binary: the program that ``{binary}`` stands for; None if there is none.
        python: the Python that runs the harness.
        state_dir: an empty folder for this instance.

    Raises:
        UserError: the implementation cannot be started, or a placeholder is unknown.
    """
    where = implementation.descriptor
    if implementation.start is None:
        raise UserError(f"{where}: has no 'start': this implementation is started by somebody else")
    values = {
        "kubeconfig": str(kubeconfig),
        "python": python,
        "state_dir": str(state_dir),
        "descriptor_dir": str(where.resolve().parent),
    }
    if binary is not None:
        values["binary"] = str(binary)
    argv = [_filled(text, values, where) for text in implementation.start.argv]
    env = {name: _filled(text, values, where) for name, text in implementation.start.env.items()}
    return argv, env


def _filled(text: str, values: Mapping[str, str], where: Path) -> str:
    def value(match: re.Match[str]) -> str:
        if literal := match["literal"]:
            return f"{{{literal}}}"
        name = match["name"]
        if name not in values:
            raise UserError(f"{where}: {_unusable(name)} in {text!r}")
        return values[name]

    return _PLACEHOLDER.sub(value, text)


def _unusable(name: str) -> str:
    if name == "binary":
        return "the placeholder {binary} needs a section 'binary'"
    known = " ".join(f"{{{known}}}" for known in PLACEHOLDERS)
    return f"unknown placeholder {{{name}}}{near(name, PLACEHOLDERS)} (known: {known})"


def _beyond_the_schema(document: documents.Document) -> Iterator[Problem]:
    """What a JSON Schema cannot say: placeholders that exist, real dates, one waiver a requirement."""
    content = document.value
    start = content.get("start", {})
    usable = {*PLACEHOLDERS} if "binary" in content else {*PLACEHOLDERS} - {"binary"}
    places: list[tuple[tuple[str | int, ...], str]] = [
        *((("start", "argv", position), text) for position, text in enumerate(start.get("argv", ()))),
        *((("start", "env", name), text) for name, text in start.get("env", {}).items()),
    ]
    for place, text in places:
        for match in _PLACEHOLDER.finditer(text):
            if match["name"] and match["name"] not in usable:
                message = f"{'.'.join(map(str, place))}: {_unusable(match['name'])}"
                yield Problem(document.path, document.line(*place), message)
    yield from dialect.problems(document)
    if "gang" in content["profiles"] and "dialect" not in content:
        message = "the profile gang needs a 'dialect': how gangs are spelled (docs/certify-a-controller.md)"
        yield Problem(document.path, document.line("profiles"), message)
    seen: set[str] = set()
    for position, row in enumerate(content.get("deviations", ())):
        line = document.line("deviations", position)
        try:
            date.fromisoformat(row["expires"])
        except ValueError as error:
            yield Problem(document.path, line, f"deviations[{position}].expires: {row['expires']}: {error}")
        if row["requirement"] in seen:
            yield Problem(document.path, line, f"deviations: {row['requirement']} is waived twice")
        seen.add(row["requirement"])


def _implementation(document: documents.Document, path: Path) -> Implementation:
    content: Mapping[str, Any] = document.value
    return Implementation(
        name=content["name"],
        version=content["version"],
        organisation=content["organisation"],
        profiles=tuple(content["profiles"]),
        capabilities=frozenset(content.get("capabilities", ())),
        start=_start(content["start"]) if "start" in content else None,
        binary=_binary(content.get("binary", {}), path.parent),
        api_server_flags=tuple(content.get("control_plane", {}).get("api_server_flags", ())),
        isolation=content.get("isolation", "view"),
        dialect=dialect.of(document),
        managed_by=content.get("managed_by"),
        time_scale=float(content.get("time_scale", 1.0)),
        deviations=tuple(
            Deviation(row["requirement"], row["reason"], row["issue"], date.fromisoformat(row["expires"]))
            for row in content.get("deviations", ())
        ),
        descriptor=path,
    )


def _start(content: Mapping[str, Any]) -> Start:
    ready = content.get("ready", {})
    default = Ready()
    return Start(
        argv=tuple(content["argv"]),
        env=MappingProxyType(dict(content.get("env", {}))),
        ready=Ready(
            watches=tuple(ready.get("watches", default.watches)),
            within_s=float(ready.get("within_s", default.within_s)),
        ),
    )


def _binary(content: Mapping[str, Any], folder: Path) -> Path | GoProgram | None:
    if "go" in content:
        return GoProgram(content["go"]["module"], content["go"]["package"])
    if "path" in content:
        return (folder / Path(content["path"]).expanduser()).absolute()
    return None
