"""Descriptors: what is under test, how to start it, and what it declares.

A descriptor is one YAML file (``reports/schemas/implementation.schema.json``). The bundled ones have names;
a vendor's is named by its path.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from batchproof.descriptor import deviations, dialect, extending
from batchproof.descriptor.dialect import Dialect
from batchproof.descriptor.launch import CA_BUNDLE, ProcessSpec, filled
from batchproof.descriptor.managed_by import managed_by
from batchproof.descriptor.needs import ControlPlaneNeeds, control_plane
from batchproof.descriptor.reading import Reading
from batchproof.descriptor.started import election, processes
from batchproof.ground import documents, suite
from batchproof.ground.documents import Problem, near
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping


LEADER_ELECTION = "LeaderElection"
"""The capability of an implementation whose descriptor says how replicas are started that elect a leader."""
MANAGED_BY = "ManagedBy"
"""The capability of a controller that handles only Jobs that name it in ``spec.managedBy``."""
DECLARED_BY = {LEADER_ELECTION: "election", MANAGED_BY: "managed_by"}
"""Capabilities that a field of the descriptor declares."""
USUAL_BACKOFF_S = 30.0
"""The longest time before another try, of an implementation that does not say it."""
NEWEST = "1.37"
"""The version of the Kubernetes API that the suite is written for."""
OF_THE_CLUSTER = "{kubernetes}"
"""Stands for the version of the API server, in a descriptor of what comes with it."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """What the implementation is known to do otherwise: a waiver of one finding in one scenario, with an end.

    Attributes:
        requirement: the id of the requirement that is not met.
        scenario: the id of the scenario that finds it.
        fact: the name of the fact or of the invariant that is broken there.
        values: the values that are observed instead, by name, in one of these ways; see ``matching``.
        reason: what the implementation does instead.
        expires: the last day on which the waiver counts.
        issue: the address of the public issue; empty if there is none.
        sometimes: it is intermittent: that the scenario passes does not fail the run.
        arguments: what the fact is asked for; those that are not named do not matter.
    """

    requirement: str
    scenario: str
    fact: str
    values: tuple[Mapping[str, Any], ...]
    reason: str
    expires: date
    issue: str = ""
    sometimes: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def expired(self, today: date) -> bool:
        """Whether the waiver no longer counts on that day."""
        return today > self.expires


@dataclass(frozen=True, slots=True)
class Implementation:
    """What is under test.

    Attributes:
        name: how it stands in reports.
        version: the version that is judged.
        organisation: the organisation that makes it.
        profiles: what it claims to be.
        capabilities: the optional parts that it has.
        processes: what is started for each instance, in this order; none if it is installed already.
        election: how each of several replicas is started that elect a leader; None if they cannot.
        control_plane: what it needs of the API server.
        configuration: in what it is configured otherwise than its release, in a sentence; empty: in nothing.
        isolation: whether instances share an API server through views or have one each.
        dialect: how gangs are spelled for it; None if it schedules none.
        managed_by: ``spec.managedBy`` of the Jobs that it handles; None: those that name none.
        finalizer: by which it tracks the pods of its Jobs.
        implements: the version of the Kubernetes API that it follows, such as ``1.30``.
        time_scale: the factor of all deadlines.
        longest_backoff_s: the longest time that it waits before it retries what it could not do.
        deviations: what it is known to do otherwise.
        descriptor: the file that says so.
        base: the file of the descriptor that it extends, if it extends one.
        text: what it says, with what it inherits: a descriptor that stands alone.
    """

    name: str
    version: str
    organisation: str
    profiles: tuple[str, ...]
    capabilities: frozenset[str]
    processes: tuple[ProcessSpec, ...]
    election: ProcessSpec | None
    control_plane: ControlPlaneNeeds
    configuration: str
    isolation: Literal["view", "control-plane"]
    dialect: Dialect | None
    managed_by: str | None
    finalizer: str
    implements: str
    time_scale: float
    longest_backoff_s: float
    deviations: tuple[Deviation, ...]
    descriptor: Path
    base: Path | None
    text: str

    @property
    def installed(self) -> bool:
        """It runs in the cluster already and is judged in place: its requests pass by no proxy of ours."""
        return not self.processes

    @property
    def full_name(self) -> str:
        """Name and version; the name alone as long as the version is that of a cluster not yet known."""
        return self.name if self.version == OF_THE_CLUSTER else f"{self.name} {self.version}"

    def on(self, kubernetes: str) -> Implementation:
        """The implementation on an API server of that version, which may be its own version too."""
        if self.version != OF_THE_CLUSTER:
            return self
        return replace(self, version=kubernetes, implements=".".join(kubernetes.split(".")[:2]))

    @property
    def ports(self) -> frozenset[str]:
        """The names of the ports that an instance uses."""
        started = (*self.processes, *([self.election] if self.election else ()))
        return frozenset().union(*(process.ports for process in started))

    def declares(self, capability: str | None) -> bool:
        """Whether a requirement that needs this capability (None: none) applies."""
        return capability is None or capability in self.capabilities

    def in_force(self, today: date) -> tuple[Deviation, ...]:
        """The deviations that count on that day."""
        return tuple(one for one in self.deviations if not one.expired(today))


def bundled() -> dict[str, Path]:
    """The descriptors of the suite by name."""
    return {path.stem: path for path in sorted((suite.fixtures() / "implementations").glob("*.yaml"))}


def is_path(name_or_path: str) -> bool:
    """Whether a user means a file: anything with a slash or the ending ``.yaml`` or ``.yml``."""
    return "/" in name_or_path or name_or_path.endswith((".yaml", ".yml"))


def document_of(path: Path) -> documents.Document:
    """A descriptor, with what it inherits of the one that it extends.

    Raises:
        UserError: a file cannot be read.
    """
    return extending.whole(path, bundled())


def base_of(path: Path) -> list[Path]:
    """The file that a descriptor extends, even if that cannot be read; none if it extends none."""
    try:
        base = extending.base_of(documents.composed(path), bundled())
    except UserError:
        return []
    return [base] if base else []


def find(name_or_path: str) -> Path:
    """The descriptor that a user means: a bundled one by its name, any other by its path.

    Raises:
        UserError: there is none of that name, or no such file.
    """
    if is_path(name_or_path):
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
    implementation, problems = _read(document_of(path), path)
    return (None if problems else implementation), problems


def check_usable(text: str, path: Path) -> None:
    """See that a text is a descriptor that can be used, before it is written to a file.

    Raises:
        UserError: it is none; the message names all that is wrong.
    """
    documents.refuse(problems_of(documents.parsed(text, path, "implementation")))


def problems_of(document: documents.Document) -> list[Problem]:
    """All that is wrong with a descriptor, by its lines: one part that is wrong hides no other."""
    return _read(document, document.path)[1]


def of_text(text: str, name: str) -> Implementation:
    """The implementation that a descriptor describes which a run carries, wherever its files are now.

    Raises:
        UserError: it is none.
    """
    implementation, problems = _read(documents.parsed(text, Path(name), "implementation"), Path(name))
    if implementation is None:
        documents.refuse(problems)
        raise UserError(f"{name}: is not a descriptor")
    return implementation


def objects(implementation: Implementation, ports: Mapping[str, int], *, ca_bundle: str = "") -> list[Any]:
    """The objects that must exist before an instance with these ports, and this authority, starts."""
    values = {CA_BUNDLE: ca_bundle}

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: fill(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [fill(inner) for inner in value]
        return filled(value, values, ports) if isinstance(value, str) else value

    return [fill(each) for each in implementation.control_plane.objects]


def _read(document: documents.Document, path: Path) -> tuple[Implementation | None, list[Problem]]:
    """What a descriptor describes, if its schema and its dialect are kept, and all that is wrong with it."""
    problems = deviations.in_the_new_form(document)
    if not isinstance(document.value, dict):
        return None, problems
    reading = Reading(document)
    if not_alone := (key := extending.EXTENDS) in reading.content:
        reading.wrong(f"{key}: the descriptor that a run carries must stand alone", key)
    spelled = dialect.read(reading)
    started = processes(reading)
    elected = election(reading)
    needs = control_plane(reading, started)
    manager, finalizer = managed_by(reading)
    if reading.usable("profiles", "dialect"):
        _see_profile(reading)
    waived = _waived(reading)
    everything = sorted([*problems, *reading.problems])
    if problems or not_alone or waived is None or (spelled is None and "dialect" in reading.content):
        return None, everything
    content: Mapping[str, Any] = reading.content
    return Implementation(
        name=content["name"],
        version=content["version"],
        organisation=content["organisation"],
        profiles=tuple(content["profiles"]),
        capabilities=frozenset(content.get("capabilities", ())) | _implied(content, spelled),
        processes=started,
        election=elected,
        control_plane=needs,
        configuration=content.get("configuration", ""),
        isolation=content.get("isolation", "view"),
        dialect=spelled,
        managed_by=manager,
        finalizer=finalizer,
        implements=content.get("implements", NEWEST),
        time_scale=float(content.get("time_scale", 1.0)),
        longest_backoff_s=float(content.get("longest_backoff_s", USUAL_BACKOFF_S)),
        deviations=waived,
        descriptor=path,
        base=document.base,
        text=document.text,
    ), everything


def _implied(content: Mapping[str, Any], spelled: Dialect | None) -> set[str]:
    """The capabilities that other parts of a descriptor imply."""
    implied = set(spelled.implied) if spelled else set()
    return implied | {capability for capability, field in DECLARED_BY.items() if field in content}


def _waived(reading: Reading) -> tuple[Deviation, ...] | None:
    """The deviations; None if they cannot be used, or one has no date."""
    if not reading.usable("deviations"):
        return None
    reading.take(deviations.problems(reading.document, datetime.now(UTC).date()))
    try:
        return tuple(map(_deviation, reading.content.get("deviations", ())))
    except ValueError:  # no date: that is among the problems
        return None


def _see_profile(reading: Reading) -> None:
    if "gang" in reading.content["profiles"] and "dialect" not in reading.content:
        message = "the profile gang needs a 'dialect': how gangs are expressed (docs/how-to/dialect.md)"
        reading.wrong(message, "profiles")


def stated_deviations(document: documents.Document) -> list[tuple[int, Deviation]]:
    """The deviations of a descriptor, each with its line, even if another part is wrong; else none."""
    value, today = document.value, datetime.now(UTC).date()
    if not isinstance(value, dict) or "deviations" in document.spoiled:
        return []
    if any(deviations.problems(document, today)):
        return []
    return [
        (document.line("deviations", position), _deviation(row))
        for position, row in enumerate(value.get("deviations", ()))
    ]


def _deviation(row: Mapping[str, Any]) -> Deviation:
    told = {key: row[key] for key in row if key in Deviation.__dataclass_fields__}
    ways = deviations.ways(row["values"])
    return Deviation(**{**told, "values": ways, "expires": date.fromisoformat(row["expires"])})
