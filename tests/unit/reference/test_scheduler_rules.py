"""The rules of the scheduler one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scheduler_builders import (
    NOW,
    after,
    bound,
    ended,
    gangs_bound,
    group,
    node,
    pod,
    pods,
    queue,
    shape,
    snapshot,
)

from reference_controller.objects.labels import Requirement
from reference_controller.scheduler.decide import decide
from reference_controller.scheduler.fit import suits
from reference_controller.scheduler.objects import (
    NOT_ENOUGH_PODS,
    NOT_ENOUGH_RESOURCES,
    QUEUE_OVERUSED,
    UNKNOWN_QUEUE,
    Condition,
    GroupStatus,
    Neighbours,
    NodeTerm,
    PodSelector,
    Taint,
    Toleration,
)
from reference_controller.scheduler.reports import group_status
from reference_controller.scheduler.shares import deserved
from reference_controller.scheduler.snapshot import Snapshot, gangs

HOSTNAME = "kubernetes.io/hostname"
GPU = "example.com/gpu"


def told(seen: Snapshot, name: str) -> tuple[str, str]:
    """What the next status of a group says: its condition's status and reason."""
    statuses = {found.name: status for found, status in decide(seen, NOW).groups}
    condition = statuses[name].condition
    assert condition is not None
    return condition.status, condition.reason


# -- whole or not at all


def test_a_gang_waits_for_its_last_pod() -> None:
    members = pods(3, "a")
    assert bound(snapshot([node(8)], members[:2], [group("a", 3)])) == {}
    assert len(bound(snapshot([node(8)], members, [group("a", 3)]))) == 3


@pytest.mark.parametrize(("cpus", "expected"), [([2], 0), ([2, 1], 3), ([1, 1, 1], 3), ([3], 3)])
def test_a_gang_is_bound_only_if_all_it_needs_fits(cpus: list[int], expected: int) -> None:
    seen = snapshot([node(each) for each in cpus], pods(3, "a"), [group("a", 3)])
    assert len(bound(seen)) == expected


@pytest.mark.parametrize(("minimum", "expected"), [(12, 0), (7, 0), (6, 6)])
def test_pods_that_never_fit_do_not_count_for_those_that_do(minimum: int, expected: int) -> None:
    members = [pod("a", cpus) for _ in range(6) for cpus in (1, 100)]
    assert len(bound(snapshot([node(6)], members, [group("a", minimum)]))) == expected


def test_the_easiest_are_taken_where_the_hardest_leave_too_little_room() -> None:
    members = [*pods(2, "a", 4), *pods(4, "a", 1)]
    assert len(bound(snapshot([node(6)], members, [group("a", 4)]))) >= 4


def test_the_hardest_to_place_is_placed_first() -> None:
    picky = pod("a", asks={"selector": (("disk", "fast"),)})
    nodes = [node(1, name="a", labels={"disk": "fast"}), node(1, name="b")]
    seen = snapshot(nodes, [pod("a"), picky], [group("a", 2)])
    assert bound(seen)[picky.name] == "a"


def test_surplus_pods_come_one_by_one_after_the_minimum_of_all() -> None:
    seen = snapshot([node(6)], [*pods(5, "a"), *pods(2, "b")], [group("a", 3), group("b", 2)])
    assert gangs_bound(seen) == {"a": 4, "b": 2}


@pytest.mark.parametrize(
    ("of_a", "of_b", "running", "expected"),
    [
        (1, 1, 0, {"a": 6, "b": 6}),
        (1, 2, 0, {"a": 6, "b": 3}),
        (2, 2, 0, {"a": 3, "b": 3}),
        (1, 1, 4, {"a": 4, "b": 8}),
        (1, 1, 12, {"b": 12}),
    ],
)
def test_what_is_left_over_goes_to_the_gang_that_has_least(
    of_a: int, of_b: int, running: int, expected: dict[str, int]
) -> None:
    begun = pods(running, "a", of_a, node="busy", phase="Running")
    groups = [group("a", 1), group("b", 1)]
    nodes = [node(12, name="free"), node(running, name="busy")]
    seen = snapshot(nodes, [*begun, *pods(20, "a", of_a), *pods(20, "b", of_b)], groups)
    assert gangs_bound(seen) == expected


def test_a_surplus_pod_does_not_wait_for_company() -> None:
    members = [*pods(3, "a", node="x", phase="Running"), pod("a")]
    assert len(bound(snapshot([node(1)], members, [group("a", 3)]))) == 1


def test_a_gang_that_cannot_be_completed_leaves_its_room_to_others() -> None:
    seen = snapshot([node(4)], [*pods(6, "a"), *pods(3, "b"), pod()], [group("a", 6), group("b", 3)])
    assert gangs_bound(seen) == {"b": 3, None: 1}


@pytest.mark.parametrize("first", ["a", "b"])
def test_of_two_gangs_that_do_not_fit_together_one_runs_and_then_the_other(first: str) -> None:
    second = "b" if first == "a" else "a"
    groups = [group(first, 3), group(second, 3)]
    members = [pod(name) for _ in range(3) for name in ("a", "b")]
    seen = snapshot([node(4)], members, groups)
    assert gangs_bound(seen) == {first: 3}
    seen = after(seen, decide(seen, NOW))
    seen = ended(seen, [each.uid for each in seen.pods if each.node])
    assert gangs_bound(seen) == {second: 3}


# -- members


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ({"node": "x", "phase": "Running"}, 2),
        ({"node": "x"}, 2),
        ({"node": "x", "phase": "Succeeded"}, 2),
        ({"node": "x", "phase": "Failed"}, 2),
        ({"node": "x", "phase": "Running", "deleting": True}, 0),
        ({"gated": True}, 0),
        ({"deleting": True}, 0),
    ],
)
def test_members_that_are_bound_or_have_ended_count_towards_the_minimum(
    there: dict[str, Any], expected: int
) -> None:
    seen = snapshot([node(8)], [*pods(2, "a", **there), *pods(2, "a")], [group("a", 4)])
    assert len(bound(seen)) == expected


def test_a_gang_that_is_bound_in_part_is_completed_before_older_ones_start() -> None:
    members = [*pods(2, "old"), pod("new", node="n"), pod("new")]
    seen = snapshot([node(3, name="n")], members, [group("old", 2), group("new", 2)])
    assert gangs_bound(seen) == {"new": 1}


def test_own_bindings_count_before_the_watch_shows_them() -> None:
    first, *rest = pods(3, "a")
    seen = snapshot([node(3, name="n")], [first, *rest, pod()], [group("a", 3)], assumed={first.uid: "n"})
    assert set(bound(seen)) == {each.name for each in rest}


def test_pods_of_others_are_left_alone_but_take_room() -> None:
    others = [pod(ours=False, node="n"), pod(ours=False)]
    seen = snapshot([node(2, name="n")], [*others, *pods(2)])
    assert len(bound(seen)) == 1


def test_pods_of_two_owners_that_name_one_group_are_one_gang() -> None:
    members = [*pods(2, "a", labels={"job": "left"}), *pods(2, "a", labels={"job": "right"})]
    assert len(bound(snapshot([node(8)], members, [group("a", 4)]))) == 4


def test_a_group_and_a_pod_of_one_name_are_two_gangs() -> None:
    seen = snapshot([node(2)], [pod(name="a"), pod("a"), pod("a")], [group("a", 2)])
    assert len(bound(seen)) == 1


def test_groups_of_one_name_in_two_namespaces_are_two_gangs() -> None:
    members = [pod("a"), pod("a", namespace="other")]
    groups = [group("a", 2), group("a", 2, namespace="other")]
    assert bound(snapshot([node(8)], members, groups)) == {}


def test_pods_wait_for_their_group_to_exist() -> None:
    members = pods(2, "a")
    assert bound(snapshot([node(8)], members)) == {}
    assert len(bound(snapshot([node(8)], members, [group("a", 2)]))) == 2


# -- nodes


@pytest.mark.parametrize(
    ("about_node", "asks", "expected"),
    [
        ({}, {}, True),
        ({"schedulable": False}, {}, False),
        ({"taints": (Taint("k", "v", "NoSchedule"),)}, {}, False),
        (
            {"taints": (Taint("k", "v", "NoSchedule"),)},
            {"tolerations": (Toleration("k", "Equal", "v", ""),)},
            True,
        ),
        (
            {"taints": (Taint("k", "v", "NoSchedule"),)},
            {"tolerations": (Toleration("k", "Equal", "w", ""),)},
            False,
        ),
        (
            {"taints": (Taint("k", "v", "NoSchedule"),)},
            {"tolerations": (Toleration("k", "Exists", "", "NoExecute"),)},
            False,
        ),
        (
            {"taints": (Taint("k", "v", "NoExecute"), Taint("l", "", "NoSchedule"))},
            {"tolerations": (Toleration("", "Exists", "", ""),)},
            True,
        ),
        ({"labels": {"disk": "fast"}}, {"selector": (("disk", "fast"),)}, True),
        ({"labels": {"disk": "slow"}}, {"selector": (("disk", "fast"),)}, False),
        ({"labels": {"disk": "fast"}}, {"node_terms": ()}, False),
        ({}, {"node_terms": (NodeTerm(),)}, False),
        (
            {"labels": {"disk": "fast"}},
            {
                "node_terms": (
                    NodeTerm((Requirement("disk", "In", frozenset({"slow"})),)),
                    NodeTerm((Requirement("disk", "Exists", frozenset()),)),
                )
            },
            True,
        ),
        (
            {"name": "n"},
            {"node_terms": (NodeTerm((), (Requirement("metadata.name", "In", frozenset({"m"})),)),)},
            False,
        ),
        ({}, {"unsupported": "resource claims"}, False),
    ],
)
def test_a_node_suits_a_pod(about_node: dict[str, Any], asks: dict[str, Any], expected: bool) -> None:
    assert suits(node(**about_node), shape(**asks)) is expected


def test_no_node_gets_more_than_it_has_of_anything() -> None:
    asked = {"requests": (("cpu", 1000), (GPU, 1))}
    seen = snapshot([node(8, extra={GPU: 2})], [*pods(3, asks=asked), *pods(8)])
    names = {each.name: each for each in seen.pods}
    placed = [names[name].shape for name in bound(seen)]
    assert sum((GPU, 1) in each.requests for each in placed) == 2
    assert len(placed) == 8


def test_no_node_gets_more_pods_than_it_bears() -> None:
    assert len(bound(snapshot([node(8, extra={"pods": 2})], pods(5, cpus=0)))) == 2


def test_a_host_port_is_taken_once_on_each_node() -> None:
    asked = {"ports": frozenset({("TCP", 80)})}
    seen = snapshot([node(8), node(8)], pods(3, asks=asked))
    assert sorted(bound(seen).values()) == sorted(each.name for each in seen.nodes)


# -- neighbours


def keeping(kind: str, key: str = HOSTNAME, **labels: str) -> dict[str, Any]:
    selector = PodSelector(frozenset({"ns"}), tuple(labels.items()))
    return {kind: (Neighbours(key, (selector,)),)}


@pytest.mark.parametrize(("nodes", "expected"), [(2, 0), (3, 3)])
def test_pods_of_a_gang_that_keep_apart_need_a_node_each(nodes: int, expected: int) -> None:
    members = pods(3, "a", labels={"app": "x"}, asks=keeping("apart", app="x"))
    found = bound(snapshot([node(8) for _ in range(nodes)], members, [group("a", 3)]))
    assert len(found) == len(set(found.values())) == expected


def test_a_pod_that_keeps_others_off_is_heeded_by_those_that_come_later() -> None:
    there = pod(node="n", phase="Running", labels={"app": "y"}, asks=keeping("apart", app="x"))
    seen = snapshot([node(8, name="n"), node(8, name="o")], [there, *pods(2, labels={"app": "x"}), pod()])
    assert sorted(bound(seen).values()) == ["n", "o", "o"]


def test_pods_of_a_gang_that_keep_together_find_a_node_with_room_for_all() -> None:
    members = pods(3, "a", labels={"app": "x"}, asks=keeping("near", app="x"))
    seen = snapshot([node(2, name="a"), node(3, name="b")], members, [group("a", 3)])
    assert set(bound(seen).values()) == {"b"}


def test_a_pod_that_wants_neighbours_waits_until_they_are_there() -> None:
    wanting = pod(asks=keeping("near", app="y"))
    assert bound(snapshot([node(8)], [wanting])) == {}
    there = pod(node="b", phase="Running", labels={"app": "y"})
    assert bound(snapshot([node(8, name="a"), node(8, name="b")], [wanting, there])) == {wanting.name: "b"}


# -- order


def test_a_higher_priority_is_first() -> None:
    members = [*pods(3, "old"), *pods(3, "new", priority=10)]
    assert gangs_bound(snapshot([node(4)], members, [group("old", 3), group("new", 3)])) == {"new": 3}


@pytest.mark.parametrize(("created_a", "created_b", "first"), [(1, 2, "a"), (2, 1, "b"), (1, 1, "a")])
def test_of_equal_priority_the_older_is_first_and_then_the_name(
    created_a: int, created_b: int, first: str
) -> None:
    groups = [group("b", 3, created=created_b), group("a", 3, created=created_a)]
    assert gangs_bound(snapshot([node(4)], [*pods(3, "b"), *pods(3, "a")], groups)) == {first: 3}


def test_the_surplus_of_a_higher_priority_goes_before_the_minimum_of_a_lower() -> None:
    members = [*pods(4, "low"), *pods(4, "high", priority=10)]
    seen = snapshot([node(5)], members, [group("low", 2), group("high", 1)])
    assert gangs_bound(seen) == {"high": 4}


# -- pods that request nothing


def test_a_pod_that_asks_for_nothing_is_bound_to_a_full_node() -> None:
    full = pod(node="n", phase="Running", cpus=9)
    light = pod(cpus=0)
    assert bound(snapshot([node(4, name="n")], [full, light, pod()])) == {light.name: "n"}


def test_pods_that_ask_for_nothing_wait_with_their_gang() -> None:
    members = [*pods(2, "a"), *pods(2, "a", cpus=0)]
    assert bound(snapshot([node(1)], members, [group("a", 4)])) == {}
    assert bound(snapshot([node(1)], pods(2, "a", cpus=0), [group("a", 3)])) == {}
    assert len(bound(snapshot([node(2)], members, [group("a", 4)]))) == 4


def test_pods_that_ask_for_nothing_take_no_place_from_those_that_ask() -> None:
    seen = snapshot([node(8, extra={"pods": 1})], [pod(cpus=0, priority=10), asking := pod()])
    assert set(bound(seen)) == {asking.name}


# -- queues


def test_the_default_queue_needs_no_object_and_an_unknown_one_gets_nothing() -> None:
    groups = [group("a", 1), group("b", 1, queue="nope")]
    seen = snapshot([node(8)], [pod("a"), pod("b")], groups, [queue("other")])
    assert gangs_bound(seen) == {"a": 1}
    assert told(seen, "b") == ("False", UNKNOWN_QUEUE)


@pytest.mark.parametrize(
    ("total", "requests", "expected"),
    [
        (12, {"a": 10, "b": 3, "c": 10}, {"a": 4.5, "b": 3, "c": 4.5}),
        (12, {"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 1, "c": 1}),
        (12, {"a": 20, "b": 20, "c": 20}, {"a": 3, "b": 6, "c": 3}),
        (12, {"a": 20, "b": 0, "c": 20}, {"a": 6, "b": 0, "c": 6}),
        (0, {"a": 20, "b": 0, "c": 20}, {"a": 0, "b": 0, "c": 0}),
    ],
)
def test_shares_follow_weights_and_requests(
    total: int, requests: dict[str, int], expected: dict[str, float]
) -> None:
    assert deserved(total, {"a": 1, "b": 2, "c": 1}, requests, {}) == expected


def test_queues_get_what_their_weights_say() -> None:
    groups = [group("a", 1, queue="light"), group("b", 1, queue="heavy")]
    members = [*pods(9, "a"), *pods(9, "b")]
    seen = snapshot([node(8)], members, groups, [queue("light", 1), queue("heavy", 3)])
    assert gangs_bound(seen) == {"a": 2, "b": 6}


def two_queues(cpus: int, first: int, late: int, running: int = 0, minimum: int = 1) -> Snapshot:
    """Queue `first` has pods on the only node and others that wait; all those of `late` wait."""
    groups = [group("f", 1, queue="first"), group("l", minimum, queue="late")]
    there = pods(running, "f", node="n", phase="Running")
    members = [*there, *pods(first, "f"), *pods(late, "l")]
    return snapshot([node(cpus, name="n")], members, groups, [queue("first"), queue("late")])


def test_room_goes_to_the_queue_below_its_share() -> None:
    assert gangs_bound(two_queues(8, first=7, late=8, running=5)) == {"l": 3}
    assert gangs_bound(two_queues(8, first=7, late=8, running=2)) == {"f": 2, "l": 4}


def test_room_that_a_queue_below_its_share_waits_for_is_not_lent() -> None:
    seen = two_queues(8, first=7, late=4, running=6, minimum=4)
    assert gangs_bound(seen) == {}
    assert told(seen, "l") == ("False", NOT_ENOUGH_RESOURCES)


def test_what_can_never_run_keeps_nothing_from_others() -> None:
    assert gangs_bound(two_queues(8, first=7, late=20, running=6, minimum=20)) == {"f": 2}


def test_what_nobody_else_asks_for_may_be_used() -> None:
    assert gangs_bound(two_queues(8, first=8, late=0)) == {"f": 8}
    assert gangs_bound(two_queues(8, first=8, late=2)) == {"f": 6, "l": 2}


def test_a_gang_bigger_than_the_share_of_its_queue_runs_all_the_same() -> None:
    assert gangs_bound(two_queues(8, first=0, late=7, minimum=7)) == {"l": 7}


def test_a_small_gang_does_not_overtake_one_of_higher_priority_that_exceeds_the_share() -> None:
    groups = [group("big", 6, queue="a"), group("small", 2, queue="a"), group("o", 1, queue="b")]
    members = [*pods(6, "big", priority=10), *pods(2, "small"), *pods(8, "o")]
    seen = snapshot([node(11)], members, groups, [queue("a"), queue("b")])
    assert gangs_bound(seen) == {"o": 5, "big": 6}


def test_a_queue_tells_what_it_is_due_and_what_it_has() -> None:
    statuses = {found.name: status for found, status in decide(two_queues(8, 9, 9, running=3), NOW).queues}
    assert dict(statuses["first"].deserved)["cpu"] == dict(statuses["late"].deserved)["cpu"] == 4000
    assert dict(statuses["first"].allocated)["cpu"] == 4000


# -- reports


def test_a_gang_tells_why_it_waits() -> None:
    too_few = snapshot([node(8)], pods(2, "a"), [group("a", 3)])
    assert told(too_few, "a") == ("False", NOT_ENOUGH_PODS)
    too_big = snapshot([node(2)], pods(3, "a"), [group("a", 3)])
    assert told(too_big, "a") == ("False", NOT_ENOUGH_RESOURCES)
    groups = [group("f", 2, queue="first"), group("l", 8, queue="late")]
    there = pods(4, node="n", phase="Running")
    waiting = [*pods(2, "f"), *pods(8, "l")]
    over = replace(
        snapshot([node(8, name="n")], [*there, *waiting], groups, [queue("first"), queue("late", 9)]),
        groups={**{("ns", g.name): g for g in groups}, ("ns", "run"): group("run", 1, queue="first")},
        pods=(*(replace(p, group="run") for p in there), *waiting),
    )
    assert told(over, "f") == ("False", QUEUE_OVERUSED)


def test_a_pod_that_waits_tells_why_and_only_once() -> None:
    waiting = pod("a")
    seen = snapshot([node(8)], [waiting], [group("a", 3)])
    ((found, message),) = decide(seen, NOW).pods
    assert found == waiting
    assert "1 pods of the 3" in message
    again = replace(seen, pods=(replace(waiting, unschedulable=message),))
    assert decide(again, NOW).pods == ()


def test_a_gang_is_told_to_be_scheduled_when_the_watch_shows_it() -> None:
    members = pods(2, "a")
    seen = snapshot([node(8, name="n")], members, [group("a", 2)])
    assert decide(seen, NOW).groups == ()
    assumed = replace(seen, assumed={each.uid: "n" for each in members})
    assert decide(assumed, NOW).groups == ()
    assert told(after(seen, decide(seen, NOW)), "a") == ("True", "Scheduled")


@pytest.mark.parametrize(("waiting", "expected"), [(0, "True"), (1, "False")])
def test_a_gang_that_was_scheduled_is_told_of_again_only_if_pods_wait(waiting: int, expected: str) -> None:
    old = GroupStatus(Condition("True", "Scheduled", "", NOW - 5, 1), scheduled=2)
    known = group("a", 2, status=old)
    ((_, status),) = decide(snapshot([node(8)], pods(waiting, "a"), [known]), NOW).groups
    assert status.condition is not None
    assert status.condition.status == expected
    assert (status.condition.changed == NOW) is bool(waiting)


@pytest.mark.parametrize(
    ("before", "phases", "phase"),
    [
        ("", ["Pending", "Pending"], "Pending"),
        ("", ["Pending", "Pending", "Pending"], ""),
        ("Pending", ["Running", "Running", "Pending"], "Pending"),
        ("Pending", ["Running", "Running", "Running"], "Running"),
        ("Running", ["Running", "Succeeded", "Succeeded"], "Running"),
        ("Running", ["Running", "Running"], "Pending"),
        ("Running", ["Running", "Running", "Failed"], "Failed"),
        ("Running", ["Running", "Failed"], "Pending"),
        ("Running", ["Succeeded", "Succeeded", "Succeeded", "Failed"], "Finished"),
        ("Finished", [], "Finished"),
        ("Failed", ["Running", "Running", "Running"], "Failed"),
    ],
)
def test_a_group_says_how_far_its_gang_is(before: str, phases: list[str], phase: str) -> None:
    known = group("a", 3, status=GroupStatus(phase=before))
    members = [pod("a", phase=each) for each in phases]
    (gang,) = gangs(snapshot([node(8)], members, [known]))
    assert group_status(gang, known, None, NOW).phase == phase


def test_a_report_keeps_the_time_at_which_it_became_true() -> None:
    old = GroupStatus(Condition("False", NOT_ENOUGH_PODS, "", NOW - 5, 1))
    seen = snapshot([node(1)], pods(2, "a"), [group("a", 2, status=old)])
    ((_, status),) = decide(seen, NOW).groups
    assert status.condition is not None
    assert (status.condition.reason, status.condition.changed) == (NOT_ENOUGH_RESOURCES, NOW - 5)
