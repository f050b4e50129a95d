"""The loop of every controller: stages, errors, and when a key comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from virtual_time import lapse, passed_s, run, within

from reference_controller.decision import NOTHING, Decision
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.loop import Loop, Sync
from reference_controller.runtime.worker import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable

CONFLICT = ApiError(409, "conflict")


class Scripted(Sync[int, str]):
    """Observes the number of its stage, decides as the script says, and keeps what it did."""

    def __init__(self, script: Iterable[Decision[str]], done: list[str], gone_after: int = 99) -> None:
        super().__init__()
        self._script = list(script)
        self._done = done
        self._gone_after = gone_after
        self._stage = -1

    async def observe(self) -> int | None:
        self._stage += 1
        return self._stage if self._stage < self._gone_after else None

    def reconcile(self, observed: int, now: float) -> Decision[str]:  # noqa: ARG002
        return self._script[observed] if observed < len(self._script) else NOTHING

    async def carry_out(self, action: str, observed: int) -> None:
        self._done.append(f"{observed}{action}")
        if action == "raises":
            raise CONFLICT
        if action == "notes":
            self.errors.append(CONFLICT)


def stage(*actions: str, final: bool = False) -> Decision[str]:
    return Decision(actions, final=final)


@pytest.mark.parametrize(
    ("script", "gone_after", "done", "raises"),
    [
        ([], 99, [], False),
        ([stage("a", "b"), stage("c")], 99, ["0a", "0b", "1c"], False),
        ([stage("a"), stage("b")], 1, ["0a"], False),
        ([stage("a", final=True), stage("b")], 99, ["0a"], False),
        ([stage(final=True)], 99, [], False),
        ([stage("raises", "b"), stage("c")], 99, ["0raises"], True),
        ([stage("notes", "b"), stage("c")], 99, ["0notes", "0b", "1c"], True),
    ],
    ids=[
        "nothing to do",
        "stage after stage",
        "gone meanwhile",
        "a final stage is the last",
        "final without actions",
        "an error ends the sync",
        "a noted error is raised at the end",
    ],
)
def test_a_sync_goes_from_stage_to_stage(
    script: list[Decision[str]], gone_after: int, done: list[str], raises: bool
) -> None:
    seen: list[str] = []
    loop: Loop[str] = Loop(lambda _: Scripted(script, seen, gone_after), 1)
    if raises:
        with pytest.raises(ApiError):
            run(loop.sync("a"))
    else:
        run(loop.sync("a"))
    assert seen == done


@pytest.mark.parametrize(("requeue_after_s", "delay_s"), [(5.0, 5.0), (0.0, 0.01), (-3.0, 0.01)])
def test_a_key_comes_back_after_the_delay_that_was_decided(requeue_after_s: float, delay_s: float) -> None:
    async def scenario() -> None:
        decision: Decision[str] = Decision(requeue_after_s=requeue_after_s)
        loop: Loop[str] = Loop(lambda _: Scripted([decision], []), 1)
        await loop.sync("a")
        assert await loop.queue.get() == "a"
        assert passed_s() == delay_s

    run(scenario())


@pytest.mark.parametrize("error", [CONFLICT, RuntimeError("a bug")])
def test_a_key_that_fails_comes_back_later_and_later_and_holds_up_no_other(error: Exception) -> None:
    worked: list[tuple[str, float]] = []

    async def sync(key: str) -> None:
        worked.append((key, passed_s()))
        if key == "bad" and len(worked) < 5:
            raise error

    async def scenario() -> None:
        workers = Workers(sync, 1)
        workers.queue.add("bad")
        workers.queue.add("good")
        with pytest.raises(TimeoutError):
            await within(60, workers.run())

    run(scenario())
    assert worked == [("bad", 0), ("good", 0), ("bad", 1), ("bad", 3), ("bad", 7)]


def test_keys_are_worked_on_by_as_many_workers_as_there_are() -> None:
    ended: list[tuple[str, float]] = []

    async def sync(key: str) -> None:
        await lapse(1)
        ended.append((key, passed_s()))

    async def scenario() -> None:
        workers = Workers(sync, 2)
        for key in "abc":
            workers.queue.add(key)
        with pytest.raises(TimeoutError):
            await within(10, workers.run())

    run(scenario())
    assert ended == [("a", 1), ("b", 1), ("c", 2)]
