"""A user's kubeconfigs, read: which API server a context means, and how it lets us in.

The ``kubernetes`` package reads them, starts credential plugins and knows what a pod has; where it does not
do as kubectl does, that is made good here and said. Its import takes 0.6 s: import this only when needed.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import os
import tempfile
import time
import urllib.request
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

import yaml
from kubernetes.client import Configuration
from kubernetes.config import ConfigException, load_incluster_config
from kubernetes.config.exec_provider import ExecProvider
from kubernetes.config.kube_config import ConfigNode, KubeConfigLoader, KubeConfigMerger

from batchproof.api.access import Access, KubeconfigOrigin
from batchproof.ground.errors import UserError

_FILES_LAST_S: Final = 60.0  # kubectl reads them again after this time too
_LEEWAY_S: Final = 60.0
_LEEWAY: Final = 0.2  # of the time that is left, where that is less
_REFUSED: Final = ("auth-provider", "username")
_FILES: Final = ("tokenFile", "client-certificate", "client-key")
_WHAT_TO_DO: Final = (
    "make a user that has a token: `batchproof rbac | kubectl apply -f -`, then put what "
    "`kubectl create token batchproof --namespace batchproof` prints into users[].user.token"
)


def read(origin: KubeconfigOrigin) -> Access:
    """The access that a context gives now. Blocks, for as long as a credential plugin takes.

    Raises:
        UserError: something cannot be read or is missing; the message says what to do.
    """
    try:
        return _of_context(origin) if origin.files else _of_pod(origin)
    except ConfigException as error:
        raise UserError(f"{origin}: {error}") from error
    except (OSError, ValueError) as error:  # a file that it names, or what is no base64
        raise UserError(f"{origin}: cannot be used: {error}") from error


def _of_pod(origin: KubeconfigOrigin) -> Access:
    """The access of the pod that this runs in."""
    configuration = Configuration()
    load_incluster_config(configuration)
    return Access(
        server=configuration.host,
        token=_token(configuration),
        ca_file=configuration.ssl_ca_cert,
        proxy_url=_proxy(origin, configuration.host, None),
        renew_at=time.time() + _FILES_LAST_S,
        origin=origin,
    )


def _of_context(origin: KubeconfigOrigin) -> Access:
    """The access of the context of kubeconfigs."""
    config, current = _merged(origin)
    name = origin.context or current
    if not name:
        raise UserError(f"{origin}: has no current-context: name one with --context")
    context = _named(origin, config, "contexts", name, "--context names one that is there").value
    why = f"the context {name} wants it"
    cluster = _named(origin, config, "clusters", context.get("cluster"), why)
    none = ConfigNode("", {}, "")
    user = _named(origin, config, "users", context["user"], why) if context.get("user") else none
    server = str(cluster.value.get("server"))
    if not server.startswith(("https://", "http://")):
        raise UserError(f"{origin}: the cluster {context['cluster']} has no server that begins with https://")
    renew_at = _prepare(origin, user, cluster)
    if not Path(origin.keep_in).is_dir():  # the package would make it again, after the run
        raise UserError(f"{origin}: the run ended while its credentials were got")
    configuration = Configuration()
    KubeConfigLoader(
        config, active_context=name, config_base_path=None, temp_file_path=origin.keep_in
    ).load_and_set(configuration)
    token = _token(configuration)
    certificate, key = configuration.cert_file, configuration.key_file
    if not (certificate and key) and (certificate or key):
        missing = "client-key" if certificate else "client-certificate"
        raise UserError(f"{origin}: the user {user.name} has no {missing}: certificate and key go together")
    if not token and not certificate:
        raise UserError(f"{origin}: the user {user.name!r} has no credentials: {_WHAT_TO_DO}")
    return Access(
        server=server.rstrip("/"),
        token=token,
        ca_file=configuration.ssl_ca_cert,
        certificate_file=_bundle(origin, certificate, key) if certificate and key else None,
        verify=configuration.verify_ssl,
        server_name=configuration.tls_server_name or None,
        proxy_url=_proxy(origin, server, cluster.value.get("proxy-url")),
        impersonation=_impersonation(origin, user),
        renew_at=renew_at,
        origin=KubeconfigOrigin(origin.files, name, origin.keep_in),
    )


# -- what stands in the files


def _merged(origin: KubeconfigOrigin) -> tuple[ConfigNode, str]:
    """All files as one, and the first current context that one of them names; the package takes the last.

    Source: Kubernetes documentation, "Organizing Cluster Access Using kubeconfig Files".
    """
    merger = KubeConfigMerger("")
    for path in origin.files:
        try:
            merger.load_config(path)
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise UserError(f"{path} cannot be read as a kubeconfig: {error}") from error
        except (AttributeError, KeyError, TypeError) as error:
            raise UserError(f"{path} is no kubeconfig: it has not the form of one") from error
    currents = (config.get("current-context") for config in merger.config_files.values())
    return merger.config, next((str(each) for each in currents if each), "")


def _named(origin: KubeconfigOrigin, config: ConfigNode, section: str, name: Any, why: str) -> ConfigNode:
    """What the entry of that name in a section says; it knows the file that it stands in."""
    field = section.removesuffix("s")
    entries = {entry.value.get("name"): entry for entry in config.value[section]}
    value = entries[name].value.get(field) if name in entries else None
    if not isinstance(value, dict):
        known = ", ".join(map(str, entries)) or "none"
        raise UserError(f"{origin}: has no {field} {name!r} (there is: {known}); {why}")
    return ConfigNode(name, value, entries[name].path)


def _prepare(origin: KubeconfigOrigin, user: ConfigNode, cluster: ConfigNode) -> float | None:
    """Make a user ready for the package; returns when to read it again.

    A plugin's answer takes the place of ``exec``: the package keeps what went wrong with it to itself. Files
    are looked for beside the kubeconfig of the user, not beside that of the cluster. A token file counts more
    than a token.
    """
    fields: dict[str, Any] = user.value
    if refused := [field for field in _REFUSED if fields.get(field)]:
        raise UserError(
            f"{origin}: {', '.join(refused)} of a user is not supported by batchproof; use a credential "
            f"plugin (exec), or {_WHAT_TO_DO}"
        )
    again = None
    for field in _FILES:
        if fields.get(field):
            fields[field] = str(Path(user.path).absolute().parent / fields[field])
            again = time.time() + _FILES_LAST_S
    if fields.get("tokenFile"):
        fields.pop("token", None)
    plugin = fields.pop("exec", None)
    if plugin is None or fields.get("tokenFile") or fields.get("token"):
        return again
    answer = _ask(origin, plugin, user, cluster)
    fields.update({name: value for name, value in _credentials(answer).items() if value})
    return _before(answer.get("expirationTimestamp"))


def _impersonation(origin: KubeconfigOrigin, user: ConfigNode) -> tuple[tuple[str, str], ...]:
    """The headers that name the user in whose name requests are made.

    Source: Kubernetes documentation, "User impersonation".
    """
    name, uid = user.value.get("as"), user.value.get("as-uid")
    groups, extra = user.value.get("as-groups") or [], user.value.get("as-user-extra") or {}
    if not name and (uid or groups or extra):
        raise UserError(
            f"{origin}: user {user.name} has as-uid, as-groups or as-user-extra, but no `as`: add it"
        )
    headers = [("Impersonate-User", name), ("Impersonate-Uid", uid)]
    headers += [("Impersonate-Group", group) for group in groups]
    for key, values in extra.items():
        headers += [(f"Impersonate-Extra-{quote(key, safe='')}", value) for value in values]
    return tuple((header, str(value)) for header, value in headers if value)


# -- credential plugins


def _ask(origin: KubeconfigOrigin, plugin: Any, user: ConfigNode, cluster: ConfigNode) -> dict[str, Any]:
    """What a credential plugin answers.

    Source: client.authentication.k8s.io/v1, ExecCredential.
    """
    command = str((plugin or {}).get("command", ""))
    folder = Path(user.path).absolute().parent
    if os.sep in command:  # kubectl looks for it beside the kubeconfig
        plugin = {**plugin, "command": str(folder / command)}
    says = f"{origin}: the user {user.name} gets credentials from {command!r} (exec)"
    try:
        answer = ExecProvider(ConfigNode("exec", plugin or {}, user.path), None, cluster).run()
    except ConfigException as error:
        raise UserError(f"{says}: {str(error).removeprefix('exec: ')}") from error
    except OSError as error:
        hint = f"\n{plugin['installHint']}" if plugin.get("installHint") else ""
        raise UserError(f"{says}, which cannot be started: {error.strerror}{hint}") from error
    except (AttributeError, TypeError) as error:
        raise UserError(f"{says}: its answer is no ExecCredential") from error
    if not isinstance(answer, dict) or not any(_credentials(answer).values()):
        raise UserError(f"{says}: its answer has neither a token nor a client certificate")
    return answer


def _credentials(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer of a plugin in the words of a kubeconfig."""

    def encoded(field: str) -> str:
        return base64.b64encode(str(answer.get(field) or "").encode()).decode()

    return {
        "token": answer.get("token"),
        "client-certificate-data": encoded("clientCertificateData"),
        "client-key-data": encoded("clientKeyData"),
    }


def _before(expiry: str | None) -> float | None:
    """When to ask a plugin again: before its answer expires; None if it does not say when."""
    if not expiry:
        return None
    expires_at = datetime.fromisoformat(expiry).timestamp()
    return expires_at - min(_LEEWAY_S, _LEEWAY * max(0.0, expires_at - time.time()))


# -- what the package has made of it


def _token(configuration: Configuration) -> str:
    """The bearer token; "" if there is none."""
    kind, _, token = str(configuration.api_key.get("BearerToken", "")).strip().partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _bundle(origin: KubeconfigOrigin, certificate: str, key: str) -> str:
    """One private file with certificate and key, named by what it holds, so that a new one has a new name."""
    text = Path(certificate).read_bytes() + b"\n" + Path(key).read_bytes()
    path = Path(origin.keep_in) / f"client-{hashlib.sha256(text).hexdigest()[:16]}.pem"
    if not path.exists():
        handle, unfinished = tempfile.mkstemp(dir=origin.keep_in)
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        Path(unfinished).rename(path)
    return str(path)


def _proxy(origin: KubeconfigOrigin, server: str, named: str | None) -> str | None:
    """The proxy on the way to the API server: that of the cluster, else that of the environment.

    As for kubectl, the environment's is not for the machine itself, nor for what NO_PROXY names.
    """
    to = urlsplit(server)
    host = to.hostname or ""
    if not named and (_is_here(host) or urllib.request.proxy_bypass(host)):
        return None
    environment = urllib.request.getproxies()
    url = named or environment.get(to.scheme) or environment.get("all")
    if url and urlsplit(url).scheme != "http":
        raise UserError(f"{origin}: the proxy {url} is not supported by batchproof: only http:// proxies are")
    return url


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
