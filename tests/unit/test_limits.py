"""The limits of the judge: named deadlines, when a view stops being stale, what a finding lists."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest
from histories import story
from tests_of import judging

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.facts import because, listed, names_of, record_of
from batchproof.judgement.facts.writes import faults_struck
from batchproof.judgement.fault_log import FaultLog, StaleView
from batchproof.judgement.forms import DEADLINES_S
from batchproof.judgement.objects.core import Pod

GLOSSARY = Path(__file__).parents[2] / "docs/glossary.md"


def test_the_named_deadlines_are_those_that_users_are_told() -> None:
    rows = [
        line for line in GLOSSARY.read_text("utf-8").splitlines() if re.match(r"\| (window|deadline) ", line)
    ]
    told = {
        name: float(s) for row in rows for name, s in re.findall(r"`([\w ]+)`(?: \([^)]*\))? (\d+) s", row)
    }

    assert told == {name: limit_s for name, limit_s in DEADLINES_S.items() if limit_s}
    assert DEADLINES_S["now"] == 0


@pytest.mark.parametrize(
    ("resource", "at_s", "stale"),
    [
        pytest.param(PODS, 9.9, False, id="before it was withheld"),
        pytest.param(PODS, 10.0, True, id="as it was withheld"),
        pytest.param(PODS, 27.0, True, id="when the last change may still be acted on"),
        pytest.param(PODS, 27.1, False, id="when all was acted on"),
        pytest.param(JOBS, 15.0, False, id="another resource"),
    ],
)
def test_a_view_is_stale_until_what_it_showed_late_can_have_been_acted_on(
    resource: object, at_s: float, *, stale: bool
) -> None:
    staged = FaultLog()
    staged.withheld[1] = StaleView(PODS, since_s=10.0, delay_s=1.0, until_s=20.0)

    assert staged.stale(resource, at_s, 6.0) is stale  # type: ignore[arg-type] # a parameter of pytest


def test_a_view_that_never_catches_up_stays_stale() -> None:
    staged = FaultLog()
    staged.withheld[1] = StaleView(PODS, since_s=10.0, delay_s=0.0)

    assert staged.stale(PODS, 1e9, 6.0)


def test_what_was_withheld_may_be_unknown_since_before_it_began() -> None:
    staged = FaultLog()
    staged.withheld[1] = StaleView(PODS, since_s=10.0, delay_s=0.0, until_s=20.0)
    staged.withheld[2] = StaleView(JOBS, since_s=10.0, delay_s=3.0, until_s=20.0)

    assert staged.known_since_s(PODS, 22.0, 6.0) == 4.0
    assert staged.known_since_s(JOBS, 22.0, 6.0) == 13.0
    assert staged.known_since_s(PODS, 40.0, 6.0) == 34.0


@pytest.mark.parametrize(
    ("words", "more", "said"),
    [
        ([], 0, "none"),
        (["a"], -9, "a"),
        (["a", "b"], 0, "a, b"),
        (["a", "b"], 1, "a, b and 1 more"),
        (["a"], 2, "a and 2 more"),
    ],
)
def test_a_finding_lists_the_first_and_how_many_more_there_are(
    words: list[str], more: int, said: str
) -> None:
    assert listed(words, more) == said


def test_of_many_names_a_finding_shows_ten() -> None:
    pods = [Pod({"metadata": {"name": f"p-{number}"}}) for number in range(12)]

    assert names_of(pods[:10]) == ", ".join(f"p-{number}" for number in range(10))
    assert names_of(pods[:11]).endswith("p-9 and 1 more")
    assert names_of(pods).endswith("p-9 and 2 more")


def test_what_shows_nothing_has_no_record() -> None:
    pod = Pod({"metadata": {"name": "p"}}, 7)

    assert record_of(pod) == [7]
    assert record_of(pod, tells=None) == []
    assert record_of(None) == []


def test_a_condition_says_why() -> None:
    assert because({"reason": "A", "message": "so it is"}) == "A: so it is"


def test_a_fault_that_was_never_triggered_is_not_enough_where_no_number_is_named() -> None:
    assert not faults_struck().of(story().fault(1, "armed").seen).holds
    assert faults_struck().of(story().fault(1, "armed").fault(1, "fired").seen).holds


NUMBERS = {
    "judgement/claims.py": {"PATIENCE": 4, "LEAST_WAIT_S": 3},
    "profiles/job/delays.py": {"FIRST_DELAY_S": 10, "LONGEST_DELAY_S": 600},
    "judgement/elected.py": {"SLACK_S": 0.5},
    "judgement/facts/__init__.py": {"_NAMED": 10},
    "judgement/facts/election.py": {"_SHOWN": 5},
    "judgement/facts/writes.py": {"_SHOWN": 12, "_PAUSE_S": 0.5, "_EARLY": 0.8, "_LATE": 1.5, "_LATE_S": 1},
    "judgement/finding.py": {"_WIDE": 60},
    "judgement/history.py": {"SCHEMA": 2, "_PIECE": 1 << 20},
    "judgement/phrase.py": {"_NEAR": 0.6},
    "judgement/slowness.py": {"_LEAST_S": 2, "_PART": 0.1, "_OK": 200},
    "judgement/history_index.py": {"_UNPROCESSABLE": 422},
    "judgement/timeline.py": {
        "_AROUND": 12,
        "_LEAD": 3,
        "_MOST_DECISIVE": 3,
        "_SHORTEST": 3,
        "_WAIT_LEAD": 8,
        "_WAIT_TAIL": 4,
    },
    "judgement/values.py": {"_LONGEST": 4000},
    "profiles/gang/facts/bindings.py": {"_SHOWN_S": 1},
    "profiles/gang/facts/gangs.py": {"_SHOWN": 10},
    "profiles/job/facts/counting.py": {"_SHOWN": 5, "_RECORDED_AND_COUNTED": 2},
    "profiles/job/facts/deletion.py": {"_CLOCK_S": 0.1},
    "profiles/job/facts/failures.py": {"_CLOCKS_S": 1},
    "profiles/job/facts/indexes.py": {"_LONGEST_GENERATED": 58},
    "profiles/job/invariants/past.py": {"REACTION_S": 2},
    "profiles/job/invariants/writes.py": {"_IDLE": 10},
    "profiles/job/invariants/tracking.py": {"_RECORDED_BYTES": 20 * 1024, "_SHOWN": 10},
    "profiles/shared/facts/events.py": {"_SHOWN": 10},
    "profiles/shared/facts/suspension.py": {"_CLOCKS_S": 1},
    "profiles/shared/facts/in_force.py": {"REACTION_S": 2},
    "profiles/tfjob/facts/made.py": {"_PORT": 2222},
    "profiles/tfjob/facts/tfjobs.py": {"_CONFLICT": 409},
}
"""Each number that a module of the judge names: what it means, and where it comes from, stands there.

A greater or a smaller one accuses a right implementation, or acquits a wrong one, by a little: few examples
lie so close. So a number is changed in two places, on purpose.
"""


def test_no_number_of_the_judge_changes_by_accident() -> None:
    package = Path(__file__).parents[2] / "src/batchproof"
    found: dict[str, dict[str, float]] = {}
    for path in judging():
        name = path.relative_to(package).as_posix()
        dotted = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = import_module(f"batchproof.{dotted}")
        for statement in ast.parse(path.read_text("utf-8")).body:
            for named in _assigned(statement):
                if isinstance(value := getattr(module, named), int | float) and not isinstance(value, bool):
                    found.setdefault(name, {})[named] = value

    assert found == NUMBERS


def _assigned(statement: ast.stmt) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [it.id for target in targets for it in ast.walk(target) if isinstance(it, ast.Name)]
