"""The words for the policies of a Job, as parts of its spec."""

from __future__ import annotations

from typing import Any

import pytest

from batchproof.errors import HarnessError
from batchproof.world.policies import failure_policy


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
    assert failure_policy(words) == {"podFailurePolicy": {"rules": rules}}


def test_other_words_are_refused_with_what_to_write() -> None:
    with pytest.raises(HarnessError, match=r"'exit 42 fails'; write 'exit code 42 means FailJob'"):
        failure_policy("exit 42 fails")
