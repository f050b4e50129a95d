"""podFailurePolicy: which rule decides about a failed pod, and what follows."""

from __future__ import annotations

import pytest
from reference_builders import NOW, job, pod

from reference_controller.job.actions import RemoveFinalizers
from reference_controller.job.backoff import Backoff
from reference_controller.job.ending import ending
from reference_controller.job.failure_policy import ignored, match
from reference_controller.job.objects import FailureRule, Pod
from reference_controller.job.observed import Observed, tally
from reference_controller.job.reconcile import reconcile
from reference_controller.objects.pods import Container

IN_42 = FailureRule("FailJob", "In", frozenset({42}))
NOT_IN_42 = FailureRule("FailJob", "NotIn", frozenset({42}))
SIDE_42 = FailureRule("FailJob", "In", frozenset({42}), "side")
DISRUPTED = FailureRule("Ignore", conditions=frozenset({("DisruptionTarget", "True")}))


def failed(**codes: int) -> Pod:
    """A failed pod with these exit codes, by the names of its containers; `setup` is an init container."""
    return pod(
        "Failed",
        containers=tuple(
            Container(name, "init" if name == "setup" else "main", exit_code=code)
            for name, code in codes.items()
        ),
    )


@pytest.mark.parametrize(
    ("rule", "one", "expected"),
    [
        (IN_42, failed(main=42), "Container main for {pod} failed with exit code 42"),
        (IN_42, failed(main=41), ""),
        (IN_42, failed(setup=42, main=0), "Container setup for {pod} failed with exit code 42"),
        (NOT_IN_42, failed(main=42, side=0), ""),
        (NOT_IN_42, failed(main=41), "Container main for {pod} failed with exit code 41"),
        (NOT_IN_42, failed(setup=7, main=8), "Container main for {pod} failed with exit code 8"),
        (SIDE_42, failed(main=42, side=1), ""),
        (SIDE_42, failed(main=1, side=42), "Container side for {pod} failed with exit code 42"),
        (
            DISRUPTED,
            pod("Failed", conditions=(("DisruptionTarget", "True"),)),
            "{Pod} has condition DisruptionTarget",
        ),
        (DISRUPTED, pod("Failed", conditions=(("DisruptionTarget", "False"),)), ""),
        (IN_42, pod("Running", containers=(Container("main", "main", exit_code=42),)), ""),
    ],
)
def test_what_a_rule_matches(rule: FailureRule, one: Pod, expected: str) -> None:
    found = match(job(failure_rules=(rule,)), one)
    where = f"pod ns/{one.name}"
    words = expected.format(pod=where, Pod=where.capitalize())
    assert (found.what if found else "") == words


def test_the_first_rule_that_matches_decides() -> None:
    count = FailureRule("Count", "In", frozenset({42}))
    found = match(job(failure_rules=(DISRUPTED, count, IN_42)), failed(main=42))
    assert found is not None
    assert (found.rule.action, found.index) == ("Count", 1)


def test_a_failure_that_means_failjob_ends_the_job_with_its_words() -> None:
    one = failed(main=42)
    observed = Observed(job(failure_rules=(IN_42,)), (one,))
    end = ending(observed, tally(observed), NOW)
    assert end is not None
    assert end.reason == "PodFailurePolicy"
    assert end.message == (
        f"Container main for pod ns/{one.name} failed with exit code 42 matching FailJob rule at index 0"
    )


def test_an_ignored_failure_is_let_go_uncounted_and_delays_its_replacement() -> None:
    one = pod("Failed", conditions=(("DisruptionTarget", "True"),), finish_time=NOW - 1)
    policy = job(failure_rules=(DISRUPTED,), backoff_limit=0)
    assert ignored(policy, one)
    observed = Observed(policy, (one,), backoff=Backoff())
    assert tally(observed).failed == 0
    assert reconcile(observed, NOW).actions == (RemoveFinalizers((one,), Backoff(1, NOW - 1)),)
