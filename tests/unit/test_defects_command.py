"""What `batchproof defects` tells of planted defects, and its exit code."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from batchproof.commands import defects
from batchproof.running.planted import Outcome

CAUGHT = Outcome(
    "one", "FIN-001", "a change", caught_by=["a.feature::A (FIN-001)"], not_caught_by=["b: passed"]
)
MISSED = Outcome("two", "FIN-002", "a change", not_caught_by=["c.feature::C: passed"])
OTHER = Outcome("three", "TTL-001", "a change", not_declared="TTLAfterFinished")


@pytest.mark.parametrize(
    ("outcomes", "code", "said"),
    [
        ([CAUGHT], 0, "1 of 1 planted defects caught\n"),
        ([CAUGHT, MISSED], 1, "1 of 2 planted defects caught\n"),
        ([CAUGHT, OTHER], 0, "1 of 1 planted defects caught; 1 of capabilities that are not declared\n"),
        ([OTHER], 1, "0 of 0 planted defects caught; 1 of capabilities that are not declared\n"),
        ([], 1, "0 of 0 planted defects caught\n"),
    ],
)
def test_every_defect_that_can_be_judged_has_to_be_caught(
    monkeypatch: pytest.MonkeyPatch, outcomes: list[Outcome], code: int, said: str
) -> None:
    monkeypatch.setattr(defects, "prove_defects", lambda _: outcomes)
    result = CliRunner().invoke(defects.command, ["--profile", "job"], standalone_mode=False)
    assert result.return_value == code
    assert result.output.endswith(said)


def test_what_is_not_caught_or_not_judged_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defects, "prove_defects", lambda _: [MISSED, OTHER])
    said = CliRunner().invoke(defects.command, ["--profile", "job"], standalone_mode=False).output
    words = " ".join(said.replace("│", " ").split())
    assert "NOT CAUGHT c.feature::C: passed" in words
    assert "not judged: TTLAfterFinished is not declared" in words
