"""What is to be done next for one TFJob.

One stage per decision, as for a Job of Kubernetes: after each write the TFJob is looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.decision import NOTHING, Decision
from reference_controller.tfjob.actions import (
    CreatePods,
    CreateServices,
    DeletePods,
    DeleteServices,
    WriteStatus,
)
from reference_controller.tfjob.clean_up import doomed_pods, doomed_services
from reference_controller.tfjob.names import replica_name
from reference_controller.tfjob.objects import FINISHED, Status
from reference_controller.tfjob.outcome import condition, counts
from reference_controller.tfjob.restarts import restarted

if TYPE_CHECKING:
    from reference_controller.tfjob.actions import Action
    from reference_controller.tfjob.objects import Replica, ReplicaPod, Service, TFJob

_BEFORE_ALL_ELSE = FINISHED | {"Restarting"}
"""The conditions that are written before anything is done about them."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A TFJob with its pods and services.

    Attributes:
        expectations_met: the watches have shown every pod and every service, of every type, that this
            process created or deleted; before that, nothing is decided (TFJ-015).
    """

    job: TFJob
    pods: tuple[ReplicaPod, ...]
    services: tuple[Service, ...]
    expectations_met: bool


def reconcile(observed: Observed) -> Decision[Action]:
    """Decide what to do next; nothing for a TFJob that is being deleted."""
    job = observed.job
    if job.deleting or not observed.expectations_met:
        return NOTHING
    if job.status.finished:  # TFJ-030: whatever becomes of its pods
        return _clean_up(observed)
    status = Status(condition(job, observed.pods), counts(job, observed.pods))
    if status.condition in _BEFORE_ALL_ELSE and status != job.status:
        return Decision((WriteStatus(status),))
    if over := _over(observed):
        return Decision((DeletePods(over),))
    if actions := _missing(observed):
        return Decision(actions)
    return Decision((WriteStatus(status),)) if status != job.status else NOTHING


def _clean_up(observed: Observed) -> Decision[Action]:
    pods = doomed_pods(observed.job, observed.pods)
    if pods:
        return Decision((DeletePods(pods),))
    services = doomed_services(observed.job, observed.pods, observed.services)
    return Decision((DeleteServices(services),)) if services else NOTHING


def _over(observed: Observed) -> tuple[ReplicaPod, ...]:
    """TFJ-022: what is restarted is deleted; then its replica has no pod."""
    specs = {spec.kind: spec for spec in observed.job.specs}
    return tuple(p for p in observed.pods if not p.deleting and restarted(specs.get(p.type), p))


def _missing(observed: Observed) -> tuple[Action, ...]:
    """TFJ-001, TFJ-002: a pod and a service for each replica; one that is being deleted holds its name."""
    pods = {pod.name for pod in observed.pods}
    services = {service.name for service in observed.services}
    actions: list[Action] = []
    if without := tuple(_without(observed.job, services)):
        actions.append(CreateServices(without))
    if without := tuple(_without(observed.job, pods)):
        actions.append(CreatePods(without))
    return tuple(actions)


def _without(job: TFJob, names: set[str]) -> list[Replica]:
    return [replica for replica in job.replicas if replica_name(job, replica) not in names]
