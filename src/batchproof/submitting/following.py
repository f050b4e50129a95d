"""The shards of a submitted run, followed by their logs until each has said all."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from batchproof.api.client import ApiError
from batchproof.ground import files
from batchproof.ground.errors import HarnessError
from batchproof.report.exploration import ExplorationCounts, together
from batchproof.running.progress import RunProgress
from batchproof.submitting.cluster import ShardPod, Submitted, why_failed
from batchproof.submitting.frames import FrameError, Reader
from batchproof.submitting.merge import MergeError, ShardFiles
from batchproof.submitting.messages import (
    Message,
    ResultFile,
    ScenarioFinished,
    ScenarioLeft,
    ScenarioRetried,
    ScenarioStarted,
    ShardBegan,
    ShardExplores,
    ShardSaid,
    decode,
)
from batchproof.submitting.plan import Plan, key_of

if TYPE_CHECKING:
    from pathlib import Path

_LOOK_EVERY_S: Final = 1.0
_WAITS_S: Final = 20.0
_PATIENCE_S: Final = 60.0
_READ_AGAIN: Final = 3
"""How often the log of a pod that has ended is read again where frames are missing."""


class JobFailedError(HarnessError):
    """The Job has failed: it makes no more pods, and not all shards are there."""


@dataclass
class Attempt:
    """A pod of a shard, as far as its log says.

    Attributes:
        folder: where the files of its results are written.
        read: how often its log was read to its end after it had ended.
    """

    pod: ShardPod
    reader: Reader
    folder: Path
    began: ShardBegan | None = None
    verdicts: Counter[str] = field(default_factory=Counter)
    running: set[str] = field(default_factory=set)
    explored: ExplorationCounts | None = None
    read: int = 0
    lost: bool = False


class Following:
    """Follows all shards of a run.

    Args:
        submitted: the run in the cluster.
        plan: its plan.
        folder: for the files of the shards, a folder for each pod.
        progress: shows how far all shards are together.
        plays: how much is played in all; 0: no one knows.
    """

    def __init__(
        self, submitted: Submitted, plan: Plan, folder: Path, progress: RunProgress, *, plays: int
    ) -> None:
        self._plays = plays
        self._submitted = submitted
        self._plan = plan
        self._folder = folder
        self._progress = progress
        self._attempts: dict[str, Attempt] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._waited: dict[str, float] = {}
        self._queued = False
        self._answered_at = 0.0

    async def all(self) -> list[ShardFiles]:
        """What all shards sent, as soon as it is there.

        Raises:
            HarnessError: the Job has failed, or was removed.
            MergeError: a shard sent what is none of its results, or its log has lost a part.
            UserError: a pod claims to be of the run that is not.
        """
        if self._plays:
            self._progress.planned(self._plays)
        uid = (await self._submitted.job())["metadata"]["uid"]
        self._answered_at = asyncio.get_running_loop().time()
        try:
            while len(done := self._complete()) < len(self._plan.shards):
                await self._look_patiently(uid)
                await asyncio.sleep(_LOOK_EVERY_S)
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            self._progress.end()
        return [_part(one) for _, one in sorted(done.items())]

    def _complete(self) -> dict[int, Attempt]:
        """The first whole attempt of each shard; a failed reading is raised here."""
        for task in self._tasks.values():
            if task.done() and not task.cancelled() and (error := task.exception()):
                raise error
        whole: dict[int, Attempt] = {}
        for one in self._attempts.values():
            if one.reader.complete:
                whole.setdefault(one.pod.shard, one)
        return whole

    async def _look_patiently(self, uid: str) -> None:
        """Look; where the cluster does not answer, look again for a while."""
        now = asyncio.get_running_loop().time()
        try:
            await self._look(uid)
        except JobFailedError:
            raise
        except HarnessError as error:
            forbidden = isinstance(error, ApiError) and error.status == HTTPStatus.FORBIDDEN
            if forbidden or now - self._answered_at > _PATIENCE_S:
                raise
        else:
            self._answered_at = now

    async def _look(self, uid: str) -> None:
        """Follow new pods, and drop what the lost ones had begun."""
        pods = {one.uid: one for one in await self._submitted.pods(uid)}
        for one in pods.values():
            if one.uid not in self._tasks and one.started:
                self._follow(one)
            elif one.uid in self._attempts:
                self._attempts[one.uid].pod = one
            elif one.waits:
                self._say_waits(one)
        for uid_, attempt in self._attempts.items():
            if uid_ not in pods:
                attempt.pod = replace(attempt.pod, ended=True)
            if attempt.pod.ended and self._tasks[uid_].done() and not attempt.reader.complete:
                self._lose(attempt)
        job = await self._submitted.job()
        if job["spec"].get("suspend") and not self._queued:
            self._queued = True
            self._progress.say(f"the Job {self._submitted.name} is suspended: it waits for its queue")
        all_read = all(task.done() for task in self._tasks.values())
        if (why := why_failed(job)) and all_read and len(self._complete()) < len(self._plan.shards):
            raise JobFailedError(f"the Job {self._submitted.name} has failed: {why}{self._last_words()}")

    def _follow(self, pod: ShardPod) -> None:
        if not 0 <= pod.shard < len(self._plan.shards):
            raise MergeError(
                f"foreign: the pod {pod.name} is of shard {pod.shard}, which the plan does not have"
            )
        folder = files.empty_folder(self._folder, pod.uid)
        attempt = Attempt(pod, Reader(key_of(self._plan, pod.shard)), folder)
        self._attempts[pod.uid] = attempt
        self._tasks[pod.uid] = asyncio.create_task(self._read(attempt))

    async def _read(self, attempt: Attempt) -> None:
        """Read the log of a pod, again from its beginning while something is missing."""
        while not attempt.reader.complete and attempt.read < _READ_AGAIN:
            over = attempt.pod.ended
            attempt.reader.said.clear()
            try:
                async for line in self._submitted.log(attempt.pod):
                    self._take(attempt, line)
            except ApiError as error:
                if error.status == HTTPStatus.FORBIDDEN:
                    raise
            except HarnessError:
                pass  # the connection or the pod is gone: it is looked for again
            attempt.read += over
            if not attempt.reader.complete:
                await asyncio.sleep(_LOOK_EVERY_S)

    def _take(self, attempt: Attempt, line: str) -> None:
        try:
            for message in attempt.reader.read(line):
                self._note(attempt, decode(message))
        except FrameError as error:
            raise MergeError(f"foreign: shard {attempt.pod.shard} ({attempt.pod.name}): {error}") from error

    def _note(self, attempt: Attempt, message: Message) -> None:
        name = attempt.pod.uid
        match message:
            case ShardBegan():
                attempt.began = message
            case ScenarioStarted():
                attempt.running.add(message.node)
                self._progress.started(f"{name} {message.node}")
            case ScenarioLeft():
                attempt.running.discard(message.node)
                self._progress.left(f"{name} {message.node}")
            case ScenarioRetried():
                attempt.verdicts[message.verdict] -= 1
                self._progress.again(message.verdict)
            case ScenarioFinished():
                attempt.verdicts[message.verdict] += 1
                self._progress.finished(
                    f"{name} {message.id}", message.verdict, message.title, message.broken
                )
            case ShardExplores():
                attempt.explored = message.counts
                self._progress.explored(together(self._exploring()))
            case ShardSaid():
                self._progress.say(f"shard {attempt.pod.shard}: {message.text}")
            case ResultFile():
                files.write(attempt.folder, message.path, message.content)

    def _exploring(self) -> list[ExplorationCounts]:
        """How far the explorations are that were not lost."""
        return [one.explored for one in self._attempts.values() if one.explored and not one.lost]

    def _lose(self, attempt: Attempt) -> None:
        """What a pod had judged before it was lost counts no more: its shard is played again."""
        if attempt.lost:
            return
        attempt.lost = True
        if attempt.pod.succeeded:
            raise MergeError(
                f"missing: shard {attempt.pod.shard} ({attempt.pod.name}): its log lacks "
                f"{attempt.reader.missing}: the node has rotated it. Take more shards, stay attached, or "
                "keep the results with --results pvc:NAME/PATH"
            )
        for verdict, count in attempt.verdicts.items():
            for _ in range(count):
                self._progress.again(verdict)
        for node in attempt.running:
            self._progress.left(f"{attempt.pod.uid} {node}")
        why = f" ({attempt.pod.broke})" if attempt.pod.broke else ""
        self._progress.say(
            f"shard {attempt.pod.shard} was lost with its pod {attempt.pod.name}{why}: it is retried"
        )

    def _say_waits(self, pod: ShardPod) -> None:
        """Say why a pod does not start, if it goes on; once for each pod."""
        now = asyncio.get_running_loop().time()
        since = self._waited.setdefault(pod.uid, now)
        if 0 <= since < now - _WAITS_S:
            self._waited[pod.uid] = -1.0
            self._progress.say(f"shard {pod.shard} waits ({pod.name}): {pod.waits}")

    def _last_words(self) -> str:
        """What the pods that were lost have printed last."""
        said = [(one.pod, "\n    ".join(list(one.reader.said)[-10:])) for one in self._attempts.values()]
        return "".join(
            f"\n  {pod.name} of shard {pod.shard} said:\n    {words}" for pod, words in said if words
        )


def _part(attempt: Attempt) -> ShardFiles:
    pod = attempt.pod
    if attempt.began is None:
        raise MergeError(f"foreign: shard {pod.shard} ({pod.name}) does not say of which plan it is")
    began = attempt.began
    return ShardFiles(began.shard, began.plan, began.required, pod.name, attempt.folder)
