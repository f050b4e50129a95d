"""How tests wait: ruff refuses all ways but those of ``waiting``, in tests alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OTHER_WAYS = """\
import asyncio
import time
from time import perf_counter, process_time

time.sleep(1)
end = time.monotonic() + 5


async def look(it):
    await asyncio.sleep(0)
    await asyncio.wait_for(it, 5)
    async with asyncio.timeout(5):
        await it
"""
BANNED = {
    *("time.sleep", "time.monotonic", "time.perf_counter", "time.process_time"),
    *("asyncio.sleep", "asyncio.wait_for", "asyncio.timeout"),
}


def banned(file: str) -> set[str]:
    """What ruff finds banned in a file that looks at the clock in all ways."""
    command = [sys.executable, "-m", "ruff", "check", "--output-format=json", f"--stdin-filename={file}", "-"]
    ended = subprocess.run(command, input=OTHER_WAYS, cwd=ROOT, capture_output=True, text=True, check=False)
    return {one["message"].split("`")[1] for one in json.loads(ended.stdout) if one["code"] == "TID251"}


@pytest.mark.parametrize("folder", ["unit", "unit/reference", "integration", "security", "wheel", "new"])
def test_ruff_refuses_every_other_way_to_wait(folder: str) -> None:
    assert banned(f"tests/{folder}/test_new.py") == BANNED


def test_no_program_that_gets_a_signal_waits_in_one_call() -> None:
    """What ruff cannot see: Python code in a text. ``waiting.LIVES`` is what such a program does."""
    waits = re.compile(r"signal\.pause\(|time\.sleep\(float")
    others = (path for path in (ROOT / "tests").rglob("*.py") if path.name != Path(__file__).name)
    assert not [path.name for path in others if waits.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("file", ["tests/unusual/job/new.py", "src/batchproof/new.py", "benchmarks/new.py"])
def test_what_is_no_test_may_look_at_the_clock(file: str) -> None:
    assert banned(file) == set()
