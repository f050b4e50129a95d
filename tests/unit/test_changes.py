"""Which mutants a change of the suite concerns."""

from __future__ import annotations

import ast
import shutil
from typing import TYPE_CHECKING

import pytest

from batchproof.ground import suite
from batchproof.specification import gherkin
from batchproof.specification.changes import EverythingChanged, affected
from batchproof.specification.changes import concerned as concerned_in
from batchproof.specification.mutants import read_mutants
from batchproof.specification.uses import GRAPH, Definition, Uses, code_of, definitions_of
from batchproof.specification.vocabulary import load_steps, made_of

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
        pytest.param("reference_controller/a.py", "A", "# why\nA", {}, id="a comment in the reference"),
        pytest.param(
            "src/batchproof/world/world.py",
            "class",
            '"""Why."""\n\nclass',
            {},
            id="a docstring",
        ),
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
            "steps/all.py", "return 1", "return 2", {"second": "steps/all.py::helped"}, id="what a step uses"
        ),
        pytest.param(STEPS, "return 1", "return 2", {"second": f"{STEPS}::so_too"}, id="another module"),
        pytest.param(FACTS, "return 1", "return 2", {"second": f"{FACTS}::_inner"}, id="what a fact uses"),
        pytest.param("steps/all.py", "far = 1", "far = 2", {"second": "steps/all.py::far"}, id="a constant"),
        pytest.param(FACTS, "_inner()\n", '_inner()\n"""Why."""\n', {}, id="text means nothing"),
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
        ("steps/all.py", "print(1)\n", "steps/all.py has changed, which any scenario may need"),
        ("src/batchproof/profiles/shared/more.py", "print(1)\n", "more.py has changed, which any scenario"),
        ("src/batchproof/world/world.py", "so_too\n", "world.py has changed"),
    ],
)
def test_what_may_concern_all_is_said(states: tuple[Path, Path], file: str, text: str, message: str) -> None:
    (states[1] / file).parent.mkdir(parents=True, exist_ok=True)
    (states[1] / file).write_text(text)
    with pytest.raises(EverythingChanged, match=message):
        concerned(states)


def test_what_the_harness_uses_concerns_all(states: tuple[Path, Path]) -> None:
    for root in states:
        text = "from batchproof.profiles.job.facts.pods import so_too\n"
        (root / "src/batchproof/world/world.py").write_text(text)
    (states[1] / FACTS).write_text(FILES[FACTS].replace("1", "2"))
    message = f"{FACTS}::_inner has changed, which src/batchproof/world/world.py uses"
    with pytest.raises(EverythingChanged, match=message):
        concerned(states)


PROFILE = {
    "src/batchproof/profiles/job/verbs.py": """
from batchproof.profiles.shared.verbs import Pods
from batchproof.specification.verbs import verb

class Jobs(Pods):
    def __init__(self, world): self.world = world

    @verb("a Job is made")
    def make(self): self.add()

    @verb("a Job is looked at")
    def look(self): self.world.make()

    @verb("a Job is changed")
    def change(self, other): other.work()

    def work(self): return 1
""",
    "src/batchproof/profiles/shared/verbs.py": """
from batchproof.specification.verbs import verb

class Pods:
    @verb("a pod is there")
    def there(self): ...

    def add(self): return 1
""",
    "src/batchproof/profiles/job/record.py": """
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.job.model import rules

PROFILE = Jobs, rules.RULES
""",
    "src/batchproof/profiles/job/model/rules.py": "RULES = 1\n",
    "src/batchproof/profiles/job/invariants/a.py": """
class Past:
    def take(self): return 1

@never("this")
def this(): return Past()
""",
}
VERBS, SHARED = "src/batchproof/profiles/job/verbs.py", "src/batchproof/profiles/shared/verbs.py"
INVARIANTS = "src/batchproof/profiles/job/invariants/a.py"


@pytest.mark.parametrize(
    ("file", "before", "after", "concerned"),
    [
        pytest.param(VERBS, "self.add()", "1", {"Jobs.make"}, id="a verb"),
        pytest.param(VERBS, "return 1", "return 2", {"Jobs.work", "Jobs.change"}, id="what a verb calls"),
        pytest.param(SHARED, "return 1", "return 2", {"Pods.add", "Jobs.make"}, id="what it inherits"),
        pytest.param(
            VERBS, "world = world", "world = 1", {"Pods", "Jobs", "PROFILE"}, id="how verbs are made"
        ),
        pytest.param(INVARIANTS, "return 1", "return 2", {"Past", "this"}, id="a method of another class"),
    ],
)
def test_what_uses_a_definition_is_known(
    tmp_path: Path, file: str, before: str, after: str, concerned: set[str]
) -> None:
    for name, text in PROFILE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    old = definitions_of(tmp_path / file)
    (tmp_path / file).write_text((tmp_path / file).read_text().replace(before, after, 1))
    new = definitions_of(tmp_path / file)
    changed = [Definition(file, name) for name in new if ast.dump(new[name]) != ast.dump(old[name])]
    found = Uses(tmp_path).reached(changed, lambda _: False)
    assert {one.name for one in found} == concerned


@pytest.mark.parametrize(
    ("file", "before", "after", "found"),
    [
        pytest.param(INVARIANTS, "return 1", "return 2", {"job": {"One", "Two"}}, id="an invariant"),
        pytest.param(
            "src/batchproof/profiles/job/model/rules.py", "1", "2", {}, id="what random programs expect"
        ),
    ],
)
def test_a_part_of_a_profile_concerns_all_its_scenarios(
    states: tuple[Path, Path], file: str, before: str, after: str, found: dict[str, set[str]]
) -> None:
    for root in states:
        for name, text in PROFILE.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
    (states[1] / file).write_text(PROFILE[file].replace(before, after, 1))
    assert concerned_scenarios(states) == found


def test_each_sentence_is_made_of_definitions_whose_users_are_known() -> None:
    root = suite.features().parent
    names = {
        name
        for path in (*(root / "steps").glob("*.py"), *(root / "src/batchproof").rglob("*.py"))
        if path.relative_to(root).as_posix().startswith(GRAPH)
        for name in definitions_of(path)
    }
    steps = load_steps(suite.steps())
    sentences = {
        (kind, text)
        for feature in gherkin.read_features(suite.features())[0]
        for scenario in feature.scenarios
        for _, kind, text in gherkin.sentences(scenario)
    }
    found = {one for kind, text in sentences for one in made_of(steps, kind, text)}
    assert len(found) > 300
    assert found <= names


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


@pytest.mark.parametrize(
    ("source", "code"),
    [
        pytest.param("# why\na = 1  # so\n\n\nb = 2", "a = 1\nb = 2", id="comments and blank lines"),
        pytest.param('"""Why."""\na = 1', "a = 1", id="the docstring of a module"),
        pytest.param(
            'def a():\n    """Why.\n\n    So.\n    """\n    return 1',
            "def a():\n    return 1",
            id="a function's",
        ),
        pytest.param('class A:\n    b = 1\n    "Why."\n', "class A:\n    b = 1", id="of an attribute"),
        pytest.param('a = "# no"', 'a = "# no"', id="no comment"),
        pytest.param('a = """b\n\n# c"""', 'a = """b\n\n# c"""', id="lines of a value"),
        pytest.param(
            'a = (\n    # why\n    "b"\n    "c"\n)', 'a = (\n    "b"\n    "c"\n)', id="a value in parts"
        ),
        pytest.param('f(\n    "b"\n)', 'f(\n    "b"\n)', id="an argument"),
        pytest.param('a = f"""{b}\n\n{c}"""  # d', 'a = f"""{b}\n\n{c}"""', id="an f-string"),
        pytest.param('f"{b()}"  # d', 'f"{b()}"', id="an f-string that is a statement"),
        pytest.param('a = f"""{\n\nb\n\n}"""', 'a = f"""{\n\nb\n\n}"""', id="lines in its braces"),
        pytest.param('a = f"{b!r:>{c}}"\n\n# d\ne = 1', 'a = f"{b!r:>{c}}"\ne = 1', id="an f-string in one"),
        pytest.param('"b"; a = 1', '"b"; a = 1', id="two statements on a line"),
        pytest.param("@a  # b\ndef c():\n    return 1", "@a\ndef c():\n    return 1", id="a decorator"),
        pytest.param(
            'match a:\n    case "b":\n        pass', 'match a:\n    case "b":\n        pass', id="a case"
        ),
    ],
)
def test_code_is_all_but_comments_docstrings_and_blank_lines(source: str, code: str) -> None:
    assert code_of(source) == code
