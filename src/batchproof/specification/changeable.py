"""Changeable fields: what a user or another client may change while an object exists.

Whatever is judged by such a field is judged by what was stored, and could be seen, at the time. The unit
tests judge every example of a fact and of an invariant again with a later value of each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from batchproof.ground import documents
from batchproof.ground.documents import Problem, near
from batchproof.ground.resources import Resource, parse_resource
from batchproof.specification.findings import LintFinding, invalid
from batchproof.specification.gherkin import Scenario
from batchproof.specification.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

CHANGEABLE = "changeable.yaml"
"""The file in the folder of features that has them."""


@dataclass(frozen=True, slots=True)
class ChangeableField:
    """A field that may change.

    Attributes:
        profile: the profile.
        of: the resources whose objects have it; empty: the harness notes it when a user asks for it.
        asked: of what the harness notes it: ``gang`` or ``queue``; empty where objects have it.
        path: where it stands; ``*`` stands for each element.
        values: values that it may have.
        scenarios: the ids of scenarios in which it changes.
        open: what no scenario changes yet; empty if nothing.
        made: the implementation writes it as well.
        line: where it stands in the file, from 1.
    """

    profile: str
    of: tuple[Resource, ...]
    asked: str
    path: tuple[str, ...]
    values: tuple[Any, ...] = field(hash=False)
    scenarios: tuple[str, ...]
    open: str
    made: bool
    line: int


@dataclass(frozen=True, slots=True)
class Changeable:
    """The fields that may change, and the facts that follow them.

    Attributes:
        fields: the fields, in the order of the file.
        facts_of_now: the facts that follow a later value rightly, by name, each with the reason.
    """

    fields: tuple[ChangeableField, ...]
    facts_of_now: Mapping[str, str]


def read_changeable(path: Path) -> tuple[Changeable, list[Problem]]:
    """The changeable fields, and what is wrong with their file; none where there is no file."""
    if not path.is_file():
        return Changeable((), {}), []
    document = documents.read(path, "changeable")
    if document.problems:
        return Changeable((), {}), list(document.problems)
    fields = tuple(
        ChangeableField(
            profile,
            tuple(map(parse_resource, row.get("of", ()))),
            row.get("asked", ""),
            tuple(row["field"].split(".")),
            tuple(row["values"]),
            tuple(row.get("scenarios", ())),
            row.get("open", ""),
            row.get("made", False),
            document.line("fields", profile, place),
        )
        for profile, rows in document.value["fields"].items()
        for place, row in enumerate(rows)
    )
    return Changeable(fields, document.value["facts-of-now"]), []


def of_changeable(path: Path, registry: Registry, scenarios: Iterable[Scenario]) -> Iterator[LintFinding]:
    """What is wrong with the changeable fields: profiles and scenarios that there are not.

    Args:
        path: the file that has them.
        registry: the requirements.
        scenarios: all scenarios of the suite.
    """
    changeable, problems = read_changeable(path)
    yield from invalid("changeable-invalid", problems)
    known = {id_ for one in scenarios for id_ in (one.id, *(case.id for case in one.cases))}
    profiles = {it.profile for it in registry.values()}
    for one in changeable.fields:
        if one.profile not in profiles:
            message = f"there is no profile {one.profile}{near(one.profile, profiles)}"
            yield LintFinding(path, one.line, "changeable-invalid", message)
        for id_ in one.scenarios:
            requirement = registry.get(id_.partition(".")[0])
            if id_ not in known or requirement is None:
                message = f"there is no scenario {id_}{near(id_, known)}"
                yield LintFinding(path, one.line, "changeable-invalid", message)
            elif requirement.profile != one.profile:
                message = f"{id_} is a scenario of the profile {requirement.profile}"
                yield LintFinding(path, one.line, "changeable-invalid", message)
