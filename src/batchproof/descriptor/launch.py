"""How the processes of an instance are started: what a descriptor says of each, and what becomes of it.

A text of a descriptor may hold placeholders, such as ``{kubeconfig}`` or ``{port:webhooks}``. They are
checked when the descriptor is read, and filled for each start.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from batchproof.ground.documents import near
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ELECTION_PLACEHOLDER = "namespace"
"""That of the scenario: only replicas that elect a leader in it get its name."""
CA_BUNDLE = "ca_bundle"
"""The authority of ``{tls_dir}`` as a webhook configuration names it: in objects only."""
PLACEHOLDERS = ("kubeconfig", "binary", "python", "state_dir", "files_dir", "tls_dir", "descriptor_dir")
PLACEHOLDER = re.compile(
    r"\{\{(?P<literal>[a-z_]+(?::[a-z0-9-]+)?)\}\}"
    r"|\{port:(?P<port>[a-z][a-z0-9-]*)\}"
    r"|\{(?P<name>[a-z_]+)\}"
)

_HOW_TO_NAME_ONE = "name one that is on the PATH, or below {descriptor_dir}, or give its absolute path"
"""What to do where the program of a process is not there."""


@dataclass(frozen=True, slots=True)
class Ready:
    """How to see that an instance is ready.

    Attributes:
        watches: the resources that it watches when it is ready.
        listens: the name of the port at which it accepts connections when it is ready; "" if none.
        within_s: how long that may take, in seconds.
    """

    watches: tuple[str, ...] = ("jobs", "pods")
    listens: str = ""
    within_s: float = 20.0

    def __str__(self) -> str:
        """What one sees when it is ready, in words."""
        signs = [f"watches {', '.join(self.watches)}"] if self.watches else []
        return " and ".join([*signs, f"listens at {{port:{self.listens}}}"] if self.listens else signs)


@dataclass(frozen=True, slots=True)
class GoProgram:
    """A program that is built from a Go module of the suite.

    Attributes:
        module: the folder below ``fixtures/`` that holds go.mod and go.sum.
        package: the import path of the program.
    """

    module: str
    package: str


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """How one process of an instance is started.

    Attributes:
        name: what it is called in messages and logs.
        place: where it stands in the descriptor, such as ``start`` or ``processes[webhooks]``.
        argv: the program and its arguments, with placeholders.
        env: environment variables in addition to the few that every program gets, with placeholders.
        pass_env: the names of variables of the harness that it gets as well.
        binary: the program that ``{binary}`` stands for: a file, a Go program, or None.
        files: the text, with placeholders, of each file in ``{files_dir}``, by its name.
        supporting: it belongs to the surroundings: started once, spared by all faults, never killed.
        ready: how to see that it is ready.
    """

    name: str
    place: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    pass_env: tuple[str, ...] = ()
    binary: Path | GoProgram | None = None
    files: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    supporting: bool = False
    ready: Ready = field(default_factory=Ready)

    def _texts(self) -> Iterator[str]:
        yield from self.argv
        yield from self.env.values()
        yield from self.files.values()

    @property
    def ports(self) -> frozenset[str]:
        """The names of the ports that it uses."""
        found = {match["port"] for text in self._texts() for match in PLACEHOLDER.finditer(text)}
        return frozenset(found - {None})

    def uses(self, placeholder: str) -> bool:
        """Whether it needs what a placeholder stands for."""
        return any(m["name"] == placeholder for text in self._texts() for m in PLACEHOLDER.finditer(text))


def process_of(content: Mapping[str, Any], place: str, folder: Path) -> ProcessSpec:
    """What a part of a descriptor says of a process; ``folder`` is that of the descriptor."""
    ready = content.get("ready", {})
    default = Ready()
    watches = ready.get("watches", () if "listens" in ready else default.watches)
    return ProcessSpec(
        name=content.get("name", ""),
        place=place,
        argv=tuple(content["argv"]),
        env=MappingProxyType(dict(content.get("env", {}))),
        pass_env=tuple(content.get("pass_env", ())),
        binary=_binary(content.get("binary", {}), folder),
        files=MappingProxyType(dict(content.get("files", {}))),
        supporting=content.get("supporting", False),
        ready=Ready(
            watches=tuple(watches),
            listens=ready.get("listens", ""),
            within_s=float(ready.get("within_s", default.within_s)),
        ),
    )


def _binary(content: Mapping[str, Any], folder: Path) -> Path | GoProgram | None:
    if "go" in content:
        return GoProgram(content["go"]["module"], content["go"]["package"])
    if "path" in content:
        return (folder / Path(content["path"]).expanduser()).absolute()
    return None


@dataclass(frozen=True, slots=True)
class LaunchContext:
    """What the placeholders stand for in one start of one process.

    Attributes:
        kubeconfig: the file to connect with.
        binary: the program that ``{binary}`` stands for; None if there is none.
        python: the Python that runs the harness.
        folder: the folder of this start; ``state``, ``files`` and ``home`` in it are empty.
        tls_dir: the folder of ca.crt, tls.crt and tls.key.
        ports: the number of each port by its name.
        namespace: the scenario's, for replicas that elect a leader; "" for all others.
    """

    kubeconfig: Path
    binary: Path | None
    python: str
    folder: Path
    tls_dir: Path
    ports: Mapping[str, int]
    namespace: str = ""

    @property
    def state_dir(self) -> Path:
        """What ``{state_dir}`` stands for."""
        return self.folder / "state"

    @property
    def files_dir(self) -> Path:
        """What ``{files_dir}`` stands for."""
        return self.folder / "files"

    @property
    def home(self) -> Path:
        """HOME and TMPDIR of the process."""
        return self.folder / "home"


@dataclass(frozen=True, slots=True)
class ProcessCommand:
    """What is started: a process with all its placeholders filled.

    Attributes:
        env: the variables that are meant for it: KUBECONFIG, those passed on, those of the descriptor.
    """

    argv: list[str]
    env: dict[str, str]
    files: dict[str, str]


def command(
    process: ProcessSpec, around: LaunchContext, descriptor: Path, variables: Mapping[str, str]
) -> ProcessCommand:
    """The command of one process of that descriptor.

    Args:
        process: how it is started.
        around: what its placeholders stand for.
        descriptor: the file that says so.
        variables: those of the harness, of which the process gets what ``pass_env`` names.

    Raises:
        UserError: one that is named is not set.
    """
    values = {
        "kubeconfig": str(around.kubeconfig),
        "python": around.python,
        "state_dir": str(around.state_dir),
        "files_dir": str(around.files_dir),
        "tls_dir": str(around.tls_dir),
        "descriptor_dir": str(descriptor.resolve().parent),
        ELECTION_PLACEHOLDER: around.namespace,
    }
    if around.binary is not None:
        values["binary"] = str(around.binary)

    def fill(text: str) -> str:
        return filled(text, values, around.ports)

    return ProcessCommand(
        [fill(text) for text in process.argv],
        {
            "KUBECONFIG": str(around.kubeconfig),  # one that looks for no other file finds no other cluster
            **passed_on(process, descriptor, variables),
            **{name: fill(text) for name, text in process.env.items()},
        },
        {name: fill(text) for name, text in process.files.items()},
    )


def passed_on(process: ProcessSpec, descriptor: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of the harness that a process gets.

    Raises:
        UserError: one of them is not set.
    """
    if missing := [name for name in process.pass_env if name not in variables]:
        raise UserError(
            f"{descriptor}: {process.place}.pass_env: {', '.join(missing)} is not set in the environment of "
            "batchproof: set it, or leave it out"
        )
    return {name: variables[name] for name in process.pass_env}


def no_program(program: str) -> tuple[str, str]:
    """Why a process cannot be started with its program, and what to do: it is missing, or not executable."""
    if Path(program).is_file():
        script = "begin a script with #! and its interpreter, or write that before it, such as {python}"
        return f"{program!r} is not executable", f"chmod +x it, and {script}"
    return f"there is no program {program!r}", _HOW_TO_NAME_ONE


def missing_program(process: ProcessSpec, binary: Path | None, descriptor: Path) -> str:
    """The program of a process that is not on this machine; empty if it is.

    Args:
        process: one of that descriptor.
        binary: what ``{binary}`` stands for; None if nothing.
        descriptor: the file of the descriptor.
    """
    what = _as_started(process, binary, descriptor)
    return "" if _found(what) else what.argv[0]


def program(process: ProcessSpec, binary: Path | None, descriptor: Path) -> Path:
    """The file of the program of a process, with links followed; see ``missing_program``."""
    what = _as_started(process, binary, descriptor)
    return Path(_found(what) or what.argv[0]).resolve()


def given_files(process: ProcessSpec, descriptor: Path) -> tuple[Path, ...]:
    """The files that the arguments of a process name: ``--config={descriptor_dir}/x``; not its program."""
    argv = _as_started(process, None, descriptor, binary_is=os.devnull).argv[1:]
    named = (Path(argument.rpartition("=")[2]) for argument in argv)
    return tuple(one for one in named if one.is_absolute() and one.is_file())


def _as_started(
    process: ProcessSpec, binary: Path | None, descriptor: Path, *, binary_is: str = ""
) -> ProcessCommand:
    """The command of a process as far as it is known before anything is started."""
    nowhere = Path("/")
    ports = dict.fromkeys(process.ports, 0)
    stands_for = Path(binary_is) if binary_is else binary
    around = LaunchContext(nowhere, stands_for, sys.executable, nowhere, nowhere, ports)
    return command(process, around, descriptor, {**dict.fromkeys(process.pass_env, ""), **os.environ})


def _found(what: ProcessCommand) -> str | None:
    """Where the program of a command is; a path relative to the instance's own empty folder leads nowhere."""
    path = Path(what.argv[0])
    relative = len(path.parts) > 1 and not path.is_absolute()
    return None if relative else shutil.which(path, path=what.env.get("PATH"))


def filled(text: str, values: Mapping[str, str], ports: Mapping[str, int]) -> str:
    """A text with its placeholders filled: all that it has are known, or the descriptor had been refused."""

    def value(match: re.Match[str]) -> str:
        if literal := match["literal"]:
            return f"{{{literal}}}"
        return str(ports[match["port"]]) if match["port"] else values[match["name"]]

    return PLACEHOLDER.sub(value, text)


def unusable(name: str) -> str:
    """Why a placeholder cannot be used."""
    if name == "binary":
        return "the placeholder {binary} needs a section 'binary'"
    known = " ".join(f"{{{known}}}" for known in (*PLACEHOLDERS, "port:NAME"))
    return f"unknown placeholder {{{name}}}{near(name, PLACEHOLDERS)} (known: {known})"
