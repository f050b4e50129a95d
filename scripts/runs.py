"""Keeps whole runs of bundled implementations in reports/runs, from which the pages of requirements are made.

Usage: python scripts/runs.py RESULTS...   as `batchproof run -o RESULTS` of this checkout wrote them

A run is kept if it is whole, of a bundled descriptor, and if it is judged again from its histories as it was
recorded. Make the pages of requirements again afterwards: CONTRIBUTING.md says how.
"""

from __future__ import annotations

import sys
from pathlib import Path

from batchproof.descriptor.implementation import bundled, load
from batchproof.evidence.check import check
from batchproof.evidence.digests import text_digest
from batchproof.ground import suite
from batchproof.report.judged import unusual
from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results
from batchproof.specification.proved import requirement_keys
from batchproof.specification.runs import KeptRun, encode, path_of

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "reports" / "runs"


def main() -> None:
    """Keep each run, and say which."""
    keys = requirement_keys(suite.features().parent)
    for folder in map(Path, sys.argv[1:]):
        path, run = kept(folder, keys)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(run))
        print(f"{path.relative_to(ROOT)}: {run.mark}")


def kept(folder: Path, keys: dict[str, str]) -> tuple[Path, KeptRun]:
    """A run as it is kept, and where.

    Args:
        folder: that of its results.
        keys: those of all requirements, as they are now.
    """
    results = read_results(folder)
    header, outcome = results.header, judge_run(results)
    judged = header.implementation
    name = judged.descriptor.removesuffix(".yaml")
    known = bundled().get(name)
    if known is None or text_digest(load(known).text) != judged.descriptor_digest:
        sys.exit(f"{folder}: its descriptor is not a bundled one as it is now")
    if header.suite.selection or header.suite.feature or not outcome.complete:
        sys.exit(f"{folder}: not a whole run of the profile {header.profile}")
    if not check(results, folder).stands:
        sys.exit(f"{folder}: `batchproof replay` does not find it as it was recorded")
    states = {one.id: one.kept for one in outcome.requirements if one.kept}
    return path_of(KEPT, header.profile, name), KeptRun(
        implementation=f"{judged.name} {judged.version}",
        descriptor=judged.descriptor_digest,
        suite=header.suite.digest,
        day=header.started[:10],
        kubernetes=header.cluster.kubernetes,
        machine=header.machine,
        configuration=unusual(header),
        mark=outcome.mark,
        requirements={id_: (state, keys[id_]) for id_, state in states.items() if id_ in keys},
    )


if __name__ == "__main__":
    main()
