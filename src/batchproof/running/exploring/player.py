"""Plays programs in a cell: the steps, World and judgement of scenarios, without pytest around them."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from batchproof import profiles
from batchproof.cell import Cell
from batchproof.descriptor.implementation import USUAL_BACKOFF_S, Implementation, load
from batchproof.ground.errors import HarnessError
from batchproof.ground.suite import steps
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.finding import FactBroke, Inconclusive, Unmet
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import observe
from batchproof.report.records import UnmetClaim
from batchproof.running.exploring.tasks import ProgramLine, Task, TaskResult
from batchproof.specification.registry import load_registry
from batchproof.specification.vocabulary import load_steps, meaning
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

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
        sentences: the requirements that are in force, with their sentences.
    """

    implementation: Implementation
    steps: Sequence[ModuleType]
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

    def play(self, task: Task) -> TaskResult:
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
                most_s=self._haste_s if task.quick else None,
            )
        except HarnessError as error:
            return TaskResult("errored", stopped=str(error), duration_s=monotonic() - began)
        answer = TaskResult("errored", stopped="interrupted")
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
        """How long a hasty play waits: longer for an implementation whose descriptor says that it is slow."""
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

    def _played(self, task: Task, world: World, began: float, spool: Path) -> TaskResult:
        course = self._course(task, world)
        if course.error is None:
            _finish(course, world)
        broken = _broken(world) if course.error is None else ()
        faults = world.scene.faults
        return TaskResult(
            _verdict(task, world, broken, course),
            broken,
            stopped=_reason(task, world, course),
            at=course.at,
            idle=tuple(_idle(course.armed, [bool(one["fired"]) for one in faults])),
            triggered=sum(bool(one["fired"]) for one in faults),
            duration_s=monotonic() - began,
            history=spool,
        )

    def _course(self, task: Task, world: World) -> _Course:
        """Play the sentences of a program, up to the first that stops it."""
        course = _Course()
        for place, line in enumerate(task.lines):
            # A claim that is not in force need not hold in the version that the implementation follows.
            if not line.judges or line.judges in self._book.sentences:
                try:
                    self._say(line, world, task.requirement)
                except Exception as error:  # noqa: BLE001 - whatever it is, it is reported; the next program is played
                    course.at, course.trouble = place, error
            course.armed.append((place, len(world.scene.faults)))
            if course.trouble is not None:
                break
        return course

    def _say(self, line: ProgramLine, world: World, requirement: str) -> None:
        """Play one sentence, as its step definition does."""
        world.begin_step(line.text, sets_up=not line.judges)
        world.requirement = requirement or line.judges or EACH
        function, said = meaning(self._book.steps, "then" if line.judges else "when", line.text)
        makers, asked = profiles.verbs(), inspect.signature(function).parameters.keys() - said
        verbs = {name: world.verbs(makers[name]) for name in asked & makers.keys()}
        function(**({"world": world} if "world" in asked else {}), **verbs, **said)


@dataclass(slots=True)
class _Course:
    """How the sentences of a program went.

    Attributes:
        armed: the place of each sentence that was reached, and how many faults there were after it.
        at: the place of the sentence that stopped it; None: it came to its end.
        trouble: what stopped it, or went wrong at its end.
    """

    armed: list[tuple[int, int]] = field(default_factory=list)
    at: int | None = None
    trouble: Exception | None = None

    @property
    def stopped(self) -> bool:
        """A claim ended it, as claims do: the history is judged none the less."""
        return isinstance(self.trouble, Unmet | Inconclusive)

    @property
    def error(self) -> Exception | None:
        """What broke that is no claim."""
        return None if self.stopped else self.trouble


def _finish(course: _Course, world: World) -> None:
    """Judge the whole history."""
    try:
        world.finish(stopped=course.stopped)
    except (Unmet, Inconclusive):
        pass  # its conclusion says the same
    except Exception as error:  # noqa: BLE001 - as above
        course.trouble = error


def _idle(armed: Sequence[tuple[int, int]], fired: Sequence[bool]) -> Iterator[int]:
    """The places of the sentences of whose faults one was never triggered."""
    before = 0
    for place, count in armed:
        if not all(fired[before:count]):
            yield place
        before = count


async def _begun(what: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return asyncio.create_task(what)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _verdict(task: Task, world: World, broken: tuple[UnmetClaim, ...], course: _Course) -> str:
    if course.error is not None or world.conclusion is None:
        return Verdict.ERRORED
    if not task.requirement and broken:
        return Verdict.FAILED
    if task.requirement and world.conclusion.verdict is not Verdict.PASSED:
        return world.conclusion.verdict
    return Verdict.PASSED if course.at is None else Verdict.INCONCLUSIVE


def _reason(task: Task, world: World, course: _Course) -> str:
    """Why there is no verdict, or what the conclusion says of it."""
    reason = world.conclusion.reason if world.conclusion else ""
    if error := course.error:
        about = error if isinstance(error, HarnessError | FactBroke) else repr(error)
        return f"{task.lines[course.at].text if course.at is not None else 'the end'}: {about}"
    if isinstance(course.trouble, Inconclusive):
        return f"{task.lines[course.at or 0].text}: {_lacking(world) or reason or course.trouble}"
    return reason


def _broken(world: World) -> tuple[UnmetClaim, ...]:
    """What the history breaks, each requirement once."""
    if world.conclusion is None:
        return ()
    findings = [*([world.conclusion.unmet] if world.conclusion.unmet else []), *world.conclusion.breaches]
    return tuple(UnmetClaim.of(one) for one in {it.requirement: it for it in findings}.values())


def _lacking(world: World) -> str:
    """What a sentence waited for in vain."""
    last = world.judged[-1] if world.judged else None
    if last is None or last.finding.holds:
        return ""
    return f"expected {last.finding.expected}, observed {last.finding.observed}"
