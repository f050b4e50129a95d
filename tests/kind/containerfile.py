"""The image of batchproof, assembled without a registry: by the Containerfile, on a base of Debian packages.

``python tests/kind/containerfile.py FILE`` writes it as an archive for `docker load`. The layers and the
configuration are those of the Containerfile; the base is the Python of Debian with no shell.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from archive import Image, layer_of_folder, pack
from image import debian

from batchproof.processes.environment import ours

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
NAME: Final = "batchproof.dev/batchproof:tried"
PYTHON: Final = Path("/usr/bin/python3.11")
BASE: Final = ("python3", "netbase")
NOT_IN_IMAGES: Final = ("etc/apt", "var/cache", "var/lib/apt", "var/log")
"""Of a Debian system: what only its installation leaves, such as where its packages came from."""


def main() -> int:
    """Write the archive."""
    assemble(Path(sys.argv[1]))
    return 0


def assemble(path: Path) -> None:
    """Write the image as an archive."""
    with tempfile.TemporaryDirectory() as folder:
        tree, base = Path(folder, "tree"), Path(folder, "base")
        make = [sys.executable, str(ROOT / "scripts" / "image.py"), str(tree), "--python", str(PYTHON)]
        subprocess.run(make, check=True, env=ours())
        base.mkdir()
        left_out = [f"--exclude=./{name}" for name in NOT_IN_IMAGES]
        subprocess.run(["tar", "-C", base, *left_out, "-xf", debian(BASE, "extract")], check=True)
        written = list(instructions((ROOT / "Containerfile").read_text("utf-8")))
        layers = [layer_of_folder(base)]
        for word, text in written:
            if word == "COPY":
                *options, source, to = shlex.split(text)
                owner = int(options[0].rpartition(":")[2]) if options else 0
                assert to == "/"
                layers.append(layer_of_folder(tree / source, owner=owner))
        pack([Image(NAME, tuple(layers), configuration(written))], path)


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a Containerfile, each with its arguments."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in lines.replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest.strip()


def configuration(written: list[tuple[str, str]]) -> dict[str, Any]:
    """What a container is started with, by the instructions.

    Source: Dockerfile reference; the OCI image specification, "config.md".
    """
    found: dict[str, Any] = {"Env": [], "Labels": {}}
    for word, text in written:
        match word:
            case "ENV":
                found["Env"] += shlex.split(text)
            case "LABEL":
                found["Labels"] |= dict(one.split("=", 1) for one in shlex.split(text))
            case "USER":
                found["User"] = text
            case "WORKDIR":
                found["WorkingDir"] = text
            case "VOLUME":
                found["Volumes"] = {place: {} for place in json.loads(text)}
            case "ENTRYPOINT" | "CMD":
                found[word.capitalize()] = json.loads(text)
            case "ARG" | "FROM" | "COPY":
                assert word != "ARG" or re.match(r"BASE=\S+@sha256:[0-9a-f]{64}$", text), text
            case _:
                raise AssertionError(f"{word}: the image is assembled without running anything")
    return found


if __name__ == "__main__":
    sys.exit(main())
