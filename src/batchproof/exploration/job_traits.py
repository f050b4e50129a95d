"""What about an action on a Job may matter together with something else that happens to the Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.exploration.job_actions import theme

if TYPE_CHECKING:
    from batchproof.exploration.job_counts import JobCounts
    from batchproof.exploration.program import Action

_ONE_BATCH = 2
"""More pods than so many are made in batches, each of which waits for the one before it (EXP-012)."""


def traits(state: JobCounts, action: Action) -> tuple[str, ...]:
    """What is special about an action where it stands."""
    if action.kind == "create":
        return _of_a_job(action)
    return (_trait(state, action),)


def _trait(state: JobCounts, action: Action) -> str:
    number = action.numbers[0] if action.numbers else 1
    match action.kind:
        case "parallelism" if number:
            return (
                "more pods" if state.changed_to("parallelism", number).wanted > state.wanted else "fewer pods"
            )
        case "backoffLimit" if number < state.failed:
            return "a limit that was reached"
        case "crash":
            return f"killed {action.words} a write"
        case "block" | "epilogue":
            return action.words
        case "succeed" | "fail":
            return f"{action.kind}{' together' * (number > 1)}{' unseen' * bool(state.block)}"
        case _:
            return theme(action)


def _of_a_job(action: Action) -> tuple[str, ...]:
    completions, parallelism, limit = action.numbers
    found = [action.words]
    if completions and parallelism < completions:
        found.append("fewer pods at a time than in all")
    if parallelism > _ONE_BATCH:
        found.append("pods in batches")
    if not limit:
        found.append("no failure allowed")
    return tuple(found)
