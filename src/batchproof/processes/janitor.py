"""The janitor: a tiny process that outlives a run and leaves nothing of it behind.

``python -I -S janitor.py FOLDER`` makes FOLDER, says ``ready``, and reads its standard input to the end.
The run holds the other end of that pipe, so the end comes however the run ends: done, Ctrl-C, ``kill -9``.
Then the janitor kills what was registered in FOLDER/processes and what carries FOLDER in its environment,
does what was promised in FOLDER/farewells (a cluster that is to be deleted), removes FOLDER, and exits
with 0. It runs alone, with nothing but the standard library: keep it small.

A run whose janitor was killed as well (power cut, out of memory) is cleaned up by that of the next run:
a living janitor holds a lock on FOLDER/janitor, a dead one does not.
"""

# pathlib would take as long to load as all the rest of this program:
# ruff: noqa: PTH102, PTH110, PTH112, PTH118, PTH120, PTH123, PTH208

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time

PREFIX = "batchproof-"
MARK = "BATCHPROOF_RUN_DIR"
PROCESSES = "processes"
FAREWELLS = "farewells"
LOCK = "janitor"
_GIVE_UP_S = 10.0
_FAREWELL_S = 120
_PAUSE_S = 0.01


def started(pid: int) -> str:
    """When a process was started, in words that no other process with this id shares; "" if there is none.

    On Linux: the id of this boot and the clock tick; elsewhere what ``ps`` prints. A zombie counts as gone.
    """
    if os.path.isdir("/proc/self"):
        try:
            with open(f"/proc/{pid}/stat", "rb") as stat:
                fields = stat.read().rpartition(b")")[2].split()
            with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as boot:
                boot_id = boot.read().strip()
        except OSError:
            return ""
        return "" if fields[0] in (b"Z", b"X") else f"{boot_id} {fields[19].decode()}"
    import subprocess  # noqa: PLC0415 - slow to load, and not needed on Linux

    asked = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    ps = subprocess.run(asked, capture_output=True, text=True, check=False)
    state, _, moment = ps.stdout.strip().partition(" ")
    return "" if state.startswith("Z") else moment.strip()


def _registered(folder: str) -> list[tuple[int, str, str]]:
    """What is registered in FOLDER/processes: (process id, ``group`` or ``process``, when it was started)."""
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir(os.path.join(folder, PROCESSES)):
            if not name.isdigit():
                continue
            path = os.path.join(folder, PROCESSES, name)
            with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
                kind, _, moment = file.read().strip().partition(" ")
                found.append((int(name), kind, moment))
    return found


def _marked(folder: str) -> list[int]:
    """The processes that carry FOLDER in their environment, whatever group they are in now (Linux only)."""
    mark = f"{MARK}={folder}".encode()
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environ:
                if mark in environ.read().split(b"\0") and started(int(name)):
                    found.append(int(name))
    return found


def _kill_once(folder: str) -> int:
    """Kill all that still lives, and say how many that were."""
    living = 0
    for pid, kind, moment in _registered(folder):
        now = started(pid)
        if now and now != moment:
            continue  # the id was given to a stranger, which also proves that the old group is empty
        if kind == "process" and pid == os.getppid():
            continue  # the run itself, which waits for the end of this
        with contextlib.suppress(OSError):
            if kind == "group":  # also when its first process is dead: the others may live
                os.killpg(pid, signal.SIGKILL)
            elif now:
                os.kill(pid, signal.SIGKILL)
        living += bool(now)
    for pid in _marked(folder):
        living += 1
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return living


def _bid_farewell(folder: str) -> bool:
    """Run what the run has left for its end: a file a program, a line a word; False if one failed."""
    done = True
    promised = os.path.join(folder, FAREWELLS)
    for name in sorted(os.listdir(promised)) if os.path.isdir(promised) else ():
        import subprocess  # noqa: PLC0415 - slow to load, and seldom needed

        with open(os.path.join(promised, name), encoding="utf-8") as file:
            words = file.read().split("\n")
        try:
            subprocess.run(words, check=True, timeout=_FAREWELL_S, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.SubprocessError) as error:
            with contextlib.suppress(OSError):
                os.write(1, f"{name}: {error}\n".encode())
            done = False
    return done


def clean(folder: str) -> bool:
    """Kill the processes of a run and remove its folder; False if something of it withstood."""
    end = time.monotonic() + _GIVE_UP_S
    while (living := _kill_once(folder)) and time.monotonic() < end:
        time.sleep(_PAUSE_S)
    kept = _bid_farewell(folder)
    end = time.monotonic() + _GIVE_UP_S
    while os.path.exists(folder) and time.monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.exists(folder):  # something was still writing into it
            _kill_once(folder)
            time.sleep(_PAUSE_S)
    return kept and not living and not os.path.exists(folder)


def locked(lock: int) -> bool:
    """Take the lock of a folder; False if its janitor has it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def clean_abandoned(around: str) -> None:
    """Clean up after earlier runs of this user whose janitor was killed too."""
    for name in os.listdir(around):
        folder = os.path.join(around, name)
        if not name.startswith(PREFIX):
            continue
        with contextlib.suppress(OSError):
            lock = os.open(os.path.join(folder, LOCK), os.O_RDWR)
            # An empty lock file belongs to a folder that is being made at this moment.
            if os.fstat(lock).st_uid == os.getuid() and os.fstat(lock).st_size and locked(lock):
                clean(folder)
            os.close(lock)


def main(folder: str) -> int:
    """Own a folder until the run has ended, then leave nothing of it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    try:
        os.mkdir(folder, 0o700)
        os.mkdir(os.path.join(folder, PROCESSES), 0o700)
        lock = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT, 0o600)
        if locked(lock):
            os.write(lock, b"held\n")
        os.write(1, b"ready\n")
    except BrokenPipeError:  # the run has ended already
        pass
    except OSError as error:
        os.write(1, str(error).encode())
        return 1
    clean_abandoned(os.path.dirname(folder))
    while os.read(0, 4096):
        pass
    return 0 if clean(folder) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
