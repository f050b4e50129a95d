"""Real processes: workers are forks of one that has loaded all, each for a process that asks for it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from waiting import HANGS_S, LIVES

from batchproof.ground import suite
from batchproof.ground.errors import HarnessError
from batchproof.processes.programs import gone, run_directory
from batchproof.running.workers.spread import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ask = Callable[[str], subprocess.Popen[str]]

RUNS = f"import os; print(os.getpid(), flush=True)\n{LIVES}"
"""A worker that runs until it is ended."""


@contextmanager
def asking(run_dir: Path) -> Iterator[Ask]:
    """How a worker is asked for, as pytest-xdist does it with the arguments that it gets."""
    asked = []
    with spread(run_dir, suite.features() / "tfjob", 2) as arguments:
        command = shlex.split(arguments[-1].partition("python=")[2])

        def ask(code: str) -> subprocess.Popen[str]:
            argv = [*command, "-u", "-c", "not looked at"]
            one = subprocess.Popen(argv, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            asked.append(one)
            assert one.stdin
            print(repr(code), file=one.stdin, flush=True)
            return one

        try:
            yield ask
        finally:
            for one in asked:
                one.kill()
                one.communicate()


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """One server for all tests, in a run of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BATCHPROOF_RUNS", str(tmp_path_factory.mktemp("runs")))
        with run_directory() as run, asking(run.path) as how:
            yield how


def line(worker: subprocess.Popen[str]) -> str:
    """The next line that a worker prints."""
    assert worker.stdout
    return worker.stdout.readline().strip()


def answer(ask: Ask, code: str) -> str:
    """What a worker prints that ends by itself, and with it the process that stands for it."""
    worker = ask(code)
    said, _ = worker.communicate(timeout=HANGS_S)
    assert worker.returncode == 0
    return said.strip()


def test_all_workers_are_forks_of_one_process_that_has_loaded_what_they_need(ask: Ask) -> None:
    code = "import os, sys; print(os.getppid(), 'batchproof.running.session.judge' in sys.modules)"
    (first, loaded), (second, _) = (answer(ask, code).split() for _ in range(2))
    assert first == second != str(os.getpid())
    assert loaded == "True"


def test_no_thread_can_hold_a_lock_that_a_worker_waits_for(ask: Ask) -> None:
    """``/proc`` knows threads that Python did not start."""
    assert answer(ask, "import os; print(len(os.listdir(f'/proc/{os.getppid()}/task')))") == "1"


def test_workers_draw_other_random_numbers(ask: Ask) -> None:
    code = "import random; print(random.random())"
    assert answer(ask, code) != answer(ask, code)


def test_a_worker_is_as_one_that_was_started_by_itself(ask: Ask) -> None:
    code = "import os, signal, sys; print(sys.argv, signal.getsignal(signal.SIGINT).__name__, os.getcwd())"
    assert answer(ask, code) == f"['-c'] default_int_handler {Path.cwd()}"
    signals = "import signal; print(int(signal.getsignal(signal.SIGCHLD)), signal.set_wakeup_fd(-1))"
    assert answer(ask, signals) == f"{int(signal.SIG_DFL)} -1"


def test_a_worker_holds_nothing_open_that_is_the_servers(ask: Ask) -> None:
    ask(RUNS)  # the server has its connection open
    opened = "import os; print(*sorted(one for one in range(200) if os.path.exists(f'/proc/self/fd/{one}')))"
    assert answer(ask, opened) == "0 1 2"


def test_a_worker_ends_with_the_process_that_stands_for_it_and_no_other_does(ask: Ask) -> None:
    first, second = ask(RUNS), ask(RUNS)
    pids = [int(line(one)) for one in (first, second)]
    first.kill()
    assert gone(pids[0], HANGS_S)
    assert not gone(pids[1], 0)
    os.kill(pids[1], signal.SIGKILL)
    assert second.wait(HANGS_S) == 0


def test_a_program_that_was_asked_for_and_killed_at_once_hinders_no_other(ask: Ask) -> None:
    for _ in range(20):
        ask(RUNS).kill()
    assert answer(ask, "print('there')") == "there"


def test_ctrl_c_in_the_terminal_reaches_the_worker_alone(ask: Ask) -> None:
    runs = f"import os\ntry:\n print(os.getpid(), flush=True)\n {LIVES}"
    worker = ask(f"{runs}\nexcept KeyboardInterrupt:\n print('stopped')")
    os.kill(int(line(worker)), signal.SIGINT)
    assert line(worker) == "stopped"
    assert worker.wait(HANGS_S) == 0


def test_the_server_ends_with_the_process_that_started_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCHPROOF_RUNS", str(tmp_path / "runs"))
    with run_directory() as run:
        with asking(run.path) as ask:
            server = int(answer(ask, "import os; print(os.getppid())"))
            worker = ask(RUNS)
            pid = int(line(worker))
        assert gone(server, HANGS_S)
        assert gone(pid, HANGS_S)


def test_a_server_that_cannot_load_what_workers_need_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BATCHPROOF_RUNS", str(tmp_path / "runs"))
    broken = tmp_path / "broken.feature"
    broken.write_text("Feature: A\n  Scenario: B\n    Given C\n    no step\n")
    with (
        run_directory() as run,
        pytest.raises(HarnessError, match="could not load"),
        spread(run.path, broken, 2),
    ):
        pytest.fail("there are no workers")
    assert "broken.feature:4: not valid Gherkin" in capfd.readouterr().err


def test_a_path_may_be_longer_than_the_address_of_a_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCHPROOF_RUNS", str(tmp_path / ("r" * 120) / "it's here"))
    with run_directory() as run, asking(run.path) as ask:
        assert answer(ask, "print('there')") == "there"


def test_a_worker_does_not_need_the_server_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCHPROOF_RUNS", str(tmp_path / "runs"))
    with run_directory() as run, asking(run.path) as ask:
        worker = ask("import os; print(os.getppid(), flush=True); print(input())")
        os.kill(int(line(worker)), signal.SIGKILL)
        assert worker.wait(HANGS_S) == 0  # no event says any more when the worker ends
        assert worker.communicate("still there")[0] == "still there\n"
