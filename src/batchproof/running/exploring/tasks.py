"""What a worker of an exploration is asked to play, and what it answers; both are JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from batchproof.report.records import UnmetClaim


class ProgramLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence to be played: its text, and the requirement that it claims (empty: none)."""

    text: str
    judges: str = ""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program to be played.

    Attributes:
        name: what its history is called.
        lines: its sentences, in order.
        requirement: the one that it is a scenario of; empty: each sentence is judged for itself.
        hasty: an answer that may be wrong will do: nothing is waited for as long as a recovery may take.
    """

    name: str
    lines: tuple[ProgramLine, ...]
    requirement: str = ""
    quick: bool = False


class TaskResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a program.

    Attributes:
        verdict: of the requirement that it is a scenario of; else ``failed`` if anything is broken.
        broken: what its history breaks.
        stopped: why it is inconclusive or errored.
        at: the place of the sentence at which it stopped; None: it came to its end; ``LOST``: its worker has
            ended.
        idle: the places of the sentences whose faults were never triggered.
        triggered: how many faults were triggered.
        duration_s: how long it took.
        history: the file of its history.
    """

    verdict: str
    broken: tuple[UnmetClaim, ...] = ()
    stopped: str = ""
    at: int | None = None
    idle: tuple[int, ...] = ()
    triggered: int = 0
    duration_s: float = 0.0
    history: Path | None = None


LOST = -1
"""The place of no sentence: a worker plays no more."""
READY = TaskResult("passed")
"""What a worker says when it can play."""


class WorkerSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a worker has to know; see ``running.settings.Settings``."""

    run: str
    descriptor: Path
    profile: str
    binaries: dict[str, Path] = msgspec.field(default_factory=dict)
    crds: tuple[Path, ...] = ()
    run_dir: Path = Path()
