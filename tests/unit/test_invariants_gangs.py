"""Invariants: gangs and the room on nodes."""

from __future__ import annotations

from typing import Any

import pytest
from histories import PODGROUPS, Story, story
from invariant_examples import assert_blameless, assert_broken

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


BREAKS = [
    pytest.param(
        "GNG-001",
        story().node("n", "4").gang("a", 3).members("a-1", "a-2").bound("n", "a-1"),
        *(5, "a-1 of gang a"),
        id="a pod of a gang is bound before the others are created",
    ),
    pytest.param(
        "GNG-002",
        story().node("n", "2").gang("a", 3).members("a-1", "a-2", "a-3").bound("n", "a-1"),
        *(6, "a-1 of gang a"),
        id="a pod of a gang is bound though there never was room for the others",
    ),
    pytest.param(
        "GNG-009",
        story().node("n", "1").members("a-1", "a-2").bound("n", "a-1", "a-2"),
        *(4, "a-2 on n: cpu exceeded"),
        id="a node is given more than it has",
    ),
    pytest.param(
        "GNG-009",
        story().node("n").node("n", cordoned=True).at(3).member("a-1").bound("n", "a-1").runs("a-1"),
        *(3, "a-1 on n: the node does not suit it"),
        id="a pod is bound to a node that is cordoned",
    ),
    pytest.param(
        "GNG-001",
        raised(story().node("n", "4"), 2, 3, "a-1", "a-2").at(3).bound("n", "a-1"),
        *(6, "a-1 of gang a"),
        id="a pod of a gang is bound after its minimum was raised",
    ),
    pytest.param(
        "GNG-002",
        raised(story().node("n", "2"), 2, 3, "a-1", "a-2", "a-3").at(3).bound("n", "a-1"),
        *(7, "a-1 of gang a"),
        id="a pod of a gang is bound though there never was room for a minimum that was raised",
    ),
    pytest.param(
        "GNG-002",
        raised(story().node("n", "1"), 3, 2, "a-1", "a-2", "a-3").bound("n", "a-1"),
        *(7, "a-1 of gang a"),
        id="a pod of a gang is bound though there never was room for a minimum that was lowered",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_gangs_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed)


BLAMELESS = [
    pytest.param(
        story()
        .node("n", "1")
        .members("a-1", "a-2")
        .bound("n", "a-1")
        .succeeds("a-1")
        .bound("n", "a-2")
        .swapped(),
        id="GNG-009: the pod before it had ended in etcd, though its watch told so later",
    ),
    pytest.param(
        story().node("n").member("a-1").at(3).node("n", cordoned=True).bound("n", "a-1"),
        id="GNG-009: the node was cordoned a moment ago",
    ),
    pytest.param(
        story()
        .node("n", "4")
        .gang("a", 2)
        .members("a-1", "a-2")
        .bound("n", "a-1", "a-2")
        .act(RAISED, **TO_4),
        id="GNG-001: the minimum was raised when both pods were bound",
    ),
    pytest.param(
        raised(story().node("n", "4"), 2, 4, "a-1", "a-2").bound("n", "a-1", "a-2"),
        id="GNG-001: the minimum was raised a moment ago",
    ),
    pytest.param(
        raised(story().node("n", "4"), 3, 2, "a-1", "a-2").bound("n", "a-1", "a-2"),
        id="GNG-001: the minimum was lowered to the pods that there are",
    ),
    pytest.param(
        without_groups().at(9).bound("n", "a-1", "a-2"),
        id="GNG-001: the minimum was raised while the view of groups is stale",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_gangs_does_not_accuse(told: Story) -> None:
    assert_blameless(told)
