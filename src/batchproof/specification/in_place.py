"""What can be judged of an implementation that is installed already, by what the API server shows alone.

Its requests pass by no proxy of ours and its process is not ours to kill. So a scenario with a step that
takes one of these, or with a claim about them, is out of reach in place; all others are judged as always.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

from batchproof.specification.gherkin import Scenario, sentences_of
from batchproof.specification.vocabulary import meaning

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

_MARK = "NOT_IN_PLACE"
"""What a step, or a module of steps, says of itself that takes the process, the requests or the cluster."""


def out_of_reach(scenarios: Iterable[Scenario], steps: Iterable[ModuleType]) -> dict[str, str]:
    """The ids of the cases that cannot be judged in place, each with the reason in words.

    Args:
        scenarios: what is judged.
        steps: the modules that define their steps, as ``load_steps`` has loaded them.

    Raises:
        UserError: a sentence means nothing.
    """
    modules = tuple(steps)
    found = {}
    for scenario in scenarios:
        for case in scenario.cases:
            said = ((kind, text) for _, kind, text in sentences_of(scenario, case))
            if reason := next(filter(None, (_reason(modules, kind, text) for kind, text in said)), ""):
                found[case.id] = reason
    return found


@cache
def _reason(steps: tuple[ModuleType, ...], kind: str, text: str) -> str:
    """Why a sentence cannot be played in place; empty if it can."""
    function, arguments = meaning(steps, kind, text)
    if why := getattr(function, _MARK, "") or getattr(sys.modules[function.__module__], _MARK, ""):
        return str(why)
    unseen = [it.fact.name for it in arguments.get("claims", ()) if not it.fact.fact.in_place]
    return "it is about requests of the implementation" if unseen else ""
