"""Attacks on certificate and bundle, by parties that hold a key and by parties that hold none."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from dishonest import LAB, VENDOR, Forgery, edited

from batchproof import __version__
from batchproof.attestation import bundle, envelope, keys, making
from batchproof.attestation.certificate import statements
from batchproof.attestation.envelope import PAYLOAD_TYPE, Envelope, Signature, pae
from batchproof.attestation.evidence import evidence
from batchproof.attestation.page import page
from batchproof.attestation.statement import CERTIFICATE, TEST_RESULT, WITNESS
from batchproof.attestation.telling import lines
from batchproof.attestation.times import written
from batchproof.attestation.unproven import CODES, SENTENCES
from batchproof.evidence.digests import suite_digest
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dishonest import Json, Scene


def files(folder: Path) -> list[tuple[str, bytes]]:
    """The evidence of a run."""
    names = ["results.jsonl", *(f"histories/{one.name}" for one in (folder / "histories").iterdir())]
    return sorted((name, (folder / name).read_bytes()) for name in names)


def bodies(scene: Scene, **said: Any) -> tuple[bytes, bytes]:
    """The two statements about the honest run."""
    return statements(scene.honest, evidence(files(scene.run)), scene.said(**said), CERTIFICATE)


def bundled(scene: Scene, *envelopes: Envelope, run: Path | None = None) -> Path:
    """A bundle with these envelopes and the evidence of a run."""
    placed = making.placed(bundle.FIRST, files(run or scene.run))
    return scene.write(envelope.lines(envelopes), placed)


def refused(scene: Scene, path: Path, why: str, **asked: Any) -> None:
    verdict = scene.verify(path, **asked)
    assert verdict.code == 2, verdict.sentence
    assert why in verdict.sentence


# 2: views


@pytest.mark.parametrize("view", ["report.json", "index.html", "junit.xml"])
def test_02_an_edited_view_is_no_part_of_a_bundle(scene: Scene, view: str) -> None:
    shown = [(view, b"all passed")]
    certified = [*making.placed(bundle.FIRST, files(scene.run)), *making.placed(bundle.FIRST, shown)]
    signed = envelope.lines([envelope.sign(body, scene.key) for body in bodies(scene)])
    refused(scene, scene.write(signed, certified), "which its manifest does not name")
    signed_too = sorted([*files(scene.run), *shown])
    both = statements(scene.honest, evidence(signed_too), scene.said(), CERTIFICATE)
    path = scene.write(
        envelope.lines([envelope.sign(body, scene.key) for body in both]),
        making.placed(bundle.FIRST, signed_too),
    )
    refused(scene, path, f"names '{view}', which is neither results.jsonl nor a history")


def test_02_views_beside_a_run_are_not_certified(scene: Scene) -> None:
    folder = scene.forgery().folder
    (folder / "report.json").write_text('{"verdict": "conformant"}')
    with pytest.raises(UserError, match=r"report\.json is not what the results give"):
        making.run(folder)
    (folder / "report.json").unlink()
    (folder / "notes.txt").write_text("all passed")
    assert all(name.endswith(".jsonl") for name, _ in making.run(folder).files)


# What a certificate says


def conformity(said: Json) -> None:
    said["outcome"]["conformity"] = "conformant-with-deviations"


def version(said: Json) -> None:
    said["implementation"]["version"] = "9.9.9"


def verdict(said: Json) -> None:
    said["outcome"]["requirements"] = dict.fromkeys(said["outcome"]["requirements"], "passed")


def suite(said: Json) -> None:
    said["verifier"]["batchproof"] = "9.9.9"


def platform(said: Json) -> None:
    said["platform"]["kubernetes"] = "1.99.0"


def scenarios(said: Json) -> None:
    said["run"]["scenarios"] += 1


def redactions(said: Json) -> None:
    said["redactions"] = []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (conformity, "outcome.conformity"),
        (version, "implementation.version"),
        (verdict, "outcome.requirements"),
        (suite, "verifier.batchproof"),
        (platform, "platform.kubernetes"),
        (scenarios, "run.scenarios"),
        (redactions, "redactions"),
    ],
)
def test_a_certificate_says_what_its_evidence_says(
    scene: Scene, change: Callable[[Json], None], place: str
) -> None:
    refused(scene, scene.bundle(change=change), f"it says something else than its evidence: {place}")


def test_a_limit_cannot_be_hidden(scene: Scene) -> None:
    def hide(said: Json) -> None:
        said["notProven"].remove("attempts")

    refused(scene, scene.bundle(change=hide), "it hides what it does not prove: attempts")


def test_the_test_result_says_what_the_evidence_says(scene: Scene) -> None:
    mine, theirs = bodies(scene)
    changed = msgspec.json.decode(theirs)
    changed["predicate"]["passedTests"] = changed["predicate"]["passedTests"][1:]
    path = bundled(
        scene, envelope.sign(mine, scene.key), envelope.sign(msgspec.json.encode(changed), scene.key)
    )
    refused(scene, path, "the test result says something else than the evidence: passed_tests")


# 29, 30: suites


def test_29_a_suite_that_the_reader_does_not_accept(scene: Scene) -> None:
    trusted = scene.trust(suites=["sha256:" + "1" * 64])
    verdict = scene.verify(scene.bundle(), trusted)
    assert verdict.code == 2
    assert "which the trust file does not accept" in verdict.sentence


def test_30_another_suite_is_named_and_nothing_was_judged_here(scene: Scene) -> None:
    """Two builds may have one version: only the digests tell them apart."""
    forged = scene.forgery()
    theirs = "sha256:" + "1" * 64
    forged.header["suite"]["digest"] = theirs
    forged.header["suite"]["commit"] = ""
    forged.save()
    verdict = scene.verify(scene.bundle(forged.folder))
    assert verdict.code == 3
    assert verdict.sentence == (
        f"cannot be decided here: the run was judged by suite {theirs} (batchproof {__version__}); installed "
        f"here is suite {suite_digest()}, also called {__version__}: ask the signer for the exact build or "
        "commit, install it from the project's own source, or request a certificate made with yours"
    )
    forged.header["suite"]["commit"] = "c0ffee" * 6 + "abcd"
    forged.save()
    found = scene.verify(scene.bundle(forged.folder))
    assert "with yours" in found.sentence
    assert f": install batchproof at the commit {'c0ffee' * 6}abcd from the project's own" in found.sentence
    for shown in ("\n".join(lines(verdict)), page(verdict)):
        assert "Its record was NOT judged here" in shown
        assert "judged its record again" not in shown
        assert "were judged again" not in shown


def test_29_a_suite_that_the_reader_accepts(scene: Scene) -> None:
    trusted = scene.trust(suites=[scene.honest.results.header.suite.digest])
    assert scene.verify(scene.bundle(), trusted).code == 0


# 41, 42: dates


def test_41_issued_before_the_run_ended(scene: Scene) -> None:
    early = written(scene.now - timedelta(days=30))
    refused(scene, scene.bundle(said=scene.said(issued=early, not_before=early)), "before its run ended")


def test_41_issued_in_the_future(scene: Scene) -> None:
    late = written(scene.now + timedelta(hours=1))
    refused(scene, scene.bundle(said=scene.said(issued=late)), "it is not valid before")


def test_41_the_histories_are_older_than_the_run(scene: Scene) -> None:
    forged = scene.forgery()
    later = scene.now + timedelta(days=20)
    forged.header["started"] = written(later)
    forged.footer["finished"] = written(later + timedelta(minutes=5))
    for one in forged.scenarios:
        one["started"] = written(later)
    forged.save()
    said = scene.said(issued=written(later + timedelta(hours=1)), not_before=written(later))
    verdict = scene.verify(scene.bundle(forged.folder, said=said), now=later + timedelta(hours=2))
    assert verdict.code == 2
    assert "the histories are of another time than the run" in verdict.sentence


def test_42_expired(scene: Scene) -> None:
    path = scene.bundle()
    late = scene.now + timedelta(days=91)
    refused(scene, path, "invalid: it has expired on", now=late)
    verdict = scene.verify(path, now=late)
    told = list(lines(verdict, scene.now + timedelta(days=10)))
    assert any(line.startswith("on ") and line.endswith("  its dates were right") for line in told)
    assert any(line.startswith("  judged      ") and "again" in line for line in told)
    shown = page(verdict)
    assert '<header class="not-conformant">' in shown
    assert verdict.parties[0].signer.text in shown
    assert scene.verify(path, now=scene.now + timedelta(days=89)).code == 0


def test_42_expired_and_forged(scene: Scene) -> None:
    """What else is wrong comes first, and then nothing else is shown."""
    path = scene.bundle(change=version)
    verdict = scene.verify(path, now=scene.now + timedelta(days=91))
    assert "it says something else than its evidence" in verdict.sentence
    assert list(lines(verdict)) == [verdict.sentence]


def test_42_the_day_of_expiry_edited_by_somebody_without_a_key(scene: Scene) -> None:
    path = scene.bundle()

    def later(said: Json) -> None:
        said["expires"] = written(scene.now + timedelta(days=300))

    signed = [envelope.sign(body, scene.key) for body in bodies(scene)]
    changed = edited(signed[0].body, later)
    forged = msgspec.structs.replace(envelope.sign(changed, scene.key), signatures=signed[0].signatures)
    why = f"as it is: it names the key of {VENDOR}, but the signature does not match; the file is damaged"
    refused(scene, bundled(scene, forged, signed[1]), why)
    assert scene.verify(path).code == 0


def test_42_more_than_a_year(scene: Scene) -> None:
    late = scene.said(expires=written(scene.now + timedelta(days=400)))
    refused(scene, scene.bundle(said=late), "more than 12 months are not accepted")


# 43: shown for something else


def test_43_shown_for_another_file(scene: Scene) -> None:
    refused(scene, scene.bundle(), "it is not about this file", artifact="0" * 64)


def test_43_shown_for_another_profile(scene: Scene) -> None:
    refused(scene, scene.bundle(), "it is about the tfjob profile, not about gang", profile="gang")


def test_43_shown_for_the_right_file_and_profile(scene: Scene) -> None:
    path = scene.bundle()
    (subject, *_) = scene.verify(path).parties[0].subjects
    verdict = scene.verify(path, artifact=subject, profile="tfjob")
    assert verdict.code == 0
    assert any("is one of the files that were run" in line for line in lines(verdict))


def test_43_without_a_file_it_says_so(scene: Scene) -> None:
    assert any("not checked against a binary" in line for line in lines(scene.verify(scene.bundle())))


# 44: signatures


def test_44_signature_stripped(scene: Scene) -> None:
    bare = [msgspec.structs.replace(envelope.sign(body, scene.key), signatures=()) for body in bodies(scene)]
    refused(scene, bundled(scene, *bare), "an envelope has no signature")


def test_44_signed_by_a_key_that_nobody_trusts(scene: Scene) -> None:
    key = keys.new_key()
    path = scene.bundle(key=key)
    refused(scene, path, "no signer of the trust file has signed it: ")
    refused(
        scene, path, f"does not have the key {key.public.keyid} (not confirmed: anyone can write a key id)"
    )


def test_44_the_keyid_of_a_trusted_key(scene: Scene) -> None:
    thief = keys.new_key()
    signed = [
        msgspec.structs.replace(one, signatures=(Signature(one.signatures[0].sig, scene.key.public.keyid),))
        for one in (envelope.sign(body, thief) for body in bodies(scene))
    ]
    refused(scene, bundled(scene, *signed), "no signer of the trust file has signed it")


def test_44_another_payload_type(scene: Scene) -> None:
    kind = "application/json"
    body, other = bodies(scene)
    signed = envelope.sign(body, scene.key)
    signature = scene.key.sign(pae(kind, body))
    retyped = Envelope(signed.payload, kind, (Signature(msgspec.to_builtins(signature)),))
    refused(
        scene, bundled(scene, retyped, envelope.sign(other, scene.key)), f"{kind!r} instead of {PAYLOAD_TYPE}"
    )


def test_44_signed_as_another_payload_type(scene: Scene) -> None:
    body, other = bodies(scene)
    signature = Signature(msgspec.to_builtins(scene.key.sign(pae("text/plain", body))))
    confused = msgspec.structs.replace(envelope.sign(body, scene.key), signatures=(signature,))
    refused(scene, bundled(scene, confused, envelope.sign(other, scene.key)), "no signer of the trust file")


def test_44_another_predicate_type(scene: Scene) -> None:
    body, other = bodies(scene)
    retyped = body.replace(CERTIFICATE.encode(), b"urn:batchproof:certificate:v0")
    path = bundled(scene, *(envelope.sign(one, scene.key) for one in (retyped, other)))
    refused(scene, path, "unknown predicate type")


def test_44_another_level(scene: Scene) -> None:
    for level in ("ci", "witnessed"):
        path = scene.bundle(said=scene.said(level=level))
        refused(scene, path, f"says level {level}, but the trust file lets {VENDOR} attest self only")

    def unknown(said: Json) -> None:
        said["level"] = "gold"

    refused(scene, scene.bundle(change=unknown), "is malformed: level")


def test_44_a_weak_algorithm(scene: Scene) -> None:
    """An RSA key cannot be in a trust file, and its signature is none of ours."""
    weak = rsa.generate_private_key(65537, 2048)
    body, other = bodies(scene)
    signature = weak.sign(pae(PAYLOAD_TYPE, body), padding.PKCS1v15(), hashes.SHA256())
    signed = msgspec.structs.replace(
        envelope.sign(body, scene.key), signatures=(Signature(msgspec.to_builtins(signature), "none"),)
    )
    refused(scene, bundled(scene, signed, envelope.sign(other, scene.key)), "no signer of the trust file")


# 46: mixing


def test_46_a_statement_beside_the_evidence_of_another_run(scene: Scene) -> None:
    signed = [envelope.sign(body, scene.key) for body in bodies(scene)]
    refused(scene, bundled(scene, *signed, run=scene.again), "where its manifest has")


def test_46_a_certificate_beside_the_test_result_of_another(scene: Scene) -> None:
    other = Forgery.of(scene.again, scene.folder / "other", scene.run)
    mine, _ = bodies(scene)
    theirs = statements(scene.honest, evidence(files(other.folder)), scene.said(), CERTIFICATE)[1]
    path = bundled(scene, *(envelope.sign(body, scene.key) for body in (mine, theirs)))
    refused(scene, path, "the test result says something else")


def test_46_two_statements_of_one_type(scene: Scene) -> None:
    first, result = bodies(scene)
    second, _ = bodies(scene, id="e" * 32)
    path = bundled(scene, *(envelope.sign(body, scene.key) for body in (first, second, result)))
    refused(scene, path, f"two statements of the type {CERTIFICATE}")


@pytest.mark.parametrize(("kept", "missing"), [(0, TEST_RESULT), (1, CERTIFICATE)])
def test_46_a_statement_is_missing(scene: Scene, kept: int, missing: str) -> None:
    path = bundled(scene, envelope.sign(bodies(scene)[kept], scene.key))
    refused(scene, path, f"no statement of the type {missing}")


def test_46_a_key_stands_twice(scene: Scene) -> None:
    body, other = bodies(scene)
    doubled = body.replace(b'"level":"self"', b'"level":"self","level":"witnessed"')
    assert doubled != body
    path = bundled(scene, *(envelope.sign(one, scene.key) for one in (doubled, other)))
    refused(scene, path, "the key 'level' appears twice in one object")


def test_46_statements_of_two_signers(scene: Scene) -> None:
    body, other = bodies(scene)
    path = bundled(scene, envelope.sign(body, scene.key), envelope.sign(other, scene.lab))
    refused(scene, path, "signed by different signers")


# 47: malicious bundles; tests/unit/test_attestation_bundle.py has every kind of header


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "histories/../../x.jsonl", "histories/a\0b.jsonl"]
)
def test_47_a_path_that_leads_out(scene: Scene, path: str) -> None:
    def lead_out(said: Json) -> None:
        said["evidence"]["manifest"][0]["path"] = path

    refused(scene, scene.bundle(change=lead_out), "which is neither results.jsonl nor a history")


def test_47_a_link_in_place_of_a_file(scene: Scene) -> None:
    signed = envelope.lines([envelope.sign(body, scene.key) for body in bodies(scene)])
    (name, content), *_ = making.placed(bundle.FIRST, files(scene.run))
    ours = gzip.decompress(making.packed(signed, []))[:-1024]
    link = tarfile.TarInfo(name)
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        archive.addfile(link)
    path = scene.folder / "link.tgz"
    path.write_bytes(gzip.compress(ours + out.getvalue()))
    refused(scene, path, f"a link '{name}' where its manifest has")
    assert content


def test_47_a_bomb(scene: Scene) -> None:
    """A manifest may promise no more than its bound, and nothing beyond the manifest is unpacked."""

    def promise(said: Json) -> None:
        said["evidence"]["manifest"][0]["size"] = 2**40

    refused(scene, scene.bundle(change=promise), "the evidence is larger than")


def test_47_a_million_files(scene: Scene) -> None:
    def promise(said: Json) -> None:
        one = said["evidence"]["manifest"][0]
        said["evidence"]["manifest"] = [{**one, "path": f"histories/{n}.jsonl"} for n in range(6000)]

    refused(scene, scene.bundle(change=promise), "names 6000 files, more than 5000")


def test_47_names_that_command_a_terminal_or_a_browser(scene: Scene) -> None:
    hostile = "<script>alert(1)</script>\x1b[2J\u202e"
    verdict = scene.verify(scene.bundle(said=scene.said(signer=hostile)))
    assert verdict.code == 0, verdict.sentence
    shown = page(verdict)
    assert "<script" not in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "script-src &#39;none&#39;" in shown


def test_47_nothing_is_left_behind(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    private = scene.folder / "tmp"
    private.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(private))
    before = {path for path in scene.folder.rglob("*") if path.name != "trust.yaml"}
    path = scene.bundle()
    assert scene.verify(path).code == 0
    refused(scene, scene.bundle(drop=("results.jsonl",)), "does not name results.jsonl")
    assert list(private.iterdir()) == []
    made = {one for one in scene.folder.rglob("*") if one.suffix != ".tgz" and one.name != "trust.yaml"}
    assert made == before


# What no verifier can find


def test_the_limits_are_in_the_certificate_and_in_each_answer(scene: Scene) -> None:
    verdict = scene.verify(scene.bundle())
    assert verdict.code == 0
    assert set(verdict.parties[0].said.not_proven) >= set(CODES)
    told = "\n".join(lines(verdict))
    assert f"and that it was not the best of several, is the word of {VENDOR}." in told
    shown = page(verdict)
    assert all(f"<code>{code}</code>" in shown for code in CODES)
    assert all(sentence.split("'")[0].split("`")[0] in shown for sentence in SENTENCES.values())


# Two parties


def witnessed(
    scene: Scene, run: Path | None = None, key: keys.PrivateKey | None = None, **words: Any
) -> Path:
    """A bundle that the lab has run again."""
    said: dict[str, Any] = {"level": "witnessed", "signer": LAB, "now": scene.now}
    made = making.witnessed(
        scene.bundle(),
        making.run(run or scene.again),
        making.Words(**{**said, "expires": scene.now + timedelta(days=90), **words}),
        making.by_key(key or scene.lab),
    )
    path = scene.folder / "witnessed.tgz"
    path.write_bytes(made)
    return path


def test_a_certificate_of_two_parties_verifies(scene: Scene) -> None:
    verdict = scene.verify(witnessed(scene))
    assert verdict.code == 0, verdict.sentence
    assert [one.signer.name for one in verdict.parties] == [VENDOR, LAB]
    assert verdict.level == "witnessed"
    assert "Who has run it again" in page(verdict)


def test_nobody_witnesses_its_own_run_by_another_key(scene: Scene) -> None:
    mine = keys.new_key()
    rows = [
        {"name": VENDOR, "levels": ["self"], "key": scene.key.public.pem},
        {"name": "second key", "organisation": VENDOR, "levels": ["witnessed"], "key": mine.public.pem},
    ]
    verdict = scene.verify(witnessed(scene, key=mine), scene.trust(rows))
    assert verdict.code == 2
    assert f"{VENDOR} cannot be its own witness" in verdict.sentence


def test_a_vendor_that_calls_itself_a_witness_has_no_right_to(scene: Scene) -> None:
    refused(scene, witnessed(scene, key=scene.key), f"lets {VENDOR} attest self only")
    refused(
        scene,
        witnessed(scene, key=keys.new_key()),
        "no signer of the trust file has signed the statement of the witness: ",
    )


def test_a_witness_shows_a_run_of_its_own(scene: Scene) -> None:
    with pytest.raises(UserError, match="cannot be witnessed: the witness shows files of the first run as"):
        witnessed(scene, run=scene.run)
    refused(scene, signed_as_witness(scene, scene.run), "the witness shows files of the first run as its own")


def test_a_witness_of_another_version_is_not_signed(scene: Scene) -> None:
    """Before it is signed, not only when somebody reads it."""
    of = making.run(scene.again)
    header = of.judged.results.header
    other = msgspec.structs.replace(header.implementation, version="9.9.9")
    results = replace(of.judged.results, header=msgspec.structs.replace(header, implementation=other))
    words = making.Words(now=scene.now, expires=scene.now + timedelta(days=9), level="witnessed", signer=LAB)
    changed = replace(of, judged=replace(of.judged, results=results))
    with pytest.raises(
        UserError, match=r"the witness ran something else: implementation\.version is another"
    ):
        making.witnessed(scene.bundle(), changed, words, lambda _: pytest.fail("it was signed"))


def signed_as_witness(scene: Scene, run: Path) -> Path:
    """A run that the lab has signed as its own, without asking ``certify``."""
    first = [envelope.sign(body, scene.key) for body in bodies(scene)]
    witness_of = hashlib.sha256(first[0].body).hexdigest()
    said = scene.said(level="witnessed", signer=LAB, witness_of=witness_of)
    mine, _ = statements(scene.honest, evidence(files(run)), said, WITNESS)
    both = [*making.placed(bundle.FIRST, files(scene.run)), *making.placed(bundle.SECOND, files(run))]
    return scene.write(envelope.lines([*first, envelope.sign(mine, scene.lab)]), both)


def test_a_witness_of_another_certificate(scene: Scene) -> None:
    """The lab's statement, taken from the bundle that it witnessed, and put beside a later certificate."""
    path = witnessed(scene)
    with bundle.opened(path) as opened:
        theirs = opened.statements.splitlines()[2]
    signed = [envelope.sign(body, scene.key) for body in bodies(scene, id="e" * 32)]
    taken = envelope.lines(signed) + theirs + b"\n"
    both = [
        *making.placed(bundle.FIRST, files(scene.run)),
        *making.placed(bundle.SECOND, files(scene.again)),
    ]
    refused(scene, scene.write(taken, both), "the witness has run again what another certificate says")


def test_a_witness_whose_level_is_another(scene: Scene) -> None:
    rows = [
        {"name": VENDOR, "levels": ["self"], "key": scene.key.public.pem},
        {"name": LAB, "levels": ["self"], "key": scene.lab.public.pem},
    ]
    verdict = scene.verify(witnessed(scene, level="self"), scene.trust(rows))
    assert verdict.code == 2
    assert "the statement of the witness says level self" in verdict.sentence


def test_the_evidence_of_a_witness_is_judged_again_too(scene: Scene) -> None:
    path = witnessed(scene)
    with bundle.opened(path) as opened:
        signed = opened.statements
    theirs = files(scene.again)
    theirs[0] = (theirs[0][0], theirs[0][1] + b" ")
    both = [*making.placed(bundle.FIRST, files(scene.run)), *making.placed(bundle.SECOND, theirs)]
    refused(scene, scene.write(signed, both), "witness/")


# Keys that count no more


@pytest.mark.parametrize(("days", "code"), [(-1, 2), (0, 2), (1, 0)])
def test_a_key_that_was_revoked_before_the_signature(scene: Scene, days: int, code: int) -> None:
    day = (scene.now + timedelta(days=days)).date().isoformat()
    revoked = {"from": day, "reason": "lost"}
    rows = [{"name": VENDOR, "levels": ["self"], "key": scene.key.public.pem, "revoked": revoked}]
    verdict = scene.verify(scene.bundle(), scene.trust(rows))
    assert verdict.code == code, verdict.sentence
    assert ("is revoked since" in verdict.sentence) == (code == 2)


def test_a_stolen_key(scene: Scene) -> None:
    rows = [
        {
            "name": VENDOR,
            "levels": ["self"],
            "key": scene.key.public.pem,
            "revoked": {"reason": "stolen"},
        }
    ]
    assert "is revoked (stolen)" in scene.verify(scene.bundle(), scene.trust(rows)).sentence


# Secrets


def test_a_token_in_a_history_is_not_signed(scene: Scene) -> None:
    looks_like_one = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl"
    with pytest.raises(Exception, match=r"histories/a\.jsonl:2 holds what looks like a token"):
        making.see_no_secrets([("histories/a.jsonl", b"{}\n" + looks_like_one.encode())])
    making.see_no_secrets(files(scene.run))


def test_the_digest_of_a_bundle_is_that_of_its_content(scene: Scene) -> None:
    words = making.Words(now=scene.now, expires=scene.now + timedelta(days=1))
    of = making.run(scene.run)
    made = [making.certified(of, words, making.by_key(scene.key)) for _ in range(2)]
    assert hashlib.sha256(made[0]).digest() != hashlib.sha256(made[1]).digest()  # each has an id of its own
    assert len(made[0]) < 5_000_000
