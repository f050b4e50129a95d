"""Plays programs in a cell: the steps, World and judgement of scenarios, without pytest around them."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from batchproof import profiles
from batchproof.descriptor.implementation import USUAL_BACKOFF_S, load
from batchproof.errors import HarnessError
from batchproof.judgement.finding import FactBroke, Inconclusive, Unmet
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import observe
from batchproof.judgement.verdict import Verdict
from batchproof.running.exploring.tasks import Answer, Broken
from batchproof.specification.registry import load_registry
from batchproof.specification.vocabulary import load_steps, meaning
from batchproof.suite import steps
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from batchproof.cell import Cell
    from batchproof.descriptor.implementation import Implementation
    from batchproof.judgement.finding import Finding
    from batchproof.running.exploring.tasks import Task

EACH = "EXPLORED"
"""The requirement of a program that is a scenario of none."""
HASTE_S = 15.0
"""How long a play waits whose answer may be wrong: what does its work mostly does it much sooner."""
LOOK_EVERY_S = 2.0
"""How often it is looked at whether a history breaks an invariant, while the same sentence is played.

To judge all of it every half second took a third of the processor time of a worker.
"""


@dataclass(frozen=True, slots=True)
class Playbook:
    """What has to be read once, before anything can be played.

    Attributes:
        implementation: what is explored.
        steps: the step definitions of the suite.
        verbs: what they ask for beside the World, by name.
        sentences: the requirements that are in force, with their sentences.
    """

    implementation: Implementation
    steps: Sequence[ModuleType]
    verbs: Mapping[str, Callable[[World], object]]
    sentences: Mapping[str, str]


def playbook(profile: str, descriptor: Path) -> Playbook:
    """All that programs of this profile need.

    Args:
        profile: what the implementation is judged as.
        descriptor: that of the implementation.
    """
    implementation = load(descriptor)
    in_force = load_registry().of_profile(profile).values()
    return Playbook(
        implementation,
        load_steps(steps()),
        profiles.profile(profile).verbs,
        {one.id: one.sentence for one in in_force if one.in_force(implementation.implements)},
    )


class Player:
    """Plays one program after the other in a cell.

    Args:
        cell: an open one.
        book: what was read for it.
        histories: the folder of the histories.
    """

    def __init__(self, cell: Cell, book: Playbook, histories: Path) -> None:
        self._cell = cell
        self._book = book
        self._histories = histories

    def play(self, task: Task) -> Answer:
        """Play a program to its end, or to the first sentence that ends it."""
        began, spool = monotonic(), self._histories / f"{task.name}.jsonl"
        implementation = self._book.implementation
        try:
            world = World(
                self._cell,
                requirement=task.requirement or EACH,
                sentences=self._book.sentences,
                scale=implementation.time_scale,
                spool=spool,
                longest_backoff_s=implementation.longest_backoff_s,
                most_s=self._haste_s if task.hasty else None,
            )
        except HarnessError as error:
            return Answer("errored", stopped=str(error), duration_s=monotonic() - began)
        answer = Answer("errored", stopped="interrupted")
        watching = self._cell.call(_begun(self._watched(world, task.requirement)))
        try:
            answer = self._played(task, world, began, spool)
        finally:
            self._cell.call(_ended(watching))
            history, ended = world.scene.history, world.ended or len(world.scene.history)
            self._cell.call(self._cell.finish(disturbed=answer.verdict != Verdict.PASSED))
            history.close(ended)
        return answer

    @property
    def _haste_s(self) -> float:
        """How long a hasty play waits: longer for who says that it is slow."""
        implementation = self._book.implementation
        slow_s = implementation.longest_backoff_s
        return max(HASTE_S * implementation.time_scale, slow_s if slow_s > USUAL_BACKOFF_S else 0.0)

    async def _watched(self, world: World, requirement: str) -> None:
        """Give up what a sentence waits for where the history breaks an invariant already: it may never come.

        Two watches may have brought half of what is judged: so it is judged again at the end, by all of it.

        Args:
            world: where the program is played.
            requirement: the only one whose invariant counts; empty: each does.
        """
        step, judged = world.step, 0
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            history = world.scene.history
            if world.step and world.step == step and len(history) > judged:
                judged = len(history)
                found = breaches(observe(history.until(judged)), self._book.sentences)
                if any(not requirement or one.requirement == requirement for one in found):
                    world.give_up()
            step = world.step

    def _played(self, task: Task, world: World, began: float, spool: Path) -> Answer:
        armed: list[tuple[int, int]] = []  # the place of a sentence, and how many faults there were after it
        at: int | None = None
        trouble: Exception | None = None
        actors = {"world": world, **{name: make(world) for name, make in self._book.verbs.items()}}
        for place, line in enumerate(task.lines):
            if line.judges and line.judges not in self._book.sentences:
                armed.append((place, len(world.scene.faults)))
                continue  # it need not be so in the version that the implementation follows
            world.begin_step(line.text, sets_up=not line.judges)
            world.requirement = task.requirement or line.judges or EACH
            try:
                function, said = meaning(self._book.steps, "then" if line.judges else "when", line.text)
                asked = inspect.signature(function).parameters.keys() & actors.keys()
                function(**{name: actors[name] for name in asked}, **said)
            except Exception as error:  # noqa: BLE001 - whatever it is: it is told, and the next program is played
                at, trouble = place, error
                break
            finally:
                armed.append((place, len(world.scene.faults)))
        stopped = isinstance(trouble, Unmet | Inconclusive)
        if trouble is None or stopped:
            try:
                world.finish(stopped=stopped)
            except (Unmet, Inconclusive):
                pass  # its conclusion says the same
            except Exception as error:  # noqa: BLE001 - as above
                trouble, stopped = error, False
        faults = world.scene.faults
        idle = [
            place
            for (place, now), before in zip(armed, [0, *(count for _, count in armed)], strict=False)
            if any(not one["fired"] for one in faults[before:now])
        ]
        broken = _broken(world) if trouble is None or stopped else ()
        reason = world.conclusion.reason if world.conclusion else ""
        if trouble is not None and not stopped:
            about = trouble if isinstance(trouble, HarnessError | FactBroke) else repr(trouble)
            reason = f"{task.lines[at].text if at is not None else 'the end'}: {about}"
        elif stopped and not isinstance(trouble, Unmet):
            reason = f"{task.lines[at or 0].text}: {_lacking(world) or reason or trouble}"
        return Answer(
            _verdict(task, world, broken, trouble if not stopped else None, stopped_at=at),
            broken,
            stopped=reason,
            at=at,
            idle=tuple(idle),
            struck=sum(bool(one["fired"]) for one in faults),
            duration_s=monotonic() - began,
            history=spool,
        )


async def _begun(what: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return asyncio.create_task(what)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _verdict(
    task: Task, world: World, broken: tuple[Broken, ...], trouble: Exception | None, *, stopped_at: int | None
) -> str:
    if trouble is not None or world.conclusion is None:
        return Verdict.ERRORED
    if not task.requirement and broken:
        return Verdict.FAILED
    if task.requirement and world.conclusion.verdict is not Verdict.PASSED:
        return world.conclusion.verdict
    return Verdict.PASSED if stopped_at is None else Verdict.INCONCLUSIVE


def _broken(world: World) -> tuple[Broken, ...]:
    """What the history breaks, each requirement once."""
    if world.conclusion is None:
        return ()
    findings = [*([world.conclusion.unmet] if world.conclusion.unmet else []), *world.conclusion.breaches]
    return tuple(_told(one) for one in {it.requirement: it for it in findings}.values())


def _told(finding: Finding) -> Broken:
    return Broken(finding.requirement, finding.text(), finding.expected, finding.observed)


def _lacking(world: World) -> str:
    """What a sentence waited for in vain."""
    last = world.judged[-1] if world.judged else None
    if last is None or last.finding.holds:
        return ""
    return f"expected {last.finding.expected}, observed {last.finding.observed}"
