"""The unit tests that a change can affect: by what they import, and by the files that they read.

python scripts/units.py REV   prints the files of those that a change since REV can affect, or nothing

A module that loads others by their names counts as importing all that it may load. A file that is no Python
concerns the tests in which its name or the name of a folder that it is in is written; where that cannot be
said, it concerns all. `./check --since REV` calls it; what it leaves out, `./check` runs.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[1]
SOURCES = ("src", ".")
"""Where the packages are."""
PACKAGES = ("batchproof", "reference_controller")
HELPERS = (
    "tests/unit",
    "tests/unit/reference",
    "tests/shared",
    "tests/integration",
    "tests/judge_mutants",
    "scripts",
)
"""From where a unit test imports by a bare name."""
LOADS = {
    "batchproof.cli": "batchproof.commands",
    "batchproof.judgement.parts": "batchproof.profiles",
    "batchproof.profiles": "batchproof.profiles",
    "batchproof.control_plane.providers": "batchproof.control_plane",
    "reference_controller.controllers": "reference_controller.runtime",
    "forked": "batchproof.commands",
}
"""What a module loads by name: all below a package."""
BY_NAME = re.compile(r"\bimport_module\(")
SUITE = "batchproof.ground.suite"
"""By this module everything finds the suite: features, steps, fixtures, mutants."""
OF_SUITE = ("features/", "steps/", "fixtures/", "suites/", "tests/mutants/", "reports/")
EVERYTHING = ("pyproject.toml", "requirements-dev.lock", "requirements.lock", "tests/conftest.py", "tox.ini")


def units(root: Path = ROOT) -> list[str]:
    """All files of unit tests."""
    return sorted(path.relative_to(root).as_posix() for path in (root / "tests" / "unit").rglob("test_*.py"))


def affected(files: Iterable[str], root: Path = ROOT) -> list[str]:
    """The files of unit tests that a change of some files can affect.

    Args:
        files: those that have changed, from the root; some may be gone.
        root: the checkout.
    """
    changed = [*files]
    if any(file in EVERYTHING for file in changed):
        return units(root)
    names = _modules(root)
    importers = _importers(names, root)
    begins = {_name(file) for file in changed if file.endswith(".py")} & {*names, *importers}
    if any(file.startswith(OF_SUITE) for file in changed):
        begins.add(SUITE)
    others = [file for file in changed if not file.endswith(".py") or file.startswith(("scripts/", "tests/"))]
    begins |= {name for name, path in names.items() if _is_test(path, root) and _reads(path, others)}
    reached, todo = set(), begins
    while todo:
        reached |= todo
        todo = {one for name in todo for one in importers.get(name, ())} - reached
    return [file for file in units(root) if _name(file) in reached]


def _name(file: str) -> str:
    """The name by which a file of Python is imported."""
    path = PurePosixPath(file).with_suffix("")
    parts = path.parts[1:] if path.parts[0] == "src" else path.parts
    if parts[0] not in PACKAGES:
        return path.name
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _modules(root: Path) -> dict[str, Path]:
    """The modules of the project by the names by which they are imported."""
    packages = (path for name in PACKAGES for base in SOURCES for path in (root / base / name).rglob("*.py"))
    helpers = (path for folder in HELPERS for path in (root / folder).glob("*.py"))
    return {_name(path.relative_to(root).as_posix()): path for path in chain(packages, helpers)}


def _importers(names: dict[str, Path], root: Path) -> dict[str, set[str]]:
    """For each module those that import it, a package of it, or load it by its name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, path in names.items():
        text = path.read_text("utf-8")
        imported = {*_imported(ast.parse(text))}
        if name in LOADS:
            imported |= {one for one in names if one.startswith(f"{LOADS[name]}.")}
        elif _is_test(path, root) and BY_NAME.search(text):  # the tables of other tests
            imported |= {one for one in names if one.startswith("test_")}
        for one in imported:
            for whole in _with_packages(one):
                found[whole].add(name)
    return found


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _with_packages(name: str) -> Iterator[str]:
    """A module, and the packages that are executed when it is imported."""
    words = name.split(".")
    yield from (".".join(words[:length]) for length in range(1, len(words) + 1))


def _is_test(path: Path, root: Path) -> bool:
    return path.is_relative_to(root / "tests")


def _reads(test: Path, files: Iterable[str]) -> bool:
    """Whether the names of files, or of folders that they are in, are written in a test."""
    paths = [PurePosixPath(file) for file in files]
    words = {word for path in paths for word in (*path.parts, path.stem)} - {"tests"}
    return bool(words) and bool(words & {*re.split(r"[^\w.-]+", test.read_text("utf-8"))})


def changed(revision: str, root: Path = ROOT) -> list[str]:
    """The files of the checkout that differ from a revision, new ones and those that are gone too."""
    listed = (["git", "diff", "--name-only", revision], ["git", "ls-files", "--others", "--exclude-standard"])
    done = [subprocess.run(one, cwd=root, capture_output=True, text=True, check=False) for one in listed]
    if done[0].returncode:
        sys.exit(f"{revision!r} cannot be compared: {done[0].stderr.strip()}")
    return sorted({file for one in done for file in one.stdout.splitlines()})


if __name__ == "__main__":
    print("\n".join(affected(changed(sys.argv[1]))))
