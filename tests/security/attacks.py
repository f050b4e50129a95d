"""What the attacks share: acting as another user, and the command line with all that it prints."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import report_sample as sample
from waiting import HANGS_S

from batchproof.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

OTHER_USER = 65534
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
_WORKS_FOR_EVER_S = 300.0  # of the processor: no machine needs as much for what ends


def as_another_user(act: Callable[[], object]) -> None:
    """Do something in a process of another user, and wait for it."""
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(OTHER_USER)
            os.setuid(OTHER_USER)
            os.umask(0o022)
            act()
        except BaseException as error:  # noqa: BLE001 - nothing of this test may go on in the child
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def shared(folder: Path) -> Path:
    """A folder for all users, as the system's temporary folder is, with a way to it."""
    folder.mkdir()
    folder.chmod(0o1777)
    for around in folder.parents:
        if around.stat().st_uid == os.geteuid() and around.stat().st_mode & 0o001 == 0:
            around.chmod(around.stat().st_mode | 0o011)
    return folder


@contextmanager
def ends() -> Iterator[None]:
    """Break off what works or waits for ever, and fail. How long it takes otherwise does not matter."""

    def too_long(*_: object) -> None:
        pytest.fail(f"it took longer than {_WORKS_FOR_EVER_S:g} s of the processor, or {HANGS_S:g} s")

    before = {number: signal.signal(number, too_long) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, _WORKS_FOR_EVER_S)  # of this process: other load says nothing
    signal.setitimer(signal.ITIMER_REAL, HANGS_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass(frozen=True)
class Ended:
    """A command that has ended.

    Attributes:
        code: its exit code.
        out: its standard output.
        err: its standard error.
    """

    code: int
    out: str
    err: str

    @property
    def sound(self) -> bool:
        """It ended on purpose, and no error of Python reached the user."""
        return "Traceback" not in self.err and "a mistake of batchproof" not in self.err


@dataclass(frozen=True)
class CommandLine:
    """``batchproof`` in this process: many attacks in little time."""

    monkeypatch: pytest.MonkeyPatch
    captured: pytest.CaptureFixture[str]

    def __call__(self, *words: str | Path) -> Ended:
        """Run a command to its end."""
        self.monkeypatch.setattr(sys, "argv", ["batchproof", *map(str, words)])
        self.captured.readouterr()
        with ends(), pytest.raises(SystemExit) as ended:
            main()
        out, err = self.captured.readouterr()
        return Ended(ended.value.code if isinstance(ended.value.code, int) else 1, out, err)


@pytest.fixture
def batchproof(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line."""
    return CommandLine(monkeypatch, capfd)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder of results, as a vendor sends it."""
    folder = tmp_path / "results"
    folder.mkdir()
    sample.write_stream(folder, sample.stream(sample.scenarios()))
    return folder
