"""The commands, from a new key to a badge, as a vendor, a witness and a reader type them."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import orjson
import pytest
from dishonest import Forgery

from batchproof import __version__
from batchproof.cli import main
from batchproof.evidence.digests import suite_digest

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Shell:
    """``batchproof`` in this process, in a folder of its own."""

    monkeypatch: pytest.MonkeyPatch
    captured: pytest.CaptureFixture[str]

    def __call__(self, *words: str | Path) -> Ended:
        self.monkeypatch.setattr(sys, "argv", ["batchproof", *map(str, words)])
        self.captured.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self.captured.readouterr()
        assert "Traceback" not in err
        return Ended(ended.value.code if isinstance(ended.value.code, int) else 1, out, err)


@pytest.fixture
def batchproof(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capfd)


@pytest.fixture
def bundle(batchproof: Shell, runs: tuple[Path, Path], tmp_path: Path) -> Path:
    """A certificate, and the trust file of a reader beside it."""
    assert batchproof("certify", "--new-key", "release.key").code == 0
    made = batchproof(
        "certify", runs[0], "--key", "release.key", "--signer", "Example Ltd", "-o", "bundle.tgz"
    )
    assert made.code == 0, made.err
    trust = "signers:\n  - name: Example Ltd\n    levels: [self]\n    key_file: release.key.pub\n"
    (tmp_path / "trust.yaml").write_text(trust)
    return tmp_path / "bundle.tgz"


def test_a_new_key_is_for_its_owner_and_is_never_replaced(batchproof: Shell, tmp_path: Path) -> None:
    assert batchproof("certify", "--new-key", "release.key").code == 0
    assert stat.S_IMODE((tmp_path / "release.key").stat().st_mode) == 0o600
    before = (tmp_path / "release.key").read_bytes()
    again = batchproof("certify", "--new-key", "release.key")
    assert (again.code, again.err) == (
        2,
        "batchproof: --new-key: release.key is there already, and a key is never replaced\n",
    )
    assert (tmp_path / "release.key").read_bytes() == before


def test_a_reader_verifies_a_certificate(batchproof: Shell, bundle: Path, tmp_path: Path) -> None:
    verified = batchproof("verify", bundle, "--trust", "trust.yaml", "--html", "page.html")
    assert verified.code == 0, verified.out
    assert verified.out.startswith("valid until ")
    assert "not checked against a binary" in verified.out
    page = (tmp_path / "page.html").read_text()
    assert "What is not proven" in page
    assert "<script" not in page
    assert "http-equiv" in page


def test_a_day_is_only_looked_at(batchproof: Shell, bundle: Path) -> None:
    today = datetime.now(UTC).date()
    for day, says in (
        (today - timedelta(days=2), "it was not valid yet"),
        (today + timedelta(days=2), "its dates were right"),
        (today + timedelta(days=900), "it had expired"),
    ):
        verified = batchproof("verify", bundle, "--trust", "trust.yaml", "--at", str(day))
        assert verified.code == 0
        assert f"on {day}  {says}" in verified.out


def test_the_file_that_the_reader_has(batchproof: Shell, bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("another program")
    refused = batchproof("verify", bundle, "--trust", "trust.yaml", "--artifact", "other")
    assert refused.code == 2
    assert refused.out.startswith("invalid: it is not about this file")
    assert refused.out.count("\n") == 1


def test_the_answer_is_json_for_programs(batchproof: Shell, bundle: Path, tmp_path: Path) -> None:
    day = datetime.now(UTC).date() + timedelta(days=900)
    asked = ("verify", bundle, "--trust", "trust.yaml", "--json", "--html", "page.html")
    valid = batchproof(*asked, "--at", str(day))
    told = orjson.loads(valid.out)
    assert told["exit_code"] == valid.code == 0
    [party] = told["parties"]
    assert (party["level"], party["signer"]) == ("self", "Example Ltd")
    assert party["judged_here"]["histories"] > 0
    assert told["on"] == {"date": str(day), "then": "it had expired"}
    assert {one["code"] for one in told["not_proven"]}
    assert (tmp_path / "page.html").is_file()
    bundle.write_bytes(bundle.read_bytes()[:-100])
    invalid = batchproof(*asked)
    told = orjson.loads(invalid.out)
    assert (told["exit_code"], told["parties"], invalid.code) == (2, [], 2)
    assert told["sentence"].startswith("invalid: ")


def test_a_badge(batchproof: Shell, bundle: Path, tmp_path: Path) -> None:
    assert batchproof("badge", bundle, "--trust", "trust.yaml").code == 0
    drawn = orjson.loads((tmp_path / "badge.json").read_bytes())
    assert drawn["schemaVersion"] == 1
    assert re.fullmatch(
        r"tfjob CONFORMANT, 4 parts not judged \(self\) until \d{4}-\d\d-\d\d", drawn["message"]
    )
    assert drawn["message"] in (tmp_path / "badge.svg").read_text()


def test_no_badge_of_what_is_invalid(batchproof: Shell, bundle: Path, tmp_path: Path) -> None:
    bundle.write_bytes(bundle.read_bytes()[:-100])
    refused = batchproof("badge", bundle, "--trust", "trust.yaml")
    assert refused.code == 2
    assert not (tmp_path / "badge.svg").exists()


def test_a_witness_adds_its_run(
    batchproof: Shell, bundle: Path, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    batchproof("certify", "--new-key", "lab.key")
    witness = ("certify", runs[1], "--witness", bundle, "--key", "lab.key")
    nameless = batchproof(*witness)
    assert (nameless.code, nameless.err) == (2, "batchproof: --witness: say who you are with --signer NAME\n")
    made = batchproof(*witness, "--signer", "Example Lab", "-o", "both.tgz")
    assert made.code == 0, made.err
    with (tmp_path / "trust.yaml").open("a") as trust:
        trust.write("  - name: Example Lab\n    levels: [witnessed]\n    key_file: lab.key.pub\n")
    verified = batchproof("verify", "both.tgz", "--trust", "trust.yaml")
    assert verified.code == 0, verified.out
    assert "witnessed     Example Lab" in verified.out


def test_a_witness_keeps_the_first_bundle(batchproof: Shell, runs: tuple[Path, Path], tmp_path: Path) -> None:
    batchproof("certify", "--new-key", "one.key")
    assert batchproof("certify", runs[0], "--key", "one.key").code == 0
    (first,) = tmp_path.glob("*.tgz")
    before = first.read_bytes()
    made = batchproof("certify", runs[1], "--witness", first, "--key", "one.key", "--signer", "Example Lab")
    assert made.code == 0, made.err
    (second,) = set(tmp_path.glob("*.tgz")) - {first}
    assert second.name == first.name.replace(".batchproof.tgz", "-witnessed.batchproof.tgz")
    assert first.read_bytes() == before


def test_the_version_has_the_digest_of_the_suite(batchproof: Shell) -> None:
    said = batchproof("--version")
    assert (said.code, said.out) == (0, f"batchproof, version {__version__}, suite {suite_digest()}\n")


@pytest.mark.parametrize("days", [0, 400])
def test_a_certificate_lasts_a_year_at_most(batchproof: Shell, runs: tuple[Path, Path], days: int) -> None:
    batchproof("certify", "--new-key", "release.key")
    day = str((datetime.now(UTC) + timedelta(days=days)).date())
    refused = batchproof("certify", runs[0], "--key", "release.key", "--expires", day)
    assert refused.code == 2
    assert "12 months at most" in refused.err


def test_a_forged_run_is_not_signed(batchproof: Shell, runs: tuple[Path, Path], tmp_path: Path) -> None:
    batchproof("certify", "--new-key", "release.key")
    forged = Forgery.of(runs[0], tmp_path / "forged", runs[1])
    forged.rewrite(forged.passed(), [])
    forged.save()
    refused = batchproof("certify", forged.folder, "--key", "release.key")
    assert refused.code == 2
    assert "cannot be certified: the evidence is not confirmed" in refused.err
    assert list(tmp_path.glob("*.tgz")) == []


def test_02_a_report_that_says_something_else_is_not_signed(
    batchproof: Shell, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    batchproof("certify", "--new-key", "release.key")
    forged = Forgery.of(runs[0], tmp_path / "forged", runs[1])
    (forged.folder / "report.json").write_text('{"conformity": "conformant"}')
    refused = batchproof("certify", forged.folder, "--key", "release.key")
    assert refused.code == 2
    assert "report.json is not what the results give" in refused.err


def test_a_run_that_stands_is_not_refused_for_its_evidence(batchproof: Shell, small: Path) -> None:
    said = batchproof("export", "ai-conformance", small)
    assert "is not exported" not in said.err
    assert "there is nothing to submit" in said.err  # it declares no Admission


def test_a_forged_run_is_not_exported(batchproof: Shell, small: Path, tmp_path: Path) -> None:
    forged = Forgery.of(small, tmp_path / "forged", small)
    forged.rewrite(forged.passed(), [])
    forged.save()
    refused = batchproof("export", "ai-conformance", forged.folder)
    assert refused.code == 2
    assert "forged is not exported, for it is not what the suite has recorded: " in refused.err
    assert "`batchproof replay" in refused.err
    assert not (tmp_path / "ai-conformance").exists()


def test_a_key_of_openssl_signs(batchproof: Shell, runs: tuple[Path, Path], tmp_path: Path) -> None:
    for words in (
        ("genpkey", "-algorithm", "ed25519", "-out", "release.key"),
        ("pkey", "-in", "release.key", "-pubout", "-out", "release.key.pub"),
    ):
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)
    made = batchproof("certify", runs[0], "--key", "release.key", "-o", "bundle.tgz")
    assert made.code == 0, made.err


@pytest.mark.parametrize("words", [(), ("--sigstore", "--key", "release.key")])
def test_a_signer_is_named_once(batchproof: Shell, runs: tuple[Path, Path], words: tuple[str, ...]) -> None:
    batchproof("certify", "--new-key", "release.key")
    refused = batchproof("certify", runs[0], *words)
    assert refused.code == 2
    assert "say who signs: either --key FILE" in refused.err
