"""Invariants of Job controllers: the status that they write is valid, and is written where it changes."""

from __future__ import annotations

from collections import Counter

from batchproof.ground.resources import JOBS
from batchproof.judgement.finding import Finding
from batchproof.judgement.history import Json
from batchproof.judgement.invariants.processes import goes_on_until_killed
from batchproof.judgement.invariants.rule import about_histories, against
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, said, stated
from batchproof.profiles.shared.objects.batch import Job

_IDLE = 10
"""Up to this many writes that change nothing may happen by a race."""


@about_histories("BAS-073")
def valid_status(seen: Observed) -> Finding | None:
    """BAS-073: no status is written that the API server refuses as invalid."""
    for write in seen.writes_to(JOBS, subresource="status"):
        reply = write.reply
        if reply is not None and write.invalid:
            why = reply.body.get("message", "") if isinstance(reply.body, dict) else ""
            return against(
                write.reply_number,
                expected="no status write is refused as invalid",
                observed=said("refused: {message}", message=why),
            )
    return None


@about_histories("ROB-028")
def no_idle_writes(seen: Observed) -> Finding | None:
    """ROB-028: a status is not written again and again as it is stored."""
    written = [write for write in seen.writes_to(JOBS, subresource="status") if write.applied]
    last = {write.request.name: write.number for write in written}
    for job, writes in Counter(write.request.name for write in written).items():
        changes = seen.versions_of(Job, job).fold(_StatusChanges).count
        if writes - changes > _IDLE:
            return against(
                last[job],
                expected="a status is written where it changes",
                observed=stated(
                    f"{counted(writes, 'status write')} of Job {job}, {counted(changes, 'change')}",
                    {"writes": writes, "changes": changes, "job": job},
                ),
            )
    return None


class _StatusChanges:
    """How often the status of a Job became another; what others change of its spec is no write of it."""

    def __init__(self) -> None:
        self.count = 0
        self._last: Json = {}

    def take(self, kind: str, job: Job) -> None:
        self.count += kind == "MODIFIED" and job.status != self._last
        self._last = job.status


about_histories("ROB-038")(goes_on_until_killed)
