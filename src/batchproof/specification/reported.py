"""Reported inputs: what users reported of real implementations, and which scenarios have the same input.

``features/reported.yaml`` names the reports and the scenarios alone. All else follows from the ids: the
requirements, the mutants that their scenarios kill, and the versions that are known to fail them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground import documents
from batchproof.ground.documents import Problem, near
from batchproof.specification.findings import LintFinding, invalid
from batchproof.specification.gherkin import Scenario
from batchproof.specification.mutants import Mutant
from batchproof.specification.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

REPORTED = "reported.yaml"
"""The file in the folder of features that has them."""


@dataclass(frozen=True, slots=True)
class ReportedInput:
    """What users reported of implementations of a profile.

    Attributes:
        profile: the profile.
        reports: where it was reported: ``owner/repository#number``, or an address.
        what: what happened, in one sentence.
        scenarios: the ids of the scenarios, or cases, that have this input.
        open: what of it no scenario has yet; empty if nothing.
        left_out: why no scenario will have it; empty if one has.
        line: where it stands in the file, from 1.
    """

    profile: str
    reports: tuple[str, ...]
    what: str
    scenarios: tuple[str, ...]
    open: str
    left_out: str
    line: int

    @property
    def requirements(self) -> tuple[str, ...]:
        """The ids of the requirements of its scenarios, each once."""
        return tuple(dict.fromkeys(id_.partition(".")[0] for id_ in self.scenarios))


def load_reported(features: Path) -> list[ReportedInput]:
    """The reported inputs of a suite.

    Raises:
        UserError: the file cannot be read as what it is.
    """
    reported, problems = read_reported(features / REPORTED)
    documents.refuse(problems)
    return reported


def read_reported(path: Path) -> tuple[list[ReportedInput], list[Problem]]:
    """The reported inputs, and what is wrong with their file; none where there is no file."""
    if not path.is_file():
        return [], []
    document = documents.read(path, "reported")
    if document.problems:
        return [], list(document.problems)
    reported = [
        ReportedInput(
            profile,
            tuple(row.get("reports", ())),
            row["what"],
            tuple(row.get("scenarios", ())),
            row.get("open", ""),
            row.get("left-out", ""),
            document.line(profile, place),
        )
        for profile, rows in document.value.items()
        for place, row in enumerate(rows)
    ]
    return reported, []


def of_reported(
    path: Path, registry: Registry, scenarios: Iterable[Scenario], mutants: Iterable[Mutant]
) -> Iterator[LintFinding]:
    """What is wrong with the reported inputs: scenarios that there are not, or that nothing shows to fail.

    Args:
        path: the file that has them.
        registry: the requirements.
        scenarios: all scenarios of the suite.
        mutants: all mutants of the suite.
    """
    reported, problems = read_reported(path)
    yield from invalid("reported-invalid", problems)
    known = {id_ for one in scenarios for id_ in (one.id, *(case.id for case in one.cases))}
    proven = {one.requirement for one in mutants} | {it.id for it in registry.values() if it.proven_by}
    told: dict[str, int] = {}
    for one in reported:
        for message in _wrong(one, registry, known, proven):
            yield LintFinding(path, one.line, "reported-invalid", message)
        if first := told.get(one.what):
            yield LintFinding(path, one.line, "reported-invalid", f"line {first} says the same: {one.what}")
        told.setdefault(one.what, one.line)


def _wrong(
    one: ReportedInput, registry: Registry, known: Collection[str], proven: Collection[str]
) -> Iterator[str]:
    """What is wrong with one of them."""
    profiles = {it.profile for it in registry.values()}
    if one.profile not in profiles:
        yield f"there is no profile {one.profile}{near(one.profile, profiles)}"
    if one.left_out and one.scenarios:
        yield f"it is left out, and has scenarios: {', '.join(one.scenarios)}"
    for id_ in one.scenarios:
        requirement = registry.get(id_.partition(".")[0])
        if id_ not in known or requirement is None:
            yield f"there is no scenario {id_}{near(id_, known)}"
        elif requirement.profile != one.profile:
            yield f"{id_} is a scenario of the profile {requirement.profile}"
        elif requirement.id not in proven:
            yield f"{requirement.id} has no mutant, and no `proven_by` says why {id_} can fail"


def failing(ids: Collection[str], deviations: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The implementations that are known to fail one of these scenarios, each with the ids of what fails.

    Args:
        ids: of scenarios, or of cases of them.
        deviations: the ids of the scenarios or cases that an implementation is known to fail, by its name.
    """
    found = {name: tuple(id_ for id_ in known if _within(id_, ids)) for name, known in deviations.items()}
    return {name: failed for name, failed in found.items() if failed}


def _within(id_: str, ids: Collection[str]) -> bool:
    """Whether it is one of these scenarios, or a case of one."""
    return id_ in ids or id_.rstrip("abcdefghijklmnopqrstuvwxyz") in ids
