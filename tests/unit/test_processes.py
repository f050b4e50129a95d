"""Real processes: what is started in a run ends with it, however the run ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from waiting import HANGS_S, LIVES, eventually

from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes import janitor, programs
from batchproof.processes.environment import bare, ours
from batchproof.processes.programs import (
    Process,
    RunDir,
    end_with_run,
    farewell,
    free_ports,
    gone,
    outside,
    run_directory,
    spawn,
)

LIVES_S = int(2 * HANGS_S)
"""No process ends by itself while somebody waits for its end."""
SLEEP = ["sleep", str(LIVES_S)]


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the runs of one test, which has the cache and the temporary folder for itself."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("BATCHPROOF_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(programs, "_JANITOR_LIMIT_S", HANGS_S)
    return tmp_path / "runs"


def start(run_dir: Path, *argv: str, name: str = "program") -> Process:
    return spawn(argv or SLEEP, run_dir=run_dir, name=name, log=run_dir / f"{name}.log", env=ours())


def pid_in(file: Path) -> int:
    return int(eventually(f"a process id in {file}", lambda: file.exists() and file.read_text().strip()))


def comes_up(process: Process) -> None:
    eventually(f"{process.name} is up", lambda: process.tail() == "up")


def ends(pid: int) -> bool:
    return gone(pid, HANGS_S)


def test_the_folder_is_private_and_goes_with_the_run() -> None:
    with run_directory() as run:
        assert run.path.stat().st_mode & 0o777 == 0o700
        assert run.path.name.startswith("batchproof-")
    assert not run.path.exists()


def test_processes_end_with_the_run() -> None:
    with run_directory() as run:
        process = start(run.path)
        assert process.alive
        assert process.returncode is None
    assert ends(process.pid)
    assert process.returncode == -signal.SIGKILL


def test_processes_end_when_the_block_fails() -> None:
    started = []

    def interrupted() -> None:
        with run_directory() as run:
            started.append((start(run.path), run.path))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    [(process, folder)] = started
    assert ends(process.pid)
    assert not folder.exists()


def test_what_a_process_starts_ends_with_it() -> None:
    with run_directory() as run:
        process = start(run.path, "sh", "-c", f"sleep {LIVES_S} & echo $! > {run.path}/child; wait")
        child = pid_in(run.path / "child")
        process.kill()
        assert ends(child)
        assert process.returncode == -signal.SIGKILL


def test_what_outlives_its_parent_ends_when_that_is_noticed() -> None:
    with run_directory() as run:
        process = start(run.path, "sh", "-c", f"sleep {LIVES_S} & echo $! > {run.path}/child; exit 3")
        child = pid_in(run.path / "child")
        assert process.wait(HANGS_S) == 3
        assert ends(child)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the environment of processes")
def test_what_leaves_its_group_ends_with_the_run() -> None:
    leave = "import os, time; os.setsid(); open('{}', 'w').write(str(os.getpid())); time.sleep({})"
    with run_directory() as run:
        file = run.path / "left"
        start(run.path, "sh", "-c", f'{sys.executable} -c "{leave.format(file, LIVES_S)}" & wait')
        left = pid_in(file)
    assert ends(left)


def test_a_process_that_honours_sigterm_is_not_killed() -> None:
    with run_directory() as run:
        process = start(run.path, "sh", "-c", "trap 'exit 7' TERM; echo up; while :; do sleep 0.01; done")
        comes_up(process)
        process.stop(grace_s=HANGS_S)
        assert process.returncode == 7


def test_a_process_that_ignores_sigterm_is_killed_after_the_grace() -> None:
    with run_directory() as run:
        process = start(run.path, "sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.01; done")
        comes_up(process)
        process.stop(grace_s=0.1)
        assert process.returncode == -signal.SIGKILL


def test_the_tail_is_the_last_lines_of_the_output() -> None:
    with run_directory() as run:
        process = start(run.path, "sh", "-c", "seq 100; echo bad >&2")
        process.wait(HANGS_S)
        assert process.tail(2) == "100\nbad"


def test_what_a_process_said_first_and_last_is_told() -> None:
    with run_directory() as run:
        process = start(run.path, "sh", "-c", "echo unknown flag; seq 100")
        process.wait(HANGS_S)
        assert process.said().splitlines() == ["unknown flag", "1", "2", "...", *map(str, range(81, 101))]
    with run_directory() as run:
        process = start(run.path, "sh", "-c", "seq 23")
        process.wait(HANGS_S)
        assert process.said().splitlines() == [str(number) for number in range(1, 24)]


def test_a_program_gets_the_variables_that_are_meant_for_it_and_a_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("CLOUD_KEY", "secret")
    with run_directory() as run:
        process = spawn(
            ["env", "-0"],
            run_dir=run.path,
            name="env",
            log=run.path / "env.log",
            env=bare(tmp_path, {"COLOUR": "green"}),
        )
        process.wait(HANGS_S)
        got = dict(one.split("=", 1) for one in process.log.read_text().split("\0") if one)
        assert str(run.path) not in process.log.read_text()
    assert got.pop("BATCHPROOF_RUN")
    assert {"COLOUR", "HOME", "LC_ALL", "PATH", "TMPDIR"} <= set(got)
    assert (got["COLOUR"], got["HOME"], got["LC_ALL"]) == ("green", str(tmp_path), "C.UTF-8")
    assert "CLOUD_KEY" not in got


def test_what_the_implementation_may_know_lies_elsewhere_and_goes_too() -> None:
    with run_directory() as run:
        beside = outside(run.path)
        assert beside.stat().st_mode & 0o777 == 0o700
        assert run.path.parent not in beside.parents
    assert not beside.exists()


def test_a_missing_program_is_the_users_mistake() -> None:
    with (
        run_directory() as run,
        pytest.raises(UserError, match=r"scheduler cannot be started.*no-such-program"),
    ):
        start(run.path, "/no-such-program", name="scheduler")


def test_nothing_starts_after_the_end_of_the_run() -> None:
    with run_directory() as run:
        pass
    with pytest.raises(HarnessError, match="has ended"):
        start(run.path)


def test_a_folder_that_cannot_be_made_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHPROOF_RUNS", "/proc/none/runs")
    with pytest.raises(HarnessError, match="cannot be made"):
        RunDir()


PARENT = dedent("""
    import os, sys, time
    from batchproof.processes.programs import run_directory, spawn
    with run_directory() as run:
        log = run.path / "log"
        process = spawn(sys.argv[1:], run_dir=run.path, name="program", log=log, env={**os.environ})
        print(run.path, process.pid, flush=True)
        LIVES
""").replace("LIVES", LIVES)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_when_the_run_is_ended_by(number: int) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, *SLEEP], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert parent.stdout is not None
    path, pid = parent.stdout.readline().split()
    parent.send_signal(number)
    parent.wait(HANGS_S)
    parent.stdout.close()
    assert ends(int(pid))
    vanishes(Path(path))


def vanishes(path: Path) -> None:
    eventually(f"{path} is gone", lambda: not path.exists())


def test_workers_that_another_process_started_can_end_with_the_run() -> None:
    worker = "import sys; from pathlib import Path; from batchproof.processes.programs import end_with_run; "
    worker += f"end_with_run(Path(sys.argv[1])); print('up', flush=True)\n{LIVES}"
    with run_directory() as run:
        process = subprocess.Popen(
            [sys.executable, "-c", worker, str(run.path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
    assert process.wait(HANGS_S) == -signal.SIGKILL
    process.stdout.close()


def test_a_stranger_with_a_reused_process_id_is_spared() -> None:
    stranger = subprocess.Popen(SLEEP, start_new_session=True)
    with run_directory() as run:
        (run.path / "processes" / str(stranger.pid)).write_text("group long ago\n")
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_an_abandoned_folder_is_cleaned_up_by_the_next_run(runs: Path, tmp_path: Path) -> None:
    left = start_abandoned(runs)
    (tmp_path / "batchproof-beside").mkdir(mode=0o700)
    (runs / "batchproof-abandoned" / "outside").write_text(str(tmp_path / "batchproof-beside"))
    with run_directory():
        vanishes(runs / "batchproof-abandoned")
        assert not (tmp_path / "batchproof-beside").exists()
    assert left.wait(HANGS_S) == -signal.SIGKILL


def start_abandoned(folder: Path) -> subprocess.Popen[bytes]:
    """What a run leaves whose janitor was killed too."""
    abandoned = folder / "batchproof-abandoned"
    for one in (folder, abandoned, abandoned / "processes"):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
    (abandoned / "janitor").write_text("held\n")
    left = subprocess.Popen(SLEEP, start_new_session=True)
    (abandoned / "processes" / str(left.pid)).write_text(f"group {janitor.started(left.pid)}\n")
    return left


def test_the_folder_of_a_run_that_goes_on_is_spared() -> None:
    earlier = RunDir()
    with run_directory() as run:
        earlier.close()
        assert run.path.exists()  # the janitor of the earlier one has looked at it, and ended
        process = start(run.path)
        with run_directory():
            pass
        assert run.path.exists()  # and that of a later one
        assert process.alive


def test_a_folder_of_that_name_with_no_lock_is_spared(runs: Path) -> None:
    users = runs / "batchproof-of-the-user"
    users.mkdir(mode=0o700, parents=True)
    runs.chmod(0o700)
    with run_directory():
        pass  # it ends when its janitor has, which has looked at every folder before
    assert users.exists()


def test_the_janitor_needs_nothing_but_the_standard_library() -> None:
    run = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-X",
            "importtime",
            janitor.__file__,
            "/proc/none/runs",
            "batchproof-x",
            "/x",
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "/proc/none" in run.stdout
    assert "pathlib" not in run.stderr
    assert "subprocess" not in run.stderr


def test_free_ports_are_distinct_and_free() -> None:
    ports = free_ports(50)
    assert len(set(ports)) == 50


def test_a_process_that_is_gone_has_no_start() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert janitor.started(process.pid) == ""
    assert janitor.started(os.getpid())


def test_a_run_that_is_its_own_worker_survives_its_end() -> None:
    with run_directory() as run:
        end_with_run(run.path)
    assert not run.path.exists()


def test_a_worker_cannot_join_a_run_that_has_ended() -> None:
    with pytest.raises(OSError, match="No such file"):
        end_with_run(Path("/no-such-run"))


# -- what a run has promised to do at its end

WRITES = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + '\\n')"


def promise(run: Path, name: str, said: Path) -> Path:
    return farewell(run, name, [sys.executable, "-c", WRITES, said, f"{name} $HOME *"])


def test_farewells_are_bid_in_order_when_the_run_ends(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with run_directory() as run:
        promise(run.path, "2-later", said)
        promise(run.path, "1-first", said)
    assert said.read_text() == "1-first $HOME *\n2-later $HOME *\n"
    assert not run.path.exists()


def test_a_farewell_that_was_kept_earlier_is_not_bid_again(tmp_path: Path) -> None:
    with run_directory() as run:
        promise(run.path, "it", tmp_path / "said").unlink()
    assert not (tmp_path / "said").exists()


def test_a_farewell_that_fails_is_told_and_the_folder_goes_all_the_same(tmp_path: Path) -> None:
    run = RunDir()
    farewell(run.path, "broken", ["false"])
    promise(run.path, "other", tmp_path / "said")
    with pytest.raises(HarnessError, match=r"broken: .*'false'.*exit status 1"):
        run.close()
    assert (tmp_path / "said").exists()
    assert not run.path.exists()


def test_farewells_are_bid_after_kill_9(tmp_path: Path) -> None:
    said = tmp_path / "said"
    program = dedent(f"""
        import os, signal, sys
        from pathlib import Path
        from batchproof.processes.programs import RunDir, farewell
        run = RunDir()
        farewell(run.path, "it", [sys.executable, "-c", {WRITES!r}, {str(said)!r}, "done"])
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    subprocess.run([sys.executable, "-c", program], check=False)
    eventually("the farewell is bid", said.exists)
