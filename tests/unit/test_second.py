"""Which scenarios are played a second time."""

from __future__ import annotations

from typing import Any

import pytest

from batchproof.judgement.conclusion import AROUND
from batchproof.report.records import (
    FACT_BROKE,
    Breach,
    FirstPlay,
    Precondition,
    ScenarioRecord,
    Verdict,
    Waiver,
)
from batchproof.running.session.retry import second_plays

LEVELS = {"FIN-004": "MUST", "FIN-005": "SHOULD"}


def record(number: int, verdict: Verdict = "passed", **given: Any) -> ScenarioRecord:
    told = {"name": "", "title": "", "feature": "", "requirement": "FIN-004", "level": "MUST"}
    return ScenarioRecord(id=f"s{number}", verdict=verdict, **{**told, **given})


def breaking(requirement: str, *, waived: bool = False) -> dict[str, Any]:
    waiver = Waiver(requirement, "", "", "known") if waived else None
    return {"breaches": (Breach(requirement, "", "", "", waived=waiver),)}


PASSED = [record(number) for number in range(9)]


@pytest.mark.parametrize("verdict", ["inconclusive", "errored"])
def test_what_has_no_verdict_is_played_a_second_time(verdict: Verdict) -> None:
    assert second_plays([*PASSED, record(9, verdict)], LEVELS) == ("s9",)


@pytest.mark.parametrize("verdict", ["passed", "skipped"])
def test_what_has_one_is_not(verdict: Verdict) -> None:
    assert second_plays([*PASSED, record(9, verdict)], LEVELS) == ()


def test_a_failed_must_is_the_verdict_of_the_run() -> None:
    assert second_plays([*PASSED, record(9, "failed"), record(10, "inconclusive")], LEVELS) == ()


def test_a_failed_should_is_not() -> None:
    should = record(9, "failed", requirement="FIN-005")
    assert second_plays([*PASSED, should, record(10, "inconclusive")], LEVELS) == ("s10",)


def test_a_must_that_the_history_of_another_breaks_is_the_verdict_too() -> None:
    breaks = record(9, **breaking("FIN-004"))
    assert second_plays([*PASSED, breaks, record(10, "inconclusive")], LEVELS) == ()


def test_a_waived_breach_is_not() -> None:
    breaks = record(9, **breaking("FIN-004", waived=True))
    assert second_plays([*PASSED, breaks, record(10, "inconclusive")], LEVELS) == ("s10",)


def test_a_history_that_has_shown_something_is_kept() -> None:
    undecided = record(9, "inconclusive", **breaking("FIN-005"))
    assert second_plays([*PASSED, undecided], LEVELS) == ()


def test_a_fact_that_broke_would_break_again() -> None:
    assert second_plays([*PASSED, record(9, "errored", reason=FACT_BROKE)], LEVELS) == ()


def test_who_wrote_around_the_proxy_gets_no_other_chance() -> None:
    assert (
        second_plays([*PASSED, record(9, "errored", reason=f"{AROUND}: create pods n/a by a/1")], LEVELS)
        == ()
    )


def test_the_second_play_is_the_last() -> None:
    assert second_plays([*PASSED, record(9, "inconclusive", first=FirstPlay("errored", ""))], LEVELS) == ()


def test_many_are_no_bad_moment() -> None:
    assert second_plays([record(number, "inconclusive") for number in range(4)], LEVELS) == ()
    assert len(second_plays([record(number, "inconclusive") for number in range(3)], LEVELS)) == 3


def test_how_many_are_few_grows_with_the_run() -> None:
    played = [record(number, "inconclusive" if number < 10 else "passed") for number in range(200)]
    assert len(second_plays(played, LEVELS)) == 10


def without(number: int, *speaks_of: str, slow: str = "") -> ScenarioRecord:
    """A scenario in which something did not come about of which these requirements speak."""
    missing = Precondition("Given it", "it", "not it", speaks_of=speaks_of, slow=slow)
    return record(number, "inconclusive", reason="precondition", precondition=missing)


@pytest.mark.parametrize(
    ("undecided", "again"),
    [
        pytest.param([without(9, "FIN-004")], ("s9",), id="once it may be a bad moment"),
        pytest.param([without(9, "FIN-004"), without(10, "FIN-004")], ("s9",), id="twice it is none"),
        pytest.param(
            [without(9, "BAS-001", "FIN-004"), without(10, "FIN-004")], ("s9",), id="one of several"
        ),
        pytest.param([without(9, "BAS-001"), without(10, "FIN-004")], ("s9", "s10"), id="each once"),
        pytest.param([without(9, "FIN-005"), without(10, "FIN-005")], ("s9", "s10"), id="a SHOULD"),
        pytest.param([without(9), without(10)], ("s9", "s10"), id="nothing speaks of it"),
        pytest.param(
            [without(9, "FIN-004", slow="x took 4 s"), without(10, "FIN-004")],
            ("s9", "s10"),
            id="a slow answer accuses no implementation",
        ),
    ],
)
def test_each_must_has_one_second_play_at_most(
    undecided: list[ScenarioRecord], again: tuple[str, ...]
) -> None:
    played = [record(number) for number in range(20, 60)]
    assert second_plays([*played, *undecided], LEVELS) == again
