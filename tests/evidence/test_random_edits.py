"""A hundred random edits of real results, each made to fit: refused, or harmless for a known reason."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any

import pytest
from forging import Forgery, replayed

from batchproof.evidence.check import check
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

SEED, EDITS = 24, 100
HARMLESS = {
    "duration_s": "how long something took says nothing of the implementation",
    "at_s": "when a step began is shown, and not judged",
    "finished": "within minutes of what the API server saw",
    "started": "within minutes of what the API server saw",
    "worker": "which process judged makes no difference",
    "workers": "how many processes judged makes no difference",
    "machine": "the word of the party that ran it",
    "versions": "the word of the party that ran it",
    "installed": "the word of the party that ran it",
    "selection": "of a part of a run it is not known how it was selected",
    "programs": "the word of the party that ran it: a certificate says so",
    "started of an implementation": "the word of the party that ran it: a certificate says so",
    "kubernetes": "the word of the party that ran it",
    "provider": "the word of the party that ran it",
    "printed": "the word of the party that ran it: no verdict follows from what a process printed",
    "strict": "it makes the verdict no better than it would be",
    "outcome of a step": "a step that did not pass ends no scenario that passed",
    "end": "only a play under faults is compared with it, and its own history has what it was compared with",
    "left_out": "it says why a scenario has no plays under faults",
    "counts": "they are made to fit again",
    "reason of a footer": "only of a run that is not complete",
}
"""The fields of results that may say something else, and why."""


def leaves(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all texts, numbers and truths in a value."""
    if isinstance(value, dict):
        return [it for key, inner in value.items() for it in leaves(inner, (*place, key))]
    if isinstance(value, list):
        return [it for key, inner in enumerate(value) for it in leaves(inner, (*place, key))]
    return [place]


def other(value: Any, dice: random.Random) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + dice.choice([1, 10, 100])
        case str() if value:
            return dice.choice([value + "x", value[:-1], value.swapcase()])
        case _:
            return "x"


def edited(value: Any, place: tuple[Any, ...], dice: random.Random) -> None:
    """Change what stands at a place, or take it away."""
    *way, last = place
    for key in way:
        value = value[key]
    if isinstance(value, dict) and dice.random() < 0.2:
        del value[last]
    else:
        value[last] = other(value[last], dice)


def edit_results(it: Forgery, dice: random.Random) -> str:
    """Change one field of a record of the results; returns its place."""
    what = dice.choice([it.header, it.footer, *it.scenarios.values()])
    place = dice.choice(leaves(what))
    edited(what, place, dice)
    return ".".join(map(str, place))


def edit_history(it: Forgery, dice: random.Random) -> str:
    """Change a history: a field, a record that is left out, doubled or moved, or all after one."""
    scenario = dice.choice([one for one in it.scenarios.values() if one["history"]])
    records = it.records(scenario)
    place = dice.randrange(len(records))
    kind = records[place]["entry"]["kind"]
    match dice.choice(["field", "field", "out", "twice", "moved", "cut"]):
        case "field":
            where = dice.choice(leaves(records[place]["entry"]))
            edited(records[place]["entry"], where, dice)
            kind += "." + ".".join(map(str, where))
        case "out":
            del records[place]
        case "twice":
            records.insert(place, copy.deepcopy(records[place]))
        case "moved":
            records.insert(dice.randrange(len(records)), records.pop(place))
        case _:
            del records[place:]
    it.rewrite(scenario, records)
    return f"history.{kind}"


def harmless(place: str) -> bool:
    """A field of the results that may say something else."""
    if place.startswith("history."):
        return False
    parts = place.split(".")
    named = {*parts} & {name for name in HARMLESS if " " not in name}
    of_a_step = parts[0] == "steps" and parts[-1] == "outcome"
    return bool(named) or of_a_step or place == "reason"


def said(folder: Path) -> list[tuple[Any, ...]]:
    """What results say of the implementation: the verdicts with their reasons, and what is broken."""
    results = read_results(folder)
    return [
        (one.id, one.verdict, one.reason, one.claims, one.faults, one.unmet, one.breaches)
        for one in results.scenarios
    ]


@pytest.mark.parametrize("number", range(EDITS))
def test_a_random_edit_is_refused_or_harmless(original: Path, tmp_path: Path, number: int) -> None:
    dice = random.Random(SEED * 1000 + number)  # noqa: S311 - no secret
    it = Forgery(original, tmp_path / "edited")
    it.without_reports()
    edit = edit_results if number % 2 else edit_history
    place = edit(it, dice)
    folder = it.save()

    status, told = replayed(folder)

    assert "Traceback" not in told
    if status == 0:
        same = read_results(folder) == read_results(original)  # a field that is left out may say the same
        assert same or harmless(place) or place.startswith("history."), f"{place}: {told}"
        assert said(folder) == said(original)  # a history that comes to the same is no other evidence
        assert check(read_results(folder), folder).stands
