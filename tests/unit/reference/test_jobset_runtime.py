"""What a JobSet reads and writes, and what it does while its caches lag behind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import orjson
import pytest
from virtual_time import run

from reference_controller.jobset import api_json
from reference_controller.jobset.actions import (
    CreateJobs,
    CreateService,
    DeleteJobs,
    RecordEvent,
    ResumeJobs,
    WriteStatus,
)
from reference_controller.jobset.objects import CONTROLLER_NAME, JOBSETS, JobSet, Status
from reference_controller.objects.identity import ObjectKey
from reference_controller.objects.resources import JOBS
from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.runtime.jobset.controller import JobSetController
from reference_controller.runtime.jobset.known import Known
from reference_controller.runtime.jobset.sync import JobSetSync
from reference_controller.runtime.queue import WorkQueue
from reference_controller.runtime.runtime import Runtime

Json = dict[str, Any]
KEY = ObjectKey("n", "a", "uid-a")
POD: Json = {"metadata": {"labels": {"mine": "1"}}, "spec": {"containers": [], "restartPolicy": "Never"}}
TEMPLATE: Json = {"metadata": {"labels": {"team": "x"}}, "spec": {"template": POD, "completions": 3}}
RAW: Json = {
    "metadata": {"namespace": "n", "name": "a", "uid": "uid-a", "resourceVersion": "1"},
    "spec": {
        "replicatedJobs": [
            {"name": "driver", "template": TEMPLATE},
            {"name": "worker", "replicas": 2, "template": TEMPLATE},
        ]
    },
}


def jobset(**spec: Any) -> JobSet:
    """A JobSet with one driver and two workers."""
    return api_json.read_jobset({**RAW, "spec": {**RAW["spec"], **spec}})


def made(of: JobSet, index: int = 1) -> Json:
    """A worker as it is created."""
    body: Json = orjson.loads(api_json.new_job(of, of.replicated_jobs[1], index))
    return body


def test_a_child_job_is_told_apart_by_labels_that_are_annotations_too() -> None:
    job = made(jobset())
    own = {
        "jobset.sigs.k8s.io/jobset-name": "a",
        "jobset.sigs.k8s.io/replicatedjob-name": "worker",
        "jobset.sigs.k8s.io/restart-attempt": "0",
        "jobset.sigs.k8s.io/replicatedjob-replicas": "2",
        "jobset.sigs.k8s.io/global-replicas": "3",
        "jobset.sigs.k8s.io/job-index": "1",
        "jobset.sigs.k8s.io/job-global-index": "2",
        "jobset.sigs.k8s.io/job-key": "1d8818e40389ea451f29d6c25d090116719486ba",
    }
    pods = job["spec"]["template"]
    assert job["metadata"]["name"] == "a-worker-1"
    assert job["metadata"]["labels"].keys() == {*own, "team"}
    assert pods["metadata"]["labels"].keys() == {*own, "mine"}
    for of in (job, pods):
        assert of["metadata"]["labels"].items() >= own.items()
        assert of["metadata"]["annotations"] == own
    (owner,) = job["metadata"]["ownerReferences"]
    assert (owner["apiVersion"], owner["kind"], owner["uid"]) == (
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        "uid-a",
    )
    assert owner["controller"]


def test_a_child_job_is_its_template_otherwise() -> None:
    spec = made(jobset())["spec"]
    assert (spec["completions"], spec["completionMode"], spec["suspend"]) == (3, "Indexed", False)
    assert spec["template"]["spec"] == {"containers": [], "restartPolicy": "Never", "subdomain": "a"}
    assert RAW["spec"]["replicatedJobs"][1]["template"] == TEMPLATE
    assert "suspend" not in TEMPLATE["spec"]


def test_what_the_webhooks_of_others_fill_in_is_filled_in() -> None:
    bare: Json = {"spec": {"template": {"spec": {"containers": []}}}}
    spec = made(jobset(replicatedJobs=[{"name": "d", "template": bare}, {"name": "w", "template": bare}]), 0)
    assert spec["spec"]["template"]["spec"]["restartPolicy"] == "OnFailure"


def test_the_pods_have_the_domain_that_is_named_or_none() -> None:
    named = made(jobset(network={"subdomain": "d"}))
    assert named["spec"]["template"]["spec"]["subdomain"] == "d"
    none = made(jobset(network={"enableDNSHostnames": False}))
    assert "subdomain" not in none["spec"]["template"]["spec"]


def test_the_coordinator_is_named_by_its_host_name() -> None:
    job = made(jobset(coordinator={"replicatedJob": "driver", "podIndex": 2}))
    for of in (job, job["spec"]["template"]):
        assert of["metadata"]["labels"]["jobset.sigs.k8s.io/coordinator"] == "a-driver-0-2.a"


def test_exclusive_placement_is_asked_for_by_annotations() -> None:
    topology = {"alpha.jobset.sigs.k8s.io/exclusive-topology": "rack"}
    of = replace(jobset(), annotations=topology)
    assert made(of)["metadata"]["annotations"].items() >= topology.items()
    labeled = {**topology, "alpha.jobset.sigs.k8s.io/node-selector": "true"}
    spec = made(replace(of, annotations=labeled))["spec"]["template"]["spec"]
    assert spec["nodeSelector"] == {"alpha.jobset.sigs.k8s.io/namespaced-job": "n_a-worker-1"}
    assert [it["key"] for it in spec["tolerations"]] == ["alpha.jobset.sigs.k8s.io/no-schedule"]


def stored(body: bytes, version: int = 2, **status: Any) -> Json:
    """What the API server makes of a Job that is created."""
    raw: Json = orjson.loads(body)
    raw["metadata"] |= {"uid": f"uid-{raw['metadata']['name']}", "resourceVersion": str(version)}
    return {**raw, "status": status}


def test_a_resumed_job_has_what_the_template_says_now_and_nothing_of_an_earlier_admission() -> None:
    before = {"nodeSelector": {"zone": "z"}, "tolerations": [{"key": "old"}]}
    placed = {"name": "w", "template": {"spec": {"template": {**POD, "spec": {**POD["spec"], **before}}}}}
    old = jobset(replicatedJobs=[placed, {**placed, "name": "v"}], suspend=True)
    job = api_json.read_job(stored(api_json.new_job(old, old.replicated_jobs[0], 0)))

    after = {
        "spec": {
            "template": {"metadata": {"labels": {"flavor": "f"}}, "spec": {"nodeSelector": {"rack": "r"}}}
        }
    }
    new = jobset(replicatedJobs=[{"name": "w", "template": after}])
    body = orjson.loads(api_json.resumed(new, job))
    pods = body["spec"]["template"]

    assert (body["metadata"], body["spec"]["suspend"]) == ({"uid": job.uid}, False)
    assert pods["spec"] == {
        "nodeSelector": {"rack": "r", "zone": None},
        "tolerations": None,
        "schedulingGates": None,
    }
    assert pods["metadata"]["labels"].items() >= {"flavor": "f"}.items()


@pytest.mark.parametrize(
    ("spec", "status", "expected"),
    [
        ({}, {}, (1, False, None)),
        ({"parallelism": 4, "completions": 3}, {}, (3, False, None)),
        ({"parallelism": 4}, {"conditions": [{"type": "Complete", "status": "True"}]}, (4, True, None)),
        ({}, {"conditions": [{"type": "Failed", "status": "False"}]}, (1, False, None)),
        ({}, {"conditions": [{"type": "Failed", "status": "True", "reason": "R"}]}, (1, False, "R")),
    ],
)
def test_what_is_read_of_a_job(spec: Json, status: Json, expected: tuple[int, bool, str | None]) -> None:
    metadata = {"name": "j", "uid": "u", "resourceVersion": "1"}
    job = api_json.read_job({"metadata": metadata, "spec": spec, "status": status})
    assert (job.pods, job.complete, job.failure and job.failure.reason) == expected
    assert (job.attempt, job.replicated_job) == (0, "")


def test_what_is_written_is_read_again() -> None:
    status = Status(restarts=2, counted_restarts=1, terminal_state="Failed")
    body = orjson.loads(api_json.with_status(jobset(), status))
    assert api_json.read_jobset(body).status == status
    assert body["spec"] == RAW["spec"]


def test_what_a_later_api_says_in_a_status_stays() -> None:
    of = api_json.read_jobset({**RAW, "status": {"restarts": 1, "new": [1]}})
    body = orjson.loads(api_json.with_status(of, replace(of.status, restarts=2)))
    assert body["status"] == {"restarts": 2, "new": [1]}


def test_the_manager_of_a_jobset_is_this_controller_unless_it_names_another() -> None:
    assert not jobset().foreign
    assert not jobset(managedBy=CONTROLLER_NAME).foreign
    assert jobset(managedBy="example.com/x").foreign


class Server:
    """Stores what is created, and remembers what it was asked for."""

    def __init__(self, *refusals: ApiError) -> None:
        self.asked: list[tuple[str, str, Json]] = []
        self._refusals = list(refusals)

    def _answer(self, method: str, path: str, body: bytes) -> Json:
        self.asked.append((method, path, orjson.loads(body)))
        if self._refusals:
            raise self._refusals.pop(0)
        change = self.asked[-1][2]
        name = path.removesuffix("/status").rpartition("/")[2]
        named = {**change, "metadata": {"name": name, **change["metadata"]}}
        return {**stored(orjson.dumps(named), 1 + len(self.asked)), "status": change.get("status") or {}}

    async def post(self, path: str, body: bytes) -> Json:
        return self._answer("POST", path, body)

    async def put(self, path: str, body: bytes) -> Json:
        return self._answer("PUT", path, body)

    async def merge(self, path: str, body: bytes) -> Json:
        return self._answer("PATCH", path, body)

    async def delete(self, path: str, body: bytes) -> None:
        self.asked.append(("DELETE", path, orjson.loads(body)))


def known(server: Server) -> Known:
    """What is known of one JobSet, before the watches show any of its Jobs."""
    it = Known(Runtime(cast("ApiClient", server)))
    it.jobsets.apply("ADDED", RAW)
    return it


def look(at: Known) -> tuple[JobSetSync, Any]:
    """One look at the JobSet."""
    sync = JobSetSync(at, KEY)
    return sync, run(sync.observe())


def test_under_a_stale_cache_nothing_is_created_twice() -> None:
    server = Server()
    it = known(server)
    for action in (CreateService, CreateJobs):
        sync, observed = look(it)
        (first,) = sync.reconcile(observed, 0.0).actions
        assert isinstance(first, action)
        run(sync.carry_out(first, observed))
        sync, observed = look(it)
        decision = sync.reconcile(observed, 0.0)
        assert decision.actions == ()  # the watch shows nothing yet
        assert decision.requeue_after_s is not None
        assert decision.requeue_after_s > 1
        it.services.replace(
            [
                {**body, "metadata": {**body["metadata"], "uid": "uid-a", "resourceVersion": "9"}}
                for _, path, body in server.asked
                if path.endswith("services")
            ]
        )
        it.services_expected[KEY.uid].observe("uid-a", deleting=False, released=True)
    assert [path.rpartition("/")[2] for _, path, _ in server.asked] == ["services", *["jobs"] * 3]


def test_the_own_status_is_known_before_the_watch_shows_it() -> None:
    it = known(Server())
    sync, observed = look(it)
    restarted = WriteStatus(Status(restarts=1), (RecordEvent("Warning", "R", "m"),))
    run(sync.carry_out(restarted, observed))
    newest = it.newest(KEY.uid)
    assert newest is not None
    assert newest.status.restarts == 1


def test_a_status_that_is_refused_brings_no_event_and_the_jobset_back() -> None:
    it = known(Server(ApiError(409, "conflict")))
    sync, observed = look(it)
    with pytest.raises(ApiError):
        run(sync.carry_out(WriteStatus(Status(), (RecordEvent("Warning", "R", "m"),)), observed))
    assert all(queue.empty() for queue in it.recorder._queues)
    assert KEY.uid not in it.written


def test_jobs_are_deleted_with_their_pods_first() -> None:
    server = Server()
    it = known(server)
    sync, observed = look(it)
    run(sync.carry_out(DeleteJobs((api_json.read_job(stored(orjson.dumps(made(jobset())))),)), observed))
    ((_, _, options),) = server.asked
    assert options["propagationPolicy"] == "Foreground"
    assert options["preconditions"] == {"uid": "uid-a-worker-1"}
    assert not it.met(KEY.uid)


@pytest.mark.parametrize(("started", "writes"), [(False, ["a-worker-1"]), (True, ["status", "a-worker-1"])])
def test_a_job_that_had_started_is_made_one_that_has_not_before_its_pods_change(
    started: bool, writes: list[str]
) -> None:
    server = Server()
    sync, observed = look(known(server))
    raw = stored(orjson.dumps(made(jobset(suspend=True))))
    raw["status"] = {"startTime": "2026-01-01T00:00:00Z"} if started else {}
    run(sync.carry_out(ResumeJobs((api_json.read_job(raw),)), observed))
    assert [path.rpartition("/")[2] for _, path, _ in server.asked] == writes
    assert server.asked[-1][2]["spec"]["suspend"] is False
    assert all(
        body["status"] == {"startTime": None} for _, path, body in server.asked if path.endswith("status")
    )


def test_a_refused_job_is_reported_and_does_not_hold_up_the_others() -> None:
    server = Server(ApiError(409, "there", "AlreadyExists"))
    it = known(server)
    sync, observed = look(it)
    jobs = tuple((spec, 0) for spec in observed.jobset.replicated_jobs)
    run(sync.carry_out(CreateJobs(jobs), observed))
    assert [error.code for error in sync.errors] == [409]
    assert len(server.asked) == 2
    assert len(it.jobs_expected[KEY.uid].creations) == 1
    assert run(sync.observe()) is None  # the error ends the look, and brings the JobSet back


@pytest.mark.parametrize(("name", "looked_at"), [("a-worker-0", True), ("b-worker-0", False)])
def test_a_jobset_is_looked_at_when_a_job_of_another_owner_gives_up_a_name(
    name: str, looked_at: bool
) -> None:
    runtime = Runtime(cast("ApiClient", Server()))
    controller = JobSetController(runtime)
    jobsets, jobs = (
        runtime.informer(JOBSETS, api_json.read_jobset),
        runtime.informer(JOBS, api_json.read_job),
    )
    metadata = {"namespace": "n", "name": name, "uid": "uid-j", "resourceVersion": "2"}
    owner = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "name": "a",
        "uid": "gone",
        "controller": True,
    }
    other = {"metadata": {**metadata, "ownerReferences": [owner]}, "spec": {}}
    jobs.apply("ADDED", other)
    jobsets.apply("ADDED", RAW)
    queue = controller._queue
    run(_taken(queue))

    jobs.apply("DELETED", other)

    assert (KEY in queue._wanted) is looked_at


async def _taken(queue: WorkQueue[ObjectKey]) -> None:
    """Take the key that is wanted, and finish with it."""
    queue.done(await queue.get())
