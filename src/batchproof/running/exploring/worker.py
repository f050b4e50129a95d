"""The process of a worker: it plays what it is given until there is nothing more.

Started by ``team`` as ``python -m batchproof.running.exploring.worker SETTING NAME SOCKET``. The one that
started it speaks with it over the socket, and it ends with the run however that ends.
"""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

from batchproof.cell import Cell
from batchproof.cell.instance import Program
from batchproof.control_plane.plane import await_plane
from batchproof.control_plane.remains import cell_name
from batchproof.descriptor.implementation import load as descriptor
from batchproof.errors import BatchproofError
from batchproof.profiles import profile
from batchproof.running.exploring.player import Player
from batchproof.running.exploring.tasks import Answer, Setting, Task, dump, load


def main(setting_file: str, name: str, socket: str) -> None:
    """Play what comes over the socket; an empty message is the end."""
    signal.signal(signal.SIGTERM, _end)
    setting: Setting = load(Setting, Path(setting_file).read_bytes())
    with Client(socket, family="AF_UNIX") as line:
        line.send_bytes(name.encode())
        try:
            _play(setting, name, line)
        except (EOFError, OSError):
            pass  # the run has ended
        except BatchproofError as error:
            line.send_bytes(dump(Answer("errored", stopped=str(error), at=-1)))


def _end(*_: object) -> None:
    raise SystemExit(0)


def _play(setting: Setting, name: str, line: Any) -> None:
    implementation = descriptor(setting.descriptor)
    histories = setting.run_dir / "explored"
    histories.mkdir(exist_ok=True)
    logs = setting.run_dir / "logs"
    program = Program(implementation, setting.binaries, setting.crds, {}, logs)
    collections = profile(setting.profile).collections(implementation)
    cell = Cell(cell_name(setting.run, name), await_plane(setting.run_dir), program, collections)
    try:
        cell.call(cell.open())
        player = Player(cell, setting.profile, setting.descriptor, histories)
        while said := line.recv_bytes():
            line.send_bytes(dump(player.play(load(Task, said))))
    finally:
        cell.shut()


if __name__ == "__main__":
    main(*sys.argv[1:])
