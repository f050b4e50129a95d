"""A worker that hangs is ended, another takes its place, and it is told where it hung."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = """
import faulthandler


class Clock:
    # Time passes only for a worker that hangs: a slow one is never taken for one that hangs.
    due = None

    @classmethod
    def dump_traceback_later(cls, limit_s, **how):
        cls.due = lambda: faulthandler.dump_traceback_later(limit_s, **how)

    @classmethod
    def cancel_dump_traceback_later(cls):
        cls.due = None
"""
PLUGIN = """
from pathlib import Path

from batchproof.running.session import watchdog
from batchproof.running.session.watchdog import HungWorkers, Watchdog
from clock import Clock

STACKS = Path(__file__).parent / "stacks"


def pytest_configure(config):
    watchdog.faulthandler = Clock
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Watchdog(STACKS / config.workerinput["workerid"], 0.1))
    else:
        config.pluginmanager.register(HungWorkers(STACKS))
"""
TESTS = """
import threading
from pathlib import Path

from clock import Clock


def hang_once(where):
    try:
        (Path(__file__).parent / where).touch(exist_ok=False)
    except FileExistsError:
        return
    Clock.due()
    threading.Event().wait()


hang_once("collecting")


def test_a():
    hang_once("playing")


def test_b():
    pass


def test_c():
    pass
"""


def test_who_hangs_is_replaced_and_what_it_played_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "clock.py").write_text(CLOCK, "utf-8")
    (tmp_path / "conftest.py").write_text(PLUGIN, "utf-8")
    (tmp_path / "test_it.py").write_text(TESTS, "utf-8")
    options = [
        "-q",
        "-n",
        "2",
        "--dist=load",
        "--maxschedchunk=1",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
    ]
    command = [sys.executable, "-m", "pytest", *options, f"--rootdir={tmp_path}", str(tmp_path)]

    ran = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)

    said = ran.stdout + ran.stderr
    assert ran.returncode == 1, said
    assert said.count("hung, and was ended and replaced") >= 2, said
    assert "crashed while running 'test_it.py::test_a'; it hung here:" in said
    assert said.count("in hang_once") >= 2
    assert "2 passed" in said
