"""The words for the policies of a Job, as parts of its spec."""

from __future__ import annotations

from typing import Any

import pytest

from batchproof.ground.errors import HarnessError
from batchproof.profiles.job.policies import policies


def codes(operator: str, *values: int, **more: str) -> dict[str, Any]:
    return {"onExitCodes": {"operator": operator, "values": [*values], **more}}


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("exit code 42 means FailJob", [{"action": "FailJob", **codes("In", 42)}]),
        (
            "exit codes other than 1, 2 or -3 of container main means Ignore",
            [{"action": "Ignore", **codes("NotIn", 1, 2, -3, containerName="main")}],
        ),
        (
            "condition Odd False means Count, then condition DisruptionTarget means Ignore",
            [
                {"action": "Count", "onPodConditions": [{"type": "Odd", "status": "False"}]},
                {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
            ],
        ),
    ],
)
def test_rules_are_read_in_their_order(words: str, rules: list[dict[str, Any]]) -> None:
    assert policies(words) == {"podFailurePolicy": {"rules": rules}}


def test_other_words_are_refused_with_what_to_write() -> None:
    with pytest.raises(HarnessError, match=r"'exit 42 fails'; write 'exit code 42 means FailJob'"):
        policies("exit 42 fails")


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("2 indexes mean success", {"succeededCount": 2}),
        ("index 0 means success", {"succeededIndexes": "0"}),
        ("indexes 0,2-3 mean success", {"succeededIndexes": "0,2-3"}),
        ("1 of indexes 2-3 means success", {"succeededCount": 1, "succeededIndexes": "2-3"}),
    ],
)
def test_rules_of_success_are_a_policy_of_their_own(words: str, rule: dict[str, Any]) -> None:
    assert policies(words) == {"successPolicy": {"rules": [rule]}}
    both = policies(f"{words}, then exit code 42 means FailJob")
    assert both.keys() == {"podFailurePolicy", "successPolicy"}
