"""Fault profiles: what fails again and again while a scenario runs, whatever its steps say.

They are data. Each counts requests, so that it is triggered by the same ones in each run of a scenario; each
ends after a while, so that the scenario can end; and each does only what a correct API server, network or
node may do. So everything ends as it does without them. At most five requests in a row fail: an
implementation that doubles its delay after each failure then waits 16 s, not minutes.

Which resources a fault is about, and which requirement is not met if the end differs, each profile says (see
``Reach``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, Resource
from batchproof.judgement.faults import (
    ConcurrentUpdate,
    Crash,
    EndWatches,
    Fault,
    LoseReply,
    On,
    answer,
)
from batchproof.judgement.template import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_WRITES = On(ignoring=frozenset({EVENTS}))
"""Every write but that of an event: those are written at odd times and would spoil the count."""


CONFLICTS = "conflicts"
NAMES = (
    "slow-watch",
    "order",
    "closed-watches",
    CONFLICTS,
    "errors",
    "lost-replies",
    "rate-limits",
    "crashes",
)
"""The names of all fault profiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What the faults are about where an implementation of a profile is judged.

    Attributes:
        watched: the resources of which every watch event is delayed, with what people call their objects.
            Under the profile ``order`` only those of the first are.
        contended: the resource whose status another client changes just before the implementation writes it;
            None: implementations need not write a status with a resourceVersion.
        requirements: which requirement is not met if the end differs, by the name of the fault profile. Those
            that are not there are not for this profile.
    """

    watched: Mapping[Resource, str]
    contended: Resource | None = None
    requirements: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultProfile:
    """What goes wrong throughout a play.

    Attributes:
        name: as ``--faults`` has it.
        what: one sentence for people.
        legal: why a correct controller meets it, with the source.
        requirement: what is not met if the end differs from the one without faults.
        faults: of requests; all of them are parts of the profile.
        late_s: by how many seconds a resource is seen late.
        revives: the implementation is started again whenever it is killed.
        lingers: the implementation is restarted for the next play, for it waits longer and longer after
            what it has met, and would see that one late.
        patience: by how much longer each thing is waited for than without faults.
    """

    name: str
    what: str
    legal: str
    requirement: str = ""
    faults: tuple[Fault, ...] = ()
    late_s: tuple[tuple[Resource, float], ...] = ()
    revives: bool = False
    lingers: bool = False
    patience: float = 3.0

    @property
    def parts(self) -> tuple[Fault, ...]:
        """The faults of requests, each saying which profile it belongs to."""
        return tuple(replace(fault, of=self.name) for fault in self.faults)


def _from(first: int, fault: Fault) -> Fault:
    """The fault, which the write of that number triggers first and each ``every``-th after it.

    Counted are only writes that trigger no fault before it in the profile.
    """
    return replace(fault, skip=first - fault.every)


def _all(reach: Reach) -> Iterator[FaultProfile]:
    """All fault profiles that there are; those that are about no resource are left out."""
    first, *others = reach.watched
    yield FaultProfile(
        name="slow-watch",
        what="each event of every watch comes 0.7 s late, in order",
        legal="a watch says nothing of how soon it shows a change (Kubernetes documentation, API concepts, "
        "Efficient detection of changes)",
        late_s=tuple((resource, 0.7) for resource in reach.watched),
        patience=2.0,
    )
    if others:
        names = listed([reach.watched[resource] for resource in others])
        yield FaultProfile(
            name="order",
            what=f"{reach.watched[first]} are seen 1 s late, {names} at once",
            legal="there is no order between the watches of two resources; each is in order itself "
            "(Kubernetes documentation, API concepts, Resource versions)",
            late_s=((first, 1.0),),
            patience=2.0,
        )
    yield from _of_watches()
    if reach.contended:
        yield _conflicts(reach.contended, reach.watched[reach.contended].removesuffix("s"))
    yield from _of_writes()


def _of_watches() -> Iterator[FaultProfile]:
    yield FaultProfile(
        name="closed-watches",
        what="the server ends all watches at writes 1 and 5, and with 410 Gone at writes 3 and 7",
        legal="a server ends watches as it likes, and forgets old versions (Kubernetes documentation, "
        "API concepts, 410 Gone responses)",
        faults=(
            _from(1, Fault("all watches end", _WRITES, EndWatches(gone=False), every=4, times=2)),
            _from(2, Fault("all watches end with 410", _WRITES, EndWatches(gone=True), every=3, times=2)),
        ),
        lingers=True,
    )


def _conflicts(resource: Resource, what: str) -> FaultProfile:
    writes = On(resource, frozenset({"update", "patch"}), "status")
    return FaultProfile(
        name=CONFLICTS,
        what=f"just before status writes 1, 3, 5, 7 and 9 another client changes the {what}",
        legal="an update with an old resourceVersion is answered with 409 (Kubernetes API conventions, "
        "Concurrency control and consistency)",
        faults=(
            _from(
                1, Fault(f"another client changes the {what}", writes, ConcurrentUpdate(), every=2, times=5)
            ),
        ),
    )


def _of_writes() -> Iterator[FaultProfile]:
    yield FaultProfile(
        name="errors",
        what="writes 1, 4 and 7 are refused with 500, 3 and 8 with 503, without effect",
        legal="a server may fail before it has done anything (Kubernetes API conventions, HTTP status codes)",
        faults=(
            _from(1, Fault("answered with 500", _WRITES, answer(500), every=3, times=3)),
            _from(2, Fault("answered with 503", _WRITES, answer(503), every=3, times=2)),
        ),
    )
    yield FaultProfile(
        name="lost-replies",
        what="writes 1, 4, 7, 10 and 13 are carried out, and their replies are lost",
        legal="a connection may break between the effect and the reply (Kubernetes API conventions, HTTP "
        "status codes: 504, the request may or may not have been carried out)",
        faults=(_from(1, Fault("applied, the reply lost", _WRITES, LoseReply(), every=3, times=5)),),
    )
    yield FaultProfile(
        name="rate-limits",
        what="writes 1, 4, 7 and 10 are refused with 429 and Retry-After 1",
        legal="a server that has too much to do puts requests off (Kubernetes API conventions, HTTP status "
        "codes; Kubernetes documentation, API priority and fairness)",
        faults=(
            _from(
                1,
                Fault(
                    "answered with 429 and Retry-After 1",
                    _WRITES,
                    answer(429, retry_after_s=1),
                    every=3,
                    times=4,
                ),
            ),
        ),
    )
    yield FaultProfile(
        name="crashes",
        what="killed just after writes 1, 6 and 11, just before 4, 9 and 14, and started again at once",
        legal="a process may end at any moment, and is started again (Kubernetes documentation, Controllers)",
        faults=(
            _from(1, Fault("killed just after", _WRITES, Crash(after_effect=True), every=5, times=3)),
            _from(3, Fault("killed just before", _WRITES, Crash(after_effect=False), every=4, times=3)),
        ),
        revives=True,
    )


def fault_profiles(reach: Reach) -> tuple[FaultProfile, ...]:
    """The fault profiles under which the scenarios of a profile are run.

    Raises:
        ValueError: a requirement is named for a fault profile that there is not.
    """
    found = tuple(_all(reach))
    if unknown := reach.requirements.keys() - {one.name for one in found}:
        raise ValueError(f"there is no fault profile {min(unknown)!r} for it")
    needed = reach.requirements
    return tuple(replace(one, requirement=needed[one.name]) for one in found if one.name in needed)
