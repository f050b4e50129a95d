"""Judges the references of some profiles and judges their histories again, two profiles at a time.

python scripts/conformance.py .tox/results job gang

At its start and at its end a run keeps one processor busy, or none: two runs side by side, each with fewer
workers than it would have alone, fill these gaps. The results of each reference are in a folder of its name.
It fails if one does not conform, or is judged otherwise from its history.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from batchproof.evidence.plan import catalogue
from batchproof.ground import suite
from batchproof.profiles import profile, profiles
from batchproof.profiles.records import Profile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

AT_ONCE = 2
_WORKERS = 4
"""Workers for each processor of each of two runs side by side: the processors were busy 92 % of the time."""


def longest_first(names: Sequence[str]) -> list[Profile]:
    """The profiles of these names, those with the most scenarios first."""
    return sorted(map(profile, names), key=lambda one: -len(catalogue(suite.features() / one.name)))


def passes(command: list[str]) -> bool:
    """Run a command of batchproof, print what it says, and return whether it ended well."""
    began = monotonic()
    ended = subprocess.run(
        [sys.executable, "-m", "batchproof", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    verdict = f"exit code {ended.returncode} after {monotonic() - began:.0f} s"
    print(f"batchproof {' '.join(command)}: {verdict}\n{ended.stdout}", flush=True)
    return ended.returncode == 0


def main() -> int:
    """Judge the references; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path, help="the folder of the results")
    parser.add_argument("profiles", nargs="+", choices=[*profiles()], help="their references are judged")
    asked = parser.parse_args()
    side_by_side = min(AT_ONCE, len(asked.profiles))
    workers = ["-n", str(_WORKERS * (os.cpu_count() or 1))] if side_by_side > 1 else []
    folders = {one.name: str(asked.output / one.reference) for one in longest_first(asked.profiles)}
    with ThreadPoolExecutor(side_by_side) as at_once:
        runs = {
            folder: at_once.submit(passes, ["run", "--profile", name, *workers, "--output", folder])
            for name, folder in folders.items()
        }
        # After all the runs: they fill the gap that the last of them leaves.
        replays = [at_once.submit(again, run, folder) for folder, run in runs.items()]
        verdicts = [one.result() for one in (*runs.values(), *replays)]
    return 0 if all(verdicts) else 1


def again(run: Future[bool], folder: str) -> bool:
    """Judge the results of a run again, once it has ended; returns whether they are as they were."""
    run.result()
    return passes(["replay", folder])


if __name__ == "__main__":
    sys.exit(main())
