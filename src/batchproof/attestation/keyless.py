"""Signatures by an identity instead of a key: Sigstore, by its own library, an optional extra.

Fulcio certifies for ten minutes that a key is of an identity, and a public log records the signature. So no
key has to be kept, and the time of the signature is known. Source: https://docs.sigstore.dev.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from batchproof.attestation.envelope import PAYLOAD_TYPE
from batchproof.attestation.refusal import CannotDecide, Invalid
from batchproof.attestation.trust import TrustedIdentity
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from sigstore.models import TrustedRoot
    from sigstore.oidc import IdentityToken
    from sigstore.sign import SigningContext

MARK: Final = "mediaType"
"""The field that a bundle of Sigstore has, and an envelope of DSSE has not."""
_EXTRA: Final = "install batchproof[sigstore]"


@dataclass(frozen=True, slots=True)
class Seen:
    """A statement that an identity has signed.

    Attributes:
        identity: whose signature it is.
        body: the statement.
        at: when the identity was certified; the signature is at most ten minutes younger.
    """

    identity: TrustedIdentity
    body: bytes
    at: datetime


def read(line: bytes, identities: Iterable[TrustedIdentity], root: Path | None) -> Seen:
    """The statement in a bundle of Sigstore, and who of these has signed it.

    Args:
        line: the bundle.
        identities: those that the reader trusts; they are compared letter by letter, with their issuer.
        root: the trusted root of a private instance; None: that of the public one, as the library has it.

    Raises:
        Invalid: it is malformed, or none of them has signed it.
        Undecided: the library is not installed, or the trusted root cannot be read.
    """
    try:
        from sigstore.errors import Error  # noqa: PLC0415 - an optional extra
        from sigstore.models import Bundle  # noqa: PLC0415
        from sigstore.verify import Verifier  # noqa: PLC0415
        from sigstore.verify.policy import Identity as Policy  # noqa: PLC0415
    except ImportError as error:
        raise CannotDecide(f"it is signed by Sigstore: {_EXTRA} and verify again") from error
    verifier = Verifier(trusted_root=_root(root)) if root else Verifier.production(offline=True)
    try:
        bundle = Bundle.from_json(line)
    except (Error, ValueError) as error:
        raise Invalid(f"a bundle of Sigstore is malformed: {error}") from error
    why = "no signer of the trust file has signed it"
    if not (identities := tuple(identities)):
        raise Invalid(f"{why}: an identity of Sigstore has, and the trust file names no identity")
    for one in identities:
        try:
            kind, body = verifier.verify_dsse(bundle, Policy(identity=one.identity, issuer=one.issuer))
        except Error as error:
            why = f"{why}: {error}"
            continue
        if kind != PAYLOAD_TYPE:
            raise Invalid(f"an envelope has the payload type {kind!r} instead of {PAYLOAD_TYPE}")
        return Seen(one, body, bundle.signing_certificate.not_valid_before_utc)
    raise Invalid(why)


def context(config: Path | None) -> SigningContext:
    """Where statements are signed and recorded.

    Args:
        config: the client trust configuration of a private instance; None: the public one.

    Raises:
        UserError: the library is not installed, or the configuration cannot be read.
    """
    try:
        from sigstore.models import ClientTrustConfig  # noqa: PLC0415 - an optional extra
        from sigstore.sign import SigningContext  # noqa: PLC0415
    except ImportError as error:
        raise UserError(f"--sigstore: {_EXTRA}") from error
    try:
        found = ClientTrustConfig.from_json(config.read_text()) if config else ClientTrustConfig.production()
    except (OSError, ValueError) as error:
        raise UserError(f"--sigstore-config: {config} cannot be read: {error}") from error
    return SigningContext.from_trust_config(found)


def token(given: str | None) -> IdentityToken:
    """The identity that signs: one that is given, or that of the CI job.

    Raises:
        UserError: there is none.
    """
    from sigstore.oidc import IdentityError, IdentityToken, detect_credential  # noqa: PLC0415 - an optional extra

    try:
        if raw := given or detect_credential():
            return IdentityToken(raw)
    except IdentityError as error:
        raise UserError(f"--sigstore: the identity token cannot be used: {error}") from error
    raise UserError(
        "--sigstore: there is no identity here: run it in a CI job that may request an OIDC token (GitHub: "
        "`permissions: {id-token: write}`), or give --identity-token"
    )


def sign(body: bytes, where: SigningContext, identity: IdentityToken) -> bytes:
    """A statement signed by an identity, as one line.

    Raises:
        UserError: it could not be signed or recorded.
    """
    from sigstore.dsse import Statement  # noqa: PLC0415 - an optional extra
    from sigstore.errors import Error  # noqa: PLC0415

    try:
        with where.signer(identity) as signer:
            return signer.sign_dsse(Statement(body)).to_json().encode()
    except (Error, OSError) as error:
        raise UserError(f"--sigstore: the statement could not be signed: {error}") from error


def _root(path: Path) -> TrustedRoot:
    from sigstore.models import TrustedRoot  # noqa: PLC0415 - an optional extra

    try:
        return TrustedRoot.from_file(str(path))
    except (OSError, ValueError) as error:
        raise CannotDecide(f"the trusted root {path} of Sigstore cannot be read: {error}") from error
