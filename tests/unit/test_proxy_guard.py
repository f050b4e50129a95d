"""What an implementation may ask of a cluster that is not ours."""

from __future__ import annotations

import pytest

from batchproof.ground.resources import JOBS, NAMESPACES, NODES, PODS, Resource
from batchproof.judgement.faults import Call
from batchproof.proxy.guard import refusal, refusal_of_path
from batchproof.proxy.view import View

VIEW = View("bp-1-gw1")
OURS, THEIRS = "bp-1-gw1-3", "theirs"
SECRETS = Resource("", "v1", "secrets")
QUEUES = Resource("example.com", "v1", "queues")
PRIORITIES = Resource("scheduling.k8s.io", "v1", "priorityclasses")


def review(group: str, plural: str, namespace: str = "") -> Call:
    return Call("create", Resource(group, "v1", plural), namespace=namespace)


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (Call("get", SECRETS, "", OURS, "a"), None),
        (Call("get", PODS, "log", OURS, "a"), None),
        (Call("get", JOBS, "status", OURS, "a"), None),
        (Call("get", NAMESPACES, name=OURS), None),
        (Call("get", NODES, name="bp-1-gw1-node"), None),
        (Call("get", QUEUES, "status", name="bp-1-gw1-3-q"), None),
        (Call("get", PRIORITIES, name="system-cluster-critical"), None),
        (Call("list", SECRETS), None),
        (Call("watch", SECRETS, namespace=THEIRS), None),
        (Call("create", PODS, namespace=OURS), None),
        (Call("create", PODS, "binding", OURS, "a"), None),
        (Call("update", JOBS, "scale", OURS, "a"), None),
        (review("authorization.k8s.io", "selfsubjectaccessreviews"), None),
        (review("authorization.k8s.io", "selfsubjectrulesreviews"), None),
        (review("authentication.k8s.io", "selfsubjectreviews"), None),
        (Call("get", SECRETS, "", THEIRS, "a"), 404),
        (Call("get", PODS, "log", THEIRS, "a"), 404),
        (Call("get", JOBS, "status", THEIRS, "a"), 404),
        (Call("get", JOBS, "scale", "bp-1-gw10-3", "a"), 404),
        (Call("get", NAMESPACES, name=THEIRS), 404),
        (Call("get", NAMESPACES, name="bp-1-gw1"), 404),
        (Call("get", NODES, name="worker"), 404),
        (Call("get", NODES, "status", name="worker"), 404),
        (Call("get", QUEUES, name="default"), 404),
        (Call("get", Resource("example.com", "v1", "priorityclasses"), name="a"), 404),
        (Call("get", NODES, "proxy", name="worker"), 403),
        (Call("get", NODES, "proxy", name="bp-1-gw1-node"), 403),
        (Call("get", PODS, "proxy", OURS, "a"), 403),
        (Call("get", PODS, "exec", OURS, "a"), 403),
        (Call("create", PODS, "exec", OURS, "a"), 403),
        (Call("create", PODS, "attach", OURS, "a"), 403),
        (Call("create", PODS, "portforward", OURS, "a"), 403),
        (Call("get", Resource("", "v1", "services"), "proxy", OURS, "a"), 403),
        (Call("create", PODS, namespace=THEIRS), 403),
        (Call("deletecollection", NODES), 403),
        (Call("delete", NODES, name="worker"), 403),
        (review("authentication.k8s.io", "tokenreviews"), 403),
        (review("authorization.k8s.io", "subjectaccessreviews"), 403),
        (review("authorization.k8s.io", "localsubjectaccessreviews", THEIRS), 403),
        (review("example.com", "selfsubjectreviews"), 403),
    ],
)
def test_only_the_part_of_the_cell_is_asked_for(call: Call, status: int | None) -> None:
    refused = refusal(VIEW, call)
    assert (refused and refused.status) == status


@pytest.mark.parametrize(
    ("method", "path", "refused"),
    [
        ("GET", "/version", False),
        ("GET", "/version/", False),
        ("GET", "/healthz", False),
        ("GET", "/readyz/poststarthook/start-apiextensions-controllers", False),
        ("GET", "/api", False),
        ("GET", "/api/v1", False),
        ("HEAD", "/apis", False),
        ("GET", "/apis/batch", False),
        ("GET", "/apis/batch/v1", False),
        ("GET", "/openapi/v2", False),
        ("GET", "/openapi/v3/apis/batch/v1", False),
        ("GET", "/", True),
        ("GET", "/metrics", True),
        ("GET", "/metrics/slis", True),
        ("GET", "/logs/", True),
        ("GET", "/debug/pprof/heap", True),
        ("GET", "/configz", True),
        ("GET", "/versions", True),
        ("GET", "/api/v2", True),
        ("GET", "/.well-known/openid-configuration", True),
        ("POST", "/version", True),
        ("PUT", "/apis/batch/v1", True),
        ("DELETE", "/api/v1", True),
    ],
)
def test_of_what_is_no_resource_discovery_and_health_are_read(
    method: str, path: str, *, refused: bool
) -> None:
    assert (refusal_of_path(method, path) is not None) == refused
