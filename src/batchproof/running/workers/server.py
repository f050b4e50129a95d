"""Loads what a worker needs, and forks a worker each time that one is asked for.

Usage: python -u -m batchproof.running.workers.server RUN_DIR FEATURES. It has one thread, so that a fork can
hold no lock of another, and ends when its standard input does: with the process that started it.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import FrameType

SOCKET: Final = "workers.sock"
"""In the folder of the run, where ``ask`` finds the server."""
READY: Final = b"ready\n"
"""What the server prints once it can fork workers."""
_WAITING: Final = 1024
_STREAMS: Final = (0, 1, 2)


def main() -> None:
    """Serve; in each fork, be the worker."""
    run_dir, what = map(Path, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides when to end
    listener = _listening(run_dir)
    _load(run_dir, what)
    os.write(sys.stdout.fileno(), READY)
    if ForkServer(listener).serves():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = ["-c"]
        # What the Python would do that pytest-xdist means to start (execnet.gateway_io, popen_bootstrapline).
        exec(eval(sys.stdin.readline()), {"__name__": "__main__"})  # noqa: S102, S307 - from the run itself


def _listening(run_dir: Path) -> socket.socket:
    """A socket in the folder of the run, which other users cannot enter."""
    before = Path.cwd()
    os.chdir(run_dir)  # its path may be longer than an address can be
    listener = socket.socket(socket.AF_UNIX)
    (run_dir / SOCKET).unlink(missing_ok=True)  # an earlier session of the run had one
    listener.bind(SOCKET)
    listener.listen(_WAITING)
    os.chdir(before)
    return listener


def _load(run_dir: Path, what: Path) -> None:
    """Have everything in memory that each worker would load, and keep the garbage collector off it."""
    import pytest_bdd.plugin  # noqa: F401, PLC0415 - all of these once the socket is there
    import xdist.remote  # noqa: F401, PLC0415

    import batchproof.running.session.judge  # noqa: F401, PLC0415
    from batchproof.evidence.plan import catalogue  # noqa: PLC0415
    from batchproof.processes.programs import end_with_run  # noqa: PLC0415
    from batchproof.running.session.sentences import modules  # noqa: PLC0415
    from batchproof.specification.registry import load_registry  # noqa: PLC0415

    end_with_run(run_dir)
    modules()
    load_registry()
    catalogue(what)
    gc.collect()
    gc.freeze()


class ForkServer:
    """Forks workers, and notifies their clients when they have ended."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._asked: dict[int, socket.socket] = {}
        """The connection of the process that asked for a worker, by the id of the worker."""

    def serves(self) -> bool:
        """Serve until the standard input ends; returns whether this process is a worker meanwhile."""
        woken, wakes = os.pipe()
        for end in (woken, wakes):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _nothing)  # it has to be caught to be reported
        for one in (self._listener, sys.stdin.fileno(), woken):
            self._selector.register(one, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fd == sys.stdin.fileno():
                    return False
                if key.fd == woken:
                    os.read(woken, _WAITING)
                    self._reap()
                elif key.fileobj is not self._listener:
                    self._unasked(key.data)
                elif self._fork():
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    self._let_go(woken, wakes)
                    return True

    def _fork(self) -> bool:
        """Fork a worker with the streams of the process that asks; returns whether this is the worker."""
        asking, _ = self._listener.accept()
        _, streams, _, _ = socket.recv_fds(asking, 1, len(_STREAMS))
        if len(streams) != len(_STREAMS):  # it has died before it could ask
            asking.close()
            return False
        worker = os.fork()
        if worker:
            self._asked[worker] = asking
            self._selector.register(asking, selectors.EVENT_READ, worker)
        else:
            asking.close()
            for stream, place in zip(streams, _STREAMS, strict=True):
                os.dup2(stream, place)
        for stream in streams:
            os.close(stream)
        return not worker

    def _reap(self) -> None:
        """Report the workers that have ended."""
        for worker in [*self._asked]:
            if os.waitpid(worker, os.WNOHANG)[0]:
                self._told(worker)

    def _unasked(self, worker: int) -> None:
        """End a worker: the process that asked for it has been killed."""
        if worker in self._asked:
            os.kill(worker, signal.SIGKILL)
            os.waitpid(worker, 0)
            self._told(worker)

    def _told(self, worker: int) -> None:
        asking = self._asked.pop(worker)
        self._selector.unregister(asking)
        asking.close()

    def _let_go(self, *pipe: int) -> None:
        """Close, in a worker, what belongs to the server."""
        self._selector.close()
        self._listener.close()
        for asking in self._asked.values():
            asking.close()
        for end in pipe:
            os.close(end)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """Do nothing with a signal."""


if __name__ == "__main__":
    main()
