"""A submitted run in the cluster: made, seen, and removed. Every request is about one namespace."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from batchproof.api.client import Api, ApiError
from batchproof.ground.errors import HarnessError, UserError
from batchproof.ground.resources import COMPLETION_INDEX
from batchproof.judgement.history import Json
from batchproof.submitting.manifests import PLAN_ANNOTATION, RUN_LABEL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_GONE_WITHIN_S: Final = 60.0
_LOOK_EVERY_S: Final = 0.5
_ENDED: Final = {"Succeeded", "Failed"}


@dataclass(frozen=True, slots=True)
class ShardPod:
    """A pod that plays, or played, a shard.

    Attributes:
        name: its name.
        uid: its id; another pod may get its name.
        shard: the index of its shard.
        started: its container has printed something, or may have.
        ended: it runs no more.
        succeeded: it ended well.
        waits: why it does not start, in the words of the cluster; empty if nothing is known.
        broke: why its container failed, in the words of the cluster, such as ``OOMKilled``; empty if not.
    """

    name: str
    uid: str
    shard: int
    started: bool
    ended: bool
    succeeded: bool = False
    waits: str = ""
    broke: str = ""


class Submitted:
    """A submitted run.

    Args:
        api: the API server.
        namespace: where it is.
        name: its name.
    """

    def __init__(self, api: Api, namespace: str, name: str) -> None:
        self._api = api
        self._namespace = namespace
        self.name = name
        self._core = f"/api/v1/namespaces/{namespace}"
        self._job = f"/apis/batch/v1/namespaces/{namespace}/jobs"

    async def create(self, job: Json) -> Json:
        """Make the Job; its pods wait for its ConfigMap.

        Raises:
            UserError: the cluster refuses it.
        """
        return await self._made(self._job, job)

    async def give(self, config_map: Json) -> None:
        """Make the ConfigMap.

        Raises:
            UserError: the cluster refuses it.
        """
        await self._made(f"{self._core}/configmaps", config_map)

    async def job(self) -> Json:
        """The Job.

        Raises:
            UserError: there is none of that name, or none of a submitted run.
        """
        found = await self._api.get(f"{self._job}/{self.name}", missing_ok=True)
        if not found:
            raise UserError(
                f"there is no Job {self.name} in the namespace {self._namespace}, or no longer: name the one "
                "that `batchproof submit` printed, and its --namespace"
            )
        if PLAN_ANNOTATION not in found["metadata"].get("annotations", {}):
            raise UserError(
                f"the Job {self.name} in {self._namespace} is not that of a submitted run: name the one that "
                "`batchproof submit` printed"
            )
        return found

    async def given(self) -> Json:
        """The ConfigMap with the plan.

        Raises:
            UserError: there is none.
        """
        found = await self._api.get(f"{self._core}/configmaps/{self.name}", missing_ok=True)
        if not found:
            raise UserError(
                f"there is no ConfigMap {self.name} with the plan in {self._namespace}: delete the Job "
                f"{self.name}, and submit again"
            )
        return found

    async def pods(self, uid: str) -> list[ShardPod]:
        """The pods of the Job with this id.

        Raises:
            UserError: a pod has the labels of the run, but is none of the Job: it could forge a result.
        """
        listed = await self._api.get(f"{self._core}/pods?labelSelector={RUN_LABEL}%3D{self.name}")
        for one in listed["items"]:
            if not any(owner["uid"] == uid for owner in one["metadata"].get("ownerReferences", ())):
                name = one["metadata"]["name"]
                raise UserError(
                    f"foreign: the pod {name} has the labels of {self.name}, but its Job does not own it: "
                    "remove it, then attach again"
                )
        return [_pod(one) for one in listed["items"]]

    async def log(self, pod: ShardPod) -> AsyncIterator[str]:
        """The lines that a pod has printed, from the beginning, and those to come until it ends."""
        path = f"{self._core}/pods/{pod.name}/log?follow=true"
        async for line in self._api.lines(path):
            yield line

    async def remove(self) -> None:
        """Remove all that belongs to the run; what is gone already is no error.

        Raises:
            HarnessError: it is still there after a while.
        """
        await self._api.delete(f"{self._job}/{self.name}", propagationPolicy="Foreground")
        await self._api.delete(f"{self._core}/configmaps/{self.name}")
        end = asyncio.get_running_loop().time() + _GONE_WITHIN_S
        while await self._api.get(f"{self._job}/{self.name}", missing_ok=True):
            if asyncio.get_running_loop().time() > end:
                raise HarnessError(f"the Job {self.name} is still there after {_GONE_WITHIN_S:.0f} s")
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _made(self, path: str, body: Json) -> Json:
        try:
            return await self._api.create(path, body)
        except ApiError as error:
            if error.status in {HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY}:
                raise UserError(f"the cluster refuses the run: {error}") from error
            raise


def rights_hint(namespace: str) -> str:
    """What to do where the cluster forbids a request."""
    return f"`batchproof rbac --submit {namespace} | kubectl apply -f -` gives the rights that it takes"


async def version(api: Api) -> tuple[int, int]:
    """The major and minor version of the cluster."""
    said = str((await api.get("/version"))["gitVersion"]).removeprefix("v")
    major, minor = said.split(".")[:2]
    return int(major), int(minor)


def why_failed(job: Json) -> str:
    """Why the Job has failed, in the words of the cluster; empty if it has not."""
    conditions = job.get("status", {}).get("conditions", ())
    failed = [
        one for one in conditions if one["type"] in {"Failed", "FailureTarget"} and one["status"] == "True"
    ]
    return f"{failed[0].get('reason', '')}: {failed[0].get('message', '')}" if failed else ""


def _pod(one: Json) -> ShardPod:
    metadata, status = one["metadata"], one.get("status", {})
    states = [each.get("state", {}) for each in status.get("containerStatuses", ())]
    waiting = [each["waiting"] for each in states if "waiting" in each]
    said = (f"{each.get('reason', '')}: {each.get('message', '')}".rstrip(": ") for each in waiting)
    ended = [each["terminated"] for each in states if "terminated" in each]
    broke = (f"{each.get('reason', '')}, exit code {each['exitCode']}" for each in ended if each["exitCode"])
    scheduled = [each for each in status.get("conditions", ()) if each["type"] == "PodScheduled"]
    unplaced = (each.get("message", "") for each in scheduled if each["status"] == "False")
    return ShardPod(
        name=metadata["name"],
        uid=metadata["uid"],
        shard=int(metadata.get("annotations", {}).get(COMPLETION_INDEX, -1)),
        started=any("running" in each or "terminated" in each for each in states),
        ended=status.get("phase") in _ENDED,
        succeeded=status.get("phase") == "Succeeded",
        waits="; ".join([*said, *unplaced]),
        broke="; ".join(broke),
    )
