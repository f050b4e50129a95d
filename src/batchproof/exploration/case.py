"""A requirement that a program breaks: seen again, made smaller, seen again. It is pure."""

from __future__ import annotations

from collections import Counter

from batchproof.exploration.program import Program, State
from batchproof.exploration.shrinking import Shrinking

ENOUGH = 2
"""How often a program has to fail again, in the same way, before it is written down."""
MOST_TRIES = 5
"""How often it is played for that."""
MOST_CANDIDATES = 60
"""How many smaller programs are tried."""


class FailingProgram:
    """One requirement and the program that broke it, on the way to a small one that breaks it again.

    It goes through three phases: the program as it was found has to fail again twice; smaller ones are tried,
    some at once, where a hasty answer will do; the smallest has to fail twice, or else the one that was the
    smallest before it, and so on. Its caller plays them, and says what came of it.

    Attributes:
        found: the program that broke it first.
        again: how often each program has failed in the same way when it was played again, to prove it.
        shrinking: the way to a smaller one.
        over: nothing more is to be played.
    """

    def __init__(
        self, begin: State, found: Program, *, at_once: int = 4, candidates: int = MOST_CANDIDATES
    ) -> None:
        """Begin with the program that was found.

        Args:
            begin: the state before anything.
            found: the program.
            at_once: how many smaller programs are tried together.
            candidates: how many are tried at most; 0: it stays as it was found.
        """
        self.found = found
        self.again: Counter[Program] = Counter()
        self.shrinking = Shrinking(begin, found, most=candidates)
        self.over = False
        self._at_once = at_once
        self._tries: Counter[Program] = Counter()
        self._playing: Counter[Program] = Counter()
        self._batch: list[Program] = []
        self._waiting: list[Program] = []
        self._reproduced: set[Program] = set()
        self._shrunk = False
        self._enough = False

    @property
    def confirmed(self) -> Program | None:
        """The smallest program that has failed often enough again; None: there is none."""
        return next((it for it in reversed(self.shrinking.path) if self.again[it] >= ENOUGH), None)

    def next(self) -> Program | None:
        """What is to be played now; None: nothing, or not before an answer comes."""
        if self.over:
            return None
        if not self.again[self.found] >= ENOUGH:
            return self._once_more(self.found)
        if not self._shrunk:
            if not self._batch:
                self._batch = [] if self._enough else self.shrinking.next(self._at_once)
                self._waiting = list(self._batch)
                self._shrunk = not self._batch
            if self._waiting:
                return self._play(self._waiting.pop(0))
            if not self._shrunk:
                return None
        return self._once_more(self.shrinking.best)

    def quick(self, program: Program) -> bool:
        """Whether a wrong answer about this program does no harm: it is one of those that are tried."""
        return program in self._batch

    def enough(self) -> None:
        """Try no smaller ones any more: there is just time to prove the smallest."""
        if not self._enough:
            self._enough, self._waiting = True, []
            self._see_batch()

    def told(self, program: Program, *, reproduced: bool) -> None:
        """What came of a program that was to be played: it failed in the same way, or not."""
        self._playing[program] -= 1
        if program in self._batch:
            if reproduced:
                self._reproduced.add(program)
            self._see_batch()
            return
        self._tries[program] += 1
        self.again[program] += reproduced
        if not self._playing[program]:
            self._see_proved(program)

    def _see_batch(self) -> None:
        """Take the smallest of those that were tried together, once all are known."""
        if self._waiting or any(self._playing[it] for it in self._batch):
            return
        best = next((it for it in self._batch if it in self._reproduced), None)
        if best:
            self.shrinking.failed(best)
        self._batch = []

    def _see_proved(self, program: Program) -> None:
        """Whether it has failed often enough, or was tried often enough in vain."""
        proved = self.again[program] >= ENOUGH
        in_vain = not proved and self._tries[program] >= MOST_TRIES
        if program == self.found:
            self.over = in_vain or (proved and self._shrunk)
        elif in_vain:
            self.shrinking.back()
        else:
            self.over = proved

    def _once_more(self, program: Program) -> Program | None:
        missing = ENOUGH - self.again[program] - self._playing[program]
        left = MOST_TRIES - self._tries[program] - self._playing[program]
        if self._shrunk and self.again[program] >= ENOUGH:
            self.over = True
        return self._play(program) if missing > 0 and left > 0 else None

    def _play(self, program: Program) -> Program:
        self._playing[program] += 1
        return program
