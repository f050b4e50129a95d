"""How the gangs of a scenario end, and where the scheduler had a choice, so that nothing can be compared."""

from __future__ import annotations

import pytest
from histories import Story, story
from tables import params, table, when

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


RESTLESS = table(
    "",
    when("no gang", story()),
    when("all is bound", BOUND),
    "a waits, and may fit",
    when("not bound yet", gang().members("a-1", "a-2")),
    "",
    when("fewer than its minimum", gang().members("a-1")),
    when("no room", gang("1").members("a-1", "a-2")),
    "a waits",
    when("a surplus pod fits", gang().members("a-1", "a-2", "a-3").bound("n", "a-1", "a-2")),
    "",
    when("a surplus pod does not fit", gang("2").members("a-1", "a-2", "a-3").bound("n", "a-1", "a-2")),
    "pod a-1 is being deleted",
    when("a pod is leaving", gang().members("a-1", "a-2").bound("n", "a-1").deleting("pods", "a-1")),
)


@pytest.mark.parametrize(("told", "why"), params(RESTLESS))
def test_what_may_still_be_bound(told: Story, why: str) -> None:
    found = unrest(told.seen)
    assert why in found
    assert bool(why) == bool(found)


OPEN = table(
    "",
    when("one gang", BOUND),
    when("both fit", two("4")),
    "a and b compete",
    when("one of them fits", two("3")),
    "",
    when("one is short", gang("3").gang("b", 2).members("a-1", "a-2").members("b-1", of="b")),
    "b waits for resources of others",
    when("one runs where the other would fit"),
    gang("2").members("a-1", "a-2").bound("n", "a-1", "a-2").gang("b", 2).members("b-1", "b-2", of="b"),
    "",
    when("one is short of a pod that is being deleted"),
    gang("3")
    .gang("b", 2)
    .member("b-1", of="b")
    .deleting("pods", "b-1")
    .member("b-2", of="b")
    .members("a-1", "a-2"),
    when("too big for all nodes", gang("1").members("a-1", "a-2")),
    "pod a-1 was deleted while it ran",
    when("evicted", gang().members("a-1", "a-2").bound("n", "a-1", "a-2").deleting("pods", "a-1")),
)


@pytest.mark.parametrize(("told", "why"), params(OPEN))
def test_where_the_scheduler_had_a_choice_nothing_is_determined(told: Story, why: str) -> None:
    found = undetermined(told.seen)
    assert why in found
    assert bool(why) == bool(found)


ENDS = [*RESTLESS, *OPEN]
