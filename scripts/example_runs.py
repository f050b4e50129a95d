"""Makes the results folders of reports/examples: ``python scripts/example_runs.py [NAME...]``.

Each is a run of one or two scenarios, so small that it can be looked through: of a real system one that it
meets, and one that it does not. The references meet all, so there are folders of mutants.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

EXAMPLES = Path(__file__).parents[1] / "reports" / "examples"
_OF_MUTANTS = ("mutants", "--patient", "--profile")
RUNS = {
    "reference": ("run", "--profile", "job", "-k", "BAS-013.2"),
    "reference-mutant": (*_OF_MUTANTS, "job", "-k", "completion-needs-one-success-more"),
    "scheduler-mutant": (*_OF_MUTANTS, "gang", "-k", "partial-placements-committed"),
    "tfjob-mutant": (*_OF_MUTANTS, "tfjob", "-k", "exit-code-128-is-permanent"),
    "volcano-job-mutant": (*_OF_MUTANTS, "volcano-job", "-k", "volcano-min-success-waits-for-all"),
    "kube-controller-manager": ("run", "-i", "kube-controller-manager", "-k", "BAS-013.2 or FAIL-021.2"),
    "kube-scheduler": ("run", "-i", "kube-scheduler", "-k", "GNG-006.1 or GNG-001.8"),
    "volcano": ("run", "-i", "volcano", "-k", "GNG-006.1 or GNG-027.11"),
}
"""The arguments of `batchproof` for each folder."""
_LEFT_OUT = ("allure", "logs", "report.json", "junit.xml")
"""What the page does not link to: `batchproof report` makes the last two again."""


def main() -> None:
    """Make the folders that are named, or all; they are replaced after the last run: none sees changes."""
    with TemporaryDirectory() as folder:
        made = {name: make(name, Path(folder, name)) for name in sys.argv[1:] or RUNS}
        for name, results in made.items():
            shutil.rmtree(EXAMPLES / name, ignore_errors=True)
            shutil.copytree(results, EXAMPLES / name, ignore=shutil.ignore_patterns(*_LEFT_OUT))
            print(f"reports/examples/{name}")


def make(name: str, output: Path) -> Path:
    """Run what the example shows; the folder with its results.

    The exit code says whether it was met: an example of what is not met has another than 0.
    """
    batchproof = [sys.executable, "-m", "batchproof"]
    command = [*batchproof, *RUNS[name], "--quiet", "-o", str(output)]
    subprocess.run(command, check=False)
    results = output / RUNS[name][-1] if RUNS[name][0] == "mutants" else output
    if results != output:
        subprocess.run([*batchproof, "report", "--quiet", str(results)], check=False)
    if not (results / "index.html").is_file():
        sys.exit(f"{' '.join(command)} has left no page")
    return results


if __name__ == "__main__":
    main()
