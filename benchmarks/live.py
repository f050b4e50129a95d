"""How far the recorder is behind while a large Job is judged live.

A Job of many pods is created, run and ended by the simulated kubelet, while claims about all of its pods are
judged at each record. Of every write of the implementation it is taken how much later than its reply the
change that it made was recorded and judged; and how long the cell's event loop stood still at the most::

    python benchmarks/live.py --pods 5000
    python benchmarks/live.py --pods 5000 --implementation kube-controller-manager
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import statistics
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from batchproof.cell import Cell
from batchproof.cell.instance import LaunchPlan
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.progress import unseen
from batchproof.descriptor import implementation as descriptors
from batchproof.judgement.claims import always, eventually, never
from batchproof.judgement.history import Change, Record, Reply, Saved
from batchproof.profiles.job.facts.counting import counted_once, counts_are_true
from batchproof.profiles.job.facts.jobs import job_complete
from batchproof.profiles.job.facts.pods import controller_changed, more_created_pods
from batchproof.profiles.job.specs import JobSpec
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.collections import WITH_JOBS
from batchproof.profiles.shared.names import JOB
from batchproof.running.environment import staged
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PODS_OF_SCALE = 250  # the deadlines grow with the Job: this measures, it does not judge
_TICK_S = 0.05
_OK = range(200, 300)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pods", type=int, default=5000)
    parser.add_argument("--implementation", default="reference")
    chosen = parser.parse_args()
    implementation = descriptors.load(descriptors.find(chosen.implementation))
    binaries = Binaries(None, unseen).of_processes(implementation)
    with (
        tempfile.TemporaryDirectory() as folder,
        staged(implementation, ClusterOptions(), lambda _: None) as stage,
        stage.plane() as plane,
    ):
        cell = Cell(
            f"bp-{secrets.token_hex(3)}-bench", plane, LaunchPlan(implementation, binaries, (), {}), WITH_JOBS
        )
        cell.call(cell.open())
        spool = Path(folder) / "history.jsonl"
        began = monotonic()
        try:
            still_s = _live(cell, chosen.pods, spool)
        finally:
            cell.shut()
        late = sorted(behind(Saved(spool)))
        records = sum(1 for _ in Saved(spool))
    print(f"{chosen.implementation}: {chosen.pods} pods, {records} records in {monotonic() - began:.0f} s")
    print(f"behind   median {statistics.median(late):.3f} s, most {late[-1]:.3f} s")
    print(f"loop     stood still for {still_s:.3f} s at the most")


def _live(cell: Cell, pods: int, spool: Path) -> float:
    """The life of a Job under several claims; returns how long the loop stood still at the most."""
    world = World(
        cell, requirement="x", sentences={"x": "live"}, scale=max(1.0, pods / _PODS_OF_SCALE), spool=spool
    )
    ended, still = threading.Event(), [0.0]
    ticking = threading.Thread(target=_tick, args=(cell, ended, still))
    ticking.start()
    claims = (
        eventually(job_complete(job=JOB, succeeded=pods), within="recovery"),
        always(counted_once(job=JOB, most=pods), during="long window"),
        never(more_created_pods(job=JOB, count=pods), during="long window"),
        never(controller_changed(), during="long window"),
    )
    with ThreadPoolExecutor(len(claims)) as judges:
        judging = [judges.submit(world.claim, claim) for claim in claims]
        world.verbs(Jobs).create_job(JobSpec.of(completions=pods, parallelism=pods))
        world.verbs(Jobs).succeed_pods(pods)
        for one in judging:
            one.result()
    world.claim(eventually(counts_are_true(job=JOB), within="settle"))
    ended.set()
    ticking.join()
    return still[0]


def _tick(cell: Cell, ended: threading.Event, still: list[float]) -> None:
    while not ended.wait(_TICK_S):
        began = monotonic()
        cell.call(asyncio.sleep(0))
        still[0] = max(still[0], monotonic() - began)


def behind(records: Iterable[Record]) -> Iterator[float]:
    """Of each write of the implementation, how much later than its reply the change was recorded."""
    replied: dict[str, float] = {}
    recorded: set[str] = set()
    for record in records:
        match record.entry:
            case Reply(status=status, body={"metadata": {"resourceVersion": str(revision)}}) if status in _OK:
                if revision in recorded:
                    yield 0.0
                else:
                    replied[revision] = record.at_s
            case Change(object={"metadata": {"resourceVersion": str(revision)}}):
                recorded.add(revision)
                if revision in replied:
                    yield record.at_s - replied.pop(revision)
            case _:
                pass


if __name__ == "__main__":
    main()
