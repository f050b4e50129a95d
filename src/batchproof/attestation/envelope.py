"""DSSE envelopes: a payload, its type, and signatures over both.

Source: https://github.com/secure-systems-lab/dsse (protocol 1.0.0, envelope 1.0.0). What is signed is the
pre-authentication encoding (PAE) of type and payload, so that a payload cannot be read as another type.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Final

import msgspec

from batchproof.attestation.keys import PrivateKey, PublicKey
from batchproof.attestation.refusal import Changed, Invalid
from batchproof.attestation.strict_json import NotJson, load
from batchproof.ground.stored import encode, explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
_MOST_SIGNATURES: Final = 10


class Signature(msgspec.Struct, frozen=True):
    """A signature in an envelope; ``keyid`` is a hint, not signed, and never believed here."""

    sig: str
    keyid: str = ""


class Envelope(msgspec.Struct, frozen=True, rename="camel"):
    """An envelope as JSON has it: payload and signatures are in base64."""

    payload: str
    payload_type: str
    signatures: tuple[Signature, ...]

    @property
    def body(self) -> bytes:
        """The payload.

        Raises:
            Invalid: it is not base64.
        """
        return _decoded(self.payload, "the payload of an envelope")


def pae(payload_type: str, body: bytes) -> bytes:
    """What is signed."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(body), body)


def sign(body: bytes, *keys: PrivateKey) -> Envelope:
    """An envelope of a statement, signed by each of the keys."""
    message = pae(PAYLOAD_TYPE, body)
    return Envelope(
        payload=base64.b64encode(body).decode(),
        payload_type=PAYLOAD_TYPE,
        signatures=tuple(
            Signature(base64.b64encode(key.sign(message)).decode(), key.public.keyid) for key in keys
        ),
    )


def signers(envelope: Envelope, keys: Iterable[PublicKey]) -> tuple[PublicKey, ...]:
    """Those of the keys that have signed an envelope, whatever key ids it names.

    Raises:
        Invalid: it is of another type, it has no signature, or too many.
    """
    if envelope.payload_type != PAYLOAD_TYPE:
        raise Invalid(f"an envelope has the payload type {envelope.payload_type!r} instead of {PAYLOAD_TYPE}")
    if not envelope.signatures:
        raise Invalid("an envelope has no signature")
    if len(envelope.signatures) > _MOST_SIGNATURES:
        raise Invalid(f"an envelope has more than {_MOST_SIGNATURES} signatures")
    message = pae(envelope.payload_type, envelope.body)
    given = [_decoded(one.sig, "a signature") for one in envelope.signatures]
    return tuple(key for key in keys if any(key.verifies(one, message) for one in given))


def read(line: bytes) -> Envelope:
    """The envelope that a line of a bundle holds.

    Raises:
        Invalid: it holds none.
    """
    try:
        return msgspec.convert(load(line), Envelope)
    except NotJson as error:
        raise Changed(f"an envelope is {error}") from error
    except msgspec.ValidationError as error:
        raise Changed(f"an envelope of DSSE is malformed: {explain(error)}") from error


def lines(envelopes: Sequence[Envelope]) -> bytes:
    """Envelopes as a file of in-toto holds them: one a line."""
    return b"".join(encode(one) + b"\n" for one in envelopes)


def _decoded(text: str, what: str) -> bytes:
    """Base64, standard or for URLs: DSSE allows both."""
    try:
        return base64.b64decode(text.translate(str.maketrans("-_", "+/")), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Changed(f"{what} is not base64") from error
