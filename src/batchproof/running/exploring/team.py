"""The workers of an exploration: processes with a cell, and for each a thread that speaks with it."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Listener
from typing import TYPE_CHECKING, Any

from batchproof.errors import HarnessError
from batchproof.processes.programs import spawn
from batchproof.running.exploring.tasks import Answer, dump, load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from batchproof.processes.programs import Process
    from batchproof.running.exploring.exploration import Exploration
    from batchproof.running.exploring.tasks import Setting

_LOOK_EVERY_S = 0.2


class Team:
    """So many workers that play what an exploration gives out.

    Attributes:
        trouble: why workers were lost.
    """

    def __init__(self, exploration: Exploration, processes: list[Process], listener: Listener) -> None:
        self._exploration = exploration
        self._processes = processes
        self._listener = listener
        self.trouble: list[str] = []
        self._mistake: Exception | None = None
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in processes]
        for thread in self._threads:
            thread.start()

    def wait(self) -> bool:
        """Wait a moment; whether any worker is still at work.

        Raises:
            HarnessError: no worker is left though there was something to play.
        """
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_LOOK_EVERY_S)
                break
        if self._mistake:
            raise self._mistake
        working = any(thread.is_alive() for thread in self._threads)
        lost = [one for one in self._processes if one.returncode]
        if len(lost) == len(self._processes):
            said = self.trouble[-1] if self.trouble else lost[0].tail()
            raise HarnessError(f"all workers were lost: {said}")
        return working and any(one.alive for one in self._processes)

    def _serve(self) -> None:
        """Speak with one worker until there is nothing more to play."""
        line = self._listener.accept()
        name = line.recv_bytes().decode()
        try:
            while task := self._exploration.next():
                answer = Answer("errored", stopped=f"worker {name} was lost")
                try:
                    line.send_bytes(dump(task))
                    answer = load(Answer, line.recv_bytes())
                finally:
                    self._exploration.done(task.name, answer)
                if answer.at == -1:
                    self.trouble.append(answer.stopped)
                    return
            line.send_bytes(b"")
            line.poll(10)  # until it has shut its cell
        except (EOFError, OSError) as error:
            self.trouble.append(f"worker {name}: {error}")
        except Exception as error:  # noqa: BLE001 - a mistake of ours, for whoever waits
            self._mistake = error


@contextmanager
def team(exploration: Exploration, setting: Setting, count: int) -> Iterator[Team]:
    """So many workers for the length of a block; afterwards none of them runs."""
    file, socket = setting.run_dir / "exploring.json", setting.run_dir / "exploring"
    file.write_bytes(dump(setting))
    with Listener(str(socket), family="AF_UNIX", backlog=count) as listener:
        processes = [_worker(setting.run_dir, f"w{number}", file, socket) for number in range(count)]
        try:
            yield Team(exploration, processes, listener)
        finally:
            exploration.stop()
            with ThreadPoolExecutor(count) as ending:  # each has its implementation to stop: all at once
                list(ending.map(lambda process: process.stop(), processes))


def _worker(run_dir: Path, name: str, *arguments: Any) -> Process:
    setting, socket = arguments
    argv = [sys.executable, "-m", "batchproof.running.exploring.worker", setting, name, socket]
    return spawn(argv, run_dir=run_dir, name=f"worker {name}", log=run_dir / f"{name}.log")
