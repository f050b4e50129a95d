"""What groups say beside their minimum: a priority, a domain; and when one that is deleted may go."""

from __future__ import annotations

import orjson
import pytest
from scheduler_builders import NOW, bound, gangs_bound, group, node, pod, pods, running, snapshot

from reference_controller.scheduler.decide import decide
from reference_controller.scheduler.dialects import NATIVE, PROTECTION
from reference_controller.scheduler.objects import Node

ZONE = "topology.kubernetes.io/zone"


def in_zone(zone: str, cpus: int) -> Node:
    return node(cpus, name=f"{zone}-{cpus}", labels={ZONE: zone})


# -- one priority


@pytest.mark.parametrize(
    ("priority", "expected"),
    [pytest.param(None, 3, id="any will do"), pytest.param(5, 0, id="one pod has another")],
)
def test_a_group_may_say_which_priority_its_pods_have(priority: int | None, expected: int) -> None:
    members = [*pods(2, "a", priority=5), pod("a", priority=6)]
    assert len(bound(snapshot([node(4)], members, [group("a", 3, priority=priority)]))) == expected


def test_a_pod_that_has_ended_does_not_mix_priorities() -> None:
    members = [pod("a", priority=6, phase="Succeeded", node="gone"), *pods(2, "a", priority=5)]
    assert len(bound(snapshot([node(4)], members, [group("a", 3, priority=5)]))) == 2


# -- one domain


@pytest.mark.parametrize(
    ("east", "west", "expected"),
    [
        pytest.param(2, 2, set(), id="neither holds it"),
        pytest.param(2, 3, {"west-3"}, id="the second does"),
        pytest.param(3, 2, {"east-3"}, id="the first does"),
    ],
)
def test_a_gang_is_placed_in_one_domain(east: int, west: int, expected: set[str]) -> None:
    groups = [group("a", 3, domain_key=ZONE)]
    seen = snapshot([in_zone("east", east), in_zone("west", west)], pods(3, "a"), groups)
    assert set(bound(seen).values()) == expected


def test_nodes_without_the_label_are_in_no_domain() -> None:
    assert bound(snapshot([node(9)], pods(3, "a"), [group("a", 3, domain_key=ZONE)])) == {}


@pytest.mark.parametrize(("free", "expected"), [(0, 0), (1, 1)])
def test_later_pods_go_where_the_others_are(free: int, expected: int) -> None:
    east = in_zone("east", 2 + free)
    members = [*running(2, "a", east), pod("a")]
    seen = snapshot([east, in_zone("west", 4)], members, [group("a", 2, domain_key=ZONE)])
    assert [*bound(seen).values()] == [east.name] * expected


def test_pods_beyond_the_minimum_go_where_this_decision_put_it() -> None:
    groups = [group("a", 2, domain_key=ZONE)]
    seen = snapshot([in_zone("east", 2), in_zone("west", 3)], pods(3, "a"), groups)
    assert gangs_bound(seen) == {"a": 2}


# -- groups that are to go


@pytest.mark.parametrize(
    ("phases", "protected", "expected"),
    [
        pytest.param(["Succeeded", "Failed"], True, ["a"], id="all have ended"),
        pytest.param([], True, ["a"], id="there is none"),
        pytest.param(["Succeeded", "Running"], True, [], id="one runs"),
        pytest.param(["Succeeded", "Pending"], True, [], id="one waits"),
        pytest.param([], False, [], id="nothing keeps it"),
    ],
)
def test_a_group_goes_when_its_pods_have_ended(
    phases: list[str], *, protected: bool, expected: list[str]
) -> None:
    members = [pod("a", phase=phase) for phase in phases]
    groups = [group("a", 9, deleting=True, protected=protected), group("b", 9, protected=True)]
    assert [one.name for one in decide(snapshot([node()], members, groups), NOW).released] == expected


def test_the_groups_of_kubernetes_say_all_of_that() -> None:
    raw = {
        "metadata": {
            "namespace": "ns",
            "name": "a",
            "uid": "u",
            "resourceVersion": "7",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "deletionTimestamp": "2026-01-01T00:00:01Z",
            "finalizers": ["example.com/mine", PROTECTION],
        },
        "spec": {
            "priority": 5,
            "schedulingPolicy": {"gang": {"minCount": 3}},
            "schedulingConstraints": {"topology": [{"key": ZONE}]},
        },
    }
    read = NATIVE.read_group(raw)
    assert (read.priority, read.domain_key, read.protected, read.deleting) == (5, ZONE, True, True)
    changed = {"uid": "u", "resourceVersion": "7", "finalizers": ["example.com/mine"]}
    assert orjson.loads(NATIVE.unprotected(read)) == {"metadata": changed}
