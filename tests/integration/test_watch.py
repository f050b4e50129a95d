"""``batchproof watch``: what failed is run again when the controller was fixed, and nothing is left."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import planted
import pytest
from waiting import eventually

from batchproof.ground import suite

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Run, Start

WAITS = "waiting for a change"


class Heard:
    """What a watch has said so far."""

    def __init__(self, run: Run) -> None:
        assert run.process.stdout
        self._from = run.process.stdout.fileno()
        os.set_blocking(self._from, False)
        self.text = ""

    def rounds(self) -> list[str]:
        """What each run said that has come to its end."""
        with contextlib.suppress(BlockingIOError):
            self.text += os.read(self._from, 1 << 20).decode()
        return self.text.split(WAITS)[:-1]


@pytest.fixture
def descriptor(tmp_path: Path) -> Path:
    """Of a wrong controller, which a developer has at hand."""
    (tmp_path / "mine").mkdir()
    return planted.wrong(tmp_path / "mine", "pods-without-finalizer")


def put(path: Path, text: str) -> None:
    """Change a file at one moment: however slow this is, no reader sees half of it."""
    beside = path.with_name("beside")
    beside.write_text(text, "utf-8")
    beside.replace(path)


def test_what_failed_is_run_again_when_it_was_fixed_and_ctrl_c_leaves_nothing(
    start: Start, descriptor: Path
) -> None:
    run = start("watch", "-i", descriptor, "-k", "FIN-001 or BAS-013", "-n", "2", "-o", "batchproof-results")
    heard = Heard(run)
    eventually("the first run has ended", heard.rounds)
    played = len(run.scenarios)
    assert "failed" in run.verdicts().values()

    for right in suite.reference().rglob("*.py"):
        mine = descriptor.parent / "planted" / "reference_controller" / right.relative_to(suite.reference())
        if mine.read_bytes() != right.read_bytes():
            put(mine, right.read_text("utf-8"))
    eventually("the second run has ended", lambda: len(heard.rounds()) > 1)
    assert set(run.verdicts().values()) == {"passed"}
    assert len(run.scenarios) < played  # only what failed
    assert "2 fixed: nothing got worse" in heard.rounds()[1]

    run.interrupt()
    assert run.end() == 0, run.said
    assert "Traceback" not in run.said
    run.nothing_is_left()


def test_a_broken_descriptor_is_said_and_watched_on(start: Start, descriptor: Path) -> None:
    right = descriptor.read_text("utf-8")
    run = start("watch", "-i", descriptor, "-k", "FIN-001", "-n", "1", "-o", "batchproof-results")
    heard = Heard(run)
    eventually("the first run has ended", heard.rounds)
    for number, text in ((1, "name: ["), (2, right)):
        put(descriptor, text)
        eventually("it has looked again", lambda number=number: len(heard.rounds()) > number)  # type: ignore[misc]  # mypy infers no default
    assert "not valid YAML" in heard.rounds()[1]
    assert "failed  FIN-001" in heard.rounds()[2]
    run.interrupt()
    assert run.end() == 1, run.said
    run.nothing_is_left()
