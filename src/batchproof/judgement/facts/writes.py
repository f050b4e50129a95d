"""Facts about what an implementation asks of the API server: how many writes, in which order, how often."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import EXITED
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed, Write

_PAUSE_S = 0.5  # creations with a shorter time between them belong to one attempt
_EARLY, _LATE, _LATE_S = 0.8, 1.5, 1.0  # how far a delay may be from its due length: factors, and seconds


def _creations(seen: Observed) -> list[Write]:
    return seen.writes_to(PODS, "create")


def _batches(creations: list[Write]) -> list[list[Write]]:
    """Creations by batch: one begins when every creation before it has been answered."""
    batches: list[list[Write]] = []
    for write in creations:
        open_ = batches and any(
            before.reply is None or before.reply_number > write.number for before in batches[-1]
        )
        if open_:
            batches[-1].append(write)
        else:
            batches.append([write])
    return batches


@fact("pods are created in batches of {sizes:numbers}, one after another")
def creation_batches(seen: Observed, *, sizes: list[int]) -> Finding:
    """So many creations were under way at once, batch after batch, since the scenario began."""
    batches = _batches(_creations(seen))
    told = [len(batch) for batch in batches]
    return found(
        told == sizes,
        expected=f"batches of {sizes}",
        observed=f"batches of {told}",
        decisive=[batch[0].number for batch in batches],
    )


@fact(
    "no more than {most:d} [pod was|pods were] asked for within {seconds:seconds} [second|seconds] "
    "of the first failure",
    within="now",
)
def creations_pause(seen: Observed, *, most: int, seconds: float) -> Finding:
    """After one creation failed no other was begun, but for ``most`` in all that were begun with it."""
    creations = _creations(seen)
    failed = next((w for w in creations if w.replied_at_s is not None and not w.applied), None)
    if failed is None or failed.replied_at_s is None:
        return found(
            holds=False, expected="a pod creation that fails", observed=f"{len(creations)} creations"
        )
    tried = [write for write in creations if write.at_s < failed.replied_at_s + seconds]
    return found(
        len(tried) <= most,
        expected=f"at most {most} creations by then",
        observed=f"{len(tried)} creations",
        decisive=[failed.number, *(write.number for write in tried[most : most + 1])],
    )


def _attempts(seen: Observed) -> list[Write]:
    """The first creation of each attempt."""
    first: list[Write] = []
    last_s = float("-inf")
    for write in _creations(seen):
        if write.at_s - last_s > _PAUSE_S:
            first.append(write)
        last_s = write.at_s
    return first


def _gaps(attempts: list[Write]) -> list[float]:
    return [round(b.at_s - a.at_s, 2) for a, b in pairwise(attempts)]


@fact("pod creation is tried {attempts:d} times with delays that double from 1 second", within="settle")
def creation_delays_double(seen: Observed, *, attempts: int) -> Finding:
    """The delays between attempts are 1 s, 2 s, 4 s, 8 s and so on, with some tolerance to both sides."""
    tried = _attempts(seen)
    gaps = _gaps(tried)
    due = all(_EARLY * 2**n <= gap <= _LATE * 2**n + _LATE_S for n, gap in enumerate(gaps))
    return found(
        len(tried) >= attempts and due,
        expected=f"delays of {[2**n for n in range(attempts - 1)]} s",
        observed=f"delays of {gaps} s",
        decisive=[write.number for write in tried],
    )


@fact("every status write of {job:job} named the version that it was computed from", within="now")
def status_writes_versioned(seen: Observed, *, job: str) -> Finding:
    """Each write of the status carries a resourceVersion; bodies that are not JSON are not judged."""
    writes = [w for w in seen.writes_to(JOBS, subresource="status") if w.request.name == job]
    bare = [
        write
        for write in writes
        if isinstance(write.request.body, dict)
        and not (write.request.body.get("metadata") or {}).get("resourceVersion")
    ]
    return found(
        writes and not bare,
        expected="status writes with a resourceVersion",
        observed=f"{len(bare)} of {len(writes)} without",
        decisive=[write.number for write in bare[:1]],
    )


@fact("the fault has struck", beside=("times",))
def faults_struck(seen: Observed, *, times: int = 1) -> Finding:
    """The faults in force have struck so often, taken together."""
    struck = sum(seen.faults.values())
    return found(struck >= times, expected=f"{times} requests struck", observed=f"{struck} requests struck")


@fact("the implementation runs", within="settle")
def implementation_runs(seen: Observed) -> Finding:
    """What was killed last was started again, and is ready; nothing has ended by itself since."""
    changes = [change for _, change in seen.processes]
    ends = ("killed", EXITED)
    ended = max((n for n, change in enumerate(changes) if change.what.startswith(ends)), default=-1)
    ready = max((n for n, change in enumerate(changes) if change.what == "ready"), default=-1)
    return found(
        ready > ended,
        expected="a process that is ready",
        observed=changes[-1].what if changes else "no process",
    )
