"""Keeps in reports/proved.json which mutants were killed as they are, so that ./check judges only the others.

Usage: python scripts/proved.py FOLDER...   where `batchproof mutants -o FOLDER` wrote its matrix
"""

from __future__ import annotations

import sys
from pathlib import Path

from batchproof.evidence.digests import code_digest
from batchproof.ground import suite
from batchproof.report.matrix import load
from batchproof.report.wording import count
from batchproof.specification.mutants import load_mutants
from batchproof.specification.proved import dump, proof_keys, read

RECORD = Path(__file__).parents[1] / "reports" / "proved.json"


def main() -> None:
    """Add what was killed, take out what survived and what is no more."""
    keys = proof_keys(load_mutants(), suite.features().parent)
    killed = dict(read(RECORD)) if RECORD.is_file() else {}
    for folder in map(Path, sys.argv[1:]):
        matrix = load(folder)
        if matrix.digest != code_digest(suite.defects()):
            sys.exit(f"{folder}: judged in another state of the suite; run `batchproof mutants` again")
        killed |= {row.defect: keys[row.defect] for row in matrix.of("caught")}
        for row in matrix.of("missed"):
            killed.pop(row.defect, None)
    RECORD.write_text(dump({name: key for name, key in killed.items() if name in keys}), "utf-8")
    print(f"{count(len(killed), 'killed mutant')} of {len(keys)} in {RECORD.name}")


if __name__ == "__main__":
    main()
