"""Facts about what an implementation writes: batches, delays, versions, events, and its own restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import deciding, examples
from histories import Story, story

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

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

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
    [
        pytest.param(creation_batches(sizes=[1, 2, 4]), batches(1, 2, 4), True, id="batches that double"),
        pytest.param(creation_batches(sizes=[1, 2, 4]), batches(7), False, id="one batch of all"),
        pytest.param(creation_batches(sizes=[1, 2]), batches(1, 2, 1), False, id="one batch too many"),
        pytest.param(
            creation_batches(sizes=[2]),
            story().asks("create", "pods").asks("create", "pods"),
            True,
            id="unanswered",
        ),
        pytest.param(
            creations_pause(most=1, seconds=2),
            story().asks("create", "pods").answered(500),
            True,
            id="a pause",
        ),
        pytest.param(
            creations_pause(most=1, seconds=2),
            *(story().asks("create", "pods").answered(500).at(3).asks("create", "pods"), True),
            id="creations after the pause",
        ),
        pytest.param(
            creations_pause(most=1, seconds=2),
            *(story().asks("create", "pods").answered(500).at(1).asks("create", "pods"), False),
            id="creations within the pause",
        ),
        pytest.param(creations_pause(most=1, seconds=2), batches(3), False, id="no creation that fails"),
        pytest.param(
            creations_pause(most=2, seconds=2),
            *(second_fails_first().at(2.5).asks("create", "pods"), False),
            id="creations within the pause after the first that was asked for",
        ),
        pytest.param(
            creation_delays_double(attempts=1), attempts(1.0, 1.5), True, id="half a second is one attempt"
        ),
        pytest.param(creation_delays_double(attempts=2), attempts(1.0, 3.5), True, id="as late as it may be"),
        pytest.param(status_writes_few(**A, most=1), status_writes(1.0, 2.0), False, id="a second apart"),
        pytest.param(
            creation_delays_double(attempts=4), attempts(0, 1, 3, 7.2), True, id="delays of 1, 2 and 4 s"
        ),
        pytest.param(creation_delays_double(attempts=4), attempts(0, 1, 3), False, id="too few attempts"),
        pytest.param(
            creation_delays_double(attempts=4), attempts(0, 1, 2, 3), False, id="delays of 1 s always"
        ),
        pytest.param(
            creation_delays_double(attempts=2), attempts(0, 5), False, id="a delay that is too long"
        ),
        pytest.param(
            creation_delay_anew(failure=4), refusals(1, 2, 4, 1), True, id="as after the first failure"
        ),
        pytest.param(
            creation_delay_anew(failure=4), refusals(1, 2, 4, 5, 9), True, id="as after the one before"
        ),
        pytest.param(
            creation_delay_anew(failure=4), refusals(1, 2, 4, 8), False, id="later than after each before"
        ),
        pytest.param(creation_delay_anew(failure=4), refusals(1, 2, 4), False, id="too few failures"),
        pytest.param(creation_delay_anew(failure=1), refusals(1), True, id="the first one, after a second"),
        pytest.param(
            creation_delay_anew(failure=1), refusals(2), False, id="the first one, after two seconds"
        ),
        pytest.param(
            creation_delay_anew(failure=2),
            *(refusals(1).at(9).asks("create", "pods").answered(500), False),
            id="not tried again yet",
        ),
        pytest.param(
            status_writes_versioned(**A),
            status_write({"metadata": {"resourceVersion": "7"}}),
            True,
            id="versioned",
        ),
        pytest.param(
            status_writes_versioned(**A), status_write({"metadata": {}}), False, id="without a version"
        ),
        pytest.param(status_writes_versioned(**A), status_write(None), True, id="a body nobody can read"),
        pytest.param(status_writes_versioned(**A), story(), False, id="no status write at all"),
        pytest.param(
            status_writes_versioned(**A),
            *(story().write("update", "jobs", "b", subresource="status", body={}), False),
            id="only of another Job",
        ),
        pytest.param(
            faults_struck(times=2), story().fault(1, "fired").fault(2, "fired"), True, id="struck twice"
        ),
        pytest.param(
            faults_struck(times=2), story().fault(1, "armed").fault(1, "fired"), False, id="struck once"
        ),
        pytest.param(implementation_runs(), story().process(1, "started", "ready"), True, id="it runs"),
        pytest.param(implementation_runs(), story().process(1, "ready", "killed"), False, id="it was killed"),
        pytest.param(
            implementation_runs(),
            *(story().process(1, "ready", "killed").process(2, "started"), False),
            id="its successor is not ready",
        ),
        pytest.param(
            implementation_runs(),
            *(story().process(1, "ready", "killed").process(2, "started", "ready"), True),
            id="its successor is ready",
        ),
        pytest.param(implementation_runs(), story(), False, id="it was never started"),
        pytest.param(
            implementation_runs(),
            story().process(1, "ready", f"{EXITED}: exit code 1"),
            False,
            id="it has ended",
        ),
        pytest.param(
            works_on(witness="witness-2"),
            story().process(1, "ready", f"{WORKED_ON} witness-1", f"{WORKED_ON} witness-2"),
            *(True,),
            id="it works on what is given to it",
        ),
        pytest.param(
            works_on(witness="witness-2"),
            story().process(1, "ready", f"{WORKED_ON} witness-1"),
            *(False,),
            id="it worked on what was given to it before",
        ),
        # events
        pytest.param(
            event_once(**DONE), story().event("Completed", "Job completed"), True, id="written once"
        ),
        pytest.param(
            event_once(**DONE),
            story().event("Completed", "Job completed", count=2),
            False,
            id="written twice",
        ),
        pytest.param(
            event_once(**DONE),
            story().event("Completed", "Job completed").event("Completed", "Job completed", count=2),
            False,
            id="written again",
        ),
        pytest.param(event_once(**DONE), story().event("Completed", "All done"), False, id="in other words"),
        pytest.param(
            event_once(**DONE),
            story().event("Completed", "Job completed", of="b"),
            False,
            id="of another Job",
        ),
        pytest.param(
            event_once(**DONE),
            *(story().event("Completed", "Job completed").event("Completed", "All done"), False),
            id="written twice in two ways",
        ),
        pytest.param(
            event_repeated(job="a", kind="Warning", reason="Failed"),
            *(story().event("Failed", "x", kind="Warning").event("Failed", "y", kind="Warning"), True),
            id="a second one with other words",
        ),
        pytest.param(
            event_repeated(job="a", kind="Warning", reason="Failed"),
            *(story().event("Failed", "x", kind="Warning"), False),
            id="no second one",
        ),
        pytest.param(
            pods_have_events(**CREATED),
            *(story().job("a").pod("a-1").event("SuccessfulCreate", "Created pod: a-1"), True),
            id="each creation has its event",
        ),
        pytest.param(
            pods_have_events(**CREATED),
            *(story().job("a").pods("a-1", "a-2").event("SuccessfulCreate", "Created pod: a-1"), False),
            id="a creation without event",
        ),
        pytest.param(pods_have_events(**CREATED), story().job("a"), False, id="nothing was created"),
        pytest.param(
            pods_have_events(**DELETED),
            *(deletion("a-1").event("SuccessfulDelete", "Deleted pod: a-1"), True),
            id="each deletion has its event",
        ),
        pytest.param(
            pods_have_events(**DELETED),
            *(refused_deletion(), False),
            id="a deletion that was refused has one",
        ),
        pytest.param(
            event_starts(job="a", kind="Warning", reason="FailedCreate", start="Error creating: "),
            *(story().event("FailedCreate", "Error creating: quota", kind="Warning"), True),
            id="words that go on",
        ),
        pytest.param(
            event_starts(job="a", kind="Warning", reason="FailedCreate", start="Error creating: "),
            *(story().event("FailedCreate", "Error creating: ", kind="Warning"), False),
            id="words that do not go on",
        ),
        # how often a status is written
        pytest.param(status_writes_few(**A, most=1), status_write({}), True, id="one status write"),
        pytest.param(
            status_writes_few(**A, most=1),
            *(status_write({}).write("update", "jobs", "a", subresource="status", body={}), False),
            id="two status writes at once",
        ),
        pytest.param(
            status_writes_few(**A, most=1),
            *(
                status_write({}).at(3.0).write("update", "jobs", "a", subresource="status", body={}),
                True,
            ),
            id="two status writes with time between",
        ),
        # whether anything is written
        pytest.param(written(), story().asks("update", "jobs", "a"), True, id="a write"),
        pytest.param(written(since=0), story().asks("update", "jobs", "a"), False, id="a write before that"),
        pytest.param(written(), story().asks("create", "events"), False, id="an event"),
        pytest.param(written(), story(), False, id="nothing at all"),
        pytest.param(
            job_untouched(**A), story().asks("update", "jobs", "b"), True, id="another Job is changed"
        ),
        pytest.param(
            job_untouched(**A),
            story().asks("update", "jobs", "a", subresource="status"),
            False,
            id="its status",
        ),
        pytest.param(job_untouched(**A), story().asks("delete", "jobs", "a"), False, id="it is deleted"),
        pytest.param(
            job_untouched(**A), story().asks("delete", "pods", "a"), True, id="a pod of its name is deleted"
        ),
        pytest.param(
            job_written(**A),
            again().write("update", "jobs", "a", subresource="status"),
            True,
            id="its status",
        ),
        pytest.param(job_written(**A), again().write("delete", "jobs", "a"), True, id="it was deleted"),
        pytest.param(
            job_written(**A),
            again().asks("update", "jobs", "a", subresource="status").answered(409),
            False,
            id="a write that was meant for the former one",
        ),
        pytest.param(job_written(**A), again().asks("update", "jobs", "a"), False, id="nobody knows yet"),
        pytest.param(job_written(**A), again().write("update", "jobs", "b"), False, id="that of another"),
        pytest.param(job_written(**A), again().gone("jobs", "a"), False, id="there is none now"),
        pytest.param(
            pods_untouched(),
            story().job("a").pod("a-1").succeeds("a-1").asks("update", "jobs", "a"),
            True,
            id="somebody else makes and ends pods",
        ),
        pytest.param(pods_untouched(), story().asks("create", "pods"), False, id="a pod is asked for"),
        pytest.param(pods_untouched(), story().asks("patch", "pods", "a-1"), False, id="a pod is changed"),
    ],
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
    [
        pytest.param(
            event_once(**DONE),
            done().event("Failed", "x", kind="Warning").event("Completed", "Job completed"),
            2,
        ),
        pytest.param(event_once(**DONE), story().event("Completed", "All done"), 0),
        pytest.param(
            event_repeated(job="a", kind="Normal", reason="Completed"), done().event("Completed", "again"), 1
        ),
        pytest.param(status_writes_few(**A, most=1), status_writes(0.0, 2.0, 2.5, 2.6), 4),
        pytest.param(status_writes_few(**A, most=2), status_writes(0.0, 0.6, 1.2, 1.5), 6),
        pytest.param(status_writes_few(**A, most=2), status_writes(0, 2, 4, 6, 8, 8.1, 8.2), 12),
    ]
)
def test_the_event_or_write_that_is_one_too_many_decides(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)


def test_how_many_writes_there_were_within_a_second_is_said() -> None:
    finding = status_writes_few(**A, most=2).of(status_writes(0.0, 0.5, 3.0, 3.2, 3.9, 4.5).seen)

    assert finding.observed == "3 writes within a second, 6 in all"
    assert status_writes_few(**A, most=2).of(story().seen).observed == "0 writes within a second, 0 in all"
