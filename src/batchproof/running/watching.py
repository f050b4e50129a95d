"""Runs again what failed whenever the implementation changes, until the user ends it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.descriptor.launch import GoProgram, given_files, program
from batchproof.ground.errors import BatchproofError
from batchproof.ground.screen import say
from batchproof.report.changes import changes
from batchproof.report.failing import to_play_again
from batchproof.report.outcome import judge_run
from batchproof.report.results import Results, read_results
from batchproof.report.wording import count
from batchproof.running.runner import RunOptions, check_reportable
from batchproof.running.runner import run as judge
from batchproof.running.selection import check_known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_INTERRUPTED = 130
_LOOK_EVERY_S = 0.5
_MOST_AGAIN = 40
"""How many scenarios one round runs again: the answer has to come soon."""
_MOST_FILES = 2000
_SOURCES = "PYTHONPATH"

State = tuple[int, int, int] | None


def watch(choices: RunOptions) -> int:
    """Run what is selected, then again whenever the implementation changes what failed, until Ctrl-C.

    Returns:
        The exit code of the last run.

    Raises:
        UserError: the folder of the results cannot be written, or the selection names an id that does not
            exist: no change of the implementation helps.
    """
    check_reportable(choices)
    check_known(choices.expression, choices.what)
    rounds, code = _Rounds(choices), _INTERRUPTED
    try:
        while True:
            before = seen(watched(choices.implementation))
            code = rounds.run()
            if rounds.interrupted:
                return code
            say(
                f"{rounds.next}; waiting for a change of {choices.implementation} or its program, Ctrl-C ends"
            )
            await_change(choices.implementation, before)
    except KeyboardInterrupt:
        return code


class _Rounds:
    """One run after the other: the whole selection, then what failed in it until nothing does."""

    def __init__(self, choices: RunOptions) -> None:
        self._choices = choices
        self._again: tuple[str, ...] = ()
        self._last: Results | None = None
        self.interrupted = False

    def run(self) -> int:
        """Run, and say what changed; what is wrong with the descriptor or the machine is said, and no end."""
        expression = " or ".join(self._again) or self._choices.expression
        try:
            code = judge(replace(self._choices, expression=expression))
        except BatchproofError as error:
            say(f"batchproof: {error}", err=True)
            return 1
        now = read_results(self._choices.output)
        self.interrupted = now.footer.reason == "interrupted"
        if self._last is not None:
            say(changes(self._last, now).sentence)
        self._last = now
        self._again = to_play_again(judge_run(now), _MOST_AGAIN)
        return code

    @property
    def next(self) -> str:
        """What the next run will cover."""
        if self._again:
            return f"{count(len(self._again), 'scenario')} will be run again"
        return "all that was selected will be run again"


def watched(descriptor: str) -> list[Path]:
    """The files whose change starts a run: the descriptor, the programs, their files and Python sources.

    What the descriptor cannot say at the moment is left out: the file itself changes when it is fixed.
    """
    path = descriptors.find(descriptor)
    try:
        implementation = descriptors.load(path)
    except BatchproofError:
        return [path, *descriptors.base_of(path)]
    return [path, *dict.fromkeys(_files(implementation))]


def _files(implementation: Implementation) -> Iterator[Path]:
    if implementation.base:
        yield implementation.base
    for process in implementation.processes:
        if isinstance(process.binary, GoProgram):
            continue  # it is pinned, and does not change
        if process.binary:
            yield process.binary
        yield program(process, process.binary, implementation.descriptor)
        yield from given_files(process, implementation.descriptor)
        yield from _sources(process.env, implementation.descriptor)


def _sources(env: Mapping[str, str], descriptor: Path) -> list[Path]:
    """The Python files below the folders of PYTHONPATH, as many as can be checked twice a second."""
    folder = str(descriptor.resolve().parent)
    places = env.get(_SOURCES, "").replace("{descriptor_dir}", folder).split(os.pathsep)
    found: list[Path] = []
    for place in filter(None, places):
        for path in Path(place).rglob("*.py"):
            if len(found) == _MOST_FILES:
                return found
            found.append(path)
    return found


def seen(files: Sequence[Path]) -> dict[Path, State]:
    """The state of each file: when it was written, its size and its inode; None where it is not there."""
    return {path: _state(path) for path in files}


def _state(path: Path) -> State:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


def await_change(descriptor: str, before: Mapping[Path, State]) -> None:
    """Return when a watched file is another than before, and all have been still for one look: none is half.

    It looks twice a second, which needs no more than a stat of each file.
    """
    last = before
    while True:
        now = seen(watched(descriptor))
        if now != before and now == last:
            return
        last = now
        time.sleep(_LOOK_EVERY_S)
