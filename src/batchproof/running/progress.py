"""How far a run is: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from time import monotonic
from typing import TextIO

from batchproof.report import wording

_PLAIN_EVERY_S = 10.0


class RunProgress:
    """Counts done, running and failed scenarios, estimates the time left, and tells each bad verdict."""

    def __init__(self, out: TextIO = sys.stderr) -> None:
        self._out = out
        self._live = out.isatty()
        self.total = 0
        self._running: set[str] = set()
        self._verdicts: Counter[str] = Counter()
        self._began = self._told = monotonic()

    def say(self, text: str) -> None:
        """Tell one line, above the live one."""
        self._out.write(f"\r\033[K{text}\n" if self._live else f"{text}\n")
        self._out.flush()

    def planned(self, count: int) -> None:
        """So many scenarios will be judged."""
        self.total = count
        self._began = self._told = monotonic()
        self.say(wording.count(count, "scenario"))

    def started(self, id_: str) -> None:
        """A scenario has begun."""
        self._running.add(id_)
        self._tell()

    def finished(self, id_: str, verdict: str) -> None:
        """A scenario has its verdict."""
        self._running.discard(id_)
        self._verdicts[verdict] += 1
        if verdict not in {"passed", "skipped"}:
            self.say(f"  {verdict:<12} {id_}")
        self._tell()

    def end(self) -> None:
        """Take the live line away."""
        if self._live:
            self._out.write("\r\033[K")
            self._out.flush()

    def _tell(self) -> None:
        now, done = monotonic(), self._verdicts.total()
        if not self._live and now - self._told < _PLAIN_EVERY_S and done != self.total:
            return
        self._told = now
        bad = done - self._verdicts["passed"] - self._verdicts["skipped"]
        left = (now - self._began) / done * (self.total - done) if done else 0.0
        line = f"{done} of {self.total} done, {len(self._running)} running, {bad} not passed"
        line += f", about {left:.0f} s left" if done < self.total and done else ""
        if self._live:
            self._out.write(f"\r\033[K{line}")
            self._out.flush()
        else:
            self._out.write(f"{line}\n")
            self._out.flush()
