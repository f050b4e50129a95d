"""Whether somebody in the cluster already does what the implementation is to do.

The witness of each profile, which an implementation always works on at once, is made in a namespace of ours
before anything is started, and for a moment it is watched whether anybody works on it. A controller that does
would act on the scenarios' objects too, and nobody could know who did what. Where just that is to be judged,
in place, somebody has to work on it.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

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
    from batchproof.resources import Resource

TTL: Final = "TTLAfterFinished"
_WITHIN_S: Final = 4.0
_INSTALLED_WITHIN_S: Final = 30.0
_PROBE_MANAGER: Final = "batchproof.dev/probe"
_ABSENT_IMAGE: Final = "batchproof.dev/simulated"
_ALONE: Final = "judge on a control plane of its own (--cluster embedded or kind)"
_BESIDE: Final = (
    f"{_ALONE}, or start the implementation so that "
    "it handles only Jobs with a spec.managedBy of its own and say so in its descriptor (managed_by: "
    "example.com/controller), or switch that controller off (--controllers=*,-job-controller of "
    "kube-controller-manager)"
)


class Witness(Protocol):
    """What an implementation of a profile always has to do, at once."""

    @property
    def resource(self) -> Resource:
        """What is given to it."""
        ...

    @property
    def shown_by(self) -> Resource:
        """What it makes for that, as its controller."""
        ...

    @property
    def body(self) -> Callable[[str, str | None], Json]:
        """The object of a name, for who handles what names this manager."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """What an implementation is to do in a cluster.

    Attributes:
        witnesses: those of its profiles.
        managed_by: it handles only Jobs with this ``spec.managedBy``; None: those that name nobody.
        deletes_finished: it deletes finished Jobs whose time to live is over.
        dialect: of the pods that it binds; None if it binds none.
        installed: it is at work there already, and judged in place.
    """

    witnesses: tuple[Witness, ...]
    managed_by: str | None
    deletes_finished: bool
    dialect: Dialect | None
    installed: bool = False

    @property
    def jobs(self) -> bool:
        """It handles Jobs."""
        return any(witness.resource == JOBS for witness in self.witnesses)

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
    asked = [_look_at_witness(api, namespace, witness, part) for witness in part.witnesses]
    if part.jobs and part.deletes_finished and not part.installed:
        asked.append(_finished_jobs_are_left(api, JOBS.path(namespace)))
    if part.dialect:
        asked.append(_look_at_pods(api, namespace, part.dialect, part))
    return tuple(found for found in await asyncio.gather(*asked) if found)


async def _look_at_witness(api: Api, namespace: str, witness: Witness, part: Part) -> str:
    """See whether anybody works on what the implementation always works on at once."""
    manager = part.managed_by
    body = witness.body("probe", manager)
    made = await api.create(witness.resource.path(namespace), body)
    if manager and "managedBy" in body["spec"] and "managedBy" not in made["spec"]:
        raise UserError(
            "this cluster does not know spec.managedBy of Jobs (Kubernetes 1.30 and newer do, with the gate "
            f"JobManagedBy), so its own Job controller cannot be kept apart: {_BESIDE}"
        )
    uid = made["metadata"]["uid"]

    def made_for_it(_: str, it: Json) -> bool:
        return any(owner["uid"] == uid for owner in it["metadata"].get("ownerReferences") or ())

    collection = witness.shown_by.path(namespace)
    since = made["metadata"]["resourceVersion"]
    handled = await _happens(api, collection, since, made_for_it, part.answers_within_s)
    if handled != part.installed:
        raise UserError(_refused(witness, made, part))
    return ""


def _refused(witness: Witness, made: Json, part: Part) -> str:
    """Why the implementation cannot be judged beside who is at work in the cluster, or is not."""
    kind, shown_by, manager = made["kind"], witness.shown_by.singular, part.managed_by
    managed = f" with spec.managedBy {manager!r}" if manager else ""
    if part.installed:
        return (
            f"nobody in this cluster handles a {kind}{managed}: no {shown_by} was made for a probe {kind}. "
            "Install the implementation, or let its descriptor say how it is started"
        )
    if manager:
        handled = f"a controller in this cluster already handles {kind}s{managed}"
        return f"{handled}: end it, or judge under another name"
    if witness.resource == JOBS:
        return f"a Job controller already runs in this cluster and handles every Job: {_BESIDE}"
    return (
        f"a controller in this cluster already handles every {made['apiVersion']} {kind}: it made a "
        f"{shown_by} for a probe. End it for the time of the run, or {_ALONE}"
    )


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

    def deleted(kind: str, job: Json) -> bool:
        gone = kind == "DELETED" or "deletionTimestamp" in job["metadata"]
        return gone and job["metadata"]["uid"] == made["metadata"]["uid"]

    return TTL if await _happens(api, jobs, made["metadata"]["resourceVersion"], deleted) else ""


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

    def spoken_of(_: str, pod: Json) -> bool:
        said = (pod.get("status") or {}).get("conditions")
        return bool(said) and pod["metadata"]["uid"] == made["metadata"]["uid"]

    answered = await _happens(
        api, pods, made["metadata"]["resourceVersion"], spoken_of, part.answers_within_s
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
    api: Api, collection: str, since: str, shows: Callable[[str, Json], bool], within_s: float = _WITHIN_S
) -> bool:
    """Whether within a moment a change of a collection since a resourceVersion shows something."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            async for event in api.watch(collection, since):
                if event["type"] != "ERROR" and shows(event["type"], event["object"]):
                    return True
    return False
