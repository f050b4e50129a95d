"""Which mutants a change of the suite concerns."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from batchproof.specification.changes import EverythingChanged, affected
from batchproof.specification.changes import concerned as concerned_in
from batchproof.specification.mutants import read_mutants

if TYPE_CHECKING:
    from pathlib import Path

FACTS = "src/batchproof/profiles/job/facts/pods.py"
STEPS = "steps/pods.py"
FILES = {
    "features/job/a.feature": """Feature: A
  @FIN-001
  Scenario: One
    Given a node
    Then it is so

  @FIN-002
  Scenario: Two
    Given a Job
    Then it is so too
""",
    "steps/all.py": """
from pytest_bdd import given, then
from somewhere import far

@given("a node")
def node(): ...

@given("a Job")
def job(): return helped()

@then("it is so")
def so(): ...

@then("it is so too")
def so_too(): return far()

def helped(): return 1
""".replace("from somewhere import far\n", "far = 1\n"),
    STEPS: "def so_too(): return 1\n",
    FACTS: "def _inner(): return 1\n\ndef so_too(seen): return _inner()\n",
    "src/batchproof/world/world.py": "class World: ...\n",
    "src/batchproof/report/page.py": "",
    "reference_controller/a.py": "A = 1\n",
    "reference_controller/b.py": "B = 1\n",
    "tests/mutants/a.yaml": """
- name: first
  requirement: FIN-001
  what: It is wrong.
  edits: [{in: reference_controller/a.py, replace: A = 1, with: A = 2}]
- name: second
  requirement: FIN-002
  what: It is wrong too.
  edits: [{in: reference_controller/b.py, replace: B = 1, with: B = 2}]
""",
}


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    for name, text in FILES.items():
        path = tmp_path / "old" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    return tmp_path / "old", tmp_path / "new"


def concerned(states: tuple[Path, Path]) -> dict[str, str]:
    old, new = states
    return affected(read_mutants(new / "tests" / "mutants")[0], old, new)


@pytest.mark.parametrize(
    ("file", "before", "after", "found"),
    [
        pytest.param("steps/all.py", "def node", "# why\n\ndef node", {}, id="comments mean nothing"),
        pytest.param("src/batchproof/report/page.py", "", "A = 1\n", {}, id="a report decides nothing"),
        pytest.param("tests/mutants/a.yaml", "A = 2", "A = 3", {"first": "the mutant itself"}, id="a defect"),
        pytest.param(
            "reference_controller/b.py",
            "B = 1",
            "B = 1\nC = 1",
            {"second": "reference_controller/b.py"},
            id="a file of the reference",
        ),
        pytest.param(
            "features/job/a.feature", "a node", "a Job", {"first": "scenario 'One'"}, id="a scenario"
        ),
        pytest.param(
            "steps/all.py", "def so(): ...", "def so(): return 1", {"first": "steps/all.py::so"}, id="a step"
        ),
        pytest.param(
            "steps/all.py", "return 1", "return 2", {"second": "steps/all.py::job"}, id="what a step uses"
        ),
        pytest.param(STEPS, "return 1", "return 2", {"second": f"{STEPS}::so_too"}, id="another module"),
        pytest.param(FACTS, "return 1", "return 2", {"second": f"{FACTS}::so_too"}, id="what a fact uses"),
    ],
)
def test_a_change_concerns_some_defects(
    states: tuple[Path, Path], file: str, before: str, after: str, found: dict[str, str]
) -> None:
    path = states[1] / file
    path.write_text(path.read_text().replace(before, after, 1))
    assert concerned(states) == found


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("src/batchproof/proxy/view.py", "A = 1\n", "src/batchproof/proxy/view.py has changed"),
        ("steps/all.py", "far = 2\n", "steps/all.py has changed outside of its functions"),
        ("src/batchproof/world/world.py", "so_too\n", "world.py has changed"),
    ],
)
def test_what_may_concern_all_is_said(states: tuple[Path, Path], file: str, text: str, message: str) -> None:
    (states[1] / file).parent.mkdir(parents=True, exist_ok=True)
    (states[1] / file).write_text(text)
    with pytest.raises(EverythingChanged, match=message):
        concerned(states)


def test_a_fact_that_verbs_use_concerns_all(states: tuple[Path, Path]) -> None:
    for root in states:
        (root / "src/batchproof/world/world.py").write_text("so_too\n")
    (states[1] / FACTS).write_text(FILES[FACTS].replace("1", "2"))
    with pytest.raises(EverythingChanged, match="so_too has changed, which verbs of the World use"):
        concerned(states)


REFERENCE = {
    "reference_controller/commands.py": "from reference_controller.job.a import A\n",
    "reference_controller/job/a.py": "from reference_controller.objects.b import B\nA = 1\n",
    "reference_controller/job/more.py": "C = 1\n",
    "reference_controller/gang/d.py": "D = 1\n",
    "reference_controller/objects/b.py": "B = 1\n",
    "features/gang/b.feature": """Feature: B
  @GNG-001
  Scenario: Three
    Given a node
    Then it is so
""",
    "tests/mutants/a.yaml": """
- name: first
  requirement: FIN-001
  what: It is wrong.
  edits: [{in: reference_controller/job/a.py, replace: A = 1, with: A = 2}]
- name: second
  requirement: GNG-001
  what: It is wrong too.
  edits: [{in: reference_controller/gang/d.py, replace: D = 1, with: D = 2}]
""",
}
JOB = {"One", "Two"}


def concerned_scenarios(states: tuple[Path, Path]) -> dict[str, set[str]]:
    old, new = states
    mutants = read_mutants(new / "tests" / "mutants")[0]
    found = concerned_in(mutants, lambda id_: "gang" if id_.startswith("GNG") else "job", old, new)
    return {name: {id_.rpartition("::")[2].rpartition(" ")[2] for id_ in ids} for name, ids in found.items()}


@pytest.fixture
def controllers(states: tuple[Path, Path]) -> tuple[Path, Path]:
    for root in states:
        for name, text in REFERENCE.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
    return states


@pytest.mark.parametrize(
    ("file", "before", "after", "found"),
    [
        pytest.param("features/gang/b.feature", "a node", "a Job", {"gang": {"Three"}}, id="a scenario"),
        pytest.param(
            "steps/all.py", "def so(): ...", "def so(): 1", {"job": {"One"}, "gang": {"Three"}}, id="a step"
        ),
        pytest.param(FACTS, "return 1", "return 2", {"job": {"Two"}}, id="a fact"),
        pytest.param("reference_controller/job/more.py", "1", "2", {"job": JOB}, id="a file of a reference"),
        pytest.param("reference_controller/gang/d.py", "1", "2", {"gang": {"Three"}}, id="of another"),
        pytest.param(
            "reference_controller/objects/b.py", "1", "2", {"job": JOB}, id="what a reference imports"
        ),
        pytest.param("tests/mutants/a.yaml", "A = 2", "A = 3", {}, id="a mutant"),
    ],
)
def test_a_change_concerns_some_scenarios(
    controllers: tuple[Path, Path], file: str, before: str, after: str, found: dict[str, set[str]]
) -> None:
    path = controllers[1] / file
    path.write_text(path.read_text().replace(before, after, 1))
    assert concerned_scenarios(controllers) == found


@pytest.mark.parametrize("file", ["reference_controller/commands.py", "reference_controller/unknown/e.py"])
def test_a_part_of_the_reference_that_nobody_tests_alone_concerns_all(
    controllers: tuple[Path, Path], file: str
) -> None:
    (controllers[1] / file).parent.mkdir(exist_ok=True)
    (controllers[1] / file).write_text("E = 1\n")
    with pytest.raises(EverythingChanged, match=f"{file} has changed"):
        concerned_scenarios(controllers)
