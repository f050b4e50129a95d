"""Facts about pods that fail: when what replaces them is created, and how a failure is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found, record_of
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words, said, stated
from batchproof.profiles.shared.objects.batch import Job, status_of
from batchproof.profiles.shared.objects.pods import completion_index

if TYPE_CHECKING:
    from datetime import datetime

_CLOCKS_S = 1.0
"""How far the clocks of the API server and of the kubelet may be apart; the API has whole seconds."""


@fact(
    "the first pod{job:of_job} after the last failure came no earlier than {delay:d} seconds after it",
    within="now",
)
def replaced_no_earlier(seen: Observed, *, job: str, delay: int) -> Finding:
    """By its creationTimestamp, counted from when the pod that failed last had ended."""
    return _no_earlier(seen.versions_of_pods(Job, job).fold(_Replacements), delay)


@fact(
    "the first pod of index {index:d}{job:of_job} after its last failure "
    "came no earlier than {delay:d} seconds after it",
    within="now",
)
def index_replaced_no_earlier(seen: Observed, *, index: int, job: str, delay: int) -> Finding:
    """The same of the pods of one index of an Indexed Job."""
    return _no_earlier(seen.versions_of_pods(Job, job).fold(_Replacements, index), delay)


def _no_earlier(pods: _Replacements, delay: int) -> Finding:
    if pods.pair is None:
        missing = f"no pod was created after {pods.last.name}" if pods.last else "no pod has failed"
        return found(holds=False, observed=missing)
    failed, new = pods.pair
    created = timestamp(new.metadata["creationTimestamp"])
    after_s = (created - pods.ended).total_seconds()
    return found(
        after_s > delay - _CLOCKS_S,
        expected=f"a pod after {failed.name} no earlier than {delay} s after {pods.ended:%H:%M:%S}",
        observed=stated(f"{new.name} created {after_s:g} s after it", {"pod": new.name, "after_s": after_s}),
        decisive=[failed.record, new.record],
    )


@fact("{job:job} has {condition:word} with reason {reason:word}")
def job_has(seen: Observed, *, job: str, condition: str, reason: str) -> Finding:
    """The condition is True, with this reason."""
    it = seen.find(Job, job)
    shown = (it.condition(condition) if it else None) or {}
    return found(
        shown.get("reason") == reason,
        observed=stated(
            f"{condition}=True because of {in_words(shown['reason'])}",
            {"condition": condition, "reason": shown["reason"]},
        )
        if shown
        else status_of(it),
        decisive=record_of(it, tells=shown),
    )


@fact("no condition of {job:job} has the reason {reason:word}", within="now")
def reason_absent(seen: Observed, *, job: str, reason: str) -> Finding:
    """There is such a Job with conditions, and none of them gives this reason."""
    it = seen.find(Job, job)
    reasons = [condition.get("reason") for condition in it.conditions] if it else []
    return found(
        reasons and reason not in reasons,
        observed=said("reasons {reasons}", reasons=reasons) if reasons else status_of(it),
        decisive=record_of(it, tells=reasons),
    )


@fact('the message of {job:job} names the pod that failed and says "{words:text}"')
def failure_explained(seen: Observed, *, job: str, words: str) -> Finding:
    """The message of Failed has the name of a pod that failed, and these words."""
    it = seen.find(Job, job)
    message = _message(it, "Failed")
    failed = seen.versions_of_pods(Job, job).fold(_FailedNames).names
    return found(
        words in message and any(name in message for name in failed),
        observed=f"{message or 'no message'}; failed: {', '.join(sorted(failed)) or 'none'}",
        decisive=record_of(it, tells=message),
    )


@fact("the message of {job:job} is that of FailureTarget")
def failure_kept(seen: Observed, *, job: str) -> Finding:
    """Failed has the message that FailureTarget had when it was stored first."""
    it = seen.find(Job, job)
    message = _message(it, "Failed")
    announced = seen.versions_of(Job, job).fold(_FirstMessage).message
    return found(
        announced and message == announced,
        expected=f"Failed: {announced or 'the message of FailureTarget'}",
        observed=message or status_of(it),
        decisive=record_of(it, tells=message),
    )


class _FailedNames:
    """The names of all pods of a Job that have failed."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def take(self, _: str, pod: Pod) -> None:
        if pod.phase == "Failed":
            self.names.add(pod.name)


class _FirstMessage:
    """The message of FailureTarget where it was stored first."""

    def __init__(self) -> None:
        self.message = ""

    def take(self, _: str, it: Job) -> None:
        self.message = self.message or _message(it, "FailureTarget")


def _message(job: Job | None, condition: str) -> str:
    """The message of a condition that is True; empty where there is none."""
    return str(((job.condition(condition) if job else None) or {}).get("message", ""))


def ended(pod: Pod) -> datetime | None:
    """When a pod ended: its last container, or else when it stopped being ready; None if nothing shows it."""
    sidecars = (it for it in pod.status.get("initContainerStatuses") or [] if it["name"] in pod.sidecars)
    statuses = [*(pod.status.get("containerStatuses") or []), *sidecars]
    states = [status["state"].get("terminated") or {} for status in statuses]
    times = [timestamp(state["finishedAt"]) for state in states if state.get("finishedAt")]
    if times:
        return max(times)
    unready = (
        timestamp(condition["lastTransitionTime"])
        for condition in pod.status.get("conditions") or []
        if condition["type"] == "Ready" and condition.get("lastTransitionTime")
    )
    return next(unready, None)


class _Replacements:
    """The pod of a Job that ended as the last failure, and the first that was created afterwards.

    With an ``index``, among the pods of that index.
    """

    def __init__(self, index: int | None = None) -> None:
        self._index = index
        self.last: Pod | None = None
        self.pair: tuple[Pod, Pod] | None = None
        self.ended: datetime
        self._failed: set[str] = set()

    def take(self, kind: str, pod: Pod) -> None:
        if self._index not in {None, completion_index(pod)}:
            return
        if kind == "ADDED" and self.last and not self.pair:
            self.pair = (self.last, pod)
        if pod.phase == "Failed" and pod.uid not in self._failed and (at := ended(pod)):
            self._failed.add(pod.uid)
            if self.last is None or at >= self.ended:
                self.last, self.ended, self.pair = pod, at, None
