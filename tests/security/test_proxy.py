"""Attacks on the proxy, made for real: on its port, and with the token of the implementation.

Behind it is a kube-apiserver, which the proxy asks as a user who may do everything. So an attack that reads
is also made without the proxy, where it succeeds: what fails here fails because of the proxy.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import json
import os
import socket
import ssl
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from waiting import HANGS_S

from batchproof.api.access import Access
from batchproof.api.client import Api
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.existing import call
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.progress import unseen
from batchproof.processes.programs import run_directory
from batchproof.proxy.server import LARGEST_BODY
from batchproof.proxy.transport import Endpoint, Proxy
from batchproof.proxy.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.quick

CELL = "bp-0a1b2c-gw0"
OURS, THEIRS = f"{CELL}-1", "theirs"
NOBODY = 65534
SECRET = base64.b64encode(b"the secret of somebody else").decode()
SECRETS = f"/api/v1/namespaces/{THEIRS}/secrets"
TABLE = {"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1"}
WHOLE_TABLE = "includeObject=Object"
FROM_THE_START = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
METADATA = {"Accept": "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"}
ONE_METADATA = {"Accept": "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"}


@pytest.fixture(scope="module")
def plane() -> Iterator[Plane]:
    """A cluster in which somebody else has a Secret called ``theirs-of-old``."""
    binaries = Binaries(None, unseen).control_plane()
    with (
        run_directory() as run,
        EmbeddedControlPlane(run.path, binaries, kubernetes_version="1.37.0") as plane,
    ):

        async def furnish(api: Api) -> None:
            for namespace in (OURS, THEIRS):
                await api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
            for namespace, name in ((OURS, "ours"), (THEIRS, "theirs-of-old")):
                body = {"metadata": {"name": name}, "data": {"key": SECRET if namespace == THEIRS else ""}}
                await api.create(f"/api/v1/namespaces/{namespace}/secrets", body)
            await api.create("/api/v1/nodes", {"metadata": {"name": "their-node"}})

        call(plane, furnish)
        yield plane


class Opened:
    """A proxy in front of a cluster that is not ours, on a loop in a thread of its own."""

    def __init__(self, access: Access) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.proxy = Proxy(access, View(CELL), guarded=True)
        self._do(self.proxy.start())
        self.door: Endpoint = self._do(self.proxy.open_door("it", lambda: 1))
        self.other: Endpoint = self._do(self.proxy.open_door("other", lambda: 1))
        self.tls = ssl.create_default_context(cadata=self.door.authority.decode())

    def _do(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(HANGS_S)

    @property
    def port(self) -> int:
        """The port of the door."""
        return int(self.door.url.rpartition(":")[2])

    @property
    def lets_in(self) -> dict[str, str]:
        """The headers of the implementation."""
        return {"Authorization": f"Bearer {self.door.token}"}

    @property
    def head(self) -> str:
        """The same in the middle of a request."""
        return f"Host: x\r\nAuthorization: Bearer {self.door.token}\r\n"

    def close(self) -> None:
        """Close it."""
        self._do(self.proxy.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(HANGS_S)

    def ask(
        self,
        method: str,
        target: str,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        *,
        until: bytes | None = None,
    ) -> tuple[int, bytes]:
        """What the implementation is answered."""
        lets_in = {**self.lets_in, **(headers or {})}
        return asked(self.port, self.tls, (method, target), lets_in, body, until=until)

    def say(self, message: bytes) -> bytes:
        """All that comes back for some bytes.

        Behind them goes a request that is refused by a status of its own. So the proxy closes the connection
        in any case, and no silence is taken for the end of what it sends.
        """
        farewell = f"PURGE / HTTP/1.1\r\n{self.head}\r\n".encode()
        said = b""
        with (
            socket.create_connection(("127.0.0.1", self.port), timeout=HANGS_S) as plain,
            self.tls.wrap_socket(plain, server_hostname="127.0.0.1") as secure,
        ):
            secure.sendall(message + farewell)
            with contextlib.suppress(ssl.SSLError, ConnectionError):
                while part := secure.recv(65536):
                    said += part
        return said.partition(b"HTTP/1.1 405 ")[0]


def asked(
    port: int,
    tls: ssl.SSLContext,
    request: tuple[str, str],
    headers: dict[str, str],
    body: bytes | None = None,
    *,
    until: bytes | None = None,
) -> tuple[int, bytes]:
    """What is answered at a port of this machine to a request: a method and a target.

    It is read to its end, or until something stands in it.
    """
    method, target = request
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=tls, timeout=HANGS_S)
    try:
        connection.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        reply = connection.getresponse()
        said = b""
        while (until is None or until not in said) and (part := reply.read1()):
            said += part
        return reply.status, said
    finally:
        connection.close()


@pytest.fixture(scope="module")
def opened(plane: Plane) -> Iterator[Opened]:
    """The proxy, whose own user may do everything."""
    opened = Opened(plane)
    yield opened
    opened.close()


def directly(
    plane: Plane, method: str, target: str, headers: dict[str, str], until: bytes | None = None
) -> tuple[int, bytes]:
    """What the API server answers to a client that is accepted."""
    tls = ssl.create_default_context(cafile=plane.ca_file)
    port = int(plane.server.rpartition(":")[2])
    credentials = {"Authorization": f"Bearer {plane.token}"}
    return asked(port, tls, (method, target), {**credentials, **headers}, until=until)


def patiently(target: str) -> str:
    """The same watch, but open for as long as it takes to see what is waited for."""
    return target.replace("timeoutSeconds=1", f"timeoutSeconds={HANGS_S:.0f}")


# -- with the port alone


def as_nobody(attack: Callable[[], Any]) -> Any:
    """What an attack brings that another user of this machine makes, who can read none of our files."""
    if os.getuid() != 0:
        return attack()  # the port is the same for all: only files are not
    heard, says = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os.write(says, json.dumps(attack()).encode())
        except BaseException as error:  # noqa: BLE001 - whatever it is, the parent has to hear of it
            os.write(says, json.dumps(f"error: {error!r}").encode())
        finally:
            os._exit(0)
    os.close(says)
    with os.fdopen(heard) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    brought = json.loads(told)
    assert not str(brought).startswith("error: "), brought
    return brought


def plainly(port: int, message: bytes) -> str:
    """What comes back for bytes without TLS."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), timeout=HANGS_S) as plain:
        plain.sendall(message)
        with contextlib.suppress(ConnectionError):
            while part := plain.recv(65536):
                said += part
    return said.decode("latin-1")


CREDENTIALS: dict[str, dict[str, str]] = {
    "none": {},
    "another token": {"Authorization": "Bearer x"},
    "an empty token": {"Authorization": "Bearer "},
    "as another user": {"Impersonate-User": "system:admin", "Impersonate-Group": "system:masters"},
    "as a front proxy": {"X-Remote-User": "system:admin", "X-Remote-Group": "system:masters"},
    "a name and a password": {"Authorization": "Basic YmF0Y2hwcm9vZjpi"},
}
EVERYWHERE = [
    ("GET", f"{SECRETS}/theirs-of-old"),
    ("GET", "/version"),
    ("GET", "/api/v1/secrets?watch=true&timeoutSeconds=1"),
    ("POST", f"/api/v1/namespaces/{OURS}/pods"),
    ("DELETE", f"/api/v1/namespaces/{OURS}/secrets"),
    ("HEAD", "/healthz"),
]


@pytest.mark.parametrize("credentials", CREDENTIALS.values(), ids=list(CREDENTIALS))
@pytest.mark.parametrize(
    ("method", "target"), EVERYWHERE, ids=[f"{method} {target}" for method, target in EVERYWHERE]
)
def test_another_user_with_the_port_alone_is_not_let_in(
    opened: Opened, method: str, target: str, credentials: dict[str, str]
) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE

    def attack() -> list[Any]:
        status, body = asked(opened.port, trusting, (method, target), credentials)
        return [status, body.decode("latin-1")]

    status, body = as_nobody(attack)
    assert status == 401, body
    assert SECRET not in body


def test_another_user_gets_nothing_without_tls(opened: Opened) -> None:
    request = f"GET {SECRETS}/theirs-of-old HTTP/1.1\r\n{opened.head}\r\n"
    assert "HTTP/1.1 200" not in as_nobody(lambda: plainly(opened.port, request.encode()))


def test_the_token_of_one_door_does_not_open_another(opened: Opened) -> None:
    assert opened.ask("GET", "/version")[0] == 200
    for_other = {"Authorization": f"Bearer {opened.other.token}"}
    assert opened.ask("GET", "/version", for_other)[0] == 401


def test_who_tunnels_or_upgrades_needs_the_token_too(opened: Opened) -> None:
    for request in (
        b"CONNECT 127.0.0.1:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        f"GET /api/v1/namespaces/{OURS}/pods/a/exec?command=id HTTP/1.1\r\nHost: x\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n".encode(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ):
        said = opened.say(request)
        assert said.startswith((b"HTTP/1.1 401 ", b"HTTP/1.1 400 ")), said
        assert said.count(b"HTTP/1.1 ") == 1


def test_a_body_is_not_read_for_who_has_no_token(opened: Opened) -> None:
    said = opened.say(b"POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n{")
    assert said.startswith(b"HTTP/1.1 401 ")


# -- with the token of the implementation


READS = {
    "get": (f"{SECRETS}/theirs-of-old", {}),
    "get as Table": (f"{SECRETS}/theirs-of-old?{WHOLE_TABLE}", TABLE),
    "get as metadata": (f"{SECRETS}/theirs-of-old", ONE_METADATA),
    "get as YAML": (f"{SECRETS}/theirs-of-old", {"Accept": "application/yaml"}),
    "list": (SECRETS, {}),
    "list everywhere": ("/api/v1/secrets", {}),
    "list as Table": (f"{SECRETS}?{WHOLE_TABLE}", TABLE),
    "list everywhere as Table": (f"/api/v1/secrets?{WHOLE_TABLE}", TABLE),
    "list as Table without objects": ("/api/v1/secrets?includeObject=None", TABLE),
    "list as metadata": ("/api/v1/secrets", METADATA),
    "list as YAML": ("/api/v1/secrets", {"Accept": "application/yaml"}),
    "list as protobuf": ("/api/v1/secrets", {"Accept": "application/vnd.kubernetes.protobuf"}),
    "list as Protobuf": ("/api/v1/secrets", {"Accept": "Application/Vnd.Kubernetes.Protobuf"}),
    "list as CBOR": ("/api/v1/secrets", {"Accept": "application/cbor"}),
    "list as if discovery": (
        "/api/v1/secrets",
        {"Accept": "application/vnd.kubernetes.protobuf,application/json;g=apidiscovery.k8s.io"},
    ),
    "list in pages": ("/api/v1/secrets?limit=1", {}),
    "list by name": ("/api/v1/secrets?fieldSelector=metadata.name%3Dtheirs-of-old", {}),
    "watch": ("/api/v1/secrets?watch=true&timeoutSeconds=1", {}),
    "watch in the namespace": (f"{SECRETS}?watch=1&timeoutSeconds=1", {}),
    "watch from the start": (
        f"/api/v1/secrets?watch=true&timeoutSeconds=1&{FROM_THE_START}",
        {},
    ),
    "watch as Table": (f"/api/v1/secrets?watch=true&timeoutSeconds=1&{WHOLE_TABLE}", TABLE),
    "watch as metadata": ("/api/v1/secrets?watch=true&timeoutSeconds=1", ONE_METADATA),
    "watch by the old path": ("/api/v1/watch/secrets?timeoutSeconds=1", {}),
    "watch by an empty word": ("/api/v1/secrets?watch=&timeoutSeconds=1", {}),
    "watch by a bare word": ("/api/v1/secrets?watch&timeoutSeconds=1", {}),
    "another way": (f"/api/v1/namespaces/{OURS}/../{THEIRS}/secrets/theirs-of-old", {}),
    "escaped": ("/api/v1/namespaces/%74heirs/secrets/theirs-of-old", {}),
    "escaped slashes": (f"/api/v1/namespaces%2F{THEIRS}%2Fsecrets%2Ftheirs-of-old", {}),
    "two slashes": (f"/api/v1//namespaces/{THEIRS}/secrets/theirs-of-old", {}),
    "absolute": (f"https://127.0.0.1{SECRETS}/theirs-of-old", {}),
    "the node's kubelet": ("/api/v1/nodes/their-node/proxy/pods", {}),
    "the node": ("/api/v1/nodes/their-node", {}),
    "its status": ("/api/v1/nodes/their-node/status", {}),
    "metrics": ("/metrics", {}),
    "flags of the API server": ("/flagz", {}),
    "the namespace": (f"/api/v1/namespaces/{THEIRS}", {}),
}
REAL = {
    *("get", "get as Table", "get as YAML", "list", "list everywhere", "list as Table", "list as YAML"),
    *("list everywhere as Table", "list by name", "watch", "watch as Table", "escaped"),
    *("watch in the namespace", "watch by the old path", "watch by an empty word", "watch by a bare word"),
    *("escaped slashes", "absolute"),
}
"""Those that reveal the Secret to a user who may read it, so that their failure means something."""


@pytest.mark.parametrize("name", READS)
def test_nothing_of_others_is_read(plane: Plane, opened: Opened, name: str) -> None:
    target, headers = READS[name]
    if name in REAL:
        status, body = directly(plane, "GET", patiently(target), headers, until=SECRET.encode())
        assert SECRET.encode() in body, (status, body)
    status, body = opened.ask("GET", target, headers)
    for revealing in (SECRET, "theirs-of-old", "their-node", '"name":"theirs"', "apiserver_"):
        about = body.replace(target.encode(), b"").replace(f'"{target.rpartition("/")[2]}'.encode(), b"")
        assert revealing.encode() not in about or status >= 400, (status, body)
    assert SECRET.encode() not in body
    assert base64.b64decode(SECRET) not in body
    if b'"continue"' in body:  # it would name the object at which the next page begins
        assert "continue" not in json.loads(body)["metadata"]


def test_what_is_ours_is_read_in_each_of_these_forms(opened: Opened) -> None:
    ours = f"/api/v1/namespaces/{OURS}/secrets"
    for target, headers in (
        (f"{ours}/ours", {}),
        (ours, {}),
        ("/api/v1/secrets", {}),
        ("/api/v1/secrets", TABLE),
        ("/api/v1/secrets", METADATA),
        ("/api/v1/secrets?watch=true&timeoutSeconds=1", {}),
        ("/api/v1/secrets?watch=true&timeoutSeconds=1", TABLE),
        (f"{ours}?limit=1", {}),
    ):
        shown = b'"name":"ours"'
        status, body = opened.ask("GET", patiently(target), headers, until=shown)
        assert (status, shown in body) == (200, True), (target, headers, body)


WRITES = [
    ("POST", f"{SECRETS}"),
    ("PUT", f"{SECRETS}/theirs-of-old"),
    ("PATCH", f"{SECRETS}/theirs-of-old"),
    ("DELETE", f"{SECRETS}/theirs-of-old"),
    ("DELETE", SECRETS),
    ("POST", "/api/v1/namespaces"),
    ("PATCH", f"/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/{CELL}-1-admin"),
    ("PUT", f"/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/{CELL}-1-hook"),
    ("PATCH", f"/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/{CELL}-1-rule"),
    ("PATCH", f"/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/{CELL}-1-rule"),
    ("PATCH", f"/apis/certificates.k8s.io/v1/certificatesigningrequests/{CELL}-1-me"),
    ("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"),
    ("POST", f"/api/v1/namespaces/{THEIRS}/serviceaccounts/default/token"),
    ("POST", f"/api/v1/namespaces/{OURS}/pods/a/exec?command=id"),
    ("POST", f"/api/v1/namespaces/{OURS}/pods/a/attach"),
    ("POST", f"/api/v1/namespaces/{OURS}/services/a/proxy/"),
    ("POST", "/api/v1/nodes/their-node/proxy/run/a/b/c"),
    ("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews"),
    ("POST", "/apis/authentication.k8s.io/v1/tokenreviews"),
    ("POST", "/apis/metrics.k8s.io/v1beta1/nodes"),
    ("POST", "/"),
    ("POST", "/logs/"),
]


@pytest.mark.parametrize(
    ("method", "target"), WRITES, ids=[f"{method} {target}" for method, target in WRITES]
)
def test_nothing_of_others_is_written(plane: Plane, opened: Opened, method: str, target: str) -> None:
    headers = {"Content-Type": "application/merge-patch+json" if method == "PATCH" else "application/json"}
    body = json.dumps({"metadata": {"name": "intruder"}, "spec": {}}).encode()
    status, said = opened.ask(method, target, headers, body)
    assert status == 403, said
    assert b"batchproof does not allow" in said
    secret = call(plane, lambda api: api.get(f"{SECRETS}/theirs-of-old"))
    assert secret["data"] == {"key": SECRET}
    assert "intruder" not in directly(plane, "GET", SECRETS, {})[1].decode()


# -- the client


FORGED: dict[str, dict[str, str]] = {
    "impersonation": {"Impersonate-User": "system:admin", "Impersonate-Group": "system:masters"},
    "in another case": {"IMPERSONATE-USER": "system:admin", "impersonate-group": "system:masters"},
    "of an account": {"Impersonate-User": "system:serviceaccount:kube-system:default"},
    "more": {"Impersonate-Uid": "1", "Impersonate-Extra-Scopes": "all"},
    "a front proxy": {"X-Remote-User": "system:admin", "X-Remote-Group": "system:masters"},
    "a second token": {"Proxy-Authorization": "Bearer x", "Cookie": "token=x"},
}
REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


@pytest.mark.parametrize("forged", FORGED.values(), ids=list(FORGED))
@pytest.mark.parametrize("judge", ["", "judge"], ids=["as the user", "as another by 'as:'"])
def test_the_api_server_never_takes_the_implementation_for_somebody_else(
    plane: Plane, judge: str, forged: dict[str, str]
) -> None:
    opened = Opened(replace(plane, impersonation=(("Impersonate-User", judge),) if judge else ()))
    try:
        body = json.dumps({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}).encode()
        status, said = opened.ask("POST", REVIEW, {"Content-Type": "application/json", **forged}, body)
        assert status == 201, said
        who = json.loads(said)["status"]["userInfo"]
        assert who["username"] == (judge or "batchproof")
        assert ("system:masters" in who["groups"]) == (not judge)
        assert not any("Scopes".lower() in name for name in who.get("extra", {}))
    finally:
        opened.close()


# -- one request that could be two


def test_a_second_request_is_not_smuggled_into_the_body_of_the_first(opened: Opened) -> None:
    inner = f"GET {SECRETS}/theirs-of-old HTTP/1.1\r\nHost: x\r\n\r\n"
    head = f"POST /api/v1/namespaces/{OURS}/configmaps HTTP/1.1\r\n{opened.head}"
    for framing in (
        f"Content-Length: 0\r\nContent-Length: {len(inner)}\r\n",
        f"Content-Length: {len(inner)}\r\nTransfer-Encoding: chunked\r\n",
        f"Transfer-Encoding: chunked\r\nContent-Length: {len(inner)}\r\n",
        f"Transfer-Encoding : chunked\r\nContent-Length: {len(inner)}\r\n",
        f"Transfer-Encoding: xchunked\r\nContent-Length: {len(inner)}\r\n",
        "Transfer-Encoding:\x0bchunked\r\nContent-Length: 4\r\n",
        f"Content-Length: +{len(inner)}\r\n",
        "Content-Length: 0x10\r\n",
    ):
        said = opened.say(
            (head + framing + "\r\n" + ("0\r\n\r\n" if "chunked" in framing else "") + inner).encode()
        )
        assert SECRET.encode() not in said, framing
        assert b"HTTP/1.1 200" not in said, framing


def test_nothing_behind_a_refusal_is_answered(opened: Opened) -> None:
    mine = f"GET /version HTTP/1.1\r\n{opened.head}\r\n"
    said = opened.say(f"{mine}GET /version HTTP/1.1\r\nHost: x\r\n\r\n{mine}{mine}".encode())
    assert [said.count(status) for status in (b"HTTP/1.1 200", b"HTTP/1.1 401", b"HTTP/1.1 ")] == [1, 1, 2]


def test_a_header_does_not_end_before_its_end(opened: Opened) -> None:
    for header in (
        "User-Agent: a\nImpersonate-User: system:admin",
        "User-Agent: a\rImpersonate-User: system:admin",
    ):
        said = opened.say(f"GET /version HTTP/1.1\r\n{opened.head}{header}\r\n\r\n".encode())
        assert said.startswith((b"HTTP/1.1 400", b"HTTP/1.1 200")), said
        assert said.count(b"HTTP/1.1 ") == 1


def test_a_large_body_is_refused_and_the_next_request_is_answered(opened: Opened) -> None:
    # A little too large: a client that is refused long before it has sent all may not read why.
    large = json.dumps({"metadata": {"name": "a"}, "data": {"key": "x" * LARGEST_BODY}}).encode()
    target, headers = f"/api/v1/namespaces/{OURS}/configmaps", {"Content-Type": "application/json"}
    status, said = opened.ask("POST", target, headers, large)
    assert (status, json.loads(said)["reason"]) == (413, "RequestEntityTooLarge")
    assert "no request body of more than" in json.loads(said)["message"]
    assert opened.ask("GET", "/version")[0] == 200
