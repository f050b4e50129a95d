"""Certificates signed by an identity, against a local instance of Sigstore, by Sigstore's own library."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from local_sigstore import ISSUER, LocalSigstore, token
from sigstore.models import Bundle, TrustedRoot
from sigstore.verify import Verifier
from sigstore.verify.policy import Identity

from batchproof.attestation import bundle, keyless, making, trust
from batchproof.attestation.telling import lines

if TYPE_CHECKING:
    from pathlib import Path

    from dishonest import Scene

WORKFLOW = "https://github.com/example/jobs/.github/workflows/certify.yml@refs/heads/main"
FORK = "https://github.com/evil/jobs/.github/workflows/certify.yml@refs/heads/main"


@pytest.fixture
def instance(scene: Scene) -> LocalSigstore:
    return LocalSigstore(scene.now)


def certified(scene: Scene, instance: LocalSigstore, identity: str = WORKFLOW, issuer: str = ISSUER) -> Path:
    """A bundle that an identity has signed."""
    sign = partial(keyless.sign, where=instance.context(scene.folder), identity=token(identity, issuer))
    words = making.Words(now=scene.now, expires=scene.now + timedelta(days=90), level="ci")
    path = scene.folder / "keyless.tgz"
    path.write_bytes(making.certified(making.run(scene.run), words, sign))
    return path


def trusting(scene: Scene, instance: LocalSigstore, **more: Any) -> trust.Trust:
    row = {"name": "CI", "levels": ["ci"], "identity": WORKFLOW, "issuer": ISSUER, **more}
    root = instance.trusted_root(scene.folder).name
    return scene.trust([row], sigstore_root=root)


def test_an_identity_that_the_reader_trusts(scene: Scene, instance: LocalSigstore) -> None:
    path = certified(scene, instance)
    verdict = scene.verify(path, trusting(scene, instance))
    assert verdict.code == 0, verdict.sentence
    assert verdict.level == "ci"
    assert verdict.parties[0].signer.identity == trust.TrustedIdentity(WORKFLOW, ISSUER)


def test_the_library_of_sigstore_verifies_what_we_bundle(scene: Scene, instance: LocalSigstore) -> None:
    with bundle.opened(certified(scene, instance)) as opened:
        first, second = opened.statements.splitlines()
    verifier = Verifier(trusted_root=TrustedRoot.from_file(str(instance.trusted_root(scene.folder))))
    for line in (first, second):
        kind, _ = verifier.verify_dsse(Bundle.from_json(line), Identity(identity=WORKFLOW, issuer=ISSUER))
        assert kind == "application/vnd.in-toto+json"


@pytest.mark.parametrize(
    ("identity", "issuer"),
    [
        (FORK, ISSUER),
        (WORKFLOW.replace("certify.yml", "test.yml"), ISSUER),
        (WORKFLOW.replace("heads/main", "heads/anything"), ISSUER),
        (f"{WORKFLOW}x", ISSUER),
        (WORKFLOW.replace(".", "x"), ISSUER),
        (WORKFLOW, "https://issuer.example.com.evil.example"),
    ],
)
def test_45_another_identity_is_not_trusted(
    scene: Scene, instance: LocalSigstore, identity: str, issuer: str
) -> None:
    verdict = scene.verify(certified(scene, instance, identity, issuer), trusting(scene, instance))
    assert verdict.code == 2
    assert "no signer of the trust file has signed it" in verdict.sentence


def test_45_an_identity_is_no_pattern(scene: Scene, instance: LocalSigstore) -> None:
    loose = trusting(scene, instance, identity="https://github.com/.*")
    assert scene.verify(certified(scene, instance), loose).code == 2


def test_another_instance_is_not_trusted(scene: Scene, instance: LocalSigstore) -> None:
    other = LocalSigstore(scene.now)
    verdict = scene.verify(certified(scene, other), trusting(scene, instance))
    assert verdict.code == 2, verdict.sentence


def test_an_edited_statement_is_not_trusted(scene: Scene, instance: LocalSigstore) -> None:
    path = certified(scene, instance)
    with bundle.opened(path) as opened:
        first, second = opened.statements.splitlines()
    edited = orjson.loads(first)
    edited["dsseEnvelope"]["payload"] = orjson.loads(second)["dsseEnvelope"]["payload"]
    files = [(one, (scene.run / one).read_bytes()) for one in ("results.jsonl",)]
    forged = scene.write(orjson.dumps(edited) + b"\n" + second + b"\n", making.placed(bundle.FIRST, files))
    verdict = scene.verify(forged, trusting(scene, instance))
    assert verdict.code == 2
    assert "no signer of the trust file has signed it" in verdict.sentence


def test_41_an_identity_cannot_date_back(scene: Scene) -> None:
    """The log has the time: it is not the signer's word."""
    late = LocalSigstore(scene.now + timedelta(days=3))
    verdict = scene.verify(certified(scene, late), trusting(scene, late), now=scene.now + timedelta(days=4))
    assert verdict.code == 2
    assert "and was signed on" in verdict.sentence


def test_a_trusted_root_that_is_not_there_decides_nothing(scene: Scene, instance: LocalSigstore) -> None:
    path = certified(scene, instance)
    trusted = trusting(scene, instance)
    assert trusted.sigstore_root is not None
    trusted.sigstore_root.unlink()
    verdict = scene.verify(path, trusted)
    assert verdict.code == 3
    assert "cannot be read" in verdict.sentence
    assert list(lines(verdict)) == [verdict.sentence]
