"""A recorded run judged again: verdicts are pure functions of the saved histories."""

from __future__ import annotations

import gc
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.evidence.course import course
from batchproof.evidence.played import PlayedSteps, played
from batchproof.evidence.verdicts import faults
from batchproof.evidence.windows import outlasting, windows
from batchproof.ground.errors import UserError
from batchproof.judgement.claims import Judged, judge
from batchproof.judgement.conclusion import AROUND, Conclusion, Verdict, conclude, evaded
from batchproof.judgement.ends import determined, undetermined, unrest
from batchproof.judgement.finding import Excused, FactBroke, Finding, nothing_excused
from batchproof.judgement.history import Ended, HistoryHeader, Origin, Record, Saved
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import Observed
from batchproof.report.records import (
    FACT_BROKE,
    WAIVED,
    FiredFault,
    ScenarioRecord,
    Waiver,
    covering,
    excuses,
)
from batchproof.report.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

UNFINISHED = "a fact broke before the scenario had come to its end: record it again"


@dataclass(frozen=True, slots=True)
class Heard:
    """All that a history says of its scenario.

    Attributes:
        conclusion: what it comes to.
        judged: its claims with their findings, in the order in which they were closed.
        played: its steps, claims and faults.
        faults: its faults, with how often each was triggered.
        origin: of what it says to be the history; None if it does not say.
        ended: it says that its scenario came to its end, and nothing after that.
        header: its first record; None where it has none.
        course: what no recording would have.
        end: how the Jobs ended, as far as that is determined.
        left_out: why its end cannot be compared with that under faults; empty if it can.
    """

    conclusion: Conclusion
    judged: tuple[Judged, ...] = ()
    played: PlayedSteps | None = None
    faults: tuple[FiredFault, ...] = ()
    origin: Origin | None = None
    ended: bool = False
    header: HistoryHeader | None = None
    course: tuple[str, ...] = ()
    end: Mapping[str, str] | None = None
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Again:
    """A scenario judged again from its history.

    Attributes:
        recorded: its record.
        conclusion: what its history comes to now; the recorded verdict where there is nothing to judge from.
        error: the fact that broke while it was judged.
        waived: a deviation covers how its requirement is broken.
        judged: the history was judged; else the scenario was skipped, or the harness had broken.
        heard: what else the history says; None where it was not judged.
    """

    recorded: ScenarioRecord
    conclusion: Conclusion
    error: str = ""
    waived: bool = False
    judged: bool = True
    heard: Heard | None = None

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

    Only the verdicts are compared; whether the histories are those of the suite's scenarios, ``check`` sees.

    Raises:
        UserError: a history is missing or damaged.
    """
    header = results.header
    left_out = frozenset(header.not_in_force)
    sentences = {id_: one.sentence for id_, one in header.requirements.items() if id_ not in left_out}
    return [again(one, folder, sentences, header.implementation.deviations) for one in results.scenarios]


def again(
    recorded: ScenarioRecord, folder: Path, sentences: Mapping[str, str], waivers: Sequence[Waiver]
) -> Again:
    """A scenario judged again.

    Args:
        recorded: its record.
        folder: that of the results.
        sentences: the requirements that are in force, with their sentences.
        waivers: the deviations in force.

    Raises:
        UserError: its history is missing or damaged.
    """
    was_judged = (
        recorded.reason in {WAIVED, FACT_BROKE}
        or recorded.reason.startswith(AROUND)
        or recorded.verdict in {"passed", "failed", "inconclusive"}
    )
    if not was_judged or (recorded.history is None and recorded.verdict in {"errored", "inconclusive"}):
        return Again(recorded, Conclusion(Verdict(recorded.verdict), recorded.reason), judged=False)
    if recorded.history is None:
        raise UserError(
            f"the results name no history for {recorded.id}, which is recorded as {recorded.verdict}: "
            "a run can only be judged again with all of its histories"
        )
    try:
        excused, cut = excuses(waivers, recorded.id), recorded.reason == FACT_BROKE
        heard = heard_from(folder / recorded.history, recorded.requirement, sentences, excused, cut=cut)
    except FactBroke as error:
        return Again(recorded, Conclusion(Verdict.ERRORED, FACT_BROKE), error=str(error))
    conclusion = heard.conclusion
    if recorded.reason == FACT_BROKE and conclusion.verdict is Verdict.PASSED:
        conclusion = replace(conclusion, verdict=Verdict.INCONCLUSIVE, reason=UNFINISHED)
    waived = conclusion.unmet and covering(waivers, recorded.id, conclusion.unmet)
    return Again(recorded, conclusion, waived=waived is not None, heard=heard)


def heard_from(
    path: Path,
    requirement: str,
    sentences: Mapping[str, str],
    excused: Excused = nothing_excused,
    *,
    cut: bool = False,
) -> Heard:
    """What the history in a file says of its scenario.

    Args:
        path: the file.
        requirement: the id of the scenario's own.
        sentences: the requirements that are in force, with their sentences.
        excused: whether a deviation covers a breach.
        cut: the harness broke before the end: what is whole of it is judged.

    Raises:
        UserError: it is missing or damaged.
        FactBroke: a fact or an invariant raised an exception.
    """
    if path.resolve() != path.parent.parent.resolve() / path.parent.name / path.name:
        raise UserError(
            f"{path} is a link, or lies behind one: give a folder that holds its histories itself"
        )
    if not path.is_file():
        raise UserError(f"{path} is missing: a run can only be judged again with all of its histories")
    history = Saved(path)
    try:
        return hear(_whole(history) if cut else history, requirement, sentences, excused, cut=cut)
    except FactBroke:
        raise
    except UserError as error:
        blamed = str(error).startswith(str(path))
        raise (error if blamed else UserError(f"{path}:{history.line}: {error}")) from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # What a fact raises is FactBroke: here an object has not the form that the API server gives it.
        what = f"what it says cannot be judged: {type(error).__name__}: {error}"
        raise UserError(f"{path}:{history.line}: {what}") from error


def _whole(history: Saved) -> Iterator[Record]:
    """The records of a history up to one that was not written whole, which the last may be."""
    with suppress(UserError):
        yield from history


def judge_history(
    records: Iterable[Record], requirement: str, sentences: Mapping[str, str] | None = None
) -> Conclusion:
    """What one scenario comes to, from its history alone; see ``hear``."""
    return hear(records, requirement, sentences).conclusion


def hear(
    records: Iterable[Record],
    requirement: str,
    sentences: Mapping[str, str] | None = None,
    excused: Excused = nothing_excused,
    *,
    cut: bool = False,
) -> Heard:
    """What a history says of its scenario.

    Args:
        records: the whole history.
        requirement: the id of the scenario's own.
        sentences: the requirements that are in force, with their sentences; None: all, without any.
        excused: whether a deviation covers a breach.
        cut: the harness broke before the end: a claim that was never closed is not judged.

    Raises:
        UserError: it cannot be judged.
        FactBroke: a fact or an invariant raised an exception.
    """
    with _without_collection():
        kept = list(records)
        seen = Observed(kept)
        judged = judge(kept, sentences or {}, seen, cut=cut)
        conclusion = evaded(seen.around) or conclude(
            requirement, judged, breaches(seen, sentences, excused), seen.unfired, excused
        )
        first, last = (kept[0].entry, kept[-1].entry) if kept else (None, None)
        return Heard(
            conclusion,
            tuple(judged),
            played(kept),
            faults(kept),
            first.origin if isinstance(first, HistoryHeader) else None,
            ended=isinstance(last, Ended),
            header=first if isinstance(first, HistoryHeader) else None,
            course=(*course(kept), *windows(judged), *outlasting(kept, judged)),
            end=determined(seen),
            left_out=_left_out(seen),
        )


def _left_out(seen: Observed) -> str:
    """Why the end of a play without faults cannot be compared; empty if it can."""
    if seen.faults or any(change.what in {"started", "killed"} for _, change in seen.processes):
        return "it has faults or restarts"
    return undetermined(seen) or unrest(seen)


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
