"""What a shard prints: its messages, in frames, and how far it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from batchproof.evidence.plan import history_path, of_node
from batchproof.ground.screen import say
from batchproof.running.progress import BAD, RunProgress
from batchproof.submitting import frames
from batchproof.submitting.messages import (
    Message,
    ResultFile,
    ScenarioFinished,
    ScenarioLeft,
    ScenarioRetried,
    ScenarioStarted,
    encode,
)

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path
    from typing import IO, TextIO


class Sender:
    """Prints messages, and the files of a folder of results, each once.

    Args:
        out: where to.
        writer: makes lines of messages.
        folder: the folder of the results.
        kept: a file that gets the same lines, if any.
    """

    def __init__(
        self, out: TextIO, writer: frames.Writer, folder: Path, kept: IO[bytes] | None = None
    ) -> None:
        self._out = out
        self._kept = kept
        self._writer = writer
        self._folder = folder
        self._sent: set[str] = set()

    def send(self, message: Message) -> None:
        """Print a message."""
        self._print(*self._writer.lines(encode(message)))

    def send_history(self, node: str) -> None:
        """Print the history of a scenario that a worker has done with, by what pytest calls it."""
        try:
            id_ = of_node(node).id
        except KeyError:  # it was played under faults: its history goes with the rest
            return
        for second in (False, True):
            self.send_file(str(history_path(id_, second=second)))

    def end(self) -> None:
        """Print the last line."""
        self._print(self._writer.footer())

    def send_file(self, path: str) -> None:
        """Print a file by its path below the folder, if it is there and was not printed yet."""
        if path not in self._sent and (self._folder / path).is_file():
            self._sent.add(path)
            self.send(ResultFile(path, (self._folder / path).read_bytes()))

    def _print(self, *lines: str) -> None:
        for line in lines:
            say(line, to=self._out)
            if self._kept:
                self._kept.write(f"{line}\n".encode())


class ShardProgress(RunProgress):
    """Prints how far a shard is twice: in frames for the command that submitted it, in words for readers.

    Args:
        sender: prints the frames.
        what: what is counted.
        bad: the verdicts that are counted besides.
    """

    def __init__(self, sender: Sender, *, what: str = "scenario", bad: tuple[str, ...] = BAD) -> None:
        super().__init__(sys.stderr, what=what, bad=bad)
        self._sender = sender

    def started(self, id_: str) -> None:
        """A scenario has begun."""
        super().started(id_)
        self._sender.send(ScenarioStarted(id_))

    def left(self, id_: str) -> None:
        """A worker has done with it, and its history is whole."""
        super().left(id_)
        self._sender.send(ScenarioLeft(id_))
        self._sender.send_history(id_)

    def again(self, verdict: str) -> None:
        """A scenario will be played a second time."""
        super().again(verdict)
        self._sender.send(ScenarioRetried(verdict))

    def finished(self, id_: str, verdict: str, title: str = "", broken: Collection[str] = ()) -> None:
        """A scenario has its verdict."""
        super().finished(id_, verdict, title, broken)
        self._sender.send(ScenarioFinished(id_, verdict, title, tuple(broken)))
