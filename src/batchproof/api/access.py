"""Where an API server is and how to be let in, as data."""

from __future__ import annotations

import json
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Access:
    """An API server and the credentials for it.

    Attributes:
        server: its URL.
        token: a bearer token; empty if the certificate alone lets in.
        ca_file: the certificates to trust it by; None for those of the system.
        certificate_file: the client certificate; None if there is none.
        key_file: the key of the client certificate.
        verify: whether the API server has to prove who it is.
    """

    server: str
    token: str
    ca_file: str | None
    certificate_file: str | None = field(default=None, kw_only=True)
    key_file: str | None = field(default=None, kw_only=True)
    verify: bool = field(default=True, kw_only=True)

    def kubeconfig(self) -> str:
        """A kubeconfig (JSON, which is YAML) that lets a program in."""
        cluster: dict[str, object] = {"server": self.server}
        if not self.verify:
            cluster["insecure-skip-tls-verify"] = True
        elif self.ca_file:
            cluster["certificate-authority"] = self.ca_file
        credentials = {
            "token": self.token,
            "client-certificate": self.certificate_file,
            "client-key": self.key_file,
        }
        user = {name: value for name, value in credentials.items() if value}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "batchproof", "cluster": cluster}],
            "users": [{"name": "batchproof", "user": user}],
            "contexts": [{"name": "batchproof", "context": {"cluster": "batchproof", "user": "batchproof"}}],
            "current-context": "batchproof",
        }
        return json.dumps(config, indent=1) + "\n"
