"""A Lease, and which replica may take it: one file, for there is one policy.

Source: the API reference of coordination.k8s.io/v1 Lease; https://kubernetes.io/docs/concepts/architecture/leases/.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference_controller.objects.resources import Resource

LEASES = Resource("coordination.k8s.io", "v1", "leases")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a replica knows of the election.

    Attributes:
        duration_s: how long a Lease counts that is not renewed, in whole seconds.
        renew_deadline_s: after how long without renewal its holder gives up by itself.
        retry_s: how long there is between two looks at the Lease.
    """

    duration_s: int = 15
    renew_deadline_s: float = 10.0
    retry_s: float = 2.0

    @property
    def safe(self) -> bool:
        """A holder gives up before another may take over, and has more than one try before that."""
        return self.duration_s > self.renew_deadline_s > self.retry_s > 0


@dataclass(frozen=True, slots=True)
class Lease:
    """A Lease as it is stored.

    Attributes:
        version: its resourceVersion; "" for one that is not stored yet.
        holder: the replica that has it; "" if none has.
        duration_s: how long it counts from each renewal.
        acquired_at: when its holder got it, in seconds since the epoch.
        renewed_at: when its holder renewed it last.
        transitions: how often it went from one to another.
    """

    namespace: str
    name: str
    version: str = ""
    holder: str = ""
    duration_s: int = 0
    acquired_at: float = 0.0
    renewed_at: float = 0.0
    transitions: int = 0


def may_take(lease: Lease, me: str, unchanged_s: float) -> bool:
    """ROB-001: a Lease is not taken from a replica that renews it.

    ROB-002: a Lease that is not renewed is acquired once its duration is over. That is measured by the own
    steady clock, from when the Lease was first observed so: the calendar of another machine may be wrong.
    """
    return lease.holder in {"", me} or unchanged_s >= lease.duration_s


def taken(lease: Lease, me: str, terms: Terms, now: float) -> Lease:
    """The Lease as `me` takes or renews it."""
    mine = replace(lease, holder=me, duration_s=terms.duration_s, renewed_at=now)
    if lease.holder == me:
        return mine
    return replace(mine, acquired_at=now, transitions=lease.transitions + (1 if lease.version else 0))


def given_up(lease: Lease, now: float) -> Lease:
    """ROB-003: the Lease of a replica that ends in good order: any other may take it immediately."""
    return replace(lease, holder="", duration_s=1, renewed_at=now)


def may_work(unrenewed_s: float, terms: Terms) -> bool:
    """ROB-004: a replica that could not renew its Lease in time works no more, even if no other has it yet.

    ROB-005: nor does a replica that was asleep for so long: it may be another's by now.
    """
    return unrenewed_s < terms.renew_deadline_s
