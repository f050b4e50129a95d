"""Caches fed by one watch: what changes, for whom, and what is passed over."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from reference_controller.objects.api_json import Json, read_pod
from reference_controller.objects.pods import Pod
from reference_controller.objects.resources import PODS
from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.runtime.informer import Informer, Watch
from reference_controller.runtime.kubeconfig import Server

Change = tuple[str | None, str | None]


def watch() -> Watch:
    return Watch(ApiClient(Server("http://127.0.0.1:1", {}, None)), PODS)


def raw(version: int, uid: str = "u", name: str = "p", **parts: Any) -> Json:
    metadata = {
        "namespace": "ns",
        "name": name,
        "uid": uid,
        "resourceVersion": str(version),
        "creationTimestamp": "2026-01-01T00:00:00Z",
    }
    return {"metadata": metadata, **parts}


def short(pod: Pod | None) -> str | None:
    return None if pod is None else f"{pod.uid}{pod.version}"


def changes_of(informer: Informer[Pod]) -> list[Change]:
    changes: list[Change] = []

    def note(old: Pod | None, new: Pod | None) -> None:
        changes.append((short(old), short(new)))

    informer.subscribe(note)
    return changes


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([("ADDED", raw(2)), ("MODIFIED", raw(3))], [(None, "u2"), ("u2", "u3")]),
        ([("ADDED", raw(2)), ("MODIFIED", raw(2))], [(None, "u2")]),
        ([("ADDED", raw(2)), ("DELETED", raw(3))], [(None, "u2"), ("u2", None)]),
        ([("ADDED", raw(2)), ("ADDED", raw(3, uid="v"))], [(None, "u2"), ("u2", None), (None, "v3")]),
        ([("ADDED", raw(2)), ("DELETED", raw(3, uid="v"))], [(None, "u2")]),
        ([("BOOKMARK", raw(9))], []),
        ([("ADDED", raw(2, status=[1])), ("ADDED", raw(3, name="q"))], [(None, "u3")]),
    ],
    ids=["news", "no news", "gone", "another of that name", "another is gone", "bookmark", "nonsense"],
)
def test_each_change_is_told_once(events: list[tuple[str, Json]], expected: list[Change]) -> None:
    pods = watch()
    changes = changes_of(pods.informer(read_pod))
    for kind, obj in events:
        pods._apply(kind, obj)
    assert changes == expected
    assert pods.seen == int(events[-1][1]["metadata"]["resourceVersion"])


def test_a_new_list_tells_what_is_gone_and_what_is_new() -> None:
    pods = watch()
    informer = pods.informer(read_pod)
    informer.replace([raw(2, "a", "a"), raw(3, "b", "b")])
    changes = changes_of(informer)
    informer.replace([raw(3, "b", "b"), raw(5, "c", "c")])
    assert changes == [("a2", None), (None, "c5")]
    assert set(informer.objects) == {("ns", "b"), ("ns", "c")}


def test_a_new_list_is_told_of_after_its_changes() -> None:
    told: list[str] = []
    informer = watch().informer(read_pod)
    informer.subscribe(lambda _old, _new: told.append("change"), lambda seen: told.append(f"list {seen}"))
    informer.replace([raw(2)])
    assert told == ["change", "list 0"]


def test_one_watch_feeds_a_cache_for_each_way_to_parse() -> None:
    pods = watch()
    first, same, other = (
        pods.informer(read_pod),
        pods.informer(read_pod),
        pods.informer(partial(read_pod)),
    )
    assert first is same
    pods._apply("ADDED", raw(2))
    assert list(first.objects) == list(other.objects) == [("ns", "p")]
    assert (first.seen, other.seen) == (2, 2)


def test_an_error_of_the_watch_asks_for_a_new_list() -> None:
    with pytest.raises(ApiError) as raised:
        watch()._apply("ERROR", {"message": "too old", "reason": "Expired"})
    assert raised.value.gone
