"""Runs the unit tests of the judge in processes of their own, with one source file wrong or none.

The parent imports whatever is no part of batchproof, and forks: so a process needs a fraction of a second for
the few modules that execute a wrong line.
"""

from __future__ import annotations

import io
import re
import signal
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

import coverage
import hypothesis.stateful
import hypothesis.strategies  # noqa: F401 - here, so that no process has to
import msgspec
import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, FrameType

    from mutations import Mutant

ROOT = Path(__file__).parents[2]
PACKAGE = "src/batchproof"
_JUDGES = re.compile(r"judgement/|profiles/\w+/(?:delays|ending|facts|invariants|objects)\b")
"""Which modules of the package judge: the kernel, and what each profile knows."""
_ABOUT = re.compile(
    r"batchproof\.(?:judgement|profiles)|from histories|from (?:fact|invariant)_examples"
    r"|from test_(?:evidence_words|facts|folding|foreign|inputs|told)"
)
WHOLE = "tests/exhaustive"
"""The folder of what unit tests look at some of."""
SLOW = [f"tests/unit/test_{name}.py" for name in ("facts_all", "inputs", "folding", "told_otherwise")]
"""What looks at every fact in every history: it is run only where nothing else has noticed anything."""
_HUNG_S = 60  # of the processor, for one test
_OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin", "--hypothesis-seed=0")


def judging() -> list[Path]:
    """The modules of the judge."""
    package = ROOT / PACKAGE
    return sorted(
        path for path in package.rglob("*.py") if _JUDGES.match(path.relative_to(package).as_posix())
    )


class Reach(msgspec.Struct):
    """Which tests execute which lines.

    Attributes:
        took_s: how long each test takes, by its id.
        lines: the ids of the tests that execute a line, by file and line; the empty one: it is executed when
            a module is imported.
    """

    took_s: dict[str, float] = {}
    lines: dict[str, dict[int, list[str]]] = {}

    def tests(self, file: str, line: int) -> dict[str, list[str]]:
        """The tests that may notice that a line is wrong, by module, the quickest module first.

        What is executed at an import may matter to each test that executes anything of the file, and to each
        whose module names it: that may read a constant.
        """
        of_file = self.lines.get(file, {})
        tests = set(of_file.get(line, ()))
        if "" in tests:
            tests = {test for some in of_file.values() for test in some} - {""}
            naming = {module for module in set(map(_module, self.took_s)) if _names(module, file)}
            tests |= {test for test in self.took_s if _module(test) in naming}
        modules: dict[str, list[str]] = {}
        for test in sorted(tests):
            modules.setdefault(_module(test), []).append(test)
        whole_s: dict[str, float] = {}
        for test, took_s in self.took_s.items():
            whole_s[_module(test)] = whole_s.get(_module(test), 0.0) + took_s
        return {module: modules[module] for module in sorted(modules, key=lambda module: whole_s[module])}


def _module(test: str) -> str:
    return test.partition("::")[0]


def _names(module: str, file: str) -> bool:
    """Whether a module of tests names a file of the package, by its path or as it is imported."""
    inner = file.removeprefix(f"{PACKAGE}/")
    dotted = inner.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    text = (ROOT / module).read_text("utf-8")
    return f'"{inner}"' in text or f"batchproof.{dotted} import" in text


def unit_tests(pattern: str) -> list[str]:
    """The modules of unit tests that have to do with the judge; those that take long are the last."""
    paths = [path for folder in ("tests/unit", WHOLE) for path in sorted((ROOT / folder).glob(pattern))]
    about = [path.relative_to(ROOT).as_posix() for path in paths if _ABOUT.search(path.read_text("utf-8"))]
    return sorted(about, key=slow)


def slow(module: str) -> bool:
    """It looks at every fact in every history."""
    return module in SLOW or module.startswith(f"{WHOLE}/")


class Hung(BaseException):
    """A test has used the processor for so long that it will never end."""


@dataclass(eq=False)
class _Watch:
    """A plugin of pytest: takes the times, tells coverage which test runs, and runs no others than chosen."""

    chosen: frozenset[str] | None = None
    took_s: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.chosen is not None:
            items[:] = [item for item in items if item.nodeid in self.chosen]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        signal.setitimer(signal.ITIMER_PROF, _HUNG_S)
        if running := coverage.Coverage.current():
            running.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took_s[report.nodeid] = self.took_s.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            hung = Hung.__name__ in str(report.longrepr)
            self.failed.append(f"{report.nodeid}{' (hangs)' if hung else ''}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(f"{report.nodeid} (import)")


def _run(modules: Sequence[str], chosen: Sequence[str] | None) -> _Watch:
    """Run tests of some modules in this process."""
    watch = _Watch(None if chosen is None else frozenset(chosen))
    signal.signal(signal.SIGPROF, _hangs)
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        ended = pytest.main([*_OPTIONS, *modules], plugins=[watch])
    signal.setitimer(signal.ITIMER_PROF, 0)
    if not watch.failed and ended not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        watch.failed.append(f"pytest ends with {ended}: {out.getvalue().strip().splitlines()[-1:]}")
    return watch


def _hangs(_signal: int, _frame: FrameType | None) -> None:
    raise Hung


def executed(modules: Sequence[str]) -> Reach:
    """Which lines of the judge each test of these modules executes; to be called in a process of its own.

    Raises:
        RuntimeError: a test fails though nothing is wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        data = coverage.Coverage(
            data_file=f"{folder}/data", include=[str(path) for path in judging()], config_file=False
        )
        data.set_option("run:disable_warnings", ["no-data-collected"])
        with data.collect():
            watch = _run(modules, None)
        if watch.failed:
            raise RuntimeError(f"fails though nothing is wrong: {watch.failed}")
        found = data.get_data()
        lines = {
            str(Path(path).relative_to(ROOT)): found.contexts_by_lineno(path)
            for path in found.measured_files()
        }
    return Reach(watch.took_s, lines)


def noticed(mutant: Mutant, tests: Mapping[str, Sequence[str] | None]) -> str:
    """The test that notices a wrong edit; empty if none does. To be called in a process of its own.

    Args:
        mutant: the edit.
        tests: the ids of the tests that are run of each module, in this order; None: all of it.
    """
    sys.meta_path.insert(0, _Wrong(mutant))
    for module, chosen in tests.items():
        if failed := _run([module], chosen).failed:
            return failed[0]
    return ""


class _Wrong(SourceFileLoader):
    """Finds one module, and loads it from another source."""

    def __init__(self, mutant: Mutant) -> None:
        parts = Path(mutant.file).relative_to("src").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        super().__init__(name, str(ROOT / mutant.file))
        self._source = mutant.source

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        return spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None

    def get_code(self, _: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)
