"""The reader's trust file: what it may say, and what each signer may do by it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from batchproof.attestation import keys, trust
from batchproof.attestation.refusal import Invalid
from batchproof.attestation.trust import Revocation, Signer, TrustedIdentity
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


def pem(text: str, indent: str = "      ") -> str:
    return "|\n" + "".join(f"{indent}{line}\n" for line in text.splitlines())


KEY, OTHER = keys.new_key().public, keys.new_key().public
DAY = datetime(2026, 10, 1, tzinfo=UTC)
ONE = f"signers:\n  - name: a\n    levels: [ci]\n    key: {pem(KEY.pem)}"
RSA = (
    rsa.generate_private_key(65537, 2048)
    .public_key()
    .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    .decode()
)


def written(folder: Path, text: str) -> Path:
    path = folder / "trust.yaml"
    path.write_text(text)
    return path


def test_a_trust_file_with_all_that_it_may_have(tmp_path: Path) -> None:
    (tmp_path / "lab.pub").write_text(OTHER.pem)
    found = trust.read(
        written(
            tmp_path,
            f"""signers:
  - name: Example Ltd
    levels: [self, ci]
    key: {pem(KEY.pem)}
  - name: Example Lab, 2026
    organisation: Example Lab
    levels: [witnessed]
    key_file: lab.pub
    revoked: {{from: "2026-10-01", reason: lost}}
  - name: Example CI
    levels: [ci]
    identity: https://github.com/example/jobs/.github/workflows/certify.yml@refs/heads/main
    issuer: https://token.actions.githubusercontent.com
suites: ["sha256:{"a" * 64}"]
""",
        )
    )
    vendor, lab, ci = found.signers
    assert (vendor.name, vendor.organisation, vendor.levels) == ("Example Ltd", "Example Ltd", ("self", "ci"))
    assert vendor.key is not None
    assert vendor.key.keyid == KEY.keyid
    assert (lab.organisation, lab.revoked) == ("Example Lab", Revocation(DAY, "lost"))
    assert lab.key is not None
    assert lab.key.keyid == OTHER.keyid
    assert ci.key is None
    assert isinstance(ci.identity, TrustedIdentity)
    assert found.suites == (f"sha256:{'a' * 64}",)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("signers: []", "signers"),
        ("{}", "'signers' is missing"),
        ("signers:\n  - name: a\n    levels: [self]", "key"),
        (
            f"signers:\n  - name: a\n    levels: [gold]\n    key: {pem(KEY.pem)}",
            "'gold' is not one of self, ci",
        ),
        (f"signers:\n  - name: a\n    levels: []\n    key: {pem(KEY.pem)}", "levels"),
        (f"signers:\n  - name: a\n    level: [self]\n    key: {pem(KEY.pem)}", "did you mean 'levels'"),
        (
            "signers:\n  - name: a\n    levels: [self]\n    key: nonsense",
            r"trust\.yaml:4: signers\.a\.key: not a public",
        ),
        (
            f"signers:\n  - name: a\n    levels: [self]\n    key: {pem(RSA)}",
            r"a key of RSA \(2048 bits\): only",
        ),
        (
            "signers:\n  - name: a\n    levels: [self]\n    key_file: gone.pub",
            r"a\.key_file: .*gone\.pub cannot be read",
        ),
        ("signers:\n  - name: a\n    levels: [ci]\n    identity: x", "issuer"),
        (
            "signers:\n  - name: a\n    levels: [ci]\n    identity: x\n    issuer: y\n    key_file: z",
            "signers",
        ),
        (
            f'{ONE}    revoked: {{from: "2026-02-30", reason: b}}',
            "2026-02-30 is no day of the calendar",
        ),
        (
            f"signers:\n  - name: a\n    levels: [ci]\n    key: {pem(KEY.pem)}    revoked: {{}}",
            "'reason' is missing",
        ),
        (
            f"{ONE}  - name: b\n    levels: [self]\n    key: {pem(KEY.pem)}",
            r"signers\.b: its key appears twice",
        ),
        (
            f"{ONE}  - name: a\n    levels: [self]\n    key: {pem(OTHER.pem)}",
            r"signers\.a: its name appears twice",
        ),
        (f"signers:\n  - name: a\n    levels: [ci]\n    key: {pem(KEY.pem)}suites: [abc]", "suites"),
    ],
    ids=lambda value: "key" if "PUBLIC KEY" in value else value,  # a key is another one in each process
)
def test_a_trust_file_that_is_wrong_is_refused_by_its_line(tmp_path: Path, rows: str, why: str) -> None:
    with pytest.raises(UserError, match=why) as refused:
        trust.read(written(tmp_path, rows))
    assert str(refused.value).startswith(f"{tmp_path / 'trust.yaml'}:")


def signer(revoked: Revocation | None = None) -> Signer:
    return Signer("Example Ltd", "Example Ltd", ("self",), KEY, revoked=revoked)


def test_a_signer_attests_what_the_reader_lets_it_attest() -> None:
    signer().see_entitled("self", DAY)
    with pytest.raises(
        Invalid, match="says level witnessed, but the trust file lets Example Ltd attest self only"
    ):
        signer().see_entitled("witnessed", DAY)


def test_what_was_signed_before_the_key_was_revoked_stays_valid() -> None:
    lost = Revocation(DAY, "lost")
    signer(lost).see_entitled("self", datetime(2026, 9, 30, 23, 59, 59, tzinfo=UTC))
    with pytest.raises(Invalid, match=r"revoked since 2026-10-01 \(lost\)"):
        signer(lost).see_entitled("self", DAY)


def test_nothing_is_valid_that_a_stolen_key_has_signed() -> None:
    with pytest.raises(Invalid, match=r"is revoked \(stolen\): nothing that it signed is accepted"):
        signer(Revocation(None, "stolen")).see_entitled("self", datetime(2020, 1, 1, tzinfo=UTC))
