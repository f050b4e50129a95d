"""Invariants: what must hold of every history, whatever the scenario, without being asked for.

Changes are taken in the order of etcd revisions, which is the order in which they happened; the records of
two watches may have arrived otherwise. Each rule stands in the module of its subject (see ``rule``), under
the requirement that it judges; nothing else lists them. Those of a profile are in
``profiles/NAME/invariants``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.judgement.finding import Excused, Finding, nothing_excused, worse
from batchproof.judgement.invariants.rule import found_in, invariants, rule_names
from batchproof.judgement.observed import Observed
from batchproof.judgement.timeline import timeline

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["breaches", "invariants", "rule_names"]


def breaches(
    seen: Observed, sentences: Mapping[str, str] | None = None, excused: Excused = nothing_excused
) -> list[Finding]:
    """The first breach of each requirement that a history breaks, in the order in which they happened.

    If a deviation excuses the first one, it is the first that none excuses, where there is one.

    Args:
        seen: what the whole history shows.
        sentences: the requirements that are in force, with their sentences; None: all, without any.
        excused: whether a deviation covers a breach.

    Raises:
        FactBroke: an invariant raised an exception.
    """
    found: dict[str, Finding] = {}
    for requirement, finding in found_in(seen, sentences):
        spoken = finding.about(requirement, (sentences or {}).get(requirement, ""))
        if worse(found.get(requirement), spoken, excused):
            found[requirement] = spoken
    return [
        replace(one, timeline=timeline(seen.records, one.decisive, until=seen.last, observed=one.observed))
        for one in found.values()
    ]
