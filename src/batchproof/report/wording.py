"""How reports word durations, times and links."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from urllib.parse import quote

from batchproof.judgement.values import counted as count

__all__ = [
    "count",
    "duration",
    "errored_because",
    "joined",
    "named",
    "relative_link",
    "retried",
    "short",
    "utc",
    "web_link",
]

_SECONDS_A_MINUTE = 60
_OF_SCENARIO = re.compile(r"\bbp-[0-9a-f]{6}-[a-z0-9]+-(?:\d+-)?")


def duration(seconds: float | None) -> str:
    """A duration for people: ``0.12 s``, ``31.2 s``, ``2 min 5 s``; empty if there is none."""
    if seconds is None:
        return ""
    if seconds < _SECONDS_A_MINUTE:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"  # noqa: PLR2004 - three digits
    minutes, rest = divmod(round(seconds), _SECONDS_A_MINUTE)
    return f"{minutes} min {rest} s"


def utc(time: str) -> str:
    """A time of day for people, in UTC to the second."""
    return datetime.fromisoformat(time).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def retried(number: int) -> str:
    """How many scenarios could not be judged the first time: ``2 scenarios were retried``."""
    return f"{count(number, 'scenario')} {'was' if number == 1 else 'were'} retried"


def named(names: tuple[str, ...] | list[str], most: int = 3) -> str:
    """``A``, ``A and B``, ``A, B and C``, or ``A, B, C and 4 more``."""
    return joined([*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])])


def joined(words: list[str]) -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def short(text: str) -> str:
    """A text with names of nodes and queues without what all those of a scenario begin with."""
    return _OF_SCENARIO.sub("", text)


def relative_link(path: str) -> str:
    """A path below the report as link: in file names stand signs that mean something in a URL."""
    return quote(path)


def web_link(text: str) -> str | None:
    """The text if it is an address that a reader may follow, else None: never ``javascript:``."""
    return text if text.startswith(("https://", "http://")) else None


def errored_because(reason: str, error: str | None) -> list[str]:
    """Why something errored, in few lines: what was said first, and the last line of a longer tale."""
    last = (error or "").strip().rpartition("\n")[2]
    if reason in last:
        return [last or "no reason given"]
    return [reason, last] if last else [reason]
