"""Invariants: gangs and the room on nodes."""

from __future__ import annotations

from typing import Any

from histories import PODGROUPS, Story, story
from invariant_examples import Case, breaks, check, examples, keeps

from batchproof.judgement.faults import view_fault

RAISED = "raises the minimum of gang a"
TO_4: dict[str, Any] = {"gang": "a", "minimum": 4}


def raised(told: Story, before: int, after: int, *names: str) -> Story:
    """A gang with one minimum has these pods, and then another minimum."""
    return told.gang("a", before).members(*names).act("changes the minimum", gang="a", minimum=after)


def without_groups() -> Story:
    """A gang of which both pods exist, whose minimum is raised while the view of groups is stale."""
    told = story().node("n", "4").gang("a", 2).members("a-1", "a-2")
    told.fault(1, "armed", **view_fault(PODGROUPS, frozen=True, delay_s=0.0)).fault(1, "fired")
    return told.act(RAISED, **TO_4)


@examples(
    "GNG-001",
    breaks("a pod of a gang is bound before the others are created", 5, "a-1 of gang a"),
    story().node("n", "4").gang("a", 3).members("a-1", "a-2").bound("n", "a-1"),
    "GNG-002",
    breaks("a pod of a gang is bound though there never was room for the others", 6, "a-1 of gang a"),
    story().node("n", "2").gang("a", 3).members("a-1", "a-2", "a-3").bound("n", "a-1"),
    "GNG-009",
    breaks("a node is given more than it has", 4, "a-2 on n: cpu exceeded"),
    story().node("n", "1").members("a-1", "a-2").bound("n", "a-1", "a-2"),
    breaks("a pod is bound to a node that is cordoned", 3, "a-1 on n: the node does not suit it"),
    story().node("n").node("n", cordoned=True).at(3).member("a-1").bound("n", "a-1").runs("a-1"),
    keeps("the pod before it had ended in etcd, though its watch told so later"),
    story()
    .node("n", "1")
    .members("a-1", "a-2")
    .bound("n", "a-1")
    .succeeds("a-1")
    .bound("n", "a-2")
    .swapped(),
    keeps("the node was cordoned a moment ago"),
    story().node("n").member("a-1").at(3).node("n", cordoned=True).bound("n", "a-1"),
    "GNG-001",
    breaks("a pod of a gang is bound after its minimum was raised", 6, "a-1 of gang a"),
    raised(story().node("n", "4"), 2, 3, "a-1", "a-2").at(3).bound("n", "a-1"),
    keeps("the minimum was raised when both pods were bound"),
    story().node("n", "4").gang("a", 2).members("a-1", "a-2").bound("n", "a-1", "a-2").act(RAISED, **TO_4),
    keeps("the minimum was raised a moment ago"),
    raised(story().node("n", "4"), 2, 4, "a-1", "a-2").bound("n", "a-1", "a-2"),
    keeps("the minimum was lowered to the pods that there are"),
    raised(story().node("n", "4"), 3, 2, "a-1", "a-2").bound("n", "a-1", "a-2"),
    keeps("the minimum was raised while the view of groups is stale"),
    without_groups().at(9).bound("n", "a-1", "a-2"),
    "GNG-002",
    breaks(
        "a pod of a gang is bound though there never was room for a minimum that was raised",
        7,
        "a-1 of gang a",
    ),
    raised(story().node("n", "2"), 2, 3, "a-1", "a-2", "a-3").at(3).bound("n", "a-1"),
    breaks(
        "a pod of a gang is bound though there never was room for a minimum that was lowered",
        7,
        "a-1 of gang a",
    ),
    raised(story().node("n", "1"), 3, 2, "a-1", "a-2", "a-3").bound("n", "a-1"),
)
def test_an_invariant_of_gangs(case: Case) -> None:
    check(case)
