"""Facts about deadlines and the time to live: by whose clock they are judged, and when they are met."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from histories import Story, condition, story, time_of_day

from batchproof.profiles.job.facts.deadlines import (
    deadline_not_early,
    deadline_punctual,
    deadline_took_effect,
    failed_by_deadline,
)
from batchproof.profiles.job.facts.deletion import (
    deleted_in_foreground,
    deleted_safely,
    deletion_not_early,
    job_deleted,
)

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

A = {"job": "a"}
REASON, MESSAGE = "DeadlineExceeded", "Job was active longer than specified deadline"
PUNCTUAL = deadline_punctual(job="a", slack=3, scale=1)
UID = {"preconditions": {"uid": "uid-a"}}


def decided(
    *,
    start: int = 0,
    told_at: int = 2,
    told: float | None = None,
    told_again: float | None = None,
    deleted: float | None = None,
    stored_at: float = 2.0,
    deadline_s: int | None = 2,
) -> Story:
    """A Job whose end by the deadline is decided: when it says so itself, and when that was stored.

    Also when the status was asked for (``told``), and a deletion of its pod (``deleted``), where they are.
    """
    history = story().act("creates Job a").job("a", activeDeadlineSeconds=deadline_s).pod("a-1")
    if deleted is not None:
        history.at(deleted).write("delete", "pods", "a-1")
    for at in filter(None, (told, told_again)):
        history.at(at).write("update", "jobs", "a", subresource="status")
    target = condition("FailureTarget", REASON, MESSAGE, at=told_at)
    return history.at(stored_at).status("a", target, startTime=time_of_day(start))


def late(ready_at: float, *, started: int = 2) -> Story:
    """A controller that is started again, and decides 9 s after the story began on a deadline of 2 s."""
    history = story().act("creates Job a").process(started, "started")
    return past_its_deadline(history.at(ready_at).process(2, "ready"))


def past_its_deadline(history: Story) -> Story:
    """A Job with a deadline of 2 s ends by it 9 s after the story began."""
    history.job("a", activeDeadlineSeconds=2).at(9)
    return history.status("a", condition("FailureTarget", REASON, at=9), startTime=time_of_day(0))


@examples(
    [
        pytest.param(deadline_took_effect(**A), decided(), True, id="a target is an effect"),
        pytest.param(
            deadline_took_effect(**A),
            *(story().job("a").status("a", condition("FailureTarget", "BackoffLimitExceeded")), False),
            id="a target for another reason is none",
        ),
        pytest.param(
            deadline_took_effect(**A), decided(deadline_s=None), False, id="a Job without a deadline"
        ),
        pytest.param(
            failed_by_deadline(**A),
            *(story().job("a").status("a", condition("Failed", REASON, MESSAGE)), True),
            id="failed with reason and message",
        ),
        pytest.param(
            failed_by_deadline(**A),
            *(story().job("a").status("a", condition("Failed", REASON, "too slow")), True),
            id="failed with other words",
        ),
        pytest.param(failed_by_deadline(**A), decided(), False, id="the target alone is no end"),
        pytest.param(deadline_not_early(**A), decided(told_at=2), True, id="at the second it is due"),
        pytest.param(deadline_not_early(**A), decided(told_at=1), False, id="a second early"),
        pytest.param(
            deadline_not_early(**A),
            decided(start=5, told_at=6),
            False,
            id="early, counted from a later start",
        ),
        pytest.param(
            deadline_not_early(**A), decided(deadline_s=2**63 - 1), False, id="before the last year is over"
        ),
        pytest.param(deadline_not_early(**A), story().job("a"), False, id="not yet"),
        pytest.param(PUNCTUAL, decided(stored_at=5.9), True, id="within the slack, counted in whole seconds"),
        pytest.param(PUNCTUAL, decided(stored_at=6.5), False, id="after the slack"),
        pytest.param(PUNCTUAL, decided(told=5.9, stored_at=6.5), True, id="told in time, and stored later"),
        pytest.param(PUNCTUAL, decided(deleted=5.9, stored_at=6.5), True, id="pods deleted first, in time"),
        pytest.param(
            PUNCTUAL, decided(deleted=1.0, stored_at=6.5), False, id="pods deleted for some other reason"
        ),
        pytest.param(PUNCTUAL, story().job("a"), False, id="never"),
        pytest.param(
            PUNCTUAL,
            *(
                decided(told=2.5, stored_at=9.0).at(10).write("update", "jobs", "a", subresource="status"),
                True,
            ),
            id="asked for in time, stored late, and written again",
        ),
        pytest.param(
            PUNCTUAL,
            *(decided(told=2.5, told_again=6.4, stored_at=6.5), False),
            id="an earlier write of the status was about something else",
        ),
        pytest.param(PUNCTUAL, late(7.0), True, id="a process that was down has the slack anew"),
        pytest.param(PUNCTUAL, late(3.0), False, id="after the slack of a process that was down"),
        pytest.param(
            PUNCTUAL,
            late(7.0, started=1),
            False,
            id="another process was started than is ready",
        ),
        pytest.param(
            PUNCTUAL,
            *(past_its_deadline(story().process(1, "ready").act("creates Job a")), False),
            id="a process that was ready before the scenario has no other slack",
        ),
    ],
)
def test_a_fact_about_the_deadline(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


# -- the time to live


def ended(at: int = 1, ttl_s: int | None = 2) -> Story:
    """A Job that is complete since a time of day."""
    history = story().job("a", **({} if ttl_s is None else {"ttlSecondsAfterFinished": ttl_s}))
    return history.status("a", condition("Complete", at=at))


def deleted(body: object, *finalizers: str) -> Story:
    """A Job that the implementation deletes with this body."""
    return ended().write("delete", "jobs", "a", body=body).deleting("jobs", "a", *finalizers)


def asked_to_delete(history: Story, body: object) -> Story:
    """The deletion of the Job is asked for once more."""
    return history.write("delete", "jobs", "a", body=body)


def background(at: float) -> Story:
    """A Job that the implementation deletes at that time, and that is seen gone, as it was, much later."""
    history = ended().act("1 pod succeeds").at(at).write("delete", "jobs", "a", body=UID)
    return history.at(9).gone("jobs", "a")


@examples(
    [
        pytest.param(job_deleted(**A), ended().deleting("jobs", "a"), True, id="being deleted"),
        pytest.param(job_deleted(**A), ended().gone("jobs", "a"), True, id="gone"),
        pytest.param(job_deleted(**A), ended(), False, id="still there"),
        pytest.param(job_deleted(**A), story(), False, id="never there"),
        pytest.param(
            deletion_not_early(**A), ended().at(3.2).deleting("jobs", "a"), True, id="when it is due"
        ),
        pytest.param(
            deletion_not_early(**A), ended().at(2.2).deleting("jobs", "a"), False, id="a second early"
        ),
        pytest.param(
            deletion_not_early(**A), ended(ttl_s=None).at(9).deleting("jobs", "a"), False, id="no TTL"
        ),
        pytest.param(
            deletion_not_early(**A),
            *(story().job("a", ttlSecondsAfterFinished=0).deleting("jobs", "a"), False),
            id="not finished",
        ),
        pytest.param(deletion_not_early(**A), ended(), False, id="not deleted"),
        pytest.param(deleted_safely(**A), deleted(UID, "foregroundDeletion"), True, id="safely"),
        pytest.param(
            deleted_safely(**A), deleted(None, "foregroundDeletion"), True, id="a body nobody can read"
        ),
        pytest.param(deleted_safely(**A), deleted(UID), True, id="safely in the background"),
        pytest.param(
            deleted_safely(**A),
            *(deleted({"preconditions": {"resourceVersion": "102"}}), True),
            id="with a version of this Job",
        ),
        pytest.param(
            deleted_safely(**A),
            *(deleted({"preconditions": {"resourceVersion": "99"}}), False),
            id="with another version",
        ),
        pytest.param(
            deletion_not_early(**A),
            *(ended().act("s").at(2.2).write("delete", "jobs", "a").at(3.2).deleting("jobs", "a"), True),
            id="asked for early, and deleted when it is due",
        ),
        pytest.param(
            deleted_safely(**A),
            *(ended().write("delete", "jobs", "a", body=UID).gone("jobs", "a"), True),
            id="safely, and gone at once",
        ),
        pytest.param(
            deleted_in_foreground(**A), deleted(UID, "foregroundDeletion"), True, id="in the foreground"
        ),
        pytest.param(deleted_in_foreground(**A), deleted(UID), False, id="in the background"),
        pytest.param(
            deletion_not_early(**A), background(at=3.0), True, id="in the background when it is due"
        ),
        pytest.param(
            deletion_not_early(**A), background(at=2.2), False, id="in the background a second early"
        ),
        pytest.param(
            deleted_safely(**A), deleted({}, "foregroundDeletion"), False, id="without a precondition"
        ),
        pytest.param(
            deleted_safely(**A),
            *(deleted({"preconditions": {"uid": "uid-b"}}, "foregroundDeletion"), False),
            id="with the UID of another Job",
        ),
        pytest.param(
            deleted_safely(**A),
            *(asked_to_delete(deleted({}, "foregroundDeletion"), UID), False),
            id="the first request counts",
        ),
        pytest.param(
            deleted_safely(**A),
            *(asked_to_delete(deleted(UID, "foregroundDeletion"), {}), True),
            id="a later request counts for nothing",
        ),
        pytest.param(
            deleted_safely(**A),
            *(ended().deleting("jobs", "a", "foregroundDeletion"), False),
            id="by somebody else",
        ),
    ],
)
def test_a_fact_about_deletion(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding
