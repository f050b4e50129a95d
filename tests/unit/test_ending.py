"""How the Jobs of a scenario end, and what of that the API determines."""

from __future__ import annotations

import pytest
from histories import Story, condition, story, time_of_day
from tables import params, table, when

from batchproof.judgement.ends import determined, differences, ending, undetermined, unrest
from batchproof.profiles.shared.objects.batch import Job

FAILED = condition("Failed", "BackoffLimitExceeded")


def job(**spec: object) -> Story:
    return story().job("a", **({"completions": 2, "parallelism": 2, "backoffLimit": 0} | spec))


def ended(history: Story, *pods: str) -> Story:
    """Pods that succeed, or fail if their name says so."""
    for pod in pods:
        history.pod(pod)
        (history.fails if "bad" in pod else history.succeeds)(pod).released(pod)
    return history


def test_a_complete_job_ends_with_its_counts() -> None:
    history = ended(job(), "a-1", "a-2").complete("a", succeeded=2)
    assert determined(history.seen) == {
        "jobs": "a",
        "job/a: state": "Complete",
        "job/a: succeeded": "2",
        "job/a: failed": "0",
        "job/a: held or uncounted pods": "0",
    }


def test_names_and_times_are_no_part_of_the_end() -> None:
    one = ended(job(), "a-1", "a-2").complete("a", succeeded=2)
    other = ended(job(), "a-x", "a-y").at(50).complete("a", succeeded=2)
    assert ending(one.seen) == ending(other.seen)


def test_what_a_failed_job_had_running_is_not_compared() -> None:
    history = ended(job(), "a-bad").status("a", "FailureTarget", FAILED, failed=1)
    end = determined(history.seen)
    assert end["job/a: state"] == "Failed, BackoffLimitExceeded"
    assert not {"job/a: failed", "job/a: succeeded"} & end.keys()


def test_of_a_job_under_way_the_active_pods_are_compared() -> None:
    history = job().pods("a-1", "a-2").status("a", active=2, startTime=time_of_day(0))
    assert ending(history.seen)["job/a: active"] == "2"


def test_of_a_work_queue_that_runs_dry_the_active_pods_are_not_compared() -> None:
    history = job(completions=None).pods("a-1").status("a", active=1, succeeded=1)
    assert "job/a: active" not in ending(history.seen)


SIX = ("a-1", *(f"a-{number}-bad" for number in range(1, 7)))
"""The pods of a Job of which one succeeds and six fail."""

ENDS = table(
    "",
    when("of another controller, which works on it"),
    job(managedBy="example.com/other").status("a", active=1),
    "time decides how Job a ends",
    when("deadline", job(activeDeadlineSeconds=5)),
    "time decides",
    when("time to live", job(ttlSecondsAfterFinished=1).gone("jobs", "a")),
    "too many failures and completes",
    when("might have failed", ended(job(), "a-1", "a-2", "a-bad").complete("a", succeeded=2)),
    "enough successes and fails",
    when("might have completed", ended(job(), "a-1", "a-2", "a-bad").status("a", FAILED)),
    when("might have completed by a rule"),
    ended(job(successPolicy={"rules": []}), "a-1", "a-bad").status("a", FAILED),
    "one of several reasons",
    when("might have failed by backoffLimit"),
    ended(job(), "a-bad").status("a", condition("Failed", "PodFailurePolicy")),
    "too many failures and completes",
    when("might have failed by a rule"),
    ended(job(successPolicy={"rules": []}, podFailurePolicy={}, backoffLimit=6), "a-1", "a-bad").complete(
        "a", succeeded=1
    ),
    "",
    when("six failures by default"),
    ended(story().job("a", completions=1, parallelism=6), *SIX).complete("a", succeeded=1),
    "too many failures and completes",
    when("more than six failures by default"),
    ended(story().job("a", completions=1, parallelism=7), "a-7-bad", *SIX).complete("a", succeeded=1),
    "",
    when("complete", ended(job(), "a-1", "a-2").complete("a", succeeded=2)),
    when("failed", ended(job(), "a-bad").status("a", FAILED)),
    when("more have succeeded than are wanted", job().status("a", succeeded=3)),
)


@pytest.mark.parametrize(("history", "why"), params(ENDS))
def test_what_depends_on_time_or_order_is_not_determined(history: Story, why: str) -> None:
    found = undetermined(history.seen)
    assert why in found
    assert bool(why) == bool(found)


def test_only_what_was_expected_is_compared() -> None:
    assert not differences({"a": "1"}, {"a": "1", "b": "2"})
    assert differences({"a": "1"}, {"b": "2"}) == "a is not there, not 1"


def test_what_happens_to_the_pods_of_another_job_leaves_an_end_determined() -> None:
    history = ended(job(), "a-1", "a-2").job("b").pod("b-1", of="b").deleting("pods", "b-1")
    end = determined(history.complete("a", succeeded=2).seen)
    assert end["job/a: succeeded"] == "2"


MATCHING = {"selector": {"matchLabels": {"app": "a"}}}


@pytest.mark.parametrize(
    ("history", "why"),
    [
        pytest.param(
            job(**MATCHING).pods("a-1", "a-2").labelled("a-1", app="a").labelled("a-2", app="b"),
            "has still to release",
            id="a pod that its selector does not match",
        ),
        pytest.param(
            job(**MATCHING).pod("x", of=None).labelled("x", app="a"),
            "or to adopt a pod",
            id="a pod that it matches and that has no controller",
        ),
        pytest.param(
            job(**MATCHING).pod("x", of="other").labelled("x", app="a"),
            "0 active pods, not 2",
            id="one that another controls",
        ),
        pytest.param(
            job(**MATCHING).pod("x", of=None).labelled("x", app="a").deleting("pods", "x"),
            "0 active pods, not 2",
            id="one that is being deleted",
        ),
    ],
)
def test_a_job_is_not_at_rest_while_a_pod_is_to_be_adopted_or_released(history: Story, why: str) -> None:
    active = sum(
        pod.active and bool(pod.controller) and pod.owned_by(history.seen.all(Job)[0])
        for pod in history.seen.pods
    )
    history.status("a", active=active, startTime=time_of_day(0))

    assert why in unrest(history.seen)
