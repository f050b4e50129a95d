"""How far a run is: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from batchproof.report import wording
from batchproof.screen import Line

if TYPE_CHECKING:
    from collections.abc import Collection

BAD = ("failed", "errored", "inconclusive")
_PLAIN_EVERY_S = 10.0


class RunProgress:
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
        self._line = Line(out)
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
        """So many scenarios will be judged."""
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
            id_: its id, as it was started with.
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

    def end(self) -> None:
        """Take the live line away."""
        self._line.end()

    def _show(self) -> None:
        now, done = monotonic(), self._verdicts.total()
        if not self._line.live and now - self._shown_at < _PLAIN_EVERY_S and done != self.total:
            return
        self._shown_at = now
        bad = [f"{self._verdicts[verdict]} {verdict}" for verdict in self._bad if self._verdicts[verdict]]
        left = (now - self._began) / done * (self.total - done) if done else 0.0
        nothing = f"0 {self._bad[0]}"
        line = f"{done} of {self.total} done, {len(self._running)} running, {', '.join(bad) or nothing}"
        line += f", about {left:.0f} s left" if done < self.total and done else ""
        self._line.show(line)
