"""How long the whole suite takes with so many scenarios at once; the default of ``-n`` comes from here.

python benchmarks/workers.py --workers 4 8 12 16 --implementation kube-controller-manager
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from batchproof.report.results import read_results


def main() -> None:
    """Measure and print a line for each number of workers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[4, 8, 12, 16])
    parser.add_argument("--implementation", default="reference")
    parser.add_argument("--only", help="what -k of batchproof run selects; the whole suite if absent")
    chosen = parser.parse_args()
    for workers in chosen.workers:
        with tempfile.TemporaryDirectory() as folder:
            began = monotonic()
            arguments = ["-i", chosen.implementation, "-n", str(workers), "-o", folder]
            arguments += ["-k", chosen.only] if chosen.only else []
            command = [sys.executable, "-c", "from batchproof.cli import main; main()", "run", *arguments]
            subprocess.run(command, check=False, capture_output=True)
            took_s = monotonic() - began
            counts = dict(read_results(Path(folder)).footer.counts)
        print(f"-n {workers:<3} {took_s:6.1f} s  {counts}", flush=True)


if __name__ == "__main__":
    main()
