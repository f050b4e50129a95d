"""Deviations of a certified run: bounded when it was recorded, and looked at again on the day of reading."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from batchproof.attestation.judging import JudgedAgain
from batchproof.attestation.refusal import Invalid
from batchproof.attestation.times import moment
from batchproof.descriptor.deviations import LONGEST, covers_anything
from batchproof.report.records import Waiver

if TYPE_CHECKING:
    from datetime import datetime


def see_deviations(judged: JudgedAgain) -> None:
    """See that each deviation of a run was one that a descriptor may have on that day.

    Raises:
        Invalid: one was not.
    """
    header = judged.results.header
    started = moment(header.started).date()
    for one in header.implementation.deviations:
        ends = _end(one)
        if ends < started:
            raise Invalid(f"the deviation of {one.requirement} had expired on {one.expires}, before the run")
        if ends - started > LONGEST:
            raise Invalid(f"the deviation of {one.requirement} lasts until {one.expires}, longer than a year")
        if not one.values or any(map(covers_anything, one.values)):
            raise Invalid(f"the deviation of {one.requirement} covers anything that is observed")


def expired(judged: JudgedAgain, now: datetime) -> str:
    """The requirement of a deviation that has expired since the run looked for it; empty if none has."""
    today = now.date()
    ended = (use.waiver for use in judged.outcome.deviations if _end(use.waiver) < today)
    return next((one.requirement for one in ended), "")


def _end(waiver: Waiver) -> date:
    try:
        return date.fromisoformat(waiver.expires)
    except ValueError as error:
        raise Invalid(f"the deviation of {waiver.requirement} has no date of expiry") from error
