"""What a requirement forbids has to be watched by some scenario of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from batchproof.ground import suite
from batchproof.specification.gherkin import read_features
from batchproof.specification.prohibitions import unwatched
from batchproof.specification.registry import read_registry
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from pathlib import Path

ROW = """
- {id: %s, level: MUST, profile: job, sentence: %s, norm: kep, source: KEP-2307, since: "1.22"}
"""
FEATURE = """Feature: Counting
  @%s
  Scenario: A Job counts
    Given a Job with 2 completions and parallelism 2
    When 1 pod succeeds
    Then %s
"""
FORBIDS = "A pod MUST NOT be counted twice."


def found(root: Path, id_: str, sentence: str, *claims: str) -> list[str]:
    (root / "requirements").mkdir()
    (root / "requirements" / "a.yaml").write_text(ROW % (id_, sentence))
    (root / "a.feature").write_text(FEATURE % (id_, "\n    And ".join(claims)))
    registry, _ = read_registry(root / "requirements")
    features, _ = read_features(root)
    scenarios = [scenario for feature in features for scenario in feature.scenarios]
    return [one.id for one in unwatched(registry, scenarios, load_steps(suite.steps()))]


WAITS = ("the Job reports 1 succeeded pod", "eventually 2 pods are active")


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param(WAITS[:1], id="one claim"),
        pytest.param(WAITS, id="several"),
        pytest.param(("once the faults end 2 pods are active",), id="once the faults end"),
    ],
)
def test_what_is_forbidden_and_only_waited_for_is_found(tmp_path: Path, claims: tuple[str, ...]) -> None:
    assert found(tmp_path, "FIN-003", FORBIDS, *claims) == ["FIN-003"]


@pytest.mark.parametrize(
    ("id_", "sentence", "claims"),
    [
        pytest.param("FIN-003", "A pod MUST be counted.", WAITS, id="what is asked for"),
        pytest.param("FIN-003", FORBIDS, ("for 2 seconds the Job does not finish",), id="a window"),
        pytest.param(
            "FIN-003",
            FORBIDS,
            ("the Job reports 1 succeeded pod, and stays so for 2 seconds",),
            id="it stays",
        ),
        pytest.param("FIN-003", FORBIDS, ("now 2 pods are active", *WAITS), id="the past"),
        pytest.param("FIN-004", FORBIDS, WAITS, id="an invariant"),
    ],
)
def test_what_is_asked_for_or_watched_is_right(
    tmp_path: Path, id_: str, sentence: str, claims: tuple[str, ...]
) -> None:
    assert found(tmp_path, id_, sentence, *claims) == []
