"""Invariants of gang schedulers: what is never true of a whole history."""

from __future__ import annotations

from dataclasses import replace

from batchproof.judgement.facts import FactCall
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.processes import goes_on_until_killed
from batchproof.judgement.invariants.rule import HistoryRule, about_histories
from batchproof.judgement.observed import Observed
from batchproof.profiles.gang.facts.room import bound_too_soon, overcommitted


def never(fact: FactCall) -> HistoryRule:
    """The rule that a fact does not hold."""

    def rule(seen: Observed) -> Finding | None:
        finding = fact.of(seen)
        if not finding.holds:
            return None
        return replace(finding, holds=False, arguments=fact.arguments)

    rule.__name__ = fact.name
    return rule


# When the first pod of a gang is bound, as many as its minimum have been created ...
about_histories("GNG-001")(never(bound_too_soon(lacking="pods")))
# ... and there has been room for that many.
about_histories("GNG-002")(never(bound_too_soon(lacking="room")))
# Never more is bound to a node than it has.
about_histories("GNG-009")(never(overcommitted()))
about_histories("GNG-082")(goes_on_until_killed)
