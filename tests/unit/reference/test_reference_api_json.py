"""Reading and writing the API's JSON."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from reference_controller.job.api_json import (
    COMPLETION_INDEX,
    adoption,
    finalizer_removal,
    job_with_status,
    new_indexed_pod,
    new_pod,
    read_job,
    read_pod,
    read_status,
    release,
)
from reference_controller.job.objects import TRACKING_FINALIZER, JobStatus
from reference_controller.objects.api_json import generate_name
from reference_controller.objects.times import seconds

CREATED = "2026-01-01T00:00:00Z"
OWN_INDEX = {"name": "JOB_COMPLETION_INDEX", "value": "9"}


def pod_json(**parts: Any) -> dict[str, Any]:
    metadata = {
        "namespace": "ns",
        "name": "p",
        "uid": "u",
        "resourceVersion": "7",
        "creationTimestamp": CREATED,
        **parts.pop("metadata", {}),
    }
    return {"metadata": metadata, "spec": parts.pop("spec", {}), "status": parts}


def job_json(**spec: Any) -> dict[str, Any]:
    return {
        "metadata": {
            "namespace": "ns",
            "name": "a",
            "uid": "u",
            "resourceVersion": "5",
            "labels": {"keep": "me"},
            "annotations": {"also": "me"},
        },
        "spec": {
            "selector": {"matchLabels": {"x": "y"}},
            "template": {
                "metadata": {"labels": {"x": "y"}, "annotations": {"n": "1"}},
                "spec": {
                    "restartPolicy": "Never",
                    "initContainers": [
                        {"name": "i", "env": [{"name": "JOB_COMPLETION_INDEX", "value": "9"}]}
                    ],
                    "containers": [{"name": "c"}],
                },
            },
            **spec,
        },
        "status": {"novelty": {"kept": True}, "active": 3},
    }


def terminated(at: str | None) -> dict[str, Any]:
    return {"name": "c", "restartCount": 0, "state": {"terminated": {"exitCode": 1, "finishedAt": at}}}


READY_FALSE = {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:00:40Z"}
RUNNING = {"name": "c", "restartCount": 0, "state": {"running": {}}}
DELETED = {"deletionTimestamp": "2026-01-01T00:01:00Z", "deletionGracePeriodSeconds": 30}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (pod_json(phase="Failed", containerStatuses=[terminated("2026-01-01T00:00:20Z")]), 20),
        (
            pod_json(
                phase="Failed",
                spec={"initContainers": [{"name": "s", "restartPolicy": "Always"}]},
                containerStatuses=[terminated("2026-01-01T00:00:20Z")],
                initContainerStatuses=[{**terminated("2026-01-01T00:00:25Z"), "name": "s"}],
            ),
            25,
        ),
        (pod_json(phase="Failed", containerStatuses=[RUNNING], conditions=[READY_FALSE]), 40),
        (pod_json(phase="Running", containerStatuses=[RUNNING], metadata=DELETED), 30),
        (pod_json(phase="Failed"), 0),
    ],
    ids=["containers", "sidecars", "not ready", "deletion", "creation"],
)
def test_the_finish_time_is_the_best_that_is_known(raw: dict[str, Any], expected: int) -> None:
    assert read_pod(raw).finish_time == seconds(CREATED) + expected


@pytest.mark.parametrize(("text", "index"), [("3", 3), ("-1", None), ("abc", None), ("", None), ("٣", None)])
def test_a_completion_index_is_a_plain_number(text: str, index: int | None) -> None:
    assert read_pod(pod_json(metadata={"annotations": {COMPLETION_INDEX: text}})).completion_index == index


@pytest.mark.parametrize(
    ("hostname", "annotation", "index"),
    [("a-3", "1", 3), ("a-3", None, 3), ("b-3", "1", 1), ("a-x", "1", 1), ("a", None, None), ("a-٣", "1", 1)],
)
def test_a_host_name_of_the_job_says_the_index_before_the_annotation(
    hostname: str, annotation: str | None, index: int | None
) -> None:
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "a", "uid": "u", "controller": True}
    marks = {} if annotation is None else {COMPLETION_INDEX: annotation}
    raw = pod_json(metadata={"ownerReferences": [owner], "annotations": marks}, spec={"hostname": hostname})
    assert read_pod(raw).completion_index == index


def test_a_status_write_keeps_everything_else() -> None:
    job = read_job(job_json())
    written = orjson.loads(job_with_status(job, JobStatus(failed=2, uncounted_failed=("a",))))
    assert written["metadata"] == job.raw["metadata"]
    assert written["spec"] == job.raw["spec"]
    assert written["status"] == {
        "novelty": {"kept": True},
        "conditions": [],
        "failed": 2,
        "uncountedTerminatedPods": {"failed": ["a"]},
    }


def test_a_status_write_leaves_the_job_as_it_was_read() -> None:
    job = read_job(job_json())
    before = orjson.dumps(job.raw)
    job_with_status(job, JobStatus(succeeded=1))
    new_pod(job)
    new_indexed_pod(job, 1)
    assert orjson.dumps(job.raw) == before


def test_a_status_can_be_read_back() -> None:
    status = JobStatus(start_time=1000.0, ready=1, terminating=0, active=2, uncounted_succeeded=("u",))
    assert read_status(orjson.loads(job_with_status(read_job(job_json()), status))["status"]) == status


def test_a_new_pod_is_owned_and_tracked() -> None:
    pod = orjson.loads(new_pod(read_job(job_json())))
    assert pod["metadata"]["generateName"] == "a-"
    assert pod["metadata"]["finalizers"] == [TRACKING_FINALIZER]
    [owner] = pod["metadata"]["ownerReferences"]
    assert owner == {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": "a",
        "uid": "u",
        "controller": True,
        "blockOwnerDeletion": True,
    }
    assert COMPLETION_INDEX not in pod["metadata"]["labels"]


def test_an_indexed_pod_knows_its_index() -> None:
    pod = orjson.loads(new_indexed_pod(read_job(job_json()), 12))
    assert pod["metadata"]["generateName"] == "a-12-"
    assert pod["metadata"]["labels"] == {"x": "y", COMPLETION_INDEX: "12"}
    assert pod["metadata"]["annotations"] == {"n": "1", COMPLETION_INDEX: "12"}
    assert pod["spec"]["hostname"] == "a-12"
    assert pod["spec"]["initContainers"][0]["env"] == [OWN_INDEX]
    [variable] = pod["spec"]["containers"][0]["env"]
    assert variable["valueFrom"]["fieldRef"]["fieldPath"] == f"metadata.labels['{COMPLETION_INDEX}']"


@pytest.mark.parametrize(("name", "suffix"), [("a" * 63, "-"), ("a" * 63, "-99-"), ("a", "-")])
def test_a_generated_name_leaves_room_for_its_random_end(name: str, suffix: str) -> None:
    assert len(generate_name(name, suffix)) <= 58
    assert generate_name(name, suffix).endswith(suffix)


@pytest.mark.parametrize("unchanged", [True, False])
def test_a_finalizer_patch_hits_exactly_this_pod(unchanged: bool) -> None:
    pod = read_pod(pod_json(metadata={"finalizers": ["x/y", TRACKING_FINALIZER]}))
    metadata = orjson.loads(finalizer_removal(pod, unchanged=unchanged))["metadata"]
    assert metadata["uid"] == "u"
    assert metadata["$deleteFromPrimitiveList/finalizers"] == [TRACKING_FINALIZER]
    assert metadata.get("resourceVersion") == ("7" if unchanged else None)


def test_another_finalizer_is_used_for_everything() -> None:
    job = read_job(job_json(), "example.com/mine", "example.com/x")
    pod = read_pod(pod_json(metadata={"finalizers": [TRACKING_FINALIZER]}), "example.com/x")
    mine = read_pod(pod_json(metadata={"finalizers": ["example.com/x"]}), "example.com/x")

    assert (pod.tracked, mine.tracked) == (False, True)
    assert orjson.loads(new_pod(job))["metadata"]["finalizers"] == ["example.com/x"]
    assert orjson.loads(adoption(pod, job))["metadata"]["finalizers"] == ["example.com/x"]
    for patch in (finalizer_removal(mine, unchanged=False), release(mine, job)):
        assert orjson.loads(patch)["metadata"]["$deleteFromPrimitiveList/finalizers"] == ["example.com/x"]
