"""How long processes wait for a processor, as Linux counts it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from waiting import eventually

from batchproof.processes.scheduling import queued, queued_here, queued_since

if TYPE_CHECKING:
    from collections.abc import Iterator

BUSY = "import os\nos.sched_setaffinity(0, {PLACE})\nprint(flush=True)\nwhile True: pass"
SHELL = ["sh", "-c", 'read line; echo "$line"; read line']
ENOUGH_S = 0.3


@pytest.fixture
def crowded() -> Iterator[list[int]]:
    """Three processes that are always busy, and have one processor together."""
    code = BUSY.replace("PLACE", str(min(os.sched_getaffinity(0))))
    busy = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(3)]
    try:
        for each in busy:
            assert each.stdout
            each.stdout.readline()
        yield [each.pid for each in busy]
    finally:
        for each in busy:
            each.kill()
            each.communicate()


def test_processes_that_share_a_processor_wait_for_it(crowded: list[int]) -> None:
    before = queued(crowded)
    eventually("they waited", lambda: queued_since(before, queued(crowded)) > ENOUGH_S)
    assert set(before) == set(crowded)


def test_what_a_process_starts_is_part_of_it(crowded: list[int]) -> None:
    assert set(crowded) < set(queued([os.getpid()]))


def test_a_process_that_waits_for_something_else_does_not_wait_for_a_processor() -> None:
    with subprocess.Popen(SHELL, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as idle:
        assert idle.stdin
        assert idle.stdout
        idle.stdin.write(b"ready\n")
        idle.stdin.flush()
        idle.stdout.readline()
        eventually("it waits for a line", lambda: _asleep(idle.pid))
        before = queued([idle.pid])
        assert queued_since(before, queued([idle.pid])) == 0
        idle.stdin.close()


def _asleep(pid: int) -> bool:
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:  # noqa: PTH123
        return stat.read().rsplit(")", 1)[1].split()[0] == "S"


def test_the_thread_that_asks_is_one_of_its_process() -> None:
    assert queued_here().keys() == {threading.get_native_id()}
    assert queued_here().keys() <= queued([os.getpid()]).keys()


def test_what_has_ended_has_no_times() -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    assert queued([ended.pid]) == {}
