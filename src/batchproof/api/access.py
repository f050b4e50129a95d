"""Where an API server is and how to be let in, as data."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class KubeconfigOrigin:
    """Where credentials come from, so that every process of a run can get new ones.

    Attributes:
        files: the kubeconfigs; what stands in an earlier one counts. None: the ServiceAccount of the pod that
            this runs in.
        context: the name of the context in them.
        keep_in: a private folder that all processes of the run share.
    """

    files: tuple[str, ...]
    context: str
    keep_in: str

    def __str__(self) -> str:
        """In words, for messages."""
        return ":".join(self.files) or "the ServiceAccount of this pod"


@dataclass(frozen=True)
class Access:
    """An API server and the credentials for it.

    Attributes:
        server: its URL.
        token: a bearer token; empty if the certificate alone lets in.
        ca_file: the certificates to trust it by; None for those of the system.
        certificate_file: the client certificate and its key; None if there is none.
        verify: whether the API server has to prove who it is.
        server_name: the name that it has to prove; None for that in its URL.
        proxy_url: the HTTP proxy on the way to it; None if there is none.
        impersonation: the headers that name another user, group by group.
        renew_at: when to get new credentials, in seconds since the epoch; None: when these are refused.
        origin: where to get them; None: these last as long as the API server.
    """

    server: str
    token: str
    ca_file: str | None
    certificate_file: str | None = field(default=None, kw_only=True)
    verify: bool = field(default=True, kw_only=True)
    server_name: str | None = field(default=None, kw_only=True)
    proxy_url: str | None = field(default=None, kw_only=True)
    impersonation: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    renew_at: float | None = field(default=None, kw_only=True)
    origin: KubeconfigOrigin | None = field(default=None, kw_only=True)

    @property
    def due(self) -> bool:
        """It is time to get new credentials."""
        return self.renew_at is not None and time.time() >= self.renew_at

    @property
    def secrets(self) -> tuple[str, str | None]:
        """What lets in: two accesses with the same are let in or refused alike."""
        return self.token, self.certificate_file

    def kubeconfig(self) -> str:
        """A kubeconfig (JSON, which is YAML) that lets a program in by the token."""
        cluster: dict[str, object] = {"server": self.server}
        if self.ca_file:
            cluster["certificate-authority"] = self.ca_file
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "batchproof", "cluster": cluster}],
            "users": [{"name": "batchproof", "user": {"token": self.token}}],
            "contexts": [{"name": "batchproof", "context": {"cluster": "batchproof", "user": "batchproof"}}],
            "current-context": "batchproof",
        }
        return json.dumps(config, indent=1) + "\n"
