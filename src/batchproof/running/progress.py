"""How far a run is: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from batchproof.ground.screen import LiveLine
from batchproof.report import wording
from batchproof.report.exploration import ExplorationCounts
from batchproof.running.session.stream import RunObserver

if TYPE_CHECKING:
    from collections.abc import Collection

BAD = ("failed", "errored", "inconclusive")
_PLAIN_EVERY_S = 10.0
_LIVE_EVERY_S = 0.5
_ENOUGH = 0.1  # of what is to be done: the longest scenarios go first, so before that a guess is far too high


class RunProgress(RunObserver):
    """Counts what is done, running and failed, estimates the time left, and says at once what is broken.

    What is inconclusive is only counted: it mostly follows from what is broken, and the report groups it.

    Args:
        out: where to; None: the standard error.
        what: what is counted.
        bad: the verdicts that are counted besides.
    """

    def __init__(
        self, out: TextIO | None = None, *, what: str = "scenario", bad: tuple[str, ...] = BAD
    ) -> None:
        self._line = LiveLine(out)
        self._what = what
        self._bad = bad
        self.total = 0
        self._running: set[str] = set()
        self._verdicts: Counter[str] = Counter()
        self._broken: set[str] = set()
        self._began = self._shown_at = monotonic()

    def say(self, text: str) -> None:
        """Print one line, above the live one."""
        self._line.say(text)

    def planned(self, count: int) -> None:
        """That many scenarios will be judged."""
        self.total = count
        self._began = self._shown_at = monotonic()
        self.say(wording.count(count, self._what))

    def started(self, id_: str) -> None:
        """A scenario has begun."""
        self._running.add(id_)
        self._show()

    def left(self, id_: str) -> None:
        """A worker has done with what was started by this id."""
        self._running.discard(id_)

    def again(self, verdict: str) -> None:
        """A scenario with this verdict will be played a second time."""
        self._verdicts[verdict] -= 1

    def finished(self, id_: str, verdict: str, title: str = "", broken: Collection[str] = ()) -> None:
        """A scenario has its verdict.

        Args:
            id_: its id.
            verdict: of its own requirement.
            title: what it is called; its id where none is given.
            broken: the other requirements that its history breaks; each is printed the first time.
        """
        self._running.discard(id_)
        self._verdicts[verdict] += 1
        if verdict in self._bad and verdict != "inconclusive":
            self.say(f"  {verdict:<8} {title or id_}")
        for requirement in sorted({*broken} - self._broken):
            self.say(f"  {'broken':<8} {requirement} in the history of {title or id_}")
        self._broken.update(broken)
        self._show()

    def explored(self, counts: ExplorationCounts) -> None:
        """An exploration, which has no number of scenarios, is that far."""
        if self._due():
            self._shown_at = monotonic()
            self._line.show(counts.words)

    def _due(self) -> bool:
        """Whether it is time to show how far an exploration is."""
        return monotonic() - self._shown_at >= (_LIVE_EVERY_S if self._line.live else _PLAIN_EVERY_S)

    def end(self) -> None:
        """Take the live line away."""
        self._line.end()

    def _show(self) -> None:
        now, done = monotonic(), self._verdicts.total()
        if not self._line.live and now - self._shown_at < _PLAIN_EVERY_S and done != self.total:
            return
        self._shown_at = now
        bad = [f"{self._verdicts[verdict]} {verdict}" for verdict in self._bad if self._verdicts[verdict]]
        nothing, remaining = f"0 {self._bad[0]}", self.total - done
        line = f"{done} of {self.total} done, {len(self._running)} running, {', '.join(bad) or nothing}"
        if remaining and done >= self.total * _ENOUGH:
            line += f", about {(now - self._began) / done * remaining:.0f} s left"
        self._line.show(line)
