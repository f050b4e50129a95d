"""The objects of the profile jobset: what a timeline shows of them."""

from __future__ import annotations

from typing import Any

import pytest

from batchproof.ground.resources import Resource
from batchproof.judgement.objects import thing_of
from batchproof.profiles.jobset.objects import JOBSETS

COUNTED = {"name": "workers", "ready": 1, "active": 2}
SPEC = {"replicatedJobs": [{"name": "leader", "replicas": 1}, {"name": "workers", "replicas": 2}]}
CONDITIONS = [{"type": "Suspended", "status": "False"}, {"type": "Completed", "status": "True"}]
SHOWN: list[tuple[Resource, dict[str, Any], list[str]]] = [
    (JOBSETS, {}, ["", ""]),
    (
        JOBSETS,
        {
            "spec": SPEC,
            "status": {"conditions": CONDITIONS, "restarts": 3, "replicatedJobsStatus": [COUNTED]},
        },
        ["Completed", "restarts=3", "workers.ready=1", "workers.active=2"],
    ),
]


@pytest.mark.parametrize(("resource", "raw", "shown"), SHOWN)
def test_what_is_shown_of_a_jobset(resource: Resource, raw: dict[str, Any], shown: list[str]) -> None:
    assert thing_of(resource, {"metadata": {"name": "x"}, **raw}).words == shown
