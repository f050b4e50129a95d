"""What the sentences of a scenario claim by themselves, and where the claims manifest says something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from batchproof.evidence.claims import Demand, Demands
from batchproof.evidence.measured import demand_of
from batchproof.evidence.played import Made
from batchproof.judgement.claims import Role
from batchproof.judgement.facts.writes import faults_struck
from batchproof.specification.gherkin import Case, Scenario, sentences_of
from batchproof.specification.vocabulary import claims_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

_OPEN: Final = -1
"""The place of a step that is left open."""


def from_words(scenario: Scenario, case: Case, steps: Sequence[ModuleType]) -> Demands:
    """What the sentences of a scenario claim, as far as they say it themselves.

    Args:
        scenario: as it is written.
        case: of it.
        steps: the modules that define the steps.
    """
    claims = [
        msgspec.structs.replace(demand, step=place)
        for place, (_, kind, text) in enumerate(sentences_of(scenario, case))
        for demand in said(kind, text, steps)
    ]
    return Demands(case.id, tuple(claims), from_words=True)


def said(kind: str, text: str, steps: Sequence[ModuleType]) -> list[Demand]:
    """What a sentence claims, if it says that itself; the place of its step is left open."""
    role = Role.JUDGED if kind == "then" else Role.PRECONDITION
    found = claims_of(steps, kind, text)
    return [demand_of(Made(_OPEN, msgspec.structs.replace(one, role=role), 0), "") for one in found]


def stale(
    scenarios: Iterable[Scenario], steps: Sequence[ModuleType], known: Mapping[str, Demands]
) -> Iterator[tuple[Scenario, str]]:
    """The scenarios of which the manifest says something else than they say, and why.

    Args:
        scenarios: all of the suite, and of the small suites.
        steps: the modules that define the steps.
        known: the manifest.
    """
    for scenario in scenarios:
        for case in scenario.cases:
            if case.id not in known:
                yield scenario, f"the claims manifest lacks {case.id}"
            elif wrong := _other_words(scenario, case, steps, known[case.id]):
                yield scenario, f"the claims manifest has {case.id} otherwise than it is written: {wrong}"


def _other_words(scenario: Scenario, case: Case, steps: Sequence[ModuleType], known: Demands) -> str:
    """Where a scenario is written otherwise than the manifest has it; empty if nowhere."""
    sentences = list(sentences_of(scenario, case))
    if beyond := [one for one in known.claims if one.step >= len(sentences)]:
        return f"it claims {beyond[0].fact} in step {beyond[0].step + 1} of {len(sentences)}"
    if not known.from_words and len(known.did) != len(sentences):
        return f"it says of {len(known.did)} steps of {len(sentences)} what the harness does in them"
    for place, (_, kind, text) in enumerate(sentences):
        have = [one for one in known.claims if one.step == place]
        for wanted in said(kind, text, steps):
            if not any(_says(one, wanted) for one in have):
                return f"{text!r} claims {wanted.fact}"
        if kind == "then" and not have and not known.from_words and not _arms_or_ends(text):
            return f"{text!r} claims nothing"
    return ""


def _says(known: Demand, wanted: Demand) -> bool:
    """Whether a claim is the one that a sentence says; what the scenario knows beside stands there too."""
    same = (known.quantifier, known.fact, known.requirement) == (
        wanted.quantifier,
        wanted.fact,
        wanted.requirement,
    )
    as_said = (
        known.role is wanted.role or known.fact == faults_struck.__name__
    )  # the harness itself makes it true
    return same and as_said and wanted.arguments.items() <= known.arguments.items()


def _arms_or_ends(text: str) -> bool:
    """A Then that only makes something happen for the next: ``Then the view of pods catches up``."""
    return text.startswith("the view of ") and text.endswith(" catches up")
