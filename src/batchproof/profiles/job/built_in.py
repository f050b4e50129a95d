"""What a cluster has itself that does the same as a controller of Jobs, and how both are kept apart."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from batchproof.api.client import Api
from batchproof.control_plane.competing import ALONE, Probe, happens
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.resources import JOBS, SIMULATED_SCHEDULER
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTROLLERS: Final = ("job-controller", "ttl-after-finished-controller")
"""The controllers of kube-controller-manager that handle Jobs."""
APART: Final = (
    f"{ALONE}, or start the implementation so that it handles only Jobs with a spec.managedBy of its own "
    "(Kubernetes 1.30 and newer, with the gate JobManagedBy) and say so in its descriptor (managed_by: "
    "example.com/controller), or switch that controller off (--controllers=*,-job-controller of "
    "kube-controller-manager)"
)
_PROBE_MANAGER: Final = "batchproof.dev/probe"


def beside(implementation: Implementation) -> tuple[str, ...]:
    """An implementation that works by ``spec.managedBy`` is judged beside the Job controller, as it works."""
    return CONTROLLERS[:1] if implementation.managed_by else ()


async def deletes_finished(api: Api, namespace: str) -> bool:
    """Whether the cluster deletes finished Jobs whose time is over: its controller does, for any manager."""
    jobs = JOBS.path(namespace)
    made = await api.create(jobs, _finished("probe-finished"))
    at = made["metadata"]["creationTimestamp"]
    common = {
        "status": "True",
        "reason": "Probe",
        "message": "probe",
        "lastTransitionTime": at,
        "lastProbeTime": at,
    }
    conditions = [{"type": kind, **common} for kind in ("FailureTarget", "Failed")]
    status = {"startTime": at, "conditions": conditions}
    await api.patch(f"{jobs}/probe-finished/status", {"status": status})

    def deleted(kind: str, job: Json) -> bool:
        gone = kind == "DELETED" or "deletionTimestamp" in job["metadata"]
        return gone and job["metadata"]["uid"] == made["metadata"]["uid"]

    return await happens(api, jobs, made["metadata"]["resourceVersion"], deleted)


def _finished(name: str) -> Json:
    """A Job that lives for 0 s once it is finished."""
    pod: dict[str, Any] = {
        "restartPolicy": "Never",
        "schedulerName": SIMULATED_SCHEDULER,
        "containers": [{"name": "main", "image": "batchproof.dev/simulated"}],
    }
    spec = {
        "suspend": True,
        "template": {"spec": pod},
        "managedBy": _PROBE_MANAGER,
        "ttlSecondsAfterFinished": 0,
    }
    return {"apiVersion": JOBS.api_version, "kind": "Job", "metadata": {"name": name}, "spec": spec}


PROBES: Final[Mapping[str, Probe]] = MappingProxyType({"TTLAfterFinished": deletes_finished})
"""How it is seen that the cluster itself has a capability."""
