"""The admission of Volcano's Jobs and queues: what is decided is in `volcano.admission`."""

from __future__ import annotations

from reference_controller.objects.reviews import Answer, Asked, Webhook
from reference_controller.runtime.admission import Admission
from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.volcano.admission import api_json
from reference_controller.volcano.admission.review import mutate, queue_of, validate
from reference_controller.volcano.objects import JOBS, QUEUES

_CHANGES = ("CREATE", "UPDATE")


def volcano_admission(client: ApiClient) -> Admission:
    """That of Jobs and queues, which asks the API server for the state of queues."""

    async def state_of(queue: str) -> str | None:
        try:
            return api_json.read_state(await client.get(QUEUES.named("", queue)))
        except ApiError as error:
            if error.not_found:
                return None
            raise

    async def validated(asked: Asked) -> Answer:
        """VOL-056: the queue is read again each time: a cache may not know yet that it was closed."""
        queue = queue_of(asked)
        return validate(asked, await state_of(queue) if queue else None)

    return Admission(
        name="reference-volcano-admission",
        mutating=(Webhook(JOBS, ("CREATE",)), Webhook(QUEUES, ("CREATE",))),
        validating=(Webhook(JOBS, _CHANGES), Webhook(QUEUES, (*_CHANGES, "DELETE"))),
        mutate=mutate,
        validate=validated,
        trial=(QUEUES.everywhere, api_json.trial_queue()),
    )
