"""What a descriptor says, compared with the requirements, scenarios, facts and capabilities of the suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.descriptor import implementation
from batchproof.descriptor.implementation import Deviation
from batchproof.descriptor.launch import GoProgram, missing_program, no_program
from batchproof.descriptor.managed_by import RESERVED
from batchproof.ground.documents import Document, near
from batchproof.ground.resources import TRACKING_FINALIZER
from batchproof.judgement.facts import every
from batchproof.judgement.invariants import invariants, rule_names
from batchproof.specification.capabilities import capabilities
from batchproof.specification.findings import LintFinding, invalid
from batchproof.specification.gherkin import Scenario
from batchproof.specification.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date
    from pathlib import Path


def of_descriptor(
    path: Path, registry: Registry, scenarios: Iterable[Scenario], today: date
) -> list[LintFinding]:
    """Everything that is not right in a descriptor, compared with what it is judged by.

    One part that is wrong hides no other: all is found at once.
    """
    document = implementation.document_of(path)
    findings = list(invalid("descriptor-invalid", implementation.problems_of(document)))
    findings += unknown_capabilities(document, registry)
    described, _ = implementation.read(path)
    if described and described.managed_by and described.finalizer == TRACKING_FINALIZER:
        line = document.line("finalizer")
        findings.append(LintFinding(path, line, "reserved-finalizer", f"finalizer: {RESERVED}"))
    for line, deviation in implementation.stated_deviations(document):
        for code, message in _of_deviation(deviation, registry, scenarios, today):
            findings.append(LintFinding(path, line, code, message))
    return sorted(findings)


def unknown_capabilities(document: Document, registry: Registry) -> Iterator[LintFinding]:
    """What is declared and no requirement of the profiles needs."""
    if not isinstance(document.value, dict) or document.spoiled & {"profiles", "capabilities"}:
        return
    profiles = document.value["profiles"]
    known = {it.capability for it in registry.values() if it.capability and it.profile in profiles}
    for position, capability in enumerate(document.value.get("capabilities", ())):
        if capability not in known:
            elsewhere = sorted({it.profile for it in registry.values() if it.capability == capability})
            hint = f"; {', '.join(elsewhere)} has it" if elsewhere else near(capability, known)
            message = f"no requirement of {', '.join(profiles)} needs the capability {capability!r}{hint}"
            line = document.line("capabilities", position)
            yield LintFinding(document.path, line, "unknown-capability", message)


def _of_deviation(
    deviation: Deviation, registry: Registry, scenarios: Iterable[Scenario], today: date
) -> Iterator[tuple[str, str]]:
    """What is wrong with a deviation, compared with the suite: codes, each with a message."""
    if deviation.requirement not in registry:
        yield "unknown-requirement", f"deviations: there is no requirement {deviation.requirement}"
    elif deviation.scenario not in (ids := _ids(deviation.requirement, scenarios)):
        which = f"{deviation.requirement} has no scenario {deviation.scenario!r}"
        yield "unknown-scenario", f"deviations: {which}{near(deviation.scenario, ids)}"
    if wrong := _wrong_fact(deviation):
        yield "unknown-fact", f"deviations: {deviation.requirement}: {wrong}"
    if deviation.expired(today):
        where = f": {deviation.issue}" if deviation.issue else ""
        message = f"the waiver of {deviation.requirement} expired on {deviation.expires}{where}"
        yield "waiver-expired", message


def _ids(requirement: str, scenarios: Iterable[Scenario]) -> list[str]:
    """The ids of what is run for a requirement, or of all if every history is judged by it."""
    everywhere = requirement in invariants()
    run = (one for one in scenarios if everywhere or requirement in one.requirements)
    return [case.id for one in run for case in one.cases]


def _wrong_fact(deviation: Deviation) -> str:
    """Why the fact of a deviation cannot be broken: there is none, or it has other arguments."""
    facts, rules = {one.name: one for one in every()}, rule_names()
    fact = facts.get(deviation.fact)
    if fact is None and deviation.fact not in rules:
        return f"there is no fact or invariant {deviation.fact!r}{near(deviation.fact, [*facts, *rules])}"
    known = {*fact.wording.kinds, *fact.beside} if fact else set[str]()
    strange = next(iter(sorted(deviation.arguments.keys() - known)), "")
    return f"{deviation.fact} has no argument {strange!r}{near(strange, known)}" if strange else ""


def of_descriptor_alone(
    path: Path, registry: Registry, scenarios: Sequence[Scenario], today: date
) -> list[LintFinding]:
    """The same, with what its author should know: what it is not judged by, and cannot start here.

    Of the descriptors that are bundled it is not said: each leaves out something.
    """
    found = of_descriptor(path, registry, scenarios, today)
    return sorted([*found, *_notes(path, registry, scenarios)])


def _notes(path: Path, registry: Registry, scenarios: Sequence[Scenario]) -> Iterator[LintFinding]:
    """What the author of a descriptor should know, though it can be used."""
    document = implementation.document_of(path)
    described, _ = implementation.read(path)
    if described is None:
        return
    for profile in described.profiles:
        for one in capabilities(profile, registry, scenarios):
            if not described.declares(one.name):
                field = implementation.DECLARED_BY.get(one.name)
                how = f": the field {field} declares it" if field else ""
                message = f"{profile}: {one.name} is not declared, so {one.text} are not judged{how}"
                line = document.line("capabilities")
                yield LintFinding(path, line, "capability-left-out", message, "warning")
    for process in described.processes:
        if isinstance(process.binary, GoProgram):
            continue  # batchproof builds it
        if program := missing_program(process, process.binary, described.descriptor):
            message = f"{process.place}.argv: {'; '.join(no_program(program))}"
            yield LintFinding(path, _line_of(process.place, document), "program-missing", message, "warning")


def _line_of(place: str, document: Document) -> int:
    """The line of the arguments of a process: ``start``, ``processes[name]`` or ``election``."""
    name = place.removeprefix("processes[").removesuffix("]")
    names = [row["name"] for row in document.value.get("processes", ())]
    where = ("processes", names.index(name)) if name in names and name != place else (place,)
    return document.line(*where, "argv")
