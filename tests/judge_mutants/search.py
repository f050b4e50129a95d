"""Judges histories by the living judge with one function wrong, without a test run for each edit.

``test_told_otherwise.py`` judges histories that differ from its examples at random, the first few of each.
What these notice is found here in milliseconds. ``--search`` judges far more of them: where only a later one
tells a wrong edit from what is right, its number goes into ``told_otherwise_chosen.json``. What stands
outside of functions cannot be edited so, and is left to the tests.
"""

from __future__ import annotations

import gc
import importlib
import json
import multiprocessing
import signal
import sys
from collections import defaultdict
from functools import cached_property, partial
from itertools import chain, zip_longest
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tests_of import ROOT, Hung, judging

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mutations import Mutant

Place: TypeAlias = tuple[str, int, str]
"""Where a function stands: file, line, name."""

_HUNG_S = 4.0  # of the processor, for one history
_OTHERS = 10
"""How many subjects are tried first of those that call a function; of the others about as many."""
_LEAST = 8
"""How many more histories of each example are tried at least."""
_OF_A_FUNCTION = 3  # flags of code

sys.path.insert(0, str(ROOT / "tests/unit"))
told = importlib.import_module("test_told_otherwise")
random = importlib.import_module("told_at_random")
facts = importlib.import_module("batchproof.judgement.facts")
KEPT = json.loads(told.KEPT.read_bytes())


class Try(NamedTuple):
    """A history, what finds something in it, and what that is when nothing is wrong.

    Attributes:
        subject: what it is an example of.
        chosen: the name and the number under which it can be kept; None: it is judged anyway.
    """

    subject: str
    row: Any
    records: Sequence[Any]
    was: str
    chosen: tuple[str, int] | None

    def differs(self) -> bool:
        """Whether something else is found now."""
        signal.setitimer(signal.ITIMER_VIRTUAL, _HUNG_S)
        try:
            return bool(self.row.safely(self.records) != self.was)
        except BaseException:  # noqa: BLE001 - whatever a wrong edit does to a process, it is noticed
            return True
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Edit(NamedTuple):
    """A wrong edit in living functions: those that have the code, and the wrong code."""

    functions: list[FunctionType]
    right: CodeType
    wrong: CodeType


class Living:
    """The judge of this process, whose functions can be edited."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str, int], list[Try]] = {}
        self._functions: dict[Place, list[FunctionType]] = defaultdict(list)
        self._caches: list[Callable[[], None]] = []

    @cached_property
    def _subjects(self) -> Mapping[Place, Sequence[str]]:
        """The subjects whose examples call a function: those of its own module first, then the quickest."""
        calls: dict[Place, list[str]] = defaultdict(list)
        for subject, rows in told.rows().items():
            codes: set[CodeType] = set()

            def call(frame: FrameType, what: str, _: object, codes: set[CodeType] = codes) -> None:
                if what == "call":
                    codes.add(frame.f_code)

            sys.setprofile(call)
            for row in rows:
                row.safely(row.records)
            sys.setprofile(None)
            for code in codes:
                calls[_place(code)].append(subject)
        own = {it.name: it.rule.__code__.co_filename for it in facts.every()}
        cost = {subject: sum(len(row.records) for row in rows) for subject, rows in told.rows().items()}
        return {
            place: sorted(some, key=lambda it: (own.get(it) != place[0], cost[it]))
            for place, some in calls.items()
        }

    def prepare(self) -> None:
        """See what is called, before processes are forked that need it: that imports all that judges."""
        assert self._subjects
        files = frozenset(map(str, judging()))
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename in files:
                self._functions[_place(one.__code__)].append(one)
        modules = [it for it in sys.modules.values() if getattr(it, "__file__", None) in files]
        self._caches += [
            one.cache_clear
            for module in modules
            for one in vars(module).values()
            if hasattr(one, "cache_clear")
        ]

    def edit(self, mutant: Mutant) -> Edit | None:
        """The edit of a function; None if it is none of one function that is called."""
        path = str(ROOT / mutant.file)
        right, wrong = (
            [*_codes(compile(source, path, "exec", dont_inherit=True))]
            for source in (Path(path).read_text("utf-8"), mutant.source)
        )
        others = [(a, b) for a, b in zip(right, wrong, strict=False) if _does(a) != _does(b)]
        if len(right) != len(wrong) or len(others) != 1:
            return None
        ((before, after),) = others
        functions = self._functions.get(_place(before), [])
        edited = functions and functions[0].__code__.co_freevars == after.co_freevars
        return Edit(functions, before, after) if edited else None

    def notices(self, edit: Edit, tries: int = 0) -> Try | None:
        """The history in which something else is found with an edit.

        Args:
            edit: the edit.
            tries: how many more histories are judged for a subject than there are anyway; 0: none.
        """
        subjects = self._subjects.get(_place(edit.right), ())
        subjects = [*subjects[:_OTHERS], *subjects[_OTHERS :: max(1, len(subjects) // _OTHERS)]]
        for subject in subjects:
            pool = self._pool(subject, tries)
            self._put(edit.functions, edit.wrong)
            one = next((one for one in pool if one.differs()), None)
            self._put(edit.functions, edit.right)
            if one:
                pool.remove(one)
                pool.insert(0, one)
                return one
        return None

    def _put(self, functions: Sequence[FunctionType], code: CodeType) -> None:
        for function in functions:
            function.__code__ = code
        for clear in self._caches:
            clear()

    def _pool(self, subject: str, tries: int) -> list[Try]:
        if (subject, tries) not in self._pools:
            rows = told.rows()[subject]
            some = [
                _more(subject, row, tries // len(rows)) if tries else _anyway(subject, number, row)
                for number, row in enumerate(rows)
            ]
            self._pools[subject, tries] = [one for many in zip_longest(*some) for one in many if one]
        return self._pools[subject, tries]


def noticed_at_once(mutants: Sequence[Mutant], workers: int) -> dict[int, str]:
    """What notices which of these edits, by its place: a subject; empty if nothing does.

    Those are left out that cannot be made in a living function.
    """
    found = _by_file(_at_once, mutants, workers)
    return {place: one.subject if one else "" for place, one in found.items()}


def searched(mutants: Sequence[Mutant], workers: int, tries: int) -> list[Mutant]:
    """Keep the histories that tell these edits from what is right; returns the edits that none does."""
    found = _by_file(partial(_searched, tries), mutants, workers)
    kept = {name: {*numbers} for name, numbers in random.chosen().items()}
    for name, number in (one.chosen for one in found.values() if one and one.chosen):
        kept.setdefault(name, set()).add(number)
    text = json.dumps({name: sorted(kept[name]) for name in sorted(kept)}, indent=0)
    random.CHOSEN.write_text(f"{text}\n", "utf-8")
    return [mutants[place] for place, one in found.items() if one is None]


class Seen(NamedTuple):
    """What a process says of the history that notices an edit."""

    subject: str
    chosen: tuple[str, int] | None


def _at_once(living: Living, edit: Edit) -> Try | None:
    return living.notices(edit)


def _searched(tries: int, living: Living, edit: Edit) -> Try | None:
    return living.notices(edit) or living.notices(edit, tries)


def _by_file(
    look: Callable[[Living, Edit], Try | None], mutants: Sequence[Mutant], workers: int
) -> dict[int, Seen | None]:
    """What notices each edit that can be made; a process keeps the histories that it has made once."""
    files: dict[str, list[tuple[int, Mutant]]] = {}
    for number, one in enumerate(mutants):
        files.setdefault(one.file, []).append((number, one))
    living = Living()
    living.prepare()
    fork = multiprocessing.get_context("fork")
    with fork.Pool(workers, _begin, (living, look)) as pool:
        return dict(chain.from_iterable(pool.imap_unordered(_of_file, files.values())))


_OF_PROCESS: list[tuple[Living, Callable[[Living, Edit], Try | None]]] = []


def _begin(living: Living, look: Callable[[Living, Edit], Try | None]) -> None:
    signal.signal(signal.SIGVTALRM, _hangs)
    _OF_PROCESS.append((living, look))


def _of_file(some: Sequence[tuple[int, Mutant]]) -> list[tuple[int, Seen | None]]:
    ((living, look),) = _OF_PROCESS
    edits = [(number, living.edit(one)) for number, one in some]
    found = [(number, look(living, edit)) for number, edit in edits if edit]
    return [(number, Seen(one.subject, one.chosen) if one else None) for number, one in found]


def _anyway(subject: str, number: int, row: Any) -> list[Try]:
    """The histories that are judged anyway.

    Raises:
        RuntimeError: something else is found in one than what is kept.
    """
    histories = row.histories()
    found = {what: row.safely(records) for what, records in histories.items()}
    if told.changes(KEPT[subject][number], found):
        raise RuntimeError(f"fails though nothing is wrong: {told.__name__}[{subject}]")
    return [Try(subject, row, records, found[what], None) for what, records in histories.items()]


def _more(subject: str, row: Any, count: int) -> Iterator[Try]:
    name = random.name_of(row.records)
    numbers = [*range(row.many, row.many + max(_LEAST, count))]
    for number, (_, records) in zip(numbers, random.at_random(row.records, numbers), strict=True):
        yield Try(subject, row, records, row.safely(records), (name, number))


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_firstlineno, code.co_name


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of each function of a module or class, in order; what is within one is a part of it."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if one.co_flags & _OF_A_FUNCTION == _OF_A_FUNCTION:
                yield one
            else:
                yield from _codes(one)


def _does(code: CodeType) -> object:
    """What code does, without where it stands."""
    consts = tuple(_does(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts)
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars


def _hangs(_signal: int, _frame: FrameType | None) -> None:
    raise Hung
