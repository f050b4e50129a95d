"""The record of a scenario: its verdict and all that explains it, as it goes into the results stream."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from batchproof.evidence.verdicts import concluded
from batchproof.ground.errors import HarnessError, UserError
from batchproof.judgement.conclusion import Conclusion, Verdict
from batchproof.judgement.finding import FactBroke, Inconclusive, Unmet
from batchproof.report.records import FACT_BROKE, Waiver

if TYPE_CHECKING:
    from collections.abc import Sequence

LOGS = "logs"
"""The folder, within the output folder, of what the implementation has printed."""
PLANTED = "planted"
"""The folder, within that of the run, of the reference controllers with planted defects."""
CAUGHT = "caught"
"""The folder, within that of the run, of marks for what is caught; and why the rest is skipped."""

MUTANT = "batchproof_mutant"
"""The attribute of a report that has the name of the mutant that was judged."""
RECORD = "batchproof_record"
"""The attribute of a pytest report that carries the record, as JSON, from a worker to the writing process."""


def outcome_of(
    error: BaseException | None, conclusion: Conclusion | None, id_: str, waivers: Sequence[Waiver]
) -> dict[str, Any]:
    """What became of a scenario, as fields of its record.

    Args:
        error: what ended it.
        conclusion: what its history was found to come to; only trouble of our own says more.
        id_: its id.
        waivers: the deviations in force.
    """
    verdict, reason = verdict_of(error)
    if verdict in {Verdict.ERRORED, Verdict.SKIPPED} or conclusion is None:
        conclusion = Conclusion(verdict, reason)
    broke = error_text(error) if verdict is Verdict.ERRORED and error else None
    return {**concluded(conclusion, id_, waivers), "error": broke}


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
    """An error for a developer: a harness error in words, anything else with its trace."""
    if isinstance(error, HarnessError | UserError):
        return str(error)
    return "".join(traceback.format_exception(error)[-6:])


def now() -> str:
    """This moment, as all times of day in the results."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
