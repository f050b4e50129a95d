"""What all controllers share of the API's objects."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import orjson
import pytest
from reference_builders import job

from reference_controller.objects.api_json import (
    adoption,
    pod_from_template,
    read_pod,
    release,
    with_variable,
)
from reference_controller.objects.identity import Controller
from reference_controller.objects.pods import Container
from reference_controller.objects.resources import JOBS, NODES, PODS, Resource

TFJOBS = Resource("kubeflow.org", "v1", "tfjobs")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PODS.everywhere, "/api/v1/pods"),
        (PODS.of("ns"), "/api/v1/namespaces/ns/pods"),
        (PODS.named("ns", "p", "binding"), "/api/v1/namespaces/ns/pods/p/binding"),
        (NODES.named("", "n"), "/api/v1/nodes/n"),
        (TFJOBS.everywhere, "/apis/kubeflow.org/v1/tfjobs"),
        (JOBS.path(job(), "status"), "/apis/batch/v1/namespaces/ns/jobs/a/status"),
    ],
)
def test_a_resource_knows_its_paths(path: str, expected: str) -> None:
    assert path == expected


def pod_json(spec: dict[str, Any], **status: Any) -> dict[str, Any]:
    metadata = {
        "namespace": "ns",
        "name": "p",
        "uid": "u",
        "resourceVersion": "7",
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "ownerReferences": [
            {"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "other"},
            {
                "apiVersion": "kubeflow.org/v1",
                "kind": "TFJob",
                "name": "t",
                "uid": "owner",
                "controller": True,
            },
        ],
    }
    return {"metadata": metadata, "spec": spec, "status": status}


def container(name: str, **state: Any) -> dict[str, Any]:
    return {"name": name, "restartCount": 2, "state": state}


def test_a_pod_tells_how_each_of_its_containers_is() -> None:
    pod = read_pod(
        pod_json(
            {"nodeName": "n", "initContainers": [{"name": "s", "restartPolicy": "Always"}, {"name": "i"}]},
            phase="Failed",
            reason="Evicted",
            containerStatuses=[
                container("tensorflow", terminated={"exitCode": 137, "finishedAt": "1970-01-01T00:00:09Z"}),
                container("other", running={}),
            ],
            initContainerStatuses=[container("s", running={}), container("i", terminated={"exitCode": 0})],
        )
    )
    assert pod.controller == Controller("kubeflow.org/v1", "TFJob", "t", "owner")
    assert (pod.finished, pod.reason, pod.assigned) == (True, "Evicted", True)
    assert pod.containers == (
        Container("tensorflow", "main", 2, 137, 9.0),
        Container("other", "main", 2),
        Container("s", "sidecar", 2),
        Container("i", "init", 2, 0),
    )
    assert [pod.exit_code(name) for name in ("tensorflow", "other", "i", "absent")] == [137, None, None, None]


@pytest.mark.parametrize(
    ("phase", "deleting", "active", "terminating", "finished"),
    [
        ("Running", False, True, False, False),
        ("Unknown", False, True, False, False),
        ("Running", True, False, True, False),
        ("Succeeded", True, False, False, True),
        ("Failed", False, False, False, True),
    ],
)
def test_a_pod_is_active_terminating_or_finished(
    phase: str, deleting: bool, active: bool, terminating: bool, finished: bool
) -> None:
    raw = pod_json({}, phase=phase)
    if deleting:
        raw["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    pod = read_pod(raw)
    assert (pod.active, pod.terminating, pod.finished) == (active, terminating, finished)


def test_a_pod_from_a_template_adds_to_it_and_leaves_it_as_it_is() -> None:
    template = {
        "metadata": {"labels": {"a": "1", "b": "1"}, "finalizers": ["x/y", "x/z"]},
        "spec": {"containers": [{"name": "c"}]},
    }
    before = deepcopy(template)
    pod = pod_from_template(
        template, job(), name="a-worker-0", labels={"b": "2"}, annotations={"n": "1"}, finalizers=["x/y"]
    )
    assert template == before
    metadata = pod["metadata"]
    assert (metadata["name"], "generateName" in metadata) == ("a-worker-0", False)
    assert metadata["labels"] == {"a": "1", "b": "2"}
    assert metadata["annotations"] == {"n": "1"}
    assert metadata["finalizers"] == ["x/z", "x/y"]
    assert pod["spec"] == template["spec"]


def test_a_variable_that_the_user_defines_is_left_alone() -> None:
    mine = {"name": "TF_CONFIG", "value": "{}"}
    assert with_variable({"name": "c"}, mine) == {"name": "c", "env": [mine]}
    theirs = {"name": "c", "env": [{"name": "TF_CONFIG", "value": "theirs"}]}
    assert with_variable(theirs, mine) == theirs


def test_owners_without_finalizers_touch_none() -> None:
    owner = job()
    adopted = orjson.loads(adoption("u", owner))["metadata"]
    assert (adopted["uid"], adopted["ownerReferences"][0]["uid"]) == ("u", owner.uid)
    released = orjson.loads(release("u", owner))["metadata"]
    assert released["ownerReferences"] == [{"$patch": "delete", "uid": owner.uid}]
    assert not [key for key in (*adopted, *released) if "finalizers" in key]
