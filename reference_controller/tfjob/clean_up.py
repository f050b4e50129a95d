"""What is deleted once a TFJob is finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.tfjob.objects import ReplicaPod, Service, TFJob

if TYPE_CHECKING:
    from collections.abc import Sequence


def doomed_pods(job: TFJob, pods: Sequence[ReplicaPod]) -> tuple[ReplicaPod, ...]:
    """TFJ-038, TFJ-039: by cleanPodPolicy no pods, those that have not ended, or all."""
    match job.clean_pod_policy:
        case "All":
            return tuple(pod for pod in pods if not pod.deleting)
        case "Running":
            return tuple(pod for pod in pods if not pod.deleting and not pod.finished)
        case _:
            return ()


def doomed_services(
    job: TFJob, pods: Sequence[ReplicaPod], services: Sequence[Service]
) -> tuple[Service, ...]:
    """TFJ-038: the service of a replica goes with its pod."""
    if job.clean_pod_policy not in {"All", "Running"}:
        return ()
    kept = {pod.name for pod in pods if not pod.deleting}
    return tuple(it for it in services if not it.deleting and it.name not in kept)
