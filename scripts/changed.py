"""Judges what a change concerns: the references in its scenarios, each replayed, and its mutants.

Usage: python scripts/changed.py REV FOLDER   FOLDER gets the results; `./check --since REV` calls it

It fails where a change may concern everything, and says why: then ./check is what has to be run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from units import changed as changed_files

from batchproof.ground import suite
from batchproof.report.wording import count, named
from batchproof.running.mutants.since import state_at
from batchproof.specification.changes import PARTS, EverythingChanged, concerned, differing
from batchproof.specification.mutants import load_mutants
from batchproof.specification.registry import load_registry

ROOT = Path(__file__).parents[1]
JUDGED = ("features/", "steps/", "reference_controller/", "tests/mutants/", "src/batchproof/profiles/")
"""What scenarios and mutants show a change of."""
ASIDE = ("tests/unit/", "docs/", "features/claims/", "reports/proved.json", "CHANGELOG.md")
"""What lint and unit tests show a change of."""


def main() -> int:
    """Judge what has changed since a revision."""
    revision, folder = sys.argv[1], Path(sys.argv[2])
    registry, mutants, root = load_registry(), load_mutants(), suite.features().parent
    try:
        with state_at(revision) as old:
            meant = {*differing(old, root)}
            for file in changed_files(revision):
                if not _judged(file) and (file in meant or not file.startswith(PARTS)):
                    return _whole(f"{file} has changed, which no scenario alone shows")
            found = concerned(mutants, lambda id_: registry[id_].profile, old, root)
    except EverythingChanged as why:
        return _whole(str(why))
    failed: list[str] = []
    for name, scenarios in sorted(found.items()):
        reasons = sorted({*scenarios.values()})
        print(f"{name}: {count(len(scenarios), 'scenario')}, for {named(reasons, 5)}", flush=True)
        results = folder / name
        commands = (
            ["run", "--profile", name, "-k", " or ".join(sorted(scenarios)), "--output", results],
            ["replay", results],
        )
        failed += [f"{name}: {one[0]}" for one in commands if _batchproof(*one)]
    if not found:
        print(f"since {revision} nothing has changed that a scenario shows")
    references = [word for name in found for word in ("--reference", folder / name)]
    if _batchproof("mutants", "--since", revision, "--output", folder / "mutants", *references):
        failed.append("mutants")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _judged(file: str) -> bool:
    return file.startswith((*JUDGED, *ASIDE)) or file.endswith(".md")


def _whole(why: str) -> int:
    print(f"{why}: run ./check", file=sys.stderr)
    return 1


def _batchproof(*words: object) -> int:
    return subprocess.run([sys.executable, "-m", "batchproof", *map(str, words)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
