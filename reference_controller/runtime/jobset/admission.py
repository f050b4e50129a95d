"""The admission of JobSets: what is decided is in `jobset.admission`."""

from __future__ import annotations

import orjson

from reference_controller.jobset.admission import with_defaults, wrong_change, wrong_jobset
from reference_controller.jobset.objects import JOBSETS, JobSet
from reference_controller.objects.reviews import Answer, Asked, Webhook
from reference_controller.runtime.admission import Admission


def jobset_admission() -> Admission:
    """That of JobSets, which fills in what is left open."""

    async def validated(asked: Asked) -> Answer:
        wrong = wrong_change(asked.old, asked.new) if asked.old else wrong_jobset(asked.new)
        return Answer(tuple(wrong))

    trial = {
        "apiVersion": JobSet.api_version,
        "kind": JobSet.kind,
        "metadata": {"name": "is-admission-in-force", "namespace": "default"},
        "spec": {"replicatedJobs": []},
    }
    return Admission(
        name="reference-jobset-admission",
        mutating=(Webhook(JOBSETS, ("CREATE",)),),
        validating=(Webhook(JOBSETS, ("CREATE", "UPDATE")),),
        mutate=lambda asked: Answer(spec=with_defaults(asked.new)),
        validate=validated,
        trial=(JOBSETS.of("default"), orjson.dumps(trial)),
    )
