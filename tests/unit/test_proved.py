"""Which mutants a record of kills has as they are: what shows a mutant is in its key, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from batchproof.specification.mutants import load_mutants, read_mutants
from batchproof.specification.proved import dump, proof_keys, read, sample, unproved

if TYPE_CHECKING:
    from pathlib import Path

FACTS = "src/batchproof/profiles/job/facts/pods.py"
FILES = {
    "features/job/a.feature": """Feature: A
  @FIN-001
  Scenario: One
    Given a node
    Then it is so

  @FIN-002
  Scenario: Two
    Given a Job
    Then it is so
""",
    "steps/all.py": """
from pytest_bdd import given, then

LIMIT = 1

@given("a node")
def node(): ...

@given("a Job")
def job(): return helped()

@then("it is so")
def so(): ...

def helped():
    return 1
""",
    FACTS: "def _inner(): return 1\n\n\ndef job(seen): return _inner()\n",
    "src/batchproof/world/world.py": "A = 1\n",
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


def laid(root: Path, changes: dict[str, tuple[str, str]]) -> Path:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before, after = changes.get(name, ("", ""))
        assert before in text
        path.write_text(text.replace(before, after, 1))
    return root


def again(folder: Path, changes: dict[str, tuple[str, str]]) -> frozenset[str]:
    roots = laid(folder / "before", {}), laid(folder / "after", changes)
    before, after = (read_mutants(root / "tests" / "mutants")[0] for root in roots)
    return unproved(after, proof_keys(after, roots[1]), proof_keys(before, roots[0]))


@pytest.mark.parametrize(
    ("file", "before", "after", "found"),
    [
        pytest.param("tests/mutants/a.yaml", "A = 2", "A = 3", {"first"}, id="an edit"),
        pytest.param("tests/mutants/a.yaml", "name: first", "name: another", {"another"}, id="a new one"),
        pytest.param("tests/mutants/a.yaml", "\n- name: first", "\n\n- name: first", set(), id="its place"),
        pytest.param("reference_controller/b.py", "B = 1", "B = 2", {"second"}, id="a reference"),
        pytest.param("reference_controller/b.py", "B = 1", "# why\n\nB = 1  # so", set(), id="a comment"),
        pytest.param(
            "steps/all.py", "    return 1", '    """So."""\n\n    return 1', set(), id="a docstring"
        ),
        pytest.param("features/job/a.feature", "a node", "a Job", {"first"}, id="a scenario"),
        pytest.param("features/job/a.feature", "FIN-001", "FIN-002", {"first", "second"}, id="a duty"),
        pytest.param("features/job/a.feature", "Feature: A", "Feature: B", set(), id="a title"),
        pytest.param("steps/all.py", "def node(): ...", "def node(): 1", {"first"}, id="a step"),
        pytest.param(
            "steps/all.py", "def so(): ...", "def so(): 1", {"first", "second"}, id="a step of both"
        ),
        pytest.param("steps/all.py", "    return 1", "    return 2", {"second"}, id="a helper"),
        pytest.param("steps/all.py", "LIMIT = 1", "LIMIT = 2", {"first", "second"}, id="a constant"),
        pytest.param(
            "steps/all.py", '@given("a node")', '@given("a node", None)', {"first"}, id="a decorator"
        ),
        pytest.param(FACTS, "_inner(): return 1", "_inner(): return 2", {"second"}, id="what a fact uses"),
        pytest.param("src/batchproof/world/world.py", "1", "2", set(), id="the harness: for the sample"),
    ],
)
def test_what_shows_a_mutant_is_in_its_key(
    tmp_path: Path, file: str, before: str, after: str, found: set[str]
) -> None:
    assert again(tmp_path, {file: (before, after)}) == found


def test_another_state_of_the_suite_draws_another_sample() -> None:
    names = {f"mutant-{number}" for number in range(200)}
    drawn = [sample(names, 20, f"sha256:{number}") for number in range(100)]
    assert sample(names, 20, "sha256:0") == drawn[0]
    assert {len(one) for one in drawn} == {20}
    assert len(frozenset().union(*drawn)) > 190, "hardly one is never drawn"
    assert sample(names, 300, "sha256:0") == names


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "proved.json"
    path.write_text(dump({"second": "b", "first": "a"}))
    assert read(path) == {"first": "a", "second": "b"}
    assert path.read_text().index("first") < path.read_text().index("second")


def test_every_mutant_of_the_suite_has_a_key_of_its_own() -> None:
    mutants = load_mutants()
    keys = proof_keys(mutants, mutants[0].path.parents[2])
    assert keys.keys() == {one.name for one in mutants}
    assert len({*keys.values()}) == len(mutants)
