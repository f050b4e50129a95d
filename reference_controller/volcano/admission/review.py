"""What a request is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.objects.reviews import Answer, Asked
from reference_controller.volcano.admission import api_json
from reference_controller.volcano.admission.jobs import wrong_counts, wrong_job

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_QUEUE = "default"


def queue_of(asked: Asked) -> str:
    """The queue whose state decides about the request; "": none does."""
    new_job = asked.resource == "jobs" and asked.operation == "CREATE"
    return api_json.read_job(asked.new).queue if new_job else ""


def mutate(asked: Asked) -> Answer:
    """VOL-009, VOL-057: what is left open is filled in."""
    if asked.resource == "jobs":
        return Answer(spec=api_json.job_with_defaults(asked.new))
    return Answer(spec=api_json.queue_with_defaults(asked.new))


def validate(asked: Asked, queue_state: str | None) -> Answer:
    """Whether it may be stored: what is wrong with it.

    Args:
        asked: what a user asks for, with what was filled in.
        queue_state: that of the queue that `queue_of` names; None: there is no such queue.
    """
    match asked.resource, asked.operation:
        case "jobs", "CREATE":
            wrong = wrong_job(api_json.read_job(asked.new), queue_state)
        case "jobs", _:
            wrong = _wrong_change(asked)
        case _:
            wrong = _wrong_queue(asked)
    return Answer(tuple(wrong))


def _wrong_change(asked: Asked) -> Iterator[str]:
    """VOL-011: counts and the priority may change, and nothing else."""
    yield from wrong_counts(api_json.read_job(asked.new))
    if api_json.fixed(asked.new) != api_json.fixed(asked.old):
        yield "only minAvailable, priorityClassName, and replicas and minAvailable of tasks may change"


def _wrong_queue(asked: Asked) -> Iterator[str]:
    """VOL-057: the queue default stays, and each has a weight."""
    if asked.operation == "DELETE":
        if asked.name == DEFAULT_QUEUE:
            yield f"the queue {DEFAULT_QUEUE} is always there"
    elif (weight := api_json.read_weight(asked.new)) < 1:
        yield f"the weight is {weight}, and less than 1"
