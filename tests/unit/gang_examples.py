"""Stories of gangs that the tests of several facts share."""

from __future__ import annotations

from histories import Story, story

from batchproof.judgement.facts import FactCall
from batchproof.profiles.gang.facts.room import room_was_free


def gang(minimum: int = 3, *names: str, cpus: str = "4") -> Story:
    """A node, and gang a with these pods, or as many as its minimum."""
    pods = names or tuple(f"a-{number}" for number in range(1, minimum + 1))
    return story().node("n", cpus).gang("a", minimum).members(*pods)


def room(at_least: int, at_most: int | None = None, since: int = 0) -> FactCall:
    return room_was_free(gang="a", at_least=at_least, at_most=at_most, since=since)


def two_gangs() -> Story:
    return gang().gang("b", 2).members("b-1", "b-2", of="b")


def deleted() -> Story:
    """A gang of 3 with one of 3 bound, another of which somebody deletes."""
    return gang().bound("n", "a-1").deleting("pods", "a-2")
