"""Facts about what an implementation writes: batches, delays, versions, events, and its own restarts."""

from __future__ import annotations

from fact_examples import deciding, examples, no, yes
from histories import Story, story

from batchproof.judgement.facts import FactCall
from batchproof.judgement.facts.writes import (
    creation_batches,
    creation_delay_anew,
    creation_delays_double,
    creations_pause,
    faults_struck,
    implementation_runs,
    pods_untouched,
    works_on,
    written,
)
from batchproof.judgement.history import EXITED, WORKED_ON, Reply
from batchproof.profiles.job.facts.writes import (
    job_untouched,
    job_written,
    status_writes_few,
    status_writes_versioned,
)
from batchproof.profiles.shared.facts.events import event_once, event_repeated, event_starts, pods_have_events

A = {"job": "a"}
DONE = {"job": "a", "kind": "Normal", "reason": "Completed", "message": "Job completed"}
CREATED = {"job": "a", "kind": "Normal", "reason": "SuccessfulCreate", "what": "created"}
DELETED = {"job": "a", "kind": "Normal", "reason": "SuccessfulDelete", "what": "deleted"}


def batches(*sizes: int) -> Story:
    """Creations in batches: all of a batch are asked for before the first of it is answered."""
    history, call = story(), 0
    for size in sizes:
        for _ in range(size):
            history.asks("create", "pods")
        for _ in range(size):
            call += 1
            history.add(Reply(call, 201, effect=True, fault="", body=None))
    return history


def attempts(*times: float) -> Story:
    """Two creations at each of these times, all refused."""
    history = story()
    for at_s in times:
        history.at(at_s)
        for _ in range(2):
            history.asks("create", "pods").answered(500)
    return history


def refusals(*waits_s: float) -> Story:
    """Creations that are refused, each followed after so many seconds by one that is not."""
    history, at_s = story(), 0.0
    for wait_s in waits_s:
        history.at(at_s).asks("create", "pods").answered(500)
        at_s += wait_s
        history.at(at_s).write("create", "pods")
    return history


def status_write(body: object) -> Story:
    return story().write("update", "jobs", "a", subresource="status", body=body)


def deletion(name: str) -> Story:
    """A pod of the Job that the implementation deletes."""
    return story().job("a").pod(name).write("delete", "pods", name)


def refused_deletion() -> Story:
    """A pod that was gone already, and has an event of its deletion."""
    history = story().job("a").pod("a-1").asks("delete", "pods", "a-1").answered(404)
    return history.event("SuccessfulDelete", "Deleted pod: a-1")


def second_fails_first() -> Story:
    """Two creations are asked for, and the second is refused before the first."""
    told = story().at(1.0).asks("create", "pods").asks("create", "pods").answered(500)
    return told.at(2.0).add(Reply(1, 500, effect=False, fault="", body=None))


def again() -> Story:
    """A Job whose status was written is gone, and there is another one of its name."""
    told = story().job("a").write("update", "jobs", "a", subresource="status").gone("jobs", "a")
    return told.job("a")


def status_writes(*at_s: float) -> Story:
    """The status is written at these times."""
    told = story()
    for seconds in at_s:
        told.at(seconds).write("update", "jobs", "a", subresource="status", body={})
    return told


@examples(
    creation_batches(sizes=[1, 2, 4]),
    yes("batches that double", batches(1, 2, 4)),
    no("one batch of all", batches(7)),
    creation_batches(sizes=[1, 2]),
    no("one batch too many", batches(1, 2, 1)),
    creation_batches(sizes=[2]),
    yes("unanswered", story().asks("create", "pods").asks("create", "pods")),
    creations_pause(most=1, seconds=2),
    yes("a pause", story().asks("create", "pods").answered(500)),
    yes("creations after the pause"),
    story().asks("create", "pods").answered(500).at(3).asks("create", "pods"),
    no("creations within the pause"),
    story().asks("create", "pods").answered(500).at(1).asks("create", "pods"),
    no("no creation that fails", batches(3)),
    creations_pause(most=2, seconds=2),
    no("creations within the pause after the first that was asked for"),
    second_fails_first().at(2.5).asks("create", "pods"),
    creation_delays_double(attempts=1),
    yes("half a second is one attempt", attempts(1.0, 1.5)),
    creation_delays_double(attempts=2),
    yes("as late as it may be", attempts(1.0, 3.5)),
    status_writes_few(**A, most=1),
    no("a second apart", status_writes(1.0, 2.0)),
    creation_delays_double(attempts=4),
    yes("delays of 1, 2 and 4 s", attempts(0, 1, 3, 7.2)),
    no("too few attempts", attempts(0, 1, 3)),
    no("delays of 1 s always", attempts(0, 1, 2, 3)),
    creation_delays_double(attempts=2),
    no("a delay that is too long", attempts(0, 5)),
    creation_delay_anew(failure=4),
    yes("as after the first failure", refusals(1, 2, 4, 1)),
    yes("as after the one before", refusals(1, 2, 4, 5, 9)),
    no("later than after each before", refusals(1, 2, 4, 8)),
    no("too few failures", refusals(1, 2, 4)),
    creation_delay_anew(failure=1),
    yes("the first one, after a second", refusals(1)),
    no("the first one, after two seconds", refusals(2)),
    creation_delay_anew(failure=2),
    no("not tried again yet", refusals(1).at(9).asks("create", "pods").answered(500)),
    status_writes_versioned(**A),
    yes("versioned", status_write({"metadata": {"resourceVersion": "7"}})),
    no("without a version", status_write({"metadata": {}})),
    yes("a body that cannot be read", status_write(None)),
    no("no status write at all", story()),
    no("only of another Job", story().write("update", "jobs", "b", subresource="status", body={})),
    faults_struck(times=2),
    yes("struck twice", story().fault(1, "fired").fault(2, "fired")),
    no("struck once", story().fault(1, "armed").fault(1, "fired")),
    implementation_runs(),
    yes("it runs", story().process(1, "started", "ready")),
    no("it was killed", story().process(1, "ready", "killed")),
    no("its successor is not ready", story().process(1, "ready", "killed").process(2, "started")),
    yes("its successor is ready", story().process(1, "ready", "killed").process(2, "started", "ready")),
    no("it was never started", story()),
    no("it has ended", story().process(1, "ready", f"{EXITED}: exit code 1")),
    works_on(witness="witness-2"),
    yes("it works on what is given to it"),
    story().process(1, "ready", f"{WORKED_ON} witness-1", f"{WORKED_ON} witness-2"),
    no("it worked on what was given to it before", story().process(1, "ready", f"{WORKED_ON} witness-1")),
    # events
    event_once(**DONE),
    yes("written once", story().event("Completed", "Job completed")),
    no("written twice", story().event("Completed", "Job completed", count=2)),
    no("written again"),
    story().event("Completed", "Job completed").event("Completed", "Job completed", count=2),
    no("in other words", story().event("Completed", "All done")),
    no("of another Job", story().event("Completed", "Job completed", of="b")),
    no("written twice in two ways"),
    story().event("Completed", "Job completed").event("Completed", "All done"),
    event_repeated(job="a", kind="Warning", reason="Failed"),
    yes("a second one with other words"),
    story().event("Failed", "x", kind="Warning").event("Failed", "y", kind="Warning"),
    no("no second one", story().event("Failed", "x", kind="Warning")),
    pods_have_events(**CREATED),
    yes("each creation has its event"),
    story().job("a").pod("a-1").event("SuccessfulCreate", "Created pod: a-1"),
    no("a creation without event"),
    story().job("a").pods("a-1", "a-2").event("SuccessfulCreate", "Created pod: a-1"),
    no("nothing was created", story().job("a")),
    pods_have_events(**DELETED),
    yes("each deletion has its event", deletion("a-1").event("SuccessfulDelete", "Deleted pod: a-1")),
    no("a deletion that was refused has one", refused_deletion()),
    event_starts(job="a", kind="Warning", reason="FailedCreate", start="Error creating: "),
    yes("words that go on", story().event("FailedCreate", "Error creating: quota", kind="Warning")),
    no("words that do not go on", story().event("FailedCreate", "Error creating: ", kind="Warning")),
    # how often a status is written
    status_writes_few(**A, most=1),
    yes("one status write", status_write({})),
    no("two status writes at once"),
    status_write({}).write("update", "jobs", "a", subresource="status", body={}),
    yes("two status writes with time between"),
    status_write({}).at(3.0).write("update", "jobs", "a", subresource="status", body={}),
    # whether anything is written
    written(),
    yes("a write", story().asks("update", "jobs", "a")),
    written(since=0),
    no("a write before that", story().asks("update", "jobs", "a")),
    written(),
    no("an event", story().asks("create", "events")),
    no("nothing at all", story()),
    job_untouched(**A),
    yes("another Job is changed", story().asks("update", "jobs", "b")),
    no("its status", story().asks("update", "jobs", "a", subresource="status")),
    no("it is deleted", story().asks("delete", "jobs", "a")),
    yes("a pod of its name is deleted", story().asks("delete", "pods", "a")),
    job_written(**A),
    yes("its status", again().write("update", "jobs", "a", subresource="status")),
    yes("it was deleted", again().write("delete", "jobs", "a")),
    no("a write that was meant for the former one"),
    again().asks("update", "jobs", "a", subresource="status").answered(409),
    no("it is not known yet", again().asks("update", "jobs", "a")),
    no("that of another", again().write("update", "jobs", "b")),
    no("there is none now", again().gone("jobs", "a")),
    pods_untouched(),
    yes("somebody else makes and ends pods"),
    story().job("a").pod("a-1").succeeds("a-1").asks("update", "jobs", "a"),
    no("a pod is asked for", story().asks("create", "pods")),
    no("a pod is changed", story().asks("patch", "pods", "a-1")),
)
def test_a_fact_about_writes(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


def test_a_creation_that_breaks_the_pause_decides_together_with_the_one_that_failed() -> None:
    history = story().asks("create", "pods").answered(500).asks("create", "pods").asks("create", "pods")

    assert creations_pause(most=1, seconds=2).of(history.seen).decisive == (0, 2)


def done() -> Story:
    """One event says that the Job has completed."""
    return story().event("Completed", "Job completed")


@deciding(
    (event_once(**DONE), done().event("Failed", "x", kind="Warning").event("Completed", "Job completed"), 2),
    (event_once(**DONE), story().event("Completed", "All done"), 0),
    (event_repeated(job="a", kind="Normal", reason="Completed"), done().event("Completed", "again"), 1),
    (status_writes_few(**A, most=1), status_writes(0.0, 2.0, 2.5, 2.6), 4),
    (status_writes_few(**A, most=2), status_writes(0.0, 0.6, 1.2, 1.5), 6),
    (status_writes_few(**A, most=2), status_writes(0, 2, 4, 6, 8, 8.1, 8.2), 12),
)
def test_the_event_or_write_that_is_one_too_many_decides(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)


def test_how_many_writes_there_were_within_a_second_is_said() -> None:
    finding = status_writes_few(**A, most=2).of(status_writes(0.0, 0.5, 3.0, 3.2, 3.9, 4.5).seen)

    assert finding.observed == "3 writes within a second, 6 in all"
    assert status_writes_few(**A, most=2).of(story().seen).observed == "0 writes within a second, 0 in all"
