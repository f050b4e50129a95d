"""If a fault is never triggered, its scenarios are inconclusive, and the others are judged as ever."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Start

NO_FAULT = """
    from batchproof.judgement.faults import FaultTable
    from batchproof.proxy.gates import Gate

    async def passage(self, arrived_s):
        pass

    FaultTable.decide = lambda self, call: None
    Gate.passage = passage
    Gate.frozen = property(lambda self: False)
"""


@pytest.fixture
def no_fault(tmp_path: Path) -> dict[str, str]:
    """An environment in which no fault of the proxy ever strikes."""
    (tmp_path / "no_fault.py").write_text(dedent(NO_FAULT))
    return {"PYTEST_PLUGINS": "no_fault", "PYTHONPATH": str(tmp_path)}


REQUESTS = "EXP-009 or FIN-006 or ROB-017 or (FIN-004 and 500) or (FIN-012 and fault)"
VIEWS = "EXP-001 or BAS-075 or EXP-002"


@pytest.mark.parametrize(
    ("selected", "scenarios"),
    [
        pytest.param("FIN-006 or (FIN-004 and 500) or BAS-075", 3, marks=pytest.mark.quick, id="some"),
        pytest.param(f"{REQUESTS} or {VIEWS}", 11, id="all"),
    ],
)
def test_a_fault_that_is_broken_on_purpose_makes_its_scenarios_inconclusive(
    start: Start, no_fault: dict[str, str], selected: str, scenarios: int
) -> None:
    run = start("run", "-i", "reference", "-k", selected, "-n", "4", env=no_fault)
    assert run.end() == 1, run.said
    assert len(run.scenarios) == scenarios
    assert set(run.verdicts().values()) == {"inconclusive"}, run.said
    for one in run.scenarios:
        assert one["reason"].startswith("fault never triggered: "), one
        assert one["unmet"] is None
        assert "broken" not in {claim["outcome"] for claim in one["claims"]}
    assert run.report["verdict"]["failed"] == []
    again = start("replay", run.output)
    assert again.end() == 1
    assert f"{scenarios} scenarios judged again, all as recorded" in again.said


def test_a_scenario_without_a_fault_does_not_mind(start: Start, no_fault: dict[str, str]) -> None:
    run = start("run", "-i", "reference", "-k", "FIN-001", env=no_fault)
    assert run.end() == 0, run.said
