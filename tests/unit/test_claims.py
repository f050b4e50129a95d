"""Claims: what each quantifier means, and that a saved history is judged as the live one was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from histories import Story, headed_story, story
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from batchproof.ground.errors import UserError
from batchproof.judgement.claims import (
    Claim,
    Judgement,
    always,
    eventually,
    explain,
    judge,
    never,
    now,
    stays,
)
from batchproof.judgement.facts import FactCall
from batchproof.judgement.finding import Finding
from batchproof.judgement.forms import DEADLINES_S, Quantifier
from batchproof.judgement.history import Record, Saved, encode
from batchproof.judgement.observed import Observed
from batchproof.profiles.job.facts.jobs import job_finished, job_reports
from batchproof.profiles.job.facts.pods import active_pods, created_pods
from batchproof.profiles.job.facts.tracking import pod_released
from batchproof.report.records import ClaimRecord as Recorded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FINISHED = job_finished(job="a")
QUANTIFIERS: dict[str, Callable[[FactCall], Claim]] = {
    "eventually": eventually,
    "always": always,
    "never": never,
    "now": now,
    "stays": stays,
}


# -- what the quantifiers mean: F is a record after which the Job is finished, - one after which it is not


def judged(quantifier: str, course: str) -> Finding:
    """The finding of a claim that is opened after the first record and closed after the last."""
    told = story().job("a")
    for number, state in enumerate(course):
        if state == "F":
            told.status("a", "Complete")
        else:
            told.status("a")
        if number == 0:
            told.claims(1, QUANTIFIERS[quantifier](FINISHED).scaled(1, "BAS-050"))
    told.closes(1)
    (one,) = judge(told.records)
    return one.finding


@pytest.mark.parametrize(
    ("quantifier", "course", "holds"),
    [
        pytest.param("eventually", "F", True, id="eventually holds of what is true already"),
        pytest.param("eventually", "--F", True, id="eventually holds of what becomes true"),
        pytest.param("eventually", "-F-", True, id="eventually holds of what was true for a moment"),
        pytest.param("eventually", "---", False, id="eventually is broken at the end of its window"),
        pytest.param("always", "FFF", True, id="always holds of what stays true"),
        pytest.param("always", "FF-", False, id="always is broken by the last record"),
        pytest.param("always", "F-F", False, id="always is broken by one moment"),
        pytest.param("always", "-FF", False, id="always is broken by the state when it is made"),
        pytest.param("never", "---", True, id="never holds of what stays false"),
        pytest.param("never", "-F-", False, id="never is broken by one moment"),
        pytest.param("never", "F--", False, id="never is broken by the state when it is made"),
        pytest.param("now", "F-", True, id="now does not look at what comes after"),
        pytest.param("now", "-F", False, id="now does not wait"),
        pytest.param("stays", "FF", True, id="stays holds of what is true all the time"),
        pytest.param("stays", "--FF", True, id="stays holds of what becomes true and stays so"),
        pytest.param("stays", "---", False, id="stays is broken by what never becomes true"),
        pytest.param("stays", "-F-", False, id="stays is broken by what was true for a moment only"),
        pytest.param("stays", "F-F", False, id="stays is broken by one moment after it came about"),
    ],
)
def test_a_quantifier_means_what_it_says(quantifier: str, course: str, *, holds: bool) -> None:
    assert judged(quantifier, course).holds == holds


def test_what_broke_a_claim_stays_though_it_was_put_right() -> None:
    finding = judged("always", "F-F")

    assert finding.observed == "empty status"
    assert finding.requirement == "BAS-050"


def test_a_broken_never_expects_the_opposite() -> None:
    assert judged("never", "F").expected == "the Job does not finish"


@pytest.mark.parametrize(
    ("quantifier", "course", "expected"),
    [("stays", "-F-F", "the Job finishes, and stays so"), ("always", "FF-F", "the Job finishes")],
)
def test_what_did_not_stay_so_shows_the_record_that_broke_it(
    quantifier: str, course: str, expected: str
) -> None:
    finding = judged(quantifier, course)

    assert finding.expected == expected
    assert finding.timeline[-1].here
    assert finding.timeline[-1].record == finding.decisive[-1]


@pytest.mark.parametrize(
    ("course", "holds"),
    [
        pytest.param("F-F", True, id="true at the end, after it was untrue again"),
        pytest.param("-F-", False, id="untrue at the end"),
        pytest.param("---", False, id="never true"),
    ],
)
def test_what_is_so_in_the_end_may_be_untrue_before_it_settles(course: str, *, holds: bool) -> None:
    told = story().job("a").claims(1, stays(FINISHED, within="recovery").scaled(1, "BAS-050"))
    for state in course:
        told.status("a", *(["Complete"] if state == "F" else []))
    (one,) = judge(told.closes(1).records)

    assert one.finding.holds == holds


def test_a_claim_that_stays_took_as_long_as_it_took_to_come_about() -> None:
    told = story().job("a")
    told.claims(1, stays(FINISHED).scaled(1, "BAS-050"))
    told.status("a", "Complete")
    came_s = told.seen.now_s
    told.act("something else").closes(1)
    (one,) = judge(told.records)

    assert one.outcome == "held"
    assert one.closed_s == came_s


# -- live and again


FACTS = [
    FINISHED,
    active_pods(job="a", at_least=2),
    created_pods(job="a", count=2),
    pod_released(job="a"),
    job_reports(job="a", counts="1 succeeded"),
]
CLAIMS = st.builds(
    lambda of, fact: QUANTIFIERS[of](fact), st.sampled_from([*QUANTIFIERS]), st.sampled_from(FACTS)
)
STEPS = st.sampled_from(["create", "succeed", "release", "remove", "count", "finish", "act", "write"])


def step(told: Story, what: str) -> None:
    """One more record, whatever the order is that steps come in."""
    pods = told.seen.pods
    match what:
        case "create":
            told.pod(f"a-{told.last}")
        case "succeed" if pods:
            told.succeeds(pods[0].name)
        case "release" if pods:
            told.released(pods[0].name)
        case "remove" if pods:
            told.gone("pods", pods[-1].name)
        case "count":
            told.status("a", succeeded=1)
        case "finish":
            told.complete("a", succeeded=1)
        case "write":
            told.write("create", "pods")
        case _:
            told.act("something else")


def judged_live(told: Story, number: int, claim: Claim, window: list[str], late: list[str]) -> Finding:
    """As ``World.claim`` does: look after each record, stop as soon as it is decided, close later."""
    seen = Observed()
    for record in told.records:
        seen.apply(record)
    forget_seen = told.history.listen(seen.apply)
    judgement = Judgement(claim, len(told.records))

    def look(_: Record) -> None:
        judgement.look(seen)

    forget = told.history.listen(look)
    told.claims(number, claim)
    for what in window:
        if judgement.finding is None:
            step(told, what)
    for what in late if judgement.finding else ():
        step(told, what)
    forget()
    told.closes(number)
    finding = explain(judgement, seen, "The sentence.")
    forget_seen()
    return finding


@given(
    first=st.lists(STEPS, max_size=4),
    claims=st.lists(st.tuples(CLAIMS, st.lists(STEPS, max_size=6), st.lists(STEPS, max_size=2)), max_size=3),
)
@example(first=[], claims=[(now(FINISHED), ["finish"], [])])
@example(first=["finish"], claims=[(always(FINISHED), ["count", "finish"], ["finish"])])
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=200,
)
def test_a_saved_history_is_judged_as_it_was_live(
    tmp_path: Path, first: list[str], claims: list[tuple[Claim, list[str], list[str]]]
) -> None:
    told = headed_story().job("a", completions=1)
    for what in first:
        step(told, what)
    live = [
        judged_live(told, number, claim.scaled(2, "BAS-001"), window, late)
        for number, (claim, window, late) in enumerate(claims, 1)
    ]
    path = tmp_path / "history.jsonl"
    path.write_bytes(encode(told.records))

    again = judge(Saved(path), {"BAS-001": "The sentence."})

    assert [one.finding for one in again] == live


# -- claims as data


@given(claim=CLAIMS, scale=st.floats(0.1, 10))
def test_a_claim_survives_its_way_through_json(claim: Claim, scale: float) -> None:
    scaled = claim.scaled(scale, "FIN-004")

    assert Claim.from_json(scaled.to_json()) == scaled


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (eventually(FINISHED), "within 6 seconds the Job finishes (within 12 s)"),
        (
            eventually(FINISHED, within="settle"),
            f"the Job finishes (within {DEADLINES_S['settle'] * 2:g} s)",
        ),
        (now(FINISHED), "now the Job finishes"),
    ],
)
def test_a_claim_tells_its_scaled_deadline(claim: Claim, text: str) -> None:
    assert claim.scaled(2, "BAS-050").text == text


@pytest.mark.parametrize(
    ("limit", "scale", "longest_backoff_s", "limit_s"),
    [
        pytest.param("recovery", 1, 0, 40, id="as it is"),
        pytest.param("recovery", 2, 0, 80, id="of a slow one"),
        pytest.param(
            "recovery", 1, 60, 66, id="of one that may wait for a minute before a retry, and then reacts"
        ),
        pytest.param("recovery", 2, 60, 80, id="of a slow one that waits no longer than that"),
        pytest.param("settle", 1, 60, 20, id="of what is no recovery"),
    ],
)
def test_a_deadline_is_scaled(limit: str, scale: float, longest_backoff_s: float, limit_s: float) -> None:
    claim = eventually(FINISHED, within=limit).scaled(scale, "BAS-050", longest_backoff_s)

    assert (claim.limit_s, claim.requirement) == (limit_s, "BAS-050")
    assert claim.scaled(1, "BAS-051").requirement == "BAS-050"


@pytest.mark.parametrize(
    ("claim", "most_s", "limit_s"),
    [
        (eventually(FINISHED), 2, 2),
        (eventually(FINISHED), 9, 6),
        (eventually(FINISHED), None, 6),
        (always(FINISHED), 1, 2),
    ],
)
def test_only_waiting_is_cut_short(claim: Claim, most_s: float | None, limit_s: float) -> None:
    assert claim.scaled(1, "BAS-050").at_most(most_s).limit_s == limit_s


def test_a_deadline_must_have_a_name() -> None:
    with pytest.raises(KeyError):
        eventually(FINISHED, within="a while").scaled(1, "BAS-050")


def test_a_history_that_ends_within_a_claim_is_refused() -> None:
    told = story().job("a").claims(7, never(FINISHED)).complete("a", succeeded=0)

    with pytest.raises(UserError, match="while claim 7 is being judged"):
        judge(told.records)


def test_claims_may_overlap() -> None:
    told = story().job("a").claims(1, never(FINISHED)).claims(2, eventually(FINISHED)).closes(1)

    held, kept = judge(told.complete("a", succeeded=0).closes(2).records)

    assert (held.claim.quantifier, held.finding.holds) == (Quantifier.NEVER, True)
    assert (kept.claim.quantifier, kept.finding.holds) == (Quantifier.EVENTUALLY, True)


def test_a_judged_claim_is_described_for_the_results() -> None:
    told = story().job("a").at(1).claims(1, eventually(FINISHED).scaled(1, "BAS-050")).at(2.5).closes(1)
    (one,) = judge(told.records)

    assert msgspec.to_builtins(Recorded.of(one)) == {
        "text": "within 6 seconds the Job finishes (within 6 s)",
        "requirement": "BAS-050",
        "outcome": "broken",
        "role": "judged",
        "deadline": "reaction",
        "limit_s": 6.0,
        "took_s": 1.5,
    }
    assert Recorded.of(replace(one, finding=replace(one.finding, holds=True))).outcome == "held"


@pytest.mark.parametrize(
    ("claim", "faults", "outcome"),
    [
        pytest.param(eventually(FINISHED), [], "broken", id="a claim that does not hold is broken"),
        pytest.param(eventually(FINISHED), ["armed"], "undecided", id="unless its fault never struck"),
        pytest.param(eventually(FINISHED), ["armed", "fired"], "broken", id="also under a fault that struck"),
        pytest.param(
            eventually(FINISHED, precondition=True), [], "undecided", id="a precondition accuses none"
        ),
        pytest.param(never(FINISHED), ["armed"], "held", id="a claim may hold before its fault strikes"),
    ],
)
def test_only_what_rests_on_something_is_broken(claim: Claim, faults: list[str], outcome: str) -> None:
    told = story().job("a")
    for what in faults:
        told.fault(1, what)

    (one,) = judge(told.claims(1, claim.scaled(1, "BAS-050")).closes(1).records)

    assert one.outcome == Recorded.of(one).outcome == outcome


def test_a_claim_is_due_so_long_after_the_process_was_ready_and_not_after_it_ended() -> None:
    claim = eventually(job_finished(job="a"), within="settle").scaled(1, "BAS-050")
    told = story().job("a", completions=1).claims(1, claim).at(2).process(1, "started", "ready")

    (one,) = judge(told.at(5).process(1, "killed").at(9).closes(1).records)

    assert one.due_s == pytest.approx(2 + claim.limit_s, abs=0.5)


def test_a_claim_is_due_so_long_after_the_process_was_ready_with_the_newest_record() -> None:
    claim = eventually(job_finished(job="a"), within="settle").scaled(1, "BAS-050")
    seen = story().job("a", completions=1).at(2).process(1, "started", "ready").seen

    assert Judgement(claim, 1).latest_s(seen, 0.5) == seen.now_s + claim.limit_s
    assert Judgement(claim, seen.last).latest_s(seen, 0.5) == 0.5 + claim.limit_s
