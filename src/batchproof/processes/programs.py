"""How programs are started, and how nothing of a run is left behind.

A run owns a private folder, and a janitor owns the run: a separate tiny process (janitor.py) that waits for
the end of the run, kills every process that was started in it and removes the folder. The normal end takes
the same way as ``kill -9``: the run closes its end of a pipe, by itself or by dying.

A process is registered by a file in the folder, so that any process of the run (each pytest worker is one)
can start programs with nothing but the folder's path. A second folder, elsewhere, takes what the
implementation may know: credentials of the control plane lie in the first.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.ground import places
from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes import janitor, orphans
from batchproof.processes.environment import ours

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_JANITOR_LIMIT_S = 150.0  # it may have to delete a cluster
_TAIL_BYTES = 64 * 1024
_FIRST_LINES = 3
_LAST_LINES = 20


class RunDir:
    """The folder of a run; what is started in it ends with it.

    Attributes:
        path: the folder (mode 0700), in that of all runs of this user.
    """

    def __init__(self) -> None:
        # Resolved, because what is compared later must have one spelling (macOS links /tmp and /var).
        around = places.runs_folder().resolve()
        outside = Path(tempfile.gettempdir()).resolve() / f"{janitor.PREFIX}{secrets.token_hex(4)}"
        self.path = around / f"{janitor.PREFIX}{secrets.token_hex(4)}"
        # The pipe's write end is closed on exec: only this process can hold it open.
        self._janitor = subprocess.Popen(
            [sys.executable, "-I", "-S", janitor.__file__, str(around), self.path.name, str(outside)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd="/",
            env=ours(),  # it deletes clusters, as this process would
        )
        orphans.ours.add(self._janitor.pid)
        first = self._janitor.stdout.readline() if self._janitor.stdout else b""
        if first != b"ready\n":
            why = first.decode(errors="replace") + self._end()
            raise HarnessError(f"the folder {self.path} of this run cannot be made: {why}")

    def close(self) -> None:
        """Kill what still runs and remove the folder.

        Raises:
            HarnessError: something could not be killed or removed.
        """
        said = self._end()
        if self._janitor.returncode:
            raise HarnessError(f"{self.path} could not be cleaned up: {said}")

    def _end(self) -> str:
        try:
            said, _ = self._janitor.communicate(timeout=_JANITOR_LIMIT_S)
        except subprocess.TimeoutExpired as error:
            raise HarnessError(f"{self.path} was not cleaned up within {_JANITOR_LIMIT_S:.0f} s") from error
        return said.decode(errors="replace").strip()


@contextlib.contextmanager
def run_directory() -> Iterator[RunDir]:
    """A run's folder for the length of a block."""
    run = RunDir()
    try:
        yield run
    finally:
        run.close()


class Process:
    """A program that was started in a run, with all that it starts itself (one process group).

    Of a program that is not trusted also what has left its group ends with it, and stands still with it.

    Attributes:
        name: what it is called in messages.
        pid: its process id, which is also the id of its group.
        log: the file that takes its output.
    """

    def __init__(
        self,
        name: str,
        popen: subprocess.Popen[bytes],
        log: Path,
        registration: Path,
        *,
        trusted: bool = True,
    ) -> None:
        self.name = name
        self._trusted = trusted
        self.pid = popen.pid
        self.log = log
        self._popen = popen
        self._registration = registration

    @property
    def returncode(self) -> int | None:
        """How it ended (negative: by that signal); None while it runs."""
        if self._popen.returncode is None and self._popen.poll() is not None:
            self._end_group()
        return self._popen.returncode

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.returncode is None

    def kill(self) -> None:
        """End it and its group with SIGKILL, and wait until it is gone."""
        if self.alive:
            self._signal(signal.SIGKILL)
            self._popen.wait()
            self._end_group()

    def stop(self, grace_s: float = 5.0) -> None:
        """Ask it to end with SIGTERM; what still runs after the grace is killed."""
        if not self.alive:
            return
        self._signal(signal.SIGTERM)
        self.wait(grace_s)
        self.kill()

    def pause(self) -> None:
        """Let it and its group stand still (SIGSTOP) until ``wake``; it can be killed meanwhile."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it and its group go on (SIGCONT)."""
        self._signal(signal.SIGCONT)

    def wait(self, limit_s: float | None = None) -> int | None:
        """Wait for its end: how it ended, or None if it still runs after the limit."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(limit_s)
            self._end_group()
        return self._popen.returncode

    def tail(self, lines: int = _LAST_LINES) -> str:
        """The last lines of its output."""
        return tail(self.log, lines)

    def said(self) -> str:
        """The first and the last lines of its output: a program that refuses a flag says so first."""
        lines = _end_of(self.log).splitlines()
        if len(lines) > _FIRST_LINES + _LAST_LINES:
            lines[_FIRST_LINES:-_LAST_LINES] = ["..."]
        return "\n".join(lines)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
        if not self._trusted and number in {signal.SIGSTOP, signal.SIGCONT}:
            orphans.tell(self.pid, number)

    def _end_group(self) -> None:
        # No other process can have this id yet: the program's end was noticed at this moment.
        self._signal(signal.SIGKILL)
        self._registration.unlink(missing_ok=True)
        orphans.ours.discard(self.pid)
        if not self._trusted:
            orphans.end()


def spawn(
    argv: Sequence[str | Path],
    *,
    run_dir: Path,
    name: str,
    log: Path,
    env: Mapping[str, str],
    cwd: Path | None = None,
    trusted: bool = True,
) -> Process:
    """Start a program that ends with the run at the latest.

    Args:
        argv: the program and its arguments.
        run_dir: the folder of the run (``RunDir.path``).
        name: what it is called in messages.
        log: the file to which its output is appended.
        env: all its variables (see ``environment``).
        cwd: its working folder; that of this process if absent.
        trusted: it leaves nothing running; else that is looked for (see ``orphans``).

    Raises:
        UserError: there is no such program, or it must not be run.
        HarnessError: the run has ended.
    """
    mark = _kept(run_dir, janitor.MARK_FILE, name)
    if not trusted:
        orphans.adopt()
    try:
        with log.open("ab") as output, orphans.STARTING:
            popen = subprocess.Popen(
                [str(word) for word in argv],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=cwd,
                # The mark finds it if this process dies before the next line, and what leaves the group.
                env={**env, janitor.MARK: mark},
            )
            orphans.ours.add(popen.pid)
    except OSError as error:
        raise UserError(f"{name} cannot be started: {error.strerror}: {error.filename or argv[0]}") from error
    try:
        registration = _register(run_dir, popen.pid, "group")
    except OSError as error:
        os.killpg(popen.pid, signal.SIGKILL)
        popen.wait()
        raise HarnessError(f"{name} was ended: the run that owns {run_dir} has ended") from error
    return Process(name, popen, log, registration, trusted=trusted)


def outside(run_dir: Path) -> Path:
    """The second folder of a run: what lies there may be known to the implementation.

    Raises:
        HarnessError: the run has ended.
    """
    return Path(_kept(run_dir, janitor.OUTSIDE, "nothing"))


def _kept(run_dir: Path, file: str, what: str) -> str:
    try:
        return (run_dir / file).read_text(encoding="utf-8")
    except OSError as error:
        raise HarnessError(f"{what} was not started: the run that owns {run_dir} has ended") from error


def farewell(run_dir: Path, name: str, argv: Sequence[str | Path]) -> Path:
    """Have a program run at the end of the run, however that ends, after all its processes were killed.

    Args:
        run_dir: the folder of the run, which is still there then.
        name: what it is called in messages.
        argv: the program and its arguments.

    Returns:
        The file of the promise: a process that keeps it earlier removes it.
    """
    promise = run_dir / janitor.FAREWELLS / name
    unfinished = run_dir / f"{name}.promise"
    unfinished.write_text("\n".join(map(str, argv)), "utf-8")
    return unfinished.rename(promise)


def lives(run_dir: Path) -> bool:
    """Whether the run of a folder lives: as long as it does, and a little longer, its janitor has a lock."""
    with contextlib.suppress(OSError), _opened(run_dir) as folder:
        lock = janitor.take_lock(folder)
        if lock is None:
            return True
        os.close(lock)
    return False


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = janitor.open_folder(str(folder))
    try:
        yield handle
    finally:
        os.close(handle)


def end_with_run(run_dir: Path) -> None:
    """Let this process itself be killed at the end of the run: for a worker that another process started."""
    _register(run_dir, os.getpid(), "process")


def _register(run_dir: Path, pid: int, kind: str) -> Path:
    registration = run_dir / janitor.PROCESSES / str(pid)
    unfinished = registration.with_suffix(".new")
    unfinished.write_text(f"{kind} {janitor.started(pid)}\n", encoding="ascii")
    return unfinished.rename(registration)


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 on which no process listens at this moment.

    Another program may take one before it is used: the caller must be ready to try others.
    """
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def tail(log: Path, lines: int = _LAST_LINES) -> str:
    """The last lines of a file; "" if there is none."""
    return "\n".join(_end_of(log).splitlines()[-lines:])


def _end_of(log: Path) -> str:
    """A file, or the end of a large one; "" if there is none."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _TAIL_BYTES))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def gone(pid: int, limit_s: float = 5.0) -> bool:
    """Whether a process of any user ends within the limit."""
    end = time.monotonic() + limit_s
    while janitor.started(pid):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
