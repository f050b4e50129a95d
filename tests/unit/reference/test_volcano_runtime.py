"""How actions about a Volcano Job are carried out: what counts as its failure, what is known then."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import orjson
import pytest
from virtual_time import run

from reference_controller.objects.identity import Controller, ObjectKey
from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.runtime.expectations import Expectations
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.volcano.job_sync import JobSync
from reference_controller.runtime.volcano.known import Known
from reference_controller.volcano.actions import Action, DeleteExtra, DeleteGroup, DeletePods, WriteStatus
from reference_controller.volcano.objects import Child, Group, Job, JobPod, Task
from reference_controller.volcano.plugins.svc import CONFIG_MAPS
from reference_controller.volcano.reconcile import Observed

OWNER = Controller("batch.volcano.sh/v1alpha1", "Job", "a", "uid-a")
JOB = Job("n", "a", "uid-a", 1, 1, "q", "s", 3, (Task("work", 1, {"spec": {}}),))
POD = JobPod("n", "a-work-0", "uid-0", 1, controller=OWNER, phase="Running", task="work")
GROUP = Group("n", "a-uid-a", "uid-g", 1, "Inqueue", OWNER)
EXTRA = Child("n", "a-svc", "uid-c", 1, CONFIG_MAPS, OWNER)


class Refused:
    """What is known of one Job, by an API server that rejects every deletion."""

    def __init__(self, code: int) -> None:
        self.error = ApiError(code, "refused")
        self.client = self
        self.children = SimpleNamespace(delete=self.returned)
        self.expectations: defaultdict[str, Expectations] = defaultdict(Expectations)
        self.failures: defaultdict[str, int] = defaultdict(int)

    async def delete(self, *_: Any) -> None:
        raise self.error

    async def returned(self, *_: Any) -> ApiError:
        return self.error

    def exhausted(self, _: str) -> bool:
        return False


@pytest.mark.parametrize("action", [DeletePods((POD,)), DeleteGroup(GROUP), DeleteExtra(EXTRA)])
@pytest.mark.parametrize(("code", "failures"), [(404, 0), (500, 1)])
def test_what_is_gone_already_is_no_failure_of_the_job(action: Action, code: int, failures: int) -> None:
    known = Refused(code)
    sync = JobSync(cast("Known", known), ObjectKey("n", "a", "uid-a"))
    observed = Observed(JOB, (POD,), GROUP, None, expectations_met=True)

    run(sync.carry_out(action, observed))

    assert len(sync.errors) == failures
    assert known.failures["uid-a"] == failures


class Dropping:
    """Stores a status as Volcano's own definition does: without the indexes that are done."""

    async def put(self, _: str, body: bytes) -> Any:
        job = orjson.loads(body)
        job["metadata"]["resourceVersion"] = str(int(job["metadata"]["resourceVersion"]) + 1)
        for counts in job["status"]["taskStatusCount"].values():
            counts.pop("done", None)
        return job


def test_what_a_definition_drops_of_a_status_is_known_as_long_as_nobody_else_writes() -> None:
    """Else the same status would be written without end (VOL-050)."""
    known = Known(Runtime(cast("ApiClient", Dropping())))
    raw = {
        "metadata": {"namespace": "n", "name": "a", "uid": "uid-a", "resourceVersion": "1"},
        "spec": {"minAvailable": 1, "tasks": [{"name": "work", "replicas": 1, "template": {"spec": {}}}]},
        "status": {"state": {"phase": "Running"}},
    }
    known.jobs.apply("ADDED", raw)
    sync = JobSync(known, ObjectKey("n", "a", "uid-a"))
    job = known.newest("uid-a")
    assert job is not None
    done = frozenset({("work", 0)})
    observed = Observed(job, (), GROUP, None, expectations_met=True)

    run(sync.carry_out(WriteStatus(replace(job.status, done=done), ""), observed))
    stored = known.written["uid-a"].raw
    known.jobs.apply("MODIFIED", stored)

    newest = known.newest("uid-a")
    assert newest is not None
    assert newest.status.done == done
    assert "done" not in orjson.dumps(stored).decode()
