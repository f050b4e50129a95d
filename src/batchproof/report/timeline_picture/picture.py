"""The timeline of a history as lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import TRACKING_FINALIZER
from batchproof.judgement.history import HistoryHeader, Record, Request
from batchproof.judgement.timeline import accused
from batchproof.report.records import UnmetClaim
from batchproof.report.timeline_picture.calls import Calls
from batchproof.report.timeline_picture.deciding import deciding, ringed
from batchproof.report.timeline_picture.model import Picture
from batchproof.report.timeline_picture.more import Taker, further
from batchproof.report.timeline_picture.objects import Objects
from batchproof.report.timeline_picture.staging import Claims, Processes, StagedFaults, Steps
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_SHADES = 8


def picture(records: Sequence[Record], unmet: Sequence[UnmetClaim] = (), said: Sequence[str] = ()) -> Picture:
    """The picture of a history.

    Args:
        records: the whole history.
        unmet: what it breaks: the moments that decide are marked, and what they are about is always shown.
        said: what is said of each of these in one sentence, if anything is.
    """
    header = records[0].entry if records else None
    finalizer = header.finalizer if isinstance(header, HistoryHeader) else TRACKING_FINALIZER
    calls, steps, claims, faults = Calls(), Steps(), Claims(unmet), StagedFaults()
    processes, objects, others = Processes(), Objects(finalizer), further()
    takers: tuple[Taker, ...] = (steps, claims, faults, processes, objects, *others)
    asked: dict[int, Request] = {}
    for record in records:
        if isinstance(record.entry, Request):
            asked[record.entry.call] = record.entry
        calls.take(record, asked)
        for one in takers:
            one.take(record)
    end_s = records[-1].at_s if records else 0.0
    objects.written(calls.written)
    moments = [moment for one in unmet for moment in one.timeline]
    names = frozenset[str]().union(*(accused(one.observed) for one in unmet))
    things, folded = objects.lanes(end_s, {moment.subject for moment in moments if moment.here}, names)
    more = [each.lanes(end_s, names) for each in others]
    shades = faults.shades(end_s)
    here = deciding(unmet, claims.ends, said)
    if hidden := len(shades[_MOST_SHADES:]):
        folded.append(f"{count(hidden, 'more fault')} left out of the picture")
    if calls.left_out:
        folded.append(f"{count(calls.left_out, 'request')} about events and leases left out of the picture")
    lanes = (
        *claims.lanes(end_s),
        *steps.lanes(),
        *processes.lanes(end_s),
        *calls.lanes(end_s),
        *(lane for lane in things if lane.kind == "object"),
        *(lane for lanes, _ in more for lane in lanes),
        *(lane for lane in things if lane.kind != "object"),
    )
    return Picture(
        end_s,
        lanes=tuple(ringed(lane, here) for lane in lanes),
        shades=shades[:_MOST_SHADES],
        flags=tuple(steps.flags),
        here=tuple(dict.fromkeys(here.values())),
        folded=(*folded, *(words for _, left_out in more for words in left_out)),
    )
