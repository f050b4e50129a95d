"""Makes reports/examples: python scripts/example_certificate.py RESULTS [RESULTS_OF_A_WITNESS].

The keys are made for it and thrown away: no party can sign another certificate that its trust file accepts.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from batchproof.attestation import keys, making
from batchproof.attestation.making import DEFAULT_LAST, Words

EXAMPLES = Path(__file__).parents[1] / "reports" / "examples"
BUNDLE = EXAMPLES / "example.batchproof.tgz"
VENDOR, LAB = "Example Ltd", "Example Lab"


def main(results: Path, witness: Path | None = None) -> None:
    """Write the bundle and the trust file of a reader."""
    now = datetime.now(UTC)
    vendor, lab = keys.new_key(), keys.new_key()
    words = Words(now=now, expires=now + DEFAULT_LAST, signer=VENDOR, attempts=1)
    made = making.certified(making.run(results), words, making.by_key(vendor))
    signers = [{"name": VENDOR, "levels": ["self"], "key": vendor.public.pem}]
    if witness:
        signers.append({"name": LAB, "levels": ["witnessed"], "key": lab.public.pem})
        again = Words(now=now, expires=now + DEFAULT_LAST, level="witnessed", signer=LAB)
        with TemporaryDirectory() as folder:
            first = Path(folder, "bundle")
            first.write_bytes(made)
            made = making.witnessed(first, making.run(witness), again, making.by_key(lab))
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    BUNDLE.write_bytes(made)
    (EXAMPLES / "trust.yaml").write_text(yaml.safe_dump({"signers": signers}, sort_keys=False))
    print(f"{BUNDLE}: {len(made)} bytes")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
