"""Envelopes and keys, against the answers of their specifications and against another implementation."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa, utils
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from securesystemslib.dsse import Envelope as Theirs
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

from batchproof.attestation import envelope, keys, strict_json
from batchproof.attestation.envelope import PAYLOAD_TYPE, Envelope, Signature
from batchproof.attestation.refusal import Invalid
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

# Protocol of DSSE 1.0.0, "Test Vectors".
DSSE_TYPE = "http://example.com/HelloWorld"
DSSE_BODY = b"hello world"
DSSE_PAE = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
DSSE_SECRET = 97358161215184420915383655311931858321456579547487070936769975997791359926199
DSSE_SIGNATURE = "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=="

# RFC 8032, 7.1, test 1.
ED25519_SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"  # noqa: S105 - published
ED25519_PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
ED25519_SIGNATURE = (
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
    "655141438e7a100b"
)
BODY = b'{"_type":"https://in-toto.io/Statement/v1"}'


def p256() -> keys.PrivateKey:
    return keys.PrivateKey(ec.generate_private_key(ec.SECP256R1()))


KINDS = pytest.mark.parametrize("made", [keys.new_key, p256], ids=["Ed25519", "P-256"])


def no_password() -> str:
    pytest.fail("no password is needed")


def test_what_is_signed_is_the_encoding_of_the_specification() -> None:
    assert envelope.pae(DSSE_TYPE, DSSE_BODY) == DSSE_PAE
    assert envelope.pae("", b"") == b"DSSEv1 0  0 "
    assert envelope.pae("ä", b"\x00\n") == b"DSSEv1 2 \xc3\xa4 2 \x00\n"


def test_the_signature_of_the_specification_verifies() -> None:
    key = keys.PrivateKey(ec.derive_private_key(DSSE_SECRET, ec.SECP256R1())).public
    raw = base64.b64decode(DSSE_SIGNATURE)  # r and s, one after the other
    signature = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    assert key.verifies(signature, envelope.pae(DSSE_TYPE, DSSE_BODY))
    assert not key.verifies(signature, envelope.pae(DSSE_TYPE, DSSE_BODY + b"!"))
    assert not key.verifies(raw, envelope.pae(DSSE_TYPE, DSSE_BODY))


def test_an_ed25519_key_signs_as_rfc_8032_says() -> None:
    key = keys.PrivateKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(ED25519_SECRET)))
    assert isinstance(key.public.key, ed25519.Ed25519PublicKey)
    assert key.public.key.public_bytes_raw().hex() == ED25519_PUBLIC
    assert key.sign(b"").hex() == ED25519_SIGNATURE
    assert key.public.verifies(bytes.fromhex(ED25519_SIGNATURE), b"")


@KINDS
def test_securesystemslib_verifies_what_we_sign(made: Callable[[], keys.PrivateKey]) -> None:
    key = made()
    theirs = SSlibKey.from_crypto(key.public.key)
    signed = Theirs.from_dict(msgspec.to_builtins(envelope.sign(BODY, key)))
    assert theirs.keyid == key.public.keyid
    assert list(signed.verify([theirs], 1)) == [theirs.keyid]
    with pytest.raises(VerificationError):
        signed.verify([SSlibKey.from_crypto(made().public.key)], 1)


@KINDS
def test_a_key_that_has_not_signed_is_not_a_signer(made: Callable[[], keys.PrivateKey]) -> None:
    key, other = made(), made()
    signed = envelope.sign(BODY, key)
    assert envelope.signers(signed, [other.public, key.public]) == (key.public,)
    assert envelope.signers(signed, [other.public]) == ()
    assert envelope.signers(signed, []) == ()


def test_two_have_signed_one_envelope() -> None:
    one, two = keys.new_key(), p256()
    signed = envelope.sign(BODY, one, two)
    assert envelope.signers(signed, [two.public, one.public]) == (two.public, one.public)


@pytest.mark.parametrize("keyid", ["", "another", "0" * 64])
def test_no_keyid_makes_or_spoils_a_signature(keyid: str) -> None:
    key, other = keys.new_key(), keys.new_key()
    signed = envelope.sign(BODY, key)
    renamed = msgspec.structs.replace(signed, signatures=(Signature(signed.signatures[0].sig, keyid),))
    assert envelope.signers(renamed, [key.public]) == (key.public,)
    claimed = msgspec.structs.replace(
        signed, signatures=(Signature(signed.signatures[0].sig, other.public.keyid),)
    )
    assert envelope.signers(claimed, [other.public]) == ()


def test_base64_for_urls_is_read_too() -> None:
    key = keys.new_key()
    body = b"\xfb\xff\xfe" * 20
    signed = envelope.sign(body, key)
    for_urls = Envelope(
        base64.urlsafe_b64encode(body).decode(),
        PAYLOAD_TYPE,
        (Signature(signed.signatures[0].sig.replace("+", "-").replace("/", "_")),),
    )
    assert "-" in for_urls.payload
    assert for_urls.body == body
    assert envelope.signers(for_urls, [key.public]) == (key.public,)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"payload_type": "application/json"}, "has the payload type 'application/json'"),
        ({"payload_type": f"{PAYLOAD_TYPE} "}, "has the payload type"),
        ({"signatures": ()}, "has no signature"),
        ({"signatures": (Signature("AAAA"),) * 11}, "more than 10 signatures"),
        ({"signatures": (Signature("no base64"),)}, "a signature is not base64"),
        ({"payload": "no base64"}, "the payload of an envelope is not base64"),
        ({"payload": "AA=A"}, "the payload of an envelope is not base64"),
    ],
)
def test_an_envelope_that_is_not_ours_is_refused(changed: dict[str, object], why: str) -> None:
    key = keys.new_key()
    with pytest.raises(Invalid, match=why):
        envelope.signers(msgspec.structs.replace(envelope.sign(BODY, key), **changed), [key.public])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "not JSON"),
        (b"[]", "malformed"),
        (b'{"payload":"","payload":"e30=","payloadType":"","signatures":[]}', "'payload' appears twice"),
        (b'{"payload":"","payloadType":""}', "signatures is missing"),
        (b'{"payload":1,"payloadType":"","signatures":[]}', "payload"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_line_that_is_no_envelope_is_refused(line: bytes, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        envelope.read(line)


def test_what_readers_could_read_in_two_ways_is_not_json() -> None:
    assert strict_json.load(b'{"a":[{"a":1}],"b":{"a":2}}') == {"a": [{"a": 1}], "b": {"a": 2}}
    for text in (
        b'{"a":1,"a":1}',
        b'[{"b":{"a":1,"a":2}}]',
        b"NaN",
        b"-Infinity",
        b"{} {}",
        b"\xef\xbb\xbf{}",
    ):
        with pytest.raises(strict_json.NotJson):
            strict_json.load(text)


@KINDS
def test_a_key_is_read_as_it_was_written(made: Callable[[], keys.PrivateKey]) -> None:
    key = made()
    again = keys.private_key(key.pem, "me.key", no_password)
    assert again.pem == key.pem
    assert keys.public_key(key.public.pem.encode()).keyid == key.public.keyid


def test_an_encrypted_key_asks_for_its_password() -> None:
    key = keys.new_key()
    locked = key.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"open sesame"))
    assert keys.private_key(locked, "me.key", lambda: "open sesame").pem == key.pem
    with pytest.raises(UserError, match=r"me\.key holds no private key that can be read"):
        keys.private_key(locked, "me.key", lambda: "wrong")


OTHERS = [
    (rsa.generate_private_key(65537, 2048), "a key of RSA (2048 bits)"),
    (ec.generate_private_key(ec.SECP384R1()), "an ECDSA key over secp384r1"),
    (ec.generate_private_key(ec.SECP256K1()), "an ECDSA key over secp256k1"),
    (ed448.Ed448PrivateKey.generate(), "a key of Ed448"),
    (dsa.generate_private_key(2048), "a key of DSA (2048 bits)"),
]


@pytest.mark.parametrize(("other", "named"), OTHERS, ids=[name for _, name in OTHERS])
def test_no_other_algorithm_signs_or_verifies(other: rsa.RSAPrivateKey, named: str) -> None:
    private = other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    with pytest.raises(UserError) as refused:
        keys.private_key(private, "me.key", no_password)
    assert str(refused.value) == f"me.key holds {named}: only Ed25519 and ECDSA over P-256 are accepted"
    with pytest.raises(ValueError, match="only Ed25519 and ECDSA over P-256 are accepted"):
        keys.public_key(public)


@pytest.mark.parametrize(
    "pem", [b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", b"\xff"]
)
def test_what_is_no_key_is_refused(pem: bytes) -> None:
    with pytest.raises(UserError, match="holds no private key that can be read"):
        keys.private_key(pem, "me.key", no_password)
    with pytest.raises(ValueError, match=r"not a public key|a private key"):
        keys.public_key(pem)


def test_a_private_key_is_no_public_key() -> None:
    with pytest.raises(ValueError, match="a private key"):
        keys.public_key(keys.new_key().pem)
