"""Making a program that fails smaller, as long as it fails in the same way.

To play a program takes seconds and may come out otherwise the next time, so what is tried is chosen for few
trials: whole runs of actions first, then single ones, then the end, then numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.exploration.program import ModelAction, Program, State, script

if TYPE_CHECKING:
    from collections.abc import Iterator


def smaller(begin: State, program: Program) -> Iterator[Program]:
    """Programs that are simpler than this one, the simplest first; each of them is possible as it stands."""
    seen = {script(begin, program).sentences}
    for candidate in _candidates(program):
        one = script(begin, candidate)
        if one.sentences not in seen and one.program.actions:
            seen.add(one.sentences)
            yield one.program


def _candidates(program: Program) -> Iterator[Program]:
    actions = program.actions
    size = len(actions) // 2
    while size:
        for first in range(len(actions) - size, -1, -size):  # what came last is often not needed
            yield replace(program, actions=actions[:first] + actions[first + size :])
        size //= 2
    if program.closed:
        yield replace(program, closed=False)
    for place, action in enumerate(actions):
        for simpler in _simpler(action):
            yield replace(program, actions=(*actions[:place], simpler, *actions[place + 1 :]))


def _simpler(action: ModelAction) -> Iterator[ModelAction]:
    """The action with one of its numbers lower: as low as it may be first, then by one."""
    for place, number in enumerate(action.numbers):
        for lower in dict.fromkeys((0, 1, number - 1)):
            if 0 <= lower < number:
                numbers = (*action.numbers[:place], lower, *action.numbers[place + 1 :])
                yield replace(action, numbers=numbers)


class Shrinking:
    """A program that fails, on its way to a smaller one; its caller plays the candidates.

    Attributes:
        best: the smallest that has failed in the same way.
        path: all that were the smallest once, the first first.
        tried: how many candidates were played.
    """

    def __init__(self, begin: State, program: Program, *, most: int) -> None:
        """Begin with a program.

        Args:
            begin: the state before anything.
            program: what has failed.
            most: how many candidates are played at most.
        """
        self._begin = begin
        self._most = most
        self._known: set[tuple[object, ...]] = set()
        self.path = [program]
        self.tried = 0

    @property
    def best(self) -> Program:
        """The smallest program that has failed in the same way."""
        return self.path[-1]

    def next(self, count: int) -> list[Program]:
        """The next candidates, that many at most, the simplest first; none: it will get no smaller."""
        found: list[Program] = []
        for candidate in smaller(self._begin, self.best):
            if len(found) == min(count, self._most - self.tried):
                break
            if self._key(candidate) not in self._known:
                found.append(candidate)
        self.tried += len(found)
        self._known.update(map(self._key, found))
        return found

    def failed(self, candidate: Program) -> None:
        """A candidate has failed in the same way: go on from it."""
        self.path.append(candidate)

    def back(self) -> None:
        """The smallest does not fail often enough: go back to the one before it."""
        self.path.pop()

    def _key(self, program: Program) -> tuple[object, ...]:
        return script(self._begin, program).sentences
