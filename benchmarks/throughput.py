"""Pods a second of the reference beside kube-controller-manager, on the same API server, in one run.

The two take turns, so that the ratio holds when the machine's speed drifts::

    python benchmarks/throughput.py --pods 300 --rounds 3

Two times are taken of a Job with as many completions as pods at once: until all pods exist (``create``), and
from the first that succeeds until the Job is Complete (``count``, the kubelet's part included); and the CPU
seconds that the controller used for both.
"""

from __future__ import annotations

import argparse
import secrets
import statistics
import sys
from collections import defaultdict
from math import nan
from time import monotonic

from usage import cpu_s

from batchproof.cell import Cell
from batchproof.cell.instance import LaunchPlan
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.progress import unseen
from batchproof.descriptor import implementation as descriptors
from batchproof.judgement.claims import eventually
from batchproof.profiles.job.facts.jobs import job_complete
from batchproof.profiles.job.facts.pods import active_pods
from batchproof.profiles.job.specs import JobSpec
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.collections import WITH_JOBS
from batchproof.profiles.shared.names import JOB
from batchproof.running.environment import staged
from batchproof.world import World

_NAMES = ("reference", "kube-controller-manager")
_LONG = 10.0  # the factor of the deadlines: this measures, it does not judge


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pods", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    implementations = [descriptors.load(descriptors.find(name)) for name in _NAMES]
    binaries = Binaries(None, unseen)
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)
    with staged(implementations[0], ClusterOptions(), lambda _: None) as stage, stage.plane() as plane:
        for turn in range(chosen.rounds + 1):
            for implementation in implementations:
                program = LaunchPlan(implementation, binaries.of_processes(implementation), (), {})
                cell = Cell(f"bp-{secrets.token_hex(3)}-bench", plane, program, WITH_JOBS)
                cell.call(cell.open())
                for name, value in _round(cell, chosen.pods).items():
                    if turn:  # the first turn warms up
                        taken[implementation.name, name].append(value)
                cell.shut()
    _print(taken, chosen.pods)


def _round(cell: Cell, pods: int) -> dict[str, float]:
    world = World(cell, requirement="x", sentences={"x": "throughput"}, scale=_LONG)
    cpu_before = cpu_s(cell.instance.pids)
    began = monotonic()
    world.verbs(Jobs).create_job(JobSpec.of(completions=pods, parallelism=pods))
    world.claim(eventually(active_pods(job=JOB, at_least=pods), within="recovery"))
    created_s = monotonic() - began
    began = monotonic()
    world.verbs(Jobs).succeed_pods(pods)
    world.claim(eventually(job_complete(job=JOB, succeeded=pods), within="recovery"))
    return {
        "create": pods / created_s,
        "count": pods / (monotonic() - began),
        "cpu_s": cpu_s(cell.instance.pids) - cpu_before,
    }


def _print(taken: dict[tuple[str, str], list[float]], pods: int) -> None:
    print(f"{pods} pods; median of {len(taken[_NAMES[0], 'create'])} rounds")
    print(f"{'':<8} {_NAMES[0]:>12} {_NAMES[1]:>26} {'ratio':>8}")
    for what, unit in (("create", "pods/s"), ("count", "pods/s"), ("cpu_s", "CPU s")):
        ours, theirs = (statistics.median(taken[name, what]) for name in _NAMES)
        print(f"{what:<8} {ours:>12.1f} {theirs:>26.1f} {ours / theirs if theirs else nan:>8.2f}  ({unit})")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
