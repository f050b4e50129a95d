"""The console examples of the docs: where they are, and how they are run as a reader would.

``examples.yaml`` says of each block which test runs it, or why none does. A block that is run is run by bash,
in a folder that has what the page has shown before. What it prints is compared with the page: ``...`` stands
for anything, a number for any number.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from waiting import HANGS_S

ROOT = Path(__file__).parents[2]
KNOWN = Path(__file__).with_name("examples.yaml")
LEFT_OUT = ("docs/adr/",)
"""The decisions are kept in the words of their day, and so are their examples."""
_FENCE = re.compile(
    r"(?:^`(?P<path>[\w./-]+)`:\n\n)?^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)``` *$",
    re.MULTILINE | re.DOTALL,
)
_SHELLS = {"console", "sh", "shell", "bash"}
_MARK = "@@ ended with "


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Attributes:
        page: the page, from the root of the checkout.
        path: the file whose text it is, where the page says so above.
        language: what the fence says.
        text: its lines.
    """

    page: str
    path: str
    language: str
    text: str

    @property
    def is_example(self) -> bool:
        """It shows commands."""
        return self.language in _SHELLS

    @property
    def commands(self) -> list[str]:
        """The lines that a reader would type."""
        lines = self.text.splitlines()
        if self.language != "console":
            return [line for line in lines if line.strip()]
        return [line[2:] for line in lines if line.startswith(("$ ", "# "))]

    @property
    def shown(self) -> list[str]:
        """The lines that are printed, as the page has them."""
        lines = self.text.splitlines() if self.language == "console" else []
        return [line for line in lines if line.strip() and not line.startswith(("$ ", "# "))]


def blocks(page: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text = (ROOT / page).read_text("utf-8")
    return [
        Block(page, it["path"] or "", it["language"], textwrap.dedent(it["text"]))
        for it in _FENCE.finditer(text)
    ]


@cache
def pages() -> list[str]:
    """README and the pages of the docs."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    names = [path.relative_to(ROOT).as_posix() for path in found]
    return [name for name in names if not name.startswith(LEFT_OUT)]


@cache
def known() -> dict[str, list[dict[str, Any]]]:
    """What ``examples.yaml`` says of the blocks of each page, in their order."""
    content: dict[str, list[dict[str, Any]]] = yaml.safe_load(KNOWN.read_text("utf-8"))
    return content


def run_here() -> list[str]:
    """The pages with examples that are run."""
    return [page for page, said in known().items() if any("run" in one for one in said)]


def walk(page: str, folder: Path) -> None:
    """Do what a page says, from top to bottom: write its files, run its examples."""
    said = iter(known()[page])
    for block in blocks(page):
        if block.path and (folder / "checkout").exists():
            _write(folder / "checkout" / block.path, block.text)
        if block.is_example and "run" in (one := next(said)):
            _run(block, one, folder)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _run(block: Block, said: dict[str, Any], folder: Path) -> None:
    script = "\n".join(
        [*said.get("before", ()), *(f'{one}\necho "{_MARK}$?"' for one in block.commands if one.strip())]
    )
    cwd = folder / "checkout" if (folder / "checkout").exists() else folder
    ended = subprocess.run(
        ["bash", "-c", script],
        cwd=cwd,
        env=_environment(folder, said),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=HANGS_S,
        check=False,
    )
    codes = [int(code) for code in re.findall(f"{_MARK}(\\d+)", ended.stdout)]
    expected = [0] * (len(block.commands) - 1) + [said.get("ends", 0)]
    assert codes == expected, f"{block.page}: {block.commands}\n{ended.stdout}"
    if not said.get("otherwise"):
        missing = unlike(block.shown, ended.stdout)
        assert not missing, f"{block.page} shows {missing!r}; printed is\n{ended.stdout}"


def unlike(shown: list[str], printed: str) -> str:
    """The first line of a page that was not printed after the lines before it; empty: all were."""
    text, at = " ".join(printed.split()), 0
    for line in shown:
        found = _pattern(line).search(text, at)
        if found is None:
            return line
        at = found.end()
    return ""


def _pattern(line: str) -> re.Pattern[str]:
    """What a line of a page stands for."""
    parts = [re.escape(part) for part in " ".join(line.split()).split("...")]
    return re.compile(re.sub(r"\d+(?:\\\.\d+)*", r"[\\d.]+", ".*?".join(parts)))


def _environment(folder: Path, said: dict[str, Any]) -> dict[str, str]:
    """What a reader has: the command on the PATH, a whole run that is only a part of it here."""
    programs = folder / ".programs"
    if not programs.exists():
        programs.mkdir()
        for name, text in (("batchproof", _COMMAND), ("python", _PYTHON)):
            _write(programs / name, text.format(python=sys.executable))
            (programs / name).chmod(0o700)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    checkout = folder / "checkout"
    own = {"PYTHONPATH": f"{checkout / 'src'}{os.pathsep}{checkout}"} if checkout.exists() else {}
    only = {"EXAMPLES_ONLY": said.get("only", "BAS-013")}
    return {**os.environ, **own, **only, "PATH": path, "COLUMNS": "250", "NO_COLOR": "1"}


_PYTHON = """\
#!/bin/sh
exec {python} "$@"
"""
_COMMAND = """\
#!/bin/sh
# A run of a whole profile is cut to a few scenarios: the example is tried, not the profile.
whole=$1
for one in "$@"; do case $one in -k|--dry-run|--feature|--suite) whole= ;; esac; done
[ "$whole" = run ] && set -- "$@" -k "$EXAMPLES_ONLY"
exec {python} -c 'from batchproof.cli import main; main()' "$@"
"""


def prepare(page: str, folder: Path) -> None:
    """Put into a folder what a reader of a page has: a controller, its descriptor, or a checkout."""
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "activate").touch()
    for name, where in _FILES.items():
        of_page = [it.text for it in blocks(page) if it.text.startswith(f"# {name}\n")]
        _write(folder / name, of_page[0] if of_page else _shown(where, name))
    _write(folder / "deployment.yaml", _DEPLOYMENT)
    program = folder / "bin" / "my-controller"
    _write(program, _CONTROLLER.format(python=sys.executable, root=ROOT))
    program.chmod(0o700)
    shutil.copytree(folder, folder / "as-it-was")
    if any(block.path for block in blocks(page)):
        left_out = shutil.ignore_patterns(".*", "__pycache__", "batchproof-results", "dist", "build")
        shutil.copytree(ROOT, folder / "checkout", ignore=left_out)
        (folder / "checkout" / ".venv").symlink_to(Path(sys.executable).parents[1])


def _shown(page: str, name: str) -> str:
    """The file of that name that a page shows."""
    return next(it.text for it in blocks(page) if it.text.startswith(f"# {name}\n"))


_FILES = {
    "my-controller.yaml": "docs/how-to/certify-a-controller.md",
    "crew-scheduler.yaml": "docs/how-to/dialect.md",
}
_CONTROLLER = """\
#!/bin/sh
# A controller of a reader's own: the reference, which elects no leader unless it is asked to.
export PYTHONPATH={root}
for one in "$@"; do shift; case $one in --leader-elect=false) ;; *) set -- "$@" "$one" ;; esac; done
exec {python} -m reference_controller job "$@"
"""
_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: jobs}
spec:
  template:
    spec:
      containers:
        - name: manager
          image: registry.example.com/jobs:1.2.0
          command: [/manager]
          args: [--leader-elect, --metrics-bind-address=:8080]
"""
