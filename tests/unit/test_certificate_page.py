"""The page of a certificate: a plain title, and code where a text has backticks."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from batchproof.attestation import bundle, trust
from batchproof.attestation.judging import OtherSuite, check_suite
from batchproof.attestation.page import page
from batchproof.attestation.parties import Party, parties, signed
from batchproof.attestation.statement import Verifier
from batchproof.attestation.unproven import SENTENCES
from batchproof.attestation.verification import (
    INVALID,
    NOT_CONFORMANT,
    UNDECIDED,
    VALID,
    VerificationVerdict,
    VerifyRequest,
)
from batchproof.report.html import coded
from batchproof.report.records import Suite

EXAMPLES = Path(__file__).parents[2] / "reports" / "examples"
COMMIT = "c0ffee" * 6 + "abcd"
SENTENCE = "valid until then: example 1.0 conforms: look at `batchproof verify` <again>"


@pytest.fixture(scope="module")
def party() -> Party:
    """The signers of the example."""
    trusted = trust.read(EXAMPLES / "trust.yaml")
    with bundle.opened(EXAMPLES / "example.batchproof.tgz") as opened:
        return next(iter(parties(signed(opened.statements, trusted))))


def shown(code: int, *of: Party) -> str:
    asked = VerifyRequest(now=datetime(2026, 11, 27, tzinfo=UTC))
    return page(VerificationVerdict(code, SENTENCE, asked, of))


@pytest.mark.parametrize(
    ("code", "title"),
    [
        (VALID, "{} conforms to the {} profile"),
        (NOT_CONFORMANT, "This certificate does not show that {} plainly conforms to the {} profile"),
        (UNDECIDED, "Whether {} conforms to the {} profile cannot be decided here"),
        (INVALID, "This certificate is invalid"),
    ],
)
def test_the_title_is_one_plain_sentence(party: Party, code: int, title: str) -> None:
    ran = party.said.implementation
    expected = title.format(f"{ran.name} {ran.version}", ", ".join(ran.profiles))
    found = shown(code, party)
    assert re.findall("<h1>(.*)</h1>", found) == [expected]
    assert f"<title>{expected}</title>" in found
    assert "<code>batchproof verify</code> &lt;again&gt;." in found


def test_no_backtick_is_left_of_what_is_not_proven(party: Party) -> None:
    assert any("`" in one for one in SENTENCES.values())
    assert "`" not in shown(VALID, party).partition("<main>")[2]


def test_the_commit_is_named_by_which_the_suite_is_found(party: Party) -> None:
    verifier = msgspec.structs.replace(party.said.verifier, commit=COMMIT)
    said = msgspec.structs.replace(party.said, verifier=verifier)
    assert f"commit <code>{COMMIT}</code>" in shown(VALID, replace(party, said=said))


def test_a_certificate_without_a_commit_says_nothing_of_it(party: Party) -> None:
    """As those that were made before there was one, and those of a wheel: their form is the same."""
    verifier = msgspec.structs.replace(party.said.verifier, commit="")
    assert "commit" not in msgspec.to_builtins(verifier)
    assert msgspec.convert(msgspec.to_builtins(verifier), Verifier) == verifier


@pytest.mark.parametrize("commit", ["HEAD", "c0ffee", "C0FFEE" * 6 + "abcd", "c0ffee" * 6 + "abc\n"])
def test_what_is_no_commit_is_refused(party: Party, commit: str) -> None:
    told = {**msgspec.to_builtins(party.said.verifier), "commit": commit}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(told, Verifier)


@pytest.mark.parametrize(
    ("commit", "advice"),
    [
        (
            "c0ffee" * 6 + "abcd",
            f": install batchproof at the commit {'c0ffee' * 6}abcd from the project's own",
        ),
        ("", ": ask the signer for the exact build or commit, install it from the project's own source"),
    ],
)
def test_a_reader_with_another_suite_is_told_which_to_install(commit: str, advice: str) -> None:
    with pytest.raises(OtherSuite) as raised:
        check_suite(Suite(digest="sha256:" + "1" * 64, commit=commit), "0.1.0")
    assert advice in str(raised.value)


def test_what_is_not_checked_has_a_title_too() -> None:
    assert "<h1>This certificate is not checked</h1>" in shown(UNDECIDED)


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ("plain", "plain"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ("one ` alone", "one ` alone"),
        ("`<script>`", "<code>&lt;script&gt;</code>"),
    ],
)
def test_what_stands_between_backticks_is_code(text: str, shown_as: str) -> None:
    assert str(coded(text)) == shown_as
