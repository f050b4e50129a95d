"""URLs of the API, read as the API server reads them."""

from __future__ import annotations

import pytest

from batchproof.api.client import ApiError, parse
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import LEASES, Resource
from batchproof.judgement.faults import Call

CORE = "/api/v1"
BATCH = "/apis/batch/v1"
IN_N = "/namespaces/n"


def kind_of(plural: str, group: str = "") -> Resource:
    """A resource; the version makes no difference."""
    return Resource(group, "v1", plural)


@pytest.mark.parametrize(
    ("method", "path", "asked"),
    [
        # the core group
        ("GET", f"{CORE}/pods", Call("list", kind_of("pods"))),
        ("GET", f"{CORE}{IN_N}/pods", Call("list", kind_of("pods"), namespace="n")),
        ("GET", f"{CORE}{IN_N}/pods/", Call("list", kind_of("pods"), namespace="n")),
        ("GET", f"{CORE}{IN_N}/pods/p", Call("get", kind_of("pods"), "", "n", "p")),
        ("HEAD", f"{CORE}{IN_N}/pods/p", Call("get", kind_of("pods"), "", "n", "p")),
        ("HEAD", f"{CORE}/pods", Call("list", kind_of("pods"))),
        ("POST", f"{CORE}{IN_N}/pods", Call("create", kind_of("pods"), namespace="n")),
        ("PUT", f"{CORE}{IN_N}/pods/p", Call("update", kind_of("pods"), "", "n", "p")),
        ("PATCH", f"{CORE}{IN_N}/pods/p", Call("patch", kind_of("pods"), "", "n", "p")),
        ("DELETE", f"{CORE}{IN_N}/pods/p", Call("delete", kind_of("pods"), "", "n", "p")),
        ("DELETE", f"{CORE}{IN_N}/pods", Call("deletecollection", kind_of("pods"), namespace="n")),
        # subresources
        ("PATCH", f"{CORE}{IN_N}/pods/p/status", Call("patch", kind_of("pods"), "status", "n", "p")),
        ("POST", f"{CORE}{IN_N}/pods/p/binding", Call("create", kind_of("pods"), "binding", "n", "p")),
        ("POST", f"{CORE}{IN_N}/pods/p/eviction", Call("create", kind_of("pods"), "eviction", "n", "p")),
        ("GET", f"{CORE}{IN_N}/pods/p/log", Call("get", kind_of("pods"), "log", "n", "p")),
        ("GET", f"{CORE}{IN_N}/services/s/proxy/a/b", Call("get", kind_of("services"), "proxy", "n", "s")),
        # cluster-scoped objects
        ("GET", f"{CORE}/nodes", Call("list", kind_of("nodes"))),
        ("GET", f"{CORE}/nodes/a", Call("get", kind_of("nodes"), name="a")),
        ("PATCH", f"{CORE}/nodes/a/status", Call("patch", kind_of("nodes"), "status", name="a")),
        # namespaces are objects too
        ("GET", f"{CORE}/namespaces", Call("list", kind_of("namespaces"))),
        ("POST", f"{CORE}/namespaces", Call("create", kind_of("namespaces"))),
        ("GET", f"{CORE}/namespaces/n", Call("get", kind_of("namespaces"), name="n")),
        ("DELETE", f"{CORE}/namespaces/n", Call("delete", kind_of("namespaces"), name="n")),
        ("PUT", f"{CORE}/namespaces/n/finalize", Call("update", kind_of("namespaces"), "finalize", name="n")),
        ("PATCH", f"{CORE}/namespaces/n/status", Call("patch", kind_of("namespaces"), "status", name="n")),
        # groups
        ("GET", f"{BATCH}/jobs", Call("list", kind_of("jobs", "batch"))),
        ("PUT", f"{BATCH}{IN_N}/jobs/a/status", Call("update", kind_of("jobs", "batch"), "status", "n", "a")),
        ("POST", f"{BATCH}{IN_N}/jobs", Call("create", kind_of("jobs", "batch"), namespace="n")),
        (
            "PUT",
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager",
            Call("update", LEASES, "", "kube-system", "kube-controller-manager"),
        ),
        (
            "POST",
            f"/apis/events.k8s.io/v1{IN_N}/events",
            Call("create", kind_of("events", "events.k8s.io"), "", "n"),
        ),
        # resources of a CustomResourceDefinition, and the definitions
        (
            "GET",
            f"/apis/batch.volcano.sh/v1alpha1{IN_N}/jobs/v",
            Call("get", kind_of("jobs", "batch.volcano.sh"), "", "n", "v"),
        ),
        (
            "PATCH",
            f"/apis/scheduling.k8s.io/v1alpha1{IN_N}/podgroups/g/status",
            Call("patch", kind_of("podgroups", "scheduling.k8s.io"), "status", "n", "g"),
        ),
        (
            "GET",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/queues.scheduling.volcano.sh",
            Call("get", kind_of("customresourcedefinitions", "apiextensions.k8s.io"),
                name="queues.scheduling.volcano.sh",
            ),
        ),
        # names that look like something else
        ("GET", f"{CORE}{IN_N}/pods/pods", Call("get", kind_of("pods"), "", "n", "pods")),
        ("GET", f"{CORE}/namespaces/namespaces/pods", Call("list", kind_of("pods"), namespace="namespaces")),
    ],
)  # fmt: skip
def test_a_request_asks_for(method: str, path: str, asked: Call) -> None:
    assert parse(method, path, {}) == asked


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/api",
        "/api/v1",
        "/apis",
        "/apis/batch",
        "/apis/batch/v1",
        "/apis/batch/v1/",
        "/healthz",
        "/readyz/etcd",
        "/version",
        "/metrics",
        "/openapi/v2",
        "/openapi/v3/apis/batch/v1",
        "/.well-known/openid-configuration",
    ],
)
def test_discovery_health_and_openapi_are_no_resources(path: str) -> None:
    assert parse("GET", path, {}) is None


@pytest.mark.parametrize(
    ("query", "verb"),
    [
        pytest.param({"watch": "true"}, "watch", id="as Go's clients ask"),
        pytest.param({"watch": "1"}, "watch", id="as kubectl asks"),
        pytest.param({"watch": "True"}, "watch", id="as Python's client asks"),
        pytest.param({"watch": ""}, "watch", id="the word alone"),
        pytest.param({"watch": "false"}, "list", id="expressly not"),
        pytest.param({"watch": "False"}, "list", id="expressly not, in Python"),
        pytest.param({"watch": "0"}, "list", id="zero"),
        pytest.param({"resourceVersion": "7", "allowWatchBookmarks": "true"}, "list", id="not at all"),
    ],
)
def test_a_collection_is_watched_as_the_api_server_understands_it(query: dict[str, str], verb: str) -> None:
    call = parse("GET", f"{CORE}/pods", query)

    assert call is not None
    assert call.verb == verb


def test_only_collections_are_watched_and_only_with_get() -> None:
    one = parse("GET", f"{CORE}{IN_N}/pods/p", {"watch": "true"})
    created = parse("POST", f"{CORE}{IN_N}/pods", {"watch": "true"})

    assert one is not None
    assert one.verb == "get"
    assert created is not None
    assert created.verb == "create"


@pytest.mark.parametrize(
    ("verb", "write"),
    [("get", False), ("list", False), ("watch", False), ("create", True), ("deletecollection", True)],
)
def test_what_is_no_read_is_a_write(verb: str, *, write: bool) -> None:
    assert Call(verb, kind_of("pods")).write == write


def test_a_refused_request_of_our_own_blames_nobody_else() -> None:
    error = ApiError("POST", "/api/v1/namespaces", 409, "it exists already")

    assert isinstance(error, HarnessError)
    assert str(error) == "POST /api/v1/namespaces was answered with 409: it exists already"
