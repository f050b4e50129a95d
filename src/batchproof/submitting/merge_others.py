"""What the shards of other commands than ``run`` sent, as that of one: matrices of mutants, explorations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from batchproof.report import matrix
from batchproof.report.exploration import ExplorationResult, merged_explorations
from batchproof.report.matrix import Matrix
from batchproof.submitting.merge import ShardFiles, check_parts, not_as_planned
from batchproof.submitting.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EXPLORED = "exploration.json"


class ShardExploration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shard explored.

    Attributes:
        implementation: its name and version.
        result: what came of it.
    """

    implementation: str
    result: ExplorationResult


def merged_matrix(plan: Plan, parts: Sequence[tuple[ShardFiles, Matrix]], digest: str) -> Matrix:
    """One matrix of the mutants of all shards.

    Args:
        plan: what they were to judge.
        parts: what each sent, in the order of the shards.
        digest: of all that decides what is found, as the submitter has it.

    Raises:
        MergeError: a shard is missing, doubled or foreign, or did not judge what the plan says.
        UserError: they do not belong together.
    """
    foreign = [f"{part.origin}: {why}" for part, one in parts for why in _foreign(plan, part, one, digest)]
    check_parts(plan, [part for part, _ in parts], *foreign)
    return matrix.merged([one for _, one in parts])


def _foreign(plan: Plan, part: ShardFiles, one: Matrix, digest: str) -> Iterator[str]:
    if part.plan != plan.digest or part.shard >= len(plan.shards):
        return
    its = {
        "shard": (one.selection.shard, f"{part.shard + 1}/{len(plan.shards)}"),
        "suite": (one.digest, digest),
        "selection": (one.selection.expression, plan.expression),
    }
    for what, (is_, should_be) in its.items():
        if is_ != should_be:
            yield f"foreign: its {what} is {is_}, that of this run is {should_be}"
    yield from not_as_planned(plan, part, [row.defect for row in one.rows])


def merged_exploration(plan: Plan, parts: Sequence[tuple[ShardFiles, ShardExploration]]) -> ShardExploration:
    """One exploration of the seeds of all shards.

    Args:
        plan: what they were to explore.
        parts: what each sent, in the order of the shards.

    Raises:
        MergeError: a shard is missing, doubled or foreign, or explored another seed or implementation.
    """
    foreign = [f"{part.origin}: {why}" for part, one in parts for why in _strange(plan, part, one)]
    names = {one.implementation for _, one in parts}
    unlike = (
        [f"the shards explored different implementations: {', '.join(sorted(names))}"]
        if len(names) > 1
        else []
    )
    check_parts(plan, [part for part, _ in parts], *foreign, *unlike)
    return ShardExploration(names.pop(), merged_explorations([one.result for _, one in parts]))


def _strange(plan: Plan, part: ShardFiles, one: ShardExploration) -> Iterator[str]:
    if part.plan == plan.digest and part.shard < len(plan.shards):
        yield from not_as_planned(plan, part, [str(seed) for seed in one.result.seeds])
