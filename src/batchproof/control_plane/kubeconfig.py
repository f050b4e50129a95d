"""A user's kubeconfig: which API server a context means, and how it lets us in.

What kubectl reads (Kubernetes documentation, "Organizing Cluster Access Using kubeconfig Files"), but for
programs that make credentials: those are refused with what to do instead.
"""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path
from typing import Any, Final

import yaml

from batchproof.api.access import Access
from batchproof.errors import UserError

VARIABLE: Final = "KUBECONFIG"
_DEFAULT: Final = "~/.kube/config"
_UNSUPPORTED: Final = {
    "cluster": ("proxy-url", "tls-server-name"),
    "user": ("as", "as-uid", "as-groups", "as-user-extra", "username", "auth-provider"),
}
_WHAT_TO_DO: Final = (
    "make a user that has a token: `batchproof rbac | kubectl apply -f -`, then put what "
    "`kubectl create token batchproof --namespace batchproof` prints into users[].user.token"
)


def find(given: Path | None) -> Path:
    """The kubeconfig that is meant: the given one, else that of the environment, else the user's.

    Raises:
        UserError: there is none, or the environment names several.
    """
    if given is None and os.pathsep in (named := os.environ.get(VARIABLE, "").strip(os.pathsep)):
        raise UserError(f"{VARIABLE} names several files ({named}): say which with --kubeconfig FILE")
    path = given or Path(os.environ.get(VARIABLE, "").strip(os.pathsep) or _DEFAULT).expanduser()
    if not path.is_file():
        raise UserError(f"there is no kubeconfig {path}: name one with --kubeconfig FILE")
    return path


def read(path: Path, context: str | None, keep_in: Path) -> Access:
    """The access that a context of a kubeconfig gives.

    Args:
        path: the kubeconfig.
        context: the name of the context; None for its current one.
        keep_in: a private folder, for certificates and keys that stand in the kubeconfig itself.

    Raises:
        UserError: it cannot be read or lacks something; the message says what to do.
    """
    told = _Kubeconfig(path)
    name = context or told.value.get("current-context")
    if not name:
        raise UserError(f"{path}: has no current-context: name one with --context")
    of = told.named("contexts", name, "context", "--context names one that is there")
    cluster = told.named("clusters", of.get("cluster"), "cluster", f"the context {name} wants it")
    user = (
        told.named("users", of.get("user"), "user", f"the context {name} wants it") if of.get("user") else {}
    )
    told.refuse("cluster", cluster)
    told.refuse("user", user)
    if "exec" in user and not ({"token", "tokenFile"} & user.keys()):
        program = (user["exec"] or {}).get("command", "a program")
        raise UserError(
            f"{path}: the user {of['user']} gets its credentials from {program!r} (exec), which "
            f"batchproof does not start: {_WHAT_TO_DO}"
        )
    server = str(cluster.get("server", ""))
    if not server.startswith(("https://", "http://")):
        raise UserError(f"{path}: the cluster {of['cluster']} has no server that begins with https://")
    certificate = told.file(user, "client-certificate", keep_in)
    key = told.file(user, "client-key", keep_in)
    if bool(certificate) != bool(key):
        missing = "client-key" if certificate else "client-certificate"
        raise UserError(f"{path}: the user {of['user']} has no {missing}: certificate and key go together")
    token = told.token(user)
    if not token and not certificate:
        raise UserError(f"{path}: the user {of.get('user')!r} has no credentials: {_WHAT_TO_DO}")
    return Access(
        server=server.rstrip("/"),
        token=token,
        ca_file=told.file(cluster, "certificate-authority", keep_in),
        certificate_file=certificate,
        key_file=key,
        verify=not cluster.get("insecure-skip-tls-verify", False),
    )


class _Kubeconfig:
    """One file, with errors that name it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            value: Any = yaml.safe_load(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise UserError(f"{path} cannot be read as a kubeconfig: {error}") from error
        if not isinstance(value, dict) or value.get("kind", "Config") != "Config":
            raise UserError(f"{path} is no kubeconfig: it is not of the kind Config")
        self.value: dict[str, Any] = value

    def named(self, section: str, name: Any, field: str, why: str) -> dict[str, Any]:
        """The entry of that name in a section."""
        entries = self.value.get(section) or []
        found = {one.get("name"): one.get(field) for one in entries if isinstance(one, dict)}
        entry = found.get(name)
        if not isinstance(entry, dict):
            known = ", ".join(str(one) for one in found) or "none"
            raise UserError(f"{self._path}: has no {field} {name!r} (there is: {known}); {why}")
        return entry

    def refuse(self, kind: str, entry: dict[str, Any]) -> None:
        """Say what is not supported, rather than leave it out."""
        if found := [name for name in _UNSUPPORTED[kind] if entry.get(name)]:
            raise UserError(
                f"{self._path}: {', '.join(found)} of a {kind} is not supported by batchproof; "
                "use a context without it"
            )

    def token(self, user: dict[str, Any]) -> str:
        """The bearer token of a user; a file counts more than what stands in the kubeconfig."""
        if not (named := user.get("tokenFile")):
            return str(user.get("token") or "")
        path = self._path.parent / Path(named)
        try:
            return path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{self._path}: the tokenFile {path} cannot be read: {error}") from error

    def file(self, entry: dict[str, Any], name: str, keep_in: Path) -> str | None:
        """The file that an entry names, or one made of what it carries itself; relative to the kubeconfig."""
        if data := entry.get(f"{name}-data"):
            path = keep_in / f"{name}.pem"
            path.touch(mode=0o600)
            try:
                path.write_bytes(base64.b64decode(data, validate=True))
            except (binascii.Error, ValueError) as error:
                raise UserError(f"{self._path}: {name}-data is not base64: {error}") from error
            return str(path)
        if not entry.get(name):
            return None
        path = (self._path.parent / Path(entry[name])).absolute()
        if not path.is_file():
            raise UserError(f"{self._path}: {name}: there is no file {path}")
        return str(path)
