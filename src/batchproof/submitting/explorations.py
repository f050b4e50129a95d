"""A submitted ``explore``: each shard explores from a seed of its own, and what they found is one report."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from batchproof.evidence.plan import HISTORIES
from batchproof.exploration.lengths import seconds
from batchproof.ground import files, stored
from batchproof.ground.errors import UserError
from batchproof.report.exploration import ExplorationCounts, ExplorationResult
from batchproof.running.exploring.explore import ExploreOptions, explorable, explored, rules_of, told
from batchproof.running.exploring.written import About
from batchproof.running.exploring.written import write as write_report
from batchproof.running.progress import RunProgress
from batchproof.running.runner import RunOptions, emptied_folder, output_folder
from batchproof.submitting.given import choices_of, plan_of
from batchproof.submitting.merge import ShardFiles, in_order
from batchproof.submitting.merge_others import EXPLORED, ShardExploration, merged_exploration
from batchproof.submitting.messages import ShardBegan, ShardExplores, ShardSaid
from batchproof.submitting.plan import Plan
from batchproof.submitting.sending import Sender, ShardProgress

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORKERS: Final = 12
"""Programs at once in a shard, for each processor that it asks for."""


def planned(choices: RunOptions, length: str, seed: int | None, shards: int) -> Plan:
    """The plan: shard ``i`` explores from ``seed + i``.

    Args:
        choices: what is explored.
        length: for how long, as ``explore --for`` has it.
        seed: that of the first shard; None: a new one.
        shards: how many pods explore at once.

    Raises:
        UserError: it cannot be explored, or the report not be written.
    """
    try:
        for_s = seconds(length)
    except ValueError as error:
        raise UserError(f"--explore: {error}") from error
    if choices.expression:
        raise UserError("-k selects scenarios, and an exploration has none: leave it out with --explore")
    first = secrets.randbelow(2**31) if seed is None else seed
    explorable(choices.implementation, choices.profile)
    rules_of(choices.profile)
    output_folder(choices.output)
    seeds = tuple((str(first + number),) for number in range(shards))
    return plan_of("explore", choices, seeds, workers=_WORKERS, for_s=for_s)


def play(planned_: Plan, index: int, given: Path, output: Path, sender: Sender) -> None:
    """Explore from the seed of a shard; see ``shard.run``."""
    sender.send(ShardBegan(planned_.digest, index, ()))
    choices = choices_of(planned_, given, output)
    wish = ExploreOptions(
        implementation=choices.implementation,
        profile=choices.profile,
        for_s=planned_.for_s,
        seed=int(planned_.shards[index][0]),
        first=False,
        as_found=False,
        workers=choices.workers,
        output=output,
        choice=choices.choice,
    )

    def keep(result: ExplorationResult, about: About) -> None:
        sent = ShardExploration(about.implementation, _kept(result, output))
        files.write(output, EXPLORED, stored.encode(sent))

    emptied_folder(output, HISTORIES)
    explored(wish, _Progress(sender, what="program"), keep)
    for path in sorted((output / HISTORIES).glob("*.jsonl")):
        sender.send_file(f"{HISTORIES}/{path.name}")
    sender.send_file(EXPLORED)


class _Progress(ShardProgress):
    """Sends how far an exploration is, and what is broken."""

    def say(self, text: str) -> None:
        """Print one line."""
        super().say(text)
        self._sender.send(ShardSaid(text.strip()))

    def explored(self, counts: ExplorationCounts) -> None:
        """An exploration is that far."""
        if self._due():
            self._sender.send(ShardExplores(counts))
        super().explored(counts)


def _kept(result: ExplorationResult, output: Path) -> ExplorationResult:
    """The result with its histories in a folder, by names of their own."""

    def kept(history: Path | None, name: str) -> Path | None:
        if history is None or not history.is_file():
            return None
        files.copy(history, output, f"{HISTORIES}/{name}.jsonl")
        return Path(f"{name}.jsonl")

    return msgspec.structs.replace(
        result,
        found=tuple(
            msgspec.structs.replace(one, history=kept(one.history, one.requirement)) for one in result.found
        ),
        undecided=tuple(
            msgspec.structs.replace(one, history=kept(one.history, f"undecided-{number}"))
            for number, one in enumerate(result.undecided)
        ),
    )


def shown(_: Plan) -> tuple[RunProgress, int]:
    """What shows how far all shards are; no one knows how many programs they come to."""
    return RunProgress(what="program"), 0


def conclude(plan: Plan, parts: Sequence[ShardFiles], choices: RunOptions) -> int:
    """Write the report of all shards; returns the exit code, as ``explore`` does.

    Raises:
        MergeError: they are not those of one exploration; nothing is written.
        HarnessError: no program came to a verdict.
    """
    loaded = [(one, _loaded(one.folder)) for one in in_order(parts)]
    together = merged_exploration(plan, loaded)
    emptied_folder(choices.output, HISTORIES)
    about = About(plan.profile, together.implementation, choices.implementation)
    lines = write_report(together.result, about, choices.output)
    return told(together.result, lines, choices.output)


def _loaded(folder: Path) -> ShardExploration:
    """What a shard sent; its histories are where they were written here, whatever it says."""
    sent: ShardExploration = stored.read(folder / EXPLORED, ShardExploration, "what a shard explored")

    def here(history: Path | None) -> Path | None:
        return folder / HISTORIES / history.name if history else None

    result = sent.result
    return msgspec.structs.replace(
        sent,
        result=msgspec.structs.replace(
            result,
            found=tuple(msgspec.structs.replace(one, history=here(one.history)) for one in result.found),
            undecided=tuple(
                msgspec.structs.replace(one, history=here(one.history)) for one in result.undecided
            ),
        ),
    )
