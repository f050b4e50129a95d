"""What the scheduler reads of the API's JSON, and what it writes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest
from scheduler_builders import NOW, group, pod

from reference_controller.objects.quantity import amount, written
from reference_controller.objects.times import seconds
from reference_controller.scheduler import api_json
from reference_controller.scheduler.dialects import KUBE_BATCH, NATIVE, OWN, VOLCANO
from reference_controller.scheduler.objects import Condition, GroupStatus, QueueStatus, Taint

CREATED = "2026-01-01T00:00:00Z"


def metadata(**more: Any) -> dict[str, Any]:
    return {
        "namespace": "ns",
        "name": "x",
        "uid": "u",
        "resourceVersion": "7",
        "creationTimestamp": CREATED,
        **more,
    }


def asking(**requests: str) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": requests}}


@pytest.mark.parametrize(
    ("resource", "text", "expected"),
    [
        ("cpu", "2", 2000),
        ("cpu", "250m", 250),
        ("cpu", "0.1", 100),
        ("cpu", "1u", 1),
        ("memory", "1Gi", 2**30),
        ("memory", "1.5k", 1500),
        ("memory", "1e3", 1000),
        ("memory", "12E", 12 * 10**18),
        ("memory", "100m", 1),
        ("pods", "110", 110),
    ],
)
def test_quantities_are_read(resource: str, text: str, expected: int) -> None:
    assert amount(resource, text) == expected


@pytest.mark.parametrize("text", ["", "1 Gi", "abc", "1KiB", "--1"])
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no quantity"):
        amount("cpu", text)


@pytest.mark.parametrize(("resource", "units"), [("cpu", 1500), ("cpu", 2000), ("memory", 2**30)])
def test_quantities_are_written_as_they_are_read(resource: str, units: int) -> None:
    assert amount(resource, written(resource, units)) == units


@pytest.mark.parametrize(
    ("spec", "cpu"),
    [
        ({"containers": [asking(cpu="1"), asking(cpu="500m")]}, 1500),
        ({"containers": [asking(cpu="1")], "initContainers": [asking(cpu="3"), asking(cpu="2")]}, 3000),
        ({"containers": [asking(cpu="2")], "initContainers": [asking(cpu="1")]}, 2000),
        (
            {
                "containers": [asking(cpu="1")],
                "initContainers": [{**asking(cpu="1"), "restartPolicy": "Always"}, asking(cpu="2")],
            },
            3000,
        ),
        ({"containers": [asking(cpu="1")], "overhead": {"cpu": "100m"}}, 1100),
        ({"containers": [asking(cpu="1")], "resources": {"requests": {"cpu": "4"}}}, 4000),
        ({"containers": [{"name": "c"}]}, 0),
        ({"containers": [asking(cpu="0")]}, 0),
    ],
)
def test_a_pod_asks_for_what_its_containers_need_together(spec: dict[str, Any], cpu: int) -> None:
    assert dict(api_json.read_requests(spec)).get("cpu", 0) == cpu


def test_pods_made_alike_have_equal_shapes() -> None:
    spec = {
        "containers": [{**asking(cpu="1", memory="1Gi"), "ports": [{"hostPort": 80, "containerPort": 80}]}],
        "nodeSelector": {"disk": "fast"},
        "tolerations": [{"operator": "Exists"}],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]
                }
            },
            "podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [
                    {"topologyKey": "h", "labelSelector": {"matchLabels": {"app": "x"}}}
                ]
            },
        },
    }
    one, other = api_json.read_shape("ns", spec), api_json.read_shape("ns", orjson.loads(orjson.dumps(spec)))
    assert one == other
    assert hash(one) == hash(other)
    assert one != api_json.read_shape("other", spec)


@pytest.mark.parametrize(
    ("term", "namespace", "labels", "expected"),
    [
        ({"labelSelector": {"matchLabels": {"app": "x"}}}, "ns", {"app": "x"}, True),
        ({"labelSelector": {"matchLabels": {"app": "x"}}}, "ns", {"app": "y"}, False),
        ({"labelSelector": {"matchLabels": {"app": "x"}}}, "other", {"app": "x"}, False),
        ({"labelSelector": {}, "namespaces": ["other"]}, "other", {}, True),
        ({"labelSelector": {}, "namespaceSelector": {}}, "other", {}, True),
        ({}, "ns", {}, False),
        (
            {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["x"]}]}},
            "ns",
            {"app": "x"},
            True,
        ),
    ],
)
def test_an_affinity_term_means_certain_pods(
    term: dict[str, Any], namespace: str, labels: dict[str, str], expected: bool
) -> None:
    terms = [{"topologyKey": "h", **term}]
    spec = {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}}
    (neighbours,) = api_json.read_shape("ns", spec).near
    assert neighbours.include(pod(namespace=namespace, labels=labels)) is expected


@pytest.mark.parametrize(
    "spec",
    [
        {"volumes": [{"name": "v", "ephemeral": {}}]},
        {"resourceClaims": [{"name": "c"}]},
        {
            "topologySpreadConstraints": [
                {"whenUnsatisfiable": "DoNotSchedule", "topologyKey": "z", "maxSkew": 1, "minDomains": 2}
            ]
        },
    ],
)
def test_a_pod_that_asks_for_what_is_not_known_is_marked(spec: dict[str, Any]) -> None:
    assert api_json.read_shape("ns", spec).unsupported
    assert not api_json.read_shape("ns", {"volumes": [{"name": "v", "emptyDir": {}}]}).unsupported


@pytest.mark.parametrize(
    ("spec", "ready", "schedulable", "taints"),
    [
        ({}, "True", True, 0),
        ({}, "False", False, 0),
        ({}, "Unknown", False, 0),
        ({"unschedulable": True}, "True", True, 1),
        ({"taints": [{"key": "a", "effect": "PreferNoSchedule"}]}, "True", True, 0),
        ({"taints": [{"key": "a", "effect": "NoExecute"}]}, "True", True, 1),
    ],
)
def test_a_node_is_read(spec: dict[str, Any], ready: str, schedulable: bool, taints: int) -> None:
    status = {"allocatable": {"cpu": "3900m"}, "conditions": [{"type": "Ready", "status": ready}]}
    found = api_json.read_node({"metadata": metadata(), "spec": spec, "status": status})
    assert (found.schedulable, len(found.taints)) == (schedulable, taints)
    assert found.allocatable == {"cpu": 3900}


def test_a_cordon_is_a_taint_that_can_be_tolerated() -> None:
    found = api_json.read_node({"metadata": metadata(), "spec": {"unschedulable": True}})
    assert found.taints == (Taint("node.kubernetes.io/unschedulable", "", "NoSchedule"),)


def test_a_pod_is_read_in_each_dialect() -> None:
    labels = {"gang.batchproof.dev/group": "own"}
    spec = {
        "schedulerName": "batchproof",
        "schedulingGroup": {"podGroupName": "native"},
        "schedulingGates": [{"name": "g"}],
        "priority": 5,
        "containers": [],
    }
    told = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "m"}
    named = metadata(labels=labels, annotations={"scheduling.k8s.io/group-name": "annotated"})
    raw = {"metadata": named, "spec": spec, "status": {"conditions": [told]}}
    own, native = OWN.read_pod(raw), NATIVE.read_pod(raw)
    assert (own.group, native.group) == ("own", "native")
    assert (VOLCANO.read_pod(raw).group, KUBE_BATCH.read_pod(raw).group) == ("annotated", "annotated")
    assert (own.ours, own.gated, own.priority, own.unschedulable, own.phase) == (
        True,
        True,
        5,
        "m",
        "Pending",
    )


@pytest.mark.parametrize(("name", "expected"), [("batchproof", True), ("default-scheduler", False)])
def test_pods_say_which_scheduler_they_are_for(name: str, expected: bool) -> None:
    raw = {"metadata": metadata(), "spec": {"schedulerName": name, "containers": []}}
    assert OWN.read_pod(raw).ours is expected
    assert replace(NATIVE, scheduler="default-scheduler").read_pod(raw).ours is not expected


@pytest.mark.parametrize(
    ("dialect", "spec", "minimum", "queue"),
    [
        (OWN, {}, 1, "default"),
        (OWN, {"minMember": 3, "queue": ""}, 3, "default"),
        (OWN, {"queue": "q"}, 1, "q"),
        (NATIVE, {"schedulingPolicy": {"gang": {"minCount": 4}}}, 4, "default"),
        (NATIVE, {"schedulingPolicy": {"basic": {}}}, 1, "default"),
        (VOLCANO, {"minMember": 3, "queue": "q"}, 3, "q"),
        (KUBE_BATCH, {}, 1, "default"),
    ],
)
def test_a_group_is_read_in_each_dialect(
    dialect: Any, spec: dict[str, Any], minimum: int, queue: str
) -> None:
    found = dialect.read_group({"metadata": metadata(), "spec": spec})
    assert (found.min_member, found.queue, found.created) == (minimum, queue, seconds(CREATED))


@pytest.mark.parametrize("dialect", [OWN, NATIVE, VOLCANO, KUBE_BATCH])
def test_a_status_is_read_as_it_was_written_and_keeps_what_others_wrote(dialect: Any) -> None:
    others = {"type": "Other", "status": "True", "reason": "r", "lastTransitionTime": CREATED}
    raw = {"metadata": metadata(), "spec": {"schedulingPolicy": {}}, "status": {"conditions": [others]}}
    known = dialect.read_group(raw)
    condition = Condition("False", "Unschedulable", "m", NOW, 3)
    status = dialect.spelled(known, GroupStatus(condition, 4, 3, 2, 1))
    assert (status.running, status.condition.status) == (0 if dialect is NATIVE else 3, "False")
    body = orjson.loads(dialect.group_with_status(known, status))
    assert body["metadata"]["resourceVersion"] == "7"
    assert others in body["status"]["conditions"]
    assert dialect.read_group(body).status == status


def test_kubernetes_groups_tell_of_the_first_time_only() -> None:
    waiting = GroupStatus(Condition("False", "NotEnoughPods", "m", NOW, 1), scheduled=1)
    known = group("a", 3)
    spelled = NATIVE.spelled(known, waiting)
    assert spelled == GroupStatus(Condition("False", "Unschedulable", "m", NOW, 1))
    assert OWN.spelled(known, waiting) == waiting
    scheduled = replace(known, status=GroupStatus(Condition("True", "Scheduled", "", NOW, 1)))
    assert NATIVE.spelled(scheduled, waiting) == scheduled.status


def test_volcano_tells_while_a_gang_cannot_be_scheduled() -> None:
    known = VOLCANO.read_group({"metadata": metadata(), "spec": {"minMember": 3}})
    for scheduled, told in (("False", "True"), ("True", "False")):
        status = GroupStatus(Condition(scheduled, "r", "m", NOW, 0))
        [condition] = orjson.loads(VOLCANO.group_with_status(known, status))["status"]["conditions"]
        assert (condition["type"], condition["status"]) == ("Unschedulable", told)


@pytest.mark.parametrize(("dialect", "end"), [(OWN, "/podgroups/a/status"), (VOLCANO, "/podgroups/a")])
def test_a_status_goes_where_the_api_takes_it(dialect: Any, end: str) -> None:
    assert dialect.status_path(group("a", 3)).endswith(end)


def test_a_queue_is_read_and_its_status_written() -> None:
    found = api_json.read_queue({"metadata": metadata(), "spec": {"weight": 3}})
    assert found.weight == 3
    status = QueueStatus((("cpu", 1500), ("memory", 1024)), (("cpu", 1000), ("memory", 0)))
    assert api_json.read_queue(orjson.loads(api_json.queue_with_status(found, status))).status == status


def test_a_binding_is_for_exactly_one_pod() -> None:
    bound = pod(name="p", uid="u")
    body = orjson.loads(api_json.binding(bound, "n"))
    assert (body["metadata"]["uid"], body["target"]["name"]) == ("u", "n")
    assert orjson.loads(api_json.unschedulable(bound, "m", NOW))["metadata"] == {"uid": "u"}
