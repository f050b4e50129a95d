"""Writes the claims manifest from runs: python scripts/claims.py RESULTS...

Each RESULTS is the folder of a run of the whole suite of a profile, or of a small suite. What several runs
passed has to agree. A scenario keeps what the manifest has of it if none of them passed it, or if all were
played so: the manifest comes from more runs than these. One that no run has ever passed gets what its
sentences claim, and is marked as such.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

from batchproof.evidence import claims, measured, worded
from batchproof.evidence.bound import Bound
from batchproof.evidence.lacking import lacking
from batchproof.evidence.plan import catalogue
from batchproof.evidence.played import PlayedSteps, played
from batchproof.ground import suite
from batchproof.judgement.history import Saved
from batchproof.report.results import read_results
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry
from batchproof.specification.vocabulary import load_steps


def main() -> None:
    """Write the manifest, and say what is in it."""
    parser = argparse.ArgumentParser(description="Write the claims manifest from runs.")
    parser.add_argument("results", nargs="+", type=Path)
    runs: defaultdict[str, list[PlayedSteps]] = defaultdict(list)
    kept, others = claims.manifest(), set[str]()
    for folder in parser.parse_args().results:
        results = read_results(folder)
        bound = Bound.by(results.header, results.footer.finished, results.scenarios)
        for one in results.scenarios:
            if one.verdict == "passed" and one.history and not one.fault:
                shown = played(list(Saved(folder / one.history)))
                runs[one.id].append(shown)
                of = kept.get(one.id)
                if of is None or any(lacking(of, shown, one.requirement, bound.implementation, whole=True)):
                    others.add(one.id)
    steps, registry = load_steps(suite.steps()), load_registry()
    suites = sorted(suite.suites().glob("*.feature"))
    planned = {**catalogue(), **{id_: one for file in suites for id_, one in catalogue(file).items()}}
    scenarios = [one for file in (None, *suites) for one in parse_features(file)]
    profiles: defaultdict[str, list[claims.Demands]] = defaultdict(list)
    for scenario in scenarios:
        for case in scenario.cases:
            requirement = planned[case.id].requirement
            if case.id in runs and (case.id in others or kept[case.id].from_words):
                one = measured.demands_of(case.id, requirement, runs[case.id])
            elif case.id in kept and not kept[case.id].from_words:
                one = kept[case.id]
            else:
                one = worded.from_words(scenario, case, steps)
            profiles[registry[requirement].profile].append(one)
    claims.folder().mkdir(exist_ok=True)
    for profile, found in profiles.items():
        path = claims.folder() / f"{profile}.jsonl"
        path.write_bytes(claims.encode(found))
        unknown = sum(one.from_words for one in found)
        anew = sum(one.id in others for one in found)
        print(f"{path}: {len(found)} scenarios, {anew} from these runs, {unknown} by their sentences alone")


if __name__ == "__main__":
    main()
