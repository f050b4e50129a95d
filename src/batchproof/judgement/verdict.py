"""What a judgement says of a scenario."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The outcome of a scenario; see the table of words in docs/how-to/read-a-report.md."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    ERRORED = "errored"
    SKIPPED = "skipped"
