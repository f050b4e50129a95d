"""What a run did not judge because the implementation does not declare it, by capability."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report.records import NOT_DECLARED, Header, ScenarioRecord, Suite
from batchproof.report.wording import count, named
from batchproof.specification.gherkin import CAPABILITY_TAG
from batchproof.specification.suites import small_suites

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A capability that the implementation does not declare, and what was not judged for that.

    Attributes:
        requirements: the requirements without any verdict.
        musts: how many of these are MUST.
        scenarios: how many scenarios were skipped, those of requirements that were judged included.
    """

    capability: str
    requirements: tuple[str, ...]
    musts: int
    scenarios: int

    @property
    def text(self) -> str:
        """How much it is: ``12 requirements (9 MUST), 20 scenarios``."""
        scenarios = count(self.scenarios, "scenario")
        if not self.requirements:
            return f"{scenarios} of other requirements"
        return f"{count(len(self.requirements), 'requirement')} ({self.musts} MUST), {scenarios}"


def not_judged(
    header: Header, skipped: Iterable[str], scenarios: Iterable[ScenarioRecord]
) -> tuple[Unjudged, ...]:
    """What was not judged, by capability; that with the most requirements first.

    What needs several capabilities that are not declared stands with the first of them.

    Args:
        header: that of the run.
        skipped: the ids of the requirements of which nothing was judged.
        scenarios: all scenarios of the run.
    """
    played: dict[str, list[ScenarioRecord]] = {}
    needing: dict[str, str] = {}
    for one in scenarios:
        if one.reason == NOT_DECLARED and (capability := missing(header, one)):
            played.setdefault(capability, []).append(one)
            needing.setdefault(one.requirement, capability)
    found = []
    for capability, of in played.items():
        ids = tuple(id_ for id_ in skipped if needing.get(id_) == capability)
        musts = sum(header.requirements[id_].level == "MUST" for id_ in ids if id_ in header.requirements)
        found.append(Unjudged(capability, ids, musts, len(of)))
    return tuple(sorted(found, key=lambda one: (-len(one.requirements), -one.scenarios, one.capability)))


def missing(header: Header, one: ScenarioRecord) -> str:
    """The first capability that a scenario needs and the implementation does not declare; empty: none."""
    requirement = header.requirements.get(one.requirement)
    tagged = (tag.removeprefix(CAPABILITY_TAG) for tag in one.tags if tag.startswith(CAPABILITY_TAG))
    needs = [*([requirement.capability] if requirement and requirement.capability else []), *sorted(tagged)]
    return next((it for it in needs if it not in header.implementation.capabilities), "")


def without(unjudged: Sequence[Unjudged], most: int = _MOST_NAMED) -> str:
    """The capabilities in words: ``without PodFailurePolicy and SuccessPolicy``; empty without any."""
    return f"without {named([one.capability for one in unjudged], most)}" if unjudged else ""


def scope(unjudged: Sequence[Unjudged]) -> str:
    """The same, with how much that is: ``without SuccessPolicy: 9 requirements not judged``."""
    if not unjudged:
        return ""
    requirements = sum(len(one.requirements) for one in unjudged)
    scenarios = sum(one.scenarios for one in unjudged if not one.requirements)
    parts = [count(requirements, "requirement")] if requirements else []
    parts += [f"{count(scenarios, 'scenario')} of other requirements"] if scenarios else []
    return f"{without(unjudged)}: {' and '.join(parts)} not judged"


def chosen(suite: Suite) -> str:
    """What was selected of the profile, as on the command line; empty: everything."""
    options = []
    if suite.feature:
        name = suite.feature.removesuffix(".feature")
        options += ["--suite", name] if name in small_suites() else ["--feature", suite.feature]
    if suite.selection:
        options += ["-k", suite.selection]
    return shlex.join(options)
