"""Certificates for API servers and webhooks on this machine: one authority, one certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_certificates(folder: Path, *names: str) -> None:
    """Make ca.crt, tls.crt and tls.key in a new folder that no other user reads.

    Args:
        folder: that folder.
        names: under which the server is reached, beside 127.0.0.1 and localhost.
    """
    import trustme  # noqa: PLC0415 - it loads much, and most workers of a run need no certificate

    folder.mkdir(mode=0o700, parents=True)
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1", "localhost", *names)
    authority.cert_pem.write_to_path(str(folder / "ca.crt"))
    for blob in certificate.cert_chain_pems:
        blob.write_to_path(str(folder / "tls.crt"), append=True)
    certificate.private_key_pem.write_to_path(str(folder / "tls.key"))
