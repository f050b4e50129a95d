"""Runs of ``batchproof`` as a user starts them: in a process group of their own, watched from outside."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from command import COMMAND
from waiting import HANGS_S, eventually

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    import pytest

T = TypeVar("T")
_LISTENING = "0A"


def listening() -> set[str]:
    """The inodes of all sockets that listen."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[9] for row in rows if row[3] == _LISTENING}


def listened_on(pids: Iterable[int]) -> set[str]:
    """The inodes of the sockets on which these processes listen at this moment.

    Not their ports: the next program on this machine may be given one of those.
    """
    inodes: set[str] = set()
    for pid in pids:
        for opened in Path(f"/proc/{pid}/fd").glob("*"):
            with contextlib.suppress(OSError):
                inodes.update(re.findall(r"^socket:\[(\d+)\]$", str(opened.readlink())))
    return inodes & listening()


class Start(Protocol):
    """Starts ``batchproof`` with arguments, in an empty folder."""

    def __call__(self, *arguments: str | Path, env: Mapping[str, str] | None = None) -> Run: ...


def started(folders: pytest.TempPathFactory) -> Iterator[Start]:
    """What starts ``batchproof``; what still runs of it afterwards is killed."""
    runs: list[Run] = []

    def start(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Run:
        runs.append(Run.start(folders.mktemp("run"), arguments, env or {}))
        return runs[-1]

    yield start
    for run in runs:
        run.wipe()


@dataclass
class Run:
    """A ``batchproof`` command that is running, or has ended.

    All that it starts is known by its temporary folder: every process of it has TMPDIR there, or below.
    """

    process: subprocess.Popen[str]
    temporary: Path
    output: Path
    said: str = ""

    @classmethod
    def start(cls, folder: Path, arguments: Collection[str | Path], env: Mapping[str, str]) -> Run:
        """Start the command in a folder of its own."""
        temporary, cwd = folder / "tmp", folder / "cwd"
        temporary.mkdir(parents=True)
        cwd.mkdir()
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=cwd,
            env={
                **os.environ,
                **env,
                "TMPDIR": str(temporary),
                "BATCHPROOF_RUNS": str(temporary / "runs"),
                "COLUMNS": "250",
            },
            start_new_session=True,
        )
        return cls(process, temporary, cwd / "batchproof-results")

    def end(self) -> int:
        """Wait for its end; the exit code. ``said`` is all that it printed."""
        self.said = self.process.communicate(timeout=HANGS_S)[0]
        return self.process.returncode

    def interrupt(self) -> None:
        """Press Ctrl-C: every process of the terminal's foreground group gets the signal."""
        os.killpg(self.process.pid, signal.SIGINT)

    def wipe(self) -> None:
        """Kill what still lives of it."""
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    # -- what it consists of

    def pids(self, argument: str = "") -> list[int]:
        """The processes of the run that live, whose command line holds the argument."""
        mark = f"TMPDIR={self.temporary}".encode()  # and that of the implementation is one below
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                environment = (process / "environ").read_bytes().split(b"\0")
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if any(one.startswith(mark) for one in environment) and argument in command:
                    found.append(int(process.name))
        return found

    def workers(self) -> list[int]:
        """The pytest workers: a Python each, told by its standard input what to do."""
        return self.pids("exec(eval(sys.stdin.readline()))")

    def sockets(self) -> set[str]:
        """The inodes of the sockets on which processes of the run listen at this moment."""
        return listened_on(self.pids())

    def nothing_is_left(self, sockets: Collection[str] = ()) -> None:
        """See that no process of it lives, no folder of it remains, none of its sockets listens."""
        eventually(f"these processes end: {self.pids()}", lambda: not self.pids())
        eventually("all folders are removed", lambda: not self.folders())
        eventually("no process listens any more", lambda: not listening() & set(sockets))

    def folders(self) -> list[Path]:
        """The temporary folders that are there."""
        runs = self.temporary / "runs"
        around = [one for one in self.temporary.iterdir() if one != runs]
        return [*around, *(runs.iterdir() if runs.is_dir() else ())]

    # -- what it writes

    def records(self) -> list[dict[str, Any]]:
        """What the results stream holds by now."""
        stream = self.output / "results.jsonl"
        lines = stream.read_text().split("\n")[:-1] if stream.is_file() else []
        return [json.loads(line) for line in lines]

    @property
    def plays(self) -> list[dict[str, Any]]:
        """The records of scenarios by now: two of what was played twice."""
        return [one for one in self.records() if one["record"] == "scenario"]

    @property
    def scenarios(self) -> list[dict[str, Any]]:
        """The record of each scenario by now: the one that counts."""
        return list({one["id"]: one for one in self.plays}.values())

    @property
    def footer(self) -> dict[str, Any]:
        """The last record, which must be a footer."""
        last = self.records()[-1]
        assert last["record"] == "footer"
        return last

    @property
    def report(self) -> dict[str, Any]:
        """The JSON report."""
        read: dict[str, Any] = json.loads((self.output / "report.json").read_text())
        return read

    def verdicts(self) -> dict[str, str]:
        """The verdict of each scenario by its id."""
        return {one["id"]: one["verdict"] for one in self.scenarios}

    def until(self, what: str, holds: Callable[[], T]) -> T:
        """Wait until something holds while it runs; what it returned then.

        Args:
            what: the event, in words.
            holds: called again and again, until it returns something true.

        Raises:
            AssertionError: the command has ended before, or it never held.
        """

        def looked() -> T:
            ended = self.process.poll() is not None
            if not (found := holds()) and ended:
                raise AssertionError(f"it ended with {self.end()} before {what}:\n{self.said}")
            return found

        return eventually(what, looked)

    def wait_for_scenario(self) -> None:
        """Wait until the first verdict has come, so that others are being judged."""
        self.until("a scenario is judged", lambda: self.scenarios)
