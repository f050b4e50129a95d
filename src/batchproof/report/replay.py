"""A recorded run judged again: verdicts are pure functions of the saved histories."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.errors import UserError
from batchproof.judgement.claims import judge
from batchproof.judgement.conclusion import AROUND, Conclusion, conclude, evaded
from batchproof.judgement.finding import FactBroke
from batchproof.judgement.history import Saved
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import Observed
from batchproof.judgement.verdict import Verdict
from batchproof.report.records import FACT_BROKE, WAIVED, covering

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from batchproof.judgement.finding import Finding
    from batchproof.judgement.history import Record
    from batchproof.report.records import Scenario, Waiver
    from batchproof.report.results import Results

UNFINISHED = "a fact broke before the scenario had come to its end: record it again"


@dataclass(frozen=True, slots=True)
class Again:
    """A scenario judged again from its history.

    Attributes:
        recorded: its record.
        conclusion: what its history comes to now; the recorded verdict where there is nothing to judge from.
        error: the fact that broke while it was judged.
        waived: a deviation covers how its requirement is broken.
        judged: the history was judged; else the scenario was skipped, or the harness had broken.
    """

    recorded: Scenario
    conclusion: Conclusion
    error: str = ""
    waived: bool = False
    judged: bool = True

    @property
    def verdict(self) -> Verdict:
        """The verdict of now."""
        return Verdict.SKIPPED if self.waived else self.conclusion.verdict

    @property
    def finding(self) -> Finding | None:
        """What is not met, if something is not."""
        stopped = self.conclusion.precondition
        return self.conclusion.unmet or (stopped.finding if stopped else None)

    @property
    def newly_broken(self) -> tuple[Finding, ...]:
        """The breaches that were not recorded."""
        recorded = {one.requirement for one in self.recorded.breaches}
        return tuple(one for one in self.conclusion.breaches if one.requirement not in recorded)

    @property
    def no_more_broken(self) -> tuple[str, ...]:
        """The requirements whose recorded breach is none any more."""
        now = {one.requirement for one in self.conclusion.breaches}
        return tuple(one.requirement for one in self.recorded.breaches if one.requirement not in now)

    @property
    def agrees(self) -> bool:
        """The verdict is the one that was recorded, and so are the breaches."""
        same = self.verdict == self.recorded.verdict
        return same and not (self.judged and (self.newly_broken or self.no_more_broken))


def replay(results: Results, folder: Path) -> list[Again]:
    """Judge every scenario of a run again, but for those that were skipped or met trouble of the harness.

    Raises:
        UserError: a history is missing or damaged.
    """
    header = results.header
    left_out = frozenset(header.not_in_force)
    sentences = {id_: one.sentence for id_, one in header.requirements.items() if id_ not in left_out}
    return [_again(one, folder, sentences, header.implementation.deviations) for one in results.scenarios]


def _again(
    recorded: Scenario, folder: Path, sentences: Mapping[str, str], waivers: Sequence[Waiver]
) -> Again:
    judged = (
        recorded.reason in {WAIVED, FACT_BROKE}
        or recorded.reason.startswith(AROUND)
        or recorded.verdict in {"passed", "failed", "inconclusive"}
    )
    if not judged or (recorded.history is None and recorded.verdict in {"errored", "inconclusive"}):
        return Again(recorded, Conclusion(Verdict(recorded.verdict), recorded.reason), judged=False)
    if recorded.history is None:
        raise UserError(
            f"the results name no history for {recorded.id}, which is recorded as {recorded.verdict}: "
            "a run can only be judged again with all of its histories"
        )
    path = folder / recorded.history
    if not path.is_file():
        raise UserError(f"{path} is missing: a run can only be judged again with all of its histories")
    history = Saved(path)
    try:
        conclusion = judge_history(history, recorded.requirement, sentences)
    except FactBroke as error:
        return Again(recorded, Conclusion(Verdict.ERRORED, FACT_BROKE), error=str(error))
    except UserError as error:
        blamed = str(error).startswith(str(path))
        raise (error if blamed else UserError(f"{path}:{history.line}: {error}")) from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # What a fact raises is FactBroke: here an object has not the form that the API server gives it.
        what = f"what it says cannot be judged: {type(error).__name__}: {error}"
        raise UserError(f"{path}:{history.line}: {what}") from error
    if recorded.reason == FACT_BROKE and conclusion.verdict is Verdict.PASSED:
        conclusion = replace(conclusion, verdict=Verdict.INCONCLUSIVE, reason=UNFINISHED)
    waived = conclusion.unmet and covering(waivers, recorded.title, conclusion.unmet)
    return Again(recorded, conclusion, waived=waived is not None)


def judge_history(
    records: Iterable[Record], requirement: str, sentences: Mapping[str, str] | None = None
) -> Conclusion:
    """What one scenario comes to, from its history alone.

    Args:
        records: the whole history.
        requirement: the id of the scenario's own.
        sentences: the requirements that are in force, with their sentences; None: all, without any.

    Raises:
        FactBroke: a fact or an invariant raised an exception.
    """
    seen = Observed(records)
    with _without_collection():
        judged = judge(records, sentences or {}, seen)
        return evaded(seen.around) or conclude(requirement, judged, breaches(seen, sentences), seen.unfired)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Keep the garbage collector off.

    A long history makes millions of objects that all stay: to look for cycles among them, again and again,
    would take a third of the time, and more of it the longer the history is.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
