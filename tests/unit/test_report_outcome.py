from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import report_sample as sample

from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results
from batchproof.report.wording import duration, named, printable, utc, web_link

if TYPE_CHECKING:
    from pathlib import Path

    from batchproof.report.outcome import Outcome


@pytest.fixture
def judge(tmp_path: Path) -> Any:
    def judged(records: list[dict[str, Any]], **options: Any) -> Outcome:
        return judge_run(read_results(sample.write_stream(tmp_path, sample.stream(records, **options))))

    return judged


def standings(outcome: Outcome) -> dict[str, str]:
    return {one.id: one.standing for one in outcome.requirements}


def test_every_kind_of_verdict_is_told(judge: Any) -> None:
    outcome = judge(sample.scenarios())
    assert standings(outcome) == {
        "BAS-001": "passed",
        "BAS-002": "passed",
        "FIN-003": "skipped",
        "FIN-004": "failed",
        "FIN-005": "failed",
        "TTL-001": "skipped",
        "EXP-001": "inconclusive",
        "EXP-002": "errored",
        "ROB-001": "passed",
    }
    assert outcome.sentence == (
        "9 requirements: 3 passed, 2 failed, 1 errored, 1 inconclusive, 2 skipped; the run is complete: "
        "NOT CONFORMANT because FIN-004 failed"
    )
    assert (outcome.exit_code, outcome.conformity) == (1, "not-conformant")


def test_a_clean_run_is_conformant(judge: Any) -> None:
    outcome = judge(sample.passing_scenarios())
    assert outcome.sentence == "9 requirements: 9 passed; the run is complete: CONFORMANT"
    assert (outcome.exit_code, outcome.conformity) == (0, "conformant")


def replaced(requirement: str, *scenarios: dict[str, Any]) -> list[dict[str, Any]]:
    return [*(one for one in sample.passing_scenarios() if one["requirement"] != requirement), *scenarios]


_PLAIN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("failed", {}),
    ("errored", {"error": "x"}),
    ("inconclusive", {"reason": "no fault fired"}),
    ("passed", {}),
    ("skipped", {"reason": "not-applicable"}),
)
FAILED, ERRORED, OPEN, GOOD, SKIPPED = _PLAIN
WAIVED = ("skipped", {"reason": "waived", "waived": sample.WAIVER, "unmet": sample.unmet("FIN-003")})
PASSED_WAIVED = ("passed", {"waived": sample.WAIVER})


@pytest.mark.parametrize(
    ("verdicts", "standing", "exit_code"),
    [
        pytest.param([GOOD, ERRORED, OPEN, FAILED], "failed", 1, id="failed is the worst"),
        pytest.param([GOOD, OPEN, ERRORED], "errored", 1, id="then errored"),
        pytest.param([SKIPPED, GOOD, OPEN], "inconclusive", 1, id="then inconclusive"),
        pytest.param([SKIPPED, GOOD], "passed", 0, id="one skipped example leaves a pass"),
        pytest.param([SKIPPED], "skipped", 0, id="all skipped"),
        pytest.param([GOOD, WAIVED], "skipped", 0, id="a waived failure is never a pass"),
        pytest.param([PASSED_WAIVED, WAIVED], "skipped", 0, id="a waiver that is needed by one example"),
        pytest.param([PASSED_WAIVED, FAILED], "failed", 1, id="an unwaived failure"),
        pytest.param([PASSED_WAIVED], "passed", 1, id="a needless waiver fails the run"),
        pytest.param([], "missing", 1, id="no scenario at all"),
    ],
)
def test_a_requirement_is_as_good_as_its_worst_scenario(
    judge: Any, verdicts: list[Any], standing: str, exit_code: int
) -> None:
    scenarios = [
        sample.scenario("FIN-003", f"Scenario {index}", verdict, **more)
        for index, (verdict, more) in enumerate(verdicts)
    ]
    outcome = judge(replaced("FIN-003", *scenarios))
    assert standings(outcome)["FIN-003"] == standing
    assert outcome.exit_code == exit_code


@pytest.mark.parametrize("verdict", ["failed", "inconclusive", "errored"])
def test_a_should_does_not_fail_the_run(judge: Any, verdict: str) -> None:
    outcome = judge(replaced("FIN-005", sample.scenario("FIN-005", "A deleted pod", verdict)))
    assert (outcome.exit_code, outcome.conformity) == (0, "conformant")
    assert f"1 {verdict}" in outcome.sentence


def test_a_needless_waiver_is_named(judge: Any) -> None:
    outcome = judge(replaced("FIN-003", sample.scenario("FIN-003", "Recorded", waived=sample.WAIVER)))
    assert outcome.needless_waivers == ("FIN-003",)
    assert outcome.headline == "NOT PROVEN because FIN-003 passed though waived (remove the waiver)"


def test_a_needed_waiver_is_named_in_the_verdict(judge: Any) -> None:
    verdict, more = WAIVED
    outcome = judge(replaced("FIN-003", sample.scenario("FIN-003", "Recorded", verdict, **more)))
    assert outcome.headline == "CONFORMANT, with FIN-003 waived"


def test_an_interrupted_run_proves_nothing(judge: Any) -> None:
    done, rest = sample.passing_scenarios()[:7], sample.passing_scenarios()[7:]
    outcome = judge(done, unrun=rest, complete=False, reason="interrupted")
    assert outcome.exit_code == 1
    assert outcome.sentence == (
        "9 requirements: 7 passed, 2 missing; the run is INCOMPLETE (interrupted): NOT PROVEN because "
        "the run is incomplete (interrupted) and EXP-002 and ROB-001 went unjudged"
    )


def test_an_outline_with_an_example_unrun_is_not_passed(judge: Any) -> None:
    examples = [sample.scenario("ROB-001", "Killed", example=str(n)) for n in (1, 2)]
    outcome = judge(
        replaced("ROB-001", examples[0]), unrun=examples[1:], complete=False, reason="interrupted"
    )
    assert standings(outcome)["ROB-001"] == "missing"


def test_a_failure_outweighs_an_interruption(judge: Any) -> None:
    outcome = judge(
        [sample.scenario("FIN-004", "Kept", "failed")],
        unrun=[sample.scenario("FIN-004", "Kept again")],
        complete=False,
        reason="interrupted",
    )
    assert standings(outcome)["FIN-004"] == "failed"
    assert outcome.conformity == "not-conformant"


def test_a_part_of_the_suite_is_never_called_conformant(judge: Any) -> None:
    outcome = judge(sample.passing_scenarios()[:3], required=["BAS-001", "BAS-002", "FIN-003"])
    assert (outcome.exit_code, outcome.conformity, outcome.judged) == (0, "partial", 3)
    assert outcome.headline == "NO FAILURE in a partial run: 4 MUST requirements not judged"


def test_what_the_implementation_does_not_declare_is_not_left_out(judge: Any) -> None:
    required = [name for name in sample.header()["required"] if name != "TTL-001"]
    outcome = judge(replaced("TTL-001"), required=required)
    assert standings(outcome)["TTL-001"] == "not-run"
    assert outcome.conformity == "conformant"


def test_a_run_of_nothing_fails(judge: Any) -> None:
    outcome = judge([], required=[])
    assert outcome.exit_code == 1
    assert "nothing was planned" in outcome.sentence


def test_a_broken_invariant_fails_its_own_requirement_too(judge: Any) -> None:
    broken = sample.scenario("FIN-004", "Kept", "failed", unmet=sample.unmet("BAS-001"))
    outcome = judge(replaced("FIN-004", broken))
    assert outcome.failed_musts == ("BAS-001", "FIN-004")
    (invariant,) = [one for one in outcome.requirements if one.id == "BAS-001"]
    assert [one.id for one in invariant.broken_in] == [broken["id"]]


def test_a_registry_that_is_silent_is_filled_from_the_records(judge: Any) -> None:
    outcome = judge([sample.scenario("FIN-004", "Kept", "failed")], requirements={}, required=[])
    (one,) = outcome.requirements
    assert (one.requirement.level, one.requirement.sentence) == (
        "MUST",
        "no finalizer is removed before its pod's UID is recorded",
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.123, "0.12 s"), (31.2, "31.2 s"), (59.97, "60.0 s"), (125.4, "2 min 5 s")],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_wording() -> None:
    assert named(["A"]) == "A"
    assert named(["A", "B", "C"]) == "A, B and C"
    assert named(["A", "B", "C", "D", "E"]) == "A, B, C and 2 more"
    assert printable("a\x1b[31m\r\nb\t\x00") == "a\\x1b[31m\\x0d\nb\t\\x00"
    assert utc("2026-11-21T11:00:00+01:00") == "2026-11-21 10:00:00 UTC"
    assert web_link("javascript:alert(1)") is None
