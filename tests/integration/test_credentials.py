"""Credentials that expire every few seconds, on an API server that refuses them from then on."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

import plugin
import pytest
import trustme
from clusters import Cluster
from kubernetes.config import incluster_config
from waiting import HANGS_S, eventually

from batchproof.api.access import Access
from batchproof.api.client import Api, ApiError
from batchproof.api.credentials import locate, read
from batchproof.api.upstream import Upstream
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import CONTROLLERS, EmbeddedControlPlane
from batchproof.control_plane.existing import call
from batchproof.control_plane.progress import unseen
from batchproof.ground.errors import HarnessError
from batchproof.processes.programs import run_directory
from batchproof.profiles.job import built_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from runs import Start

WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
REVIEW = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
JSON = [(b"Content-Type", b"application/json"), (b"Accept", b"application/json")]
LIFE_S = 6.0
MANY = "BAS-013 or BAS-014 or FIN-001 or FIN-004 or BAS-046"
LONG = "FIN or BAS or EXP"


class Vendor:
    """A server that issues and checks credentials, as a cloud does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "secret").write_text("only the vendor knows")
        authority = trustme.CA()
        authority.cert_pem.write_to_path(str(folder / "ca.crt"))
        authority.private_key_pem.write_to_path(str(folder / "ca.key"))
        self.refused = 0
        self.void: set[str] = set()
        vendor = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status = vendor.judge(review["spec"]["token"])
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps({**review, "status": status}).encode())

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def judge(self, token: str) -> dict[str, Any]:
        """The status of a TokenReview."""
        moment, _, signature = token.rpartition(".")
        forged = signature != plugin.signature(self.folder, moment)
        if forged or token in self.void or float(moment) < time.time():
            self.refused += 1
            return {"authenticated": False, "error": "expired or forged"}
        return {"authenticated": True, "user": {"username": plugin.USER}}

    @property
    def flags(self) -> list[str]:
        """What kube-apiserver has to know."""
        config = self.folder / "webhook.kubeconfig"
        server = {"server": f"http://127.0.0.1:{self._server.server_port}"}
        config.write_text(_kubeconfig(server, {}))
        return [
            f"--authentication-token-webhook-config-file={config}",
            "--authentication-token-webhook-version=v1",
            "--authentication-token-webhook-cache-ttl=0s",
            f"--client-ca-file={self.folder / 'ca.crt'}",
        ]

    def user(self, kind: str, *more: str) -> dict[str, Any]:
        """A user of a kubeconfig whose credentials come from the plugin."""
        (self.folder / "calls").unlink(missing_ok=True)
        args = [plugin.__file__, kind, str(self.folder), str(LIFE_S), *more]
        return {
            "exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": sys.executable, "args": args}
        }

    @property
    def calls(self) -> list[float]:
        """When the plugin was called."""
        return [float(line.split()[0]) for line in (self.folder / "calls").read_text().splitlines()]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _kubeconfig(cluster: dict[str, Any], user: dict[str, Any]) -> str:
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": cluster}],
            "users": [{"name": "u", "user": user}],
            "contexts": [{"name": "judge", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "judge",
        }
    )


@pytest.fixture(scope="module")
def vendor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vendor]:
    vendor = Vendor(tmp_path_factory.mktemp("vendor"))
    yield vendor
    vendor.close()


@pytest.fixture(scope="module")
def cluster(vendor: Vendor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    binaries = Binaries(None, unseen).control_plane(built_in.CONTROLLERS)
    with (
        run_directory() as run,
        EmbeddedControlPlane(
            run.path, binaries, kubernetes_version="1.37.0", api_server_flags=vendor.flags
        ) as plane,
    ):
        yield Cluster(plane, tmp_path_factory.mktemp("cluster"), binaries[CONTROLLERS])


def told(cluster: Cluster, user: dict[str, Any], **more: Any) -> str:
    """A kubeconfig for the cluster."""
    return _kubeconfig(
        {"server": cluster.plane.server, "certificate-authority": cluster.plane.ca_file, **more}, user
    )


@pytest.fixture
def keep_in(tmp_path: Path) -> Path:
    (tmp_path / "keep").mkdir()
    return tmp_path / "keep"


def write(tmp_path: Path, text: str) -> Path:
    (tmp_path / "config").write_text(text)
    return tmp_path / "config"


def reached(tmp_path: Path, text: str) -> Access:
    (tmp_path / "keep").mkdir(exist_ok=True)
    return read(locate(write(tmp_path, text), None, tmp_path / "keep"))


async def who(api: Api) -> Any:
    """The user that the API server takes us for."""
    return (await api.create(WHO, REVIEW))["status"]["userInfo"]


def refused(access: Access) -> bool:
    """The API server does not let us in."""
    try:
        call(access, who)
    except ApiError as error:
        return error.status == 401
    return False


def known_as(access: Access) -> Any:
    """The users that the API server takes us for: the harness, and the proxy for the implementation."""

    async def ask() -> Any:
        upstream = Upstream(access)
        exchange = await upstream.ask("POST", WHO, JSON, json.dumps(REVIEW).encode())
        upstream.close()
        assert exchange.status == 201, exchange.body
        return json.loads(exchange.body)["status"]["userInfo"]

    us = call(access, who)
    assert asyncio.run(ask()) == us
    return us


# -- whole runs


@pytest.mark.parametrize(
    "user", [("token",), ("token", "silent"), ("certificate",), ("certificate", "silent")], ids="-".join
)
def test_a_run_lasts_longer_than_its_credentials(
    cluster: Cluster, vendor: Vendor, start: Start, tmp_path: Path, user: tuple[str, ...]
) -> None:
    config = write(tmp_path, told(cluster, vendor.user(*user)))
    began = time.time()
    run = start("run", "-k", MANY, "-n", "3", "--cluster", "existing", env={"KUBECONFIG": str(config)})
    assert run.end() == 0, run.said
    ended = time.time()
    assert set(run.verdicts().values()) <= {"passed", "skipped"}
    calls = [moment for moment in vendor.calls if moment >= began]
    assert len(calls) > 2, "the credentials expired several times"
    lasts_s = LIFE_S * 0.8 if "silent" not in user else LIFE_S
    assert len(calls) <= (ended - began) / lasts_s + 2, "no client renewed credentials before they expired"
    cluster.nothing_is_left()
    run.nothing_is_left()


def test_the_janitor_gets_credentials_of_its_own(
    cluster: Cluster, vendor: Vendor, start: Start, tmp_path: Path
) -> None:
    config = write(tmp_path, told(cluster, vendor.user("certificate")))
    run = start("run", "-k", LONG, "-n", "2", "--cluster", "existing", env={"KUBECONFIG": str(config)})
    run.wait_for_scenario()
    os.kill(run.process.pid, signal.SIGKILL)
    run.end()
    eventually("nothing is left in the cluster", lambda: not cluster.made())
    run.nothing_is_left()


def test_a_session_that_ends_is_no_fault_of_the_implementation(
    cluster: Cluster, vendor: Vendor, start: Start, tmp_path: Path
) -> None:
    config = write(tmp_path, told(cluster, vendor.user("certificate")))
    run = start("run", "-k", MANY, "-n", "2", "--cluster", "existing", env={"KUBECONFIG": str(config)})
    run.wait_for_scenario()
    ended = vendor.folder / "ended"
    ended.touch()
    try:
        assert run.end() in {1, 3}, run.said
    finally:
        ended.unlink()
    assert "errored" in run.verdicts().values()
    assert set(run.verdicts().values()) <= {"passed", "errored", "skipped"}
    errors = [one["error"] for one in run.scenarios if one["error"]]
    assert any("your session has ended: log in again" in error for error in errors), errors
    start("cleanup", "--kubeconfig", str(config)).end()


# -- credentials, one by one


@pytest.mark.parametrize("kind", ["token", "certificate"])
def test_what_has_expired_is_refused(cluster: Cluster, vendor: Vendor, tmp_path: Path, kind: str) -> None:
    """The proof that the other tests prove something: no client renews what has no origin."""

    def let_in() -> Access | None:
        """New credentials with which we were let in: they may have expired before they could be tried."""
        access = reached(tmp_path, told(cluster, vendor.user(kind)))
        lasting = replace(access, origin=None, renew_at=None)
        return None if refused(lasting) else lasting

    lasting = eventually("a client with new credentials is accepted", let_in)
    assert lasting
    eventually("they are refused", lambda: refused(lasting))


def test_many_requests_ask_the_plugin_once(cluster: Cluster, vendor: Vendor, tmp_path: Path) -> None:
    access = reached(tmp_path, told(cluster, vendor.user("certificate", "silent")))

    async def storm() -> None:
        upstream = Upstream(access)
        first = replace(access, origin=None, renew_at=None)

        async def forwarded() -> None:
            assert (await upstream.ask("GET", "/api/v1/pods", [], b"")).status == 200

        async with Api(access) as one, Api(access) as other:

            async def asked_at_once() -> None:
                await asyncio.gather(
                    *(who(api) for api in (one, other) * 30), *(forwarded() for _ in range(30))
                )

            await asked_at_once()
            await asyncio.to_thread(eventually, "the certificate has expired", lambda: refused(first))
            await asked_at_once()
        upstream.close()

    asyncio.run(storm())
    assert len(vendor.calls) == 2


def test_a_token_file_is_read_again(cluster: Cluster, vendor: Vendor, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(plugin.token(vendor.folder, time.time() + HANGS_S))
    access = reached(tmp_path, told(cluster, {"tokenFile": "token"}))

    async def renewed(api: Api) -> Any:
        await who(api)
        vendor.void.add(access.token)  # kube-apiserver remembers for a while that it was confirmed
        lasting = replace(access, origin=None, renew_at=None)
        await asyncio.to_thread(eventually, "it is refused", lambda: refused(lasting))
        file.write_text(plugin.token(vendor.folder, time.time() + 2 * HANGS_S))
        return await who(api)

    before = vendor.refused
    assert call(access, renewed)["username"] == plugin.USER
    assert vendor.refused > before


def test_what_cannot_be_renewed_is_said(cluster: Cluster, vendor: Vendor, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(plugin.token(vendor.folder, time.time() + HANGS_S))
    access = reached(tmp_path, told(cluster, {"tokenFile": "token"}))
    (vendor.folder / "secret").write_text("another")
    file.unlink()
    try:
        with pytest.raises(ApiError, match=r"401.*could not be renewed: .*No such file"):
            call(access, who)
    finally:
        (vendor.folder / "secret").write_text("only the vendor knows")


def test_another_user_is_impersonated(cluster: Cluster, tmp_path: Path) -> None:
    user = {"token": cluster.plane.token, "as": "ann", "as-groups": ["dev", "ops"], "as-uid": "7"}
    extra = {"example.com/why": ["a", "b"]}
    told_us = known_as(reached(tmp_path, told(cluster, {**user, "as-user-extra": extra})))
    assert told_us["username"] == "ann"
    assert told_us["uid"] == "7"
    assert {"dev", "ops"} <= set(told_us["groups"])
    assert told_us["extra"] == extra


def test_the_name_of_the_server_may_be_another(cluster: Cluster, tmp_path: Path) -> None:
    user = {"token": cluster.plane.token}
    assert known_as(reached(tmp_path, told(cluster, user, **{"tls-server-name": "kubernetes.default.svc"})))
    wrong = reached(tmp_path, told(cluster, user, **{"tls-server-name": "elsewhere.example"}))
    with pytest.raises(HarnessError, match=r"elsewhere\.example"):
        call(wrong, who)


class ConnectProxy(BaseHTTPRequestHandler):
    """An HTTP proxy that knows CONNECT, and keeps in mind where it has led."""

    led: ClassVar[list[str]] = []

    def do_CONNECT(self) -> None:
        self.led.append(self.path)
        host, _, port = self.path.rpartition(":")
        with socket.create_connection((host, int(port))) as server:
            self.send_response(200)
            self.end_headers()
            ends = {self.connection: server, server: self.connection}
            while True:
                for one in select.select(list(ends), [], [])[0]:
                    if not (data := one.recv(65536)):
                        return
                    ends[one].sendall(data)

    def log_message(self, *_: Any) -> None:
        pass


def test_a_proxy_leads_to_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), ConnectProxy) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{proxy.server_port}"
        user = {"token": cluster.plane.token}
        access = reached(tmp_path, told(cluster, user, **{"proxy-url": url}))
        assert known_as(access)["username"] == "batchproof"
        proxy.shutdown()
    assert ConnectProxy.led == [cluster.plane.server.removeprefix("https://")] * 2
    with pytest.raises(HarnessError, match=f"the proxy 127.0.0.1:{proxy.server_port} cannot be reached"):
        call(access, who)


def test_a_pod_is_let_in_by_its_service_account(
    cluster: Cluster, vendor: Vendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _, port = cluster.plane.server.removeprefix("https://").rpartition(":")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", host)
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", port)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("KUBECONFIG", raising=False)
    (tmp_path / "token").write_text(plugin.token(vendor.folder, time.time() + HANGS_S))
    monkeypatch.setattr(incluster_config, "SERVICE_TOKEN_FILENAME", str(tmp_path / "token"))
    monkeypatch.setattr(incluster_config, "SERVICE_CERT_FILENAME", str(cluster.plane.ca_file))
    assert call(read(locate(None, None, tmp_path)), who)["username"] == plugin.USER
