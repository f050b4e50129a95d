"""Where the API server is and as which user to call it, from a kubeconfig file."""

from __future__ import annotations

import base64
import ssl
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from pathlib import Path

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class KubeconfigError(Exception):
    """The kubeconfig cannot be used; the text says what to change in it."""


@dataclass(frozen=True, slots=True)
class Server:
    """An API server's base URL, how to trust it, and the headers that identify us."""

    url: str
    headers: dict[str, str]
    tls: ssl.SSLContext | None


def load(path: Path) -> Server:
    """Read the current context.

    Raises:
        KubeconfigError: the file is missing, is no kubeconfig, or names what it does not define.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 - a safe loader
        context = _named(document, "contexts", document["current-context"])["context"]
        cluster = _named(document, "clusters", context["cluster"])["cluster"]
        user = _named(document, "users", context["user"])["user"] if context.get("user") else {}
        url = str(cluster["server"]).rstrip("/")
    except OSError as error:
        raise KubeconfigError(f"cannot read kubeconfig {path}: {error.strerror}") from error
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise KubeconfigError(f"{path} is not a usable kubeconfig: {error!r}") from error
    token = _token(user or {}, path)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    tls = _tls(cluster, user or {}, path) if url.startswith("https://") else None
    return Server(url, headers, tls)


def _named(document: Any, section: str, name: str) -> Any:
    for entry in document[section] or ():
        if entry["name"] == name:
            return entry
    raise KeyError(f"{section}: {name}")


def _token(user: Any, path: Path) -> str | None:
    if user.get("tokenFile"):
        return (path.parent / str(user["tokenFile"])).read_text(encoding="utf-8").strip()
    return str(user["token"]) if user.get("token") else None


def _tls(cluster: Any, user: Any, path: Path) -> ssl.SSLContext:
    authority = _text(cluster, "certificate-authority", path)
    context = ssl.create_default_context(cadata=authority)
    if cluster.get("insecure-skip-tls-verify"):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    certificate, key = _text(user, "client-certificate", path), _text(user, "client-key", path)
    if certificate and key:
        with tempfile.NamedTemporaryFile("w", suffix=".pem") as both:
            both.write(certificate + "\n" + key)
            both.flush()
            context.load_cert_chain(both.name)
    return context


def _text(section: Any, key: str, path: Path) -> str | None:
    if section.get(f"{key}-data"):
        return base64.b64decode(section[f"{key}-data"]).decode()
    if section.get(key):
        return (path.parent / str(section[key])).read_text(encoding="utf-8")
    return None
