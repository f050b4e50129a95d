"""The list of flaky tests stays small, young and out of the quick tier."""

from __future__ import annotations

import runpy
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "flaky.py"))
TODAY = date(2027, 3, 1)
FULL = "tests/integration/test_watch.py::test_a_broken_descriptor_is_said_and_watched_on"
QUICK = "tests/unit/test_flaky.py::test_the_list_is_as_it_must_be"


def entry(test: str = FULL, days: int = 60, cause: object = "the disk") -> dict[str, object]:
    return {"test": test, "since": TODAY - timedelta(days), "cause": cause}


def problems(*entries: object) -> list[str]:
    return [*SCRIPT["problems"](entries, TODAY)]


def test_the_list_is_as_it_must_be() -> None:
    assert [*SCRIPT["known"](ROOT)] == []
    assert problems() == []
    assert problems(*[entry()] * 10) == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (entry(days=61), "within 60 days"),
        (entry(days=-1), "within 60 days"),
        ({**entry(), "since": datetime(2027, 2, 1, tzinfo=UTC)}, "a date"),
        (entry(cause=" "), "the cause is missing"),
        (entry(cause=None), "the cause is missing"),
        (entry(test="tests/integration/test_watch.py::test_none"), "no such test"),
        (entry(test="tests/integration/none.py::test_none"), "no such test"),
        (entry(test=QUICK), "quick tier"),
        (entry(test=f"{QUICK}[1]"), "quick tier"),
        (entry(test="tests/integration/test_run.py::test_a_run_that_passes_ends_with_0"), "quick tier"),
        (entry(test="tests/security/test_yaml.py::test_a_hostile_descriptor_is_blamed"), "quick tier"),
        ({"test": FULL}, "and nothing else"),
        ({**entry(), "since": "today"}, "a date"),
        ("a test", "and nothing else"),
    ],
)
def test_a_wrong_entry_is_refused(wrong: object, why: str) -> None:
    [said] = problems(entry(), wrong)
    assert why in said


def test_eleven_are_too_many() -> None:
    [said] = problems(*[entry()] * 11)
    assert "there are 11 flaky tests" in said
