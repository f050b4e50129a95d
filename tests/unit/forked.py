"""``batchproof`` in a process of its own that has nothing to load: a fork of this one.

It has its own environment, folder, output and exit code, as the command of a user has. What Python does
before ``main`` is called is the same for every command: tests/integration starts real ones.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from functools import cache
from importlib import import_module
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from types import ModuleType
from typing import TYPE_CHECKING

import click
from waiting import HANGS_S

from batchproof.cli import command_line, main
from batchproof.evidence.plan import catalogue
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import NoReturn


def asked(
    *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> CompletedProcess[str]:
    """Run the command to its end.

    Args:
        arguments: what stands after ``batchproof``.
        env: all variables that it has; those of this process by default.
        cwd: the folder that it is started in.
    """
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        child = started(*arguments, out=out.fileno(), err=err.fileno(), env=env, cwd=cwd)
        code = ended(child)
        for file in (out, err):
            file.seek(0)
        return CompletedProcess(["batchproof", *arguments], code, out.read(), err.read())


def started(
    *arguments: str,
    out: int,
    err: int,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> int:
    """Start the command with two open files for what it prints; the id of its process."""
    _loaded()
    if child := os.fork():
        return child
    try:
        _run(arguments, out, err, dict(os.environ if env is None else env), cwd)
    finally:  # whatever happens: no second process goes on with the tests
        os._exit(70)


def ended(child: int) -> int:
    """Wait for a command; its exit code, negative for a signal, as ``subprocess`` has it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@cache
def _loaded() -> None:
    """Load once what each fork would have to load again."""
    ctx = click.Context(command_line)
    for name in command_line.list_commands(ctx):
        import_module(f"batchproof.commands.{name.replace('-', '_')}")
    catalogue()
    load_registry()


def _run(arguments: tuple[str, ...], out: int, err: int, env: dict[str, str], cwd: Path | None) -> NoReturn:
    signal.alarm(int(HANGS_S))  # ends a hang
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    # They stay open until the process ends, as those of a command that Python has started.
    sys.stdin = sys.__dict__["__stdin__"] = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.__dict__["__stdout__"] = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.__dict__["__stderr__"] = open(2, "w", closefd=False, errors="backslashreplace")  # noqa: SIM115
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd or ".")
    sys.argv = ["batchproof", *arguments]
    sys.modules["__main__"] = ModuleType("__main__")  # click names the program by it
    code = 1
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as Python does it
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
