"""The timeline of a history as lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import TRACKING_FINALIZER
from batchproof.judgement.history import HistoryHeader, Record, Request
from batchproof.judgement.timeline import WAITED, accused
from batchproof.report.records import UnmetClaim
from batchproof.report.timeline_picture.calls import Calls
from batchproof.report.timeline_picture.model import Picture, PictureMark
from batchproof.report.timeline_picture.more import Taker, further
from batchproof.report.timeline_picture.objects import Objects
from batchproof.report.timeline_picture.staging import Claims, Processes, StagedFaults, Steps
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_SHADES = 8


def picture(records: Sequence[Record], unmet: Sequence[UnmetClaim] = ()) -> Picture:
    """The picture of a history.

    Args:
        records: the whole history.
        unmet: what it breaks: the moments that decide are marked, and what they are about is always shown.
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
    if hidden := len(shades[_MOST_SHADES:]):
        folded.append(f"{count(hidden, 'more fault')} left out of the picture")
    if calls.left_out:
        folded.append(f"{count(calls.left_out, 'request')} about events and leases left out of the picture")
    return Picture(
        end_s,
        lanes=(
            *claims.lanes(end_s),
            *steps.lanes(),
            *processes.lanes(end_s),
            *calls.lanes(end_s),
            *(lane for lane in things if lane.kind == "object"),
            *(lane for lanes, _ in more for lane in lanes),
            *(lane for lane in things if lane.kind != "object"),
        ),
        shades=shades[:_MOST_SHADES],
        flags=tuple(steps.flags),
        here=tuple(
            dict.fromkeys(
                PictureMark(
                    moment.at_s,
                    "broken",
                    _here(moment.subject, moment.what),
                    moment.record,
                    "not so in time" if moment.subject == WAITED else f"{moment.subject} {moment.what}",
                )
                for moment in moments
                if moment.here
            )
        ),
        folded=(*folded, *(words for _, left_out in more for words in left_out)),
    )


def _here(subject: str, what: str) -> str:
    return f"waited in vain: {what}" if subject == WAITED else f"this decides: {subject} {what}"
