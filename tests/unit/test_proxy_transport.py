"""What the proxy makes of requests and replies; the way itself is tested against a real API server."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from batchproof.api.client import parse
from batchproof.cell.redaction import redacted
from batchproof.ground.resources import JOBS, NODES, PODS, Resource
from batchproof.judgement.faults import Armed, Call, Crash, Fault, On, answer, conflict
from batchproof.profiles.shared.objects.volcano import QUEUES
from batchproof.proxy import targets, transport
from batchproof.proxy.server import HttpRequest
from batchproof.proxy.transport import GONE, Proxy

CALL = Call("update", JOBS, "status", "bp-1-gw0-1", "a")
NOBODY: Any = None
SECRETS = Resource("", "v1", "secrets")
JOB_IN_JSON = {"kind": "Job", "spec": {"suspend": True}}
ALIASES_OF_ALIASES = b"a0: &a0 [1]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * 10)) for n in range(1, 9)
)
"""It is short, and stands for some 100 million values."""


def request(method: str, target: str, **headers: str) -> HttpRequest:
    told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return HttpRequest(method, target, told, b"", NOBODY)


# -- requests


@pytest.mark.parametrize(
    ("method", "target", "call"),
    [
        ("GET", "/version", None),
        ("GET", "/api/v1/pods?watch=true&limit=1", Call("watch", PODS)),
        ("GET", "/api/v1/pods?watch=0&watch=1", Call("list", PODS)),
        ("GET", "/api/v1/pods?watch=False", Call("list", PODS)),
        ("GET", "/api/v1/namespaces/n/pods/a%3Ab", Call("get", PODS, "", "n", "a:b")),
        ("PUT", "/apis/batch/v1/namespaces/n/jobs/a/status?x=", Call("update", JOBS, "status", "n", "a")),
    ],
)
def test_a_target_tells_what_is_asked_for(method: str, target: str, call: Call | None) -> None:
    path, query = targets.read(target)
    assert parse(method, path, query) == call


UNREADABLE = [
    "/api/v1/namespaces/n/../../pods",
    "/api/v1/./pods",
    "/api//v1/pods",
    "//api/v1/pods",
    "/api/v1/pods//",
    "/api/v1/namespaces/n%2Fpods",
    "/api/v1/%2e%2e/pods",
    "/api/v1/namespaces/n/pods/a%00",
    "/api/v1/namespaces/n/pods/a%2561",
    "/api/v1/p%6fds",
    "/api/v1/pods%3Fwatch=1",
    "/api/v1/pods%",
    "/api/v1/pods%4",
    "/api/v1/pods%+1",
    "/api/v1/n\\pods",
    "/api/v1/namespaces/n%5Cpods",
    "/api/v1/watch/secrets",
    "/apis/batch/v1/watch/namespaces/n/jobs",
    "/api/v1/proxy/nodes/a",
    "http://elsewhere/api/v1/pods",
    "https://127.0.0.1/api/v1/pods",
    "127.0.0.1:443",
    "*",
    "",
    "/api/v1/p\xf6ds",
    "/api/v1/pods#a",
    "/api/v1/pods?watch",
    "/api/v1/pods?watch=",
    "/api/v1/pods?watch=&watch=1",
    "/api/v1/pods?a=1;watch=1",
    "/api/v1/pods?watch=%",
    "/api/v1/pods?watch=%zz1",
]


@pytest.mark.parametrize("target", UNREADABLE)
def test_a_target_that_could_be_read_in_two_ways_is_refused(target: str) -> None:
    with pytest.raises(targets.TargetError) as refused:
        targets.read(target)
    assert refused.value.status in {400, 404}


@pytest.mark.parametrize(
    ("asked", "passed_on"),
    [
        ("/api/v1/pods", "/api/v1/pods"),
        ("/api/v1/pods?limit=500", "/api/v1/pods"),
        ("/api/v1/pods?limit=1&resourceVersion=0&continue=abc", "/api/v1/pods?resourceVersion=0"),
        ("/api/v1/pods?l%69mit=1&fieldSelector=a%3Db", "/api/v1/pods?fieldSelector=a%3Db"),
    ],
)
def test_a_list_is_asked_for_in_one_piece(asked: str, passed_on: str) -> None:
    assert targets.without_pages(asked) == passed_on


def forwarded(of: Call | None = CALL, /, **headers: str) -> dict[str, str]:
    told = transport._passed_on(request("GET", "/api/v1/pods", **headers), of)
    assert len({name.lower() for name, _ in told}) == len(told)
    return {name.decode(): value.decode() for name, value in told}


def test_the_headers_of_the_implementation_are_passed_on_but_not_its_credentials() -> None:
    told = forwarded(Authorization="Bearer other", User_Agent="acme/1", Content_Type="application/json")

    assert "Authorization" not in told
    assert (told["User-Agent"], told["Content-Type"]) == ("acme/1", "application/json")


@pytest.mark.parametrize(
    "name", ["Host", "Connection", "Transfer-Encoding", "Content-Length", "Upgrade", "HTTP2-Settings"]
)
def test_headers_of_one_connection_are_not_passed_on(name: str) -> None:
    assert name not in forwarded(**{name.replace("-", "_"): "chunked"})


@pytest.mark.parametrize(
    "name",
    [
        "Impersonate-User",
        "impersonate-group",
        "IMPERSONATE-UID",
        "Impersonate-Extra-scopes",
        "X-Remote-User",
        "x-remote-group",
        "X-Remote-Extra-a",
        "Proxy-Authorization",
        "Cookie",
        "Sec-WebSocket-Protocol",
        "X-Forwarded-For",
        "X-My-Front-Proxy-User",
        "Audit-ID",
    ],
)
def test_no_header_that_says_who_asks_is_passed_on(name: str) -> None:
    assert forwarded(**{name.replace("-", "_"): "system:admin"}).keys() == {"Accept-Encoding"}


def test_nothing_is_compressed_because_the_proxy_must_read_it() -> None:
    assert forwarded(Accept_Encoding="gzip")["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    ("asked", "passed_on"),
    [
        pytest.param("application/json", "application/json", id="JSON stays"),
        pytest.param(
            "application/vnd.kubernetes.protobuf,application/json",
            "application/json,application/json",
            id="protobuf becomes JSON, which the history can keep",
        ),
        pytest.param(
            "Application/VND.kubernetes.Protobuf;as=Table;g=meta.k8s.io;v=v1, application/yaml",
            "application/json;as=Table;g=meta.k8s.io;v=v1,application/json",
            id="so does every other encoding, in the same form",
        ),
        pytest.param(
            "application/cbor;g=apidiscovery.k8s.io",
            "application/json;g=apidiscovery.k8s.io",
            id="however it is called",
        ),
        pytest.param("application/json, */*", "application/json,*/*", id="anything stays, for logs are text"),
        pytest.param(" ", "application/json", id="nothing becomes JSON"),
    ],
)
def test_the_api_server_is_asked_for_json(asked: str, passed_on: str) -> None:
    assert forwarded(Accept=asked)["Accept"] == passed_on


def test_discovery_is_asked_for_as_the_implementation_does() -> None:
    discovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"

    assert forwarded(None, Accept=discovery)["Accept"] == discovery


@pytest.mark.parametrize(
    ("content_type", "body", "kept"),
    [
        ("application/json", b'{"kind": "Job"}', {"kind": "Job"}),
        ("application/JSON; charset=utf-8", b"{}", {}),
        ("application/merge-patch+json", b'{"a": null}', {"a": None}),
        ("application/json-patch+json", b"[]", []),
        ("application/json", b"", None),
        ("application/json", b"{broken", None),
        ("application/vnd.kubernetes.protobuf", b"k8s\x00\x0a", None),
        ("application/apply-patch+yaml", b'{"kind": "Job", "spec": {"suspend": true}}', JOB_IN_JSON),
        ("application/apply-patch+yaml", b"kind: Job\nspec:\n  suspend: true\n", JOB_IN_JSON),
        ("application/apply-patch+yaml; charset=utf-8", b"kind: Job\nspec: {suspend: true}", JOB_IN_JSON),
        ("application/yaml", b"at: 2027-01-31", {"at": "2027-01-31"}),
        ("application/apply-patch+yaml", b"", None),
        ("application/apply-patch+yaml", b"- a\n", None),
        ("application/apply-patch+yaml", b'["a"]', None),
        ("application/apply-patch+yaml", b"a: 1\n---\nb: 2\n", None),
        ("application/apply-patch+yaml", b"a: &a {b: *a}", None),
        ("application/apply-patch+yaml", b"a: {", None),
        ("application/apply-patch+yaml", b"a: .nan", None),
        ("application/apply-patch+yaml", b"a: !!python/name:os.system", None),
        ("application/apply-patch+yaml", b"a: \xff", None),
        ("application/apply-patch+yaml", b"a: " + b"x" * transport.LARGEST_YAML, None),
        ("application/apply-patch+yaml", ALIASES_OF_ALIASES, None),
        ("application/apply-patch+cbor", b"{}", None),
        ("", b'{"kind": "Job"}', {"kind": "Job"}),
    ],
)
def test_a_body_is_kept_where_it_can_be_read(content_type: str, body: bytes, kept: Any) -> None:
    assert transport._read_body(content_type, body) == kept


def test_an_applied_secret_is_kept_without_what_it_holds() -> None:
    body = b"kind: Secret\nmetadata:\n  name: a\nstringData:\n  password: hunter2\n"

    kept = redacted(SECRETS, "", transport._read_body("application/apply-patch+yaml", body))

    assert "hunter2" not in str(kept)
    assert kept["metadata"] == {"name": "a"}


# -- replies


def test_a_fault_answers_as_the_api_server_would() -> None:
    outcome = transport._error(conflict("jobs.batch"), "writes of jobs conflict", CALL)

    status = orjson.loads(outcome.body)
    assert (status["kind"], status["apiVersion"], status["status"]) == ("Status", "v1", "Failure")
    assert (status["code"], status["reason"]) == (409, "Conflict")
    assert status["details"] == {"name": "a", "group": "batch", "kind": "jobs"}
    assert outcome.headers == [(b"content-type", b"application/json")]
    assert (outcome.status, outcome.effect, outcome.fault) == (409, False, "writes of jobs conflict")


def test_a_client_that_is_to_try_again_is_told_when() -> None:
    outcome = transport._error(answer(429, retry_after_s=1), "too many", CALL)

    assert (b"retry-after", b"1") in outcome.headers
    assert orjson.loads(outcome.body)["details"]["retryAfterSeconds"] == 1


def test_a_watch_that_is_too_old_ends_as_the_api_server_ends_it() -> None:
    event = orjson.loads(GONE)

    assert GONE.endswith(b"\n")
    assert (event["type"], event["object"]["code"], event["object"]["reason"]) == ("ERROR", 410, "Expired")


# -- the client


@pytest.mark.parametrize(
    ("answers_to", "crashes"),
    [
        pytest.param(1, 1, id="the client"),
        pytest.param(2, 0, id="its successor"),
    ],
)
def test_a_crash_after_a_write_hits_who_asked_only(answers_to: int, crashes: int) -> None:
    running, crashed = [1], []

    async def ask(*_: Any) -> Any:
        running[0] = answers_to
        return SimpleNamespace(status=200, body=b"{}", headers=[])

    proxy = Proxy(NOBODY, NOBODY, guarded=False, served_as={})
    upstream: Any = SimpleNamespace(ask=ask)
    proxy._upstream = upstream
    door: Any = SimpleNamespace(instance=lambda: running[0])
    scene: Any = SimpleNamespace(crash=lambda: crashed.append(1))
    armed = Armed(1, Fault("killed just after", On(), Crash(after_effect=True)))

    outcome = asyncio.run(proxy._struck(request("PUT", "/"), CALL, armed, scene, door))

    assert (outcome.status, len(crashed)) == (0, crashes)


@pytest.mark.parametrize(
    ("resource", "namespace", "name", "of_the_scene"),
    [
        pytest.param(PODS, "bp-1-gw0-1", "a", True, id="in its namespace"),
        pytest.param(PODS, "bp-1-gw0-2", "a", False, id="in another one"),
        pytest.param(QUEUES, "", "bp-1-gw0-1-queue", True, id="an object of its own that a fault names"),
        pytest.param(QUEUES, "", "bp-1-gw0-11-queue", False, id="of another scene"),
        pytest.param(NODES, "", "bp-1-gw0-1-node", False, id="an object of its own that no fault names"),
    ],
)
def test_a_write_outside_of_namespaces_is_of_the_scene_whose_faults_name_it(
    resource: Resource, namespace: str, name: str, *, of_the_scene: bool
) -> None:
    proxy = Proxy(NOBODY, NOBODY)
    scene: Any = SimpleNamespace(namespace="bp-1-gw0-1", reaches=lambda of: of == QUEUES)
    proxy.scene = scene
    of = proxy._scene_of_write(Call("update", resource, "status", namespace, name))
    assert of is (scene if of_the_scene else None)
