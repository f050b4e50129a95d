"""The parts of the runtime that need no API server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import uvloop
from reference_builders import NOW, OWNER, job, pod
from virtual_time import passed_s, run, within
from waiting import others_go_on

from reference_controller.job.objects import Job, Pod
from reference_controller.runtime import clock
from reference_controller.runtime.client import api_error
from reference_controller.runtime.events import _Subject
from reference_controller.runtime.expectations import EXPIRY_S, Expectations, ExpectationsByType
from reference_controller.runtime.index import OwnedIndex, UidIndex
from reference_controller.runtime.job.known import Memory
from reference_controller.runtime.kubeconfig import KubeconfigError, load
from reference_controller.runtime.parallel import MOST_AT_ONCE, each
from reference_controller.runtime.queue import WorkQueue

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("number", [0, 1, 2, MOST_AT_ONCE, MOST_AT_ONCE + 1, 500])
def test_every_item_is_worked_on_once(number: int) -> None:
    async def work(item: int) -> int:
        await others_go_on()
        return item

    assert sorted(run(each(range(number), work))) == list(range(number))


def test_a_created_pod_is_expected_until_the_watch_shows_it() -> None:
    expectations = Expectations()
    expectations.expect_creations(2)
    expectations.created("a", version=5, seen=4)
    expectations.creation_failed()
    assert not expectations.met()
    expectations.observe("another", deleting=False, released=False)
    assert not expectations.met()
    expectations.observe("a", deleting=False, released=False)
    assert expectations.met()


def test_a_watch_faster_than_the_reply_leaves_nothing_to_expect() -> None:
    expectations = Expectations()
    expectations.expect_creations(1)
    expectations.created("a", version=5, seen=5)
    assert expectations.met()


def test_a_deletion_is_seen_only_as_a_deletion() -> None:
    expectations = Expectations()
    expectations.expect_deletion("a")
    expectations.observe("a", deleting=False, released=True)
    assert not expectations.met()
    expectations.observe("a", deleting=True, released=True)
    assert expectations.met()


@pytest.mark.parametrize(
    ("age_s", "seen", "met"), [(EXPIRY_S - 1, 9, False), (EXPIRY_S + 1, 4, False), (EXPIRY_S + 1, 5, True)]
)
def test_an_expectation_expires_only_after_the_watch_has_passed_the_write(
    monkeypatch: pytest.MonkeyPatch, age_s: float, seen: int, met: bool
) -> None:
    began = 1000.0
    monkeypatch.setattr(clock, "steady", lambda: began)
    expectations = Expectations()
    expectations.expect_creations(1)
    expectations.created("a", version=5, seen=0)
    monkeypatch.setattr(clock, "steady", lambda: began + age_s)
    expectations.expire(seen)
    assert expectations.met() is met


def test_a_new_list_ends_the_wait_for_pods_that_came_and_went() -> None:
    expectations = Expectations()
    expectations.expect_pod("a", version=5, seen=0)
    expectations.expect_pod("b", version=8, seen=0)
    expectations.caught_up(7)
    assert set(expectations.creations) == {"b"}


def test_each_type_of_an_owner_has_expectations_of_its_own() -> None:
    pods: ExpectationsByType[str] = ExpectationsByType()
    assert pods.met()
    pods["worker"].expect_creations(1)
    pods["worker"].created("w", version=5, seen=0)
    pods["ps"].expect_deletion("p")
    assert (pods.met(), pods["worker"].met(), pods["ps"].met()) == (False, False, False)
    pods.observe("w", deleting=False)
    assert (pods["worker"].met(), pods["ps"].met()) == (True, False)
    pods.observe("p", deleting=True)
    assert pods.met()


def test_expectations_of_all_types_end_with_a_new_list_or_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    began = 1000.0  # a whole number: what is added to it and taken away leaves no rest
    monkeypatch.setattr(clock, "steady", lambda: began)
    pods: ExpectationsByType[str] = ExpectationsByType()
    assert pods.expires_in_s() == EXPIRY_S
    for number, of_type in enumerate(("ps", "worker")):
        pods[of_type].expect_creations(1)
        pods[of_type].created(of_type, version=5 + number, seen=0)
    pods.caught_up(5)
    assert (pods["ps"].met(), pods["worker"].met()) == (True, False)
    assert pods.expires_in_s() == EXPIRY_S + 1
    monkeypatch.setattr(clock, "steady", lambda: began + EXPIRY_S + 1)
    pods.expire(seen=6)
    assert pods.met()


@pytest.mark.parametrize(
    ("told", "looks", "expected"),
    [
        pytest.param(None, [NOW], None, id="it has not ended"),
        pytest.param(NOW - 5, [NOW, NOW + 60], NOW - 5, id="in the past: as told"),
        pytest.param(NOW + 3600, [NOW], NOW, id="in the future: now"),
        pytest.param(NOW + 3600, [NOW, NOW + 60, NOW + 4000], NOW, id="in the future: the first look"),
    ],
)
def test_no_pod_has_ended_later_than_it_was_seen_to(
    told: float | None, looks: list[float], expected: float | None
) -> None:
    memory, it = Memory(), pod("Failed", finish_time=told)
    assert [memory.as_seen(it, look).finish_time for look in looks] == [expected] * len(looks)


def test_a_key_is_never_worked_on_twice_at_once_and_no_wish_is_lost() -> None:
    async def scenario() -> None:
        queue: WorkQueue[str] = WorkQueue()
        queue.add("a")
        queue.add("a")
        assert await queue.get() == "a"
        queue.add("a")
        queue.add("b")
        assert await queue.get() == "b"
        with pytest.raises(TimeoutError):
            await within(1000, queue.get())
        queue.done("a")
        assert await queue.get() == "a"

    run(scenario())


def test_of_several_delays_the_earliest_counts_once() -> None:
    async def scenario() -> None:
        queue: WorkQueue[str] = WorkQueue()
        for delay_s in (5.0, 2.0, 4.0):
            queue.add_after("a", delay_s)
        assert await queue.get() == "a"
        assert passed_s() == 2
        queue.done("a")
        with pytest.raises(TimeoutError):
            await within(1000, queue.get())

    run(scenario())


def test_failures_of_a_key_delay_it_more_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    delays: list[float] = []
    queue: WorkQueue[str] = WorkQueue()
    monkeypatch.setattr(queue, "add_after", lambda _, delay_s: delays.append(delay_s))
    for _ in range(8):
        queue.add_rate_limited("a")
    queue.forget("a")
    queue.add_rate_limited("a")
    assert delays == [1, 2, 4, 8, 16, 32, 60, 60, 1]


def test_events_of_one_reason_are_cut_off_after_25_and_others_are_not() -> None:
    subject = _Subject()
    assert [subject.allows("SuccessfulCreate", 0.0) for _ in range(26)] == [True] * 25 + [False]
    assert subject.allows("Completed", 0.0)
    assert subject.allows("SuccessfulCreate", 300.0)


def test_more_than_10_messages_of_one_reason_are_combined() -> None:
    subject = _Subject()
    combined = [subject.combined("Normal", "R", f"m{i}", 0.0) for i in range(12)]
    assert combined == [False] * 10 + [True] * 2
    assert not subject.combined("Normal", "R", "m0", 0.0)


def test_pods_are_found_by_owner_and_follow_a_change_of_owner() -> None:
    index: OwnedIndex[Pod] = OwnedIndex()
    owned = pod()
    index.change(None, owned)
    assert index.owned_by(OWNER.uid) == [owned]
    loose = pod(uid=owned.uid, controller=None)
    index.change(owned, loose)
    assert index.owned_by(OWNER.uid) == []
    assert index.without_controller("ns") == [loose]
    index.change(loose, None)
    assert index.without_controller("ns") == []


def test_jobs_are_found_by_uid_and_namespace() -> None:
    index: UidIndex[Job] = UidIndex()
    known = job()
    index.change(None, known)
    assert index.get(known.uid) == known
    assert index.of("ns") == [known]
    index.change(known, None)
    assert index.get(known.uid) is None
    assert index.of("ns") == []


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"message": "no"}'])
def test_an_error_reply_of_any_form_is_understood(body: bytes) -> None:
    assert api_error(409, body).conflict


def test_a_terminating_namespace_is_recognised() -> None:
    body = b'{"message": "m", "details": {"causes": [{"reason": "NamespaceTerminating"}]}}'
    assert api_error(403, body).namespace_terminating


KUBECONFIG = """
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1/"}}]
users: [{name: u, user: {token: secret}}]
contexts: [{name: x, context: {cluster: c, user: u}}, {name: y, context: {cluster: c}}]
current-context: CONTEXT
"""


@pytest.mark.parametrize(("context", "headers"), [("x", {"Authorization": "Bearer secret"}), ("y", {})])
def test_a_kubeconfig_names_server_and_credentials(
    tmp_path: Path, context: str, headers: dict[str, str]
) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(KUBECONFIG.replace("CONTEXT", context))
    server = load(path)
    assert (server.url, server.headers, server.tls) == ("http://127.0.0.1:1", headers, None)


@pytest.mark.parametrize("text", [None, "", "]", "{}", KUBECONFIG.replace("CONTEXT", "z")])
def test_an_unusable_kubeconfig_is_reported(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "kubeconfig"
    if text is not None:
        path.write_text(text)
    with pytest.raises(KubeconfigError, match="kubeconfig"):
        load(path)


def test_a_key_that_is_due_at_once_keeps_no_other_waiting() -> None:
    """The loop of uvloop gives a handle without a time for what is due already."""

    async def both() -> list[str]:
        queue: WorkQueue[str] = WorkQueue()
        queue.add_after("now", 1e-9)
        queue.add_after("soon", 1e-3)
        return [await queue.get(), await queue.get()]

    assert uvloop.run(both()) == ["now", "soon"]
