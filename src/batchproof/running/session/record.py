"""The record of a scenario: its verdict and all that explains it, as it goes into the results stream."""

from __future__ import annotations

import hashlib
import traceback
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from batchproof.errors import HarnessError, UserError
from batchproof.judgement.conclusion import Conclusion
from batchproof.judgement.finding import FactBroke, Inconclusive, Unmet
from batchproof.judgement.verdict import Verdict
from batchproof.report.records import (
    FACT_BROKE,
    WAIVED,
    Breach,
    Precondition,
    UnmetClaim,
    Waiver,
    argument,
    covering,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from batchproof.descriptor.implementation import Deviation

HISTORIES = "histories"
"""The folder of the histories within the output folder."""
LOGS = "logs"
"""The folder, within the output folder, of what the implementation has printed."""
PLANTED = "planted"
"""The folder, within that of the run, of the reference controllers with planted defects."""
CAUGHT = "caught"
"""The folder, within that of the run, of marks for what is caught; and why the rest is skipped."""

RECORD = "batchproof_record"
"""The attribute of a pytest report that carries the record, as JSON, from a worker to the one who writes."""


def history_path(nodeid: str, *, second: bool = False) -> PurePosixPath:
    """Where the history of a scenario is kept, relative to the output folder: one for each play of it."""
    name = "".join(letter if letter.isalnum() else "-" for letter in nodeid.partition("::")[2])[:80]
    digest = hashlib.sha256(nodeid.encode()).hexdigest()[:8]
    return PurePosixPath(HISTORIES, f"{name.strip('-')}-{digest}{'-second' if second else ''}.jsonl")


def outcome_of(
    error: BaseException | None, conclusion: Conclusion | None, title: str, waivers: Iterable[Waiver]
) -> dict[str, Any]:
    """What became of a scenario, as fields of its record.

    Args:
        error: what ended it.
        conclusion: what its history was found to come to; only trouble of our own says more.
        title: its title with the values of the example.
        waivers: the deviations in force.
    """
    verdict, reason = verdict_of(error)
    if verdict in {Verdict.ERRORED, Verdict.SKIPPED} or conclusion is None:
        conclusion = Conclusion(verdict, reason)
    unmet, precondition = conclusion.unmet, conclusion.precondition
    waiver = covering(waivers, title, unmet) if unmet else None
    return {
        "verdict": (Verdict.SKIPPED if waiver else conclusion.verdict).value,
        "reason": WAIVED if waiver else conclusion.reason,
        "waived": waiver,
        "unmet": UnmetClaim.of(unmet) if unmet else None,
        "precondition": Precondition.of(precondition) if precondition else None,
        "breaches": tuple(
            msgspec.structs.replace(Breach.of(breach), waived=covering(waivers, title, breach))
            for breach in conclusion.breaches
        ),
        "error": error_text(error) if verdict is Verdict.ERRORED and error else None,
    }


def verdict_of(error: BaseException | None) -> tuple[Verdict, str]:
    """The verdict that an exception (or none) means, with the reason."""
    match error:
        case None:
            return Verdict.PASSED, ""
        case Unmet():
            return Verdict.FAILED, ""
        case Inconclusive():
            return Verdict.INCONCLUSIVE, str(error)
        case FactBroke():
            return Verdict.ERRORED, FACT_BROKE
        case pytest.skip.Exception():
            return Verdict.SKIPPED, str(error)
        case _:
            return Verdict.ERRORED, str(error).partition("\n")[0]


def error_text(error: BaseException) -> str:
    """An error for whoever has to mend it: our own trouble in words, anything else with its trace."""
    if isinstance(error, HarnessError | UserError):
        return str(error)
    return "".join(traceback.format_exception(error)[-6:])


def as_waiver(deviation: Deviation) -> Waiver:
    """A deviation as the results carry it."""
    return Waiver(
        **{
            **asdict(deviation),
            "expires": deviation.expires.isoformat(),
            "arguments": tuple(argument(name, value) for name, value in deviation.arguments.items()),
        }
    )


def now() -> str:
    """This moment, as all times of day in the results."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
