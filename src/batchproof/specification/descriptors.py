"""What a descriptor says, compared with the facts and the capabilities that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.descriptor.launch import HOW_TO_NAME_ONE, GoProgram, missing_program
from batchproof.documents import near
from batchproof.judgement.facts import every
from batchproof.judgement.invariants import rule_names
from batchproof.specification.capabilities import capabilities

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from batchproof.descriptor.implementation import Deviation, Implementation
    from batchproof.specification.gherkin import Scenario
    from batchproof.specification.registry import Registry


def wrong_fact(deviation: Deviation) -> str:
    """Why the fact of a deviation cannot be broken: there is none, or it has other arguments."""
    facts, rules = {one.name: one for one in every()}, rule_names()
    fact = facts.get(deviation.fact)
    if fact is None and deviation.fact not in rules:
        return f"there is no fact or invariant {deviation.fact!r}{near(deviation.fact, [*facts, *rules])}"
    known = {*fact.wording.kinds, *fact.beside} if fact else set[str]()
    strange = next(iter(sorted(deviation.arguments.keys() - known)), "")
    return f"{deviation.fact} has no argument {strange!r}{near(strange, known)}" if strange else ""


def notes(
    described: Implementation, registry: Registry, scenarios: Sequence[Scenario]
) -> Iterator[tuple[str, str]]:
    """What the author of a descriptor should know, though it can be used: codes, each with a message."""
    for profile in described.profiles:
        for one in capabilities(profile, registry, scenarios):
            if not described.declares(one.name):
                message = f"{profile}: {one.name} is not declared, so {one.text} are not judged"
                yield "capability-left-out", message
    for process in described.processes:
        if isinstance(process.binary, GoProgram):
            continue  # batchproof builds it
        if program := missing_program(process, process.binary, described.descriptor):
            message = (
                f"{process.place}.argv: there is no program {program!r} on this machine; {HOW_TO_NAME_ONE}"
            )
            yield "program-missing", message
