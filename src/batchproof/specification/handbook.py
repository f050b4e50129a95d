"""The handbook of a profile: one Markdown page with all that is to be known of each requirement.

It is made from the registry, the features, the mutants, the bundled descriptors and the kept runs alone, so
that it is the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.descriptor.implementation import Implementation
from batchproof.judgement.invariants import invariants
from batchproof.specification import gherkin
from batchproof.specification.gherkin import Scenario
from batchproof.specification.ids import PlannedId, area
from batchproof.specification.mutants import Mutant
from batchproof.specification.registry import Registry, Requirement
from batchproof.specification.runs import COLUMNS, KeptRun, Said, said
from batchproof.specification.vocabulary import defined_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

_OF_FAULTS = frozenset({"crash", "faults", "views"})
"""The modules of steps that disturb an implementation."""
_CLAIMS: Mapping[Said, str] = {
    "met": "Met by",
    "not met": "Not met by",
    "not met, known": "Not met, as the descriptor says, by",
    "met, not always": "Met, but not in every run, by",
    "not decided": "Not decided for",
    "not in force": "Not in force for",
    "not declared": "Not declared by",
    "not run": "Not run with",
}
"""How it begins what is said of some implementations."""
_INTRODUCTION = """\
Each requirement with its source, the scenarios that judge it, the faults that they inject, the mutants
that they must kill, and what runs of the bundled implementations have shown. *Not run* says that there is no
run of these scenarios as they are now. The [glossary](../glossary.md) defines the terms."""


@dataclass(frozen=True, slots=True)
class Handbook:
    """What the page of a profile is made of.

    Attributes:
        profile: its name.
        versions_of: whose versions say since when a requirement holds, such as ``Kubernetes``.
        requirements: its requirements.
        scenarios: the scenarios, also of others.
        steps: the modules of steps that the scenarios are written in.
        defects: the mutants, also those of other profiles.
        implementations: those that claim the profile.
        runs: the kept runs of these, by the names of their descriptors.
        keys: what judges each requirement now.
        planned: the ids that are taken without being registered, also those of other profiles.
    """

    profile: str
    versions_of: str
    requirements: Registry
    scenarios: Sequence[Scenario]
    steps: Sequence[ModuleType]
    defects: Sequence[Mutant]
    implementations: Sequence[Implementation]
    runs: Mapping[str, KeptRun]
    keys: Mapping[str, str]
    planned: PlannedId

    def to_markdown(self) -> str:
        """The page, with links that hold in ``docs/requirements``."""
        blocks = [
            f"# The requirements of the profile `{self.profile}`",
            f"<!-- Made by `batchproof requirements --markdown --profile {self.profile}`: do not edit. -->",
            _INTRODUCTION,
            *self._runs(),
            *(self._section(one) for one in self.requirements.values()),
            *self._not_registered(),
        ]
        return "\n\n".join(blocks) + "\n"

    def _runs(self) -> Iterator[str]:
        if not self.runs:
            return
        yield "## The runs"
        head = ("implementation", *COLUMNS)
        rows = [head, ("---",) * len(head), *((f"`{name}`", *one.cells) for name, one in self.runs.items())]
        yield "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def _not_registered(self) -> Iterator[str]:
        planned = self.planned.of_areas({area(id_) for id_ in self.requirements})
        if planned.not_judged:
            yield "## Not judged, and why"
            yield "\n".join(f"- {id_}: {why}" for id_, why in planned.not_judged.items())
        if planned.to_do:
            yield "## Still to do"
            yield "These ids are taken and not registered yet: " + ", ".join(planned.to_do) + "."

    def _section(self, one: Requirement) -> str:
        return "\n".join([f"## {one.id} ({one.level})", "", f"> {one.sentence}", "", *self._items(one)])

    def _items(self, one: Requirement) -> Iterator[str]:
        yield f"- Norm ({one.norm}): {one.source}"
        if one.see:
            yield f"- See also: {one.see}"
        until = f", until {self.versions_of} {one.until}" if one.until else ""
        yield f"- Since: {self.versions_of} {one.since}{until}"
        if one.capability:
            yield f"- Only with the capability `{one.capability}`"
        if one.notes:
            yield f"- Notes: {one.notes}"
        if one.id in invariants():
            yield "- Judged in the history of every scenario"
        for scenario in self.scenarios:
            if one.id in scenario.requirements:
                yield from self._scenario(scenario)
        for defect in self.defects:
            if defect.requirement == one.id:
                yield f"- Mutant `{defect.name}`: {defect.what}"
        if one.proven_by:
            yield f"- No mutant. {one.proven_by}"
        yield from self._met_by(one)

    def _scenario(self, scenario: Scenario) -> Iterator[str]:
        examples = f" ({len(scenario.cases)} examples)" if scenario.is_outline else ""
        name = scenario.name.replace("<", "&lt;")
        place = f"../../features/{scenario.feature}#L{scenario.line}"
        yield f"- Scenario {scenario.id} [{name}]({place}){examples}"
        if faults := "; ".join(self._faults(scenario)):
            yield f"  - faults: {faults.replace('<', '&lt;')}"

    def _faults(self, scenario: Scenario) -> Iterable[str]:
        """The steps that disturb the implementation, as they are written, each once."""
        first = replace(scenario, cases=scenario.cases[:1])  # the others differ in their values alone
        return dict.fromkeys(
            step.text
            for step, kind, text in gherkin.sentences(first)
            if _OF_FAULTS & defined_in(self.steps, kind, text)
        )

    def _met_by(self, one: Requirement) -> Iterator[str]:
        words: dict[str, list[str]] = {}
        for implementation in self.implementations:
            name = implementation.descriptor.stem
            claim = _CLAIMS[said(one, implementation, self.runs.get(name), self.keys)]
            words.setdefault(claim, []).append(f"`{name}`")
        yield from (f"- {claim}: {', '.join(names)}" for claim, names in sorted(words.items()))
