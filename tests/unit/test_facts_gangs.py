"""Facts about gangs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import deciding, examples
from gang_examples import deleted, gang, room, two_gangs
from histories import Story, story

from batchproof.labels import GANG_LABEL, SCENE_LABEL
from batchproof.profiles.gang.facts.bindings import bound_once, pod_bound
from batchproof.profiles.gang.facts.gangs import (
    bound_beside_whole,
    bound_member_deleted,
    gang_bound,
    gang_bound_at_most,
    gang_bound_exactly,
    gang_completed,
    gang_in_zones,
    gang_on_nodes,
    gang_or_pod_bound,
    gang_spread,
    gave_way,
    gave_way_told,
    nothing_in_part,
    one_gang_bound,
    one_more_bound,
    running_whole,
)
from batchproof.profiles.gang.facts.room import bound_too_soon, overcommitted
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall


def zoned(node: str) -> Story:
    """A gang of 2 on node n in the east and on another: m is in the east too, k in the west."""
    places = {"n": "east", "m": "east", "k": "west"}
    history = story().gang("a", 2).members("a-1", "a-2")
    for name, zone in places.items():
        history.node(name, zone=zone)
    return history.bound("n", "a-1").bound(node, "a-2")


TO_M = {"target": {"name": "m"}}
WHOLE = running_whole(gang="a")
BESIDE = bound_beside_whole(gang="a", other="b")
TOLD = gave_way_told(gang="a", condition="DisruptionTarget")


def evicted(*names: str) -> Story:
    """A gang of 3, all bound, of which these are deleted and gone."""
    history = gang().bound("n", "a-1", "a-2", "a-3")
    for name in names:
        history.deleting("pods", name).gone("pods", name)
    return history


def marked(kind: str) -> Story:
    """A gang of 3, one of which is deleted with a condition of this type."""
    body = {
        "metadata": {
            "uid": "uid-a-1",
            "labels": {GANG_LABEL: "a"},
            "deletionTimestamp": "2026-01-01T00:00:00Z",
        },
        "spec": {"nodeName": "n", "nodeSelector": {SCENE_LABEL: "here"}},
        "status": {"phase": "Running", "conditions": [{"type": kind, "status": "True"}]},
    }
    return gang().bound("n", "a-1").stores(PODS, "a-1", body)


def evicted_by_request() -> Story:
    """A gang of 3 of which one is bound, and one is evicted."""
    told = gang().bound("n", "a-1").write("create", "pods", "a-2", subresource="eviction")
    return told.gone("pods", "a-2")


EITHER = gang_or_pod_bound(gang="a", pod="alone")
FOUR = ("a-1", "a-2", "a-3", "a-4")


def raised(told: Story, minimum: int = 4, *, gang: str = "a") -> Story:
    """The minimum of a gang becomes another."""
    return told.act(f"changes the minimum of gang {gang}", gang=gang, minimum=minimum)


def both_bound() -> Story:
    """Two gangs, each bound with its minimum."""
    return two_gangs().bound("n", "a-1", "a-2", "a-3", "b-1", "b-2")


def beside_a_pod() -> Story:
    """A gang of 3 and a pod without one."""
    return gang().pod("alone", of=None)


def gated() -> Story:
    """A gang of 3, one of which has a scheduling gate."""
    history = gang(3, "a-1", "a-2")
    body = {
        "metadata": {"uid": "uid-a-3", "labels": {GANG_LABEL: "a"}},
        "spec": {"schedulingGates": [{"name": "g"}], "nodeSelector": {SCENE_LABEL: "here"}},
        "status": {"phase": "Pending"},
    }
    return history.stores(PODS, "a-3", body)


@examples(
    [
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
        # how many have run to completion
        pytest.param(
            gang_completed(gang="a", count=1),
            gang().bound("n", "a-1").runs("a-1").succeeds("a-1"),
            True,
            id="ran and succeeded",
        ),
        pytest.param(
            gang_completed(gang="a", count=1),
            gang().bound("n", "a-1").runs("a-1"),
            False,
            id="runs still",
        ),
        pytest.param(
            gang_completed(gang="a", count=1),
            gang().bound("n", "a-1").runs("a-1").gone("pods", "a-1"),
            False,
            id="was gone before it had succeeded",
        ),
        pytest.param(
            gang_completed(gang="a", count=1),
            gang().bound("n", "a-1").succeeds("a-1"),
            False,
            id="was never seen running",
        ),
        pytest.param(
            gang_completed(gang="a", count=2),
            gang().bound("n", "a-1", "a-2").runs("a-1").runs("a-2").succeeds("a-1").fails("a-2"),
            False,
            id="one of two has failed",
        ),
        pytest.param(
            gang_completed(gang="a", count=1),
            two_gangs().bound("n", "b-1").runs("b-1").succeeds("b-1"),
            False,
            id="a pod of another gang has run",
        ),
        pytest.param(pod_bound(pod="a-2"), gang().bound("n", "a-1"), False, id="another pod was bound"),
        # who gave way
        pytest.param(gave_way(gang="a", count=1), evicted("a-1"), True, id="one gave way"),
        pytest.param(gave_way(gang="a", count=1), evicted("a-1", "a-2"), False, id="two gave way"),
        pytest.param(WHOLE, evicted(), True, id="all run"),
        pytest.param(WHOLE, evicted("a-1", "a-2", "a-3"), True, id="none runs"),
        pytest.param(WHOLE, evicted("a-1"), False, id="two of three run"),
        pytest.param(
            BESIDE,
            two_gangs().bound("n", "a-1", "a-2", "a-3", "b-1", "b-2"),
            True,
            id="one is bound and the other whole",
        ),
        pytest.param(BESIDE, two_gangs().bound("n", "a-1", "a-2", "a-3"), False, id="one is not bound"),
        pytest.param(BESIDE, two_gangs().bound("n", "a-1", "b-1", "b-2"), False, id="the other in part"),
        pytest.param(
            BESIDE,
            *(two_gangs().bound("n", "b-1", "b-2"), False),
            id="that the other is evicted whole is no excuse",
        ),
        pytest.param(
            BESIDE,
            *(two_gangs().bound("n", "a-1", "a-2", "a-3", "b-1", "b-2").succeeds("a-1"), True),
            id="a pod that has ended is left",
        ),
        pytest.param(TOLD, marked("DisruptionTarget"), True, id="it says why it gives way"),
        pytest.param(TOLD, marked("Ready"), False, id="it does not say why it gives way"),
        pytest.param(TOLD, evicted(), False, id="nobody gave way"),
        pytest.param(gang_spread(gang="a", count=1), zoned("k"), True, id="one in each zone"),
        pytest.param(gang_spread(gang="a", count=1), zoned("m"), False, id="two in one zone"),
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
        # a gang and a pod without one
        pytest.param(
            EITHER, beside_a_pod().bound("n", "a-1", "a-2", "a-3"), True, id="the gang, not the pod"
        ),
        pytest.param(EITHER, beside_a_pod().bound("n", "alone"), True, id="the pod, not the gang"),
        pytest.param(EITHER, beside_a_pod(), False, id="neither gang nor pod"),
        pytest.param(EITHER, beside_a_pod().bound("n", "a-1"), False, id="a part of the gang alone"),
        pytest.param(EITHER, beside_a_pod().bound("n", "a-1", "alone"), False, id="the pod and a part"),
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
            bound_too_soon(lacking="pods"),
            *(gang(2, "a-1", "a-2").bound("n", "a-1").at(9).act("raised", gang="a", minimum=3), False),
            id="its minimum is raised after it was bound",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(
                gang(2, "a-1", "a-2").at(1).act("raised", gang="a", minimum=3).at(2.9).bound("n", "a-1"),
                False,
            ),
            id="its minimum was raised just before it was bound",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang(2, "a-1", "a-2").at(1).act("raised", gang="a", minimum=3).at(3.1).bound("n", "a-1"), True),
            id="its minimum was raised long before it was bound",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang(3, "a-1", "a-2").at(4).bound("n", "a-1").at(5).act("lowered", gang="a", minimum=2), True),
            id="its minimum is lowered after it was bound",
        ),
        pytest.param(
            nothing_in_part(),
            *(gang(2).bound("n", "a-1", "a-2").at(9).act("raised", gang="a", minimum=3), True),
            id="its minimum is raised after it was bound with it",
        ),
        pytest.param(
            nothing_in_part(),
            *(gang(2).at(1).act("raised", gang="a", minimum=3).at(4).bound("n", "a-1", "a-2"), False),
            id="its minimum was raised before it was bound in part",
        ),
        pytest.param(
            nothing_in_part(),
            *(gang(3).bound("n", "a-1", "a-2").at(9).act("lowered", gang="a", minimum=2), True),
            id="its minimum is lowered to what is bound",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang().at(1).gone("pods", "a-3").at(3.1).bound("n", "a-1"), True),
            id="one of three was deleted long before",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang().at(1).gone("pods", "a-3").at(2.9).bound("n", "a-1"), False),
            id="one of three was deleted just before",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang().at(1).gone("pods", "a-3").at(4).gone("pods", "a-2").bound("n", "a-1"), True),
            id="of two that were deleted one was known to be",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang().at(1).gone("pods", "a-3").member("a-4").at(4).bound("n", "a-1"), False),
            id="another one came for the one that was deleted",
        ),
        pytest.param(
            bound_too_soon(lacking="pods"),
            *(gang().at(1).deleting("pods", "a-3").at(4).bound("n", "a-1"), False),
            id="one of three is being deleted, and exists",
        ),
        pytest.param(
            bound_too_soon(lacking="room"),
            gang(3, cpus="2").bound("n", "a-1"),
            True,
            id="room for two of three",
        ),
        pytest.param(bound_too_soon(lacking="room"), gang().bound("n", "a-1"), False, id="room for three"),
        pytest.param(
            bound_too_soon(lacking="room"),
            *(gang(3, cpus="2").at(4).act("lowered", gang="a", minimum=2).bound("n", "a-1"), False),
            id="room for two of three, and two are enough by now",
        ),
        pytest.param(
            bound_too_soon(lacking="room"),
            *(gang(3, cpus="3").node("n", "2").bound("n", "a-1"), False),
            id="the room is gone when it binds what it had decided",
        ),
        pytest.param(
            bound_too_soon(lacking="room"), gated().bound("n", "a-1"), True, id="one of three is gated"
        ),
        pytest.param(
            bound_too_soon(lacking="room"),
            *(gated().act("own gates", gates=["g"]).bound("n", "a-1"), False),
            id="one of three has a gate of the implementation's own",
        ),
        pytest.param(
            bound_too_soon(lacking="room"),
            *(gated().act("own gates", gates=["other"]).bound("n", "a-1"), True),
            id="one of three has a gate that is not the implementation's own",
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
            *(evicted_by_request(), False),
            id="a gang of which the implementation itself evicts a pod",
        ),
        pytest.param(
            WHOLE,
            *(gang(2, "a-1", "a-2").bound("n", "a-1", "a-2").succeeds("a-1").gone("pods", "a-2"), True),
            id="what is left has ended",
        ),
        pytest.param(
            nothing_in_part(),
            *(gang().bound("n", "a-1").write("delete", "podgroups", "a-2").gone("pods", "a-2"), True),
            id="a gang of which a pod is gone, whose name another object had that it deletes",
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
        # a minimum that was raised, or lowered, later
        pytest.param(
            nothing_in_part(), raised(gang(2).bound("n", "a-1", "a-2")), True, id="two of two, then of four"
        ),
        pytest.param(
            nothing_in_part(),
            *(raised(gang(2)).at(9).bound("n", "a-1", "a-2"), False),
            id="two of four, once of two",
        ),
        pytest.param(
            nothing_in_part(),
            *(raised(gang(2)).bound("n", "a-1", "a-2"), True),
            id="two of four, of two a moment ago",
        ),
        pytest.param(
            WHOLE, raised(gang(2).bound("n", "a-1", "a-2")), True, id="two of two run, then of four"
        ),
        pytest.param(
            WHOLE,
            *(raised(gang(4).bound("n", "a-1", "a-2", "a-3", "a-4"), 3).at(9).gone("pods", "a-4"), True),
            id="three of four run since the minimum is three",
        ),
        pytest.param(
            WHOLE,
            *(raised(gang(2, *FOUR).bound("n", *FOUR)).at(9).gone("pods", "a-4"), False),
            id="three of four run since the minimum is four",
        ),
        pytest.param(
            WHOLE,
            *(raised(gang(2, *FOUR).bound("n", *FOUR).gone("pods", "a-4")), True),
            id="three of four ran before the minimum was four",
        ),
        pytest.param(
            BESIDE,
            *(raised(raised(both_bound(), 9), 9, gang="b"), True),
            id="both have their minimums of then",
        ),
        pytest.param(
            one_gang_bound(gangs=["a", "b"]),
            *(raised(two_gangs().bound("n", "b-1", "b-2"), gang="b"), True),
            id="one of two gangs, whose minimum is raised then",
        ),
        pytest.param(
            EITHER,
            raised(beside_a_pod().bound("n", *FOUR[:3])),
            True,
            id="the gang, of three and then of four",
        ),
        pytest.param(
            gave_way(gang="a", count=0), evicted("a-1", "a-2"), False, id="two have had to, though none may"
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
            bound_once(),
            gang().bound("n", "a-1").at(9).asks("create", "pods", "a-1", subresource="binding", body=TO_M),
            False,
            id="asked for elsewhere long after, and not answered",
        ),
        pytest.param(
            bound_once(),
            gang().bound("n", "a-1").at(1.9).asks("create", "pods", "a-1", subresource="binding", body=TO_M),
            False,
            id="asked for elsewhere a second after its node was seen",
        ),
        pytest.param(
            bound_once(),
            gang().bound("n", "a-1").at(1.5).asks("create", "pods", "a-1", subresource="binding", body=TO_M),
            True,
            id="asked for elsewhere within a second",
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


@deciding(
    [
        pytest.param(gang_bound(gang="a", count=2), gang().bound("n", "a-1", "a-2", "a-3"), 7),
        pytest.param(gang_bound_at_most(gang="a", count=1), gang().bound("n", "a-1", "a-2", "a-3"), 7),
        pytest.param(gang_bound_exactly(gang="a", count=2), gang().bound("n", "a-1", "a-2", "a-3"), 8),
        pytest.param(pod_bound(pod="a-2"), gang().bound("n", "a-1", "a-2").runs("a-2"), 7),
        pytest.param(nothing_in_part(), gang().bound("n", "a-3"), 6),
        pytest.param(bound_once(), gang().binds("a-1", "n").binds("a-2", "n").binds("a-1", "n"), 10),
    ]
)
def test_the_record_that_decides_about_a_gang(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)
