"""Certificates for servers on this machine: each has an authority of its own, and names 127.0.0.1."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

_HERE = ("127.0.0.1", "localhost")


def write_certificates(folder: Path, *names: str) -> None:
    """Make ca.crt, tls.crt and tls.key in a new folder that no other user reads.

    Args:
        folder: that folder.
        names: under which the server is reached, beside 127.0.0.1 and localhost.
    """
    import trustme  # noqa: PLC0415 - it loads much, and most workers of a run need no certificate

    folder.mkdir(mode=0o700, parents=True)
    authority = trustme.CA()
    certificate = authority.issue_cert(*_HERE, *names)
    authority.cert_pem.write_to_path(str(folder / "ca.crt"))
    for blob in certificate.cert_chain_pems:
        blob.write_to_path(str(folder / "tls.crt"), append=True)
    certificate.private_key_pem.write_to_path(str(folder / "tls.key"))


class Identity:
    """By what the implementation knows the proxy: a certificate that is in no file.

    Attributes:
        authority: the authority that signed it, in PEM, as a kubeconfig names it.
        tls: what a server listens with.
    """

    def __init__(self, authority: bytes, tls: ssl.SSLContext) -> None:
        self.authority = authority
        self.tls = tls

    @classmethod
    def new(cls) -> Self:
        """A new authority with one certificate."""
        import trustme  # noqa: PLC0415 - it loads much, and reports and lint do without it

        authority = trustme.CA()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.minimum_version = ssl.TLSVersion.TLSv1_2
        tls.num_tickets = 0  # client-go resumes no session
        authority.issue_cert(*_HERE).configure_cert(tls)
        return cls(authority.cert_pem.bytes(), tls)
