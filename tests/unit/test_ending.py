"""How the Jobs of a scenario end, and what of that the API determines."""

from __future__ import annotations

import pytest
from histories import Story, condition, story, time_of_day

from batchproof.judgement.ending import determined, differences, ending, undetermined

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


ENDS = [
    pytest.param(
        job(managedBy="example.com/other").status("a", active=1),
        "",
        id="of another controller, which works on it",
    ),
    pytest.param(job(activeDeadlineSeconds=5), "time decides how Job a ends", id="deadline"),
    pytest.param(job(ttlSecondsAfterFinished=1).gone("jobs", "a"), "time decides", id="time to live"),
    pytest.param(
        ended(job(), "a-1", "a-2", "a-bad").complete("a", succeeded=2),
        "too many failures and completes",
        id="might have failed",
    ),
    pytest.param(
        ended(job(), "a-1", "a-2", "a-bad").status("a", FAILED),
        "enough successes and fails",
        id="might have completed",
    ),
    pytest.param(
        ended(job(successPolicy={"rules": []}), "a-1", "a-bad").status("a", FAILED),
        "enough successes and fails",
        id="might have completed by a rule",
    ),
    pytest.param(
        ended(job(), "a-bad").status("a", condition("Failed", "PodFailurePolicy")),
        "one of several reasons",
        id="might have failed by backoffLimit",
    ),
    pytest.param(
        ended(job(successPolicy={"rules": []}, podFailurePolicy={}, backoffLimit=6), "a-1", "a-bad").complete(
            "a", succeeded=1
        ),
        "too many failures and completes",
        id="might have failed by a rule",
    ),
    pytest.param(ended(job(), "a-1", "a-2").complete("a", succeeded=2), "", id="complete"),
    pytest.param(ended(job(), "a-bad").status("a", FAILED), "", id="failed"),
]


@pytest.mark.parametrize(("history", "why"), ENDS)
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
