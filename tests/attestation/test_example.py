"""The example of reports/examples is valid; only another suite may keep it from being judged."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from batchproof.attestation import bundle, trust
from batchproof.attestation.parties import parties, signed
from batchproof.attestation.times import moment
from batchproof.attestation.verification import VerifyRequest, verify
from batchproof.evidence.digests import suite_digest

EXAMPLES = Path(__file__).parents[2] / "reports" / "examples"
BUNDLE = EXAMPLES / "example.batchproof.tgz"


@pytest.fixture
def trusted() -> trust.Trust:
    return trust.read(EXAMPLES / "trust.yaml")


def test_the_example_is_valid_for_its_suite(trusted: trust.Trust) -> None:
    """On the day on which it was made; of another suite it cannot be said here, and that is said."""
    with bundle.opened(BUNDLE) as opened:
        first, *_ = parties(signed(opened.statements, trusted))
    verdict = verify(BUNDLE, trusted, VerifyRequest(now=moment(first.said.issued)))
    same = first.said.verifier.suite == suite_digest()
    assert verdict.code == (0 if same else 3), verdict.sentence
    assert first.said.verifier.suite in verdict.sentence or same


def test_the_commit_that_the_example_names_can_be_installed(trusted: trust.Trust) -> None:
    """``verify`` tells a reader with another suite to install this commit, so the history must contain it."""
    with bundle.opened(BUNDLE) as opened:
        first, *_ = parties(signed(opened.statements, trusted))
    assert first.said.verifier.commit
    command = ["git", "merge-base", "--is-ancestor", first.said.verifier.commit, "HEAD"]
    ended = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, (
        f"{ended.stderr}In a shallow clone run `git fetch --unshallow`; "
        "else make the example again with scripts/example_certificate.py"
    )


def test_the_example_with_one_bit_changed_is_invalid(trusted: trust.Trust, tmp_path: Path) -> None:
    with bundle.opened(BUNDLE) as opened:
        first, *_ = parties(signed(opened.statements, trusted))
        lines = opened.statements
        files = [
            (bundle.FIRST + one.path, opened.file(bundle.FIRST + one.path, one))
            for one in first.said.evidence.manifest
        ]
    name, content = files[0]
    files[0] = (name, content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])
    path = tmp_path / "changed.tgz"
    with path.open("wb") as out:
        bundle.write(out, lines, files)
    verdict = verify(path, trusted, VerifyRequest(now=moment(first.said.issued)))
    assert verdict.code == 2
    assert f"{name} is not the file that was signed" in verdict.sentence
