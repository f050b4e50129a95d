"""Takes the verdict of each scenario with each mutant, and ends a mutant when it is killed."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from batchproof.ground import stored
from batchproof.report.catches import Kill, Survival, Trace, judged, tracebacks
from batchproof.report.records import ScenarioRecord
from batchproof.running.plays import Play
from batchproof.running.progress import RunProgress
from batchproof.running.session.record import CAUGHT, LOGS, MUTANT, RECORD
from batchproof.running.session.retry import UNDECIDED, few, first_run
from batchproof.specification.mutants import Mutant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import pytest


class Verdicts:
    """Follows a pytest session in which mutants are judged.

    Args:
        mutants: those that are.
        plays: each with the scenarios that may catch it.
        output: the folder of the results; each mutant has its own in it.
        caught: the folder for the marks of those that are caught: their other scenarios are not run.
        progress: shows how far all is.

    Attributes:
        records: of each mutant, the records of the scenarios that were run.
        catches: how those that are caught were caught.
        misses: of each mutant, what the other scenarios came to.
        traces: of each mutant, what tracebacks the wrong controller printed.
        second: the mutants whose scenarios were played a second time.
    """

    def __init__(
        self,
        mutants: Iterable[Mutant],
        plays: Sequence[Play],
        *,
        output: Path,
        run_dir: Path,
        progress: RunProgress,
    ) -> None:
        self._mutants = {one.name: one for one in mutants}
        self._left: defaultdict[str, int] = defaultdict(int)
        for play in plays:
            self._left[play.mutant] += 1
        self._output = output
        self._caught = run_dir / CAUGHT
        self._caught.mkdir(exist_ok=True)
        self._progress = progress
        self.records: defaultdict[str, list[ScenarioRecord]] = defaultdict(list)
        self.catches: dict[str, Kill] = {}
        self.misses: defaultdict[str, list[Survival]] = defaultdict(list)
        self.traces: dict[str, tuple[Trace, ...]] = {}
        self.second: frozenset[str] = frozenset()
        progress.planned(len(self._left))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A worker takes up a scenario."""
        for name in self._left.keys() - self.catches.keys():
            if f"[{name}]" in nodeid or f"-{name}]" in nodeid or f"[{name}-" in nodeid:
                self._progress.started(name)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A scenario has its verdict."""
        text = getattr(report, RECORD, None)
        if text is None or report.when == "teardown":
            return
        record, name = stored.decode(text, ScenarioRecord), getattr(report, MUTANT)
        self._left[name] -= 1
        if record.reason != CAUGHT:
            self._judge(name, self._kept(name, record))
        if name not in self.catches and not self._left[name]:
            self._progress.finished(name, "survived")

    def play_again(self) -> list[Play]:
        """The mutants that are not caught, each with the scenarios that did not, for a second play.

        None where that is more than a few: see ``session.second``.
        """
        missed = {
            name: [one.id for one in self.records[name]]
            for name in self._left
            if name not in self.catches and self.records[name]
        }
        if not few(len(missed), len(self._left)):
            return []
        for name, ids in missed.items():
            self._left[name] += len(ids)
            self._progress.again("survived")
        self.second = frozenset(missed)
        return [Play(id_, mutant=name) for name, ids in missed.items() for id_ in ids]

    def _kept(self, name: str, record: ScenarioRecord) -> ScenarioRecord:
        """The record as it is kept: that of a second play takes the place of the first."""
        for place, before in enumerate(self.records[name]):
            if before.id == record.id:
                self.misses[name] = [miss for miss in self.misses[name] if miss.scenario != record.id]
                if before.verdict in UNDECIDED:
                    record = msgspec.structs.replace(record, first=first_run(before))
                self.records[name][place] = record
                return record
        self.records[name].append(record)
        return record

    def _judge(self, name: str, record: ScenarioRecord) -> None:
        mutant = self._mutants[name]
        logs = sorted((self._output / name / LOGS).glob(f"{record.worker}-*.log"))
        traces = tuple(one for log in logs for one in tracebacks(log.read_text("utf-8", "replace")))
        planted = [edit.where for edit in mutant.edits]
        found = judged(record, mutant.requirement, traces, planted)
        if isinstance(found, Survival):
            self.misses[name].append(found)
        elif name not in self.catches:
            self.catches[name] = found
            self.traces[name] = traces
            (self._caught / name).touch()
            self._progress.finished(name, "passed")
