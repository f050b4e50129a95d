"""A recorded run judged again: verdicts are pure functions of the saved histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.errors import UserError
from batchproof.judgement.claims import judge
from batchproof.judgement.history import Saved
from batchproof.judgement.invariants import broken
from batchproof.judgement.observed import observe
from batchproof.judgement.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from batchproof.judgement.finding import Finding
    from batchproof.judgement.history import Record
    from batchproof.report.records import Scenario
    from batchproof.report.results import Results


@dataclass(frozen=True, slots=True)
class Again:
    """A scenario judged again from its history.

    Attributes:
        recorded: its record.
        verdict: the verdict of now; the recorded one where there is nothing to judge from.
        finding: what is not met, if something is not.
        judged: the history was judged; else the scenario was skipped, or the harness had broken.
    """

    recorded: Scenario
    verdict: Verdict
    finding: Finding | None
    judged: bool

    @property
    def agrees(self) -> bool:
        """The verdict is the one that was recorded."""
        waived = self.recorded.reason == "waived" and self.verdict is Verdict.FAILED
        return waived or self.verdict == self.recorded.verdict


def replay(results: Results, folder: Path) -> list[Again]:
    """Judge every scenario of a run again.

    Raises:
        UserError: a history is missing or damaged.
    """
    sentences = {id_: one.sentence for id_, one in results.header.requirements.items()}
    waived = [one.requirement for one in results.header.implementation.deviations]
    return [_again(one, folder, sentences, waived) for one in results.scenarios]


def _again(recorded: Scenario, folder: Path, sentences: Mapping[str, str], waived: Collection[str]) -> Again:
    judged = recorded.reason == "waived" or recorded.verdict in {"passed", "failed", "inconclusive"}
    if not judged or recorded.history is None:
        return Again(recorded, Verdict(recorded.verdict), None, judged=False)
    path = folder / recorded.history
    if not path.is_file():
        raise UserError(f"{path} is missing: a run can only be judged again with all of its histories")
    verdict, finding = judge_history(tuple(Saved(path)), recorded.requirement, sentences, waived)
    return Again(recorded, verdict, finding, judged=True)


def judge_history(
    records: Sequence[Record], requirement: str, sentences: Mapping[str, str], waived: Collection[str]
) -> tuple[Verdict, Finding | None]:
    """The verdict of one scenario from its history alone: claims first, then invariants, then faults."""
    for judged in judge(records, sentences.get(requirement, "")):
        if judged.outcome == "undecided":
            return Verdict.INCONCLUSIVE, judged.finding
        if judged.outcome == "broken":
            return Verdict.FAILED, judged.finding
    if finding := broken(records, sentences, waived):
        return Verdict.FAILED, finding
    if not all(observe(records).faults.values()):
        return Verdict.INCONCLUSIVE, None
    return Verdict.PASSED, None
