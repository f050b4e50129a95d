"""Kubeconfigs as users have them: what they let in, and what is said of those that do not."""

from __future__ import annotations

import base64
import json
import stat
from typing import TYPE_CHECKING, Any

import pytest

from batchproof.control_plane import kubeconfig
from batchproof.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

SERVER = "https://cluster.example:6443"
PEM = b"-----BEGIN CERTIFICATE-----\n"
ENCODED = base64.b64encode(PEM).decode()


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
    (tmp_path / "token").write_text("from-file\n")
    (tmp_path / "run").mkdir()
    return tmp_path


def write(folder: Path, content: Any) -> Path:
    path = folder / "config"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("user", "token"),
    [
        ({"token": "t"}, "t"),
        ({"tokenFile": "token"}, "from-file"),
        ({"token": "t", "tokenFile": "token"}, "from-file"),
    ],
)
def test_a_token_lets_in(folder: Path, user: dict[str, Any], token: str) -> None:
    access = kubeconfig.read(write(folder, config(user=user)), None, folder / "run")
    assert (access.server, access.token, access.ca_file, access.verify) == (SERVER, token, None, True)


def test_a_program_beside_a_token_is_not_needed(folder: Path) -> None:
    user: dict[str, Any] = {"token": "t", "exec": {"command": "login"}}
    assert kubeconfig.read(write(folder, config(user=user)), "one", folder / "run").token


def test_certificates_in_the_kubeconfig_are_kept_for_the_owner_only(folder: Path) -> None:
    user = {"client-certificate-data": ENCODED, "client-key-data": ENCODED}
    told = config({"certificate-authority-data": ENCODED}, user=user)
    access = kubeconfig.read(write(folder, told), None, folder / "run")
    assert access.token == ""
    for name in (access.certificate_file, access.key_file, access.ca_file):
        assert name
        path = folder / "run" / name.rpartition("/")[2]
        assert path.read_bytes() == PEM
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_files_are_looked_for_beside_the_kubeconfig(folder: Path) -> None:
    told = config({"certificate-authority": "ca.crt"})
    assert kubeconfig.read(write(folder, told), None, folder / "run").ca_file == str(folder / "ca.crt")


def test_a_server_that_need_not_be_verified(folder: Path) -> None:
    access = kubeconfig.read(write(folder, config({"insecure-skip-tls-verify": True})), None, folder)
    assert not access.verify
    assert '"insecure-skip-tls-verify": true' in access.kubeconfig()


@pytest.mark.parametrize(
    ("content", "context", "said"),
    [
        ("a: [", None, "cannot be read as a kubeconfig"),
        ("[]", None, "is no kubeconfig"),
        ({**config(), "current-context": ""}, None, "has no current-context: name one with --context"),
        (config(), "two", r"has no context 'two' \(there is: one, no-user\)"),
        (config(), "no-user", r"has no user 'nobody' \(there is: u\)"),
        (config({"server": "cluster.example"}), None, "no server that begins with https://"),
        (config(user={}), None, "has no credentials: make a user that has a token"),
        (config(user={"exec": {"command": "login"}}), None, r"'login' \(exec\).*kubectl create token"),
        (config(user={"token": "t", "as": "root"}), None, "as of a user is not supported"),
        (config({"proxy-url": "http://p"}), None, "proxy-url of a cluster is not supported"),
        (config(user={"tokenFile": "nowhere"}), None, "the tokenFile .* cannot be read"),
        (config(user={"client-certificate": "ca.crt"}), None, "has no client-key"),
        (config(user={"client-certificate-data": "%"}), None, "client-certificate-data is not base64"),
        (config({"certificate-authority": "no.crt"}), None, "certificate-authority: there is no file"),
    ],
)
def test_what_cannot_be_used_is_said(folder: Path, content: Any, context: str | None, said: str) -> None:
    with pytest.raises(UserError, match=said):
        kubeconfig.read(write(folder, content), context, folder / "run")


def test_the_environment_may_name_one_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(folder, config())
    monkeypatch.setenv("KUBECONFIG", f"{path}:")
    assert kubeconfig.find(None) == path
    monkeypatch.setenv("KUBECONFIG", f"{path}:{path}")
    with pytest.raises(UserError, match="names several files"):
        kubeconfig.find(None)
    assert kubeconfig.find(path) == path


def test_a_kubeconfig_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(UserError, match="there is no kubeconfig"):
        kubeconfig.find(folder / "none")
