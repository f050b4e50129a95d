"""What is to be done next for one Volcano Job.

One stage per decision, as for a Job of Kubernetes: after each write the Job is looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from reference_controller.decision import NOTHING, Decision
from reference_controller.volcano.actions import (
    Action,
    CreateClaim,
    CreateExtra,
    CreateGroup,
    CreatePods,
    DeleteExtra,
    DeleteGroup,
    DeleteJob,
    DeletePods,
    RestartTask,
    TellClaimMissing,
    UpdateGroup,
    WriteStatus,
)
from reference_controller.volcano.counting import counted
from reference_controller.volcano.events import Event, events
from reference_controller.volcano.groups import group_spec, outdated
from reference_controller.volcano.objects import Child, Group, Job, JobPod, Policy, Status
from reference_controller.volcano.phases import FINAL, LIVE, after_action, after_pods, keeps_ended
from reference_controller.volcano.plugins import extras_of, plugins_of
from reference_controller.volcano.plugins.extra import Extra
from reference_controller.volcano.pods import missing, surplus
from reference_controller.volcano.policies import policy_for
from reference_controller.volcano.volumes import Claim, claims, missing_claims

if TYPE_CHECKING:
    from collections.abc import Mapping

RESTART_TASK = "RestartTask"


@dataclass(frozen=True, slots=True)
class Observed:
    """A Job with its pods, its PodGroup and all else that belongs to it.

    Attributes:
        command: the action of a Command that was deleted for this Job and is not applied yet.
        expectations_met: the watch has shown every pod that this process created or deleted; before that,
            nothing is decided.
        evicted: pods that another client has deleted, as this process saw.
        extras: what was made for plugins and is there.
        claims: the names of all PersistentVolumeClaims of the namespace.
        priorities: what the names of priorities are worth.
        queue_known: there is a queue of the name that the Job gives.
        exhausted: the last request of this Job has failed as often as it may.
        passed_s: how long ago this process first knew of each event.
    """

    job: Job
    pods: tuple[JobPod, ...]
    group: Group | None
    command: str | None
    expectations_met: bool
    evicted: tuple[JobPod, ...] = ()
    extras: tuple[Child, ...] = ()
    claims: frozenset[str] = frozenset()
    priorities: Mapping[str, int] = field(default_factory=dict)
    queue_known: bool = True
    exhausted: bool = False
    passed_s: Mapping[Event, float] = field(default_factory=dict)

    def left_s(self, event: Event, policy: Policy) -> float:
        """VOL-088: how long the action of a policy for an event has still to wait."""
        return policy.timeout_s - self.passed_s.get(event, 0.0)


def reconcile(observed: Observed, now: float) -> Decision[Action]:
    """Decide what to do next; nothing for a Job that is being deleted (VOL-027)."""
    job = observed.job
    if job.deleting or not observed.expectations_met:
        return NOTHING
    if not job.status.phase:
        return _write(_first(job))
    if asked := asked_for(observed):
        return _carried_out(observed, asked)
    if job.status.phase in LIVE:
        return _live(observed)
    return _leaving(observed, now)


def _first(job: Job) -> Status:
    """VOL-001: Pending, version 0."""
    return replace(job.status, phase="Pending", version=0)


# -- actions


class Asked(NamedTuple):
    """An action that has an effect in the phase that the Job is in; of which task, for RestartTask."""

    action: str
    task: str = ""


def asked_for(observed: Observed) -> Asked | None:
    """VOL-038: what a Command asks for comes before what a policy does."""
    job, phase = observed.job, observed.job.status.phase
    if observed.exhausted and after_action(phase, "TerminateJob"):
        return Asked("TerminateJob")  # VOL-013
    if observed.command and after_action(phase, observed.command):
        return Asked(observed.command)
    if phase not in LIVE:
        return None
    for event in events(job, observed.pods, observed.evicted, observed.group):
        policy = policy_for(job, event)
        action = policy.action if policy and observed.left_s(event, policy) <= 0 else None
        if action and (after_action(phase, action) or (action == RESTART_TASK and event.task)):
            return Asked(action, event.task)
    return None


def next_due_s(observed: Observed) -> float | None:
    """VOL-089: how long the action of a policy has to wait that waits least; None: none waits."""
    job = observed.job
    if job.status.phase not in LIVE:
        return None
    happened = events(job, observed.pods, observed.evicted, observed.group)
    left = (observed.left_s(event, policy) for event in happened if (policy := policy_for(job, event)))
    return min((left_s for left_s in left if left_s > 0), default=None)


def _carried_out(observed: Observed, asked: Asked) -> Decision[Action]:
    job = observed.job
    if asked.action == RESTART_TASK:
        doomed = tuple(pod for pod in observed.pods if pod.task == asked.task and not pod.deleting)
        forgotten = frozenset(pod for pod in job.status.done if pod[0] != asked.task)
        return Decision((RestartTask(doomed, replace(job.status, done=forgotten)),))
    phase = after_action(job.status.phase, asked.action) or job.status.phase
    return _write(_left(observed, phase), asked.action)


def _left(observed: Observed, phase: str) -> Status:
    """VOL-026: the Job is left in a new version, so that its old pods change nothing any more.

    VOL-022: a Job that is resumed is not tried once more by that, so no resume is its last one.
    """
    job = observed.job
    retries = job.status.retry_count + (phase == "Restarting" and job.status.phase in LIVE)
    afresh = replace(job.status, phase=phase, version=job.status.version + 1, retry_count=retries)
    return counted(replace(job, status=replace(afresh, done=frozenset())), observed.pods)


# -- the phases in which pods are made


def _live(observed: Observed) -> Decision[Action]:
    """VOL-004: pods once the PodGroup is let in, with all that they need; VOL-008: if there is the queue."""
    job = observed.job
    if unready := _unready(observed):
        return unready
    if observed.group is not None and observed.group.let_in and observed.queue_known:
        if lacked := tuple(missing(job, observed.pods)):
            return Decision((CreatePods(lacked),))
        if doomed := tuple(surplus(job, observed.pods)):
            return Decision((DeletePods(doomed),))
    decision, group = _counted(observed), observed.group
    if decision.actions or group is None or not outdated(group, group_spec(job, observed.priorities)):
        return decision
    return Decision((UpdateGroup(group),))  # VOL-016: last, so that nothing else waits for it


def _unready(observed: Observed) -> Decision[Action] | None:
    """VOL-045, VOL-007, VOL-002: what there has to be before the first pod; None: all is there."""
    job = observed.job
    if lacking := tuple(extra for extra in extras_of(job) if _differs(extra, observed.extras)):
        return Decision(tuple(CreateExtra(extra) for extra in lacking))
    if absent := missing_claims(job, observed.claims):
        return _claimed(absent)
    return Decision((CreateGroup(),)) if observed.group is None else None


def _claimed(absent: tuple[Claim, ...]) -> Decision[Action]:
    """VOL-007: claims are made; of one that its user has to make, an event reports it."""
    new = tuple(claim for claim in absent if claim.spec is not None)
    if new:
        return Decision(tuple(CreateClaim(claim) for claim in new))
    return Decision((TellClaimMissing(absent[0]),), final=True)


def _differs(extra: Extra, there: tuple[Child, ...]) -> bool:
    """Whether it is not there, or holds something else."""
    found = [it for it in there if it.resource == extra.resource and it.name == extra.name]
    return not found or ("data" in extra.parts and found[0].data != extra.parts["data"])


# -- all other phases


def _leaving(observed: Observed, now: float) -> Decision[Action]:
    """VOL-021, VOL-019, VOL-024, VOL-045: pods are taken away, with all else that was made for them."""
    job = observed.job
    kept = keeps_ended(job)
    doomed = tuple(pod for pod in observed.pods if not pod.deleting and not (kept and pod.finished))
    if doomed:
        return Decision((DeletePods(doomed),))
    if observed.group is not None:
        return Decision((DeleteGroup(observed.group),))
    if observed.extras:
        return Decision(tuple(DeleteExtra(child) for child in observed.extras))
    decision = _counted(observed)
    return decision if decision.actions or job.status.phase not in FINAL else _expiring(job, now)


def _expiring(job: Job, now: float) -> Decision[Action]:
    """VOL-048: a Job that has ended is deleted when its time is over."""
    if job.ttl_s is None or job.status.since is None:
        return NOTHING
    left_s = job.status.since + job.ttl_s - now
    return Decision((DeleteJob(),)) if left_s <= 0 else Decision(requeue_after_s=left_s)


# -- the status


def _counted(observed: Observed) -> Decision[Action]:
    """VOL-025: the counts, and the phase that follows from them."""
    job = observed.job
    status = counted(job, observed.pods)
    status = replace(status, phase=after_pods(job, status), controlled=_controlled(job))
    return NOTHING if status == job.status else _write(status)


def _controlled(job: Job) -> tuple[tuple[str, str], ...]:
    """VOL-007: the claims; and the plugins, as long as there is something of theirs."""
    made = {f"volume-pvc-{claim.name}": claim.name for claim in claims(job)}
    if job.status.phase in LIVE:
        made |= {f"plugin-{name}": name for name in plugins_of(job)}
    return tuple(sorted(made.items()))


def _write(status: Status, action: str = "") -> Decision[Action]:
    return Decision((WriteStatus(status, action),))
