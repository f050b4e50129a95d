"""Which failed pods are replaced, by the restart policy of their type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.tfjob.objects import CONTAINER, ReplicaPod, ReplicaSpec, TFJob

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST_RETRYABLE = 128
"""TFJ-022: exit codes from here on say that a signal ended the container."""


def tally(job: TFJob, pods: Sequence[ReplicaPod]) -> tuple[int, tuple[str, ...]]:
    """TFJ-028: how many pods have been replaced, those to be replaced now included; and the UIDs of these."""
    now = {pod.uid for pod in pods if restarted(job.spec(pod.type), pod)}
    new = {pod.uid for pod in pods if pod.uid in now and not pod.deleting} - {*job.status.replaced}
    return job.status.restarts + len(new), tuple(sorted(new | (now & {*job.status.replaced})))


def restarted(spec: ReplicaSpec | None, pod: ReplicaPod) -> bool:
    """Whether this pod has failed and another one takes its place."""
    if spec is None or pod.phase != "Failed":
        return False
    if spec.restart_policy == "ExitCode":
        code = pod.exit_code(CONTAINER)
        return code is None or code >= _FIRST_RETRYABLE
    return spec.restart_policy in {"OnFailure", "Always"}  # TFJ-025
