"""Faults as data: which requests they strike, when, how often, and which of several does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchproof.ground.resources import EVENTS, JOBS, PODS
from batchproof.judgement.faults import (
    Armed,
    Call,
    Cut,
    Fault,
    FaultAnswer,
    FaultTable,
    On,
    answer,
    conflict,
    namespace_terminating,
    quota_exceeded,
)

CREATE_POD = Call("create", PODS, namespace="n")
PATCH_POD = Call("patch", PODS, namespace="n", name="a-1")
STATUS = Call("update", JOBS, "status", "n", "a")
SPEC = Call("update", JOBS, "", "n", "a")
LIST_PODS = Call("list", PODS)
EVENT = Call("create", EVENTS, namespace="n")


@pytest.mark.parametrize(
    ("on", "call", "strikes"),
    [
        pytest.param(On(), CREATE_POD, True, id="any write"),
        pytest.param(On(), STATUS, True, id="any write, also of a subresource"),
        pytest.param(On(), LIST_PODS, False, id="no read unless it is named"),
        pytest.param(On(PODS, frozenset({"list"})), LIST_PODS, True, id="a read that is named"),
        pytest.param(On(PODS, frozenset({"list"})), CREATE_POD, False, id="no other verb than the named"),
        pytest.param(On(PODS), SPEC, False, id="no other resource than the named"),
        pytest.param(On(JOBS, subresource="status"), STATUS, True, id="the subresource that is named"),
        pytest.param(On(JOBS, subresource="status"), SPEC, False, id="not the resource itself then"),
        pytest.param(On(JOBS), STATUS, False, id="no subresource where only the resource is named"),
        pytest.param(On(PODS, name="a-1"), PATCH_POD, True, id="the object that is named"),
        pytest.param(On(PODS, name="a-2"), PATCH_POD, False, id="no other object than the named"),
        pytest.param(On(PODS, name="a-1"), CREATE_POD, False, id="no creation where an object is named"),
        pytest.param(On(ignoring=frozenset({EVENTS})), EVENT, False, id="nothing that is ignored"),
        pytest.param(On(ignoring=frozenset({EVENTS})), STATUS, True, id="all that is not ignored"),
    ],
)
def test_a_fault_strikes(on: On, call: Call, *, strikes: bool) -> None:
    assert on.matches(call) == strikes


def struck(fault: Fault, requests: int) -> list[int]:
    """Which of this many matching requests trigger a fault, counted from 1."""
    armed = Armed(1, fault)
    return [number for number in range(1, requests + 1) if armed.strikes(CREATE_POD)]


@pytest.mark.parametrize(
    ("skip", "times", "every", "strikes"),
    [
        pytest.param(0, None, 1, [1, 2, 3, 4, 5, 6, 7], id="all while it lasts"),
        pytest.param(0, 2, 1, [1, 2], id="the first two"),
        pytest.param(2, 1, 1, [3], id="the third only"),
        pytest.param(0, None, 3, [3, 6], id="each third"),
        pytest.param(1, None, 3, [4, 7], id="each third after the first"),
        pytest.param(1, 2, 2, [3, 5], id="two, each second one after the first"),
        pytest.param(9, None, 1, [], id="none before those that are skipped"),
    ],
)
def test_a_fault_strikes_in_its_turn(skip: int, times: int | None, every: int, strikes: list[int]) -> None:
    assert struck(Fault("f", On(), Cut(), skip=skip, times=times, every=every), 7) == strikes


@given(
    skip=st.integers(0, 5),
    times=st.none() | st.integers(0, 5),
    every=st.integers(1, 4),
    requests=st.integers(0, 30),
)
def test_a_fault_never_strikes_too_early_nor_too_often(
    skip: int, times: int | None, every: int, requests: int
) -> None:
    strikes = struck(Fault("f", On(), Cut(), skip=skip, times=times, every=every), requests)

    due = max(0, requests - skip) // every
    assert len(strikes) == (due if times is None else min(times, due))
    assert all(number > skip for number in strikes)


def test_requests_that_do_not_match_are_not_counted() -> None:
    armed = Armed(1, Fault("the second creation", On(PODS, frozenset({"create"})), Cut(), skip=1))

    assert [armed.strikes(call) for call in (CREATE_POD, STATUS, LIST_PODS, CREATE_POD)] == [
        False,
        False,
        False,
        True,
    ]
    assert (armed.seen, armed.fired) == (2, 1)


# -- several faults


def decisions(table: FaultTable, requests: int) -> list[int | None]:
    armed = [table.decide(CREATE_POD) for _ in range(requests)]
    return [it.number if it else None for it in armed]


def test_the_oldest_fault_that_strikes_decides() -> None:
    table = FaultTable()
    table.arm(1, Fault("the second", On(), Cut(), skip=1, times=1))
    table.arm(2, Fault("all", On(), answer(500)))

    assert decisions(table, 3) == [2, 1, 2]


def test_a_request_that_one_fault_strikes_is_unseen_by_the_later_ones() -> None:
    table = FaultTable()
    table.arm(1, Fault("the first", On(), Cut(), times=1))
    table.arm(2, Fault("the second", On(), answer(500), skip=1))

    assert decisions(table, 4) == [1, None, 2, 2]


def test_a_lifted_fault_strikes_no_more_and_lifting_twice_is_no_error() -> None:
    table = FaultTable()
    table.arm(1, Fault("all", On(), Cut()))
    table.arm(2, Fault("all the same", On(), Cut()))

    table.lift(1)
    table.lift(1)

    assert decisions(table, 1) == [2]
    table.lift(2)
    assert decisions(table, 1) == [None]


# -- answers


def test_answers_have_the_reasons_of_the_api_server() -> None:
    assert (conflict("jobs.batch").status, conflict("jobs.batch").reason) == (409, "Conflict")
    assert "jobs.batch" in conflict("jobs.batch").message
    assert (quota_exceeded().status, quota_exceeded().reason) == (403, "Forbidden")
    assert namespace_terminating().cause == "NamespaceTerminating"
    assert answer(429, retry_after_s=1) == FaultAnswer(
        429, "TooManyRequests", "batchproof answers with 429 on purpose", 1
    )


def test_no_fault_answers_with_a_status_that_means_nothing() -> None:
    with pytest.raises(KeyError):
        answer(418)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, "BadRequest"),
        (403, "Forbidden"),
        (404, "NotFound"),
        (409, "Conflict"),
        (410, "Expired"),
        (422, "Invalid"),
        (429, "TooManyRequests"),
        (500, "InternalError"),
        (503, "ServiceUnavailable"),
        (504, "Timeout"),
    ],
)
def test_an_answer_has_the_reason_that_the_api_server_gives_its_status(status: int, reason: str) -> None:
    assert answer(status).reason == reason
