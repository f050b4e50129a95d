"""How long a replacement may rightfully take, and that a claim waits for it no longer than that."""

from __future__ import annotations

import pytest
from histories import Story, story

from batchproof.judgement.claims import Claim, Judgement, eventually, never
from batchproof.judgement.delays import delayed_until_s
from batchproof.profiles.job.delays import delay_s
from batchproof.profiles.job.facts.indexes import active_indexes, created_indexes
from batchproof.profiles.job.facts.jobs import job_finished, job_reports
from batchproof.profiles.job.facts.pods import active_pods_exactly, created_pods


def job(**spec: object) -> Story:
    """A Job with two pods, at second 1."""
    return story().at(1).job("a", parallelism=2, **spec).pods("a-1", "a-2")


def failed(**spec: object) -> Story:
    """One of them has failed at second 5."""
    return job(**spec).at(5).fails("a-1")


@pytest.mark.parametrize(
    ("history", "until_s"),
    [
        pytest.param(job(), 0, id="nothing has failed"),
        pytest.param(failed(), 15, id="10 s after the first failure was seen"),
        pytest.param(failed().at(7).fails("a-2"), 27, id="20 s after the second"),
        pytest.param(failed().at(7).status("a", failed=1), 15, id="it was counted, which changes nothing"),
        pytest.param(failed().at(6).succeeds("a-2"), 15, id="a success need not end the row"),
        pytest.param(failed().at(8).process(2, "started").at(9).process(2, "ready"), 19, id="a new process"),
        pytest.param(failed().at(9).status("a", "Complete"), 0, id="the Job is finished"),
        pytest.param(failed().at(9).spec("a", suspend=True), 0, id="the Job is suspended"),
        pytest.param(failed().at(9).deleting("jobs", "a"), 0, id="the Job is being deleted"),
        pytest.param(job().at(5).deleting("pods", "a-1"), 15, id="a user deletes a pod"),
        pytest.param(
            job().at(5).deleting("pods", "a-1").at(9).fails("a-1"),
            19,
            id="a pod that a user deletes ends later",
        ),
        pytest.param(
            job().at(5).write("delete", "pods", "a-1").deleting("pods", "a-1").fails("a-1"),
            0,
            id="the implementation deletes a pod",
        ),
        pytest.param(
            failed().at(7).job("b").pods("b-1", of="b").at(8).fails("b-1"),
            18,
            id="that of another Job is longer",
        ),
    ],
)
def test_a_replacement_may_be_delayed_until(history: Story, until_s: float) -> None:
    assert delayed_until_s(history.seen) == until_s


def indexed(**spec: object) -> Story:
    told = story().at(1).job("a", parallelism=2, completions=2, completionMode="Indexed", **spec)
    return told.pod("a-0", index=0).pod("a-1", index=1).at(5).fails("a-0").at(6).fails("a-1")


def test_each_index_has_a_delay_of_its_own() -> None:
    assert delayed_until_s(indexed(backoffLimitPerIndex=3).seen) == 16
    assert delayed_until_s(indexed().seen) == 26


def due_s(claim: Claim, history: Story) -> float:
    judgement = Judgement(claim.scaled(1.0, "BAS-015"), 0)
    judgement.look(history.seen)
    return judgement.due_s(history.seen)


ACTIVE = active_pods_exactly(job="a", count=2)


def test_what_lacks_only_the_delayed_pods_is_waited_for_beyond_its_limit() -> None:
    reaction_s = 6
    for fact in (
        ACTIVE,
        created_pods(job="a", count=3),
        job_reports(job="a", counts="2 active pods"),
        active_indexes(job="a", indexes=[0, 1]),
        created_indexes(job="a", indexes=[0, 1, 1]),
    ):
        told = story().at(1).job("a", parallelism=2).pod("a-0", index=0).pod("a-1", index=1).at(5)
        assert due_s(eventually(fact), told.fails("a-1").status("a", active=1)) == 15 + reaction_s, fact


@pytest.mark.parametrize(
    ("claim", "history"),
    [
        pytest.param(eventually(ACTIVE), job().pod("a-3"), id="there are too many"),
        pytest.param(eventually(ACTIVE, within="settle"), job(), id="it holds already"),
        pytest.param(eventually(active_pods_exactly(job="a", count=3)), job(), id="nothing has failed"),
        pytest.param(eventually(ACTIVE, within="patience"), failed(), id="a limit that is given in seconds"),
        pytest.param(never(job_finished(job="a")), failed(), id="a window"),
        pytest.param(eventually(job_finished(job="a")), failed(), id="something else"),
        pytest.param(
            eventually(job_reports(job="a", counts="2 active and 1 failed pods")),
            failed().status("a", active=1),
            id="FAIL-014: failures are counted without delay",
        ),
    ],
)
def test_nothing_else_is_waited_for_any_longer(claim: Claim, history: Story) -> None:
    assert due_s(claim, history) == 0


@pytest.mark.parametrize(("failures", "seconds"), [(1, 10), (2, 20), (6, 320), (7, 600), (50, 600)])
def test_each_failure_doubles_the_delay_up_to_ten_minutes(failures: int, seconds: float) -> None:
    assert delay_s(failures) == seconds
