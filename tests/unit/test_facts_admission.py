"""What is refused and filled in: each fact with a history of which it is true and one of which it is not."""

from __future__ import annotations

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.judgement.facts import FactCall
from batchproof.judgement.facts.actions import ACCEPTED, ANSWER, REFUSED, request_answered
from batchproof.profiles.shared.objects.volcano import QUEUES
from batchproof.profiles.volcano_job.facts.admission import (
    queue_stored,
    volcano_job_stored,
    volcano_task_stored,
)
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS


def asked(*answers: str) -> Story:
    """A user asks for something, and is answered so."""
    history = story().act("creates a queue of weight 1")
    for answer in answers:
        history = history.act("asks for something", **{ANSWER: answer})
    return history


def job(**spec: object) -> Story:
    """A Volcano Job that is stored with this spec, and becomes another."""
    history = story().stores(VOLCANO_JOBS, "a", {"spec": spec})
    return history.stores(VOLCANO_JOBS, "a", {"spec": {"queue": "later", "tasks": []}})


def queue(**spec: object) -> Story:
    """A queue that is stored with this spec."""
    return story().stores(QUEUES, "q", {"spec": spec})


@examples(
    request_answered(which="first", answer=REFUSED),
    yes("refused", asked(REFUSED)),
    request_answered(which="second", answer=ACCEPTED),
    yes("the second", asked(REFUSED, ACCEPTED)),
    request_answered(which="first", answer=ACCEPTED),
    no("not so", asked(REFUSED)),
    request_answered(which="first", answer=REFUSED),
    no("nothing was asked", asked()),
    volcano_job_stored(field="queue", value="q"),
    yes("as stored", job(queue="q")),
    volcano_job_stored(field="queue", value="later"),
    no("not later", job(queue="q")),
    volcano_job_stored(field="queue", value="q"),
    no("left open", job()),
    no("no Job", story()),
    volcano_task_stored(place=0, field="name", value="default0"),
    yes("a task", job(tasks=[{"name": "default0"}])),
    volcano_task_stored(place=1, field="name", value="default0"),
    no("no such task", job(tasks=[{"name": "default0"}])),
    volcano_task_stored(place=0, field="name", value="x"),
    no("no Job to have a task", story()),
    queue_stored(field="reclaimable", value="true"),
    yes("a switch", queue(reclaimable=True)),
    queue_stored(field="weight", value="1"),
    no("another weight", queue(weight=2)),
)
def test_a_fact_about_admission(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
