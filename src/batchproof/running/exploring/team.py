"""The workers of an exploration: processes with a cell, and for each a thread that speaks with it."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from multiprocessing.connection import Listener
from typing import TYPE_CHECKING

from batchproof.ground import stored
from batchproof.ground.errors import HarnessError
from batchproof.processes.environment import ours
from batchproof.processes.programs import Process, spawn
from batchproof.running.exploring.exploration import Exploration
from batchproof.running.exploring.tasks import LOST, TaskResult, WorkerSetting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOOK_EVERY_S = 0.2


class Team:
    """The given number of workers that play what an exploration gives out.

    Attributes:
        trouble: why workers were lost.
    """

    def __init__(self, exploration: Exploration, workers: Process, listener: Listener, count: int) -> None:
        self._exploration = exploration
        self._workers = workers
        self._listener = listener
        self.trouble: list[str] = []
        self._mistake: Exception | None = None
        self._began = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
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
        if self._workers.returncode:
            said = self.trouble[-1] if self.trouble else self._workers.tail()
            raise HarnessError(f"all workers were lost: {said}")
        if not working and not self._began and self.trouble:
            raise HarnessError(f"no worker could start: {self.trouble[-1]}")
        return working and self._workers.alive

    def _serve(self) -> None:
        """Speak with one worker until there is nothing more to play."""
        line = self._listener.accept()
        name = line.recv_bytes().decode()
        try:
            answer: TaskResult = stored.decode(line.recv_bytes(), TaskResult)
            while answer.at != LOST:
                self._began = True
                if not (task := self._exploration.next()):
                    line.send_bytes(b"")
                    line.poll(10)  # until it has shut its cell
                    return
                answer = TaskResult("errored", stopped=f"worker {name} was lost")
                try:
                    line.send_bytes(stored.encode(task))
                    answer = stored.decode(line.recv_bytes(), TaskResult)
                finally:
                    self._exploration.done(task.name, answer)
            self.trouble.append(answer.stopped)
        except (EOFError, OSError) as error:
            self.trouble.append(f"worker {name}: {error}")
        except Exception as error:  # noqa: BLE001 - a mistake of ours, for the task that waits
            self._mistake = error


@contextmanager
def team(exploration: Exploration, setting: WorkerSetting, count: int) -> Iterator[Team]:
    """The given number of workers for the length of a block; afterwards none of them runs."""
    file, socket = setting.run_dir / "exploring.json", setting.run_dir / "exploring"
    file.write_bytes(stored.encode(setting))
    module = "batchproof.running.exploring.worker"
    argv: list[str | Path] = [sys.executable, "-m", module, file, socket, str(count)]
    with Listener(str(socket), family="AF_UNIX", backlog=count) as listener:
        log = setting.run_dir / "workers.log"
        workers = spawn(argv, run_dir=setting.run_dir, name="workers", log=log, env=ours())
        try:
            yield Team(exploration, workers, listener, count)
        finally:
            exploration.stop()
            workers.stop()
