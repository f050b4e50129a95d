"""An instance of Sigstore of our own: authority, certificate log and signature log, in this process.

Signatures, certificates, timestamps and proofs are real; only the two servers are objects. The library of
Sigstore verifies against it as it does against the public instance. Sources: RFC 6962 (certificate
timestamps, Merkle trees), the OIDs of Fulcio, and the formats of Rekor's entries and checkpoints.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import jwt
import orjson
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from sigstore._internal.rekor.client import RekorClient
from sigstore.models import TransparencyLogEntry, TrustedRoot
from sigstore.oidc import IdentityToken
from sigstore.sign import SigningContext

if TYPE_CHECKING:
    from pathlib import Path

ISSUER: Final = "https://issuer.example.com"
_ISSUER: Final = x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.1")
_ISSUER_V2: Final = x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.8")
_TIMESTAMPS: Final = x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
_LONG: Final = timedelta(days=400)
_URL: Final = "https://log.example.com"


def new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def der(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def signed(key: ec.EllipticCurvePrivateKey, data: bytes) -> bytes:
    return key.sign(data, ec.ECDSA(hashes.SHA256()))


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


@dataclass
class LocalSigstore:
    """The instance.

    Attributes:
        now: the moment in which it certifies and records.
    """

    now: datetime
    authority: ec.EllipticCurvePrivateKey = field(default_factory=new_key)
    certificates: ec.EllipticCurvePrivateKey = field(default_factory=new_key)
    log: ec.EllipticCurvePrivateKey = field(default_factory=new_key)

    def __post_init__(self) -> None:
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "local authority")])
        identifier = x509.SubjectKeyIdentifier.from_public_key(self.authority.public_key())
        usage = _usage(certifies=True)
        self.root = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self.authority.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.now - _LONG)
            .not_valid_after(self.now + _LONG)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(identifier, critical=False)
            .sign(self.authority, hashes.SHA256())
        )

    def trusted_root(self, folder: Path) -> Path:
        """The file that a reader has of it."""
        since = {"start": (self.now - _LONG).strftime("%Y-%m-%dT%H:%M:%SZ")}
        said = {
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "tlogs": [_log(self.log, since)],
            "certificateAuthorities": [
                {
                    "subject": {"organization": "local", "commonName": "local authority"},
                    "uri": "https://authority.example.com",
                    "certChain": {"certificates": [{"rawBytes": b64(self.root.public_bytes(Encoding.DER))}]},
                    "validFor": since,
                }
            ],
            "ctlogs": [_log(self.certificates, since)],
        }
        path = folder / "trusted_root.json"
        path.write_bytes(orjson.dumps(said))
        return path

    def context(self, folder: Path) -> SigningContext:
        """Where the library signs."""
        fulcio: Any = SimpleNamespace(signing_cert=SimpleNamespace(post=self.certify))
        rekor: Any = _Log(self)
        trusted = TrustedRoot.from_file(str(self.trusted_root(folder)))
        return SigningContext(fulcio=fulcio, rekor=rekor, trusted_root=trusted)

    def certify(self, request: x509.CertificateSigningRequest, token: IdentityToken) -> Any:
        """A certificate of ten minutes for the key of a request, with a timestamp of the certificate log."""
        key = request.public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        claims = jwt.decode(token._raw_token, options={"verify_signature": False})
        issuer = claims["iss"].encode()
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.authority.public_key())
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([]))
            .issuer_name(self.root.subject)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.now)
            .not_valid_after(self.now + timedelta(minutes=10))
            .add_extension(_usage(certifies=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
            .add_extension(authority, critical=False)
            .add_extension(
                x509.SubjectAlternativeName([x509.UniformResourceIdentifier(claims["sub"])]), critical=True
            )
            .add_extension(x509.UnrecognizedExtension(_ISSUER, issuer), critical=False)
            .add_extension(
                x509.UnrecognizedExtension(_ISSUER_V2, b"\x0c" + bytes([len(issuer)]) + issuer),
                critical=False,
            )
        )
        without = builder.sign(self.authority, hashes.SHA256())
        value = self._timestamp(without.tbs_certificate_bytes)
        cert = builder.add_extension(x509.UnrecognizedExtension(_TIMESTAMPS, value), critical=False).sign(
            self.authority, hashes.SHA256()
        )
        parsed = x509.load_der_x509_certificate(cert.public_bytes(Encoding.DER))
        return SimpleNamespace(cert=parsed, chain=[self.root])

    def _timestamp(self, precertificate: bytes) -> bytes:
        """A list with one signed certificate timestamp (RFC 6962, 3.2 and 3.3)."""
        when = struct.pack("!Q", int(self.now.timestamp() * 1000))
        issuer = hashlib.sha256(der(self.authority)).digest()
        entry = issuer + len(precertificate).to_bytes(3, "big") + precertificate
        signature = signed(self.certificates, b"\0\0" + when + b"\0\1" + entry + b"\0\0")
        log = hashlib.sha256(der(self.certificates)).digest()
        one = b"\0" + log + when + b"\0\0" + b"\4\3" + len(signature).to_bytes(2, "big") + signature
        listed = (len(one) + 2).to_bytes(2, "big") + len(one).to_bytes(2, "big") + one
        assert len(listed) < 256
        head = bytes([len(listed)]) if len(listed) < 128 else b"\x81" + bytes([len(listed)])
        return b"\4" + head + listed

    def record(self, proposed: dict[str, Any]) -> TransparencyLogEntry:
        """The entry of a log that has no other: with proof, checkpoint and promise."""
        asked = proposed["spec"]["proposedContent"]
        envelope = orjson.loads(asked["envelope"])
        payload = base64.b64decode(envelope["payload"])
        spec = {
            "envelopeHash": {
                "algorithm": "sha256",
                "value": hashlib.sha256(asked["envelope"].encode()).hexdigest(),
            },
            "payloadHash": {"algorithm": "sha256", "value": hashlib.sha256(payload).hexdigest()},
            "signatures": [
                {"signature": one["sig"], "verifier": asked["verifiers"][0]} for one in envelope["signatures"]
            ],
        }
        body = orjson.dumps(
            {"apiVersion": "0.0.1", "kind": "dsse", "spec": spec}, option=orjson.OPT_SORT_KEYS
        )
        log = hashlib.sha256(der(self.log)).digest()
        root = hashlib.sha256(b"\0" + body).digest()
        note = f"log.example.com - 1\n1\n{b64(root)}\n"
        mark = b64(log[:4] + signed(self.log, note.encode()))
        at = int(self.now.timestamp()) + 1
        promised = {"body": b64(body), "integratedTime": at, "logID": log.hex(), "logIndex": 0}
        promise = signed(self.log, orjson.dumps(promised, option=orjson.OPT_SORT_KEYS))
        return TransparencyLogEntry._from_v1_response(
            {
                "entry": {
                    **promised,
                    "verification": {
                        "signedEntryTimestamp": b64(promise),
                        "inclusionProof": {
                            "logIndex": 0,
                            "rootHash": root.hex(),
                            "treeSize": 1,
                            "hashes": [],
                            "checkpoint": f"{note}\n\u2014 log.example.com {mark}\n",
                        },
                    },
                }
            }
        )


class _Log(RekorClient):
    """The client of the signature log, which asks the instance instead of a server."""

    def __init__(self, instance: LocalSigstore) -> None:
        super().__init__(_URL)
        self._instance = instance

    def create_entry(self, request: Any) -> TransparencyLogEntry:
        return self._instance.record(request)


def _usage(*, certifies: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certifies,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=certifies,
        crl_sign=certifies,
        encipher_only=False,
        decipher_only=False,
    )


def _log(key: ec.EllipticCurvePrivateKey, since: dict[str, str]) -> dict[str, Any]:
    public = der(key)
    return {
        "baseUrl": _URL,
        "hashAlgorithm": "SHA2_256",
        "publicKey": {
            "rawBytes": b64(public),
            "keyDetails": "PKIX_ECDSA_P256_SHA_256",
            "validFor": since,
        },
        "logId": {"keyId": b64(hashlib.sha256(public).digest())},
    }


def token(identity: str, issuer: str = ISSUER) -> IdentityToken:
    """The token of a CI job."""
    now = datetime.now(UTC)
    claims = {
        "sub": identity,
        "iss": issuer,
        "aud": "sigstore",
        "iat": now,
        "exp": now + timedelta(minutes=10),
    }
    return IdentityToken(jwt.encode(claims, "a secret that nobody checks here, 32 bytes", algorithm="HS256"))
