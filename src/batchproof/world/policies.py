"""The words for the policies of a Job: which failures mean what.

``where exit code 42 means FailJob, then condition DisruptionTarget means Ignore``: the rules, in their order.
"""

from __future__ import annotations

import re
from typing import Any

_RULE = re.compile(
    r"(?:exit codes? (?P<not_in>other than )?(?P<codes>-?\d+(?:(?:, | or )-?\d+)*)"
    r"(?: of container (?P<container>\w+))?"
    r"|condition (?P<condition>\w+)(?: (?P<status>True|False|Unknown))?) means (?P<action>\w+)"
)


def policy(words: str) -> dict[str, Any]:
    """The policy that follows ``where``, as a part of a Job's spec."""
    return failure_policy(words)


def failure_policy(words: str) -> dict[str, Any]:
    """The podFailurePolicy that a sentence tells, as a part of a Job's spec.

    Raises:
        ValueError: the words are not those of a rule.
    """
    return {"podFailurePolicy": {"rules": [_rule(part) for part in words.split(", then ")]}}


def _rule(words: str) -> dict[str, Any]:
    told = _RULE.fullmatch(words)
    if told is None:
        raise ValueError(f"not a rule of a podFailurePolicy: {words!r}")
    if told["condition"]:
        pattern = {"type": told["condition"], "status": told["status"] or "True"}
        return {"action": told["action"], "onPodConditions": [pattern]}
    codes: dict[str, Any] = {
        "operator": "NotIn" if told["not_in"] else "In",
        "values": [int(code) for code in re.findall(r"-?\d+", told["codes"])],
    }
    if told["container"]:
        codes["containerName"] = told["container"]
    return {"action": told["action"], "onExitCodes": codes}
