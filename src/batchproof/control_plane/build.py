"""Go programs that are built once, from modules that pin every dependency by its checksum.

A module is a folder with go.mod, go.sum and build.yaml, which names the commands and the version::

    version: 1.10.0
    commands: {vc-scheduler: volcano.sh/volcano/cmd/scheduler}
    variables: {volcano.sh/volcano/pkg/version.Version: v1.10.0}    # linked in
    files: {volcano.sh/volcano: [config/crd/*/bases/*.yaml]}        # copied out of a Go module

What is built is kept in the cache under a digest of these three files, and of Go sources beside them. It gets
its name there in one step when it is whole, so an interrupted build leaves nothing that looks like a
binary. go.sum is never written, and Go checks all that it downloads against it.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from batchproof.control_plane import cache
from batchproof.control_plane.progress import BuildProgress
from batchproof.control_plane.seals import seal, see_sealed
from batchproof.control_plane.toolchain import Version, configuration, find_go
from batchproof.control_plane.tools import ToolFailed, send
from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes.programs import run_directory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PINNED: Final = ("go.mod", "go.sum", "build.yaml")
_OLDEST_GO: Final = (1, 24, 0)  # the first that knows "tool" lines, which keep the pins of commands
_FILES: Final = "files"
_UNFINISHED: Final = ".unfinished"
_MAJOR: Final = re.compile(r"v[0-9]+")
_ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
_UNREACHABLE: Final = re.compile(
    r"dial tcp|no such host|i/o timeout|connection re(fused|set)|TLS handshake|unreachable|proxyconnect"
    r"|lookup disabled by GOPROXY=off|cannot find module providing|: unexpected EOF"
)


@dataclass(frozen=True)
class GoModule:
    """A folder that pins what is built.

    Attributes:
        folder: where go.mod, go.sum and build.yaml are.
        version: the version of what is built.
        go: the oldest Go that builds it.
        commands: the import path of each command, by the name of its binary.
        variables: string variables that are set when linking.
        files: patterns of the files that are copied out of Go modules, by the path of the Go module.
    """

    folder: Path
    version: str
    go: Version
    commands: Mapping[str, str]
    variables: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> GoModule:
        """The module in a folder.

        Raises:
            UserError: a file is missing, or build.yaml does not say what it must.
        """
        for name in _PINNED:
            if not (folder / name).is_file():
                raise UserError(f"{folder} is no module that can be built: it has no {name}")
        content = _read_yaml(folder / "build.yaml")
        go = re.search(r"^go (\d+)\.(\d+)(?:\.(\d+))?", (folder / "go.mod").read_text("utf-8"), re.MULTILINE)
        needed = tuple(int(part or 0) for part in go.groups()) if go else _OLDEST_GO
        return cls(
            folder,
            content["version"],
            max(needed, _OLDEST_GO),
            content["commands"],
            content.get("variables", {}),
            content.get("files", {}),
        )

    @property
    def name(self) -> str:
        """What it is called."""
        return self.folder.name

    @property
    def built(self) -> Path:
        """The folder in the cache that holds its binaries."""
        system, architecture = target()
        digest = hashlib.sha256()
        sources = sorted(path.name for path in self.folder.glob("*.go"))
        for name in (*_PINNED, *sources):
            content = (self.folder / name).read_bytes()
            digest.update(f"{name} {len(content)}\n".encode() + content)
        key = f"{self.name}-{self.version}-{system}-{architecture}-{digest.hexdigest()[:12]}"
        return cache.binaries_folder() / key

    def command(self, package: str) -> str:
        """The name of the command with this import path.

        Raises:
            UserError: build.yaml does not list it.
        """
        for name, path in self.commands.items():
            if path == package:
                return name
        raise UserError(f"{package} is not among the commands of {self.folder / 'build.yaml'}")


def _read_yaml(path: Path) -> dict[str, Any]:
    """What build.yaml says, if it says what it must and nothing else."""
    try:
        content: Any = yaml.safe_load(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise UserError(f"{path} is not YAML: {error}") from error
    if (
        not isinstance(content, dict)
        or not isinstance(content.get("version"), str)
        or not content.get("commands")
    ):
        raise UserError(f"{path} needs a version (text) and commands (name: import path)")
    if unknown := [str(key) for key in content if key not in {"version", "commands", "variables", "files"}]:
        raise UserError(
            f"{path} may only have version, commands, variables and files, not {', '.join(unknown)}"
        )
    for key in ("commands", "variables"):
        table = content.get(key, {})
        if not isinstance(table, dict) or not all(
            isinstance(text, str) for text in (*table, *table.values())
        ):
            raise UserError(f"{path}: {key} must map text to text")
    files = content.get("files", {})
    if not isinstance(files, dict) or not all(
        isinstance(patterns, list) and all(isinstance(pattern, str) for pattern in patterns)
        for patterns in files.values()
    ):
        raise UserError(f"{path}: files must map the path of a Go module to a list of patterns")
    return content


def target() -> tuple[str, str]:
    """The system and architecture of this machine, as Go names them."""
    machine = platform.machine().lower()
    return sys.platform, _ARCHITECTURES.get(machine, machine)


def ensure(module: GoModule, command: str, progress: BuildProgress) -> Path:
    """The binary of a command: from the cache, else built now; see ``ensure_all``."""
    return ensure_all(module, (command,), progress)[command]


def ensure_all(module: GoModule, commands: Sequence[str], progress: BuildProgress) -> dict[str, Path]:
    """The binaries of some commands of a module, by their names: from the cache, else built now, together.

    Of several runs that ask at once, one builds and the others wait.

    Raises:
        UserError: one cannot be built here (no Go, no network, full disk); the message says what to do.
        HarnessError: a build failed.
    """
    for command in commands:
        if command not in module.commands:
            raise UserError(f"{module.name} has no command {command}; it has {', '.join(module.commands)}")
    binaries = {command: module.built / command for command in commands}
    if missing := _missing(binaries):
        with cache.writing(), cache.locked(module.built.name, _what(module, missing), progress):
            if missing := _missing(binaries):
                _build(module, missing, progress)
    for binary in binaries.values():
        see_sealed(binary)
    return binaries


def _missing(binaries: Mapping[str, Path]) -> list[str]:
    return [command for command, binary in binaries.items() if not binary.is_file()]


def _what(module: GoModule, commands: Sequence[str]) -> str:
    return f"{', '.join(commands)} ({module.name} {module.version})"


def ensure_files(module: GoModule, patterns: Sequence[str], progress: BuildProgress) -> list[Path]:
    """The files that match, of those that build.yaml lists: from the cache, else copied out now.

    Args:
        module: where build.yaml is.
        patterns: paths inside the Go module, with ``*`` for anything but a slash.
        progress: called with how far it is.

    Raises:
        UserError: a pattern matches nothing, or the Go module cannot be had here.
        HarnessError: Go does not say where the module is.
    """
    copied = module.built / _FILES
    if not copied.is_dir():
        what = f"the files of {module.name} {module.version}"
        with cache.writing(), cache.locked(module.built.name, what, progress):
            if not copied.is_dir():
                _copy_out(module, copied, what, progress)
    found = {pattern: sorted(copied.glob(pattern)) for pattern in patterns}
    if missing := [pattern for pattern, paths in found.items() if not paths]:
        listed = ", ".join(pattern for each in module.files.values() for pattern in each) or "none"
        raise UserError(
            f"{module.name} has no file {', '.join(missing)}; {module.folder / 'build.yaml'} lists {listed}"
        )
    return list(dict.fromkeys(path for paths in found.values() for path in paths))


def _copy_out(module: GoModule, copied: Path, what: str, progress: BuildProgress) -> None:
    """Copy what build.yaml lists while holding the module's lock; Go checks it against go.sum."""
    copied.parent.mkdir(parents=True, exist_ok=True)
    go = find_go(module.go, progress)
    unfinished = copied.with_name(f".{_FILES}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    with run_directory() as run:
        for path, patterns in module.files.items():
            folder = _downloaded(go, module, path, what, run_dir=run.path, progress=progress)
            for found in sorted({one for pattern in patterns for one in folder.glob(pattern)}):
                target = unfinished / found.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(found, target)  # and not its mode: Go's own copy is read-only
    unfinished.rename(copied)


def _downloaded(
    go: Path, module: GoModule, path: str, what: str, *, run_dir: Path, progress: BuildProgress
) -> Path:
    """The folder of a Go module in Go's cache."""
    try:
        said = send(
            [go, "mod", "download", "-json", path],
            run_dir=run_dir,
            name="go-download",
            env=_environment(run_dir),
            cwd=module.folder,
            looking=lambda _: progress(f"{what}: downloading modules", 0, 0),
        )
    except ToolFailed as error:
        raise _explained(error, what, module) from error
    folder = re.search(r'"Dir": "(.+)"', "\n".join(said))
    if folder is None:
        raise HarnessError(f"{what}: Go does not say where {path} is:\n" + "\n".join(said[-20:]))
    return Path(folder[1])


def _build(module: GoModule, commands: Sequence[str], progress: BuildProgress) -> None:
    """Build while holding the module's lock."""
    unfinished = module.built / _UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)  # no other process works here: it is of one that has ended
    unfinished.mkdir(parents=True)
    go = find_go(module.go, progress)
    try:
        with run_directory() as run:
            _run_go(go, module, commands, output=unfinished, run_dir=run.path, progress=progress)
        for command in commands:
            binary = (unfinished / _named_by_go(module.commands[command])).rename(unfinished / command)
            with binary.open("rb") as whole:
                os.fsync(whole.fileno())
            seal(binary, module.built)
            binary.rename(module.built / command)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _named_by_go(package: str) -> str:
    """The name that Go gives to the binary of a command: the end of its path, without a version."""
    words = package.split("/")
    return words[-2] if len(words) > 1 and _MAJOR.fullmatch(words[-1]) else words[-1]


def _run_go(
    go: Path,
    module: GoModule,
    commands: Sequence[str],
    *,
    output: Path,
    run_dir: Path,
    progress: BuildProgress,
) -> None:
    what, packages = _what(module, commands), [module.commands[command] for command in commands]
    env = _environment(run_dir)

    def downloading(lines: list[str]) -> None:
        count = sum(line.startswith("go: downloading ") for line in lines)
        progress(f"{what}: downloading modules" if count else f"{what}: looking at its packages", count, 0)

    def compiling(lines: list[str]) -> None:
        progress(f"{what}: compiling", min(len(lines), total), total)

    variables = " ".join(f"-X {name}={value}" for name, value in module.variables.items())
    build = [go, "build", "-v", "-trimpath", f"-ldflags=-s -w {variables}", f"-o={output}/", *packages]
    try:
        said = send(
            [go, "list", "-deps", *packages],
            run_dir=run_dir,
            name="go-list",
            env=env,
            cwd=module.folder,
            looking=downloading,
        )
        total = sum(not line.startswith("go: ") for line in said)
        send(build, run_dir=run_dir, name="go-build", env=env, cwd=module.folder, looking=compiling)
        progress(f"{what}: compiling", total, total)
    except ToolFailed as error:
        raise _explained(error, what, module) from error


def _environment(run_dir: Path) -> dict[str, str]:
    """The variables that Go gets beside the user's own settings (GOPROXY, GONOSUMDB and so on stay theirs).

    Go writes its caches below batchproof's own.
    """
    home = cache.go_folder()
    temporary = run_dir / "go"
    temporary.mkdir(exist_ok=True)
    system, architecture = target()
    moved = {
        "GOPATH": str(home / "path"),
        "GOMODCACHE": str(home / "mod"),
        "GOCACHE": str(home / "build"),
        "GOTMPDIR": str(temporary),
    }
    return {
        **{name: value for name, value in moved.items() if name not in os.environ},
        **configuration(),
        "GOFLAGS": "-mod=readonly -buildvcs=false",
        "GOWORK": "off",
        "GOTOOLCHAIN": "local",
        "GOOS": system,
        "GOARCH": architecture,
        "CGO_ENABLED": "0",
    }


def _explained(error: ToolFailed, what: str, module: GoModule) -> UserError | HarnessError:
    """What a failed build means for the user."""
    said = error.output
    if re.search("no space left on device|disk quota exceeded", said, re.IGNORECASE):
        return UserError(cache.full_disk())
    if "checksum mismatch" in said or "SECURITY ERROR" in said:
        return UserError(
            f"{what} was not built: a downloaded module is not the one that {module.folder / 'go.sum'} pins. "
            f"Look at what GOPROXY points to.\n{error.last_words()}"
        )
    if _UNREACHABLE.search(said):
        return UserError(
            f"{what} was not built: its modules could not be downloaded. Connect to the network (or set "
            f"GOPROXY) and run the same command again, or give binaries with --assets.\n{error.last_words()}"
        )
    if "signal: killed" in said or error.returncode == -signal.SIGKILL:
        return UserError(
            f"{what} was not built: the compiler was killed, most likely for want of memory (it needs about "
            f"3 GiB). Free some and run the same command again.\n{error.last_words()}"
        )
    return HarnessError(f"{what} could not be built:\n{error.last_words()}")
