"""Facts about room: what was free for a gang, and what nodes are given that they cannot have."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import no, tell, yes
from gang_examples import gang, room
from histories import Story, story
from hypothesis import given
from hypothesis import strategies as st
from tables import params, table, when

from batchproof.ground.resources import GANG_LABEL
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import observe
from batchproof.profiles.gang.amounts import taken
from batchproof.profiles.gang.facts.room import overcommitted

if TYPE_CHECKING:
    from collections.abc import Sequence


SIX = ("a-1", "a-2", "a-3", "a-4", "a-5", "a-6")
BIG = ("a-7", "a-8", "a-9", "a-10", "a-11", "a-12")


# -- the witness: room was free


def deadlock() -> Story:
    """kube-batch's example: 6 pods of 1 CPU and 6 of 100 in one group; alone the small would run."""
    return gang(12, *SIX, cpus="6").members(*BIG, cpus="100")


ROOM = table(
    (2, 2),
    yes("room for two of three", gang(3, cpus="2")),
    no("too little room", gang(3, cpus="1")),
    no("too much room: all three fit", gang(3, cpus="3")),
    (3, None),
    yes("room for pods that do not exist yet", gang(3, "a-1", "a-2", cpus="8")),
    no("no room for a pod that does not exist yet", gang(3, "a-1", "a-2", cpus="2")),
    yes("room for all, and more", gang(3, cpus="8")),
    (6, 6),
    yes("the small ones of six small and six big", deadlock()),
    no("room for a big one as well", deadlock().node("m", "100")),
    yes("nodes that only together have room for a big one", deadlock().node("m", "60").node("k", "60")),
    (3, 3),
    yes("room on two nodes", gang(4, cpus="2").node("m", "1")),
    (2, 2),
    yes("halves on two nodes are room for none", gang(3, cpus="1500m").node("m", "1500m")),
    yes("a node that is not ready", gang(3, cpus="2").node("m", "8", ready=False)),
    yes("a node that is cordoned", gang(3, cpus="2").node("m", "8", cordoned=True)),
    yes("a node that is tainted", gang(3, cpus="2").node("m", "8", taint="no")),
    yes("a node with other labels", gang(3, cpus="2").node("m", "8", elsewhere=True)),
    yes("a node that is gone", gang(3, cpus="2").node("m", "8").gone("nodes", "m")),
    (3, None),
    yes("beside a pod that runs", gang(3, cpus="4").member("x", of="").bound("n", "x")),
    no("a pod that runs has it", gang(3, cpus="3").member("x", of="").bound("n", "x")),
    yes("a pod that has ended has nothing"),
    gang(3, cpus="3").member("x", of="").bound("n", "x").succeeds("x"),
    no("a pod that is being deleted has it still"),
    gang(3, cpus="3").member("x", of="").bound("n", "x").deleting("pods", "x"),
    yes("a pod that is gone has nothing"),
    gang(3, cpus="3").member("x", of="").bound("n", "x").gone("pods", "x"),
    (2, 2),
    yes("room for two pods, whatever they ask for"),
    story().node("n", "8", pods="2").gang("a", 3).members("a-1", "a-2", "a-3"),
    (1, None),
    no("a node without what is asked for", story().node("n", "8").gang("a", 1).member("a-1", memory="1Gi")),
    (1, 1),
    yes("memory counts as CPUs do"),
    story().node("n", "8", memory="3Gi").gang("a", 2).member("a-1", memory="2Gi").member("a-2", memory="2Gi"),
    (3, 3),
    yes("pods that request nothing fit"),
    story().node("n", "1").gang("a", 4).members("a-1", "a-2").members("a-3", "a-4", cpus=""),
    (2, 2),
    yes("CPUs in pieces on two nodes, each room for one"),
    story().node("n", "3").node("m", "3").gang("a", 3).members("a-1", "a-2", "a-3", cpus="2"),
    yes("a small one and one of two that are bigger"),
    story().node("n", "6").gang("a", 3).member("a-1").members("a-2", "a-3", cpus="3"),
    (4, 4),
    yes("the smaller ones fill up what the bigger leave"),
    story().node("n", "3").node("m", "3").gang("a", 4).members("a-1", "a-2").members("a-3", "a-4", cpus="2"),
    (2, 2),
    yes("what holds room for a gang leaves it free"),
    gang(3, cpus="2")
    .act("told apart", holders=[["labels", GANG_LABEL, "h"]])
    .member("h", of="h")
    .bound("n", "h"),
    (1, None),
    no("no pod that waits", gang(3).bound("n", "a-1", "a-2", "a-3")),
    yes("pods of the gang by their label, not their name", gang(3, "b-1")),
    no("no pod at all", story().node("n").gang("a", 3)),
    (2, 2),
    yes("a node for each pod that uses one host port"),
    story()
    .node("n")
    .node("m")
    .gang("a", 3)
    .member("a-1", host_port=80)
    .member("a-2", host_port=80)
    .member("a-3", host_port=80),
)
"""Above the histories: how many pods of the gang fit at least, and at most."""
for row in ROOM:
    least, most = row.above
    tell(room(least, most, since=row.told.last), row.told)


@pytest.mark.parametrize(
    ("history", "at_least", "at_most", "holds"),
    [pytest.param(told, *counts, *found, id=what) for counts, what, told, found in ROOM],
)
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


TOO_MUCH = table(
    "a-3 on n: cpu exceeded",
    when("CPUs", gang(3, cpus="2").bound("n", "a-1", "a-2", "a-3")),
    "a-3 on n: pods exceeded",
    when("places for pods", story().node("n", "8", pods="2").gang("a", 3).members(*SIX).bound("n", *SIX)),
    "a-2 on n: pods and cpu exceeded",
    when("two resources", story().node("n", "1", pods="1").members("a-1", "a-2").bound("n", "a-1", "a-2")),
    "a-1 on n: memory exceeded",
    when("a resource that the node has not", story().node("n").member("a-1", memory="1Gi").bound("n", "a-1")),
    "a-1 on n: the node does not suit it",
    when("a cordoned node", story().node("n", cordoned=True).member("a-1").bound("n", "a-1")),
    "does not suit it",
    when("not ready", story().node("n", ready=False).member("a-1").bound("n", "a-1")),
    when("a tainted node", story().node("n", taint="no").member("a-1").bound("n", "a-1")),
    when("a node with other labels", story().node("n", elsewhere=True).member("a-1").bound("n", "a-1")),
    "a-1 on unheard-of: no node of the scenario",
    when("a node that there never was", story().node("n").member("a-1").bound("unheard-of", "a-1")),
    "a-2 on n: cpu exceeded",
    when("a pod that is being made larger"),
    story().node("n", "3").members("a-1", "a-2").bound("n", "a-1").resized("a-1", "3").bound("n", "a-2"),
    "a-2 on n: host port 80/TCP exceeded",
    when("a host port that is in use"),
    story().node("n").member("a-1", host_port=80).member("a-2", host_port=80).bound("n", "a-1", "a-2"),
)


@pytest.mark.parametrize(("history", "observed"), params(TOO_MUCH))
def test_a_node_that_cannot_have_a_pod(history: Story, observed: str) -> None:
    finding = overcommitted().of(history.seen)

    assert finding.holds, finding
    assert observed in finding.observed


ROOM_ENOUGH = table(
    "",
    when("exactly full", gang(4).bound("n", "a-1", "a-2", "a-3", "a-4")),
    when("after one has ended", gang(2, cpus="1").bound("n", "a-1").succeeds("a-1").bound("n", "a-2")),
    when("after one is gone", gang(2, cpus="1").bound("n", "a-1").gone("pods", "a-1").bound("n", "a-2")),
    when("cordoned afterwards", gang(1).bound("n", "a-1").node("n", cordoned=True).runs("a-1")),
    when("made smaller afterwards", gang(1).bound("n", "a-1").node("n", "0").runs("a-1")),
    when("a node that has just gone", gang(1).gone("nodes", "n").bound("n", "a-1")),
    when("a pod that is gone", gang(1).bound("n", "a-1").gone("pods", "a-1")),
    when("the node of Job scenarios", story().job("a").pod("a-1").bound("cell-node", "a-1")),
    when("a pod that is being made smaller"),
    gang(1, cpus="3").member("b", cpus="3").bound("n", "b").resized("b", "1").bound("n", "a-1"),
    when("a pod that requests nothing"),
    story().node("n", "1").member("a-1").member("light", cpus="").bound("n", "a-1", "light"),
)
for row in (*TOO_MUCH, *ROOM_ENOUGH):
    tell(overcommitted(), row.told)


@pytest.mark.parametrize("history", [pytest.param(row.told, id=row.when) for row in ROOM_ENOUGH])
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

    assert taken(pod) == {"cpu": Fraction(1, 10), "memory": Fraction(1 << 30), "pods": Fraction(1)}


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
    assert taken(Pod({"metadata": {"name": "a"}, "spec": spec}, 0)) == {
        "cpu": Fraction(cpus),
        "pods": Fraction(1),
    }


def test_what_is_expected_of_room_says_whether_more_would_be_wrong() -> None:
    seen = gang().seen

    assert room(2).of(seen).expected == "room for 2 pods of gang a or more"
    assert room(1, 2).of(seen).expected == "room for 1 pod of gang a and no more"
