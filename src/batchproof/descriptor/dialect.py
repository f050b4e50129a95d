"""Dialects: how the users of a gang scheduler spell a gang, its minimum, its queue and its members.

A dialect is data (``reports/schemas/dialect.schema.json``): a file in ``fixtures/dialects/``, or inline in a
vendor's descriptor. No scenario knows of any: they speak of gangs, and the dialect makes objects of it.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from batchproof.descriptor.reading import Reading
from batchproof.ground import documents, suite
from batchproof.ground.documents import Document, Problem, at, near
from batchproof.ground.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_PLACEHOLDER = re.compile(r"\{([A-Za-z]+)(?:\|([^{}|]*))?\}")
"""The name of a value, and what stands for it where there is none."""
_OF_A_GANG = ("group", "minimum", "queue", "priorityClass", "cpus", "task", "namespace")
_PLACES = {
    ("group", "body"): ("minimum", "queue", "priorityClass", "leastCpus", "tasks"),
    ("member",): _OF_A_GANG,
    ("single",): ("", "pod", "cpus", "namespace"),
    ("queue", "body"): ("weight", "namespace", "capability", "guarantee", "reclaimable"),
    ("job",): ("minimum",),
    ("loose",): ("", "queue", "priorityClass"),
    ("domain",): ("label",),
    ("tree", "body"): ("minimum", "parent"),
    ("tree", "child"): ("parent",),
    ("setting",): ("", "namespace", "cpus", "memory", "pods", "devices"),
}
"""The templates of a dialect with the placeholders that each may have; it must have the first, if named."""
_TEXTS = {"annotations", "labels"}
"""Where the API takes nothing but text."""
_PARTS = {
    "Queues": "queue",
    "GangJobs": "job",
    "GroupCounts": "counts",
    "GroupPhases": "phases",
    "LooseGroups": "loose",
    "TopologyConstraint": "domain",
    "GangTrees": "tree",
}
"""Capabilities with the part of a dialect that each needs."""
_OF_GROUPS = {"job": "a gang Job", "loose": "a group without a minimum", "tree": "a group of groups"}
"""Parts of a dialect that mean nothing where there is no object for a gang."""
GROUP_OBJECTS = "GroupObjects"
"""The capability of every implementation whose dialect has an object for a gang."""
SURPLUS_PODS = "SurplusPods"
"""The capability of every implementation in whose dialect a gang may have more pods than its minimum."""
_USUAL_LIST = ["status", "conditions"]


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a kind of object is spelled.

    Attributes:
        resource: what it is to the API.
        kind: its kind.
        body: the template of what is beside apiVersion, kind and metadata.
        namespaced: it lies in a namespace.
    """

    resource: Resource
    kind: str
    body: Mapping[str, Any]
    namespaced: bool = True

    def object(self, metadata: Mapping[str, Any], **values: Any) -> dict[str, Any]:
        """The object with these values in its template."""
        body = filled(self.body, values)
        own = {**body.pop("metadata", {}), **metadata}
        return {"apiVersion": self.resource.api_version, "kind": self.kind, "metadata": own, **body}


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """An object that every scenario has, whatever it is about.

    Attributes:
        spelling: how it is spelled.
        name: the template of its name.
    """

    spelling: Spelling
    name: str

    def object(self, labels: Mapping[str, str], **values: str) -> dict[str, Any]:
        """The object with these labels, and these values in its template."""
        name: str = filled(self.name, values)
        return self.spelling.object({"name": name, "labels": dict(labels)}, **values)


@dataclass(frozen=True, slots=True)
class Sign:
    """How an implementation reports that a gang cannot be scheduled.

    Attributes:
        of: whose status: ``group`` (or what is ``made`` for the gang), or ``pod``.
        condition: the type of a condition; empty where it is reported at a place.
        values: the status of that condition, or the values at that place, that report it.
        path: the place; empty where it is a condition.
        conditions: the place of the list of conditions.
    """

    of: str
    condition: str
    values: tuple[str, ...]
    path: tuple[str, ...]
    conditions: tuple[str, ...] = tuple(_USUAL_LIST)


@dataclass(frozen=True, slots=True)
class Tree:
    """How a group whose parts are groups is spelled.

    Attributes:
        spelling: its object.
        child: the template that says of a group that it is a part of one.
    """

    spelling: Spelling
    child: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Phases:
    """Where the status of a group says how far its gang is.

    Attributes:
        path: at which place, key by key.
        values: what stands there of a gang that is ``waiting``, ``running``, ``succeeded``, ``failed``.
    """

    path: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Minimum:
    """Where the minimum of a gang stands, to be read back.

    Attributes:
        of: in what: ``group`` or ``pod``, each pod of the gang.
        path: at which place of it, key by key.
        text: what stands there is a text with the minimum in it, not the number.
    """

    of: str
    path: tuple[str, ...]
    text: bool = False

    @property
    def place(self) -> str:
        """The place in one word, for messages."""
        return ".".join(self.path)

    def of_object(self, thing: Mapping[str, Any]) -> Any:
        """What stands there; None if nothing does."""
        return at(self.path, thing)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How gangs are spelled.

    Attributes:
        name: its name.
        scheduler: ``spec.schedulerName`` of the pods.
        group: the object that makes pods a gang; None if the pods alone do.
        minimum: where the minimum stands.
        member: the template that makes a pod a member.
        single: the template that a pod outside of all gangs needs.
        placeholders: the metadata (``labels``, ``annotations``) of pods that only hold room for a gang.
        gates: the scheduling gates that the implementation itself sets on pods and removes.
        queue: the object that is a queue; None if there are none.
        setting: what every scenario has: made before its first node or pod, and changed when a node joins.
        made: what the implementation makes for each gang, under its name; None if it makes nothing.
        exact: a gang has just as many pods as its minimum says.
        job: the template that makes the pods of a Job a gang; None if there are no gang Jobs.
        whole: the template that says of a group that its pods are evicted only together; empty if all are.
        loose: a group without a minimum; None if each has one.
        domain: the template that says of a group that its pods belong into one domain of a node label.
        tree: a group whose parts are groups; None if there are none.
        counts: where the status of a group says how many of its pods run, have succeeded, have failed.
        phases: where it says how far the gang is; None if nowhere.
        unschedulable: any of these reports that a gang cannot be scheduled.
    """

    name: str
    scheduler: str
    group: Spelling | None
    minimum: Minimum
    member: Mapping[str, Any]
    single: Mapping[str, Any]
    placeholders: Mapping[str, Any]
    gates: tuple[str, ...]
    queue: Spelling | None
    setting: tuple[SettingSpec, ...]
    made: Resource | None
    exact: bool
    job: Mapping[str, Any] | None
    whole: Mapping[str, Any]
    loose: Spelling | None
    domain: Mapping[str, Any]
    tree: Tree | None
    counts: Mapping[str, tuple[str, ...]]
    phases: Phases | None
    unschedulable: tuple[Sign, ...]

    @property
    def counting(self) -> dict[str, Any]:
        """Where the status of a group counts its pods, as data: ``resource`` and ``counts``."""
        return {"resource": str(self.group.resource) if self.group else "", "counts": dict(self.counts)}

    @property
    def phasing(self) -> dict[str, Any]:
        """Where the status of a group says how far its gang is, as data; empty if it says so nowhere."""
        if self.group is None or self.phases is None:
            return {}
        place, values = list(self.phases.path), dict(self.phases.values)
        return {"resource": str(self.group.resource), "path": place, "phases": values}

    @property
    def reporting(self) -> dict[str, Any]:
        """By which signs a gang is reported as not schedulable, as data: ``resource`` and ``signs``."""
        signs = [asdict(sign) for sign in self.unschedulable]
        return {"resource": str(self.status_resource or ""), "signs": signs}

    @property
    def status_resource(self) -> Resource | None:
        """The objects that describe gangs: their groups, or else what the implementation makes for them."""
        return self.group.resource if self.group else self.made

    @property
    def implied(self) -> frozenset[str]:
        """The capabilities of each implementation that speaks it."""
        found = {GROUP_OBJECTS} if self.group else set[str]()
        return frozenset(found if self.exact else {*found, SURPLUS_PODS})

    def outside(self, body: Mapping[str, Any], **values: Any) -> dict[str, Any]:
        """A pod outside of all gangs, expressed so that its scheduler places it.

        Args:
            body: the pod.
            values: of the placeholders: ``pod``, ``cpus``, ``namespace``.
        """
        return merged(body, filled(self.single, values))


def bundled() -> dict[str, Path]:
    """The dialects of the suite by name."""
    return {path.stem: path for path in sorted((suite.fixtures() / "dialects").glob("*.yaml"))}


def read(reading: Reading) -> Dialect | None:
    """The dialect of a descriptor; None if it has none, or none that can be used."""
    match reading.part("dialect", None):
        case None:
            return None
        case str() as name if name in (known := bundled()):
            own = documents.read(known[name], "dialect")
            value, wrong = own.value, reading.take(check(own))
        case str() as name:
            hint = near(name, bundled())
            message = f"dialect: none is called {name!r}{hint} (bundled: {', '.join(bundled())}, or inline)"
            reading.wrong(message, "dialect")
            return None
        case value:
            wrong = reading.take(check(reading.document, "dialect"))
    for capability in reading.part("capabilities", ()):
        if (part := _PARTS.get(capability)) and part not in value:
            message = (
                f"capabilities: {capability} needs {part!r} in the dialect, which says how it is expressed"
            )
            reading.wrong(message, "capabilities")
    return None if wrong else _dialect(value)


def check(document: Document, *place: str) -> Iterator[Problem]:
    """What is wrong with the dialect that stands at a place of a document."""
    wrong = [*document.problems] if not place else [*documents.check(document, place, "dialect")]
    if wrong:
        yield from wrong
        return
    value = document.value
    for step in place:
        value = value[step]
    for template, names in _PLACES.items():
        if template[0] in value:
            yield from _placeholders(document, value, place, template, names)
    yield from _read_back(document, value, place)
    yield from _told_by(document, value, place)
    for part, what in _OF_GROUPS.items():
        if part in value and "group" not in value:
            where = ".".join((*place, part))
            yield Problem(document.path, document.line(*place, part), f"{where}: {what} needs a 'group'")


def _told_by(document: Document, value: Any, place: tuple[str, ...]) -> Iterator[Problem]:
    """One object describes a gang: its group, or what is made for it."""
    part, message = "", ""
    if "made" in value and "group" in value:
        part, message = "made", "leave it out: the 'group' of a gang has its name already"
    elif not value.keys() & {"group", "made"}:
        signs = value.get("unschedulable", ())
        if any(sign["of"] == "group" for sign in signs):
            part, message = "unschedulable", "there is no 'group' that could report it, and nothing is 'made'"
    if part:
        where = ".".join((*place, part))
        yield Problem(document.path, document.line(*place, part), f"{where}: {message}")


def _read_back(document: Document, value: Any, place: tuple[str, ...]) -> Iterator[Problem]:
    """The minimum must stand where it is read back."""
    minimum = _minimum(value)
    spelled = ("minimum",) if "minimum" in value else ("group", "minimum")
    where = ".".join((*place, *spelled))
    if minimum.of == "group" and "group" not in value:
        line = document.line(*place, *spelled)
        yield Problem(document.path, line, f"{where}: there is no 'group' to read it from")
        return
    template, name = (
        (value["group"]["body"], "group.body") if minimum.of == "group" else (value["member"], "member")
    )
    stands = minimum.of_object(template)
    there = isinstance(stands, str) and ("{minimum}" in stands if minimum.text else stands == "{minimum}")
    if not there:
        message = f"{where}: {minimum.place} is read back, so {{minimum}} must stand there in {name}"
        yield Problem(document.path, document.line(*place, *spelled), message)


def _placeholders(
    document: Document, value: Any, place: tuple[str, ...], template: tuple[str, ...], known: tuple[str, ...]
) -> Iterator[Problem]:
    for step in template:
        value = value[step]
    found = set(_names(value))
    unknown = sorted(found - {*known})
    missing = known[0] if known[0] not in found else ""
    if not unknown and not missing:
        return
    where, line = ".".join((*place, *template)), document.line(*place, *template)
    for name in unknown:
        placeholders = ", ".join(f"{{{one}}}" for one in known if one)
        message = f"{where}: unknown placeholder {{{name}}}{near(name, known)} (known: {placeholders})"
        yield Problem(document.path, line, message)
    if missing:
        yield Problem(document.path, line, f"{where}: the placeholder {{{missing}}} is missing")


def _names(template: Any) -> Iterator[str]:
    match template:
        case dict():
            for value in template.values():
                yield from _names(value)
        case list():
            for value in template:
                yield from _names(value)
        case str():
            yield from (found[1] for found in _PLACEHOLDER.finditer(template))
        case _:
            pass


def filled(template: Any, values: Mapping[str, Any]) -> Any:
    """A template with values for its placeholders; what is not there (None) leaves out its key or item.

    A mapping of which nothing is left is left out too: an empty one may say something else than none.

    ``{queue|root.default}`` says what stands for a value that is not there. A text that is one placeholder
    becomes the value itself, so that a number stays a number; but below ``annotations`` and ``labels`` it
    becomes text.
    """
    return {} if (found := _filled(template, values)) is None and isinstance(template, dict) else found


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    match template:
        case dict():
            texts = {name: None if value is None else str(value) for name, value in values.items()}
            pairs = {
                key: _filled(value, texts if key in _TEXTS else values) for key, value in template.items()
            }
            kept = {key: value for key, value in pairs.items() if value is not None}
            return kept if kept or not template else None
        case list():
            items = [_filled(value, values) for value in template]
            return [item for item in items if item is not None]
        case str() if whole := _PLACEHOLDER.fullmatch(template):
            return _value(whole, values)
        case str() if any(_value(found, values) is None for found in _PLACEHOLDER.finditer(template)):
            return None
        case str():
            return _PLACEHOLDER.sub(lambda found: str(_value(found, values)), template)
        case _:
            return template


def _value(found: re.Match[str], values: Mapping[str, Any]) -> Any:
    """The value of a placeholder, or what stands for it."""
    value = values.get(found[1])
    return found[2] if value is None else value


def merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two objects as one: mappings are merged, lists are joined, else the other decides."""
    result = dict(one)
    for key, value in other.items():
        match (result.get(key), value):
            case (dict() as mine, dict() as theirs):
                result[key] = merged(mine, theirs)
            case (list() as mine, list() as theirs):
                result[key] = [*mine, *theirs]
            case _:
                result[key] = value
    return result


def _dialect(content: Mapping[str, Any]) -> Dialect:
    signs = content.get("unschedulable", [{"of": "pod", "condition": "PodScheduled", "status": "False"}])
    return Dialect(
        name=content["name"],
        scheduler=content["scheduler"],
        group=_spelling(content["group"]) if "group" in content else None,
        minimum=_minimum(content),
        member=content["member"],
        single=content.get("single", {}),
        placeholders=content.get("placeholders", {}),
        gates=tuple(content.get("gates", ())),
        queue=_spelling(content["queue"]) if "queue" in content else None,
        setting=tuple(SettingSpec(_spelling(one), one["name"]) for one in content.get("setting", ())),
        made=Resource.of(content["made"]["apiVersion"], content["made"]["resource"])
        if "made" in content
        else None,
        exact=content.get("exact", False),
        job=content.get("job"),
        whole=content.get("whole", {}),
        loose=_spelling({**content["group"], "body": content["loose"]}) if "loose" in content else None,
        domain=content.get("domain", {}),
        tree=Tree(_spelling(tree), tree["child"]) if (tree := content.get("tree")) else None,
        counts={phase: _keys(place) for phase, place in content.get("counts", {}).items()},
        phases=_phases(content["phases"]) if "phases" in content else None,
        unschedulable=tuple(_sign(one) for one in signs),
    )


def _minimum(content: Mapping[str, Any]) -> Minimum:
    match content.get("minimum"):
        case {"of": of, "path": path, **more}:
            return Minimum(of, _keys(path), text=more.get("as") == "text")
        case _:
            return Minimum("group", _keys(content["group"]["minimum"]))


def _keys(path: str | list[str]) -> tuple[str, ...]:
    """A place, key by key: a key with dots in it needs the list."""
    return tuple(path.split(".") if isinstance(path, str) else path)


def _spelling(content: Mapping[str, Any]) -> Spelling:
    resource = Resource.of(content["apiVersion"], content["resource"])
    return Spelling(resource, content["kind"], content["body"], content.get("namespaced", False))


def _phases(content: Mapping[str, Any]) -> Phases:
    values = {phase: tuple(words) for phase, words in content.items() if phase != "path"}
    return Phases(_keys(content["path"]), values)


def _sign(content: Mapping[str, Any]) -> Sign:
    if "path" in content:
        return Sign(content["of"], "", tuple(content["values"]), _keys(content["path"]))
    conditions = _keys(content.get("conditions", _USUAL_LIST))
    return Sign(content["of"], content["condition"], (content.get("status", "True"),), (), conditions)
