"""What the suite takes, which scenarios are slow, and whether the verdicts of many runs are the same.

One run of the reference, then the same with more and more workers::

    python benchmarks/suite.py
    python benchmarks/suite.py --workers 4 8 12 16

Twenty runs of each of two, in turn, beside two processes that keep two processors busy::

    python benchmarks/suite.py -i reference kube-controller-manager --runs 20 --busy 2 --keep kept

Each run has a line: seconds, scenarios a second, CPU seconds of each scenario. What follows shows the
scenarios that take longest (the median of all runs), what each kind of process had resident (medians of the
first and of the last third of the longest run, all together), and what was not the same in all runs. It fails
if a run was not conformant, or a scenario had two verdicts; ``--keep`` has the results of such runs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from usage import beneath, cpu_s_of_ended, resident_mib

from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LOOK_EVERY_S = 5.0
_SLOW_S = 10.0
_MOST_SLOW = 10


@dataclass(frozen=True)
class Run:
    """One run of the suite.

    Attributes:
        name: what was judged, and with how many workers where that was chosen.
        took_s: from the command to its end, the start of the control plane included.
        cpu_s: CPU seconds of all its processes.
        memory: MiB of each kind of process, as often as it was looked at.
        verdicts: of each scenario, by its title, with the reason of those skipped.
        durations: seconds that each scenario took.
        sentence: what the run comes to.
        exit_code: that of ``batchproof run``.
    """

    name: str
    took_s: float
    cpu_s: float
    memory: tuple[Mapping[str, float], ...]
    verdicts: Mapping[str, str]
    durations: Mapping[str, float]
    sentence: str
    exit_code: int

    @property
    def played(self) -> int:
        """How many scenarios came to a verdict."""
        return sum(not verdict.startswith("skipped") for verdict in self.verdicts.values())


@dataclass
class Series:
    """All runs of one choice."""

    runs: list[Run] = field(default_factory=list)

    def slow(self) -> list[tuple[float, str]]:
        """The scenarios that took longest: seconds, the median of all runs."""
        titles = {title for run in self.runs for title in run.durations}
        medians = (
            (statistics.median(run.durations[one] for run in self.runs if one in run.durations), one)
            for one in titles
        )
        return sorted((one for one in medians if one[0] >= _SLOW_S), reverse=True)[:_MOST_SLOW]

    def unsteady(self) -> dict[str, Counter[str]]:
        """The scenarios that did not have the same verdict in all runs."""
        titles = sorted({title for run in self.runs for title in run.verdicts})
        of_each = {
            title: Counter(run.verdicts.get(title, "no verdict") for run in self.runs) for title in titles
        }
        return {title: verdicts for title, verdicts in of_each.items() if len(verdicts) > 1}


def main() -> int:
    """Measure and print; 1 if a run was not conformant or a verdict did not stay."""
    chosen = _arguments()
    choices = [
        (f"{name} -n {workers}" if workers else name, name, workers)
        for workers in chosen.workers
        for name in chosen.implementation
    ]
    series = {label: Series() for label, _, _ in choices}
    with _busy(chosen.busy):
        for number in range(1, chosen.runs + 1):
            for label, name, workers in choices:
                run = _run(label, _command(chosen, name, workers), chosen.keep, number)
                series[label].runs.append(run)
                print(_line(run), flush=True)
    for label, of_one in series.items():
        _print(label, of_one)
    runs = [run for of_one in series.values() for run in of_one.runs]
    return int(any(run.exit_code for run in runs) or any(of_one.unsteady() for of_one in series.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-i", "--implementation", nargs="+", default=["reference"])
    parser.add_argument("--profile", help="as for batchproof run")
    parser.add_argument(
        "--workers", type=int, nargs="+", default=[None], help="-n of batchproof run, each in turn"
    )
    parser.add_argument("--only", help="what -k of batchproof run selects; the whole suite if absent")
    parser.add_argument("--faults", help="as for batchproof run: 'all' is the endurance run")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument(
        "--busy", type=int, default=0, help="how many processes keep a processor busy meanwhile"
    )
    parser.add_argument("--keep", type=Path, help="a folder for the results of runs that were not conformant")
    return parser.parse_args()


def _command(chosen: argparse.Namespace, name: str, workers: int | None) -> list[str]:
    options = {
        "-i": name,
        "--profile": chosen.profile,
        "-n": workers,
        "-k": chosen.only,
        "--faults": chosen.faults,
    }
    given = [str(part) for option, value in options.items() if value for part in (option, value)]
    return [sys.executable, "-c", "from batchproof.cli import main; main()", "run", *given]


def _run(label: str, command: list[str], keep: Path | None, number: int) -> Run:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        began, cpu_before = monotonic(), cpu_s_of_ended()
        process = subprocess.Popen([*command, "-o", folder], stdout=said, stderr=subprocess.STDOUT)
        memory = list(_memory(process))
        took_s = monotonic() - began
        if not (Path(folder) / "results.jsonl").exists():
            said.seek(0)
            raise SystemExit(said.read().decode())
        results = read_results(Path(folder))
        if keep is not None and process.returncode:
            shutil.copytree(folder, keep / f"{label}-{number}".replace(" ", ""))
        played = [one for one in results.scenarios if one.verdict != "skipped"]
        return Run(
            name=label,
            took_s=took_s,
            cpu_s=cpu_s_of_ended() - cpu_before,
            memory=tuple(memory),
            verdicts={
                f"{one.title} {one.fault}".strip(): f"{one.verdict} {one.reason}".strip()
                for one in results.scenarios
            },
            durations={f"{one.title} {one.fault}".strip(): one.duration_s for one in played},
            sentence=judge_run(results).sentence,
            exit_code=process.returncode,
        )


def _memory(process: subprocess.Popen[bytes]) -> Iterator[Mapping[str, float]]:
    """What each kind of process has resident, every few seconds until the run is over."""
    while True:
        try:
            process.wait(_LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            yield resident_mib(beneath(process.pid))
        else:
            return


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """Keep the given number of processors busy."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _line(run: Run) -> str:
    load = os.getloadavg()[0]
    each = f"{run.played / run.took_s:5.2f} scenarios/s  {run.cpu_s / max(run.played, 1):5.2f} CPU s each"
    return f"{run.name:<28}{run.took_s:7.1f} s  {each}  load {load:4.1f}  {run.sentence}"


def _print(label: str, series: Series) -> None:
    seconds = [run.took_s for run in series.runs]
    middle = statistics.median(seconds)
    print(
        f"\n{label}: {len(seconds)} runs, {min(seconds):.0f} to {max(seconds):.0f} s, median {middle:.0f} s"
    )
    for took_s, title in series.slow():
        print(f"  {took_s:5.1f} s  {title}")
    longest = max(series.runs, key=lambda run: len(run.memory)).memory
    third = len(longest) // 3
    for kind in sorted({kind for look in longest for kind in look}) if third else ():
        first, last = (
            statistics.median(look.get(kind, 0.0) for look in looks)
            for looks in (longest[:third], longest[-third:])
        )
        print(f"  {first:6.0f} MiB, then {last:6.0f} MiB  {kind}")
    for title, verdicts in series.unsteady().items():
        told = ", ".join(f"{times} times {verdict}" for verdict, times in verdicts.most_common())
        print(f"  unsteady: {title}: {told}")


if __name__ == "__main__":
    sys.exit(main())
