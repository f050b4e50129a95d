"""Times as the API writes them, and as seconds since the epoch."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

_UNITS_S = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


@lru_cache(maxsize=4096)
def seconds(text: str) -> float:
    """RFC 3339 time as seconds since the epoch."""
    return datetime.fromisoformat(text).timestamp()


def timestamp(at: float) -> str:
    """Seconds since the epoch as the API writes them: UTC, whole seconds."""
    return datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def duration_s(text: str) -> float:
    """A duration as the API writes it, such as 1m30s, in seconds."""
    return sum(
        float(number) * _UNITS_S[unit] for number, unit in re.findall(r"([\d.]+)(h|ms|m|s|us|ns)", text)
    )
