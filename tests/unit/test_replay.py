"""A recorded run judged again: each verdict from its history alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from histories import Story, headed_story, story
from report_sample import WAIVER, header, scenario, stream, unmet, write_stream
from tables import table, when

from batchproof.evidence.replay import Again, judge_history, replay
from batchproof.ground.errors import UserError
from batchproof.judgement.claims import Claim, Role, always, eventually, never, now, proof, stays
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.facts import FactCall, every
from batchproof.judgement.facts.writes import faults_struck
from batchproof.judgement.history import encode
from batchproof.profiles.job.facts.jobs import job_complete
from batchproof.profiles.job.facts.pods import active_pods
from batchproof.profiles.job.facts.tracking import pod_released
from batchproof.report.records import Precondition
from batchproof.report.results import read_results
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

COMPLETE = eventually(job_complete(job="a", succeeded=0)).scaled(1, "BAS-002")
AWAITED = msgspec.structs.replace(COMPLETE, role=Role.WAITED)
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


def not_ready() -> Story:
    """A Given that does not come about."""
    given = COMPLETE.of_step("And the Job completes", precondition=True)
    return story().job("a").claims(1, given).closes(1)


def hung() -> Story:
    """Nothing happens, and nothing shows that the implementation was alive."""
    alive = proof(job_complete(job="a", succeeded=0)).scaled(1, "BAS-002")
    return (
        story()
        .job("a")
        .claims(1, never(pod_released(job="a")).scaled(1, "BAS-002"))
        .closes(1)
        .claims(2, alive)
        .closes(2)
    )


JUDGED = table(
    ("BAS-002", Verdict.PASSED, "", ()),
    when("all claims hold", met()),
    when("nothing was claimed", story()),
    ("BAS-002", Verdict.FAILED, "", ()),
    when("a claim is broken", missed()),
    when("what is claimed once the requirement is broken is not looked at"),
    missed().claims(2, eventually(job_complete(job="a", succeeded=0)).scaled(1, "BAS-050")).closes(2),
    when("a claim is broken after something was waited for in vain"),
    story().job("a").claims(2, AWAITED).closes(2).claims(1, COMPLETE).closes(1),
    ("FIN-004", Verdict.FAILED, "", ()),
    when("its own invariant is broken", early()),
    ("BAS-002", Verdict.PASSED, "", ("FIN-004",)),
    when("an invariant accuses no other requirement", early()),
    ("BAS-002", Verdict.PASSED, "", ("BAS-060",)),
    when("a breach after all claims held", met().pod("a-1")),
    ("FIN-004", Verdict.PASSED, "", ("BAS-002",)),
    when("a claim may speak of another requirement", missed()),
    ("BAS-002", Verdict.INCONCLUSIVE, "fault never triggered", ()),
    when("a fault never struck", met().fault(1, "armed")),
    ("BAS-002", Verdict.PASSED, "", ()),
    when("all faults struck", met().fault(1, "armed").fault(1, "fired")),
    ("BAS-002", Verdict.INCONCLUSIVE, "fault never triggered", ()),
    when("a claim is broken, but its fault never struck"),
    story().fault(1, "armed").job("a").claims(1, COMPLETE).closes(1),
    ("BAS-002", Verdict.FAILED, "", ()),
    when("a claim was broken before the fault", missed().fault(1, "armed")),
    ("FIN-004", Verdict.FAILED, "", ()),
    when("an invariant is broken all the same", early().fault(1, "armed")),
    ("FIN-004", Verdict.INCONCLUSIVE, "fault never triggered", ()),
    when("a step waits in vain for the fault", story().fault(1, "armed").claims(1, STRUCK).closes(1)),
    ("BAS-002", Verdict.INCONCLUSIVE, "precondition", ()),
    when("a Given does not come about", not_ready()),
    ("BAS-002", Verdict.INCONCLUSIVE, "precondition", ("FIN-004",)),
    when("a Given does not come about, and there is a breach"),
    not_ready().pod("a-1").succeeds("a-1").released("a-1"),
    ("FIN-004", Verdict.FAILED, "", ()),
    when("a Given does not come about, and the requirement itself is broken"),
    not_ready().pod("a-1").succeeds("a-1").released("a-1"),
    ("BAS-002", Verdict.INCONCLUSIVE, "no proof of life", ()),
    when("nothing shows that it was alive", hung()),
)


@pytest.mark.parametrize(
    ("told", "own", "verdict", "reason", "others"),
    [pytest.param(row.told, *row.above, id=row.when) for row in JUDGED],
)
def test_a_history_is_judged(
    told: Story, own: str, verdict: Verdict, reason: str, others: tuple[str, ...]
) -> None:
    concluded = judge_history(told.records, own)

    assert concluded.verdict is verdict
    assert concluded.reason.partition(":")[0] == reason
    assert tuple(one.requirement for one in concluded.breaches) == others
    assert (concluded.unmet is not None) == (verdict is Verdict.FAILED)
    assert (concluded.unmet.requirement if concluded.unmet else own) == own


def test_a_precondition_says_what_did_not_come_about_and_who_speaks_of_it() -> None:
    given = eventually(active_pods(job="a", at_least=2)).scaled(1, "BAS-054")
    told = story().job("a").claims(1, given.of_step("Given 2 pods are running", precondition=True)).closes(1)

    stopped = judge_history(told.records, "BAS-054").precondition

    assert stopped is not None
    said = Precondition.of(stopped)
    assert said.step == "Given 2 pods are running"
    assert (said.expected, said.observed) == (stopped.finding.expected, stopped.finding.observed)
    assert "BAS-016" in said.speaks_of


def test_the_first_broken_claim_is_told_with_the_sentence_of_the_scenario() -> None:
    told = missed().claims(2, KEPT).pod("a-1").released("a-1").closes(2)

    finding = judge_history(told.records, "BAS-002", {"BAS-002": "A Job MUST complete."}).unmet

    assert finding is not None
    assert finding.text().startswith(
        "BAS-002 not met: A Job MUST complete.\n  expected  the Job completes with 0 succeeded pods"
    )


# -- a whole run


def recorded(
    folder: Path,
    *cases: tuple[dict[str, Any], Story | None],
    not_in_force: Sequence[str] = (),
    **implementation: Any,
) -> list[Again]:
    """Save a run with these scenarios and their histories, and judge it again."""
    (folder / "histories").mkdir()
    records = []
    for number, (record, told) in enumerate(cases):
        path = f"histories/{number}.jsonl" if told else None
        records.append({**record, "id": f"{record['id']} {number}", "history": path})
        if told and path:
            (folder / path).write_bytes(encode(told.records))
    judged = {**header()["implementation"], **implementation}
    return replay(
        read_results(
            write_stream(folder, stream(records, implementation=judged, not_in_force=list(not_in_force)))
        ),
        folder,
    )


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


FINDING = "the Job completes with 0 succeeded pods"
"""What the history of ``missed`` does not show."""


def waived(**changes: Any) -> dict[str, Any]:
    """A scenario of BAS-002 whose failure a deviation covers."""
    record = scenario("BAS-002", "waived", "skipped", reason="waived", unmet=unmet("BAS-002"))
    admitted = {
        "requirement": "BAS-002",
        "scenario": f"{record['id']} 0",
        "fact": "job_complete",
        "values": [{"active": 0, "conditions": []}],
    }
    return record | {"waived": WAIVER | admitted | changes}


def test_a_waived_scenario_is_judged_again_and_agrees_when_it_fails_in_the_same_way(tmp_path: Path) -> None:
    record = waived(arguments=["succeeded=0"])

    (one,) = recorded(tmp_path, (record, missed()), deviations=[record["waived"]])

    assert one.conclusion.unmet is not None
    assert (one.conclusion.unmet.expected, one.verdict, one.agrees) == (FINDING, Verdict.SKIPPED, True)


@pytest.mark.parametrize(
    ("changes", "told", "verdict"),
    [
        pytest.param({}, met(), Verdict.PASSED, id="it would pass now"),
        pytest.param({"fact": "job_failed"}, missed(), Verdict.FAILED, id="another fact is broken"),
        pytest.param({"values": [{"active": 1}]}, missed(), Verdict.FAILED, id="it is broken in another way"),
        pytest.param({"arguments": ["succeeded=3"]}, missed(), Verdict.FAILED, id="of other arguments"),
        pytest.param({"scenario": "another"}, missed(), Verdict.FAILED, id="in another scenario"),
    ],
)
def test_a_waived_scenario_with_another_end_is_another_verdict(
    tmp_path: Path, changes: dict[str, Any], told: Story, verdict: Verdict
) -> None:
    record = waived(**changes)

    (one,) = recorded(tmp_path, (record, told), deviations=[record["waived"]])

    assert (one.verdict, one.agrees) == (verdict, False)


def test_breaches_are_compared_too(tmp_path: Path) -> None:
    breach = unmet("FIN-004") | {"waived": None}
    passed = scenario("BAS-002", "passed", "passed")

    same, gone, new = recorded(
        tmp_path,
        (passed | {"breaches": [breach]}, early()),
        (passed | {"breaches": [breach]}, met()),
        (passed, early()),
    )

    assert (same.agrees, gone.agrees, new.agrees) == (True, False, False)
    assert gone.no_more_broken == ("FIN-004",)
    assert [one.requirement for one in new.newly_broken] == ["FIN-004"]


def test_what_is_not_in_force_is_not_judged_again(tmp_path: Path) -> None:
    (one,) = recorded(tmp_path, (scenario("BAS-002", "passed", "passed"), early()), not_in_force=["FIN-004"])

    assert one.agrees


def raising(*_: object, **__: object) -> None:
    """A fact with a mistake."""
    raise KeyError("template")


@pytest.mark.parametrize("claimed", [eventually, always, never, now])
def test_a_fact_that_raises_is_errored_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claimed: Callable[[FactCall], Claim]
) -> None:
    fact = job_complete(job="a", succeeded=0)
    monkeypatch.setattr(FactCall, "of", raising)
    told = headed_story().job("a").claims(1, claimed(fact).scaled(1, "BAS-002")).closes(1)
    record = scenario("BAS-002", "errored", "errored", reason="a fact broke", error="fact job_complete broke")

    (one,) = recorded(tmp_path, (record, told))

    assert (one.verdict, one.judged, one.agrees) == (Verdict.ERRORED, True, True)
    assert re.fullmatch(
        r"fact job_complete broke at record 2, unit/test_replay\.py:\d+: KeyError: 'template'", one.error
    )


def test_what_a_fact_that_is_mended_says_of_a_part_of_a_scenario_is_no_pass(tmp_path: Path) -> None:
    record = scenario("BAS-002", "errored", "errored", reason="a fact broke", error="fact job_complete broke")

    held, broken = recorded(tmp_path, (record, met()), (record, missed()))

    assert [one.verdict for one in (held, broken)] == [Verdict.INCONCLUSIVE, Verdict.FAILED]


def test_a_run_without_one_of_its_histories_cannot_be_judged_again(tmp_path: Path) -> None:
    records = [scenario("BAS-002", "gone", history="histories/gone.jsonl")]
    results = read_results(write_stream(tmp_path, stream(records)))

    with pytest.raises(UserError, match=r"gone\.jsonl is missing"):
        replay(results, tmp_path)


def test_what_did_not_stay_so_accuses_whatever_does_not_come_about_after_it() -> None:
    lasts = stays(job_complete(job="a", succeeded=0)).scaled(1, "BAS-002")
    given = eventually(job_complete(job="b", succeeded=0), precondition=True).scaled(1, "BAS-002")
    told = story().job("a").claims(1, lasts).complete("a", succeeded=0).status("a", succeeded=1)
    told.claims(2, given).closes(2).closes(1)
    assert judge_history(told.records, "BAS-002").verdict is Verdict.FAILED


def test_a_fault_that_comes_later_and_never_strikes_excuses_nothing_before_it() -> None:
    lasts = stays(job_complete(job="a", succeeded=0)).scaled(1, "BAS-002")
    told = story().job("a").claims(1, lasts).complete("a", succeeded=0).status("a", succeeded=1)
    told.fault(1, "armed").claims(2, STRUCK).closes(2).closes(1)
    assert judge_history(told.records, "BAS-002").verdict is Verdict.FAILED


@pytest.mark.parametrize("verdict", ["passed", "failed"])
def test_a_verdict_for_which_no_history_is_named_does_not_stand(tmp_path: Path, verdict: str) -> None:
    with pytest.raises(UserError, match=r"name no history for .*BAS-002 0.*, which is recorded as"):
        recorded(tmp_path, (scenario("BAS-002", "BAS-002", verdict), None))


def test_what_scenarios_rely_on_is_a_fact_that_requirements_speak_of() -> None:
    named = {id_ for it in every() for id_ in it.judged_by}
    assert named
    assert named <= {*load_registry()}
