"""A submitted ``run``: which scenarios each shard plays, how it plays them, and the verdict on all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from batchproof.descriptor import implementation as descriptors
from batchproof.evidence.plan import HISTORIES, catalogue, plain, waits_s
from batchproof.ground import files, suite
from batchproof.ground.errors import UserError
from batchproof.report.drawings import TIMELINES
from batchproof.report.results import FILE_NAME, ResultsStream, read_results
from batchproof.running import grid
from batchproof.running.progress import RunProgress
from batchproof.running.runner import (
    RunOptions,
    begun,
    check_claimed,
    check_reportable,
    check_started,
    check_suite,
    chosen_requirements,
    default_workers,
    emptied_folder,
    selected,
    tell,
    trouble,
)
from batchproof.running.runner import play as play_scenarios
from batchproof.running.session.record import LOGS
from batchproof.running.session.stream import Stream
from batchproof.submitting.given import choices_of, plan_of
from batchproof.submitting.merge import ShardFiles, ShardResults, merged
from batchproof.submitting.messages import ShardBegan
from batchproof.submitting.plan import Plan, shared_out
from batchproof.submitting.sending import Sender, ShardProgress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_WORKERS: Final = 6
"""Scenarios at once in a shard, for each processor that it asks for: they mostly wait."""


def planned(choices: RunOptions, faults: str, shards: int) -> Plan:
    """The plan, by how long each scenario took in the last run whose results are in the folder, if any.

    Args:
        choices: what is judged.
        faults: the fault profiles under which each scenario is played too, as ``run --faults`` has them.
        shards: how many pods play at once.

    Raises:
        UserError: it cannot be judged, or its results not be written.
    """
    check_reportable(choices)
    descriptor = descriptors.find(choices.implementation)
    implementation = descriptors.load(descriptor)
    check_claimed(implementation, choices.profile)
    check_started(implementation, "submit")
    check_suite(choices.profile)
    injected = grid.named(faults, choices.profile) if faults else ()
    ids = [one.id for one in selected(choices)]
    return plan_of(
        "run",
        choices,
        shared_out(ids, _took_s(choices.output), shards),
        workers=_WORKERS,
        faults=tuple(one.name for one in injected),
    )


def play(planned_: Plan, index: int, given: Path, output: Path, sender: Sender) -> None:
    """Play the scenarios of a shard; see ``shard.run``."""
    choices = choices_of(planned_, given, output)
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = chosen_requirements(choices)
    progress = ShardProgress(sender)
    ids = planned_.shards[index]
    workers = min(planned_.workers, len(ids), default_workers(implementation))
    with begun(choices, implementation, registry, progress, workers=workers, results=planned_.run) as it:
        sender.send(ShardBegan(planned_.digest, index, it.header.required))
        unselected = replace(choices, expression="")  # the plan has selected
        if planned_.faults:
            injected = grid.named(",".join(planned_.faults), planned_.profile)
            grid.play(unselected, it, progress, [catalogue()[id_] for id_ in ids], injected)
        else:
            stream = Stream(it.results, it.header, progress, selected_all=False)
            status = play_scenarios(it, unselected, stream, progress, only=ids)
            progress.end()
            stream.finish(trouble(status))
    for path in sorted((output / HISTORIES).glob("*.jsonl")):
        sender.send_file(f"{HISTORIES}/{path.name}")
    sender.send_file(FILE_NAME)


def shown(plan: Plan) -> tuple[RunProgress, int]:
    """What shows how far all shards are, and how much they play."""
    return RunProgress(what="play" if plan.faults else "scenario"), len(order_of(plan))


def conclude(plan: Plan, parts: Sequence[ShardFiles], choices: RunOptions) -> int:
    """Merge what the shards played, and judge it; returns the exit code, which is the verdict.

    Raises:
        MergeError: they are not those of one run; nothing is written.
    """
    results = [
        ShardResults(one.shard, one.plan, one.required, one.origin, one.folder, read_results(one.folder))
        for one in parts
    ]
    write(plan, results, choices.output)
    return tell(choices)


def write(plan: Plan, parts: Sequence[ShardResults], output: Path) -> None:
    """Write the folder of results of one run, merged of its shards: as ``run`` does, but for the logs.

    Raises:
        MergeError: they are not those of one run; nothing is written.
    """
    results = merged(plan, parts, order_of(plan))
    emptied_folder(output, HISTORIES, LOGS, TIMELINES)
    for part in parts:
        for path in sorted((part.folder / HISTORIES).glob("*")):
            files.copy(path, output, f"{HISTORIES}/{path.name}")
    with ResultsStream(output / FILE_NAME) as stream:
        stream.write(results.header)
        for record in results.scenarios:
            stream.write(record)
        stream.write(results.footer)


def order_of(plan: Plan) -> list[str]:
    """The ids of all that is played, in the order of a run that has no shards."""
    chosen = {id_ for shard in plan.shards for id_ in shard}
    scenarios = [one for id_, one in catalogue().items() if id_ in chosen]
    if not plan.faults:
        return [one.id for one in scenarios]
    injected = grid.named(",".join(plan.faults), plan.profile)
    return [one.id for one in grid.plan(scenarios, grid.staging_faults(), injected)]


def _took_s(output: Path) -> dict[str, float]:
    """How long each scenario took in the last run, else about how long it waits."""
    waits = waits_s(suite.features())
    try:
        recorded = read_results(output)
    except UserError:
        return waits
    played = defaultdict[str, float](float)
    for one in recorded.scenarios:
        if one.verdict != "skipped":
            played[plain(one.id)] += one.duration_s
    return waits | played
