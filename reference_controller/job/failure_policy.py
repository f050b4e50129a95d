"""podFailurePolicy: what the failure of a pod means for its Job, by rules of the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.job.objects import FAILURE_TARGET, FailureRule, Job, Pod
from reference_controller.job.outcome import Ending
from reference_controller.objects.pods import Container

if TYPE_CHECKING:
    from collections.abc import Iterable

FAIL_JOB = "FailJob"
FAIL_INDEX = "FailIndex"
IGNORE = "Ignore"


@dataclass(frozen=True, slots=True)
class Match:
    """The rule that decides about a pod, its place in the policy, and in words what of the pod it matches."""

    rule: FailureRule
    index: int
    what: str


def match(job: Job, pod: Pod) -> Match | None:
    """FAIL-020: the rules are tried in order, and the first that matches decides.

    FAIL-029: only a pod that has failed is looked at, not one that runs or is being deleted.
    """
    if pod.phase != "Failed":
        return None
    for index, rule in enumerate(job.failure_rules):
        if what := matched(rule, pod):
            return Match(rule, index, what)
    return None


def matched(rule: FailureRule, pod: Pod) -> str:
    """What of the pod the rule matches, in words that name the pod (FAIL-062); empty: nothing."""
    where = f"{pod.namespace}/{pod.name}"
    if rule.operator:
        container = matching_container(rule, pod)
        if container is None:
            return ""
        return f"Container {container.name} for pod {where} failed with exit code {container.exit_code}"
    # FAIL-028: the type and the status of any one pattern.
    kinds = (kind for kind, status in pod.conditions if (kind, status) in rule.conditions)
    return next((f"Pod {where} has condition {kind}" for kind in kinds), "")


def matching_container(rule: FailureRule, pod: Pod) -> Container | None:
    """FAIL-026: a container that has ended, and not with 0; main containers before init containers."""
    in_order = sorted(pod.containers, key=lambda container: container.role != "main")
    for container in in_order:
        named = rule.container in {None, container.name}
        if (
            named
            and container.exit_code
            and (container.exit_code in rule.exit_codes) == (rule.operator == "In")
        ):
            return container
    return None


def fails_job(job: Job, pods: Iterable[Pod]) -> Ending | None:
    """FAIL-021: the failure of one pod is enough. FAIL-031: its words are kept in the status."""
    for pod in pods:
        found = match(job, pod)
        if found and found.rule.action == FAIL_JOB:
            words = f"{found.what} matching {FAIL_JOB} rule at index {found.index}"
            return Ending(FAILURE_TARGET, "PodFailurePolicy", words)
    return None


def ignored(job: Job, pod: Pod) -> bool:
    """FAIL-022: the failure does not count towards backoffLimit. FAIL-024: without a match it counts."""
    found = match(job, pod)
    return found is not None and found.rule.action == IGNORE


def fails_index(job: Job, pod: Pod) -> bool:
    """FAIL-025: the index of the pod has failed, whatever backoffLimitPerIndex says."""
    found = match(job, pod)
    return found is not None and found.rule.action == FAIL_INDEX
