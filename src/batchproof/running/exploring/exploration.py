"""What is played next, and what came of it: shared by the threads that each speak with a worker."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING

from batchproof.exploration.case import MOST_CANDIDATES, FailingProgram
from batchproof.exploration.program import Program, Script, State, script
from batchproof.judgement.conclusion import Verdict
from batchproof.report.records import UnmetClaim
from batchproof.running.exploring.tasks import ProgramLine, Task, TaskResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHRINKING_S = 120.0
"""How long what was found may still be played again when the time to explore is over."""
PROVING_S = 60.0
"""How much of that is kept for proving what is smallest by then."""

MOST_OTHERS = 4
"""How many further programs that broke a requirement are played again where the first did so only once."""


@dataclass(frozen=True, slots=True)
class ExploredBreach:
    """A program that broke a requirement: its number, what was found, and the answer that says it."""

    number: int
    program: Program
    broken: UnmetClaim
    answer: TaskResult


@dataclass(slots=True)
class Found:
    """A requirement that programs break.

    Attributes:
        at: the program that is played again: the first that broke it, or a later one.
        after_s: when it was known that it is broken, in seconds since the first program was played.
        case: the way to a small program.
        programs: how many programs broke it.
        others: those that may be played again if that one does not break it again.
        shown: the answers of the programs that failed in the same way again.
    """

    at: ExploredBreach
    after_s: float
    case: FailingProgram
    programs: int = 1
    others: list[ExploredBreach] = field(default_factory=list)
    shown: dict[Program, tuple[UnmetClaim, TaskResult]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Played:
    """What a task is for: a program of that number, or one that is to break a requirement again."""

    script: Script
    number: int
    requirement: str = ""
    quick: bool = False


class Exploration:
    """Gives out programs, takes what became of them, and follows what is broken.

    Attributes:
        found: the requirements that are broken, by id, in the order in which they were found.
        verdicts: of the programs.
        undecided: the programs that came to no verdict, with the reason.
        steps: how many sentences were played.
        triggered: how many faults were triggered.
    """

    def __init__(
        self,
        begin: State,
        programs: Iterator[Program],
        *,
        for_s: float,
        first: bool = False,
        say: Callable[[str], None],
        at_once: int,
        candidates: int = MOST_CANDIDATES,
    ) -> None:
        """Begin.

        Args:
            begin: the state before anything.
            programs: what is to be played, in order.
            for_s: how long new programs are begun.
            first: no new ones are begun either once something is found and seen again.
            say: called immediately with what is broken.
            at_once: how many smaller programs are tried together.
            candidates: how many smaller ones are tried of each at most.
        """
        self._begin = begin
        self._programs = programs
        self._for_s = for_s
        self._first = first
        self._say = say
        self._at_once = at_once
        self._candidates = candidates
        self._changed = threading.Condition()
        self._playing: dict[str, _Played] = {}
        self._retries: list[tuple[int, Program]] = []
        self._names = Counter[str]()
        self._stopped = False
        self._began: float | None = None
        self.started = 0
        self.found: dict[str, Found] = {}
        self.verdicts: Counter[str] = Counter()
        self.undecided: list[tuple[int, Script, TaskResult]] = []
        self.steps = 0
        self.triggered = 0
        self.replays = 0

    @property
    def took_s(self) -> float:
        """How long it goes on, since a worker was ready for the first program."""
        return monotonic() - self._began if self._began is not None else 0.0

    @property
    def left_s(self) -> float:
        """How long programs are still begun."""
        return max(0.0, self._for_s - self.took_s)

    @property
    def _beginning(self) -> bool:
        """Whether new programs are still begun: what was seen once may be seen again in another only."""
        return self.left_s > 0 and not (self._first and self._confirmed)

    @property
    def _confirmed(self) -> bool:
        return any(one.case.confirmed for one in self.found.values())

    @property
    def satisfied(self) -> bool:
        """Whether nothing is wanted any more: it was only the first finding, which is proved and small."""
        with self._changed:
            cases = [one.case for one in self.found.values()]
            return self._first and any(one.confirmed and one.over for one in cases)

    def stop(self) -> None:
        """Give nothing out any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def next(self) -> Task | None:
        """What a worker is to play; waits where an answer may bring something. None: there is no more."""
        with self._changed:
            while not self._stopped:
                if played := self._next():
                    return self._task(played)
                if not self._beginning and not self._playing:
                    return None
                self._changed.wait(0.5)
        return None

    def _next(self) -> _Played | None:
        late_s = self.took_s - self._for_s
        for requirement, one in self.found.items():
            if late_s > SHRINKING_S - PROVING_S:
                one.case.enough()
            if late_s < SHRINKING_S and (program := one.case.next()):
                quick = one.case.quick(program)
                return _Played(script(self._begin, program), one.at.number, requirement, quick)
        if self._retries:
            number, program = self._retries.pop(0)
            return _Played(script(self._begin, program), number)
        if not self._beginning:
            return None
        program = next(self._programs)
        self._began = self._began or monotonic()  # to draw the first ones takes a while
        self.started += 1
        return _Played(script(self._begin, program), self.started)

    def _task(self, played: _Played) -> Task:
        base = f"{played.requirement or 'program'}-{played.number}"
        self._names[base] += 1
        name = f"{base}-{self._names[base]}"
        self._playing[name] = played
        lines = tuple(ProgramLine(it.text, it.judges) for it in self._lines(played))
        return Task(name, lines, played.requirement, played.quick)

    def _lines(self, played: _Played) -> tuple[ProgramLine, ...]:
        one = played.script.about(played.requirement) if played.requirement else played.script
        return tuple(ProgramLine(it.text, it.judges) for it in one.sentences)

    def done(self, name: str, answer: TaskResult) -> None:
        """What became of a task."""
        with self._changed:
            played = self._playing.pop(name)
            if self._stopped:
                return  # its worker has been ended
            self.steps += len(played.script.sentences) if answer.at is None else answer.at + 1
            self.triggered += answer.triggered
            if played.requirement:
                self._replayed(played, answer)
            else:
                self._explored(played, answer)
            self._changed.notify_all()

    def _replayed(self, played: _Played, answer: TaskResult) -> None:
        self.replays += 1
        one, program = self.found[played.requirement], played.script.program
        mine = next((it for it in answer.broken if it.requirement == played.requirement), None)
        reproduced = mine is not None and answer.verdict == Verdict.FAILED
        if mine and reproduced:
            one.shown[program] = (mine, answer)
        one.case.told(program, reproduced=reproduced)
        self._see_another(one)

    def _see_another(self, one: Found) -> None:
        """A race that needs luck may come again sooner in another program that had it."""
        if one.others and one.case.over and not one.case.confirmed:
            one.at = one.others.pop(0)
            one.case = self._case(one.at.program)

    def _case(self, program: Program) -> FailingProgram:
        return FailingProgram(self._begin, program, at_once=self._at_once, candidates=self._candidates)

    def _explored(self, played: _Played, answer: TaskResult) -> None:
        self.verdicts[answer.verdict] += 1
        if answer.verdict in {Verdict.INCONCLUSIVE, Verdict.ERRORED}:
            program = _without(played.script, answer.idle)
            if answer.verdict == Verdict.INCONCLUSIVE and program.actions and answer.idle:
                # What was claimed rests on faults that were never triggered: without them it can be judged.
                self._retries.append((played.number, program))
            else:
                self.undecided.append((played.number, played.script, answer))
        for broken in answer.broken:
            breach = ExploredBreach(played.number, played.script.program, broken, answer)
            if one := self.found.get(broken.requirement):
                one.programs += 1
                if one.programs <= 1 + MOST_OTHERS:
                    one.others.append(breach)
                self._see_another(one)
                continue
            self.found[broken.requirement] = Found(breach, self.took_s, self._case(breach.program))
            self._say(f"  broken   {broken.requirement} by program {played.number}: {broken.observed}")


def _without(one: Script, places: tuple[int, ...]) -> Program:
    """The program without the actions that say these sentences."""
    idle = {one.sentences[place].action for place in places}
    actions = tuple(it for number, it in enumerate(one.program.actions) if number not in idle)
    return replace(one.program, actions=actions)
