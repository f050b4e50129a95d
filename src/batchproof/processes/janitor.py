"""The janitor: a tiny process that outlives a run and leaves nothing of it behind.

``python -I -S janitor.py RUNS NAME OUTSIDE`` makes the folders RUNS/NAME and OUTSIDE, prints ``ready``, and
reads its standard input to the end. The run holds the other end of that pipe, so the end comes however the
run ends: done, Ctrl-C, ``kill -9``. Then the janitor kills what is registered in RUNS/NAME/processes and what
carries the mark of the run in its environment, runs the commands in RUNS/NAME/farewells (a cluster that is to
be deleted), removes both folders, and exits with 0. It runs alone, with nothing but the standard library:
keep it small.

If the janitor was killed as well (power cut, out of memory), the next one cleans up: a living janitor holds a
lock on RUNS/NAME/janitor, a dead one does not.

The commands that are read from a folder are run, so the folder must be ours: RUNS and each folder in it are
opened without following links, and are refused unless they belong to this user and no other user has rights
in them. Everything below is opened relative to them, again without following links.
"""

# pathlib would take as long to load as all the rest of this program:
# ruff: noqa: PTH102, PTH103, PTH112, PTH116, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import signal
import stat
import sys
import time

PREFIX = "batchproof-"
MARK = "BATCHPROOF_RUN"
"""The variable by which a process of a run is known: a random word that leads nowhere."""
PROCESSES = "processes"
FAREWELLS = "farewells"
LOCK = "janitor"
MARK_FILE = "mark"
OUTSIDE = "outside"
"""The file with the path of the run's second folder, which may be known to what is judged."""
_OURS_ONLY = 0o700
_LONGEST = 64 * 1024
_GIVE_UP_S = 10.0
_FAREWELL_S = 120
_PAUSE_S = 0.01


def open_folder(path: str, within: int | None = None) -> int:
    """A descriptor of a folder that is ours alone.

    Args:
        path: the folder; its last part is not followed if it is a link.
        within: the descriptor of the folder in which ``path`` begins; None: the working folder.

    Raises:
        OSError: it is no folder, belongs to another user, or others have rights in it.
    """
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=within)
    found = os.fstat(folder)
    wrong = ""
    if found.st_uid != os.geteuid():
        wrong = f"belongs to another user (uid {found.st_uid})"
    elif found.st_mode & 0o077:
        wrong = f"is open to others (mode {stat.S_IMODE(found.st_mode):o}): chmod 700 it"
    if wrong:
        os.close(folder)
        raise OSError(errno.EPERM, wrong, path)
    return folder


def open_runs(path: str) -> int:
    """A descriptor of the folder of all runs of this user, which is made if it is not there.

    Raises:
        OSError: it cannot be made, or others can change it or exchange it.
    """
    with contextlib.suppress(FileExistsError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.mkdir(path, _OURS_ONLY)
    _see_nobody_can_exchange(path)
    return open_folder(path)


def _see_nobody_can_exchange(path: str) -> None:
    """See that no other user can put another folder in place of one on the way to this.

    Raises:
        OSError: one can.
    """
    around = path
    while around != os.path.dirname(around):
        around = os.path.dirname(around)
        found = os.stat(around)
        if found.st_uid not in (0, os.geteuid()):
            raise OSError(errno.EPERM, f"uid {found.st_uid} owns it, and can exchange what is in it", around)
        if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
            raise OSError(errno.EPERM, "every user can exchange what is in it (mode o+w, not sticky)", around)


def read_file(name: str, folder: int) -> str:
    """The text of a plain file of ours in an open folder.

    Raises:
        OSError: it is something else (a link, a pipe), or belongs to another user.
    """
    # Without O_NONBLOCK a named pipe would make this wait for ever.
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            raise OSError(errno.EPERM, "is not a plain file of this user", name)
        return os.read(file, _LONGEST).decode(errors="replace")
    finally:
        os.close(file)


def _write_file(name: str, text: str, folder: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with open(os.open(name, flags, 0o600, dir_fd=folder), "w", encoding="utf-8") as file:
        file.write(text)


def _names(part: str, folder: int) -> list[str]:
    """The names in a folder of an open folder; none if it has no such folder of ours."""
    try:
        inner = open_folder(part, folder)
    except OSError:
        return []
    try:
        return sorted(os.listdir(inner))
    finally:
        os.close(inner)


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


def _registered(folder: int) -> list[tuple[int, str, str]]:
    """What is registered in a run's folder: (process id, ``group`` or ``process``, when it was started)."""
    found = []
    with contextlib.suppress(OSError):
        processes = open_folder(PROCESSES, folder)
        try:
            for name in filter(str.isdigit, os.listdir(processes)):
                with contextlib.suppress(OSError):
                    kind, _, moment = read_file(name, processes).strip().partition(" ")
                    found.append((int(name), kind, moment))
        finally:
            os.close(processes)
    return found


def _marked(mark: str) -> list[int]:
    """The processes that carry the mark in their environment, whatever group they are in (Linux only)."""
    carried = f"{MARK}={mark}".encode()
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc") if mark else ():
            if not name.isdigit() or int(name) == os.getpid():
                continue
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environ:
                if carried in environ.read().split(b"\0") and started(int(name)):
                    found.append(int(name))
    return found


def _kill_once(folder: int, mark: str) -> int:
    """Kill all that still lives, and return how many that were."""
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
    for pid in _marked(mark):
        living += 1
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return living


def _bid_farewell(folder: int) -> bool:
    """Run what the run has left for its end: a file a program, a line a word; False if one failed."""
    done = True
    for name in _names(FAREWELLS, folder):
        import subprocess  # noqa: PLC0415 - slow to load, and seldom needed

        try:
            farewells = open_folder(FAREWELLS, folder)
            try:
                words = read_file(name, farewells).split("\n")
            finally:
                os.close(farewells)
            subprocess.run(words, check=True, timeout=_FAREWELL_S, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.SubprocessError) as error:
            with contextlib.suppress(OSError):
                os.write(1, f"{name}: {error}\n".encode())
            done = False
    return done


def _read_or_nothing(name: str, folder: int) -> str:
    try:
        return read_file(name, folder)
    except OSError:
        return ""


def clean(runs: int, name: str) -> bool:
    """Kill the processes of a run and remove its folders; False if something of it withstood."""
    folder = open_folder(name, runs)
    try:
        mark, outside = (_read_or_nothing(file, folder) for file in (MARK_FILE, OUTSIDE))
        end = time.monotonic() + _GIVE_UP_S
        while (living := _kill_once(folder, mark)) and time.monotonic() < end:
            time.sleep(_PAUSE_S)
        kept = _bid_farewell(folder)
        end = time.monotonic() + _GIVE_UP_S
        while not _removed(runs, name, outside) and time.monotonic() < end:  # something still writes there
            _kill_once(folder, mark)
            time.sleep(_PAUSE_S)
        return kept and not living and _removed(runs, name, outside)
    finally:
        os.close(folder)


def _removed(runs: int, name: str, outside: str) -> bool:
    """Remove both folders of a run, the second first, as the other names it; False if one is still there."""
    if os.path.basename(outside).startswith(PREFIX):
        with contextlib.suppress(OSError):
            around = os.open(os.path.dirname(outside), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.close(open_folder(os.path.basename(outside), around))
                shutil.rmtree(os.path.basename(outside), ignore_errors=True, dir_fd=around)
            finally:
                os.close(around)
        with contextlib.suppress(OSError):
            left = os.lstat(outside)
            if stat.S_ISDIR(left.st_mode) and left.st_uid == os.geteuid():
                return False
    shutil.rmtree(name, ignore_errors=True, dir_fd=runs)
    return name not in os.listdir(runs)


def locked(lock: int) -> bool:
    """Take the lock of a folder; False if its janitor has it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def take_lock(folder: int) -> int | None:
    """The lock of an open folder, whose janitor is dead; None if that lives. It is held until it is closed.

    Raises:
        OSError: there is no lock of ours, or the folder is being made at this moment.
    """
    lock = os.open(LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    found = os.fstat(lock)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or not found.st_size:
        os.close(lock)
        raise OSError(errno.EPERM, "is not the lock of a run of this user", LOCK)
    if locked(lock):
        return lock
    os.close(lock)
    return None


def clean_abandoned(runs: int) -> None:
    """Clean up after earlier runs of this user whose janitor was killed too."""
    for name in os.listdir(runs):
        with contextlib.suppress(OSError):
            if not name.startswith(PREFIX):
                continue
            folder = open_folder(name, runs)
            try:
                if (lock := take_lock(folder)) is not None:
                    clean(runs, name)
                    os.close(lock)
            finally:
                os.close(folder)


def _made(path: str, name: str, outside: str) -> int:
    """Make the folders of a run, and take its lock: the descriptor of the folder of all runs."""
    runs = open_runs(path)
    os.mkdir(name, _OURS_ONLY, dir_fd=runs)
    folder = open_folder(name, runs)
    for inner in (PROCESSES, FAREWELLS):
        os.mkdir(inner, _OURS_ONLY, dir_fd=folder)
    _write_file(MARK_FILE, os.urandom(16).hex(), folder)
    _write_file(OUTSIDE, outside, folder)
    lock = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
    if locked(lock):
        os.write(lock, b"held\n")
    os.close(folder)
    try:
        _see_nobody_can_exchange(outside)
        os.mkdir(outside, _OURS_ONLY)
    except OSError:
        clean(runs, name)
        raise
    return runs


def main(path: str, name: str, outside: str) -> int:
    """Own the folders of a run until it has ended, then leave nothing of them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.umask(0o077)
    try:
        runs = _made(path, name, outside)
    except OSError as error:
        os.write(1, str(error).encode())
        return 1
    with contextlib.suppress(BrokenPipeError):  # the run has ended already
        os.write(1, b"ready\n")
    clean_abandoned(runs)
    while os.read(0, 4096):
        pass
    return 0 if clean(runs, name) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
