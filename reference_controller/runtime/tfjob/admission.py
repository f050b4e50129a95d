"""The admission of TFJobs: what is decided is in `tfjob.admission`."""

from __future__ import annotations

import orjson

from reference_controller.objects.reviews import Answer, Asked, Webhook
from reference_controller.runtime.admission import Admission
from reference_controller.tfjob.admission import wrong_tfjob
from reference_controller.tfjob.objects import TFJOBS, TFJob


def tfjob_admission() -> Admission:
    """That of TFJobs, which fills in nothing."""

    async def validated(asked: Asked) -> Answer:
        return Answer(tuple(wrong_tfjob(asked.new)))

    trial = {
        "apiVersion": TFJob.api_version,
        "kind": TFJob.kind,
        "metadata": {"name": "is-admission-in-force", "namespace": "default"},
        "spec": {"tfReplicaSpecs": {}},
    }
    return Admission(
        name="reference-tfjob-admission",
        mutating=(),
        validating=(Webhook(TFJOBS, ("CREATE", "UPDATE")),),
        mutate=lambda _: Answer(),
        validate=validated,
        trial=(TFJOBS.of("default"), orjson.dumps(trial)),
    )
