"""Who of several replicas leads, by the writes of the Lease that the API server accepted."""

from __future__ import annotations

from dataclasses import dataclass

from batchproof.ground.resources import EVENTS, LEASES
from batchproof.judgement.observed import Write

SLACK_S = 0.5
"""How much later than the Lease runs out a write may arrive that was sent before, in seconds.

And how much earlier, as it is seen here, another may find that it has run out.
"""


@dataclass(frozen=True, slots=True)
class LeaderTerm:
    """An accepted write of the Lease: from then on it is this replica's, or free.

    Attributes:
        record: the number of the reply.
        at_s: when it was accepted.
        leader: the instance that has it; 0: it was given up.
        duration_s: how long it counts from then.
    """

    record: int
    at_s: float
    leader: int
    duration_s: float

    def held_by(self, instance: int, at_s: float) -> bool:
        """Whether the Lease is that instance's at a time, if it was not written since."""
        return instance == self.leader and at_s <= self.at_s + self.duration_s


class Leading:
    """A fold of all writes: who had the Lease when, and who wrote without it.

    Attributes:
        term: the newest; None before the first.
        leaders: the instances that have led, in order, each once.
        given_up: the newest by which the Lease became free.
        renewed: the newest term of each instance that has led.
        strays: the writes of replicas that did not hold the Lease, and those by which one took it from
            another for which it still counted; events are left out, since they only report.
    """

    def __init__(self) -> None:
        self.term: LeaderTerm | None = None
        self.leaders: list[int] = []
        self.given_up: LeaderTerm | None = None
        self.renewed: dict[int, LeaderTerm] = {}
        self.strays: list[Write] = []

    def take(self, kind: str, write: Write) -> None:
        """Take in that a write is asked, or answered."""
        request = write.request
        if request.resource == LEASES:
            if kind == "answered" and write.applied:
                self._written(write)
        elif kind == "asked" and request.resource != EVENTS and self._stray(write):
            self.strays.append(write)

    def _stray(self, write: Write) -> bool:
        instance, at_s = write.request.instance, write.at_s - SLACK_S
        return self.term is not None and not self.term.held_by(instance, at_s)

    def _taken_away(self, write: Write) -> bool:
        """The Lease still counts for another; it was not given up."""
        had = self.term
        if had is None or had.leader in {0, write.request.instance}:
            return False
        return had.held_by(had.leader, write.at_s + SLACK_S)

    def _written(self, write: Write) -> None:
        """By what is stored: a patch says only what it changes."""
        stored = write.reply.body if write.reply else None
        spec = (stored or {}).get("spec") or {}
        leader = write.request.instance if spec.get("holderIdentity") else 0
        duration_s = float(spec.get("leaseDurationSeconds") or 0)
        if leader and self._taken_away(write):
            self.strays.append(write)
        self.term = LeaderTerm(write.reply_number, write.replied_at_s, leader, duration_s)
        if not leader:
            self.given_up = self.term
        else:
            self.renewed[leader] = self.term
            if leader not in self.leaders:
                self.leaders.append(leader)
