"""What a deviation waives, compared with what its scenario claims.

A deviation names a scenario and a fact. If the scenario never claims that fact with these arguments, the
deviation covers nothing: it names the wrong example of an outline, or a fact of another scenario.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.descriptor.implementation import Deviation
from batchproof.evidence.claims import Demand, Demands
from batchproof.judgement.invariants import rule_names

if TYPE_CHECKING:
    from collections.abc import Mapping


def unclaimed(deviation: Deviation, known: Mapping[str, Demands]) -> str:
    """Why the scenario of a deviation cannot break its fact; empty if it can, or if the scenario is unknown.

    Args:
        deviation: what is waived.
        known: the claims manifest, by the ids of scenarios.
    """
    demands = known.get(deviation.scenario)
    if demands is None or demands.from_words or deviation.fact in rule_names():
        return ""
    if any(_is_waived(one, deviation) for one in demands.claims):
        return ""
    named = sorted({one.fact for one in demands.claims})
    if deviation.fact not in named:
        return f"{deviation.scenario} never claims {deviation.fact}; it claims {', '.join(named)}"
    asked = dict.fromkeys(_words(one.arguments) for one in demands.claims if one.fact == deviation.fact)
    return (
        f"{deviation.scenario} never claims {deviation.fact} with {_words(deviation.arguments)}, only with "
        f"{' or with '.join(asked)}: name the example of the outline that does"
    )


def _is_waived(claim: Demand, deviation: Deviation) -> bool:
    """What the manifest does not keep of the arguments, the run says: those may have any value."""
    return claim.fact == deviation.fact and all(
        claim.arguments.get(name, value) == value for name, value in deviation.arguments.items()
    )


def _words(arguments: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in arguments.items())
