"""How the gangs of a scenario end, and where the scheduler had a choice, so that nothing can be compared."""

from __future__ import annotations

import pytest
from histories import Story, story

from batchproof.judgement.ends import ending, undetermined, unrest


def gang(cpus: str = "4", minimum: int = 2) -> Story:
    return story().node("n", cpus).gang("a", minimum)


BOUND = gang().members("a-1", "a-2").bound("n", "a-1", "a-2")


def two(cpus: str) -> Story:
    """Two gangs that wait at the same time."""
    return gang(cpus).gang("b", 2).members("a-1", "a-2").members("b-1", "b-2", of="b")


def test_a_gang_ends_with_the_number_of_its_bound_pods() -> None:
    assert {what: how for what, how in ending(BOUND.seen).items() if "bound" in what} == {
        "gang/a: bound": "2",
        "pods outside of gangs: bound": "0",
    }
    assert not any("bound" in what for what in ending(story().job("a").pod("a-1").seen))


RESTLESS = [
    pytest.param(story(), "", id="no gang"),
    pytest.param(BOUND, "", id="all is bound"),
    pytest.param(gang().members("a-1", "a-2"), "a waits, and may fit", id="not bound yet"),
    pytest.param(gang().members("a-1"), "", id="fewer than its minimum"),
    pytest.param(gang("1").members("a-1", "a-2"), "", id="no room"),
    pytest.param(
        gang().members("a-1", "a-2", "a-3").bound("n", "a-1", "a-2"), "a waits", id="a surplus pod fits"
    ),
    pytest.param(
        gang("2").members("a-1", "a-2", "a-3").bound("n", "a-1", "a-2"),
        "",
        id="a surplus pod does not fit",
    ),
    pytest.param(
        gang().members("a-1", "a-2").bound("n", "a-1").deleting("pods", "a-1"),
        "pod a-1 is being deleted",
        id="a pod is leaving",
    ),
]


@pytest.mark.parametrize(("told", "why"), RESTLESS)
def test_what_may_still_be_bound(told: Story, why: str) -> None:
    found = unrest(told.seen)
    assert why in found
    assert bool(why) == bool(found)


OPEN = [
    pytest.param(BOUND, "", id="one gang"),
    pytest.param(two("4"), "", id="both fit"),
    pytest.param(two("3"), "a and b compete", id="one of them fits"),
    pytest.param(gang("3").gang("b", 2).members("a-1", "a-2").members("b-1", of="b"), "", id="one is short"),
    pytest.param(
        gang("2").members("a-1", "a-2").bound("n", "a-1", "a-2").gang("b", 2).members("b-1", "b-2", of="b"),
        "b waits for resources of others",
        id="one runs where the other would fit",
    ),
    pytest.param(
        gang("3")
        .gang("b", 2)
        .member("b-1", of="b")
        .deleting("pods", "b-1")
        .member("b-2", of="b")
        .members("a-1", "a-2"),
        "",
        id="one is short of a pod that is being deleted",
    ),
    pytest.param(gang("1").members("a-1", "a-2"), "", id="too big for all nodes"),
    pytest.param(
        gang().members("a-1", "a-2").bound("n", "a-1", "a-2").deleting("pods", "a-1"),
        "pod a-1 was deleted while it ran",
        id="evicted",
    ),
]


@pytest.mark.parametrize(("told", "why"), OPEN)
def test_where_the_scheduler_had_a_choice_nothing_is_determined(told: Story, why: str) -> None:
    found = undetermined(told.seen)
    assert why in found
    assert bool(why) == bool(found)


ENDS = [*RESTLESS, *OPEN]
