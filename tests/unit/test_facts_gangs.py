"""Facts about gangs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from histories import PODGROUPS, Story, condition, story
from hypothesis import given, settings
from hypothesis import strategies as st

from batchproof.judgement.facts.bindings import bound_once, pod_bound
from batchproof.judgement.facts.gangs import (
    bound_member_deleted,
    gang_bound,
    gang_bound_at_most,
    gang_bound_exactly,
    gang_in_zones,
    gang_on_nodes,
    nothing_in_part,
    one_gang_bound,
    one_more_bound,
)
from batchproof.judgement.facts.groups import group_made, reported
from batchproof.judgement.facts.room import bound_too_soon, overcommitted, room_was_free
from batchproof.labels import GANG_LABEL, SCENE_LABEL
from batchproof.resources import PODS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

MADE = group_made(resource=str(PODGROUPS), path=["spec", "minMember"], minimum=3)
SIX = ("a-1", "a-2", "a-3", "a-4", "a-5", "a-6")
BIG = ("a-7", "a-8", "a-9", "a-10", "a-11", "a-12")


def gang(minimum: int = 3, *names: str, cpus: str = "4") -> Story:
    """A node, and gang a with these pods, or as many as its minimum."""
    pods = names or tuple(f"a-{number}" for number in range(1, minimum + 1))
    return story().node("n", cpus).gang("a", minimum).members(*pods)


def room(at_least: int, at_most: int | None = None, since: int = 0) -> FactCall:
    return room_was_free(gang="a", at_least=at_least, at_most=at_most, since=since)


def two_gangs() -> Story:
    return gang().gang("b", 2).members("b-1", "b-2", of="b")


def zoned(node: str) -> Story:
    """A gang of 2 on node n in the east and on another: m is in the east too, k in the west."""
    places = {"n": "east", "m": "east", "k": "west"}
    history = story().gang("a", 2).members("a-1", "a-2")
    for name, zone in places.items():
        history.node(name, zone=zone)
    return history.bound("n", "a-1").bound(node, "a-2")


def gated() -> Story:
    """A gang of 3, one of which has a scheduling gate."""
    history = gang(3, "a-1", "a-2")
    body = {
        "metadata": {"uid": "uid-a-3", "labels": {GANG_LABEL: "a"}},
        "spec": {"schedulingGates": [{"name": "g"}], "nodeSelector": {SCENE_LABEL: "here"}},
        "status": {"phase": "Pending"},
    }
    return history.stores(PODS, "a-3", body)


def deleted() -> Story:
    """A gang of 3 with one of 3 bound, another of which somebody deletes."""
    return gang().bound("n", "a-1").deleting("pods", "a-2")


@examples(
    [
        # the group
        pytest.param(MADE, story().gang("b", 1).gang("a", 3), True, id="a group with that minimum"),
        pytest.param(MADE, story().gang("a", 2), False, id="a group with another minimum"),
        pytest.param(MADE, gang(3).gone("podgroups", "a"), False, id="a group that is gone"),
        # how many were bound
        pytest.param(gang_bound(gang="a", count=2), gang().bound("n", "a-1", "a-2"), True, id="two bound"),
        pytest.param(gang_bound(gang="a", count=2), gang().bound("n", "a-1"), False, id="one of two bound"),
        pytest.param(
            gang_bound(gang="a", count=1),
            gang().bound("n", "a-1").succeeds("a-1").gone("pods", "a-1"),
            True,
            id="bound once counts for ever",
        ),
        pytest.param(
            gang_bound(gang="a", count=2),
            *(gang().bound("n", "a-1").runs("a-1").succeeds("a-1"), False),
            id="a pod that changes counts once",
        ),
        pytest.param(
            gang_bound(gang="a", count=1), two_gangs().bound("n", "b-1"), False, id="a pod of another gang"
        ),
        pytest.param(
            gang_bound_exactly(gang="a", count=1), gang().bound("n", "a-1", "a-2"), False, id="one too many"
        ),
        pytest.param(gang_bound_exactly(gang="a", count=1), gang().bound("n", "a-1"), True, id="exactly one"),
        pytest.param(gang_bound_at_most(gang="a", count=0), gang(), True, id="none at all"),
        pytest.param(gang_bound_at_most(gang="a", count=0), gang().bound("n", "a-1"), False, id="one is one"),
        pytest.param(
            pod_bound(pod="a-1"), gang().bound("n", "a-1").gone("pods", "a-1"), True, id="was bound"
        ),
        pytest.param(pod_bound(pod="a-2"), gang().bound("n", "a-1"), False, id="another pod was bound"),
        # one of several gangs
        pytest.param(
            one_gang_bound(gangs=["a", "b"]),
            two_gangs().bound("n", "b-1", "b-2"),
            True,
            id="one of two gangs",
        ),
        pytest.param(one_gang_bound(gangs=["a", "b"]), two_gangs(), False, id="none of two gangs"),
        pytest.param(
            one_gang_bound(gangs=["a", "b"]), two_gangs().bound("n", "b-1"), False, id="a gang in part"
        ),
        pytest.param(
            one_gang_bound(gangs=["a", "b"]),
            *(two_gangs().bound("n", "b-1", "b-2", "a-1"), False),
            id="one whole and one in part",
        ),
        pytest.param(
            one_gang_bound(gangs=["a", "b"]),
            *(two_gangs().bound("n", "b-1", "b-2", "a-1", "a-2", "a-3"), False),
            id="both gangs",
        ),
        pytest.param(
            one_gang_bound(gangs=["a", "b"], which="a"),
            *(two_gangs().bound("n", "b-1", "b-2"), False),
            id="the wrong one of two gangs",
        ),
        pytest.param(
            one_gang_bound(gangs=["a", "b"], which="b"),
            *(two_gangs().bound("n", "b-1", "b-2"), True),
            id="the right one of two gangs",
        ),
        pytest.param(
            one_more_bound(gangs=["a", "b"]),
            *(two_gangs().bound("n", "a-1", "a-2", "b-1", "b-2"), True),
            id="all pods of one gang",
        ),
        pytest.param(
            one_more_bound(gangs=["b"]),
            *(two_gangs().member("b-3", of="b").bound("n", "b-1", "b-2"), False),
            id="the minimum is not all pods",
        ),
        pytest.param(one_more_bound(gangs=["c"]), two_gangs(), False, id="a gang without pods"),
        # where they are, and that they stay
        pytest.param(
            bound_member_deleted(gang="a"),
            deleted().bound("n", "a-2"),
            True,
            id="a bound one is deleted",
        ),
        pytest.param(
            bound_member_deleted(gang="a"),
            *(gang().bound("n", "a-1").gone("pods", "a-1"), True),
            id="one that is bound is gone",
        ),
        pytest.param(bound_member_deleted(gang="a"), deleted(), False, id="one that waits is deleted"),
        pytest.param(
            bound_member_deleted(gang="a"),
            *(gang().bound("n", "a-1").succeeds("a-1").gone("pods", "a-1"), False),
            id="one that has ended is deleted",
        ),
        pytest.param(
            gang_on_nodes(gang="a", count=2),
            *(gang().node("m").bound("n", "a-1", "a-2").bound("m", "a-3"), True),
            id="on two nodes",
        ),
        pytest.param(
            gang_on_nodes(gang="a", count=2), gang().bound("n", "a-1", "a-2"), False, id="two on one node"
        ),
        pytest.param(gang_in_zones(gang="a", count=1), zoned("m"), True, id="on two nodes of one zone"),
        pytest.param(gang_in_zones(gang="a", count=1), zoned("k"), False, id="in two zones"),
        # begun too soon
        pytest.param(
            bound_too_soon(lacking="pods"), gang(3, "a-1", "a-2").bound("n", "a-1"), True, id="two of three"
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang(3, "a-1", "a-2").bound("n", "a-1").member("a-3"), True),
            id="the third comes later",
        ),
        pytest.param(bound_too_soon(lacking="pods"), gang().bound("n", "a-1"), False, id="all are there"),
        pytest.param(
            bound_too_soon(lacking="room"),
            gang(3, cpus="2").bound("n", "a-1"),
            True,
            id="room for two of three",
        ),
        pytest.param(bound_too_soon(lacking="room"), gang().bound("n", "a-1"), False, id="room for three"),
        pytest.param(
            bound_too_soon(lacking="room"),
            *(gang(3, cpus="3").node("n", "2").bound("n", "a-1"), False),
            id="the room is gone when it binds what it had decided",
        ),
        pytest.param(
            bound_too_soon(lacking="room"), gated().bound("n", "a-1"), True, id="one of three is gated"
        ),
        # nothing in part
        pytest.param(nothing_in_part(), gang(), True, id="nothing bound"),
        pytest.param(nothing_in_part(), gang().bound("n", "a-1", "a-2"), False, id="two of three"),
        pytest.param(nothing_in_part(), gang().bound("n", "a-1", "a-2", "a-3"), True, id="three of three"),
        pytest.param(
            nothing_in_part(),
            *(gang().bound("n", "a-1").succeeds("a-1").bound("n", "a-2").bound("n", "a-3"), True),
            id="the pods of a gang that have ended count",
        ),
        pytest.param(nothing_in_part(), deleted(), True, id="a gang of which a pod is being deleted"),
        pytest.param(
            nothing_in_part(),
            *(gang().bound("n", "a-1").gone("pods", "a-2"), True),
            id="a gang of which a pod is gone at once",
        ),
        pytest.param(
            nothing_in_part(),
            *(gang().bound("n", "a-1").write("delete", "pods", "a-2").gone("pods", "a-2"), False),
            id="a gang of which the implementation itself deletes a pod",
        ),
        pytest.param(
            nothing_in_part(),
            *(gang().bound("n", "a-1").succeeds("a-1").gone("pods", "a-1"), False),
            id="a pod that is removed when it has ended excuses nothing",
        ),
        pytest.param(
            nothing_in_part(),
            *(deleted().gang("b", 2).members("b-1", "b-2", of="b").bound("n", "b-1"), False),
            id="the deletion in one gang does not excuse another",
        ),
        pytest.param(
            nothing_in_part(),
            *(gang().act("creates gang a", gang="a", minimum=1).bound("n", "a-1"), True),
            id="the minimum that was asked for last",
        ),
        # bound once
        pytest.param(bound_once(), gang().binds("a-1", "n").bound("n", "a-1"), True, id="bound once"),
        pytest.param(bound_once(), gang(), True, id="never bound"),
        pytest.param(
            bound_once(),
            *(gang().bound("n", "a-1").at(9).asks("create", "pods", "a-1", subresource="binding"), True),
            id="asked for where it is nobody knows",
        ),
        pytest.param(
            bound_once(),
            gang().binds("a-1", "n").bound("n", "a-1").at(9).binds("a-1", "other"),
            False,
            id="asked for elsewhere long after",
        ),
        pytest.param(
            bound_once(),
            gang().bound("n", "a-1").asks("create", "pods", "a-1", subresource="binding").answered(409),
            True,
            id="asked for again before its node was seen",
        ),
        pytest.param(
            bound_once(), gang().binds("a-1", "n").binds("a-1", "n"), False, id="two bindings were accepted"
        ),
        pytest.param(
            bound_once(), gang().binds("a-1", "n").binds("a-2", "n"), True, id="two pods, a binding each"
        ),
        # room
        pytest.param(room(2, 2, since=99), gang(3, cpus="2"), True, id="room for two"),
        pytest.param(room(2, 2, since=99), gang(3, cpus="3"), False, id="room for three"),
        pytest.param(overcommitted(), gang(3, cpus="2").bound("n", "a-1", "a-2", "a-3"), True, id="too much"),
        pytest.param(overcommitted(), gang(3, cpus="3").bound("n", "a-1", "a-2", "a-3"), False, id="all fit"),
    ],
)
def test_a_fact_about_gangs(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


@pytest.mark.parametrize(
    ("it", "history", "decisive"),
    [
        (gang_bound(gang="a", count=2), gang().bound("n", "a-1", "a-2", "a-3"), 7),
        (gang_bound_at_most(gang="a", count=1), gang().bound("n", "a-1", "a-2", "a-3"), 7),
        (gang_bound_exactly(gang="a", count=2), gang().bound("n", "a-1", "a-2", "a-3"), 8),
        (pod_bound(pod="a-2"), gang().bound("n", "a-1", "a-2").runs("a-2"), 7),
        (nothing_in_part(), gang().bound("n", "a-3"), 6),
        (bound_once(), gang().binds("a-1", "n").binds("a-2", "n").binds("a-1", "n"), 10),
    ],
    ids=lambda it: getattr(it, "name", ""),
)
def test_the_record_that_decides_about_a_gang(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)


# -- the witness: room was free


def deadlock() -> Story:
    """kube-batch's example: 6 pods of 1 CPU and 6 of 100 in one group; alone the small would run."""
    return gang(12, *SIX, cpus="6").members(*BIG, cpus="100")


@pytest.mark.parametrize(
    ("history", "at_least", "at_most", "holds"),
    [
        pytest.param(gang(3, cpus="2"), 2, 2, True, id="room for two of three"),
        pytest.param(gang(3, cpus="1"), 2, 2, False, id="too little room"),
        pytest.param(gang(3, cpus="3"), 2, 2, False, id="too much room: all three fit"),
        pytest.param(
            gang(3, "a-1", "a-2", cpus="8"), 3, None, True, id="room for pods that do not exist yet"
        ),
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
        pytest.param(
            gang(3, cpus="2").node("m", "8", ready=False), 2, 2, True, id="a node that is not ready"
        ),
        pytest.param(
            gang(3, cpus="2").node("m", "8", cordoned=True), 2, 2, True, id="a node that is cordoned"
        ),
        pytest.param(gang(3, cpus="2").node("m", "8", taint="no"), 2, 2, True, id="a node that is tainted"),
        pytest.param(
            gang(3, cpus="2").node("m", "8", elsewhere=True), 2, 2, True, id="a node with other labels"
        ),
        pytest.param(
            gang(3, cpus="2").node("m", "8").gone("nodes", "m"), 2, 2, True, id="a node that is gone"
        ),
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
            id="pods that ask for nothing fit",
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
    ],
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


@settings(deadline=None)
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


@pytest.mark.parametrize(
    ("history", "observed"),
    [
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
    ],
)
def test_a_node_that_cannot_have_a_pod(history: Story, observed: str) -> None:
    finding = overcommitted().of(history.seen)

    assert finding.holds, finding
    assert observed in finding.observed


@pytest.mark.parametrize(
    "history",
    [
        pytest.param(gang(4).bound("n", "a-1", "a-2", "a-3", "a-4"), id="exactly full"),
        pytest.param(
            gang(2, cpus="1").bound("n", "a-1").succeeds("a-1").bound("n", "a-2"), id="after one has ended"
        ),
        pytest.param(
            gang(2, cpus="1").bound("n", "a-1").gone("pods", "a-1").bound("n", "a-2"), id="after one is gone"
        ),
        pytest.param(
            gang(1).bound("n", "a-1").node("n", cordoned=True).runs("a-1"), id="cordoned afterwards"
        ),
        pytest.param(gang(1).bound("n", "a-1").node("n", "0").runs("a-1"), id="made smaller afterwards"),
        pytest.param(gang(1).gone("nodes", "n").bound("n", "a-1"), id="a node that has just gone"),
        pytest.param(gang(1).bound("n", "a-1").gone("pods", "a-1"), id="a pod that is gone"),
        pytest.param(story().job("a").pod("a-1").bound("cell-node", "a-1"), id="the node of Job scenarios"),
        pytest.param(
            story().node("n", "1").member("a-1").member("light", cpus="").bound("n", "a-1", "light"),
            id="a pod that asks for nothing",
        ),
    ],
)
def test_a_node_that_may_have_its_pods(history: Story) -> None:
    finding = overcommitted().of(history.seen)

    assert not finding.holds, finding


def test_the_order_of_etcd_decides_which_pod_was_there_before() -> None:
    history = gang(2, cpus="1").bound("n", "a-1").succeeds("a-1").bound("n", "a-2").swapped()

    assert not overcommitted().of(history.seen).holds


def test_the_binding_that_was_too_much_decides() -> None:
    history = gang(3, cpus="2").bound("n", "a-1", "a-2", "a-3").runs("a-3")

    assert overcommitted().of(history.seen).decisive == (history.last - 1,)


# -- what is reported of a gang


def sign(of: str = "group", *, kind: str = "", path: str = "", values: Sequence[str] = ("False",)) -> Json:
    places = {"path": path.split(".") if path else [], "conditions": ["status", "conditions"]}
    return {"of": of, "condition": kind, "values": [*values], **places}


def by(*signs: Json) -> FactCall:
    return reported(gang="a", resource=str(PODGROUPS), signs=[*signs])


WAITS = condition("Scheduled", "NotEnoughResources", status="False")
RUNS = condition("Scheduled", "Scheduled")


@examples(
    [
        pytest.param(
            by(sign(kind="Scheduled")),
            story().gang("a", 3, WAITS),
            True,
            id="a condition of the group",
        ),
        pytest.param(by(sign(kind="Scheduled")), story().gang("a", 3, RUNS), False, id="the other status"),
        pytest.param(by(sign(kind="Other")), story().gang("a", 3, WAITS), False, id="another condition"),
        pytest.param(
            by(sign(kind="Scheduled")),
            *(story().gang("a", 3).gang("b", 3, WAITS), False),
            id="the group of another gang",
        ),
        pytest.param(
            by(sign(kind="Scheduled")),
            story().act("a step"),
            False,
            id="a group that does not exist",
        ),
        pytest.param(
            by(sign(path="status.phase", values=("Pending", "Inqueue"))),
            *(story().gang("a", 3, phase="Inqueue"), True),
            id="a place in the group",
        ),
        pytest.param(
            by(sign(path="status.phase", values=("Pending",))),
            *(story().gang("a", 3, phase="Running"), False),
            id="another value at the place",
        ),
        pytest.param(
            by(sign(path="status.phase.more", values=("None", "Pending"))),
            *(story().gang("a", 3, phase="Pending"), False),
            id="nothing at the place",
        ),
        pytest.param(
            by(sign(path="status.blocked", values=("true",))),
            *(story().gang("a", 3, blocked=True), True),
            id="a truth as the API writes it",
        ),
        pytest.param(
            by(sign(path="status.missing", values=("2",))),
            *(story().gang("a", 3, missing=2), True),
            id="a number at the place",
        ),
        pytest.param(
            by(sign("pod", kind="Ready")),
            gang().runs("a-1"),
            True,
            id="a condition of one of its pods",
        ),
        pytest.param(
            by(sign("pod", kind="Ready")),
            *(two_gangs().runs("b-1"), False),
            id="a condition of a pod of another gang",
        ),
        pytest.param(
            by(sign(kind="Other"), sign("pod", path="status.phase", values=("Pending",))),
            *(gang(), True),
            id="any sign is enough",
        ),
    ],
)
def test_a_report_of_a_gang(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


def test_the_report_names_its_record() -> None:
    history = story().gang("a", 3, WAITS).act("later")

    assert by(sign(kind="Scheduled")).of(history.seen).decisive == (1,)


def test_what_is_told_instead_is_observed() -> None:
    history = story().gang("a", 3, RUNS)

    assert "'type': 'Scheduled'" in by(sign(kind="Other")).of(history.seen).observed


def test_what_a_gang_asks_for_is_exact() -> None:
    history = story().member("a-1", cpus="100m", memory="1Gi")

    (pod,) = history.seen.pods

    assert pod.requests == {"cpu": Fraction(1, 10), "memory": Fraction(1 << 30), "pods": Fraction(1)}
