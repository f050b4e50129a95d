"""What the harness does in each step of a scenario: a step does the same in every run.

A history that lacks what the harness did shows an implementation that had nothing to react to. So the claims
manifest says what each step does, in words that are the same for every implementation.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from batchproof.judgement.faults import Crash
from batchproof.judgement.history import (
    ALL_FAULTS_END,
    MEDDLES,
    TERMINATES,
    VAIN,
    Action,
    FaultChange,
    ProcessChange,
    Record,
    StepBegan,
)
from batchproof.judgement.values import as_of_several

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BY_OTHERS: Final = re.compile(
    f"{MEDDLES}"  # as often as the implementation writes
    "|gives the implementation .* to work on$"  # a witness, after what held though nothing had to happen
    f"|{VAIN}"  # what the implementation did not bring about
    "|gives up waiting$"  # the user does that
    "|says which (pods|gates) "  # what the descriptor says of the implementation
    "|(pod|the group of gang) .* is refused: "  # what the API server answered
)
"""The actions that are not the same in every run, and why."""
_ANSWER: Final = re.compile(", which is .*|: .*", re.DOTALL)
"""The end of an action's text: the names of pods, or what was answered."""
_OF_A_RUN: Final = re.compile(r"\S*[\d-]\S*")
"""A word that may be a name that the implementation or the API server makes up, or a number."""
_OF_A_NAMESPACE: Final = re.compile(r"^\S*-\d+-")
"""How the name of an object begins that lies in no namespace, and is named by that of its scenario."""
_GOES_BY: Final = ("gang", "minimum", "queue", "weight")
"""What facts take from an action beside its text."""
_MOVED: Final = {"lifted", "thawed"}
_RUN: Final = {"started", "killed"}
_FAULT, _PROCESS = "fault ", "process "


def deeds(records: Iterable[Record]) -> tuple[tuple[str, ...], ...]:
    """What the harness did in a history: for each step in words, in the order of the alphabet.

    Left out is what depends on the implementation: the end of all faults before it is asked for a proof of
    life, and where a fault kills it, when its processes end and start.
    """
    steps: list[list[tuple[bool, str]]] = []
    kills = over = False
    for record in records:
        if isinstance(record.entry, StepBegan):
            steps.append([])
        if not steps:
            continue
        match record.entry:
            case Action(text=text) if text == ALL_FAULTS_END:
                over = True
            case Action() as action if not _BY_OTHERS.match(action.text):
                steps[-1].append((False, _action(action)))
            case FaultChange(what="armed", about=about):
                kills = kills or about.get("do", {}).get("effect") == Crash.__name__
            case FaultChange(what=what, text=text) if what in _MOVED and not over:
                steps[-1].append((False, f"{_FAULT}{what}: {_OF_A_RUN.sub('*', text)}"))
            case ProcessChange(what=what) if what in _RUN and not over:
                steps[-1].append((True, f"{_PROCESS}{what}"))
            case _:
                pass
    return tuple(
        tuple(sorted(text for of_a_process, text in step if not (kills and of_a_process))) for step in steps
    )


def _action(action: Action) -> str:
    """An action in words that are the same in every run."""
    text = as_of_several(_OF_A_RUN.sub("*", _ANSWER.sub("", action.text)))
    told = {name: action.about[name] for name in _GOES_BY if name in action.about}
    if "queue" in told:
        told["queue"] = _OF_A_NAMESPACE.sub("*", told["queue"])
    beside = ", ".join(f"{name}={value}" for name, value in told.items())
    return f"{text} ({beside})" if beside else text


def actions(steps: Iterable[Sequence[str] | None]) -> list[tuple[str, ...] | None]:
    """The actions among what steps do: ends of faults and of processes a fault profile has more of."""
    return [
        None if step is None else tuple(one for one in step if not one.startswith((_FAULT, _PROCESS)))
        for step in steps
    ]


def undone(
    demanded: Sequence[Sequence[str] | None],
    found: Sequence[Sequence[str] | None],
    *,
    whole: bool,
    in_grid: bool = False,
) -> Iterator[str]:
    """What the harness did otherwise than each run does it, in words; the first of it.

    Args:
        demanded: by step; None: the step does not do the same in every run.
        found: what a history has.
        whole: the scenario came to its end; else its last step may have been cut off.
        in_grid: after the last step the fault grid may end the pods that are being deleted.
    """
    for place, (wanted, done) in enumerate(zip(demanded, found, strict=False)):
        if wanted is None or done is None:
            continue
        is_last = place + 1 == len(found)
        lacking, more = Counter(wanted) - Counter(done), Counter(done) - Counter(wanted)
        more -= Counter([TERMINATES] if in_grid and is_last else [])
        if lacking and (whole or not is_last):
            yield f"in step {place + 1} its history lacks what the harness does: {min(lacking)!r}"
            return
        if more:
            yield f"in step {place + 1} its history has what the harness does not do: {min(more)!r}"
            return


def common(runs: Sequence[Sequence[Sequence[str] | None]]) -> tuple[tuple[str, ...] | None, ...]:
    """What each step does in all runs of a scenario; None where they differ."""
    return tuple(
        tuple(ours) if ours is not None and all(ours == other for other in others) else None
        for ours, *others in zip(*runs, strict=True)
    )
