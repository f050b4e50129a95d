from __future__ import annotations

from typing import Any

import pytest
from cause_examples import said, said_after
from histories import Story, headed_story

from batchproof.judgement.finding import Moment
from batchproof.judgement.timeline import WAITED
from batchproof.report.cause_and_effect import sentence
from batchproof.report.records import UnmetClaim

CREATED = "a-3 was created while 2 pods of Job a were active, its parallelism was 2"


CELL = "bp-0123ab-gw0-12-"


def adds_queue(capability: int | None) -> Story:
    told = headed_story().node("n-1", "9")
    return told.act("adds queue q", queue="q", weight=1, capability=capability)


def job() -> Story:
    return headed_story().job("a", parallelism=2, completions=2)


@pytest.mark.parametrize(
    ("told", "effect"),
    [
        (
            job().pod("a-1").succeeds("a-1").released("a-1").status("a", recorded=("a-1",)),
            "The finalizer of a-1 was removed 0.100 s before its UID was recorded.",
        ),
        (
            job().pod("a-1").succeeds("a-1").released("a-1").act("the end"),
            "The finalizer of a-1 was removed, and its UID is recorded nowhere in the history.",
        ),
        (
            job().pod("a-1").runs("a-1").released("a-1"),
            "The finalizer of a-1 was removed while it was Running.",
        ),
        (job().pod("a-1").succeeds("a-1").status("a", recorded=("a-1",)).released("a-1"), ""),
        (
            job().pods("a-1", "a-2").fault(1, "fired", "a reply is lost").pod("a-3"),
            f"{CREATED}, 0.100 s after a fault was triggered: a reply is lost.",
        ),
        (
            job().pods("a-1", "a-2").fault(1, "fired", "long ago").at(9).pod("a-3"),
            f"{CREATED}.",
        ),
        (job().pod("a-1").pod("a-2"), ""),  # one that it may have is no cause of anything
        (headed_story().pod("b-1", of=None), ""),
        (
            headed_story().node("n-1").gang("a", 3).members("a-0", "a-1").bound("n-1", "a-0"),
            (
                "a-0 was bound to n-1 when gang a had 2 pods, 0 of them bound, and its minimum was 3, with "
                "room for 2 of those not bound."
            ),
        ),
        (
            headed_story()
            .node("n-1")
            .gang("a", 2)
            .members("a-0", "a-1")
            .bound("n-1", "a-0")
            .deleting("pods", "a-0"),
            (
                "a-0 was deleted while it was Pending on n-1 and gang a had 2 pods, 1 of them bound, and its "
                "minimum was 2."
            ),
        ),
        (
            headed_story().node("n-1").gang("a", 2).members("a-0", "a-1").deleting("pods", "a-0"),
            "",
        ),
        (headed_story().pod("b-1", of=None).bound("n-1", "b-1").gone("pods", "b-1"), ""),
        (
            job().pods("a-1", "a-2").succeeds("a-1").complete("a", succeeded=2),
            (
                "Job a became SuccessCriteriaMet and Complete when it had 2 pods (1 Succeeded, 1 Pending), "
                "with completions 2."
            ),
        ),
        (headed_story().act("something"), ""),
        (headed_story().process(1, "started", "ready", "killed"), "Process 1 killed."),
        (
            headed_story().fault(1, "fired", "the process is killed").process(1, "exited by itself"),
            "Process 1 exited by itself, 0.100 s after a fault was triggered: the process is killed.",
        ),
        (
            adds_queue(2).members("a-0", "a-1", "a-2", queue="q").bound("n-1", "a-0", "a-1", "a-2"),
            (
                "a-2 was bound to n-1 when the bound pods of queue q requested 3 CPUs with it, of a "
                "capability of 2 CPUs."
            ),
        ),
        (adds_queue(3).members("a-0", "a-1", of="b", queue="q").bound("n-1", "a-0", "a-1"), ""),
        (adds_queue(None).members("a-0", "a-1", of="b", queue="q").bound("n-1", "a-0", "a-1"), ""),
        (
            headed_story().node(f"{CELL}node-1").gang("a", 1).member("a-0").bound(f"{CELL}node-1", "a-0"),
            (
                "a-0 was bound to node-1 when gang a had 1 pod, 0 of them bound, and its minimum was 1, with "
                "room for 1 of those not bound."
            ),
        ),
    ],
)
def test_the_record_that_decides_says_what_happened(told: Story, effect: str) -> None:
    last = len(told.records) - 1
    before = {"0.100 s before": 1, "nowhere": 1}
    back = next((number for words, number in before.items() if words in effect), 0)
    assert said(told, last - back) == effect


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (500, "; the write that records it was answered with 500, 0.200 s later"),
        (0, "; the write that records it had no reply, 0.200 s later"),
        (200, ""),
    ],
)
def test_a_release_says_what_became_of_the_write_that_records_the_pod(status: int, answer: str) -> None:
    body = {"status": {"uncountedTerminatedPods": {"succeeded": ["uid-a-1"]}}}
    told = job().pod("a-1").succeeds("a-1").released("a-1")
    place = len(told.records) - 1
    told = told.asks("update", "jobs", "a", subresource="status", body=body).answered(status)
    assert said(told, place) == (
        f"The finalizer of a-1 was removed, and its UID is recorded nowhere in the history{answer}."
    )


def test_where_the_last_change_decides_a_wait_in_vain_it_is_not_told_twice() -> None:
    told = job().pods("a-1", "a-2", "a-3").act("the end")
    change, over = (
        Moment(told.records[4].at_s, "pod/a-3", "ADDED", here=True, record=4),
        Moment(9.0, WAITED, "not so after 6 s", here=True, record=5),
    )
    unmet = UnmetClaim("FIN-004", "", "Job a has 2 pods", "", timeline=(change, over))
    assert sentence(told.records, unmet) == (
        f"+0.400 s: {CREATED}. That was still so at the end of the wait of 6 s: the last change was pod/a-3 "
        "ADDED, 8.6 s before."
    )


WAIT = "At the end of the wait of 6 s"
BEFORE = "the last change was pod/a-1 MODIFIED, 5.0 s before"


def two_jobs() -> Story:
    return job().job("b", parallelism=1).pod("a-1").succeeds("a-1")


@pytest.mark.parametrize(
    ("told", "expected", "arguments", "effect"),
    [
        (
            job().status("a", succeeded=1, active=1).pod("a-1").succeeds("a-1"),
            "some pod has been counted",
            {},
            (
                f"{WAIT} Job a (parallelism 2, completions 2) had 1 pod (Succeeded) and the status active=1 "
                f"succeeded=1; {BEFORE}."
            ),
        ),
        (
            two_jobs(),
            "Job b has 1 active pod",
            {"job": "b"},
            f"{WAIT} Job b (parallelism 1) had no pods and an empty status; {BEFORE}.",
        ),
        (
            two_jobs(),
            "Job a and Job b are done",
            {"jobs": ["a", "b"]},
            (
                f"{WAIT} Job a (parallelism 2, completions 2) had 1 pod (Succeeded) and an empty status "
                f"and Job b (parallelism 1) had no pods and an empty status; {BEFORE}."
            ),
        ),
        (two_jobs(), "some pod has been counted", {}, f"{WAIT} {BEFORE}."),
        (
            job().gone("jobs", "a"),
            "Job a still exists",
            {"job": "a"},
            f"{WAIT} there was no Job; the last change was job/a DELETED, 5.0 s before.",
        ),
        (
            job().owned("a", by="b", resource="jobs"),
            "Job a still exists",
            {"job": "a"},
            f"{WAIT} the last change was job/a MODIFIED, 5.0 s before.",
        ),
        (
            headed_story()
            .act("adds queue q", queue="q", weight=1)
            .member("a-0", queue="q")
            .bound("n-1", "a-0"),
            "queue q has 2 CPUs",
            {"queue": "q", "cpus": "2"},
            (
                f"{WAIT} the bound pods of queue q requested 1 CPU; the last change was pod/a-0 MODIFIED, "
                "5.0 s before."
            ),
        ),
        (
            headed_story().node("n-1", "1").gang("a", 3).members("a-0", "a-1", "a-2").bound("n-1", "a-0"),
            "3 pods of gang a are bound",
            {"gang": "a", "count": 3},
            (
                f"{WAIT} gang a had 3 pods (1 bound, 2 not bound) and the minimum 3, with room for 0 of "
                "those not bound; the last change was pod/a-0 MODIFIED, 5.0 s before."
            ),
        ),
    ],
)
def test_a_wait_in_vain_says_what_was_at_its_end(
    told: Story, expected: str, arguments: dict[str, Any], effect: str
) -> None:
    assert said_after(told, expected, **arguments) == effect


def test_a_wait_in_vain_says_what_was_requested_since_the_last_change() -> None:
    told = job().pod("a-1").write("patch", "pods", "a-1").succeeds("a-1")
    assert said_after(told, "").endswith(f"{BEFORE}, and no write was requested after it.")
    told = told.asks("list", "pods").write("patch", "pods", "a-1").write("patch", "leases", "a")
    assert said_after(told, "").endswith("5.5 s before, and 1 write was requested after it.")
    told = told.write("update", "jobs", "a", subresource="status")
    assert said_after(told, "").endswith("5.7 s before, and 2 writes were requested after it.")


def test_nothing_is_said_of_a_wait_in_which_all_changes_until_its_end() -> None:
    over = Moment(1.0, WAITED, "not so after 6 s", here=True)
    told = headed_story().pod("b-1", of=None)
    assert not sentence(told.records, UnmetClaim("BAS-013", "", "", "", timeline=(over,)))
    assert not sentence(told.records, UnmetClaim("BAS-013", "", "", ""))
