"""The processes of the workers: each plays what it is given until there is nothing more.

Started by ``team`` as ``python -m batchproof.running.exploring.worker SETTING SOCKET COUNT``. What all need
is read once, before the workers are forked from it. The one that started it speaks with each over the
socket, and they end with the run however that ends.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

from batchproof.cell import Cell
from batchproof.cell.instance import LaunchPlan
from batchproof.control_plane.leftovers import cell_name
from batchproof.control_plane.plane import await_plane
from batchproof.ground import stored
from batchproof.ground.errors import BatchproofError
from batchproof.processes.programs import outside
from batchproof.profiles import profile
from batchproof.running.exploring.player import Playbook, Player, playbook
from batchproof.running.exploring.tasks import LOST, READY, Task, TaskResult, WorkerSetting


def main(setting_file: str, socket: str, count: str) -> None:
    """Let that many workers play; it ends when all have ended, with 1 if none of them ended well."""
    setting: WorkerSetting = stored.read(Path(setting_file), WorkerSetting, "the setting of an exploration")
    try:
        book = playbook(setting.profile, setting.descriptor)
    except BatchproofError as error:
        sys.exit(str(error))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the workers get the signal as well, and end first
    forked = multiprocessing.get_context("fork")
    names = [f"w{number}" for number in range(int(count))]
    workers = [forked.Process(target=_work, args=(setting, name, socket, book)) for name in names]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    sys.exit(all(one.exitcode for one in workers))


def _work(setting: WorkerSetting, name: str, socket: str, book: Playbook) -> None:
    """Play what comes over the socket; an empty message is the end."""
    signal.signal(signal.SIGTERM, _end)
    with Client(socket, family="AF_UNIX") as line:
        line.send_bytes(name.encode())
        try:
            _play(setting, name, book, line)
        except (EOFError, OSError):
            pass  # the run has ended
        except BatchproofError as error:
            line.send_bytes(stored.encode(TaskResult("errored", stopped=str(error), at=LOST)))


def _end(*_: object) -> None:
    raise SystemExit(0)


def _play(setting: WorkerSetting, name: str, book: Playbook, line: Any) -> None:
    histories = setting.run_dir / "explored"
    histories.mkdir(exist_ok=True)
    logs = outside(setting.run_dir) / "logs"
    program = LaunchPlan(book.implementation, setting.binaries, setting.crds, {}, logs)
    collections = profile(setting.profile).collections(book.implementation)
    cell = Cell(cell_name(setting.run, name), await_plane(setting.run_dir), program, collections)
    try:
        cell.call(cell.open())
        line.send_bytes(stored.encode(READY))
        player = Player(cell, book, histories)
        while said := line.recv_bytes():
            line.send_bytes(stored.encode(player.play(stored.decode(said, Task))))
    finally:
        cell.shut()


if __name__ == "__main__":
    main(*sys.argv[1:])
