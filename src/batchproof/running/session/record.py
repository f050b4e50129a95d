"""The record of a scenario: its verdict and all that explains it, as it goes into the results stream."""

from __future__ import annotations

import hashlib
import traceback
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest

from batchproof.errors import HarnessError, UserError
from batchproof.judgement.finding import Inconclusive, Unmet
from batchproof.judgement.verdict import Verdict

if TYPE_CHECKING:
    from batchproof.descriptor.implementation import Deviation

HISTORIES = "histories"
"""The folder of the histories within the output folder."""
LOGS = "logs"
"""The folder, within the output folder, of what the implementation has printed."""

RECORD = "batchproof_record"
"""The attribute of a pytest report that carries the record, as JSON, from a worker to the one who writes."""


def history_path(nodeid: str) -> PurePosixPath:
    """Where the history of a scenario is kept, relative to the output folder."""
    name = "".join(letter if letter.isalnum() else "-" for letter in nodeid.partition("::")[2])[:80]
    digest = hashlib.sha256(nodeid.encode()).hexdigest()[:8]
    return PurePosixPath(HISTORIES, f"{name.strip('-')}-{digest}.jsonl")


def verdict_of(error: BaseException | None) -> tuple[Verdict, str]:
    """The verdict that an exception (or none) means, with the reason."""
    match error:
        case None:
            return Verdict.PASSED, ""
        case Unmet():
            return Verdict.FAILED, ""
        case Inconclusive():
            return Verdict.INCONCLUSIVE, str(error)
        case pytest.skip.Exception():
            return Verdict.SKIPPED, str(error)
        case _:
            return Verdict.ERRORED, str(error).partition("\n")[0]


def told(error: BaseException) -> str:
    """An error for whoever has to mend it: our own trouble in words, anything else with its trace."""
    if isinstance(error, HarnessError | UserError):
        return str(error)
    return "".join(traceback.format_exception(error)[-6:])


def waiver_told(deviation: Deviation) -> dict[str, Any]:
    """A deviation as the results carry it."""
    return {**asdict(deviation), "expires": deviation.expires.isoformat()}


def now() -> str:
    """This moment, as all times of day in the results."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
