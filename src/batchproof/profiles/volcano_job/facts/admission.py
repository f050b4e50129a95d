"""Facts about what Volcano's admission filled in: what was stored of what users asked for."""

from __future__ import annotations

from typing import Any

from batchproof.ground.resources import Resource
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted
from batchproof.profiles.shared.facts.folds import Ever
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.volcano import QUEUES
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS


@fact("the Volcano Job was stored with {field:word} {value:word}", within="now")
def volcano_job_stored(seen: Observed, *, field: str, value: str) -> Finding:
    """Its spec had this value from its first version on."""
    return _stored(_first(seen, VOLCANO_JOBS, JOB), field, value)


@fact(
    "task {place:d} of the Volcano Job was stored with {field:word} {value:word}",
    within="now",
)
def volcano_task_stored(seen: Observed, *, place: int, field: str, value: str) -> Finding:
    """The task at this place, from 0 on, had this value from the first version of the Job on."""
    job = _first(seen, VOLCANO_JOBS, JOB)
    tasks = job.spec.get("tasks") or [] if job else []
    if place >= len(tasks):
        return found(holds=False, observed=counted(len(tasks), "task"))
    return _stored(job, field, value, tasks[place])


@fact("the queue was stored with {field:word} {value:word}", within="now")
def queue_stored(seen: Observed, *, field: str, value: str) -> Finding:
    """The first queue of the scenario had this value from its first version on."""
    return _stored(_first(seen, QUEUES), field, value)


def _first(seen: Observed, resource: Resource, name: str = "") -> ApiObject | None:
    ever = seen.versions(resource).fold(Ever)
    return ever.named.get(name) if name else next(iter(ever.first.values()), None)


def _stored(thing: ApiObject | None, field: str, value: str, part: Json | None = None) -> Finding:
    if thing is None:
        return found(holds=False, observed="nothing was stored")
    said: Any = (thing.spec if part is None else part).get(field)
    text = str(said).lower() if isinstance(said, bool) else str(said)
    observed = f"no {field}" if said is None else f"{field} {text}"
    return found(text == value, observed=observed, decisive=[thing.record])
