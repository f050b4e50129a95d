"""Looks at this machine: what can be tried is tried as a run would do it, and nothing is built or fetched."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import resource
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.control_plane import assets, cache, kind, toolchain
from batchproof.control_plane.assets import KIND
from batchproof.control_plane.build import GoModule
from batchproof.control_plane.embedded import API_SERVER, CONTROLLERS, ETCD
from batchproof.control_plane.seals import see_sealed
from batchproof.descriptor.implementation import Implementation
from batchproof.descriptor.launch import GoProgram, missing_program, no_program, passed_on
from batchproof.ground.errors import BatchproofError, UserError
from batchproof.ground.places import CACHE_VARIABLE, cache_folder, runs_folder
from batchproof.processes.programs import run_directory
from batchproof.running.doctor import decisions
from batchproof.running.doctor.decisions import Check
from batchproof.running.environment import controllers_beside

if TYPE_CHECKING:
    from collections.abc import Iterator

_MIB = 1024 * 1024
_MEMORY = Path("/proc/meminfo")
_CGROUP_LIMIT, _CGROUP_USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
_LIMIT_S = 5.0


def look(implementation: Implementation | None = None) -> list[Check]:
    """All checks of this machine; those of an implementation besides, if one is to be judged.

    Raises:
        UserError: the descriptor needs what the suite does not have.
    """
    plane, own = _of_control_plane(implementation), _of_implementation(implementation)
    unbuilt = [one for one in (*plane, *own) if not _binary(one).is_file()]
    go = _go(unbuilt)
    build = bool(unbuilt)
    temporary = Path(tempfile.gettempdir())
    checks = [
        decisions.of_system(sys.platform),
        decisions.of_python(sys.version_info[:2]),
        _programs("control plane", plane, go),
        *([_programs("implementation", own, go)] if own else []),
        *([go] if build else []),
        _disk("cache", cache_folder(), CACHE_VARIABLE, build=build),
        _disk("temporary files", temporary, "TMPDIR", build=False),
        decisions.of_memory(_free_memory_mib(), build=build),
        decisions.of_open_files(resource.getrlimit(resource.RLIMIT_NOFILE)[0]),
        _loopback(),
        _run_folder(),
        _results_folder(),
        _docker(),
    ]
    return [*checks, *_descriptor(implementation)] if implementation else checks


def _of_control_plane(implementation: Implementation | None) -> list[tuple[GoModule, str]]:
    """The programs of the control plane that are not in a folder which the user names."""
    given = os.environ.get(assets.ASSETS_VARIABLE)
    newest = assets.module(assets.MODULE)
    version = implementation.control_plane.kubernetes if implementation else ""
    if version:
        older = assets.module(f"{assets.OLDER}{version}")
        return [(newest, ETCD), (older, API_SERVER), (older, CONTROLLERS)]
    folder = Path(given) if given else None
    beside = controllers_beside(implementation) if implementation else ()
    parts = assets.parts(folder, beside)
    return [(newest, part) for part in parts if folder is None or not (folder / part).is_file()]


def _of_implementation(implementation: Implementation | None) -> list[tuple[GoModule, str]]:
    """The programs of an implementation that the suite builds."""
    found = []
    for process in implementation.processes if implementation else ():
        if isinstance(process.binary, GoProgram):
            module = assets.module(process.binary.module)
            found.append((module, module.command(process.binary.package)))
    return found


def _binary(program: tuple[GoModule, str]) -> Path:
    module, command = program
    return module.built / command


def _programs(name: str, programs: list[tuple[GoModule, str]], go: Check) -> Check:
    unbuilt = [
        f"{module.name}/{command}" for module, command in programs if not (module.built / command).is_file()
    ]
    wrong = ""
    for program in programs:
        try:
            if _binary(program).is_file():
                see_sealed(_binary(program))
        except (UserError, OSError) as error:
            wrong = wrong or str(error)
    if name == "control plane" and not wrong:
        wrong = _wrong_assets()
    return decisions.of_programs(name, unbuilt, wrong, go)


def _wrong_assets() -> str:
    """Why what KUBEBUILDER_ASSETS names cannot be used."""
    given = os.environ.get(assets.ASSETS_VARIABLE)
    if not given:
        return ""
    version = assets.module(assets.MODULE).version
    if not Path(given).is_dir():
        return f"{assets.ASSETS_VARIABLE}: there is no folder {given}"
    try:
        for part in {*assets.PARTS, CONTROLLERS}:
            if (binary := Path(given) / part).is_file():
                assets.check_version(binary, version, assets.ASSETS_VARIABLE)
    except UserError as error:
        return str(error)
    return ""


def _go(unbuilt: list[tuple[GoModule, str]]) -> Check:
    needed = max((module.go for module, _ in unbuilt), default=(0,))
    on_path = shutil.which("go")
    version = toolchain.version_of(Path(on_path)) if on_path and unbuilt else None
    can_install = all(importlib.util.find_spec(name) for name in ("venv", "ensurepip"))
    return decisions.of_go(
        ".".join(map(str, version or ())),
        new_enough=version is not None and version >= needed,
        private=any(cache.toolchain_folder().glob("go-*/go/bin/go")),
        can_install=can_install,
        needed=".".join(map(str, needed[:2])),
    )


def _disk(name: str, place: Path, variable: str, *, build: bool) -> Check:
    there = _nearest(place)
    if not os.access(there, os.W_OK | os.X_OK):
        remedy = f"set {variable} to a folder of your own"
        return Check(name, "missing", f"{there} cannot be written", remedy)
    free_mib = shutil.disk_usage(there).free // _MIB
    return decisions.of_disk(name, str(place), free_mib, variable=variable, build=build)


def _nearest(place: Path) -> Path:
    """The folder itself, or the nearest one above it that is there."""
    while not place.exists():
        place = place.parent
    return place


def _free_memory_mib() -> int | None:
    """What the machine, or the container that this runs in, has left."""
    found = []
    with contextlib.suppress(OSError, StopIteration, ValueError):
        lines = _MEMORY.read_text("ascii").splitlines()
        found.append(next(int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable:")))
    with contextlib.suppress(OSError, ValueError):  # "max" is no limit
        found.append((int(_CGROUP_LIMIT.read_text("ascii")) - int(_CGROUP_USED.read_text("ascii"))) // _MIB)
    return min(found, default=None)


def _loopback() -> Check:
    """Listen on a port of the loopback, and reach it."""
    wrong = ""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(_LIMIT_S)
            with socket.create_connection(server.getsockname(), timeout=_LIMIT_S):
                server.accept()[0].close()
    except OSError as error:
        wrong = f"a port of 127.0.0.1 cannot be used: {error}"
    remedy = "let this user listen and connect on 127.0.0.1: look at firewall, sandbox and container"
    return decisions.of_trial("ports", wrong, works="127.0.0.1 can be listened on and reached", remedy=remedy)


def _run_folder() -> Check:
    """Make the folder of a run, with its janitor, and have it removed."""
    wrong = ""
    try:
        with run_directory():
            pass
    except (BatchproofError, OSError) as error:
        wrong = str(error)
    works = f"private folders can be made in {runs_folder()}, and are removed"
    remedy = "do what it says, or set BATCHPROOF_RUNS to a folder of your own"
    return decisions.of_trial("folder of runs", wrong, works=works, remedy=remedy)


def _results_folder() -> Check:
    here = Path.cwd()
    wrong = "" if os.access(here, os.W_OK | os.X_OK) else f"{here} cannot be written"
    remedy = "run in a folder of your own, or name one with -o"
    works = "the current folder can be written"
    return decisions.of_trial("results", wrong, works=works, remedy=remedy, needed=False)


def _docker() -> Check:
    wrong = ""
    try:
        kind.cgroup_version()
    except UserError as error:
        wrong = str(error).splitlines()[0]
    remedy = "only --cluster kind needs it: install and start Docker"
    works = (
        "the daemon answers" if shutil.which(KIND) else "the daemon answers; kind is built when it is needed"
    )
    return decisions.of_trial("Docker", wrong, works=works, remedy=remedy, needed=False)


def _descriptor(implementation: Implementation) -> Iterator[Check]:
    for process in implementation.processes:
        if isinstance(process.binary, GoProgram):
            works, missing = "batchproof builds it", ""
        else:
            works = "it is there"
            missing = missing_program(process, process.binary, implementation.descriptor)
        wrong, remedy = no_program(missing) if missing else ("", "")
        yield decisions.of_trial(f"{process.name}: program", wrong, works=works, remedy=remedy)
        wrong = ""
        try:
            passed_on(process, implementation.descriptor, os.environ)
        except UserError as error:
            wrong = str(error)
        if process.pass_env:
            works = "all that pass_env names are set"
            remedy = "set it, or leave it out of pass_env"
            yield decisions.of_trial(f"{process.name}: environment", wrong, works=works, remedy=remedy)
