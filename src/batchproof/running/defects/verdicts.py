"""Takes the verdict of each scenario with each planted defect, and ends a defect at its first catch."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from batchproof import stored
from batchproof.report.catches import Catch, Miss, Trace, judged, tracebacks
from batchproof.report.records import Scenario
from batchproof.running.session.collect import DEFECT
from batchproof.running.session.record import CAUGHT, LOGS, RECORD
from batchproof.running.session.second import UNDECIDED, few, first_play

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import pytest

    from batchproof.running.progress import RunProgress
    from batchproof.specification.defects import Defect


class Verdicts:
    """Follows a pytest session in which defects are judged.

    Args:
        defects: those that are.
        pairs: each with the scenarios that may catch it.
        output: the folder of the results; each defect has its own in it.
        caught: the folder for the marks of those that are caught: their other scenarios are not run.
        progress: shows how far all is.

    Attributes:
        records: of each defect, the records of the scenarios that were run.
        catches: how those that are caught were caught.
        misses: of each defect, what the other scenarios came to.
        traces: of each defect, what tracebacks the wrong controller printed.
        second: the defects whose scenarios were played a second time.
    """

    def __init__(
        self,
        defects: Iterable[Defect],
        pairs: Sequence[tuple[str, str]],
        *,
        output: Path,
        run_dir: Path,
        progress: RunProgress,
    ) -> None:
        self._defects = {one.name: one for one in defects}
        self._left: defaultdict[str, int] = defaultdict(int)
        for name, _ in pairs:
            self._left[name] += 1
        self._output = output
        self._caught = run_dir / CAUGHT
        self._caught.mkdir(exist_ok=True)
        self._progress = progress
        self.records: defaultdict[str, list[Scenario]] = defaultdict(list)
        self.catches: dict[str, Catch] = {}
        self.misses: defaultdict[str, list[Miss]] = defaultdict(list)
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
        record, name = stored.decode(text, Scenario), getattr(report, DEFECT)
        self._left[name] -= 1
        if record.reason != CAUGHT:
            self._judge(name, self._kept(name, record))
        if name not in self.catches and not self._left[name]:
            self._progress.finished(name, "not caught")

    def play_again(self) -> list[tuple[str, str]]:
        """The defects that are not caught, each with the scenarios that did not, for a second play.

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
            self._progress.again("not caught")
        self.second = frozenset(missed)
        return [(name, id_) for name, ids in missed.items() for id_ in ids]

    def _kept(self, name: str, record: Scenario) -> Scenario:
        """The record as it is kept: that of a second play takes the place of the first."""
        for place, before in enumerate(self.records[name]):
            if before.id == record.id:
                self.misses[name] = [miss for miss in self.misses[name] if miss.scenario != record.id]
                if before.verdict in UNDECIDED:
                    record = msgspec.structs.replace(record, first=first_play(before))
                self.records[name][place] = record
                return record
        self.records[name].append(record)
        return record

    def _judge(self, name: str, record: Scenario) -> None:
        defect = self._defects[name]
        logs = sorted((self._output / name / LOGS).glob(f"{record.worker}-*.log"))
        traces = tuple(one for log in logs for one in tracebacks(log.read_text("utf-8", "replace")))
        planted = [edit.where for edit in defect.edits]
        found = judged(record, defect.requirement, traces, planted)
        if isinstance(found, Miss):
            self.misses[name].append(found)
        elif name not in self.catches:
            self.catches[name] = found
            self.traces[name] = traces
            (self._caught / name).touch()
            self._progress.finished(name, "passed")
