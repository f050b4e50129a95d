"""Makes what the image of batchproof is made of, but for its base: a folder for each layer.

    python scripts/image.py build/image [--python /usr/local/bin/python3.11]

It needs uv and hatchling, which .venv of ./check has. The libraries are those of requirements.lock, for the
Python of the base; the programs of the control plane are taken from the cache of batchproof, or built.
"""

from __future__ import annotations

import argparse
import compileall
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bill_of_materials import bill_of_materials

from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.progress import shown
from batchproof.ground.errors import UserError
from batchproof.profiles.job.built_in import CONTROLLERS

ROOT: Final = Path(__file__).parents[1]
PLACE: Final = Path("opt/batchproof")
"""Where everything lies in the image, relative to its root: the Containerfile names it too."""
VERSION: Final = "3.11"
"""The Python of the base."""
USER: Final = 65532
LAYERS: Final = ("control-plane", "libraries", "batchproof", "writable")


def main() -> int:
    """Make the folders."""
    wanted = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    wanted.add_argument("folder", type=Path)
    wanted.add_argument("--python", type=Path, default=Path(f"/usr/local/bin/python{VERSION}"))
    given = wanted.parse_args()
    try:
        make(given.folder, given.python)
    except (UserError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def make(folder: Path, python: Path) -> None:
    """Make a folder for each layer.

    Args:
        folder: where to; what it holds is removed.
        python: the place of the base's Python in the image.

    Raises:
        UserError: a program cannot be had here.
        CalledProcessError: the wheel cannot be built, or a library not be installed.
    """
    for layer in LAYERS:
        shutil.rmtree(folder / layer, ignore_errors=True)
    with shown() as progress:
        programs = Binaries(None, progress).control_plane(CONTROLLERS)
    for name, program in programs.items():
        place = folder / "control-plane" / PLACE / "control-plane" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(program, place)
        place.chmod(0o755)
    libraries = folder / "libraries" / PLACE
    _install(libraries, "--require-hashes", "--requirement", str(ROOT / "requirements.lock"))
    _environment(libraries, python)
    wheel = _wheel(folder)
    _install(folder / "batchproof" / PLACE, str(wheel))
    bill = bill_of_materials(wheel, ROOT / "requirements.lock", programs.values())
    (folder / "batchproof" / PLACE / "sbom.cdx.json").write_text(bill, "utf-8")
    wheel.unlink()
    (folder / "writable" / "results").mkdir(parents=True)


def _install(into: Path, *what: str) -> None:
    """Install packages as they lie in an environment of the base's Python, and compile them."""
    packages = into / "lib" / f"python{VERSION}" / "site-packages"
    options = ["--python-version", VERSION, "--only-binary", ":all:", "--no-deps", "--quiet"]
    install = [sys.executable, "-m", "uv", "pip", "install", *options, "--target", str(packages)]
    # Else what is installed from a path notes the path of this machine, and the time.
    subprocess.run([*install, *what], env={**os.environ, "UV_NO_INSTALLER_METADATA": "1"}, check=True)
    shutil.rmtree(packages / "bin", ignore_errors=True)  # their programs name the Python of this machine
    (packages / ".lock").unlink(missing_ok=True)
    if sys.version_info[:2] == tuple(map(int, VERSION.split("."))):
        # The root may be read-only, so it is compiled here; a digest stays valid where files are copied.
        compileall.compile_dir(
            packages,
            quiet=2,
            stripdir=into,
            prependdir=str(Path("/") / PLACE),
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )


def _environment(folder: Path, python: Path) -> None:
    """Make a virtual environment of a folder with packages; it names no path of this machine."""
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(python)
    (folder / "pyvenv.cfg").write_text(
        f"home = {python.parent}\ninclude-system-site-packages = false\n", "ascii"
    )
    program = folder / "bin" / "batchproof"
    program.write_text(f"#!/{PLACE}/bin/python3\nfrom batchproof.cli import main\n\nmain()\n", "ascii")
    program.chmod(0o755)


def _wheel(folder: Path) -> Path:
    """The wheel of this checkout."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder.resolve())]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("batchproof-*.whl")
    return wheel


if __name__ == "__main__":
    sys.exit(main())
