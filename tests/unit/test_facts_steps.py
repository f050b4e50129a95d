"""Facts about what a step of the scenario goes by, and which verbs may say that the harness broke."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from fact_examples import examples, no, yes
from histories import Story, story

import batchproof
from batchproof.evidence.deeds import deeds
from batchproof.evidence.replay import judge_history
from batchproof.judgement.claims import now
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.facts import FactCall
from batchproof.judgement.facts.actions import step_finds
from batchproof.judgement.history import LACKS, VAIN, StepBegan

POD = "a pod that has ended"
PROFILES = Path(batchproof.__file__).parent / "profiles"
BEFORE_IT_ACCUSES = {"see_minimums"}
"""What they look at was changed behind the back of the steps: no claim until then says anything."""


def lacking(what: str) -> Story:
    return story().act(f"{VAIN}{what}", **{LACKS: what})


@examples(
    step_finds(what=POD),
    yes("all was there", story().act("creates Job a")),
    no("it was not there", lacking(POD)),
    yes("something else was not there", lacking("Job a")),
)
def test_what_a_step_goes_by(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


def test_the_step_that_found_nothing_is_shown() -> None:
    finding = step_finds(what=POD).of(lacking(POD).seen)
    assert (finding.expected, finding.observed) == (f"a step finds {POD}", "it does not")
    assert finding.decisive == (0,)


def test_a_history_in_which_a_step_found_nothing_is_inconclusive_by_a_precondition() -> None:
    claim = now(step_finds(what=POD), precondition=True).scaled(1.0, "BAS-057", 0.0)
    told = lacking(POD).claims(1, claim).closes(1)

    concluded = judge_history(told.records, "BAS-057")

    assert concluded.verdict is Verdict.INCONCLUSIVE
    assert concluded.precondition
    assert concluded.precondition.finding.expected == f"a step finds {POD}"


def test_no_step_is_said_to_do_otherwise_where_it_found_nothing() -> None:
    told = story().add(StepBegan("When the terminating pod succeeds")).act(f"{VAIN}{POD}", **{LACKS: POD})
    assert deeds(told.records) == ((),)


VERBS = [path for path in PROFILES.rglob("*.py") if "verbs" in path.parts or "verbs" in path.stem]


@pytest.mark.parametrize("path", VERBS, ids=lambda path: str(path.relative_to(PROFILES)))
def test_a_verb_that_looks_at_what_came_about_never_says_that_the_harness_broke(path: Path) -> None:
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(function, ast.FunctionDef) or function.name in BEFORE_IT_ACCUSES:
            continue
        parts = [*ast.walk(function)]
        looks = any(isinstance(part, ast.Attribute) and part.attr == "seen" for part in parts)
        raises = any(isinstance(part, ast.Raise) and "HarnessError" in ast.unparse(part) for part in parts)
        assert not (looks and raises), f"{function.name}: world.found or world.lack says so"
