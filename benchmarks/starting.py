"""How long it takes from a command to the first step of its first scenario, and where that time goes.

The programs must be built. Beside it stands how long the control plane takes by itself: no run is quicker::

    python benchmarks/starting.py --rounds 5
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from control_plane import ready_s, shown

from batchproof.report.results import read_results


@dataclass(frozen=True, slots=True)
class Start:
    """When a run got how far, in seconds since its command was given.

    Attributes:
        plane_s: the control plane is about to start: modules are loaded, scenarios are collected.
        scenario_s: a worker has the first scenario, and waits for the control plane and its cell.
        step_s: its first step is played.
        verdict_s: the command has ended.
    """

    plane_s: float
    scenario_s: float
    step_s: float
    verdict_s: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="FIN-001", help="what the run selects, as -k")
    chosen = parser.parse_args()
    starts, planes = [], []
    for _ in range(chosen.rounds):
        starts.append(_start(chosen.only))
        planes.append(ready_s())
    print(f"the control plane alone   {shown(planes)}")
    for name in ("plane_s", "scenario_s", "step_s", "verdict_s"):
        print(f"{name:24}  {shown([getattr(one, name) for one in starts])}")
    ratios = [one.step_s / plane for one, plane in zip(starts, planes, strict=True)]
    print(f"{'step_s / control plane':24}  {shown(ratios)}")


def _start(only: str) -> Start:
    with tempfile.TemporaryDirectory() as output:
        began = time.time()
        command = [sys.executable, "-m", "batchproof", "-q", "run", "-k", only, "-o", output]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        ended = time.time()
        results = read_results(Path(output))
    played = [
        (datetime.fromisoformat(one.started).timestamp() - began, one.steps[0].at_s or 0.0)
        for one in results.scenarios
        if one.started and one.steps
    ]
    scenario_s, waited_s = min(played)
    header_s = datetime.fromisoformat(results.header.started).timestamp() - began
    return Start(header_s, scenario_s, scenario_s + waited_s, ended - began)


if __name__ == "__main__":
    main()
