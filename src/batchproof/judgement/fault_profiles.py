"""Fault profiles: what goes wrong again and again while a scenario is played, whatever its steps say.

They are data. Each is counted, so that it strikes the same requests of the same play; each ends after a
while, so that the play can come to its end; and each is only what a correct API server, network or node may
do: so the end that the Jobs come to is the one that they come to without it. At most five requests in a row
fail: who doubles its delay each time waits 16 s then, and not for minutes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from batchproof.judgement.faults import (
    Crash,
    EndWatches,
    Fault,
    LoseReply,
    Meddle,
    On,
    answer,
)
from batchproof.resources import EVENTS, JOBS, PODS, Resource

_WRITES = On(ignoring=frozenset({EVENTS}))
"""Every write but that of an event: those are written at odd times and would spoil the count."""
_STATUS_WRITES = On(JOBS, frozenset({"update", "patch"}), "status")


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
        lingers: the implementation is started anew for the next play, for it waits longer and longer after
            what it has met, and would see that one late.
        patience: by how much longer each thing is waited for than without faults.
    """

    name: str
    what: str
    legal: str
    requirement: str
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
    """The fault, which strikes the write of that number first and each ``every``-th after it.

    Counted are only writes that no fault before it in the profile strikes.
    """
    return replace(fault, skip=first - fault.every)


PROFILES: tuple[FaultProfile, ...] = (
    FaultProfile(
        name="slow-watch",
        what="each event of every watch comes 0.7 s late, in order",
        legal="a watch says nothing of how soon it shows a change (Kubernetes documentation, API concepts, "
        "Efficient detection of changes)",
        requirement="ROB-014",
        late_s=((PODS, 0.7), (JOBS, 0.7)),
        patience=2.0,
    ),
    FaultProfile(
        name="order",
        what="pods are seen 1 s late, Jobs at once",
        legal="there is no order between the watches of two resources; each is in order itself (Kubernetes "
        "documentation, API concepts, Resource versions)",
        requirement="ROB-013",
        late_s=((PODS, 1.0),),
        patience=2.0,
    ),
    FaultProfile(
        name="closed-watches",
        what="the server ends all watches at writes 1 and 5, and with 410 Gone at writes 3 and 7",
        legal="a server ends watches as it likes, and forgets old versions (Kubernetes documentation, "
        "API concepts, 410 Gone responses)",
        requirement="ROB-009",
        faults=(
            _from(1, Fault("all watches end", _WRITES, EndWatches(gone=False), every=4, times=2)),
            _from(2, Fault("all watches end with 410", _WRITES, EndWatches(gone=True), every=3, times=2)),
        ),
        lingers=True,
    ),
    FaultProfile(
        name="conflicts",
        what="just before status writes 1, 3, 5, 7 and 9 another client changes the Job",
        legal="an update with an old resourceVersion is answered with 409 (Kubernetes API conventions, "
        "Concurrency control and consistency)",
        requirement="ROB-017",
        faults=(
            _from(1, Fault("another client changes the Job", _STATUS_WRITES, Meddle(), every=2, times=5)),
        ),
    ),
    FaultProfile(
        name="errors",
        what="writes 1, 4 and 7 are refused with 500, 3 and 8 with 503, without effect",
        legal="a server may fail before it has done anything (Kubernetes API conventions, HTTP status codes)",
        requirement="ROB-018",
        faults=(
            _from(1, Fault("answered with 500", _WRITES, answer(500), every=3, times=3)),
            _from(2, Fault("answered with 503", _WRITES, answer(503), every=3, times=2)),
        ),
    ),
    FaultProfile(
        name="lost-replies",
        what="writes 1, 4, 7, 10 and 13 are carried out, and their replies are lost",
        legal="a connection may break between the effect and the reply (Kubernetes API conventions, HTTP "
        "status codes: 504, the request may or may not have been carried out)",
        requirement="ROB-022",
        faults=(_from(1, Fault("carried out, the reply lost", _WRITES, LoseReply(), every=3, times=5)),),
    ),
    FaultProfile(
        name="rate-limits",
        what="writes 1, 4, 7 and 10 are refused with 429 and Retry-After 1",
        legal="a server that has too much to do puts requests off (Kubernetes API conventions, HTTP status "
        "codes; Kubernetes documentation, API priority and fairness)",
        requirement="ROB-039",
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
    ),
    FaultProfile(
        name="crashes",
        what="killed just after writes 1, 6 and 11, just before 4, 9 and 14, and started again at once",
        legal="a process may end at any moment, and is started again (Kubernetes documentation, Controllers)",
        requirement="ROB-006",
        faults=(
            _from(1, Fault("killed just after", _WRITES, Crash(after_effect=True), every=5, times=3)),
            _from(3, Fault("killed just before", _WRITES, Crash(after_effect=False), every=4, times=3)),
        ),
        revives=True,
    ),
)

BY_NAME = {one.name: one for one in PROFILES}
