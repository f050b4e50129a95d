"""Ends the pods of a large benchmark, and counts what the controller says of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Self

from batchproof.api.client import Api, ApiError
from batchproof.ground.errors import HarnessError
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import TracebackType

_AT_ONCE = 64
_AGAIN_S = 0.2
_INDEX = "batch.kubernetes.io/job-completion-index"
_GONE = {404, 409, 422}
_LOST = 410
_SUCCEEDED = {"status": {"phase": "Succeeded"}}


@dataclass
class Account:
    """What happened to the pods of some Jobs, as two watches saw it; times are of the monotonic clock.

    Attributes:
        created_s: when each pod was first seen.
        ended_s: when each pod was reported to have succeeded.
        counted_s: when the sum of ``succeeded`` of all Jobs first reached 1, 2, 3 ...
        pods_of: how many pods each index of each Job has had.
        succeeded: the newest count of each Job.
        complete: the Jobs that are Complete, with the indexes that they say are completed.
        writes: how often the status of a Job changed.
    """

    created_s: list[float] = field(default_factory=list)
    ended_s: list[float] = field(default_factory=list)
    counted_s: list[float] = field(default_factory=list)
    pods_of: Counter[tuple[str, str]] = field(default_factory=Counter)
    succeeded: dict[str, int] = field(default_factory=dict)
    complete: dict[str, str] = field(default_factory=dict)
    writes: int = 0

    def pod(self, pod: Json) -> None:
        """A pod is there that was not."""
        self.created_s.append(monotonic())
        metadata = pod["metadata"]
        labels = metadata.get("labels", {})
        index = metadata.get("annotations", {}).get(_INDEX, "")
        self.pods_of[labels.get("batch.kubernetes.io/job-name", ""), index] += 1

    def job(self, job: Json) -> None:
        """A Job has another status."""
        self.writes += 1
        name, status = job["metadata"]["name"], job.get("status", {})
        risen = status.get("succeeded", 0) - self.succeeded.get(name, 0)
        self.succeeded[name] = status.get("succeeded", 0)
        self.counted_s += [monotonic()] * max(0, risen)
        conditions = status.get("conditions", ())
        if any(it["type"] == "Complete" and it["status"] == "True" for it in conditions):
            self.complete[name] = status.get("completedIndexes", "")

    @property
    def lags_s(self) -> list[float]:
        """How long after the k-th pod had ended k pods were counted, for each k, sorted; seconds."""
        ends = sorted(self.ended_s)
        return sorted(max(0.0, late - at) for at, late in zip(ends, self.counted_s, strict=False))

    def wrong(self, jobs: int, pods: int) -> list[str]:
        """What is not exact in the end: counts, indexes, pods of an index; empty if all is.

        Args:
            jobs: how many Jobs there were.
            pods: the completions of each.
        """
        indexes = f"0-{pods - 1}" if pods > 1 else "0"
        if pods == 2:  # noqa: PLR2004 - two indexes are written one by one
            indexes = "0,1"
        counts = Counter(self.succeeded.values()) - Counter({pods: jobs})
        found = [f"{count} Jobs count {number} pods, not {pods}" for number, count in counts.items()]
        if wrong := [name for name, text in self.complete.items() if text != indexes]:
            found.append(f"{len(wrong)} Jobs do not say that the indexes {indexes} are completed")
        if len(self.pods_of) != jobs * pods:
            found.append(f"{len(self.pods_of)} indexes have had a pod, not {jobs * pods}")
        if more := [count for count in self.pods_of.values() if count > 1]:
            found.append(f"{len(more)} indexes have had more than one pod")
        return found


class Waves:
    """Ends each pod of a namespace soon after it is there, as many at once as there are.

    An async context manager: it begins to watch with its block and stops with it.

    Args:
        api: the API server, with nothing in between.
        namespace: that of the Jobs.
    """

    def __init__(self, api: Api, namespace: str) -> None:
        self.account = Account()
        self._api = api
        self._pods = f"/api/v1/namespaces/{namespace}/pods"
        self._jobs = f"/apis/batch/v1/namespaces/{namespace}/jobs"
        self._known: set[str] = set()
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._at_work: list[asyncio.Task[None]] = []
        self._moved = asyncio.Event()

    async def __aenter__(self) -> Self:
        places = (self._pods, self._jobs)
        pods, jobs = [(await self._api.get(f"{place}?limit=1"))["metadata"] for place in places]
        self._at_work = [
            asyncio.create_task(self._see_pods(pods["resourceVersion"])),
            asyncio.create_task(self._see_jobs(jobs["resourceVersion"])),
            *(asyncio.create_task(self._end()) for _ in range(_AT_ONCE)),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._at_work:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)

    async def counted(self, pods: int) -> None:
        """Wait until the Jobs count this number of pods."""
        while len(self.account.counted_s) < pods:
            await self._move()

    async def completed(self, jobs: int) -> None:
        """Wait until this number of Jobs is Complete."""
        while len(self.account.complete) < jobs:
            await self._move()

    async def _move(self) -> None:
        """Wait until a Job has changed, or a task has failed.

        Raises:
            HarnessError: what watches or ends pods broke.
        """
        self._moved.clear()
        moved = asyncio.create_task(self._moved.wait())
        done, _ = await asyncio.wait({moved, *self._at_work}, return_when=asyncio.FIRST_COMPLETED)
        moved.cancel()
        for task in done - {moved}:
            task.result()
            raise HarnessError("what ends the pods has stopped")

    async def _see_pods(self, revision: str) -> None:
        async for pod in self._changes(self._pods, revision):
            uid = pod["metadata"]["uid"]
            if uid not in self._known:
                self._known.add(uid)
                self.account.pod(pod)
                self._waiting.put_nowait(pod["metadata"]["name"])

    async def _see_jobs(self, revision: str) -> None:
        async for job in self._changes(self._jobs, revision):
            self.account.job(job)
            self._moved.set()

    async def _changes(self, place: str, revision: str) -> AsyncIterator[Json]:
        """Each object that changes in a collection after a revision; a stream that ends is opened again.

        Raises:
            HarnessError: changes were missed.
        """
        while True:
            async for event in self._api.watch(place, revision):
                if event["type"] == "ERROR":
                    if event["object"].get("code") == _LOST:
                        raise HarnessError(f"changes of {place} were missed")
                    break
                revision = event["object"]["metadata"]["resourceVersion"]
                if event["type"] != "DELETED":
                    yield event["object"]
            await asyncio.sleep(_AGAIN_S)

    async def _end(self) -> None:
        while True:
            name = await self._waiting.get()
            try:
                await self._api.patch(f"{self._pods}/{name}/status", _SUCCEEDED)
            except ApiError as error:
                if error.status not in _GONE:
                    raise
            else:
                self.account.ended_s.append(monotonic())


def quantile(ordered: list[float], part: float) -> float:
    """The value below which that part of a sorted list lies; 0 for an empty one."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
