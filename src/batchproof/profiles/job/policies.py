"""The words for the policies of a Job: which failures mean what, and which successes are enough.

``where exit code 42 means FailJob, then condition DisruptionTarget means Ignore``: the rules, in their order.
``2 indexes mean success``, ``indexes 0,2-3 mean success`` and ``1 of indexes 2-3 means success`` are rules of
the successPolicy.
"""

from __future__ import annotations

import re
from typing import Any

from batchproof.ground.errors import HarnessError

_RULE = re.compile(
    r"(?:exit codes? (?P<not_in>other than )?(?P<codes>-?\d+(?:(?:, | or )-?\d+)*)"
    r"(?: of container (?P<container>\w+))?"
    r"|condition (?P<condition>\w+)(?: (?P<status>True|False|Unknown))?) means (?P<action>\w+)"
)


_SUCCESS = re.compile(
    r"(?:(?P<count>\d+) indexes|(?:(?P<some>\d+) of )?index(?:es)? (?P<indexes>\d+(?:[,-]\d+)*))"
    r" means? success"
)


_ANY_RULE = re.sub(r"\(\?P<\w+>", "(?:", f"(?:{_RULE.pattern}|{_SUCCESS.pattern})")
RULES = f"{_ANY_RULE}(?:, then {_ANY_RULE})*"
"""The pattern of what ``policies`` reads."""


def policies(words: str) -> dict[str, Any]:
    """The policies whose rules follow ``where`` in a sentence, as a part of a Job's spec.

    Raises:
        HarnessError: the words are not those of a rule.
    """
    failures: list[dict[str, Any]] = []
    successes: list[dict[str, Any]] = []
    for part in words.split(", then "):
        if rule := _SUCCESS.fullmatch(part):
            successes.append(_success(rule))
        else:
            failures.append(_rule(part))
    found = {"podFailurePolicy": failures, "successPolicy": successes}
    return {policy: {"rules": rules} for policy, rules in found.items() if rules}


def _success(rule: re.Match[str]) -> dict[str, Any]:
    count = rule["count"] or rule["some"]
    counted = {"succeededCount": int(count)} if count else {}
    return counted | ({"succeededIndexes": rule["indexes"]} if rule["indexes"] else {})


def _rule(words: str) -> dict[str, Any]:
    rule = _RULE.fullmatch(words)
    if rule is None:
        raise HarnessError(
            f"not a rule of a podFailurePolicy or successPolicy: {words!r}; write 'exit code 42 means "
            "FailJob', 'exit codes other than 1 or 2 of container main means Ignore', 'condition "
            "DisruptionTarget means Ignore' or '1 of indexes 2-3 means success'"
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
