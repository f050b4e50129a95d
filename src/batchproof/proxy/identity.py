"""By what the implementation knows the proxy: a certificate for 127.0.0.1, of an authority of its own."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class Identity:
    """The certificate of a proxy.

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
        authority.issue_cert("127.0.0.1", "localhost").configure_cert(tls)
        return cls(authority.cert_pem.bytes(), tls)
