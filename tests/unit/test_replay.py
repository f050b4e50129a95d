"""A recorded run judged again: each verdict from its history alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from histories import Story, headed_story, story
from report_sample import WAIVER, header, scenario, stream, unmet, write_stream

from batchproof.errors import UserError
from batchproof.judgement.claims import eventually, never
from batchproof.judgement.facts.jobs import job_complete
from batchproof.judgement.facts.tracking import pod_released
from batchproof.judgement.facts.writes import faults_struck
from batchproof.judgement.history import encode
from batchproof.judgement.verdict import Verdict
from batchproof.report.replay import Again, judge_history, replay
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

COMPLETE = eventually(job_complete(job="a", succeeded=0)).scaled(1, "BAS-002")
KEPT = never(pod_released(job="a")).scaled(1, "FIN-004")
STRUCK = eventually(faults_struck(times=1), precondition=True).scaled(1, "FIN-004")


def met() -> Story:
    """A claim that holds."""
    return headed_story().job("a").claims(1, COMPLETE).complete("a", succeeded=0).closes(1)


def missed() -> Story:
    """A claim that does not hold, because the Job never completes."""
    return headed_story().job("a").claims(1, COMPLETE).closes(1)


def early() -> Story:
    """A broken invariant: a finished pod is released unrecorded."""
    return headed_story().job("a").pod("a-1").succeeds("a-1").released("a-1")


@pytest.mark.parametrize(
    ("told", "verdict", "requirement"),
    [
        pytest.param(met(), Verdict.PASSED, "", id="all claims hold"),
        pytest.param(story(), Verdict.PASSED, "", id="nothing was claimed"),
        pytest.param(missed(), Verdict.FAILED, "BAS-002", id="a claim is broken"),
        pytest.param(early(), Verdict.FAILED, "FIN-004", id="an invariant is broken"),
        pytest.param(
            met().pod("a-1"), Verdict.FAILED, "BAS-060", id="an invariant is broken though all claims hold"
        ),
        pytest.param(met().fault(1, "armed"), Verdict.INCONCLUSIVE, "", id="a fault never struck"),
        pytest.param(met().fault(1, "armed").fault(1, "fired"), Verdict.PASSED, "", id="all faults struck"),
        pytest.param(
            story().fault(1, "armed").job("a").claims(1, COMPLETE).closes(1),
            *(Verdict.INCONCLUSIVE, "BAS-002"),
            id="a claim is broken, but its fault never struck",
        ),
        pytest.param(
            missed().fault(1, "armed"), Verdict.FAILED, "BAS-002", id="a claim was broken before the fault"
        ),
        pytest.param(
            early().fault(1, "armed"),
            Verdict.FAILED,
            "FIN-004",
            id="an invariant is broken without the fault",
        ),
        pytest.param(
            story().claims(1, STRUCK).closes(1),
            *(Verdict.INCONCLUSIVE, "FIN-004"),
            id="a precondition never arose",
        ),
    ],
)
def test_a_history_is_judged(told: Story, verdict: Verdict, requirement: str) -> None:
    judged, finding = judge_history(told.records, "FIN-004", {}, ())

    assert judged is verdict
    assert (finding.requirement if finding else "") == requirement


def test_the_first_broken_claim_is_told_with_the_sentence_of_the_scenario() -> None:
    told = missed().claims(2, KEPT).pod("a-1").released("a-1").closes(2)

    _, finding = judge_history(told.records, "BAS-002", {"BAS-002": "A Job MUST complete."}, ())

    assert finding is not None
    assert finding.text().startswith("BAS-002 not met: A Job MUST complete.\n  expected  Job a Complete=True")


# -- a whole run


def recorded(folder: Path, *cases: tuple[dict[str, Any], Story | None], **implementation: Any) -> list[Again]:
    """Save a run with these scenarios and their histories, and judge it again."""
    (folder / "histories").mkdir()
    records = []
    for number, (record, told) in enumerate(cases):
        path = f"histories/{number}.jsonl" if told else None
        records.append({**record, "id": f"{record['id']} {number}", "history": path})
        if told and path:
            (folder / path).write_bytes(encode(told.records))
    judged = {**header()["implementation"], **implementation}
    return replay(read_results(write_stream(folder, stream(records, implementation=judged))), folder)


def test_a_run_judged_again_agrees_with_itself(tmp_path: Path) -> None:
    again = recorded(
        tmp_path,
        (scenario("BAS-002", "passed", "passed"), met()),
        (scenario("BAS-002", "failed", "failed"), missed()),
        (scenario("FIN-004", "inconclusive", "inconclusive"), met().fault(1, "armed")),
    )

    assert [one.verdict.value for one in again] == ["passed", "failed", "inconclusive"]
    assert all(one.judged and one.agrees for one in again)


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        pytest.param("passed", missed(), id="passed, but its history speaks against it"),
        pytest.param("failed", met(), id="failed, but nothing in its history speaks against it"),
        pytest.param("inconclusive", met(), id="inconclusive, but its faults struck"),
    ],
)
def test_another_verdict_is_seen(tmp_path: Path, verdict: str, told: Story) -> None:
    (one,) = recorded(tmp_path, (scenario("BAS-002", "one", verdict), told))

    assert one.judged
    assert not one.agrees


def test_what_was_not_judged_for_want_of_a_history_keeps_its_verdict(tmp_path: Path) -> None:
    again = recorded(
        tmp_path,
        (scenario("TTL-001", "skipped", "skipped", reason="not-declared"), None),
        (scenario("BAS-002", "errored", "errored", error="the API server went away"), missed()),
    )

    assert [(one.verdict.value, one.judged, one.agrees) for one in again] == [
        ("skipped", False, True),
        ("errored", False, True),
    ]


def test_a_waived_scenario_is_judged_again_and_agrees_when_it_fails(tmp_path: Path) -> None:
    waived = {"reason": "waived", "waived": WAIVER, "unmet": unmet("FIN-003")}

    (one,) = recorded(tmp_path, (scenario("FIN-003", "waived", "skipped", **waived), missed()))

    assert (one.verdict, one.judged, one.agrees) == (Verdict.FAILED, True, True)


def test_a_waived_scenario_that_would_pass_is_another_verdict(tmp_path: Path) -> None:
    waived = {"reason": "waived", "waived": WAIVER, "unmet": unmet("FIN-003")}

    (one,) = recorded(tmp_path, (scenario("FIN-003", "waived", "skipped", **waived), met()))

    assert not one.agrees


def test_no_scenario_is_judged_by_a_deviation_though_none_of_its_own_was_run(tmp_path: Path) -> None:
    passed = scenario("BAS-002", "passed", "passed")

    (one,) = recorded(tmp_path, (passed, early()), deviations=[WAIVER | {"requirement": "FIN-004"}])

    assert one.agrees


def test_a_run_without_one_of_its_histories_cannot_be_judged_again(tmp_path: Path) -> None:
    records = [scenario("BAS-002", "gone", history="histories/gone.jsonl")]
    results = read_results(write_stream(tmp_path, stream(records)))

    with pytest.raises(UserError, match=r"gone\.jsonl is missing"):
        replay(results, tmp_path)
