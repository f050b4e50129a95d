"""Invariants: gangs and the room on nodes."""

from __future__ import annotations

import pytest
from histories import Story, story
from invariant_examples import assert_blameless, assert_broken

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
        story().node("n").node("n", cordoned=True).member("a-1").bound("n", "a-1").runs("a-1"),
        *(3, "a-1 on n: the node does not suit it"),
        id="a pod is bound to a node that is cordoned",
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
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_gangs_does_not_accuse(told: Story) -> None:
    assert_blameless(told)
