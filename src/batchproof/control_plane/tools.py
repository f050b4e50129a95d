"""A program that is sent off to do one thing: it comes back with what it said, or with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.processes.environment import ours
from batchproof.processes.programs import spawn, tail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_LOOK_EVERY_S = 0.25


class ToolFailed(Exception):  # noqa: N818 - caught and explained at once, never shown
    """The program ended with an error.

    Attributes:
        output: what it said.
        returncode: how it ended; negative: by that signal.
    """

    def __init__(self, output: str, returncode: int) -> None:
        super().__init__(output)
        self.output = output
        self.returncode = returncode

    def last_words(self, lines: int = 20) -> str:
        """The end of what it said, each line indented."""
        return "\n".join(f"    {line}" for line in self.output.splitlines()[-lines:])


def send(
    argv: Sequence[object],
    *,
    run_dir: Path,
    name: str,
    env: Mapping[str, str],
    cwd: Path,
    looking: Callable[[list[str]], None],
) -> list[str]:
    """Run a program to its end, which is also the run's end at the latest.

    Args:
        argv: the program and its arguments.
        run_dir: the folder of the run; the output is kept there as NAME.log.
        name: what it is called.
        env: variables to add to those of this process.
        cwd: its working folder.
        looking: called now and then with the lines printed so far.

    Returns:
        What it said, line by line.

    Raises:
        ErrandFailed: it ended with an error.
        UserError: it could not be started.
    """
    log = run_dir / f"{name}.log"
    process = spawn([str(word) for word in argv], run_dir=run_dir, name=name, log=log, env=ours(env), cwd=cwd)
    try:
        while process.wait(_LOOK_EVERY_S) is None:
            looking(_lines(log))
    finally:
        process.kill()
    if process.returncode:
        raise ToolFailed(tail(log, 200), process.returncode)
    return _lines(log)


def _lines(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8", errors="replace").splitlines()
