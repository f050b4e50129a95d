"""Planted defects: read, blamed, and planted by exactly one change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from batchproof.descriptor.implementation import find, load
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.profiles import profile
from batchproof.running.mutants.choice import declared
from batchproof.specification.mutants import changed, load_mutants, plant
from batchproof.specification.registry import load_registry

EXPLORED = Path(__file__).parents[1] / "explored"
ROW = """
- name: {name}
  requirement: FIN-004
  what: The finalizer goes first.
  edits:
    - in: reference_controller/job/tracking.py
      replace: "{replace}"
      with: "{text}"
"""


def row(name: str = "finalizer-first", replace: str = "ORDER = 1", text: str = "ORDER = 2") -> str:
    return ROW.format(name=name, replace=replace, text=text)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    package = tmp_path / "source" / "reference_controller"
    (package / "job" / "__pycache__").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "job" / "__init__.py").write_text("")
    (package / "job" / "__pycache__" / "old.pyc").write_text("")
    (package / "job" / "tracking.py").write_text("ORDER = 1\nTWICE = 0\nTWICE = 0\n")
    return package.parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "defects"
    folder.mkdir()
    return folder


def test_the_copy_has_the_change_and_the_source_has_not(tmp_path: Path, source: Path, folder: Path) -> None:
    (folder / "a.yaml").write_text(row())
    (defect,) = load_mutants(folder)
    into = plant(defect, source, tmp_path / "copy")
    assert into == tmp_path / "copy"
    asked = "import reference_controller.job.tracking as t; print(t.ORDER)"
    command = [sys.executable, "-P", "-c", asked]
    told = subprocess.run(command, env={"PYTHONPATH": str(into)}, capture_output=True, text=True, check=True)
    assert told.stdout == "2\n"
    assert "ORDER = 1" in (source / "reference_controller/job/tracking.py").read_text()
    assert not (into / "reference_controller/job/__pycache__/old.pyc").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row(replace="GONE = 1"), "a.yaml:6: finalizer-first: 'GONE = 1' is found nowhere in"),
        (
            row(replace="TWICE = 0"),
            "is found 2 times in reference_controller/job/tracking.py, in the lines 2, 3",
        ),
        (row(text="ORDER = ="), "finalizer-first: what is put there is not Python: .*line 1"),
        (row(text="ORDER   =  1"), "a.yaml:6: finalizer-first: nothing is changed by it"),
        (row().replace("tracking.py", "gone.py"), "reference_controller/job/gone.py cannot be read"),
    ],
)
def test_what_cannot_be_planted_is_blamed(
    tmp_path: Path, source: Path, folder: Path, text: str, message: str
) -> None:
    (folder / "a.yaml").write_text(text)
    (defect,) = load_mutants(folder)
    with pytest.raises(UserError, match=message):
        plant(defect, source, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row("Finalizer First"), "a.yaml:2: Finalizer First.name: .* does not have the form"),
        (row() + row(), "a.yaml:10: finalizer-first: the name is used already in a.yaml:2"),
        (row().replace("reference_controller", "../batchproof"), "a.yaml:6: .*in: .* does not have the form"),
        (row().replace("with:", "insert:"), "a.yaml:6: .*it must have 'replace' and 'with' or 'delete' or"),
        (row().replace("what:", "why:"), "unknown key 'why'"),
    ],
)
def test_mistakes_are_blamed_with_file_and_line(folder: Path, text: str, message: str) -> None:
    (folder / "a.yaml").write_text(text)
    with pytest.raises(UserError, match=message):
        load_mutants(folder)


def test_no_files_are_no_defects(folder: Path) -> None:
    assert load_mutants(folder) == []


def plantable(each: int = 1) -> bool:
    """Whether one in so many defects of the suite can be planted."""
    return all(changed(one, suite.reference().parent) for one in load_mutants()[::each])


def test_bundled_defects_can_be_planted() -> None:
    """Some of them: `batchproof lint` and tests/exhaustive plant all."""
    assert plantable(25)


def test_what_exploring_is_to_find_can_be_planted() -> None:
    known, defects = load_registry(), load_mutants(EXPLORED)

    assert len(defects) >= 15
    assert {one.requirement for one in defects} <= known.keys()
    assert all(changed(one, suite.reference().parent) for one in defects)


def test_a_defect_that_needs_a_capability_is_planted_only_where_that_is_declared() -> None:
    registry = load_registry()
    gangs = [one for one in load_mutants() if registry[one.requirement].profile == "gang"]
    defects = [one for one in gangs if one.capability]

    in_its_own, nowhere = declared(defects, registry, load(find(profile("gang").reference)))
    native = load(find("reference-scheduler-native"))
    in_native, _ = declared(defects, registry, native)

    assert {one.capability for one in nowhere} == {"StorageClaims", "TopologyConstraint"}
    assert declared(nowhere, registry, native)[1] == []
    assert in_its_own == [one for one in defects if one not in nowhere]
    assert "task-minimums-instead-of-minimum" not in {one.name for one in in_native}


def test_every_defect_can_be_planted_in_a_reference_that_its_requirement_is_about() -> None:
    registry, job = load_registry(), profile("job")
    defects = [one for one in load_mutants() if registry[one.requirement].profile == job.name]

    in_the_first, left = declared(defects, registry, load(find(job.reference)))
    (variant,) = job.variants
    in_the_other, nowhere = declared(left, registry, load(find(variant)))

    assert "FAIL-057" in {one.requirement for one in in_the_first}
    assert {one.requirement for one in in_the_other} == {"FAIL-067", "FIN-042"}
    assert nowhere == []
