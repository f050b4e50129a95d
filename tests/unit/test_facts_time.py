"""Facts about deadlines and the time to live: by whose clock they are judged, and when they are met."""

from __future__ import annotations

from fact_examples import examples, no, yes
from histories import Story, condition, story, time_of_day

from batchproof.judgement.facts import FactCall
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

A = {"job": "a"}
REASON, MESSAGE = "DeadlineExceeded", "Job was active longer than specified deadline"
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
    deadline_took_effect(**A),
    yes("a target is an effect", decided()),
    no("a target for another reason is none"),
    story().job("a").status("a", condition("FailureTarget", "BackoffLimitExceeded")),
    no("a Job without a deadline", decided(deadline_s=None)),
    failed_by_deadline(**A),
    yes("failed with reason and message", story().job("a").status("a", condition("Failed", REASON, MESSAGE))),
    yes("failed with other words", story().job("a").status("a", condition("Failed", REASON, "too slow"))),
    no("the target alone is no end", decided()),
    deadline_not_early(**A),
    yes("at the second it is due", decided(told_at=2)),
    no("a second early", decided(told_at=1)),
    no("early, counted from a later start", decided(start=5, told_at=6)),
    no("before the last year is over", decided(deadline_s=2**63 - 1)),
    no("not yet", story().job("a")),
    deadline_punctual(job="a", slack=3, scale=1),
    yes("within the slack, counted in whole seconds", decided(stored_at=5.9)),
    no("after the slack", decided(stored_at=6.5)),
    yes("told in time, and stored later", decided(told=5.9, stored_at=6.5)),
    yes("pods deleted first, in time", decided(deleted=5.9, stored_at=6.5)),
    no("pods deleted for some other reason", decided(deleted=1.0, stored_at=6.5)),
    no("never", story().job("a")),
    yes("asked for in time, stored late, and written again"),
    decided(told=2.5, stored_at=9.0).at(10).write("update", "jobs", "a", subresource="status"),
    no("an earlier write of the status was about something else"),
    decided(told=2.5, told_again=6.4, stored_at=6.5),
    yes("a process that was down has the slack anew", late(7.0)),
    no("after the slack of a process that was down", late(3.0)),
    no("another process was started than is ready", late(7.0, started=1)),
    no("a process that was ready before the scenario has no other slack"),
    past_its_deadline(story().process(1, "ready").act("creates Job a")),
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
    job_deleted(**A),
    yes("being deleted", ended().deleting("jobs", "a")),
    yes("gone", ended().gone("jobs", "a")),
    no("still there", ended()),
    no("never there", story()),
    deletion_not_early(**A),
    yes("when it is due", ended().at(3.2).deleting("jobs", "a")),
    no("a second early", ended().at(2.2).deleting("jobs", "a")),
    no("no TTL", ended(ttl_s=None).at(9).deleting("jobs", "a")),
    no("not finished", story().job("a", ttlSecondsAfterFinished=0).deleting("jobs", "a")),
    no("not deleted", ended()),
    deleted_safely(**A),
    yes("safely", deleted(UID, "foregroundDeletion")),
    yes("a body that cannot be read", deleted(None, "foregroundDeletion")),
    yes("safely in the background", deleted(UID)),
    yes("with a version of this Job", deleted({"preconditions": {"resourceVersion": "102"}})),
    no("with another version", deleted({"preconditions": {"resourceVersion": "99"}})),
    deletion_not_early(**A),
    yes("asked for early, and deleted when it is due"),
    ended().act("s").at(2.2).write("delete", "jobs", "a").at(3.2).deleting("jobs", "a"),
    deleted_safely(**A),
    yes("safely, and gone at once", ended().write("delete", "jobs", "a", body=UID).gone("jobs", "a")),
    deleted_in_foreground(**A),
    yes("in the foreground", deleted(UID, "foregroundDeletion")),
    no("in the background", deleted(UID)),
    deletion_not_early(**A),
    yes("in the background when it is due", background(at=3.0)),
    no("in the background a second early", background(at=2.2)),
    deleted_safely(**A),
    no("without a precondition", deleted({}, "foregroundDeletion")),
    no("with the UID of another Job", deleted({"preconditions": {"uid": "uid-b"}}, "foregroundDeletion")),
    no("the first request counts", asked_to_delete(deleted({}, "foregroundDeletion"), UID)),
    yes("a later request counts for nothing", asked_to_delete(deleted(UID, "foregroundDeletion"), {})),
    no("by somebody else", ended().deleting("jobs", "a", "foregroundDeletion")),
)
def test_a_fact_about_deletion(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding
