"""Facts about room: what was free for a gang, and what nodes are given that they cannot have."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import tell
from gang_examples import gang, room
from histories import Story, story
from hypothesis import given
from hypothesis import strategies as st

from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import observe
from batchproof.labels import GANG_LABEL
from batchproof.profiles.gang.facts.room import overcommitted

if TYPE_CHECKING:
    from collections.abc import Sequence


SIX = ("a-1", "a-2", "a-3", "a-4", "a-5", "a-6")
BIG = ("a-7", "a-8", "a-9", "a-10", "a-11", "a-12")


# -- the witness: room was free


def deadlock() -> Story:
    """kube-batch's example: 6 pods of 1 CPU and 6 of 100 in one group; alone the small would run."""
    return gang(12, *SIX, cpus="6").members(*BIG, cpus="100")


ROOM = [
    pytest.param(gang(3, cpus="2"), 2, 2, True, id="room for two of three"),
    pytest.param(gang(3, cpus="1"), 2, 2, False, id="too little room"),
    pytest.param(gang(3, cpus="3"), 2, 2, False, id="too much room: all three fit"),
    pytest.param(gang(3, "a-1", "a-2", cpus="8"), 3, None, True, id="room for pods that do not exist yet"),
    pytest.param(
        gang(3, "a-1", "a-2", cpus="2"), 3, None, False, id="no room for a pod that does not exist yet"
    ),
    pytest.param(gang(3, cpus="8"), 3, None, True, id="room for all, and more"),
    pytest.param(deadlock(), 6, 6, True, id="the small ones of six small and six big"),
    pytest.param(deadlock().node("m", "100"), 6, 6, False, id="room for a big one as well"),
    pytest.param(
        deadlock().node("m", "60").node("k", "60"),
        6,
        6,
        True,
        id="nodes that only together have room for a big one",
    ),
    pytest.param(gang(4, cpus="2").node("m", "1"), 3, 3, True, id="room on two nodes"),
    pytest.param(
        gang(3, cpus="1500m").node("m", "1500m"),
        2,
        2,
        True,
        id="halves on two nodes are room for nobody",
    ),
    pytest.param(gang(3, cpus="2").node("m", "8", ready=False), 2, 2, True, id="a node that is not ready"),
    pytest.param(gang(3, cpus="2").node("m", "8", cordoned=True), 2, 2, True, id="a node that is cordoned"),
    pytest.param(gang(3, cpus="2").node("m", "8", taint="no"), 2, 2, True, id="a node that is tainted"),
    pytest.param(gang(3, cpus="2").node("m", "8", elsewhere=True), 2, 2, True, id="a node with other labels"),
    pytest.param(gang(3, cpus="2").node("m", "8").gone("nodes", "m"), 2, 2, True, id="a node that is gone"),
    pytest.param(
        gang(3, cpus="4").member("x", of="").bound("n", "x"), 3, None, True, id="beside a pod that runs"
    ),
    pytest.param(
        gang(3, cpus="3").member("x", of="").bound("n", "x"), 3, None, False, id="a pod that runs has it"
    ),
    pytest.param(
        gang(3, cpus="3").member("x", of="").bound("n", "x").succeeds("x"),
        *(3, None, True),
        id="a pod that has ended has nothing",
    ),
    pytest.param(
        gang(3, cpus="3").member("x", of="").bound("n", "x").deleting("pods", "x"),
        *(3, None, False),
        id="a pod that is being deleted has it still",
    ),
    pytest.param(
        gang(3, cpus="3").member("x", of="").bound("n", "x").gone("pods", "x"),
        *(3, None, True),
        id="a pod that is gone has nothing",
    ),
    pytest.param(
        story().node("n", "8", pods="2").gang("a", 3).members("a-1", "a-2", "a-3"),
        *(2, 2, True),
        id="room for two pods, whatever they ask for",
    ),
    pytest.param(
        story().node("n", "8").gang("a", 1).member("a-1", memory="1Gi"),
        *(1, None, False),
        id="a node without what is asked for",
    ),
    pytest.param(
        story()
        .node("n", "8", memory="3Gi")
        .gang("a", 2)
        .member("a-1", memory="2Gi")
        .member("a-2", memory="2Gi"),
        *(1, 1, True),
        id="memory counts as CPUs do",
    ),
    pytest.param(
        story().node("n", "1").gang("a", 4).members("a-1", "a-2").members("a-3", "a-4", cpus=""),
        *(3, 3, True),
        id="pods that request nothing fit",
    ),
    pytest.param(
        story().node("n", "3").node("m", "3").gang("a", 3).members("a-1", "a-2", "a-3", cpus="2"),
        *(2, 2, True),
        id="CPUs in pieces on two nodes, each room for one",
    ),
    pytest.param(
        story().node("n", "6").gang("a", 3).member("a-1").members("a-2", "a-3", cpus="3"),
        *(2, 2, True),
        id="a small one and one of two that are bigger",
    ),
    pytest.param(
        story()
        .node("n", "3")
        .node("m", "3")
        .gang("a", 4)
        .members("a-1", "a-2")
        .members("a-3", "a-4", cpus="2"),
        *(4, 4, True),
        id="the smaller ones fill up what the bigger leave",
    ),
    pytest.param(
        gang(3, cpus="2")
        .act("told apart", holders=[["labels", GANG_LABEL, "h"]])
        .member("h", of="h")
        .bound("n", "h"),
        *(2, 2, True),
        id="what holds room for a gang leaves it free",
    ),
    pytest.param(gang(3).bound("n", "a-1", "a-2", "a-3"), 1, None, False, id="no pod that waits"),
    pytest.param(gang(3, "b-1"), 1, None, True, id="pods of the gang by their label, not their name"),
    pytest.param(story().node("n").gang("a", 3), 1, None, False, id="no pod at all"),
    pytest.param(
        story()
        .node("n")
        .node("m")
        .gang("a", 3)
        .member("a-1", host_port=80)
        .member("a-2", host_port=80)
        .member("a-3", host_port=80),
        *(2, 2, True),
        id="a node for each pod that uses one host port",
    ),
]
for case in ROOM:
    told: Any = case.values
    tell(room(told[1], told[2], since=told[0].last), told[0])


@pytest.mark.parametrize(("history", "at_least", "at_most", "holds"), ROOM)
def test_room_is_measured(history: Story, at_least: int, at_most: int | None, holds: bool) -> None:
    finding = room(at_least, at_most, since=history.last).of(history.seen)

    assert finding.holds is holds, finding


def test_room_counts_through_the_whole_window() -> None:
    history = gang(3, cpus="2")
    since = history.last
    history.at(5).node("m", "1")
    joined = history.last
    history.at(6).gone("nodes", "m")

    finding = room(2, 2, since).of(history.seen)

    assert not finding.holds
    assert finding.observed == "room for 3 to 3"
    assert finding.decisive == (joined,)
    assert room(2, 2, history.last).of(history.seen).holds, "afterwards there was room for two again"


def test_room_that_was_there_before_the_window_does_not_count() -> None:
    history = gang(3, cpus="8").node("n", "2")

    assert room(2, 2, since=history.last).of(history.seen).holds
    assert not room(2, 2, since=history.last - 1).of(history.seen).holds


def test_room_that_a_pod_took_in_the_window_was_not_free() -> None:
    history = gang(3, cpus="3").member("x", of="")
    since = history.last
    history.bound("n", "x").succeeds("x")

    assert not room(3, None, since).of(history.seen).holds


def test_room_needs_a_change_to_be_measured_again() -> None:
    history = gang(3, cpus="2")
    since = history.last
    history.act("nothing that matters").write("patch", "pods", "a-1")

    assert room(2, 2, since).of(history.seen).holds


def most_that_fit(nodes: Sequence[int], pods: Sequence[int]) -> int:
    """How many of the pods fit at once, by trying every way to place them."""
    best = 0
    for places in itertools.product([None, *range(len(nodes))], repeat=len(pods)):
        used = [0] * len(nodes)
        for place, cpus in zip(places, pods, strict=True):
            if place is not None:
                used[place] += cpus
        if all(mine <= there for mine, there in zip(used, nodes, strict=True)):
            best = max(best, sum(place is not None for place in places))
    return best


CPUS = st.integers(min_value=1, max_value=6)


@given(nodes=st.lists(CPUS, min_size=1, max_size=3), pods=st.lists(CPUS, min_size=1, max_size=4))
def test_what_surely_fits_fits_and_no_more_fits_than_the_most(nodes: list[int], pods: list[int]) -> None:
    history = story().gang("a", len(pods))
    for number, cpus in enumerate(nodes):
        history.node(f"n-{number}", str(cpus))
    for number, cpus in enumerate(pods):
        history.member(f"a-{number}", cpus=str(cpus))
    fit = most_that_fit(nodes, pods)

    exact = [
        count for count in range(len(pods) + 1) if room(count, count, history.last).of(history.seen).holds
    ]

    assert exact in ([], [fit]), "a witness is right, or there is none"
    assert not room(fit + 1, None, history.last).of(history.seen).holds
    assert room(0, len(pods), history.last).of(history.seen).holds


# -- nodes that are given what they cannot have


TOO_MUCH = [
    pytest.param(gang(3, cpus="2").bound("n", "a-1", "a-2", "a-3"), "a-3 on n: cpu exceeded", id="CPUs"),
    pytest.param(
        story().node("n", "8", pods="2").gang("a", 3).members(*SIX).bound("n", *SIX),
        "a-3 on n: pods exceeded",
        id="places for pods",
    ),
    pytest.param(
        story().node("n", "1", pods="1").members("a-1", "a-2").bound("n", "a-1", "a-2"),
        "a-2 on n: pods and cpu exceeded",
        id="two resources",
    ),
    pytest.param(
        story().node("n").member("a-1", memory="1Gi").bound("n", "a-1"),
        "a-1 on n: memory exceeded",
        id="a resource that the node has not",
    ),
    pytest.param(
        story().node("n", cordoned=True).member("a-1").bound("n", "a-1"),
        "a-1 on n: the node does not suit it",
        id="a cordoned node",
    ),
    pytest.param(
        story().node("n", ready=False).member("a-1").bound("n", "a-1"), "does not suit it", id="not ready"
    ),
    pytest.param(
        story().node("n", taint="no").member("a-1").bound("n", "a-1"),
        "does not suit it",
        id="a tainted node",
    ),
    pytest.param(
        story().node("n", elsewhere=True).member("a-1").bound("n", "a-1"),
        "does not suit it",
        id="a node with other labels",
    ),
    pytest.param(
        story().node("n").member("a-1").bound("unheard-of", "a-1"),
        "a-1 on unheard-of: no node of the scenario",
        id="a node that there never was",
    ),
    pytest.param(
        story().node("n").member("a-1", host_port=80).member("a-2", host_port=80).bound("n", "a-1", "a-2"),
        "a-2 on n: host port 80/TCP exceeded",
        id="a host port that is in use",
    ),
]


@pytest.mark.parametrize(("history", "observed"), TOO_MUCH)
def test_a_node_that_cannot_have_a_pod(history: Story, observed: str) -> None:
    finding = overcommitted().of(history.seen)

    assert finding.holds, finding
    assert observed in finding.observed


ROOM_ENOUGH = [
    pytest.param(gang(4).bound("n", "a-1", "a-2", "a-3", "a-4"), id="exactly full"),
    pytest.param(
        gang(2, cpus="1").bound("n", "a-1").succeeds("a-1").bound("n", "a-2"), id="after one has ended"
    ),
    pytest.param(
        gang(2, cpus="1").bound("n", "a-1").gone("pods", "a-1").bound("n", "a-2"), id="after one is gone"
    ),
    pytest.param(gang(1).bound("n", "a-1").node("n", cordoned=True).runs("a-1"), id="cordoned afterwards"),
    pytest.param(gang(1).bound("n", "a-1").node("n", "0").runs("a-1"), id="made smaller afterwards"),
    pytest.param(gang(1).gone("nodes", "n").bound("n", "a-1"), id="a node that has just gone"),
    pytest.param(gang(1).bound("n", "a-1").gone("pods", "a-1"), id="a pod that is gone"),
    pytest.param(story().job("a").pod("a-1").bound("cell-node", "a-1"), id="the node of Job scenarios"),
    pytest.param(
        story().node("n", "1").member("a-1").member("light", cpus="").bound("n", "a-1", "light"),
        id="a pod that requests nothing",
    ),
]
for case in (*TOO_MUCH, *ROOM_ENOUGH):
    tell(overcommitted(), case.values[0])


@pytest.mark.parametrize("history", ROOM_ENOUGH)
def test_a_node_that_may_have_its_pods(history: Story) -> None:
    finding = overcommitted().of(history.seen)

    assert not finding.holds, finding


def test_the_order_of_etcd_decides_which_pod_was_there_before() -> None:
    history = gang(2, cpus="1").bound("n", "a-1").succeeds("a-1").bound("n", "a-2").swapped()

    assert not overcommitted().of(history.seen).holds


def test_a_pod_that_is_first_seen_with_a_node_when_it_is_gone_was_bound_by_nobody() -> None:
    history = story().node("n").member("a-1")
    history.bound("unheard-of", "a-1")
    told = [record for record in history.records if record is not history.records[-1]]
    last = history.gone("pods", "a-1").records[-1]

    assert not overcommitted().of(observe([*told, last])).holds


def test_the_binding_that_was_too_much_decides() -> None:
    history = gang(3, cpus="2").bound("n", "a-1", "a-2", "a-3").runs("a-3")

    assert overcommitted().of(history.seen).decisive == (history.last - 1,)


def test_what_a_gang_asks_for_is_exact() -> None:
    history = story().member("a-1", cpus="100m", memory="1Gi")

    (pod,) = history.seen.pods

    assert pod.requests == {"cpu": Fraction(1, 10), "memory": Fraction(1 << 30), "pods": Fraction(1)}


def _container(cpus: str, **other: Any) -> dict[str, Any]:
    return {"name": "main", "resources": {"requests": {"cpu": cpus}}, **other}


@pytest.mark.parametrize(
    ("spec", "cpus"),
    [
        pytest.param({"containers": [_container("1"), _container("500m")]}, "3/2", id="containers together"),
        pytest.param(
            {"containers": [_container("1")], "initContainers": [_container("3")]},
            "3",
            id="the greedier init",
        ),
        pytest.param(
            {"containers": [_container("3")], "initContainers": [_container("1")]}, "3", id="a small init"
        ),
        pytest.param(
            {"containers": [_container("1")], "initContainers": [_container("2"), _container("2")]},
            "2",
            id="init containers one after another",
        ),
        pytest.param(
            {"containers": [_container("2")], "initContainers": [_container("1", restartPolicy="Always")]},
            "3",
            id="a sidecar beside the containers",
        ),
        pytest.param(
            {
                "containers": [_container("1")],
                "initContainers": [_container("1", restartPolicy="Always"), _container("3")],
            },
            "4",
            id="a sidecar beside a later init container",
        ),
        pytest.param(
            {
                "containers": [_container("1")],
                "initContainers": [_container("3"), _container("1", restartPolicy="Always")],
            },
            "3",
            id="but not beside an earlier one",
        ),
        pytest.param(
            {"containers": [_container("1")], "overhead": {"cpu": "250m"}}, "5/4", id="overhead on top"
        ),
        pytest.param(
            {
                "containers": [_container("1")],
                "overhead": {"cpu": "1"},
                "resources": {"requests": {"cpu": "3"}},
            },
            "4",
            id="what is requested for the whole pod",
        ),
    ],
)
def test_a_pod_takes_of_a_node_what_its_containers_need_at_once(spec: dict[str, Any], cpus: str) -> None:
    assert Pod({"metadata": {"name": "a"}, "spec": spec}, 0).requests == {
        "cpu": Fraction(cpus),
        "pods": Fraction(1),
    }


def test_what_is_expected_of_room_says_whether_more_would_be_wrong() -> None:
    seen = gang().seen

    assert room(2).of(seen).expected == "room for 2 pods of gang a or more"
    assert room(1, 2).of(seen).expected == "room for 1 pod of gang a and no more"
