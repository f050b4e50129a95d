"""Whether somebody in the cluster already does what the implementation is to do.

A probe object is made in a namespace of ours, and for a moment it is watched whether anybody answers to it.
What answers would act on the scenarios' objects too, and nobody could know who did what. Where just that is
to be judged, in place, somebody has to answer.
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
    from batchproof.descriptor.dialect import Dialect
    from batchproof.judgement.history import Json

TTL: Final = "TTLAfterFinished"
_WITHIN_S: Final = 4.0
_INSTALLED_WITHIN_S: Final = 30.0
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
        dialect: of the pods that it binds; None if it binds none.
        installed: it is at work there already, and judged in place.
    """

    jobs: bool
    managed_by: str | None
    deletes_finished: bool
    dialect: Dialect | None
    installed: bool = False

    @property
    def answers_within_s(self) -> float:
        """How long a probe waits for an answer: who must be there may be slow."""
        return _INSTALLED_WITHIN_S if self.installed else _WITHIN_S


async def look_for_rivals(api: Api, part: Part, run: str) -> tuple[str, ...]:
    """See that nobody else answers to the implementation's objects, or that it does where it is installed.

    Args:
        api: the cluster.
        part: what the implementation is to do.
        run: the id of the run, for the namespace of the probes, which stays.

    Returns:
        Capabilities that the cluster has by itself and that cannot be kept apart from the implementation.

    Raises:
        UserError: somebody answers, or nobody where it is installed; the message says what to do.
    """
    cell = cell_name(run, "probe")
    namespace = f"{cell}-1"
    await make_namespace(api, namespace, cell, with_account=True)
    jobs = JOBS.path(namespace)
    asked = []
    if part.jobs:
        asked.append(_look_at_jobs(api, jobs, part))
    if part.jobs and part.deletes_finished and not part.installed:
        asked.append(_finished_jobs_are_left(api, jobs))
    if part.dialect:
        asked.append(_look_at_pods(api, namespace, part.dialect, part))
    return tuple(found for found in await asyncio.gather(*asked) if found)


async def _look_at_jobs(api: Api, jobs: str, part: Part) -> str:
    """See whether anybody writes the status of a Job that is the implementation's to handle."""
    manager = part.managed_by
    spec = {"managedBy": manager} if manager else {}
    made = await api.create(jobs, _job("probe", spec))
    if manager and "managedBy" not in made["spec"]:
        raise UserError(
            "this cluster does not know spec.managedBy of Jobs (Kubernetes 1.30 and newer do, with the gate "
            f"JobManagedBy), so its own Job controller cannot be kept apart: {_BESIDE}"
        )
    handled = await _happens(
        api,
        jobs,
        made,
        lambda kind, job: bool(job.get("status")) and kind == "MODIFIED",
        part.answers_within_s,
    )
    if part.installed and not handled:
        raise UserError(
            f"nobody in this cluster handles a Job{f' with spec.managedBy {manager!r}' if manager else ''}: "
            "the status of a probe Job was left as it was. Install the implementation, or let its descriptor "
            "say how it is started"
        )
    if handled and not part.installed:
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


async def _look_at_pods(api: Api, namespace: str, dialect: Dialect, part: Part) -> str:
    """See whether anybody says anything of a pod that no node can take."""
    scheduler, pods = dialect.scheduler, PODS.path(namespace)
    spec = {
        "schedulerName": scheduler,
        "nodeSelector": {"batchproof.dev/no-such-node": "true"},
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": _ABSENT_IMAGE}],
    }
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "probe"}, "spec": spec}
    made = await api.create(pods, dialect.outside(body, pod="probe", cpus="0", namespace=namespace))
    answered = await _happens(
        api,
        pods,
        made,
        lambda _, pod: bool((pod.get("status") or {}).get("conditions")),
        part.answers_within_s,
    )
    if part.installed and not answered:
        raise UserError(
            f"no scheduler called {scheduler!r} works in this cluster: nobody said anything of a probe pod "
            "that no node can take. Install it, or correct 'scheduler' in its dialect, or let its descriptor "
            "say how it is started"
        )
    if answered and not part.installed:
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


async def _happens(
    api: Api, collection: str, made: Json, shows: Callable[[str, Json], bool], within_s: float = _WITHIN_S
) -> bool:
    """Whether within a moment something is seen of an object since it was made."""
    name, revision = made["metadata"]["name"], made["metadata"]["resourceVersion"]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            async for event in api.watch(collection, revision):
                it = event["object"]
                if it.get("metadata", {}).get("name") == name and shows(event["type"], it):
                    return True
    return False
