"""What an exploration came to, as data: one machine explores, and another may write the report."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from batchproof.exploration.program import Script
from batchproof.report import wording
from batchproof.report.records import UnmetClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class ExplorationCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far an exploration is.

    Attributes:
        programs: how many programs came to an end.
        steps: how many sentences were run.
        faults: how many faults were triggered.
        broken: how many requirements are broken.
        left_s: for how long new programs are still begun, in seconds.
    """

    programs: int = 0
    steps: int = 0
    faults: int = 0
    broken: int = 0
    left_s: float = 0.0

    @property
    def words(self) -> str:
        """One line."""
        line = wording.count(self.programs, "program")
        line += f", {wording.count(self.steps, 'step')}, {wording.count(self.faults, 'fault')} triggered"
        left = f"{wording.duration(self.left_s)} left" if self.left_s else "minimizing what was found"
        return f"{line}, {self.broken} broken, {left}"


def together(counts: Iterable[ExplorationCounts]) -> ExplorationCounts:
    """How far several explorations are that run at once."""
    found = ExplorationCounts()
    for one in counts:
        found = ExplorationCounts(
            found.programs + one.programs,
            found.steps + one.steps,
            found.faults + one.faults,
            found.broken + one.broken,
            max(found.left_s, one.left_s),
        )
    return found


class ShownBreach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requirement that programs break, with the program that is shown.

    Attributes:
        requirement: its id.
        confirmed: the program that is shown broke it again, often enough.
        seed: of the exploration.
        program: the number of the program among those of this seed.
        after_s: when it was known to be broken, in seconds since the first program.
        programs: how many programs broke it.
        again: how often the program that is shown broke it again.
        tried: how many smaller programs were tried.
        steps_found: how many steps the program had as it was found.
        script: the program that is shown.
        unmet: how that breaks it.
        history: the file of its history, where there is one.
    """

    requirement: str
    confirmed: bool
    seed: int
    program: int
    after_s: float
    programs: int
    again: int
    tried: int
    steps_found: int
    script: Script
    unmet: UnmetClaim
    history: Path | None


class UndecidedProgram(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program without a verdict; see ``ShownBreach`` for what they have in common."""

    seed: int
    program: int
    verdict: str
    reason: str
    steps: tuple[str, ...]
    history: Path | None


class ExplorationResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an exploration, or several of other seeds, came to.

    Attributes:
        seeds: those that were explored.
        workers: how many programs were run at once.
        interrupted: the user ended it.
        took_s: how long it took.
        verdicts: how many programs came to each verdict.
        replays: how many runs of a program there were besides the first.
        steps: how many sentences were run.
        faults: how many faults were triggered.
        found: what is broken, in the order in which it was found.
        undecided: what came to no verdict.
    """

    seeds: tuple[int, ...]
    workers: int
    interrupted: bool
    took_s: float
    verdicts: dict[str, int]
    replays: int
    steps: int
    faults: int
    found: tuple[ShownBreach, ...]
    undecided: tuple[UndecidedProgram, ...]

    @property
    def seeds_in_words(self) -> str:
        """Such as ``seed 7``, or ``seeds 7 to 10``: those of several shards follow each other."""
        return f"seeds {self.seeds[0]} to {self.seeds[-1]}" if self.seeds[1:] else f"seed {self.seeds[0]}"


def merged_explorations(results: Sequence[ExplorationResult]) -> ExplorationResult:
    """What explorations of several seeds came to together.

    A requirement that several of them break is shown by one program: the shortest confirmed one.
    """
    broken: dict[str, list[ShownBreach]] = {}
    for breach in sorted((each for one in results for each in one.found), key=lambda each: each.after_s):
        broken.setdefault(breach.requirement, []).append(breach)
    verdicts = sum((Counter(one.verdicts) for one in results), Counter[str]())
    return ExplorationResult(
        seeds=tuple(seed for one in results for seed in one.seeds),
        workers=sum(one.workers for one in results),
        interrupted=any(one.interrupted for one in results),
        took_s=max(one.took_s for one in results),
        verdicts=dict(verdicts),
        replays=sum(one.replays for one in results),
        steps=sum(one.steps for one in results),
        faults=sum(one.faults for one in results),
        found=tuple(map(_shown, broken.values())),
        undecided=tuple(each for one in results for each in one.undecided),
    )


def _shown(breaches: Sequence[ShownBreach]) -> ShownBreach:
    """The one of several that break the same requirement which is shown."""
    best = min(breaches, key=lambda one: (not one.confirmed, len(one.script.sentences), one.seed))
    return msgspec.structs.replace(
        best,
        programs=sum(one.programs for one in breaches),
        after_s=min(one.after_s for one in breaches),
    )
