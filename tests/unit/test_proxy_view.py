"""The view of a cell: its own namespaces and labelled objects, and what describes the API."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchproof.ground.resources import CELL_LABEL, Resource
from batchproof.judgement.faults import Call
from batchproof.judgement.history import Json
from batchproof.proxy.view import View

VIEW = View("bp-1-gw1")
OURS = "bp-1-gw1-3"
OTHERS = ["bp-1-gw10-3", "bp-1-gw10", "bp-1-gw1", "bp-1-gw0-3", "bp-2-gw1-3", "xbp-1-gw1-3", "default", ""]


GROUPS = {
    "priorityclasses": "scheduling.k8s.io",
    "customresourcedefinitions": "apiextensions.k8s.io",
    "runtimeclasses": "node.k8s.io",
}


def kind_of(plural: str, group: str | None = None) -> Resource:
    """A resource; the version makes no difference."""
    return Resource(GROUPS.get(plural, "") if group is None else group, "v1", plural)


def pod(namespace: str, name: str = "a-1") -> Json:
    return {"metadata": {"name": name, "namespace": namespace}}


def node(name: str, cell: str | None) -> Json:
    return {"metadata": {"name": name, "labels": {CELL_LABEL: cell} if cell else {}}}


@pytest.mark.parametrize(
    ("resource", "obj", "shown"),
    [
        pytest.param("pods", pod(OURS), True, id="a pod of the cell"),
        *(pytest.param("pods", pod(it), False, id=f"no pod in {it or 'no namespace'}") for it in OTHERS),
        pytest.param("namespaces", {"metadata": {"name": OURS}}, True, id="the cell's namespace"),
        pytest.param("namespaces", {"metadata": {"name": "bp-1-gw10-3"}}, False, id="no namespace of gw10"),
        pytest.param("namespaces", {"metadata": {"name": "default"}}, False, id="no default namespace"),
        pytest.param("nodes", node("bp-1-gw1-n", "bp-1-gw1"), True, id="a node of the cell"),
        pytest.param("nodes", node("bp-1-gw10-n", "bp-1-gw10"), False, id="no node of gw10"),
        pytest.param("nodes", node("bp-1-gw1-n", None), False, id="no node without the label"),
        pytest.param("priorityclasses", node("high", None), True, id="a priority class, which all share"),
        pytest.param("customresourcedefinitions", node("q", None), True, id="a definition, which all share"),
        pytest.param("runtimeclasses", {"metadata": None}, True, id="what has no metadata, if all share it"),
        pytest.param("persistentvolumes", node("pv", None), False, id="no volume of others"),
    ],
)
def test_the_view_shows(resource: str, obj: Json, *, shown: bool) -> None:
    assert VIEW.shows(kind_of(resource), obj) == shown


# -- writes, in a cluster that is not ours


@pytest.mark.parametrize(
    ("call", "owned"),
    [
        (Call("create", kind_of("pods"), namespace=OURS), True),
        (Call("patch", kind_of("jobs", "batch"), "status", OURS, "a"), True),
        (Call("patch", kind_of("queues", "example.com"), "status", name="bp-1-gw1-3-q"), True),
        (Call("create", kind_of("subjectaccessreviews", "authorization.k8s.io")), False),
        (Call("create", kind_of("pods"), namespace="default"), False),
        (
            Call("patch", kind_of("clusterrolebindings", "rbac.authorization.k8s.io"), name="bp-1-gw1-3-a"),
            False,
        ),
        (Call("patch", kind_of("customresourcedefinitions"), name="bp-1-gw1-3-a"), False),
        (Call("update", kind_of("leases", "coordination.k8s.io"), "", "kube-system", "x"), False),
        (Call("delete", kind_of("namespaces"), name="bp-1-gw10-3"), False),
        (Call("create", kind_of("namespaces")), False),
        (Call("deletecollection", kind_of("nodes")), False),
        (Call("patch", kind_of("nodes"), name="worker"), False),
    ],
)
def test_only_what_belongs_to_the_cell_may_be_written(call: Call, *, owned: bool) -> None:
    assert VIEW.owns(call) == owned


# -- lines of a watch


def line(kind: str, obj: Any) -> bytes:
    return orjson.dumps({"type": kind, "object": obj})


@pytest.mark.parametrize("kind", ["ADDED", "MODIFIED", "DELETED"])
def test_an_event_passes_if_its_object_is_in_the_view(kind: str) -> None:
    assert VIEW.line(kind_of("pods"), line(kind, pod(OURS)))
    assert not VIEW.line(kind_of("pods"), line(kind, pod("bp-1-gw10-3")))
    assert VIEW.line(kind_of("priorityclasses"), line(kind, node("high", None)))
    assert not VIEW.line(kind_of("priorityclasses", "example.com"), line(kind, node("high", None)))


@pytest.mark.parametrize("kind", ["BOOKMARK", "ERROR"])
def test_bookmarks_and_errors_always_pass(kind: str) -> None:
    assert VIEW.line(kind_of("pods"), line(kind, {"kind": "Pod", "metadata": {"resourceVersion": "7"}}))


def test_an_object_of_others_that_speaks_of_the_cell_does_not_pass() -> None:
    told = pod("bp-1-gw10-3")
    told["metadata"]["annotations"] = {"copied-from": f"{OURS}/a-1"}

    assert not VIEW.line(kind_of("pods"), line("ADDED", told))


def test_an_event_passes_however_its_line_is_written() -> None:
    told = b'{ "object": {"metadata": {"namespace": "bp-1-gw1-3"}}, "type" : "ADDED" }'

    assert VIEW.line(kind_of("pods"), told)
    assert not VIEW.line(kind_of("pods"), told.replace(b"gw1-", b"gw10-"))


NAMESPACES = st.sampled_from([OURS, "bp-1-gw1-44", *OTHERS])


@given(namespaces=st.lists(NAMESPACES, max_size=8), kind=st.sampled_from(["ADDED", "MODIFIED", "DELETED"]))
def test_a_list_and_a_watch_show_the_same_objects(namespaces: list[str], kind: str) -> None:
    items = [pod(namespace, f"p-{number}") for number, namespace in enumerate(namespaces)]

    listed = orjson.loads(VIEW.filter_list(kind_of("pods"), orjson.dumps({"items": items})) or b"")["items"]
    watched = [item for item in items if VIEW.line(kind_of("pods"), line(kind, item))]

    assert listed == watched
    assert all(item["metadata"]["namespace"].startswith("bp-1-gw1-") for item in listed)


# -- lists


def test_a_list_keeps_its_own_metadata() -> None:
    told = {"kind": "PodList", "metadata": {"resourceVersion": "7"}, "items": [pod(OURS), pod("default")]}

    shown = orjson.loads(VIEW.filter_list(kind_of("pods"), orjson.dumps(told)) or b"")

    assert shown == {**told, "items": [pod(OURS)]}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"items": [{"metadata": {"namespace": "bp-1-gw1-3"}}]}', id="a list of ours alone"),
        pytest.param(b'{"items": []}', id="an empty list"),
        pytest.param(b'{"items": null}', id="a list of null"),
        pytest.param(b'{"kind": "Status", "code": 403}', id="a refusal"),
    ],
)
def test_a_reply_with_nothing_to_hide_passes_byte_for_byte(body: bytes) -> None:
    assert VIEW.filter_list(kind_of("pods"), body) is body


def test_all_is_shown_where_the_cell_has_the_api_server_to_itself() -> None:
    whole = View("bp-1-gw1", whole=True)
    line = orjson.dumps({"type": "ADDED", "object": pod("default")})
    assert whole.line(kind_of("pods"), line)
    nodes = b'{"items": [{"metadata": {"name": "a"}}]}'
    assert whole.filter_list(kind_of("nodes"), nodes) is nodes
    assert whole.shows(kind_of("queues"), {"metadata": {"name": "default"}})


# -- other forms of the same objects


def table(*objects: Json | None, kind: str = "Table") -> Json:
    rows = [{"cells": ["secret"], **({"object": one} if one else {})} for one in objects]
    return {"kind": kind, "metadata": {"resourceVersion": "7"}, "columnDefinitions": [], "rows": rows}


@given(namespaces=st.lists(NAMESPACES, max_size=8), kind=st.sampled_from(["ADDED", "MODIFIED", "DELETED"]))
def test_a_table_shows_the_same_objects_as_a_list(namespaces: list[str], kind: str) -> None:
    items = [pod(namespace, f"p-{number}") for number, namespace in enumerate(namespaces)]
    shown = [one for one in items if VIEW.shows(kind_of("pods"), one)]

    listed = orjson.loads(VIEW.filter_list(kind_of("pods"), orjson.dumps(table(*items))) or b"")
    watched = [VIEW.line(kind_of("pods"), line(kind, table(one))) for one in items]

    assert [row["object"] for row in listed["rows"]] == shown
    assert [orjson.loads(one)["object"]["rows"][0]["object"] for one in watched if one] == shown
    many = VIEW.line(kind_of("pods"), line(kind, table(*items)))
    assert [row["object"] for row in (orjson.loads(many)["object"]["rows"] if many else [])] == shown


def test_a_row_that_does_not_say_of_what_it_is_is_not_shown() -> None:
    told = table(None, pod(OURS))

    listed = orjson.loads(VIEW.filter_list(kind_of("secrets"), orjson.dumps(told)) or b"")
    assert listed["rows"] == told["rows"][1:]
    assert not VIEW.line(kind_of("secrets"), line("ADDED", table(None)))
    empty = VIEW.filter_list(kind_of("secrets"), orjson.dumps(table() | {"rows": None}))
    assert orjson.loads(empty or b"")["rows"] == []


@pytest.mark.parametrize("kind", ["PodList", "PartialObjectMetadataList", "List", "TableList"])
def test_a_list_is_filtered_whatever_it_is_called(kind: str) -> None:
    told = orjson.dumps({"kind": kind, "items": [pod("default")]})

    assert orjson.loads(VIEW.filter_list(kind_of("pods"), told) or b"")["items"] == []


@pytest.mark.parametrize(
    "body",
    [
        b'{"kind": "Secret", "metadata": {"namespace": "default"}, "data": {}}',
        b'{"type": "ADDED", "object": {"kind": "Secret"}}',
        b'{"kind": "SecretList", "items": {"a": 1}}',
        b"[]",
        b'"text"',
    ],
)
def test_a_reply_that_is_no_list_is_not_shown(body: bytes) -> None:
    assert VIEW.filter_list(kind_of("secrets"), body) is None


def test_the_reply_to_head_is_empty() -> None:
    assert VIEW.filter_list(kind_of("secrets"), b"") == b""
