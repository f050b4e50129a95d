"""The run over which the forgeries are made: a part of a profile, judged for real."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from command import ended
from filelock import FileLock

if TYPE_CHECKING:
    from pathlib import Path

_SELECTED = (
    "BAS-014.1 or BAS-017.1 or EXP-001.1 or FIN-004.1 or FAIL-001.1 or FIN-042 or EXP-036.2 or ROB-028.1 "
    "or BAS-038.1"
)
"""Claims of every form, faults, restarts, a SHOULD, witnesses after windows, and some not declared."""

_OF_GRID = "BAS-014.1 or FAIL-001.1 or EXP-001.1"


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a run of the reference, which no test changes."""
    return _recorded(tmp_path_factory, "recorded", "-k", _SELECTED)


@pytest.fixture(scope="session")
def gangs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a run of the reference scheduler: a fact that looks back, a step that repeats itself."""
    return _recorded(tmp_path_factory, "gangs", "-i", "reference-scheduler", "-k", "GNG-025.1 or GNG-007.1")


@pytest.fixture(scope="session")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a run of the fault grid, of which one scenario is left out."""
    return _recorded(tmp_path_factory, "grid", "--faults", "order,errors", "-k", _OF_GRID)


def _recorded(made: pytest.TempPathFactory, name: str, *options: str) -> Path:
    """The results of a run, which the first of all test processes makes."""
    parallel = "PYTEST_XDIST_WORKER" in os.environ
    folder = (made.getbasetemp().parent if parallel else made.getbasetemp()) / f"run-{name}"
    finished = folder.with_suffix(".finished")
    with FileLock(folder.with_suffix(".lock")):
        if not finished.exists():
            code, said = ended("run", *options, "--output", folder)
            assert code == 0, said
            finished.touch()
    return folder
