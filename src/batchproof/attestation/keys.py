"""Keys that sign certificates: Ed25519 and ECDSA over P-256, in PEM, and no others.

A key id is the one that securesystemslib computes, so that its verifier, which compares key ids, accepts our
envelopes. Our own verifier never looks at a key id: it is not signed, and anyone can write one.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES: Final = 64 * 1024
"""Of a file that holds a key."""
_ACCEPTED: Final = "only Ed25519 and ECDSA over P-256 are accepted"


@dataclass(frozen=True)
class PublicKey:
    """A key that verifies.

    Attributes:
        key: the key itself.
    """

    key: ed25519.Ed25519PublicKey | ec.EllipticCurvePublicKey

    @property
    def algorithm(self) -> str:
        """``Ed25519`` or ``ECDSA P-256``."""
        return "Ed25519" if isinstance(self.key, ed25519.Ed25519PublicKey) else "ECDSA P-256"

    @property
    def pem(self) -> str:
        """The key as a file holds it (SubjectPublicKeyInfo)."""
        return self.key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    @property
    def keyid(self) -> str:
        """The hint at the key in an envelope, as securesystemslib computes it."""
        if isinstance(self.key, ed25519.Ed25519PublicKey):
            kind, scheme, public = "ed25519", "ed25519", self.key.public_bytes_raw().hex()
        else:
            kind, scheme, public = "ecdsa", "ecdsa-sha2-nistp256", self.pem
        canonical = f'{{"keytype":"{kind}","keyval":{{"public":"{public}"}},"scheme":"{scheme}"}}'
        return hashlib.sha256(canonical.encode()).hexdigest()

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Whether the owner of the key has signed the message."""
        try:
            if isinstance(self.key, ed25519.Ed25519PublicKey):
                self.key.verify(signature, message)
            else:
                self.key.verify(signature, message, ec.ECDSA(SHA256()))
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class PrivateKey:
    """A key that signs.

    Attributes:
        key: the key itself.
    """

    key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey

    @property
    def public(self) -> PublicKey:
        """The key that verifies what this one signs."""
        return PublicKey(self.key.public_key())

    @property
    def pem(self) -> bytes:
        """The key as a file holds it (PKCS #8), not encrypted."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, message: bytes) -> bytes:
        """The signature of a message."""
        if isinstance(self.key, ed25519.Ed25519PrivateKey):
            return self.key.sign(message)
        return self.key.sign(message, ec.ECDSA(SHA256()))


def new_key() -> PrivateKey:
    """A new Ed25519 key."""
    return PrivateKey(ed25519.Ed25519PrivateKey.generate())


def private_key(pem: bytes, where: str, password: Callable[[], str]) -> PrivateKey:
    """The private key that a PEM text holds.

    Args:
        pem: the text.
        where: what to blame.
        password: asked where the key is encrypted.

    Raises:
        UserError: it holds none, or one of another algorithm.
    """
    secret = password().encode() if _encrypted(pem) else None
    try:
        key = load_pem_private_key(pem, secret)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        wanted = "give a private key in PEM (PKCS #8), such as `batchproof certify --new-key FILE` makes"
        raise UserError(f"{where} holds no private key that can be read: {wanted}") from error
    if isinstance(key, ed25519.Ed25519PrivateKey) or (
        isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1)
    ):
        return PrivateKey(key)
    raise UserError(f"{where} holds {_kind(key)}: {_ACCEPTED}")


def public_key(pem: bytes) -> PublicKey:
    """The public key that a PEM text holds.

    Raises:
        ValueError: it holds none, or one of another algorithm; the message says which.
    """
    if b"PRIVATE KEY" in pem:
        raise ValueError("a private key: a trust file holds public keys only")
    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ValueError(
            "not a public key in PEM (SubjectPublicKeyInfo): give its text as key, or its file as key_file"
        ) from error
    if isinstance(key, ed25519.Ed25519PublicKey) or (
        isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1)
    ):
        return PublicKey(key)
    raise ValueError(f"{_kind(key)}: {_ACCEPTED}")


def _encrypted(pem: bytes) -> bool:
    return b"BEGIN ENCRYPTED PRIVATE KEY" in pem or b"Proc-Type: 4,ENCRYPTED" in pem


def _kind(key: object) -> str:
    if isinstance(key, (ec.EllipticCurvePublicKey, ec.EllipticCurvePrivateKey)):
        return f"an ECDSA key over {key.curve.name}"
    name = type(key).__name__.removeprefix("_").removesuffix("PublicKey").removesuffix("PrivateKey")
    size = getattr(key, "key_size", None)
    return f"a key of {name} ({size} bits)" if size else f"a key of {name}"
