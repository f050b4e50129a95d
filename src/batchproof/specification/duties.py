"""Under which requirement a Then is judged, where it is not the scenario's own.

``2 pods are active, as BAS-015 requires`` does not accuse the requirement of the scenario. A requirement that
only forbids obliges nothing to come about: if a scenario of it waits for that beside what it watches, the
scenario has to say which requirement obliges it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from batchproof.judgement.forms import Quantifier
from batchproof.specification import gherkin
from batchproof.specification.gherkin import Scenario, Step
from batchproof.specification.registry import Registry, Requirement
from batchproof.specification.vocabulary import claims_of, duty_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

_FORBIDS = re.compile(r"\b(?:MUST|SHOULD) NOT\b")
_OBLIGES = re.compile(r"\b(?:MUST|SHOULD)\b(?! NOT\b)")
_WAITS = {Quantifier.EVENTUALLY, Quantifier.STAYS}


def misplaced(registry: Registry, scenario: Scenario) -> Iterator[tuple[Step, str]]:
    """The steps that name a requirement under which they cannot be judged, and why."""
    seen: dict[tuple[int, str], Step] = {}
    for step, kind, text in gherkin.sentences(scenario):
        if duty := duty_in(text)[1]:
            wrong = _wrong(registry, scenario, kind, duty)
            if wrong and seen.setdefault((step.line, duty), step) is step:
                yield step, f"{text!r}: {wrong}"


def _wrong(registry: Registry, scenario: Scenario, kind: str, duty: str) -> str:
    """Why a step of a scenario cannot be judged under a requirement; empty if it can."""
    if kind != "then":
        return "only a Then judges; leave out the requirement"
    if duty in scenario.requirements:
        return f"{duty} is the scenario's own; leave it out"
    return (
        _unfit(registry, scenario, registry[duty]) if duty in registry else f"{duty} is not in the registry"
    )


def _unfit(registry: Registry, scenario: Scenario, named: Requirement) -> str:
    """Why a requirement is not judged wherever a scenario is; empty if it is."""
    if named.capability and named.capability not in scenario.capabilities:
        return f"{named.id} needs the capability {named.capability}, which the scenario has no tag of"
    for own in (registry[one] for one in scenario.requirements if one in registry):
        if own.profile != named.profile:
            return f"{named.id} is of profile {named.profile}"
        if not named.holds_with(own):
            return f"{named.id} does not hold in every version in which {own.id} does"
    return ""


def unowned(
    registry: Registry, scenario: Scenario, steps: Sequence[ModuleType]
) -> Iterator[tuple[Step, str, tuple[str, ...]]]:
    """What a scenario of a requirement that only forbids waits for beside what it watches.

    Yields:
        The step, what it says, and the requirements whose scenarios judge that.
    """
    if not any(_only_forbids(registry[one]) for one in scenario.requirements if one in registry):
        return
    for case in scenario.cases[:1]:
        thens = [(step, text) for step, kind, text in gherkin.sentences_of(scenario, case) if kind == "then"]
        waiting = [
            (step, text, _of_others(scenario, steps, text)) for step, text in thens if not duty_in(text)[1]
        ]
        if all(others for _, _, others in waiting):
            continue  # nothing else is claimed: it is how this scenario shows what is forbidden
        yield from ((step, text, others) for step, text, others in waiting if others)


def _only_forbids(requirement: Requirement) -> bool:
    return bool(_FORBIDS.search(requirement.sentence)) and not _OBLIGES.search(requirement.sentence)


def _of_others(scenario: Scenario, steps: Sequence[ModuleType], text: str) -> tuple[str, ...]:
    """The requirements that speak of what a Then waits for, if the scenario's own is none of them."""
    for claim in claims_of(steps, "then", text):
        speaks_of = claim.fact.fact.judged_by
        if claim.quantifier in _WAITS and speaks_of and not {*speaks_of} & {*scenario.requirements}:
            return speaks_of
    return ()
