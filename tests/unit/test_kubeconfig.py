"""Kubeconfigs as users have them: what they let in, and what is said of those that do not."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import stat
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from kubernetes.config import incluster_config
from waiting import HANGS_S

from batchproof.api import credentials, kubeconfig
from batchproof.api.access import Access, KubeconfigOrigin
from batchproof.api.credentials import Credentials, locate, read
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

SERVER = "https://cluster.example:6443"
PEM = b"-----BEGIN CERTIFICATE-----\n"
KEY = b"-----BEGIN PRIVATE KEY-----\n"
EXEC = "client.authentication.k8s.io/v1"
NOW_S = 1_800_000_000.25  # no rounding: such a number has no rest in binary


def config(cluster: dict[str, Any] | None = None, *, user: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": SERVER, **(cluster or {})}}],
        "users": [{"name": "u", "user": {"token": "t"} if user is None else user}],
        "contexts": [
            {"name": "one", "context": {"cluster": "c", "user": "u"}},
            {"name": "no-user", "context": {"cluster": "c", "user": "nobody"}},
        ],
        "current-context": "one",
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ca.crt").write_bytes(PEM)
    (tmp_path / "client.crt").write_bytes(PEM)
    (tmp_path / "client.key").write_bytes(KEY)
    (tmp_path / "token").write_text("from-file\n")
    (tmp_path / "run").mkdir()
    return tmp_path


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "http_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of kubeconfigs sees a clock that stands still, however long that takes."""
    monkeypatch.setattr(kubeconfig, "time", SimpleNamespace(time=lambda: NOW_S))


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def access(folder: Path, content: Any, context: str | None = None) -> Access:
    return read(locate(write(folder / "config", content), context, folder / "run"))


def encoded(text: bytes) -> str:
    return base64.b64encode(text).decode()


def plugin(folder: Path, answer: Any, **more: Any) -> dict[str, Any]:
    """A user whose credentials come from a program that prints what it is to answer."""
    text = answer if isinstance(answer, str) else json.dumps(credential(**answer))
    (folder / "plugin.py").write_text(f"print({text!r})")
    run = {"apiVersion": EXEC, "command": sys.executable, "args": [str(folder / "plugin.py")]}
    return {"exec": {**run, **more}}


def credential(**status: Any) -> dict[str, Any]:
    return {"apiVersion": EXEC, "kind": "ExecCredential", "status": status}


def script(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!{sys.executable}\n{text}")
    (folder / name).chmod(0o700)


# -- what lets in


@pytest.mark.parametrize(
    ("user", "token"),
    [
        ({"token": "t"}, "t"),
        ({"tokenFile": "token"}, "from-file"),
        ({"token": "t", "tokenFile": "token"}, "from-file"),
        ({"token": "t", "exec": {"command": "login"}}, "t"),
        ({"tokenFile": "token", "exec": {"command": "login"}}, "from-file"),
    ],
)
def test_a_token_lets_in(folder: Path, user: dict[str, Any], token: str) -> None:
    it = access(folder, config(user=user))
    assert (it.server, it.token, it.ca_file, it.verify) == (SERVER, token, None, True)


@pytest.mark.usefixtures("clock")
def test_only_files_are_read_again_while_they_are_not_refused(folder: Path) -> None:
    assert access(folder, config()).renew_at is None
    assert access(folder, config(user={"tokenFile": "token"})).renew_at == NOW_S + 60


@pytest.mark.parametrize(
    "user",
    [
        {"client-certificate-data": encoded(PEM), "client-key-data": encoded(KEY)},
        {"client-certificate": "client.crt", "client-key": "client.key"},
    ],
)
def test_certificate_and_key_are_kept_for_the_owner_only(folder: Path, user: dict[str, Any]) -> None:
    it = access(folder, config({"certificate-authority-data": encoded(PEM)}, user=user))
    assert (it.token, it.ca_file and Path(it.ca_file).read_bytes()) == ("", PEM)
    assert it.certificate_file
    path = Path(it.certificate_file)
    assert path.parent == folder / "run"
    assert path.read_bytes() == PEM + b"\n" + KEY
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_new_certificate_has_a_new_name(folder: Path) -> None:
    told = config(user={"client-certificate": "client.crt", "client-key": "client.key"})
    before = access(folder, told)
    assert access(folder, told).secrets == before.secrets
    (folder / "client.crt").write_bytes(PEM * 2)
    assert access(folder, told).secrets != before.secrets


def test_who_verifies_what(folder: Path) -> None:
    assert access(folder, config({"certificate-authority": "ca.crt"})).ca_file == str(folder / "ca.crt")
    assert not access(folder, config({"insecure-skip-tls-verify": True})).verify
    assert access(folder, config({"tls-server-name": "inside"})).server_name == "inside"


def test_another_user_is_named_in_headers(folder: Path) -> None:
    user = {
        "token": "t",
        "as": "ann",
        "as-uid": "7",
        "as-groups": ["dev", "ops"],
        "as-user-extra": {"example.com/why": ["a", "b"]},
    }
    assert access(folder, config(user=user)).impersonation == (
        ("Impersonate-User", "ann"),
        ("Impersonate-Uid", "7"),
        ("Impersonate-Group", "dev"),
        ("Impersonate-Group", "ops"),
        ("Impersonate-Extra-example.com%2Fwhy", "a"),
        ("Impersonate-Extra-example.com%2Fwhy", "b"),
    )


@pytest.mark.parametrize(
    ("server", "named", "environment", "proxy"),
    [
        (SERVER, "http://p:3128", {}, "http://p:3128"),
        (SERVER, "http://p:3128", {"HTTPS_PROXY": "http://other"}, "http://p:3128"),
        (SERVER, "", {"HTTPS_PROXY": "http://other"}, "http://other"),
        (SERVER, "", {"HTTPS_PROXY": "http://other", "NO_PROXY": ".example"}, None),
        ("https://127.0.0.1:6443", "", {"HTTPS_PROXY": "http://other"}, None),
        ("https://localhost:6443", "", {"HTTPS_PROXY": "http://other"}, None),
        (SERVER, "", {}, None),
    ],
)
def test_a_proxy_on_the_way(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    server: str,
    named: str,
    environment: dict[str, str],
    proxy: str | None,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert access(folder, config({"server": server, "proxy-url": named})).proxy_url == proxy


# -- credential plugins


def test_a_plugin_gives_a_token(folder: Path) -> None:
    it = access(folder, config(user=plugin(folder, {"token": "made"})))
    assert (it.token, it.renew_at) == ("made", None)


def test_a_plugin_gives_a_certificate(folder: Path) -> None:
    answer = {"clientCertificateData": PEM.decode(), "clientKeyData": KEY.decode()}
    it = access(folder, config(user=plugin(folder, answer)))
    assert it.certificate_file
    assert Path(it.certificate_file).read_bytes() == PEM + b"\n" + KEY


@pytest.mark.parametrize("ends", ["before", "meanwhile"])
def test_the_folder_of_a_run_that_has_ended_does_not_come_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    monkeypatch.setattr(credentials, "_RENEW_WITHIN_S", HANGS_S)  # what the plugin does is looked at
    login = credential(clientCertificateData=PEM.decode(), clientKeyData=KEY.decode())
    script(
        folder,
        "login",
        f"import pathlib, shutil\nif pathlib.Path({str(folder / 'ends')!r}).exists():\n"
        f"    shutil.rmtree({str(folder / 'run')!r})\nprint({json.dumps(login)!r})\n",
    )
    it = access(folder, config(user={"exec": {"apiVersion": EXEC, "command": "./login"}}))
    if ends == "before":
        shutil.rmtree(folder / "run")
    else:
        (folder / "ends").touch()

    async def renew() -> str:
        credentials = Credentials(it)
        assert not await credentials.refused(it)
        return credentials.trouble

    assert asyncio.run(renew())
    assert not (folder / "run").exists()


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("lasts_s", "asked_again_s"),
    [(3600, 3540), (300, 240), (10, 8), (0, 0), (-10, -10)],
)
def test_a_plugin_is_asked_again_before_its_answer_expires(
    folder: Path, lasts_s: float, asked_again_s: float
) -> None:
    expiry = datetime.fromtimestamp(NOW_S + lasts_s, UTC).isoformat().replace("+00:00", "Z")
    it = access(folder, config(user=plugin(folder, {"token": "t", "expirationTimestamp": expiry})))
    assert it.renew_at == NOW_S + asked_again_s


def test_a_plugin_is_told_what_the_kubeconfig_says(folder: Path) -> None:
    script(
        folder,
        "login",
        "import json, os, sys\n"
        "asked = json.loads(os.environ['KUBERNETES_EXEC_INFO'])\n"
        "token = ' '.join([*sys.argv[1:], os.environ['WHO'], asked['spec']['cluster']['server']])\n"
        "print(json.dumps({**asked, 'status': {'token': token}}))\n",
    )
    user = {
        "exec": {
            "apiVersion": EXEC,
            "command": "./login",
            "args": ["a"],
            "env": [{"name": "WHO", "value": "b"}],
            "provideClusterInfo": True,
        }
    }
    assert access(folder, config(user=user)).token == f"a b {SERVER}"


def _fails(folder: Path) -> dict[str, Any]:
    script(folder, "broken", "import sys\nsys.exit('not logged in: run `cloud login`')\n")
    return {"exec": {"apiVersion": EXEC, "command": "./broken"}}


@pytest.mark.parametrize(
    ("user", "said"),
    [
        (_fails, r"'./broken' \(exec\): process returned 1. not logged in: run `cloud login`"),
        (lambda _: {"exec": {"apiVersion": EXEC, "command": "no-such-login"}}, "cannot be started: No such"),
        (
            lambda _: {"exec": {"apiVersion": EXEC, "command": "no-such-login", "installHint": "get it"}},
            "cannot be started: No such file or directory\nget it",
        ),
        (lambda _: {"exec": None}, "has no credentials"),
        (lambda _: {"exec": {"command": "x"}}, "missing key 'apiVersion'"),
        (lambda folder: plugin(folder, "no JSON"), "failed to decode process output"),
        (lambda folder: plugin(folder, "[]"), "malformed response. missing key"),
        (lambda folder: plugin(folder, "7"), "its answer is no ExecCredential"),
        (lambda folder: plugin(folder, json.dumps({"kind": "Pod"})), "malformed response"),
        (lambda folder: plugin(folder, {}), "neither a token nor a client certificate"),
        (lambda folder: plugin(folder, {"clientKeyData": "k"}), "has no client-certificate"),
        (lambda folder: plugin(folder, {"token": "t", "expirationTimestamp": "soon"}), "'soon'"),
        (lambda folder: plugin(folder, {"token": "t"}, apiVersion="v9"), "does not match v9"),
    ],
)
def test_what_is_wrong_with_a_plugin_is_said(
    folder: Path, user: Callable[[Path], dict[str, Any]], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        access(folder, config(user=user(folder)))


# -- what cannot be used


@pytest.mark.parametrize(
    ("content", "context", "said"),
    [
        ("a: [", None, "cannot be read as a kubeconfig"),
        ("[]", None, "is no kubeconfig"),
        ("text", None, "is no kubeconfig"),
        ("", None, "file is empty"),
        ({**config(), "users": [{}]}, None, r"has no user 'u' \(there is: None\)"),
        ({**config(), "current-context": ""}, None, "has no current-context: name one with --context"),
        (config(), "two", r"has no context 'two' \(there is: one, no-user\)"),
        (config(), "no-user", r"has no user 'nobody' \(there is: u\)"),
        (config({"server": "cluster.example"}), None, "no server that begins with https://"),
        (config(user={}), None, "has no credentials: make a user that has a token"),
        (config(user={"username": "u", "password": "p"}), None, "username of a user is not supported"),
        (config(user={"auth-provider": {"name": "oidc"}}), None, "auth-provider of a user is not supported"),
        (config(user={"token": "t", "as-groups": ["a"]}), None, "but no `as`"),
        (config({"proxy-url": "socks5://p"}), None, "the proxy socks5://p is not supported"),
        (config(user={"tokenFile": "nowhere"}), None, "No such file or directory: '.*/nowhere'"),
        (config(user={"client-certificate": "ca.crt"}), None, "has no client-key"),
        (config(user={"client-key": "ca.crt"}), None, "has no client-certificate"),
        (config(user={"client-certificate": "no.crt", "client-key": "ca.crt"}), None, "not exist: .*/no.crt"),
        (config(user={"client-certificate-data": "abc", "client-key": "ca.crt"}), None, "cannot be used"),
        (config({"certificate-authority": "no.crt"}), None, "File does not exist: .*/no.crt"),
    ],
)
def test_what_cannot_be_used_is_said(folder: Path, content: Any, context: str | None, said: str) -> None:
    with pytest.raises(UserError, match=said):
        access(folder, content, context)


# -- which kubeconfigs


def test_several_files_are_merged_as_kubectl_does(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first that says something counts, also for the current context; files are beside their own."""
    cluster = config({"certificate-authority": "here.crt"})
    user = config(user={"client-certificate": "here.crt", "client-key": "here.crt"})
    for name in ("a", "b"):
        write(folder / name / "here.crt", name)
    write(folder / "a" / "config", {"clusters": cluster["clusters"], "current-context": "second"})
    second = [{"name": "second", "context": {"cluster": "c", "user": "u"}}]
    write(folder / "b" / "config", {**user, "clusters": config()["clusters"], "contexts": second})
    write(folder / "c" / "config", config())
    files = [folder / name / "config" for name in ("a", "nowhere", "b", "c")]
    monkeypatch.setenv("KUBECONFIG", ":".join(map(str, files)))

    it = read(locate(None, None, folder / "run"))

    assert it.ca_file == str(folder / "a" / "here.crt")
    assert it.certificate_file
    assert Path(it.certificate_file).read_text() == "b\nb"
    assert it.origin == KubeconfigOrigin(
        tuple(str(files[i]) for i in (0, 2, 3)), "second", str(folder / "run")
    )
    assert read(locate(None, "one", folder / "run")).secrets == it.secrets


def test_the_given_kubeconfig_counts_more_than_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(folder / "config", config())
    monkeypatch.setenv("KUBECONFIG", "/nowhere")
    assert locate(path, None, folder).files == (str(path),)


def test_the_context_stays_what_it_was_when_the_run_began(folder: Path) -> None:
    it = access(folder, config())
    write(folder / "config", {**config(user={"token": "new"}), "current-context": "no-user"})
    assert it.origin
    assert read(it.origin).token == "new"  # noqa: S105


@pytest.mark.parametrize("pod", [False, True])
def test_a_kubeconfig_that_is_not_there_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, pod: bool
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("KUBECONFIG", "/nowhere:/no")
    if pod:
        monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    with pytest.raises(UserError, match=r"there is no kubeconfig .*none: name one"):
        locate(folder / "none", None, folder)
    with pytest.raises(UserError, match="there is no kubeconfig /nowhere:/no"):
        locate(None, None, folder)


@pytest.mark.usefixtures("clock")
def test_in_a_pod_it_is_its_service_account(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("KUBECONFIG", raising=False)
    with pytest.raises(UserError, match=r"there is no kubeconfig .*/\.kube/config"):
        locate(None, None, folder)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "fd00::1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    monkeypatch.setattr(incluster_config, "SERVICE_TOKEN_FILENAME", str(folder / "token"))
    monkeypatch.setattr(incluster_config, "SERVICE_CERT_FILENAME", str(folder / "ca.crt"))

    it = read(locate(None, None, folder))

    assert (it.server, it.token, it.ca_file) == ("https://[fd00::1]:443", "from-file", str(folder / "ca.crt"))
    assert it.renew_at == NOW_S + 60
    (folder / "token").unlink()
    with pytest.raises(UserError, match="the ServiceAccount of this pod: Service token file does not exist"):
        read(locate(None, None, folder))
