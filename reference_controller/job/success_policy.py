"""successPolicy: when an Indexed Job has succeeded before all its indexes have (KEP-3998)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.job.objects import SUCCESS_CRITERIA_MET, Job, SuccessRule
from reference_controller.job.outcome import Ending

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


def succeeds_early(job: Job, succeeded: AbstractSet[int]) -> Ending | None:
    """FAIL-051: the first rule that is met is enough, and the message says which it is (FAIL-066).

    FAIL-055: without rules nothing is met.
    """
    for index, rule in enumerate(job.success_rules):
        if met(rule, succeeded):
            return Ending(SUCCESS_CRITERIA_MET, "SuccessPolicy", f"Matched rules at index {index}")
    return None


def met(rule: SuccessRule, succeeded: AbstractSet[int]) -> bool:
    """FAIL-050: enough of the indexes that it names, if any, have succeeded; without a number all."""
    if rule.indexes is None:
        return rule.count is not None and len(succeeded) >= rule.count
    return len(rule.indexes & succeeded) >= (len(rule.indexes) if rule.count is None else rule.count)
