"""Plays under fault profiles are forged: without their faults, their comparison, or what was to be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from forging import Forgery, edited, opened, replayed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Json = dict[str, Any]

PLAIN, FAULTY, LATE = "BAS-014.1", "BAS-014.1 under errors", "BAS-014.1 under order"
STAGES = "EXP-001.1"


@pytest.fixture
def forged(grid: Path, tmp_path: Path) -> Forgery:
    return Forgery(grid, tmp_path / "forged")


def test_a_grid_that_nobody_changed_stands(grid: Path) -> None:
    status, said = replayed(grid)
    assert (status, "all as recorded" in said) == (0, True), said


def without_its_faults(records: list[Json]) -> list[Json]:
    """The profile was not in force: all went well."""
    texts = {one["entry"]["text"] for one in records if one["entry"]["kind"] == "fault"}
    for one in records:
        if one["entry"].get("fault") in texts:
            one["entry"]["fault"] = ""
    return [one for one in records if one["entry"]["kind"] != "fault"]


def with_the_faults_of_another(it: Forgery) -> None:
    """A play under the easier profile is shown as one under the other."""
    easy, hard = it.scenarios[LATE], it.scenarios[FAULTY]
    records = it.records(easy)
    records[0]["entry"]["origin"]["scenario"] = FAULTY
    it.rewrite(hard, records)
    hard["faults"], hard["claims"] = easy["faults"], easy["claims"]


def without_the_comparison(records: list[Json]) -> list[Json]:
    numbers = {
        one["entry"]["claim_number"]
        for one in records
        if one["entry"]["kind"] == "claim-opened" and one["entry"]["claim"]["fact"]["name"] == "ends_as"
    }
    kept = [one for one in records if one["entry"].get("claim_number") not in numbers]
    left = [one["entry"] for one in kept if "claim_number" in one["entry"]]
    again = {number: place for place, number in enumerate(sorted({one["claim_number"] for one in left}), 1)}
    for one in left:
        one["claim_number"] = again[one["claim_number"]]
    return kept


def compared_with_nothing(records: list[Json]) -> None:
    """An end of which nothing is known is that of every play."""
    for one in records:
        claim = one["entry"].get("claim")
        if claim and claim["fact"]["name"] == "ends_as":
            claim["fact"]["arguments"]["end"] = {}


def compared_for_longer(records: list[Json]) -> None:
    opened(records, quantifier="eventually", role="judged")["entry"]["claim"]["limit_s"] = 9999.0


def of_another_requirement(records: list[Json]) -> None:
    opened(records, quantifier="eventually", role="judged")["entry"]["claim"]["requirement"] = "BAS-014"


def without_what_the_harness_did(records: list[Json]) -> list[Json]:
    return [one for one in records if not one["entry"].get("text", "").startswith("2 pods succeed")]


def another_end_without_faults(it: Forgery) -> None:
    """The end that all is compared with is made to fit what the faults led to."""
    end = it.scenarios[PLAIN]["end"]
    it.scenarios[PLAIN]["end"] = {name: f"{text}, or not" for name, text in end.items()}


def left_out_of_the_grid(it: Forgery) -> None:
    """A play that failed was not to be made at all."""
    left = {"verdict": "skipped", "reason": it.scenarios[STAGES]["reason"], "history": None}
    it.scenarios[FAULTY].update(left, history_digest="", claims=[], faults=[], steps=[], end=None)


def no_end_to_compare(it: Forgery) -> None:
    """The play without faults had no end, so that nothing can be played under faults."""
    plain = it.scenarios[PLAIN]
    plain.update(end=None, left_out="the Jobs do not come to rest: x")
    for id_ in (FAULTY, LATE):
        left = {"verdict": "skipped", "reason": f"left out of the grid: {plain['left_out']}", "history": None}
        it.scenarios[id_].update(left, history_digest="", claims=[], faults=[], steps=[], end=None)


def fewer_profiles(it: Forgery) -> None:
    """A play that failed is not in the plan either: the run calls itself whole."""
    it.only({*it.scenarios} - {FAULTY})
    it.header["suite"]["selection"] = ""


FORGERIES: list[tuple[Callable[[Forgery], None], str]] = [
    (edited(FAULTY, without_its_faults), "it did not run under the faults of errors"),
    (edited(LATE, without_its_faults), "it did not run under the faults of order"),
    (with_the_faults_of_another, "it did not run under the faults of errors"),
    (edited(FAULTY, without_the_comparison), "its end was not compared with the one without faults"),
    (edited(FAULTY, compared_with_nothing), "its end was compared with another"),
    (edited(FAULTY, compared_for_longer), "its deadline"),
    (edited(FAULTY, of_another_requirement), "its end was compared with another"),
    (edited(FAULTY, without_what_the_harness_did), "lacks what the harness does: '* pods succeed'"),
    (another_end_without_faults, "its record says of 'end' something else"),
    (left_out_of_the_grid, "but has to be judged"),
    (no_end_to_compare, "it is said to have no end that can be compared, but has one"),
    (fewer_profiles, "the plan calls itself whole, but lacks"),
]


@pytest.mark.parametrize(("forge", "why"), FORGERIES, ids=lambda it: getattr(it, "__name__", ""))
def test_a_forgery_is_refused_for_its_reason(
    forged: Forgery, forge: Callable[[Forgery], None], why: str
) -> None:
    forge(forged)
    forged.without_reports()

    status, said = replayed(forged.save())

    assert (status, why in said) == (1, True), said
