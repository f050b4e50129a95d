"""The moments that decide, each with a label, and a ring on the lanes of what it is about.

A finding may mark no record: it was true of all that had been recorded when the window of its claim was over,
or the record that decides is of a kind that a timeline leaves out. Its mark is the end of the window then, or
the last moment that the timeline has.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.judgement.finding import Moment
from batchproof.judgement.timeline import NOT_SO, WAITED
from batchproof.report.records import UnmetClaim
from batchproof.report.timeline_picture.model import Lane, PictureMark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CLAUSE = re.compile(r"\+[\d.]+ s: (?P<clause>.+?)(?: when | while |, |; |\. |\.$)")
"""What happened, of a sentence that says what was so then, too."""


def deciding(
    unmet: Sequence[UnmetClaim], ends: Mapping[int, Moment], said: Sequence[str] = ()
) -> dict[Moment, PictureMark]:
    """The moments that decide, each with its mark.

    Args:
        unmet: what a history breaks.
        ends: when the window of each claim was over that is broken, by its place in ``unmet``.
        said: what is said of each in one sentence, if anything is.
    """
    marks: dict[Moment, PictureMark] = {}
    for place, one in enumerate(unmet):
        clause = _CLAUSE.match(said[place]) if said else None
        words = clause["clause"] if clause else ""
        end = [ends[place]] if place in ends else [*one.timeline[-1:]]
        for moment in [moment for moment in one.timeline if moment.here] or end:
            marks.setdefault(moment, _mark(moment, words))
            words = words if moment.subject == WAITED else ""
    return marks


def ringed(lane: Lane, marks: Mapping[Moment, PictureMark]) -> Lane:
    """A lane with a ring wherever something decides that it is about."""
    numbers = {*(it.record for it in lane.spans + lane.under), *(it.record for it in lane.marks)} - {None}
    subjects = lane.subjects or {lane.name}
    rings = (
        replace(mark, kind="decisive")
        for moment, mark in marks.items()
        if moment.record in numbers or (moment.subject in subjects and _is_there(lane, moment.at_s))
    )
    return replace(lane, marks=(*lane.marks, *rings))


def _is_there(lane: Lane, at_s: float) -> bool:
    """Whether what a lane is about was there at a time: one of its name may have been there before."""
    return not lane.spans or lane.spans[0].begin_s <= at_s <= lane.spans[-1].end_s


def _mark(moment: Moment, words: str) -> PictureMark:
    told = f"{moment.subject} {moment.what}"
    if moment.subject == WAITED and moment.what.startswith(NOT_SO):
        title, label = f"waited in vain: {moment.what}", "not so in time"
    elif moment.subject == WAITED:
        title, label = f"this decides: {moment.what}", "not so"
    elif moment.here:
        title, label = f"this decides: {told}", words or told
    else:
        title, label = f"this decides: all up to {told}", "not so up to here"
    return PictureMark(moment.at_s, "broken", title, moment.record, label)
