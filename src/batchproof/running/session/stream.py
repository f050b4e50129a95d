"""What the process that the user started does: header, a record a scenario, footer, and the progress."""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING

import msgspec
import pytest

from batchproof.evidence.digests import file_digest
from batchproof.evidence.plan import catalogue, history_path, of_node, plain, tags
from batchproof.ground import stored
from batchproof.ground.errors import HarnessError
from batchproof.report import wording
from batchproof.report.records import VERDICTS, Footer, Header, Planned, Record, ScenarioRecord, Verdict
from batchproof.report.results import ResultsStream
from batchproof.running.session.record import RECORD, now
from batchproof.running.session.retry import first_run, second_plays

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path


class RunObserver:
    """How a run shows how far it is; this one is silent."""

    def planned(self, count: int) -> None:
        """That many scenarios will be judged."""

    def started(self, id_: str) -> None:
        """A scenario has begun."""

    def left(self, id_: str) -> None:
        """A worker has done with a scenario that was started by this id."""

    def again(self, verdict: str) -> None:
        """A scenario with this verdict will be played a second time."""

    def finished(self, id_: str, verdict: str, title: str = "", broken: Collection[str] = ()) -> None:
        """A scenario has its verdict, and its history breaks these other requirements."""


class Stream:
    """Writes the results stream of a run.

    Args:
        stream: where the records go.
        header: the header but for what only the collection finds out: ``planned`` and ``required``.
        required: the requirements that need a verdict if everything is selected.
        progress: shows how far the run is; None: nothing does.
        selected_all: everything is selected: a required requirement without a scenario is missing.
        played: the folder of the profile, or the feature file, that is played; None: the suite.
    """

    def __init__(
        self,
        stream: ResultsStream,
        header: Header,
        progress: RunObserver | None = None,
        *,
        selected_all: bool,
        played: Path | None = None,
    ) -> None:
        self._stream = stream
        self._header = header
        self._progress = progress or RunObserver()
        self._selected_all = selected_all
        self._played = played
        self._planned: tuple[str, ...] = ()
        self._began = monotonic()
        self._counts: Counter[str] = Counter()
        self._again: set[str] = set()
        self.played: dict[str, ScenarioRecord] = {}
        self.interrupted = ""
        self._trouble: HarnessError | None = None

    # -- header

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """A worker knows what there is to run; all workers know the same."""
        self.plan(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Without workers, this process knows itself."""
        if session.items:
            self.plan([item.nodeid for item in session.items])

    def plan(self, nodes: Iterable[str]) -> None:
        """Write the header: these scenarios, by what pytest calls them, will have a record."""
        if not self._planned:
            chosen = {of_node(node, self._played).id for node in nodes}  # in the order of their play
            self.set_out([one for id_, one in catalogue(self._played).items() if id_ in chosen])

    def set_out(self, judged: Sequence[Planned]) -> None:
        """Write the header: this is what will have a record."""
        self._planned = tuple(one.id for one in judged)
        tested = {one.requirement for one in judged}
        required = tuple(id_ for id_ in self._header.required if self._selected_all or id_ in tested)
        header = msgspec.structs.replace(self._header, required=required, planned=tuple(judged))
        self._write(header)
        self._progress.planned(len(judged))

    # -- records

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A worker takes up a scenario."""
        self._progress.started(nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A worker has done with it."""
        self._progress.left(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A scenario has a verdict, or its worker died."""
        text = getattr(report, RECORD, None)
        if text is not None:
            self.take(stored.decode(text, ScenarioRecord))
        elif report.failed and (lost := self._planned_as(report.nodeid)):
            self.take(self._lost(lost, str(report.longrepr)))

    def _planned_as(self, node: str) -> str | None:
        """The id of a planned scenario by what pytest calls it; None if that is none."""
        try:
            id_ = of_node(node, self._played).id
        except KeyError:
            return None
        return id_ if id_ in self._planned else None

    def take(self, record: ScenarioRecord) -> None:
        """Write the record of a scenario, once for each play of it."""
        id_ = record.id
        before = self.played.get(id_)
        if before and id_ not in self._again:
            return  # the teardown failed after the verdict: the verdict stands
        if before:
            self._again.remove(id_)
            self._counts[before.verdict] -= 1
            record = msgspec.structs.replace(record, first=first_run(before))
        self._write(record)
        self.played[id_] = record
        self._counts[record.verdict] += 1
        broken = [one.requirement for one in record.breaches if not one.waived]
        self._progress.finished(id_, record.verdict, f"{record.requirement} {record.title}", broken)

    def play_again(self, among: Collection[str] | None = None) -> tuple[str, ...]:
        """The ids of the scenarios that are to be played a second time; their next records are taken.

        Args:
            among: the ids of those that may be; None: all.
        """
        levels = {id_: one.level for id_, one in self._header.requirements.items()}
        played = [one for id_, one in self.played.items() if among is None or id_ in among]
        chosen = second_plays(played, levels)
        for id_ in chosen:
            self._progress.again(self.played[id_].verdict)
        self._again.update(chosen)
        return chosen

    def _lost(self, id_: str, why: str) -> ScenarioRecord:
        """The record of a scenario whose worker can report nothing any more."""
        unplayed = self.unplayed(catalogue(self._played)[id_], "errored", "the worker was lost")
        path = self._left_behind(id_)
        digest = file_digest(self._stream.path.parent / path) if path else ""
        return msgspec.structs.replace(unplayed, error=why, history=path, history_digest=digest)

    def unplayed(self, one: Planned, verdict: Verdict, reason: str) -> ScenarioRecord:
        """The record of what was not played to its end, or not at all."""
        return ScenarioRecord(
            **msgspec.structs.asdict(one),
            level=self._header.requirements[one.requirement].level,
            verdict=verdict,
            reason=reason,
            tags=tags(self._played)[plain(one.id)],
            started=self._header.started,
        )

    def _left_behind(self, id_: str) -> str | None:
        """What a lost worker had seen of a scenario by then; None if it had not begun."""
        path = history_path(id_, second=id_ in self._again)
        return str(path) if (self._stream.path.parent / path).exists() else None

    def _write(self, record: Record) -> None:
        """Write a record; a disk that fails ends the session, and is no verdict.

        Raises:
            pytest.exit.Exception: it cannot be written: ``finish`` says why.
        """
        try:
            self._stream.write(record)
        except HarnessError as error:
            self._trouble = error
            pytest.exit(str(error))

    # -- footer

    def pytest_keyboard_interrupt(self) -> None:
        """The user pressed Ctrl-C."""
        self.interrupted = "interrupted"

    def finish(self, trouble: str = "") -> None:
        """Write the footer; the run is complete only if everything planned has a record.

        Raises:
            HarnessError: a record could not be written.
        """
        if self._trouble:
            raise self._trouble
        if not self._planned:
            self.plan(())
        missing = len(self._planned) - len(self.played)
        not_run = f"{wording.count(missing, 'scenario')} not run" if missing else ""
        reason = trouble or self.interrupted or not_run
        self._write(
            Footer(
                finished=now(),
                duration_s=round(monotonic() - self._began, 3),
                complete=not reason,
                reason=reason,
                counts={name: self._counts[name] for name in VERDICTS},
            )
        )
