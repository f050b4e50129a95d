"""Whether somebody in the cluster already does what the implementation is to do.

A probe object is made in a namespace of ours, and for a moment it is watched whether anybody answers to it.
What answers would act on the scenarios' objects too, and nobody could know who did what.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from batchproof.api.client import make_namespace
from batchproof.control_plane.remains import cell_name
from batchproof.errors import UserError
from batchproof.labels import SIMULATED_SCHEDULER
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from batchproof.api.client import Api
    from batchproof.judgement.history import Json

TTL: Final = "TTLAfterFinished"
_WITHIN_S: Final = 4.0
_PROBE_MANAGER: Final = "batchproof.dev/probe"
_ABSENT_IMAGE: Final = "batchproof.dev/simulated"
_BESIDE: Final = (
    "judge on a control plane of its own (--cluster embedded or kind), or start the implementation so that "
    "it handles only Jobs with a spec.managedBy of its own and say so in its descriptor (managed_by: "
    "example.com/controller), or switch that controller off (--controllers=*,-job-controller of "
    "kube-controller-manager)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """What an implementation is to do in a cluster.

    Attributes:
        jobs: it handles Jobs.
        managed_by: only those with this ``spec.managedBy``; None: those that name nobody.
        deletes_finished: it deletes finished Jobs whose time to live is over.
        scheduler: the ``schedulerName`` of the pods that it binds; None if it binds none.
    """

    jobs: bool
    managed_by: str | None
    deletes_finished: bool
    scheduler: str | None


async def look_for_rivals(api: Api, part: Part, run: str) -> tuple[str, ...]:
    """See that nobody else answers to the implementation's objects.

    Args:
        api: the cluster.
        part: what the implementation is to do.
        run: the id of the run, for the namespace of the probes, which stays.

    Returns:
        Capabilities that the cluster has by itself and that cannot be kept apart from the implementation.

    Raises:
        UserError: somebody answers; the message says what to do.
    """
    cell = cell_name(run, "probe")
    namespace = f"{cell}-1"
    await make_namespace(api, namespace, cell, with_account=True)
    jobs, pods = JOBS.path(namespace), PODS.path(namespace)
    asked = []
    if part.jobs:
        asked.append(_jobs_are_free(api, jobs, part.managed_by))
    if part.jobs and part.deletes_finished:
        asked.append(_finished_jobs_are_left(api, jobs))
    if part.scheduler:
        asked.append(_pods_are_free(api, pods, part.scheduler))
    return tuple(found for found in await asyncio.gather(*asked) if found)


async def _jobs_are_free(api: Api, jobs: str, manager: str | None) -> str:
    """See that nobody writes the status of a Job that is the implementation's to handle."""
    spec = {"managedBy": manager} if manager else {}
    made = await api.create(jobs, _job("probe", spec))
    if manager and "managedBy" not in made["spec"]:
        raise UserError(
            "this cluster does not know spec.managedBy of Jobs (Kubernetes 1.30 and newer do, with the gate "
            f"JobManagedBy), so its own Job controller cannot be kept apart: {_BESIDE}"
        )
    if await _happens(api, jobs, made, lambda kind, job: bool(job.get("status")) and kind == "MODIFIED"):
        if manager:
            raise UserError(
                f"a controller in this cluster already handles Jobs with spec.managedBy {manager!r}: end it, "
                "or judge under another name"
            )
        raise UserError(f"a Job controller already runs in this cluster and handles every Job: {_BESIDE}")
    return ""


async def _finished_jobs_are_left(api: Api, jobs: str) -> str:
    """Whether somebody deletes finished Jobs: the cluster's own controller does so whoever manages them."""
    spec = {"managedBy": _PROBE_MANAGER, "ttlSecondsAfterFinished": 0}
    made = await api.create(jobs, _job("probe-finished", spec))
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
    deleted = await _happens(
        api, jobs, made, lambda kind, job: kind == "DELETED" or "deletionTimestamp" in job["metadata"]
    )
    return TTL if deleted else ""


async def _pods_are_free(api: Api, pods: str, scheduler: str) -> str:
    """See that nobody says anything of a pod that no node can take."""
    spec = {
        "schedulerName": scheduler,
        "nodeSelector": {"batchproof.dev/no-such-node": "true"},
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": _ABSENT_IMAGE}],
    }
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "probe"}, "spec": spec}
    made = await api.create(pods, body)
    if await _happens(api, pods, made, lambda _, pod: bool((pod.get("status") or {}).get("conditions"))):
        raise UserError(
            f"a scheduler called {scheduler!r} already runs in this cluster: end it, or start the "
            "implementation under another schedulerName and say so in its dialect"
        )
    return ""


def _job(name: str, spec: Json) -> Json:
    pod: dict[str, Any] = {
        "restartPolicy": "Never",
        "schedulerName": SIMULATED_SCHEDULER,
        "containers": [{"name": "main", "image": _ABSENT_IMAGE}],
    }
    body = {"suspend": True, "template": {"spec": pod}, **spec}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": body}


async def _happens(api: Api, collection: str, made: Json, shows: Callable[[str, Json], bool]) -> bool:
    """Whether within a moment something is seen of an object since it was made."""
    name, revision = made["metadata"]["name"], made["metadata"]["resourceVersion"]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WITHIN_S):
            async for event in api.watch(collection, revision):
                it = event["object"]
                if it.get("metadata", {}).get("name") == name and shows(event["type"], it):
                    return True
    return False
