"""Submitted ``mutants``: each shard judges those of ``--shard I/N``, and all become one matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from batchproof.evidence.digests import code_digest
from batchproof.evidence.plan import HISTORIES
from batchproof.ground import files, suite
from batchproof.ground.errors import UserError
from batchproof.report.matrix import FILE_NAME, load
from batchproof.report.results import FILE_NAME as RESULTS
from batchproof.running.mutants.choice import MutantOptions, chosen
from batchproof.running.mutants.proof import BAD, judge_mutants, of_shard, write
from batchproof.running.mutants.shown import show_matrix
from batchproof.running.progress import RunProgress
from batchproof.running.runner import RunOptions, output_folder
from batchproof.submitting.given import choices_of, plan_of
from batchproof.submitting.merge import ShardFiles, in_order
from batchproof.submitting.merge_others import merged_matrix
from batchproof.submitting.messages import ShardBegan
from batchproof.submitting.plan import Plan
from batchproof.submitting.sending import Sender, ShardProgress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_WORKERS: Final = 6


def planned(choices: RunOptions, shards: int) -> Plan:
    """The plan of a matrix.

    Args:
        choices: what the user chose; no implementation and no profile where there are to be all.
        shards: how many pods judge at once.

    Raises:
        UserError: the choice cannot be used, or the matrix not be written.
    """
    named, profile = choices.implementation, choices.profile
    if named and not profile:
        raise UserError("--implementation needs --profile: it decides which mutants are tried")
    output_folder(choices.output)
    found = chosen(_wish(choices, "1/1"), RunProgress().say)
    count = min(shards, sum(len(one.names) for one in found))
    return plan_of(
        "mutants",
        choices,
        tuple(tuple(sorted(of_shard(found, f"{one}/{count}"))) for one in range(1, count + 1)),
        workers=_WORKERS,
    )


def _wish(choices: RunOptions, shard: str) -> MutantOptions:
    return MutantOptions(
        profile=choices.profile or None,
        implementation=choices.implementation or None,
        expression=choices.expression,
        since="",
        shard=shard,
        workers=choices.workers,
        patient=False,
        output=choices.output,
        choice=choices.choice,
    )


def play(planned_: Plan, index: int, given: Path, output: Path, sender: Sender) -> None:
    """Judge the mutants of a shard; see ``shard.run``."""
    sender.send(ShardBegan(planned_.digest, index, ()))
    wish = _wish(choices_of(planned_, given, output), f"{index + 1}/{len(planned_.shards)}")
    progress = ShardProgress(sender, what="mutant", bad=BAD)
    matrix = judge_mutants(wish, lambda: progress)
    for row in matrix.of("not-declared"):  # no one has judged them, but the plan counts them
        progress.finished(row.defect, row.verdict)
    for row in matrix.rows:
        for path in sorted((output / row.defect / HISTORIES).glob("*.jsonl")):
            sender.send_file(f"{row.defect}/{HISTORIES}/{path.name}")
        sender.send_file(f"{row.defect}/{RESULTS}")
    sender.send_file(FILE_NAME)


def shown(plan: Plan) -> tuple[RunProgress, int]:
    """What shows how far all shards are, and how much they judge."""
    return RunProgress(what="mutant", bad=BAD), sum(map(len, plan.shards))


def conclude(plan: Plan, parts: Sequence[ShardFiles], choices: RunOptions) -> int:
    """Write the matrix of all shards with its evidence; returns the exit code, as ``mutants`` does.

    Raises:
        UserError: the shards cannot be merged; nothing is written.
    """
    loaded = [(one, load(one.folder)) for one in in_order(parts)]
    matrix = merged_matrix(plan, loaded, code_digest(suite.defects()))
    for part, shard in loaded:
        for row in shard.rows:
            files.remove_folder(choices.output, row.defect)
            for path in sorted((part.folder / row.defect).rglob("*.jsonl")):
                files.copy(path, choices.output, path.relative_to(part.folder).as_posix())
    write(matrix, choices.output)
    show_matrix(matrix, choices.output)
    return matrix.exit_code
