"""Ways to ask for the same: each is right, and each is a program's to choose."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any
from uuid import uuid4

from tests.unusual.job.api import (
    APPLY,
    CONFLICT,
    JSON_PATCH,
    MERGE,
    STRATEGIC,
    UNPROCESSABLE,
    Api,
    ApiError,
    path_of,
)
from tests.unusual.job.decide import SURPLUS_MARK
from tests.unusual.job.model import TRACKING, Job, Pod

Json = dict[str, Any]
Write = Callable[[Api, Job, Json], Coroutine[Any, Any, object]]
Release = Callable[[Api, str, Pod], Coroutine[Any, Any, object]]
Remove = Callable[[Api, str, Pod], Coroutine[Any, Any, object]]


def reference(job: Job) -> Json:
    """The owner reference by which a Job controls a pod."""
    it = {"apiVersion": "batch/v1", "kind": "Job", "name": job.name, "uid": job.uid}
    return {**it, "controller": True, "blockOwnerDeletion": True}


# -- writing a status: always of the version that was read


async def put_status(api: Api, job: Job, status: Json) -> None:
    """Replace it."""
    kept = {key: value for key, value in status.items() if value is not None}
    body = {**job.raw, "apiVersion": "batch/v1", "kind": "Job", "status": kept}
    await api.ask("PUT", path_of("jobs", job.namespace, job.name, "status"), body)


async def merge_status(api: Api, job: Job, status: Json) -> None:
    """Send what is to be otherwise as a JSON merge patch."""
    changed = {key: value for key, value in status.items() if job.status.get(key) != value}
    body = {"metadata": {"resourceVersion": job.meta["resourceVersion"], "uid": job.uid}, "status": changed}
    await api.ask("PATCH", path_of("jobs", job.namespace, job.name, "status"), body, patch=MERGE)


async def json_patch_status(api: Api, job: Job, status: Json) -> None:
    """Send it as a JSON patch that tests the version first."""
    kept = {key: value for key, value in status.items() if value is not None}
    version = {"op": "test", "path": "/metadata/resourceVersion", "value": job.meta["resourceVersion"]}
    patch = [version, {"op": "add", "path": "/status", "value": kept}]
    try:
        await api.ask("PATCH", path_of("jobs", job.namespace, job.name, "status"), patch, patch=JSON_PATCH)
    except ApiError as error:
        raise _changed_meanwhile(error) from error


async def apply_status(api: Api, job: Job, status: Json) -> None:
    """Apply it on the server's side, as the owner of every field of the status."""
    kept = {key: value for key, value in status.items() if value is not None}
    metadata = {"name": job.name, "namespace": job.namespace, "resourceVersion": job.meta["resourceVersion"]}
    body = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {**metadata, "uid": job.uid}, "status": kept}
    path = path_of("jobs", job.namespace, job.name, "status")
    await api.ask("PATCH", path, body, patch=APPLY, fieldManager="unusual", force="true")


def _changed_meanwhile(error: ApiError) -> ApiError:
    """A JSON patch whose test fails is answered with 422 and no cause: another version is stored by now."""
    failed = error.status == UNPROCESSABLE and '"causes"' not in str(error)
    return ApiError(CONFLICT, str(error)) if failed else error


# -- taking off the finalizer


async def release_by_strategic_patch(api: Api, namespace: str, pod: Pod) -> None:
    """Name only what goes."""
    body = {"metadata": {"uid": pod.uid, "$deleteFromPrimitiveList/finalizers": [TRACKING]}}
    await api.ask("PATCH", path_of("pods", namespace, pod.name), body, patch=STRATEGIC)


async def release_by_merge_patch(api: Api, namespace: str, pod: Pod) -> None:
    """Send the finalizers that stay, for the version that was read; read again after a conflict."""
    while pod.tracked:
        stay = [it for it in pod.meta["finalizers"] if it != TRACKING]
        metadata = {"uid": pod.uid, "resourceVersion": pod.meta["resourceVersion"], "finalizers": stay}
        try:
            await api.ask("PATCH", path_of("pods", namespace, pod.name), {"metadata": metadata}, patch=MERGE)
        except ApiError as error:
            if error.status != CONFLICT:
                raise
            fresh = Pod(await api.ask("GET", path_of("pods", namespace, pod.name)))
            if fresh.uid != pod.uid or fresh.meta["resourceVersion"] == pod.meta["resourceVersion"]:
                raise
            pod = fresh
        else:
            return


async def release_by_put(api: Api, namespace: str, pod: Pod) -> None:
    """Replace the whole pod, of the version that was read; a conflict ends the attempt."""
    stay = [it for it in pod.meta["finalizers"] if it != TRACKING]
    body = {**pod.raw, "apiVersion": "v1", "kind": "Pod", "metadata": {**pod.meta, "finalizers": stay}}
    await api.ask("PUT", path_of("pods", namespace, pod.name), body)


async def release_by_json_patch(api: Api, namespace: str, pod: Pod) -> None:
    """Test which finalizer is at its place, and remove that."""
    place = f"/metadata/finalizers/{pod.meta['finalizers'].index(TRACKING)}"
    patch = [{"op": "test", "path": "/metadata/uid", "value": pod.uid}]
    patch += [{"op": "test", "path": place, "value": TRACKING}, {"op": "remove", "path": place}]
    try:
        await api.ask("PATCH", path_of("pods", namespace, pod.name), patch, patch=JSON_PATCH)
    except ApiError as error:
        raise _changed_meanwhile(error) from error


# -- removing a surplus pod


async def delete(api: Api, namespace: str, pod: Pod) -> None:
    """Delete this very pod."""
    options = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": pod.uid}}
    await api.ask("DELETE", path_of("pods", namespace, pod.name), options)


async def release_then_delete(api: Api, namespace: str, pod: Pod) -> None:
    """Take the finalizer off, unless the pod has changed, then delete it."""
    if pod.tracked:
        metadata = {"resourceVersion": pod.meta["resourceVersion"], "uid": pod.uid}
        body = {"metadata": {**metadata, "$deleteFromPrimitiveList/finalizers": [TRACKING]}}
        await api.ask("PATCH", path_of("pods", namespace, pod.name), body, patch=STRATEGIC)
    await delete(api, namespace, pod)


async def mark_then_delete(api: Api, namespace: str, pod: Pod) -> None:
    """Mark the pod as surplus, unless it has changed, delete it, and take the finalizer off last."""
    metadata = {"resourceVersion": pod.meta["resourceVersion"], "uid": pod.uid}
    body = {"metadata": {**metadata, "annotations": {SURPLUS_MARK: "true"}}}
    await api.ask("PATCH", path_of("pods", namespace, pod.name), body, patch=STRATEGIC)
    await delete(api, namespace, pod)
    if pod.tracked:
        await release_by_strategic_patch(api, namespace, pod)


# -- adopting, and the contrary


async def adopt(api: Api, job: Job, pod: Pod) -> None:
    """Become the controller of a pod, and track it, unless the Job is being deleted by now.

    A pod whose Job is deleted with orphan propagation loses its controller, and must not get it back. Pods
    were read before, so a deletion that took the controller from this one is seen now; the patch is of the
    version that was read.
    """
    fresh = Job(await api.ask("GET", path_of("jobs", job.namespace, job.name)))
    if fresh.uid != job.uid or fresh.deleting:
        return
    owners = [*pod.meta.get("ownerReferences", []), reference(job)]
    metadata = {"uid": pod.uid, "resourceVersion": pod.meta["resourceVersion"], "ownerReferences": owners}
    others = [it for it in pod.meta.get("finalizers", []) if it != TRACKING]
    metadata["finalizers"] = [*others, TRACKING]
    await api.ask("PATCH", path_of("pods", job.namespace, pod.name), {"metadata": metadata}, patch=MERGE)


async def disown(api: Api, job: Job, pod: Pod) -> None:
    """Be its controller no longer."""
    owners = [it for it in pod.meta["ownerReferences"] if it["uid"] != job.uid]
    stay = [it for it in pod.meta.get("finalizers", []) if it != TRACKING]
    metadata = {"uid": pod.uid, "resourceVersion": pod.meta["resourceVersion"]}
    body = {"metadata": {**metadata, "ownerReferences": owners, "finalizers": stay}}
    await api.ask("PATCH", path_of("pods", job.namespace, pod.name), body, patch=MERGE)


# -- names


def usual_name(job: Job, index: int | None) -> Json:
    """The Job's name, the index if there is one, and what the API server adds."""
    longest = 58
    suffix = "-" if index is None else f"-{index}-"
    return {"generateName": f"{job.name[: longest - len(suffix)]}{suffix}"}


def own_name(job: Job, index: int | None) -> Json:
    """A name that is made here; without an index it has nothing of the Job's."""
    tail = uuid4().hex[:12]
    return {"name": f"work-{tail}" if index is None else f"{job.name[:45]}-{index}-{tail}"}
