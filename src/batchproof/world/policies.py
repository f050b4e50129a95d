"""The words for the policies of a Job: which failures mean what.

``where exit code 42 means FailJob, then condition DisruptionTarget means Ignore``: the rules, in their order.
"""

from __future__ import annotations

import re
from typing import Any

from batchproof.errors import HarnessError

_RULE = re.compile(
    r"(?:exit codes? (?P<not_in>other than )?(?P<codes>-?\d+(?:(?:, | or )-?\d+)*)"
    r"(?: of container (?P<container>\w+))?"
    r"|condition (?P<condition>\w+)(?: (?P<status>True|False|Unknown))?) means (?P<action>\w+)"
)


def failure_policy(words: str) -> dict[str, Any]:
    """The podFailurePolicy whose rules follow ``where`` in a sentence, as a part of a Job's spec.

    Raises:
        HarnessError: the words are not those of a rule.
    """
    return {"podFailurePolicy": {"rules": [_rule(part) for part in words.split(", then ")]}}


def _rule(words: str) -> dict[str, Any]:
    rule = _RULE.fullmatch(words)
    if rule is None:
        raise HarnessError(
            f"not a rule of a podFailurePolicy: {words!r}; write 'exit code 42 means FailJob', 'exit codes "
            "other than 1 or 2 of container main means Ignore' or 'condition DisruptionTarget means Ignore'"
        )
    if rule["condition"]:
        pattern = {"type": rule["condition"], "status": rule["status"] or "True"}
        return {"action": rule["action"], "onPodConditions": [pattern]}
    codes: dict[str, Any] = {
        "operator": "NotIn" if rule["not_in"] else "In",
        "values": [int(code) for code in re.findall(r"-?\d+", rule["codes"])],
    }
    if rule["container"]:
        codes["containerName"] = rule["container"]
    return {"action": rule["action"], "onExitCodes": codes}
