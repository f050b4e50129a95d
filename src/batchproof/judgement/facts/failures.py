"""Facts about pods that fail: when what replaces them is created."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.things.core import Pod
from batchproof.judgement.things.thing import timestamp
from batchproof.resources import PODS

if TYPE_CHECKING:
    from datetime import datetime

    from batchproof.judgement.observed import Observed

_CLOCKS_S = 1.0
"""How far the clocks of the API server and of the kubelet may be apart; the API tells whole seconds of both."""


@fact(
    "the first pod{job:of_job} after the last failure came no earlier than {delay:d} seconds after it",
    on=[PODS],
    within="now",
)
def replaced_no_earlier(seen: Observed, *, job: str, delay: int) -> Finding:
    """By its creationTimestamp, counted from when the pod that failed last had ended."""
    pods = seen.versions_of_pods(job).fold(_Replacements)
    if pods.last is None or pods.next is None:
        missing = "no pod has failed" if pods.last is None else f"no pod was created after {pods.last.name}"
        return found(holds=False, observed=missing)
    created = timestamp(pods.next.metadata["creationTimestamp"])
    after_s = (created - pods.ended).total_seconds()
    return found(
        after_s > delay - _CLOCKS_S,
        expected=f"a pod after {pods.last.name} no earlier than {delay} s after {pods.ended:%H:%M:%S}",
        observed=f"{pods.next.name} created {after_s:g} s after it",
        decisive=[pods.last.record, pods.next.record],
    )


def ended(pod: Pod) -> datetime | None:
    """When a pod ended: its last container, or else when it stopped being ready; None if nothing tells."""
    states = [status["state"].get("terminated") or {} for status in pod.status.get("containerStatuses") or []]
    times = [timestamp(state["finishedAt"]) for state in states if state.get("finishedAt")]
    if times:
        return max(times)
    unready = [
        timestamp(condition["lastTransitionTime"])
        for condition in pod.status.get("conditions") or []
        if condition["type"] == "Ready" and condition.get("lastTransitionTime")
    ]
    return max(unready, default=None)


class _Replacements:
    """The pod of a Job that was the last to fail, by when it ended, and the first that was created afterwards."""

    def __init__(self) -> None:
        self.last: Pod | None = None
        self.next: Pod | None = None
        self.ended: datetime
        self._failed: set[str] = set()

    def take(self, kind: str, pod: Pod) -> None:
        if kind == "ADDED" and self.last and not self.next:
            self.next = pod
        if pod.phase == "Failed" and pod.uid not in self._failed and (at := ended(pod)):
            self._failed.add(pod.uid)
            if self.last is None or at >= self.ended:
                self.last, self.ended, self.next = pod, at, None
