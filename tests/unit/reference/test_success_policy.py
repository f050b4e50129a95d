"""successPolicy: which successes are enough, and what goes before them."""

from __future__ import annotations

import pytest
from reference_builders import NOW, condition, job, pod, status

from reference_controller.job.ending import ending
from reference_controller.job.objects import SUCCESS_CRITERIA_MET, Job, Pod, SuccessRule
from reference_controller.job.observed import Observed, tally
from reference_controller.job.outcome import Ending
from reference_controller.job.success_policy import met

FIRST = SuccessRule(indexes=frozenset({0}))


def indexed(*rules: SuccessRule, **fields: object) -> Job:
    return job(completions=4, parallelism=4, completion_mode="Indexed", success_rules=rules, **fields)


def ends(it: Job, *pods: Pod) -> Ending | None:
    observed = Observed(it, pods)
    return ending(observed, tally(observed), NOW)


@pytest.mark.parametrize(
    ("rule", "succeeded", "expected"),
    [
        (SuccessRule(count=2), {1}, False),
        (SuccessRule(count=2), {1, 3}, True),
        (SuccessRule(indexes=frozenset({0, 2})), {0, 1}, False),
        (SuccessRule(indexes=frozenset({0, 2})), {0, 1, 2}, True),
        (SuccessRule(indexes=frozenset({1, 2, 3}), count=2), {0, 1}, False),
        (SuccessRule(indexes=frozenset({1, 2, 3}), count=2), {1, 3}, True),
        (SuccessRule(), {0, 1, 2, 3}, False),
    ],
)
def test_a_rule_is_met_by(rule: SuccessRule, succeeded: set[int], expected: bool) -> None:
    assert met(rule, succeeded) is expected


def test_recorded_and_new_successes_count_together() -> None:
    it = indexed(SuccessRule(count=2), status=status(completed_indexes="3"))
    early = ends(it, pod("Succeeded", completion_index=0), pod(completion_index=1))
    assert early == Ending(SUCCESS_CRITERIA_MET, "SuccessPolicy", "Matched rules at index 0")


def test_the_first_rule_that_is_met_is_told() -> None:
    rules = (FIRST, SuccessRule(indexes=frozenset({1})), SuccessRule(count=1))
    early = ends(indexed(*rules), pod("Succeeded", completion_index=1))
    assert early
    assert early.message == "Matched rules at index 1"


def test_a_failure_goes_first() -> None:
    it = indexed(FIRST, backoff_limit=0)
    end = ends(it, pod("Succeeded", completion_index=0), pod("Failed", completion_index=1))
    assert end
    assert end.reason == "BackoffLimitExceeded"


@pytest.mark.parametrize("announced", [SUCCESS_CRITERIA_MET, "FailureTarget"])
def test_what_is_announced_holds(announced: str) -> None:
    it = indexed(FIRST, backoff_limit=0, status=status(conditions=(condition(announced),)))
    end = ends(it, pod("Succeeded", completion_index=0), pod("Failed", completion_index=1))
    assert end == Ending(announced, "R", "m")


def test_without_rules_completions_decide() -> None:
    assert ends(indexed(), pod("Succeeded", completion_index=0)) is None
