"""How long the replacement of a failed pod may rightfully take, by what the implementation can have seen.

The pods of a scenario end an hour ago by their node's clock (ADR 0005), so that an implementation that counts
the delay of FAIL-008 from there replaces them at once. One that counts from when it saw the failure, or from
when the pod was created, is right as well: it is waited for until that delay is over. A process that has
started since may count from then (FAIL-016).
"""

from __future__ import annotations

from collections import defaultdict

from batchproof.ground.resources import PODS
from batchproof.judgement.delays import register
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.pods import completion_index

FIRST_DELAY_S = 10.0
"""The delay after the first failure; each further one doubles it (Kubernetes documentation, Jobs)."""
LONGEST_DELAY_S = 600.0
"""No delay is longer (FAIL-009)."""


def delay_s(failures: int) -> float:
    """How long after the last of some failures, one at least, its replacement is created at the earliest."""
    return min(FIRST_DELAY_S * 2.0 ** (failures - 1), LONGEST_DELAY_S)


@register
def replaced_until_s(seen: Observed) -> float:
    """Until when a replacement of some pod may be delayed, in seconds of the history; 0: of none."""
    return max((_of_job(seen, job) for job in seen.all(Job)), default=0.0)


def _of_job(seen: Observed, job: Job) -> float:
    """Until when a Job that goes on may delay a replacement.

    No failure is taken to end a row: that a success does is a SHOULD (FAIL-011).
    """
    if job.finished or job.suspended or job.deleting:
        return 0.0
    rows: defaultdict[int | None, list[float]] = defaultdict(list)
    for at_s, pod in _failures(seen, job):
        rows[completion_index(pod) if "backoffLimitPerIndex" in job.spec else None].append(at_s)
    ready_s = _ready_s(seen)
    return max((max([*row, *ready_s]) + delay_s(len(row)) for row in rows.values()), default=0.0)


def _failures(seen: Observed, job: Job) -> list[tuple[float, Pod]]:
    """The pods of a Job that have failed, or are being deleted, and when that was seen first.

    What the implementation has deleted itself is replaced without delay.
    """
    deleted = {it.request.name for it in seen.writes_to(PODS, "delete") if it.applied}
    failed: dict[str, tuple[float, Pod]] = {}
    for _, pod in seen.versions_of_pods(Job, job.name):
        ends = pod.phase == "Failed" or pod.terminating
        known = failed.get(pod.uid)
        news = known is None or (known[1].terminating and not pod.terminating)
        if ends and news and pod.owned_by(job) and pod.name not in deleted:
            failed[pod.uid] = pod.at_s, pod
    return [*failed.values()]


def _ready_s(seen: Observed) -> list[float]:
    """When each process of the implementation became ready."""
    return [seen.at_s(number) for number, process in seen.processes if process.what == "ready"]
