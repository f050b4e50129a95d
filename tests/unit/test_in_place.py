"""Which scenarios can be judged of an implementation that is installed already."""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path

import pytest

from batchproof.control_plane.choice import ClusterOptions
from batchproof.descriptor.implementation import find, load
from batchproof.ground import suite
from batchproof.profiles import verbs
from batchproof.running.runner import RunOptions
from batchproof.running.runner import out_of_reach as out_of_reach_in
from batchproof.specification.gherkin import parse_features
from batchproof.specification.in_place import out_of_reach
from batchproof.specification.verbs import spoken_of
from batchproof.specification.vocabulary import load_steps

ENDS_WHAT_WAS_BEGUN = {"faults.lift", "faults.thaw"}
"""Verbs that do nothing unless another step has made something go wrong before."""


def _unreached(folder: Path, *steps: str) -> dict[str, str]:
    lines = "\n".join(f"    {step}" for step in steps)
    (folder / "a.feature").write_text(f"Feature: F\n  Scenario: S\n{lines}\n", "utf-8")
    return out_of_reach(parse_features(folder), load_steps(suite.steps()))


@pytest.mark.parametrize(
    "steps",
    [
        ("Given a Job with completions 2 and parallelism 2", "Then 2 pods are active"),
        (
            "Given a node with 2 CPUs",
            "When gang a with minimum 2 has 2 pods",
            "Then 2 pods of gang a are bound",
        ),
        ("Given a Job with completions 2 and parallelism 2", "Then for 2 seconds the Job does not finish"),
    ],
)
def test_what_the_api_server_shows_is_judged_in_place(tmp_path: Path, steps: tuple[str, ...]) -> None:
    assert _unreached(tmp_path, *steps) == {}


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("When the implementation is killed", "the process of the implementation is killed"),
        (
            "When updates of the Job status are answered with 500",
            "requests of the implementation go wrong",
        ),
        (
            "When the implementation's view of pods is stale",
            "the implementation sees late, or not, what there is",
        ),
        ("Given 2 replicas of which one leads", "replicas of the implementation are started"),
        (
            "Given a queue a of weight 1",
            "what queues share is all that the cluster has, and in place others have a part of it",
        ),
        (
            "Then pods are created in batches of 1, 2, 4, one after another",
            "it is about requests of the implementation",
        ),
    ],
)
def test_what_takes_its_requests_or_its_process_is_out_of_reach(tmp_path: Path, step: str, why: str) -> None:
    assert _unreached(tmp_path, "Given a Job with completions 2 and parallelism 2", step) == {
        "a.feature::S": why
    }


def _disturbing(source: object) -> set[str]:
    """The verbs about faults and the process that this calls: ``world.faults.arm``, say.

    What only ends a fault disturbs nothing.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(source)))  # type: ignore[arg-type]  # a module, a verb
    paths = [ast.unparse(it).split(".") for it in ast.walk(tree) if isinstance(it, ast.Attribute)]
    return {
        ".".join(path[-2:])
        for path in paths
        if path[-3:-2] and path[-3] in {"world", "_world"} and path[-2] in {"faults", "process"}
    } - ENDS_WHAT_WAS_BEGUN


def test_every_verb_about_faults_or_the_process_is_out_of_reach() -> None:
    """Else such a step would do nothing in place, and its scenario pass or fail for no reason."""
    modules = load_steps(suite.steps())
    for module in modules:
        if not hasattr(module, "NOT_IN_PLACE"):
            taken = _disturbing(module)
            assert not taken, f"{Path(inspect.getfile(module)).name} calls {taken}"
    assert any(map(_disturbing, modules))


def test_every_sentence_of_a_profile_about_faults_or_the_process_is_out_of_reach() -> None:
    called = {
        one.sentence.template.text: (_disturbing(getattr(owner, one.verb)), one.not_in_place)
        for owner in verbs().values()
        for one in spoken_of(owner)
    }
    wrong = {text: taken for text, (taken, why) in called.items() if taken and not why}
    assert not wrong
    assert any(taken for taken, _ in called.values())


@pytest.mark.parametrize(("name", "reached"), [("cluster-job-controller", False), ("reference", True)])
def test_a_feature_file_of_the_user_is_looked_at_too(tmp_path: Path, name: str, *, reached: bool) -> None:
    feature = tmp_path / "a.feature"
    feature.write_text("Feature: F\n  Scenario: S\n    When the implementation is killed\n", "utf-8")
    choices = RunOptions(name, "job", "", None, tmp_path, None, ClusterOptions(), feature)

    unreached = out_of_reach_in(choices, load(find(name)))

    assert unreached == (() if reached else ("a.feature::S",))


def test_only_what_is_judged_is_looked_at(tmp_path: Path) -> None:
    choices = RunOptions("cluster-scheduler", "gang", "", None, tmp_path, None, ClusterOptions())

    unreached = out_of_reach_in(choices, load(find("cluster-scheduler")))

    assert unreached
    assert all(one.startswith("GNG-") for one in unreached)
