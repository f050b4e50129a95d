"""What is to be done next for one TFJob.

One stage per decision, as for a Job of Kubernetes: after each write the TFJob is looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference_controller.decision import NOTHING, Decision
from reference_controller.tfjob.actions import (
    Action,
    Adopt,
    CreatePods,
    CreateServices,
    DeleteJob,
    DeletePods,
    DeleteServices,
    Release,
    WriteStatus,
)
from reference_controller.tfjob.claims import adoptable, strays
from reference_controller.tfjob.clean_up import doomed_pods, doomed_services
from reference_controller.tfjob.groups import group_changes, group_end, held_up
from reference_controller.tfjob.limits import exceeded, wake_after_s
from reference_controller.tfjob.names import replica_name
from reference_controller.tfjob.objects import (
    FINISHED,
    GangScheduler,
    PodGroup,
    Replica,
    ReplicaPod,
    Service,
    Status,
    TFJob,
)
from reference_controller.tfjob.outcome import condition, counts
from reference_controller.tfjob.restarts import restarted, tally
from reference_controller.tfjob.scaling import surplus, wanted
from reference_controller.tfjob.suspension import suspended_status
from reference_controller.tfjob.ttl import time_left_s

_BEFORE_ALL_ELSE = FINISHED | {"Restarting"}
"""The conditions that are written before anything is done about them."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A TFJob with its pods and services.

    Attributes:
        loose_pods: the pods of its namespace without a controller.
        loose_services: the services of its namespace without a controller.
        gang: the scheduler that starts its pods together; None: they are started one by one.
        group: the PodGroup that it controls.
        expectations_met: the watches have shown every pod and every service, of every type, that this
            process created or deleted; before that, nothing is decided (TFJ-015).
    """

    job: TFJob
    pods: tuple[ReplicaPod, ...]
    services: tuple[Service, ...]
    loose_pods: tuple[ReplicaPod, ...] = ()
    loose_services: tuple[Service, ...] = ()
    gang: GangScheduler | None = None
    group: PodGroup | None = None
    expectations_met: bool = True


def reconcile(observed: Observed, now: float) -> Decision[Action]:
    """Decide what to do next; nothing for a TFJob that is being deleted. `now` is since the epoch."""
    job = observed.job
    if job.deleting or not observed.expectations_met:
        return NOTHING
    if actions := _claims(observed):
        return Decision(actions)
    if job.status.finished:  # TFJ-030: whatever becomes of its pods
        return _finished(observed, now)
    return _suspended(observed) if job.suspended else _active(observed, now)


def _active(observed: Observed, now: float) -> Decision[Action]:
    job = observed.job
    status = _status(job, wanted(job, observed.pods), now)
    if status.condition in _BEFORE_ALL_ELSE and status != job.status:
        return Decision((WriteStatus(status),))
    if actions := _over(observed) or _missing(observed):
        return Decision(actions)
    if status != job.status:
        return Decision((WriteStatus(status),))
    if observed.gang and (actions := group_changes(job, observed.gang, observed.group)):
        # TFJ-035: last, so that nothing else waits for it. The watch shows its outcome.
        return Decision(actions, requeue_after_s=wake_after_s(job, now), final=True)
    return Decision(requeue_after_s=wake_after_s(job, now))


def _status(job: TFJob, pods: tuple[ReplicaPod, ...], now: float) -> Status:
    """What to report; TFJ-037: each time is set once."""
    restarts, replaced = tally(job, pods)
    status = replace(
        job.status,
        condition=condition(job, pods),
        counts=counts(job, pods),
        suspended=None if job.status.suspended is None else False,
        started=now if job.status.started is None else job.status.started,
        restarts=restarts,
        replaced=replaced,
    )
    if status.condition != "Succeeded" and exceeded(job, pods, restarts, now):
        status = replace(status, condition="Failed")
    return replace(status, completed=now) if status.finished else status  # TFJ-031


def _claims(observed: Observed) -> tuple[Action, ...]:
    job = observed.job
    actions: list[Action] = []
    gone: list[ReplicaPod | Service] = [*strays(job, observed.pods), *strays(job, observed.services)]
    if gone:
        actions.append(Release(tuple(gone)))
    new: list[ReplicaPod | Service] = [
        *adoptable(job, observed.loose_pods),
        *adoptable(job, observed.loose_services),
    ]
    if new:
        actions.append(Adopt(tuple(new)))
    return tuple(actions)


def _finished(observed: Observed, now: float) -> Decision[Action]:
    left_s = time_left_s(observed.job, now)
    if left_s is not None and left_s <= 0:
        return Decision((DeleteJob(),), final=True)
    pods = doomed_pods(observed.job, observed.pods)
    if pods:
        return Decision((DeletePods(pods),))
    if services := doomed_services(observed.job, observed.pods, observed.services):
        return Decision((DeleteServices(services),))
    return Decision(group_end(observed.group), requeue_after_s=left_s, final=True)


def _suspended(observed: Observed) -> Decision[Action]:
    """TFJ-041, TFJ-042: nothing is left but the TFJob."""
    if pods := tuple(pod for pod in observed.pods if not pod.deleting):
        return Decision((DeletePods(pods),))
    if services := tuple(it for it in observed.services if not it.deleting):
        return Decision((DeleteServices(services),))
    status = suspended_status(observed.job)
    if status != observed.job.status:
        return Decision((WriteStatus(status),))
    return Decision(group_end(observed.group), final=True)


def _over(observed: Observed) -> tuple[Action, ...]:
    """TFJ-022: what is restarted is deleted; then its replica has no pod. TFJ-010: so is what is too much."""
    job = observed.job
    failed = [p for p in wanted(job, observed.pods) if not p.deleting and restarted(job.spec(p.type), p)]
    actions: list[Action] = []
    if pods := (*failed, *surplus(job, observed.pods)):
        actions.append(DeletePods(pods))
    if services := surplus(job, observed.services):
        actions.append(DeleteServices(services))
    return tuple(actions)


def _missing(observed: Observed) -> tuple[Action, ...]:
    """TFJ-001, TFJ-002: a pod and a service for each replica; one that is being deleted holds its name."""
    if observed.gang and (observed.group is None or held_up(observed.gang, observed.group)):
        return ()
    pods = {pod.name for pod in observed.pods}
    services = {service.name for service in observed.services}
    actions: list[Action] = []
    if without := tuple(_without(observed.job, services)):
        actions.append(CreateServices(without))
    if without := tuple(it for it in _without(observed.job, pods) if not _done(observed.job, it)):
        actions.append(CreatePods(without))
    return tuple(actions)


def _done(job: TFJob, replica: Replica) -> bool:
    """TFJ-019: the replica has succeeded, and is not run again."""
    return replica.index in job.status.done(replica.spec.kind)


def _without(job: TFJob, names: set[str]) -> list[Replica]:
    return [replica for replica in job.replicas if replica_name(job, replica) not in names]
