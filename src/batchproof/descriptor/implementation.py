"""Descriptors: what is under test, how to start it, and what it declares.

A descriptor is one YAML file (``reports/schemas/implementation.schema.json``). The bundled ones have names;
a vendor's is named by its path.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from batchproof import documents, suite
from batchproof.descriptor import dialect
from batchproof.descriptor.launch import (
    PLACEHOLDER,
    PLACEHOLDERS,
    GoProgram,
    ProcessSpec,
    Ready,
    filled,
    unusable,
)
from batchproof.documents import Problem, near
from batchproof.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from batchproof.descriptor.dialect import Dialect


NEWEST = "1.37"
"""The version of the Kubernetes API that the suite is written for."""


@dataclass(frozen=True, slots=True)
class ModuleFiles:
    """Files that are copied out of a pinned Go module.

    Attributes:
        module: the folder below ``fixtures/`` that holds go.mod, go.sum and build.yaml.
        patterns: the paths inside the Go module, ``*`` standing for anything but a slash.
    """

    module: str
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ControlPlaneNeeds:
    """What an implementation needs of its API server.

    Attributes:
        kubernetes: the version of it, such as ``1.24``; "" for the one that the suite is written for.
        api_server_flags: further flags.
        crds: files with CustomResourceDefinitions.
        objects: further objects that must exist before it starts, with placeholders.
        served_as: the API version that is served instead, by one that it asks for and that is served no more.
    """

    kubernetes: str = ""
    api_server_flags: tuple[str, ...] = ()
    crds: tuple[Path | ModuleFiles, ...] = ()
    objects: tuple[Mapping[str, Any], ...] = ()
    served_as: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Deviation:
    """What the implementation is known to do otherwise: a waiver of one finding in one scenario, with an end.

    Attributes:
        requirement: the id of the requirement that is not met.
        scenario: the title of the scenario that finds it, with the values of the example filled in.
        finding: what that scenario expects and does not find; ``*`` stands for anything.
        reason: what the implementation does instead.
        issue: the address of the public issue.
        expires: the last day on which the waiver counts.
        sometimes: it comes and goes: that the scenario passes does not fail the run.
    """

    requirement: str
    scenario: str
    finding: str
    reason: str
    issue: str
    expires: date
    sometimes: bool = False

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
        processes: what is started for each instance, in this order; none if it runs already.
        control_plane: what it needs of the API server.
        isolation: whether instances share an API server through views or have one each.
        dialect: how gangs are spelled for it; None if it schedules none.
        managed_by: ``spec.managedBy`` of the Jobs that it handles; None: those that name nobody.
        implements: the version of the Kubernetes API that it follows, such as ``1.30``.
        time_scale: the factor of all deadlines.
        longest_backoff_s: the longest time that it lets pass before it tries again what it could not do.
        deviations: what it is known to do otherwise.
        descriptor: the file that says so.
    """

    name: str
    version: str
    organisation: str
    profiles: tuple[str, ...]
    capabilities: frozenset[str]
    processes: tuple[ProcessSpec, ...]
    control_plane: ControlPlaneNeeds
    isolation: Literal["view", "control-plane"]
    dialect: Dialect | None
    managed_by: str | None
    implements: str
    time_scale: float
    longest_backoff_s: float
    deviations: tuple[Deviation, ...]
    descriptor: Path

    @property
    def ports(self) -> frozenset[str]:
        """The names of the ports that an instance uses."""
        return frozenset().union(*(process.ports for process in self.processes))

    def declares(self, capability: str | None) -> bool:
        """Whether a requirement that needs this capability (None: none) applies."""
        return capability is None or capability in self.capabilities

    def in_force(self, today: date) -> tuple[Deviation, ...]:
        """The deviations that count on that day."""
        return tuple(one for one in self.deviations if not one.expired(today))


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


def objects(implementation: Implementation, ports: Mapping[str, int]) -> list[Any]:
    """The objects that must exist before an instance with these ports starts."""

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: fill(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [fill(inner) for inner in value]
        return filled(value, {}, ports) if isinstance(value, str) else value

    return [fill(each) for each in implementation.control_plane.objects]


Place = tuple[str | int, ...]


def _strings(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Every text in a value of YAML, with its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner, (*place, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _strings(inner, (*place, position))


def _beyond_the_schema(document: documents.Document) -> Iterator[Problem]:
    """What a JSON Schema cannot say: placeholders that exist, names that agree, real dates."""
    content = document.value
    if "start" in content:
        yield from _wrong_placeholders(
            document, content["start"], ("start",), "start", binary="binary" in content
        )
    if "processes" in content:
        yield from _wrong_processes(document)
    yield from _wrong_objects(document)
    yield from _missing_files(document)
    yield from dialect.problems(document)
    yield from _wrong_profile(document)
    yield from _wrong_deviations(document)


def _wrong_profile(document: documents.Document) -> Iterator[Problem]:
    content = document.value
    if "gang" in content["profiles"] and "dialect" not in content:
        message = "the profile gang needs a 'dialect': how gangs are spelled (docs/certify-a-controller.md)"
        yield Problem(document.path, document.line("profiles"), message)


def _wrong_placeholders(
    document: documents.Document, process: Mapping[str, Any], place: Place, title: str, *, binary: bool
) -> Iterator[Problem]:
    usable = {*PLACEHOLDERS} if binary else {*PLACEHOLDERS} - {"binary"}
    for part in ("argv", "env", "files"):
        for where, text in _strings(process.get(part, ()), (*place, part)):
            for match in PLACEHOLDER.finditer(text):
                if match["name"] and match["name"] not in usable:
                    below = ".".join(map(str, where[len(place) :]))
                    message = f"{title}.{below}: {unusable(match['name'])}"
                    yield Problem(document.path, document.line(*where), message)


def _wrong_processes(document: documents.Document) -> Iterator[Problem]:
    content = document.value
    for other in ("start", "binary"):
        if other in content:
            message = f"{other!r} and 'processes' exclude each other: each process has its own"
            yield Problem(document.path, document.line(other), message)
    rows = content["processes"]
    for position, row in enumerate(rows):
        place = ("processes", position)
        title = f"processes[{row['name']}]"
        yield from _wrong_placeholders(document, row, place, title, binary="binary" in row)
        if row["name"] in [other["name"] for other in rows[:position]]:
            message = f"processes: the name {row['name']} stands twice"
            yield Problem(document.path, document.line(*place), message)
        port = row.get("ready", {}).get("listens")
        if port and port not in _process(row, "", document.path.parent).ports:
            message = f"processes[{row['name']}].ready.listens: it is given no {{port:{port}}}"
            yield Problem(document.path, document.line(*place, "ready", "listens"), message)
    if all(row.get("supporting") for row in rows):
        message = "processes: one must not be supporting: that which is judged"
        yield Problem(document.path, document.line("processes"), message)


def _wrong_objects(document: documents.Document) -> Iterator[Problem]:
    content = document.value
    rows = content.get("processes", [content["start"]] if "start" in content else [])
    ports = frozenset().union(*(_process(row, "", document.path.parent).ports for row in rows))
    given = content.get("control_plane", {}).get("objects", ())
    for place, text in _strings(given, ("control_plane", "objects")):
        for match in PLACEHOLDER.finditer(text):
            message = ""
            if match["name"] or (match["port"] and match["port"] not in ports):
                known = ", ".join(f"{{port:{port}}}" for port in sorted(ports)) or "no placeholder"
                message = f"{match[0]} means nothing here: objects may have {known}, as the processes do"
            elif match["port"] and content.get("isolation") != "control-plane":
                message = f"{match[0]} is another one for each instance: say 'isolation: control-plane'"
            if message:
                where = ".".join(map(str, place))
                yield Problem(document.path, document.line(*place), f"{where}: {message}")


def _missing_files(document: documents.Document) -> Iterator[Problem]:
    given = document.value.get("control_plane", {}).get("crds", ())
    for position, each in enumerate(given):
        if isinstance(each, str) and not _crd_file(each, document.path.parent).is_file():
            own = document.path.parent / Path(each).expanduser()
            message = f"control_plane.crds: there is no file {own}, and batchproof brings none of that name"
            yield Problem(document.path, document.line("control_plane", "crds", position), message)


def _wrong_deviations(document: documents.Document) -> Iterator[Problem]:
    seen: set[tuple[str, str, str]] = set()
    for position, row in enumerate(document.value.get("deviations", ())):
        line = document.line("deviations", position)
        try:
            date.fromisoformat(row["expires"])
        except ValueError as error:
            yield Problem(document.path, line, f"deviations[{position}].expires: {row['expires']}: {error}")
        what = (row["requirement"], row["scenario"], row["finding"])
        if what in seen:
            message = f"deviations: {row['requirement']} is waived twice for the same finding"
            yield Problem(document.path, line, message)
        seen.add(what)


def _implementation(document: documents.Document, path: Path) -> Implementation:
    content: Mapping[str, Any] = document.value
    spelled = dialect.of(document)
    implied = {dialect.GROUP_OBJECTS} if spelled and spelled.group else set()
    return Implementation(
        name=content["name"],
        version=content["version"],
        organisation=content["organisation"],
        profiles=tuple(content["profiles"]),
        capabilities=frozenset(content.get("capabilities", ())) | implied,
        processes=_processes(content, path.parent),
        control_plane=_control_plane(content.get("control_plane", {}), path.parent),
        isolation=content.get("isolation", "view"),
        dialect=spelled,
        managed_by=content.get("managed_by"),
        implements=content.get("implements", NEWEST),
        time_scale=float(content.get("time_scale", 1.0)),
        longest_backoff_s=float(content.get("longest_backoff_s", 30.0)),
        deviations=tuple(
            Deviation(**{**row, "expires": date.fromisoformat(row["expires"])})
            for row in content.get("deviations", ())
        ),
        descriptor=path,
    )


def _processes(content: Mapping[str, Any], folder: Path) -> tuple[ProcessSpec, ...]:
    """What is started; ``start`` is short for one process with the name of the implementation."""
    if "start" in content:
        alone = {"name": content["name"], **content["start"], "binary": content.get("binary", {})}
        return (_process(alone, "start", folder),)
    rows = content.get("processes", ())
    return tuple(_process(row, f"processes[{row['name']}]", folder) for row in rows)


def _process(content: Mapping[str, Any], place: str, folder: Path) -> ProcessSpec:
    ready = content.get("ready", {})
    default = Ready()
    watches = ready.get("watches", () if "listens" in ready else default.watches)
    return ProcessSpec(
        name=content.get("name", ""),
        place=place,
        argv=tuple(content["argv"]),
        env=MappingProxyType(dict(content.get("env", {}))),
        binary=_binary(content.get("binary", {}), folder),
        files=MappingProxyType(dict(content.get("files", {}))),
        supporting=content.get("supporting", False),
        ready=Ready(
            watches=tuple(watches),
            listens=ready.get("listens", ""),
            within_s=float(ready.get("within_s", default.within_s)),
        ),
    )


def _control_plane(content: Mapping[str, Any], folder: Path) -> ControlPlaneNeeds:
    return ControlPlaneNeeds(
        kubernetes=content.get("kubernetes", ""),
        api_server_flags=tuple(content.get("api_server_flags", ())),
        crds=tuple(
            ModuleFiles(given["module"], tuple(given["files"]))
            if isinstance(given, dict)
            else _crd_file(given, folder)
            for given in content.get("crds", ())
        ),
        objects=tuple(content.get("objects", ())),
        served_as=MappingProxyType(dict(content.get("served_as", {}))),
    )


def _crd_file(given: str, folder: Path) -> Path:
    """A vendor's own file lies beside the descriptor; else it is one of the suite's."""
    own = (folder / Path(given).expanduser()).absolute()
    return own if own.is_file() else suite.fixtures() / given


def _binary(content: Mapping[str, Any], folder: Path) -> Path | GoProgram | None:
    if "go" in content:
        return GoProgram(content["go"]["module"], content["go"]["package"])
    if "path" in content:
        return (folder / Path(content["path"]).expanduser()).absolute()
    return None
