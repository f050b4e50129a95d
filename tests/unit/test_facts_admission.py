"""What is refused and filled in: each fact with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.judgement.facts.actions import ACCEPTED, ANSWER, REFUSED, request_answered
from batchproof.profiles.shared.objects.volcano import QUEUES
from batchproof.profiles.volcano_job.facts.admission import (
    queue_stored,
    volcano_job_stored,
    volcano_task_stored,
)
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall


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
    [
        pytest.param(request_answered(which="first", answer=REFUSED), asked(REFUSED), True, id="refused"),
        pytest.param(
            request_answered(which="second", answer=ACCEPTED), asked(REFUSED, ACCEPTED), True, id="the second"
        ),
        pytest.param(request_answered(which="first", answer=ACCEPTED), asked(REFUSED), False, id="not so"),
        pytest.param(request_answered(which="first", answer=REFUSED), asked(), False, id="nothing was asked"),
        pytest.param(volcano_job_stored(field="queue", value="q"), job(queue="q"), True, id="as stored"),
        pytest.param(volcano_job_stored(field="queue", value="later"), job(queue="q"), False, id="not later"),
        pytest.param(volcano_job_stored(field="queue", value="q"), job(), False, id="left open"),
        pytest.param(volcano_job_stored(field="queue", value="q"), story(), False, id="no Job"),
        pytest.param(
            volcano_task_stored(place=0, field="name", value="default0"),
            *(job(tasks=[{"name": "default0"}]), True),
            id="a task",
        ),
        pytest.param(
            volcano_task_stored(place=1, field="name", value="default0"),
            *(job(tasks=[{"name": "default0"}]), False),
            id="no such task",
        ),
        pytest.param(
            volcano_task_stored(place=0, field="name", value="x"), story(), False, id="no Job to have a task"
        ),
        pytest.param(
            queue_stored(field="reclaimable", value="true"), queue(reclaimable=True), True, id="a switch"
        ),
        pytest.param(queue_stored(field="weight", value="1"), queue(weight=2), False, id="another weight"),
    ]
)
def test_a_fact_about_admission(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
