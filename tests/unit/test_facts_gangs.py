"""Facts about gangs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from fact_examples import deciding, examples, no, yes
from gang_examples import deleted, gang, room, two_gangs
from histories import Story, story

from batchproof.ground.resources import GANG_LABEL, PODS, SCENE_LABEL
from batchproof.judgement.facts import FactCall
from batchproof.profiles.gang.facts.bindings import bound_once, pod_bound
from batchproof.profiles.gang.facts.gangs import (
    bound_beside_whole,
    bound_member_deleted,
    gang_bound,
    gang_bound_at_most,
    gang_bound_exactly,
    gang_completed,
    gang_gone,
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


def beside_three_cpus() -> Story:
    """A gang of two on a node with 4 CPUs, of which another pod takes 3."""
    alone = story().node("n", "4").member("single", of="", cpus="3").bound("n", "single")
    return alone.gang("a", 2).members("a-1", "a-2")


def beside_a_pod() -> Story:
    """A gang of 3 and a pod without one."""
    return gang().pod("alone", of=None)


def one_gone() -> Story:
    """A gang of 3, one of which is gone at 1 s, and one gated; there is room for 3 from then on."""
    return gated("2").member("a-4").at(1).gone("pods", "a-4").node("m", "1").node("m", "4")


def gated(cpus: str = "4") -> Story:
    """A gang of 3, one of which has a scheduling gate."""
    history = gang(3, "a-1", "a-2", cpus=cpus)
    body = {
        "metadata": {"uid": "uid-a-3", "labels": {GANG_LABEL: "a"}},
        "spec": {"schedulingGates": [{"name": "g"}], "nodeSelector": {SCENE_LABEL: "here"}},
        "status": {"phase": "Pending"},
    }
    return history.stores(PODS, "a-3", body)


@examples(
    # how many were bound
    gang_bound(gang="a", count=2),
    yes("two bound", gang().bound("n", "a-1", "a-2")),
    no("one of two bound", gang().bound("n", "a-1")),
    gang_bound(gang="a", count=1),
    yes("bound once counts for ever", gang().bound("n", "a-1").succeeds("a-1").gone("pods", "a-1")),
    gang_bound(gang="a", count=2),
    no("a pod that changes counts once", gang().bound("n", "a-1").runs("a-1").succeeds("a-1")),
    gang_bound(gang="a", count=1),
    no("a pod of another gang", two_gangs().bound("n", "b-1")),
    gang_bound_exactly(gang="a", count=1),
    no("one too many", gang().bound("n", "a-1", "a-2")),
    yes("exactly one", gang().bound("n", "a-1")),
    gang_bound_at_most(gang="a", count=0),
    yes("none at all", gang()),
    no("one is one", gang().bound("n", "a-1")),
    pod_bound(pod="a-1"),
    yes("was bound", gang().bound("n", "a-1").gone("pods", "a-1")),
    # how many have run to completion
    gang_completed(gang="a", count=1),
    yes("ran and succeeded", gang().bound("n", "a-1").runs("a-1").succeeds("a-1")),
    no("runs still", gang().bound("n", "a-1").runs("a-1")),
    no("was gone before it had succeeded", gang().bound("n", "a-1").runs("a-1").gone("pods", "a-1")),
    no("was never seen running", gang().bound("n", "a-1").succeeds("a-1")),
    gang_completed(gang="a", count=2),
    no("one of two has failed"),
    gang().bound("n", "a-1", "a-2").runs("a-1").runs("a-2").succeeds("a-1").fails("a-2"),
    gang_completed(gang="a", count=1),
    no("a pod of another gang has run", two_gangs().bound("n", "b-1").runs("b-1").succeeds("b-1")),
    pod_bound(pod="a-2"),
    no("another pod was bound", gang().bound("n", "a-1")),
    # what was evicted
    gave_way(gang="a", count=1),
    yes("one gave way", evicted("a-1")),
    no("two gave way", evicted("a-1", "a-2")),
    WHOLE,
    yes("all run", evicted()),
    yes("none runs", evicted("a-1", "a-2", "a-3")),
    no("two of three run", evicted("a-1")),
    BESIDE,
    yes("one is bound and the other whole", two_gangs().bound("n", "a-1", "a-2", "a-3", "b-1", "b-2")),
    no("one is not bound", two_gangs().bound("n", "a-1", "a-2", "a-3")),
    no("the other in part", two_gangs().bound("n", "a-1", "b-1", "b-2")),
    no("that the other is evicted whole is no excuse", two_gangs().bound("n", "b-1", "b-2")),
    yes("a pod that has ended is left"),
    two_gangs().bound("n", "a-1", "a-2", "a-3", "b-1", "b-2").succeeds("a-1"),
    gave_way_told(gang="a", condition="DisruptionTarget"),
    yes("it says why it gives way", marked("DisruptionTarget")),
    no("it does not say why it gives way", marked("Ready")),
    no("no pod was evicted", evicted()),
    gang_spread(gang="a", count=1),
    yes("one in each zone", zoned("k")),
    no("two in one zone", zoned("m")),
    # one of several gangs
    one_gang_bound(gangs=["a", "b"]),
    yes("one of two gangs", two_gangs().bound("n", "b-1", "b-2")),
    no("none of two gangs", two_gangs()),
    no("a gang in part", two_gangs().bound("n", "b-1")),
    no("one whole and one in part", two_gangs().bound("n", "b-1", "b-2", "a-1")),
    no("both gangs", two_gangs().bound("n", "b-1", "b-2", "a-1", "a-2", "a-3")),
    one_gang_bound(gangs=["a", "b"], which="a"),
    no("the wrong one of two gangs", two_gangs().bound("n", "b-1", "b-2")),
    one_gang_bound(gangs=["a", "b"], which="b"),
    yes("the right one of two gangs", two_gangs().bound("n", "b-1", "b-2")),
    # a gang and a pod without one
    EITHER,
    yes("the gang, not the pod", beside_a_pod().bound("n", "a-1", "a-2", "a-3")),
    yes("the pod, not the gang", beside_a_pod().bound("n", "alone")),
    no("neither gang nor pod", beside_a_pod()),
    no("a part of the gang alone", beside_a_pod().bound("n", "a-1")),
    no("the pod and a part", beside_a_pod().bound("n", "a-1", "alone")),
    one_more_bound(gangs=["a", "b"]),
    yes("all pods of one gang", two_gangs().bound("n", "a-1", "a-2", "b-1", "b-2")),
    one_more_bound(gangs=["b"]),
    no("the minimum is not all pods", two_gangs().member("b-3", of="b").bound("n", "b-1", "b-2")),
    one_more_bound(gangs=["c"]),
    no("a gang without pods", two_gangs()),
    # where they are, and that they stay
    bound_member_deleted(gang="a"),
    yes("a bound one is deleted", deleted().bound("n", "a-2")),
    yes("one that is bound is gone", gang().bound("n", "a-1").gone("pods", "a-1")),
    no("one that waits is deleted", deleted()),
    no("one that has ended is deleted", gang().bound("n", "a-1").succeeds("a-1").gone("pods", "a-1")),
    gang_gone(gang="a"),
    yes("all are gone", gang(2, "a-1").gone("pods", "a-1")),
    no("one waits", gang(2, "a-1", "a-2").gone("pods", "a-1")),
    no("one is being deleted", deleted()),
    gang_on_nodes(gang="a", count=2),
    yes("on two nodes", gang().node("m").bound("n", "a-1", "a-2").bound("m", "a-3")),
    no("two on one node", gang().bound("n", "a-1", "a-2")),
    gang_in_zones(gang="a", count=1),
    yes("on two nodes of one zone", zoned("m")),
    no("in two zones", zoned("k")),
    # begun too soon
    bound_too_soon(lacking="pods"),
    yes("two of three", gang(3, "a-1", "a-2").bound("n", "a-1")),
    yes("the third comes later", gang(3, "a-1", "a-2").bound("n", "a-1").member("a-3")),
    no("all are there", gang().bound("n", "a-1")),
    no("its minimum is raised after it was bound"),
    gang(2, "a-1", "a-2").bound("n", "a-1").at(9).act("raised", gang="a", minimum=3),
    no("its minimum was raised just before it was bound"),
    gang(2, "a-1", "a-2").at(1).act("raised", gang="a", minimum=3).at(2.9).bound("n", "a-1"),
    yes("its minimum was raised long before it was bound"),
    gang(2, "a-1", "a-2").at(1).act("raised", gang="a", minimum=3).at(3.1).bound("n", "a-1"),
    yes("its minimum is lowered after it was bound"),
    gang(3, "a-1", "a-2").at(4).bound("n", "a-1").at(5).act("lowered", gang="a", minimum=2),
    nothing_in_part(),
    yes("its minimum is raised after it was bound with it"),
    gang(2).bound("n", "a-1", "a-2").at(9).act("raised", gang="a", minimum=3),
    no("its minimum was raised before it was bound in part"),
    gang(2).at(1).act("raised", gang="a", minimum=3).at(4).bound("n", "a-1", "a-2"),
    yes("its minimum is lowered to what is bound"),
    gang(3).bound("n", "a-1", "a-2").at(9).act("lowered", gang="a", minimum=2),
    bound_too_soon(lacking="pods"),
    yes("one of three was deleted long before", gang().at(1).gone("pods", "a-3").at(3.1).bound("n", "a-1")),
    no("one of three was deleted just before", gang().at(1).gone("pods", "a-3").at(2.9).bound("n", "a-1")),
    yes("of two that were deleted one was known to be"),
    gang().at(1).gone("pods", "a-3").at(4).gone("pods", "a-2").bound("n", "a-1"),
    no("another one came for the one that was deleted"),
    gang().at(1).gone("pods", "a-3").member("a-4").at(4).bound("n", "a-1"),
    no("one of three is being deleted, and exists"),
    gang().at(1).deleting("pods", "a-3").at(4).bound("n", "a-1"),
    bound_too_soon(lacking="room"),
    yes("room for two of three", gang(3, cpus="2").bound("n", "a-1")),
    no("room for three", gang().bound("n", "a-1")),
    no("room for two of three, and two are enough by now"),
    gang(3, cpus="2").at(4).act("lowered", gang="a", minimum=2).bound("n", "a-1"),
    no("the room is gone when it binds what it had decided"),
    gang(3, cpus="3").node("n", "2").bound("n", "a-1"),
    yes("another pod leaves room for one of two"),
    beside_three_cpus().bound("n", "a-1"),
    no("another pod that leaves room for one of two is being made smaller"),
    beside_three_cpus().resized("single", "1").bound("n", "a-1"),
    yes("another node joins while one of three is being deleted"),
    gang(3, cpus="2").at(1).deleting("pods", "a-3").node("m", "4").at(3.1).bound("m", "a-1"),
    no("another node joins while the deletion of one of three may not be observed yet"),
    gang(3, cpus="2").at(1).deleting("pods", "a-3").node("m", "1").node("m", "4").at(2.9).bound("m", "a-1"),
    yes("another node joins after one of three that could be bound is gone"),
    one_gone().at(3.1).bound("m", "a-1"),
    no("another node joins while it may not be observed yet that one of three is gone"),
    one_gone().at(2.9).bound("m", "a-1"),
    yes("one of three is gated", gated().bound("n", "a-1")),
    no("one of three has a gate of the implementation's own"),
    gated().act("own gates", gates=["g"]).bound("n", "a-1"),
    yes("one of three has a gate that is not the implementation's own"),
    gated().act("own gates", gates=["other"]).bound("n", "a-1"),
    # nothing in part
    nothing_in_part(),
    yes("nothing bound", gang()),
    no("two of three", gang().bound("n", "a-1", "a-2")),
    yes("three of three", gang().bound("n", "a-1", "a-2", "a-3")),
    yes("the pods of a gang that have ended count"),
    gang().bound("n", "a-1").succeeds("a-1").bound("n", "a-2").bound("n", "a-3"),
    yes("a gang of which a pod is being deleted", deleted()),
    yes("a gang of which a pod is gone at once", gang().bound("n", "a-1").gone("pods", "a-2")),
    no("a gang of which the implementation itself deletes a pod"),
    gang().bound("n", "a-1").write("delete", "pods", "a-2").gone("pods", "a-2"),
    no("a gang of which the implementation itself evicts a pod", evicted_by_request()),
    WHOLE,
    yes("what is left has ended"),
    gang(2, "a-1", "a-2").bound("n", "a-1", "a-2").succeeds("a-1").gone("pods", "a-2"),
    nothing_in_part(),
    yes("a gang of which a pod is gone, whose name another object had that it deletes"),
    gang().bound("n", "a-1").write("delete", "podgroups", "a-2").gone("pods", "a-2"),
    no("a pod that is removed when it has ended excuses nothing"),
    gang().bound("n", "a-1").succeeds("a-1").gone("pods", "a-1"),
    no("the deletion in one gang does not excuse another"),
    deleted().gang("b", 2).members("b-1", "b-2", of="b").bound("n", "b-1"),
    yes("the minimum that was asked for last"),
    gang().act("creates gang a", gang="a", minimum=1).bound("n", "a-1"),
    # a minimum that was raised, or lowered, later
    yes("two of two, then of four", raised(gang(2).bound("n", "a-1", "a-2"))),
    no("two of four, once of two", raised(gang(2)).at(9).bound("n", "a-1", "a-2")),
    yes("two of four, of two a moment ago", raised(gang(2)).bound("n", "a-1", "a-2")),
    WHOLE,
    yes("two of two run, then of four", raised(gang(2).bound("n", "a-1", "a-2"))),
    yes("three of four run since the minimum is three"),
    raised(gang(4).bound("n", "a-1", "a-2", "a-3", "a-4"), 3).at(9).gone("pods", "a-4"),
    no("three of four run since the minimum is four"),
    raised(gang(2, *FOUR).bound("n", *FOUR)).at(9).gone("pods", "a-4"),
    yes("three of four ran before the minimum was four"),
    raised(gang(2, *FOUR).bound("n", *FOUR).gone("pods", "a-4")),
    BESIDE,
    yes("both have their minimums of then", raised(raised(both_bound(), 9), 9, gang="b")),
    one_gang_bound(gangs=["a", "b"]),
    yes("one of two gangs, whose minimum is raised then"),
    raised(two_gangs().bound("n", "b-1", "b-2"), gang="b"),
    EITHER,
    yes("the gang, of three and then of four", raised(beside_a_pod().bound("n", *FOUR[:3]))),
    gave_way(gang="a", count=0),
    no("two have had to, though none may", evicted("a-1", "a-2")),
    # bound once
    bound_once(),
    yes("bound once", gang().binds("a-1", "n").bound("n", "a-1")),
    yes("never bound", gang()),
    yes("requested where no node is known"),
    gang().bound("n", "a-1").at(9).asks("create", "pods", "a-1", subresource="binding"),
    no("asked for elsewhere long after"),
    gang().binds("a-1", "n").bound("n", "a-1").at(9).binds("a-1", "other"),
    yes("asked for again before its node was seen"),
    gang().bound("n", "a-1").asks("create", "pods", "a-1", subresource="binding").answered(409),
    no("asked for elsewhere long after, and not answered"),
    gang().bound("n", "a-1").at(9).asks("create", "pods", "a-1", subresource="binding", body=TO_M),
    no("asked for elsewhere a second after its node was seen"),
    gang().bound("n", "a-1").at(1.9).asks("create", "pods", "a-1", subresource="binding", body=TO_M),
    yes("asked for elsewhere within a second"),
    gang().bound("n", "a-1").at(1.5).asks("create", "pods", "a-1", subresource="binding", body=TO_M),
    no("two bindings were accepted", gang().binds("a-1", "n").binds("a-1", "n")),
    yes("two pods, a binding each", gang().binds("a-1", "n").binds("a-2", "n")),
    # room
    room(2, 2, since=99),
    yes("room for two", gang(3, cpus="2")),
    no("room for three", gang(3, cpus="3")),
    overcommitted(),
    yes("too much", gang(3, cpus="2").bound("n", "a-1", "a-2", "a-3")),
    no("all fit", gang(3, cpus="3").bound("n", "a-1", "a-2", "a-3")),
)
def test_a_fact_about_gangs(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


@deciding(
    (gang_bound(gang="a", count=2), gang().bound("n", "a-1", "a-2", "a-3"), 7),
    (gang_bound_at_most(gang="a", count=1), gang().bound("n", "a-1", "a-2", "a-3"), 7),
    (gang_bound_exactly(gang="a", count=2), gang().bound("n", "a-1", "a-2", "a-3"), 8),
    (pod_bound(pod="a-2"), gang().bound("n", "a-1", "a-2").runs("a-2"), 7),
    (nothing_in_part(), gang().bound("n", "a-3"), 6),
    (bound_once(), gang().binds("a-1", "n").binds("a-2", "n").binds("a-1", "n"), 10),
)
def test_the_record_that_decides_about_a_gang(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)
