"""Which pods are evicted, rule by rule and for any gangs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scheduler_builders import NOW, group, node, pod, pods, queue, running, snapshot

from reference_controller.scheduler.decide import decide
from reference_controller.scheduler.objects import Budget, Pod, PodSelector
from reference_controller.scheduler.snapshot import Snapshot


def evicted(seen: Snapshot) -> dict[str | None, int]:
    """How many pods of each group have to give way now."""
    return dict(Counter(pod.group for pod in decide(seen, NOW).evictions))


def contest(
    minimum: int, wanted: int, *, cpus: int = 4, there: int = 3, kept: int = 1, **urgent: Any
) -> Snapshot:
    """A node on which pods of gang low run, and gang high of higher priority that wants some of it."""
    place = node(cpus)
    claimants = pods(wanted, "high", **{"priority": 10, **urgent})
    everyone = [*running(there, "low", place), *claimants]
    return snapshot([place], everyone, [group("low", kept), group("high", minimum)])


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(contest(2, 2), {"low": 1}, id="as many as are needed"),
        pytest.param(contest(4, 4), {"low": 3}, id="the whole gang where it must be"),
        pytest.param(contest(1, 1), {}, id="none where it fits"),
        pytest.param(contest(5, 5), {}, id="none where it would not fit even so"),
        pytest.param(contest(2, 2, priority=0), {}, id="none of the same priority"),
        pytest.param(contest(2, 2, preempts=False), {}, id="none for a gang that never preempts"),
        pytest.param(contest(1, 3), {"low": 2}, id="also for more than the minimum"),
        pytest.param(contest(1, 6), {"low": 3}, id="for as many of the others as fit"),
        pytest.param(contest(2, 2, kept=3), {"low": 3}, id="a gang without pods to spare as a whole"),
        pytest.param(contest(2, 2, kept=2), {"low": 1}, id="the pod that it can spare"),
        pytest.param(contest(3, 3, kept=2), {"low": 3}, id="all where one to spare is not enough"),
    ],
)
def test_who_gives_way(seen: Snapshot, expected: dict[str, int]) -> None:
    assert evicted(seen) == expected


def budgeted(*budgets: Budget, kept: int = 1) -> Snapshot:
    """A node that gangs old and young use, of 2 pods each, and gang high that wants half of it."""
    place = node(4)
    there = [it for name in ("old", "young") for it in running(2, name, place, labels={"app": name})]
    groups = [group("old", kept), group("young", kept), group("high", 2)]
    return snapshot([place], [*there, *pods(2, "high", priority=10)], groups, budgets=budgets)


def budget(of: str, allowed: int = 0, namespace: str = "ns") -> Budget:
    """A budget that allows a number of disruptions of the pods of a gang."""
    selector = PodSelector(frozenset({namespace}), (("app", of),))
    return Budget(namespace, of, f"budget-{of}", 1, selector, allowed)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(budgeted(), {"old": 1, "young": 1}, id="without a budget, what each gang can spare"),
        pytest.param(budgeted(budget("old")), {"young": 2}, id="the gang that no budget protects"),
        pytest.param(budgeted(budget("young")), {"old": 2}, id="even if it is older"),
        pytest.param(budgeted(budget("old", 1)), {"old": 1, "young": 1}, id="as many as a budget allows"),
        pytest.param(budgeted(budget("old"), budget("young")), {"old": 1, "young": 1}, id="else they too"),
        pytest.param(budgeted(budget("old", 0, "other")), {"old": 1, "young": 1}, id="of its namespace only"),
        pytest.param(
            budgeted(budget("young", 1), kept=2), {"old": 2}, id="no gang of which it allows a part"
        ),
        pytest.param(budgeted(budget("young", 2), kept=2), {"young": 2}, id="a gang that it allows whole"),
    ],
)
def test_pods_that_a_budget_protects_are_evicted_last(seen: Snapshot, expected: dict[str, int]) -> None:
    assert evicted(seen) == expected


def test_pods_without_a_gang_give_way_too_and_the_youngest_first() -> None:
    place = node(2)
    old, young = running(2, None, place)
    seen = snapshot([place], [young, old, pod("high", priority=10)], [group("high", 1)])
    assert [each.name for each in decide(seen, NOW).evictions] == [young.name]


@pytest.mark.parametrize("useful", [0, 1, 2])
def test_of_a_gang_that_pod_gives_way_whose_room_is_of_use(useful: int) -> None:
    big = node(2)
    low = [
        pod("low", 2, node=big.name, phase="Running") if number == useful else running(1, "low", node(1))[0]
        for number in range(3)
    ]
    small = [node(1, name=each.node) for each in low if each.node != big.name]
    seen = snapshot([big, *small], [*low, pod("high", 2, priority=10)], [group("low", 2), group("high", 1)])
    assert [each.name for each in decide(seen, NOW).evictions] == [low[useful].name]


def test_what_leaves_already_is_waited_for() -> None:
    seen = contest(2, 2)
    (victim,) = decide(seen, NOW).evictions
    assert evicted(replace(seen, evicted=frozenset({victim.uid}))) == {}
    leaving = (replace(each, deleting=each.uid == victim.uid) for each in seen.pods)
    assert evicted(replace(seen, pods=tuple(leaving))) == {}


def test_what_others_gave_way_for_is_taken_by_nobody_else() -> None:
    seen = contest(2, 2)
    (victim,) = decide(seen, NOW).evictions
    late = pod("late")
    more = replace(
        seen,
        evicted=frozenset({victim.uid}),
        pods=(*seen.pods, late),
        groups={**seen.groups, ("ns", "late"): group("late", 1)},
    )
    assert not decide(more, NOW).bindings


def shared(first: int, late: int, *, total: int = 8, minimum: int = 1, **fields: Any) -> Snapshot:
    """Queue first has so many CPUs, and gang b in queue late wants some."""
    place = node(total)
    groups = [group("a", 1, queue="first"), group("b", minimum, queue="late")]
    everyone = [*running(first, "a", place), *pods(late, "b")]
    return snapshot([place], everyone, groups, [queue("first", **fields), queue("late", **fields)])


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(shared(8, 4, minimum=4), {"a": 4}, id="as much as the share"),
        pytest.param(shared(8, 5, minimum=5), {}, id="nothing for what is more than the share"),
        pytest.param(shared(8, 2, minimum=2), {"a": 2}, id="as much as is asked for"),
        pytest.param(shared(5, 3, minimum=3), {}, id="nothing while there is room"),
        pytest.param(
            shared(8, 4, minimum=4, reclaimable=False), {}, id="nothing of one that is not reclaimable"
        ),
        pytest.param(shared(4, 5, minimum=5), {}, id="nothing of a queue within its share"),
    ],
)
def test_what_a_queue_takes_back(seen: Snapshot, expected: dict[str, int]) -> None:
    assert evicted(seen) == expected


def limited(*wanted: float) -> Snapshot:
    """A queue may have 3 of 8 CPUs and has them; a gang of higher priority in it wants one of these pods."""
    place = node(8)
    claimants = [pod("high", cpus, priority=10) for cpus in wanted]
    groups = [group("low", 1, queue="small"), group("high", 1, queue="small")]
    everyone = [*running(3, "low", place), *claimants]
    return snapshot([place], everyone, groups, [queue("small", capability=(("cpu", 3000),))])


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(limited(1), {"low": 1}, id="as many as the capability needs"),
        pytest.param(limited(4), {}, id="none for what the queue may never have"),
        pytest.param(limited(4, 1), {"low": 1}, id="no more because of a pod that it may never have"),
    ],
)
def test_who_gives_way_to_the_capability_of_a_queue(seen: Snapshot, expected: dict[str, int]) -> None:
    assert evicted(seen) == expected


def test_queues_together_get_no_more_than_what_is_not_guaranteed_to_another() -> None:
    place = node(8)
    queues = [queue("kept", guarantee=(("cpu", 6000),)), queue("left"), queue("right")]
    groups = [group("b", 1, queue="left"), group("c", 1, queue="right")]
    everyone = [*running(2, "b", place), *pods(6, "b"), *pods(8, "c")]
    assert not decide(snapshot([place], everyone, groups, queues), NOW).bindings


PRIORITIES = st.sampled_from([0, 10, 20])
GANGS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3), PRIORITIES), min_size=1, max_size=5
)


def settled(seen: Snapshot) -> Snapshot:
    """The cluster once all that was decided has come about; evicted pods are gone."""
    decision = decide(seen, NOW)
    bound = {placed.pod.uid: placed.node for placed in decision.bindings}
    gone = {each.uid for each in decision.evictions}
    left = (each for each in seen.pods if each.uid not in gone)
    return replace(
        seen,
        pods=tuple(
            replace(each, node=bound[each.uid], phase="Running") if each.uid in bound else each
            for each in left
        ),
    )


@given(st.lists(st.integers(1, 6), min_size=1, max_size=3), GANGS)
def test_no_gang_is_ever_left_in_part_and_nobody_gives_way_to_who_counts_no_more(
    nodes: list[int], wanted: list[tuple[int, int, int, int]]
) -> None:
    places = [node(cpus) for cpus in nodes]
    seen = snapshot(places, [], [])
    for number, (minimum, count, cpus, priority) in enumerate(wanted):
        name = f"gang-{number}"
        comers: list[Pod] = pods(count, name, cpus, priority=priority)
        groups = {**seen.groups, ("ns", name): group(name, minimum)}
        seen = replace(seen, pods=(*seen.pods, *comers), groups=groups)
        for _ in range(12):
            highest = max((each.priority for each in seen.pods if not each.node), default=0)
            decision = decide(seen, NOW)
            assert all(victim.priority < highest for victim in decision.evictions)
            seen = settled(seen)
            counts = Counter(each.group for each in seen.pods if each.node)
            for (_, gang), made in seen.groups.items():
                assert counts[gang] == 0 or counts[gang] >= made.min_member
            for place in seen.nodes:
                used = sum(dict(each.shape.requests)["cpu"] for each in seen.pods if each.node == place.name)
                assert used <= place.allocatable["cpu"]
        assert not decide(seen, NOW).evictions
