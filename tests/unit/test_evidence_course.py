"""What no recording would have: replies that are not what was stored, waits that were not over."""

from __future__ import annotations

from typing import Any

import pytest
from histories import story

from batchproof.evidence.course import course
from batchproof.ground.resources import EVENTS, PODS
from batchproof.judgement.claims import Claim, always, eventually
from batchproof.judgement.history import Change, Ended, Entry, HistoryHeader, Record, Reply, Request
from batchproof.profiles.job.facts.jobs import job_complete

_ENDING = {"deletionTimestamp": "2026-11-27T04:32:00Z", "deletionGracePeriodSeconds": 0}
_REFUSED = ("request 1 was answered with another pod/a than was recorded",)


def _pod(message: str, **metadata: Any) -> dict[str, Any]:
    named = {"name": "a", "namespace": "bp", "uid": "uid-a", "resourceVersion": "7", **metadata}
    conditions = [{"type": "PodScheduled", "status": "False", "message": message}]
    return {"metadata": named, "spec": {}, "status": {"conditions": conditions}}


def _said(stored: dict[str, Any], replied: dict[str, Any]) -> tuple[str, ...]:
    asked = Request(1, "patch", PODS, "status", "bp", "a", {}, "scheduler/1", 0)
    entries: tuple[Entry, ...] = (
        HistoryHeader(),
        asked,
        Change("MODIFIED", PODS, stored),
        Reply(1, 200, effect=True, fault="", body=replied),
        Ended(),
    )
    return tuple(course([Record(number, number * 0.1, entry) for number, entry in enumerate(entries)]))


@pytest.mark.parametrize(
    ("stored", "replied", "expected"),
    [
        pytest.param(_pod("no room"), _pod("no room"), (), id="what was written"),
        pytest.param(_pod("no room"), _pod("no group"), _REFUSED, id="something else"),
        pytest.param(
            _pod("no room", **_ENDING), _pod("no group", **_ENDING), (), id="a write that removes the pod"
        ),
        pytest.param(
            _pod("no room", **{**_ENDING, "deletionGracePeriodSeconds": 30}),
            _pod("no group", **_ENDING),
            _REFUSED,
            id="a pod whose grace is not over",
        ),
        pytest.param(
            _pod("no room", **_ENDING, finalizers=["x/y"]),
            _pod("no group", **_ENDING, finalizers=["x/y"]),
            _REFUSED,
            id="a pod that a finalizer holds",
        ),
    ],
)
def test_a_reply_is_what_was_stored(
    stored: dict[str, Any], replied: dict[str, Any], expected: tuple[str, ...]
) -> None:
    assert _said(stored, replied) == expected


def _event(revision: int) -> dict[str, Any]:
    return {"metadata": {"name": "a.1", "namespace": "bp", "uid": "uid-a", "resourceVersion": str(revision)}}


@pytest.mark.parametrize(
    ("seen", "refused"),
    [
        pytest.param((6,), False, id="the recorder had not come to it"),
        pytest.param((6, 7), False, id="it was recorded"),
        pytest.param((6, 8), True, id="the recorder has seen a newer one"),
    ],
)
def test_the_last_events_may_be_missing_for_the_end_does_not_wait_for_them(
    seen: tuple[int, ...], refused: bool
) -> None:
    entries: tuple[Entry, ...] = (
        HistoryHeader(),
        *(Change("MODIFIED", EVENTS, _event(revision)) for revision in seen),
        Request(1, "patch", EVENTS, "", "bp", "a.1", {}, "controller/1", 0),
        Reply(1, 200, effect=True, fault="", body=_event(7)),
        Ended(),
    )
    found = tuple(course([Record(number, number * 0.1, entry) for number, entry in enumerate(entries)]))
    lacks = "the history lacks what request 1 has written (patch event/a.1)"
    assert found == ((lacks,) if refused else ())


AWAITED = eventually(job_complete(job="a", succeeded=1)).scaled(1.0, "BAS-001")
WATCHED = always(job_complete(job="a", succeeded=1)).scaled(1.0, "BAS-001")
UNASKED = ("claim 1 says that there was no processor, but was closed within its limit",)


@pytest.mark.parametrize(
    ("claim", "after_s", "starved_s", "expected"),
    [
        pytest.param(AWAITED, AWAITED.limit_s + 1, 3.0, (), id="its limit is over"),
        pytest.param(AWAITED, AWAITED.limit_s - 1, 3.0, UNASKED, id="its limit is not over"),
        pytest.param(AWAITED, AWAITED.limit_s - 1, 0.0, (), id="there was a processor"),
        pytest.param(AWAITED, AWAITED.limit_s + 1, -3.0, UNASKED, id="less than no time"),
        pytest.param(WATCHED, 60.0, 3.0, UNASKED, id="nothing is waited for"),
    ],
)
def test_that_there_was_no_processor_is_only_asked_of_what_is_late(
    claim: Claim, after_s: float, starved_s: float, expected: tuple[str, ...]
) -> None:
    told = story().claims(1, claim).at(after_s).closes(1, starved_s)
    assert tuple(course(told.records)) == expected
