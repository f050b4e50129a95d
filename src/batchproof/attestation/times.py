"""Dates of a certificate."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from batchproof.attestation.refusal import Invalid

SKEW: Final = timedelta(minutes=5)
"""How far two clocks may differ."""
LONGEST: Final = timedelta(days=366)
"""How long a certificate may last: 12 months."""


def moment(text: str) -> datetime:
    """A time of RFC 3339.

    Raises:
        Invalid: the text is none, or has no time zone.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise Invalid(f"{text!r} is not a time as RFC 3339 writes it") from error
    if found.tzinfo is None:
        raise Invalid(f"{text!r} has no time zone")
    return found.astimezone(UTC)


def written(when: datetime) -> str:
    """A moment as RFC 3339 writes it, to the second."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
