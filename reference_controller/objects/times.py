"""Times as the API writes them, and as seconds since the epoch."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache


@lru_cache(maxsize=4096)
def seconds(text: str) -> float:
    """RFC 3339 time as seconds since the epoch."""
    return datetime.fromisoformat(text).timestamp()


def timestamp(at: float) -> str:
    """Seconds since the epoch as the API writes them: UTC, whole seconds."""
    return datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
