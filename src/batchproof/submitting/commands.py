"""What can be submitted: each command plans, plays and concludes in a way of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from batchproof.running.progress import RunProgress
from batchproof.running.runner import RunOptions
from batchproof.submitting import explorations, mutants, runs
from batchproof.submitting.merge import ShardFiles
from batchproof.submitting.plan import Plan
from batchproof.submitting.sending import Sender

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class SubmittedCommand:
    """A command whose work is shared out to pods.

    Attributes:
        play: does the part of one shard, in its pod.
        shown: shows how far all shards are, and says how much they do.
        conclude: writes the results of all shards; returns the exit code.
        unit: what the plan counts, in the singular.
        output: where the results go by default, as for the command that does it here.
    """

    play: Callable[[Plan, int, Path, Path, Sender], None]
    shown: Callable[[Plan], tuple[RunProgress, int]]
    conclude: Callable[[Plan, Sequence[ShardFiles], RunOptions], int]
    unit: str
    output: Path


COMMANDS: Final[Mapping[str, SubmittedCommand]] = {
    "run": SubmittedCommand(runs.play, runs.shown, runs.conclude, "scenario", Path("batchproof-results")),
    "mutants": SubmittedCommand(
        mutants.play, mutants.shown, mutants.conclude, "mutant", Path("batchproof-results", "mutants")
    ),
    "explore": SubmittedCommand(
        explorations.play, explorations.shown, explorations.conclude, "seed", Path("batchproof-explored")
    ),
}
"""By the name of the command, as a plan has it."""
