"""The fault grid: what is played, what is left out, what strikes, and what is told of it."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from batchproof.evidence.plan import under
from batchproof.ground.errors import UserError
from batchproof.ground.resources import EVENTS, JOBS, PODS
from batchproof.judgement.claims import Judged, Role, eventually
from batchproof.judgement.conclusion import Verdict, conclude
from batchproof.judgement.ends import due
from batchproof.judgement.facts import every
from batchproof.judgement.facts.ends import at_rest
from batchproof.judgement.fault_profiles import FaultProfile
from batchproof.judgement.faults import Call, FaultTable
from batchproof.judgement.finding import Finding
from batchproof.judgement.history import FaultChange, History, HistoryHeader
from batchproof.judgement.observed import observe
from batchproof.profiles import profile, profiles
from batchproof.report.grid import grid, telling
from batchproof.report.records import LEFT_OUT, Planned, ScenarioRecord
from batchproof.running.grid import named, plan, staging_faults, why_left_out
from batchproof.specification.registry import load_registry

JOB = profile("job").fault_profiles
EVERY = [(one.name, it) for one in profiles().values() for it in one.fault_profiles.values()]
ONE = Planned("job/a.feature::One", "One", "One", "job/a.feature", "BAS-001")
TWO = Planned("job/a.feature::Two", "Two", "Two", "job/a.feature", "BAS-002")
CREATION = Call("create", PODS, namespace="n")
STATUS = Call("update", JOBS, "status", "n", "a")


@pytest.mark.parametrize(("of", "it"), EVERY, ids=lambda it: it if isinstance(it, str) else it.name)
def test_a_profile_is_bounded_and_accuses_a_must_of_its_own(of: str, it: FaultProfile) -> None:
    assert all(fault.times for fault in it.parts)
    assert {fault.of for fault in it.parts} <= {it.name}
    assert it.parts or it.late_s
    requirement = load_registry()[it.requirement]
    assert (requirement.level, requirement.profile, requirement.capability) == ("MUST", of, None)
    assert it.legal.endswith(")")


@pytest.mark.parametrize(
    ("name", "struck"),
    [
        ("closed-watches", [1, 3, 5, 7]),
        ("errors", [1, 3, 4, 7, 8]),
        ("lost-replies", [1, 4, 7, 10, 13]),
        ("rate-limits", [1, 4, 7, 10]),
        ("conflicts", [1, 3, 5, 7, 9]),
        ("crashes", [1, 4, 6, 9, 11, 14]),
    ],
)
def test_a_profile_strikes_the_same_writes_each_time(name: str, struck: list[int]) -> None:
    table = FaultTable()
    for number, fault in enumerate(JOB[name].parts):
        table.arm(number, fault)
    assert [write for write in range(1, 100) if table.decide(STATUS)] == struck
    assert not table.decide(Call("create", EVENTS, namespace="n"))


def test_of_a_profile_one_fault_that_strikes_is_enough() -> None:
    history = History(lambda: 0.0, HistoryHeader())
    first, second = JOB["crashes"].parts
    for number, fault in ((1, first), (2, second)):
        history.append(FaultChange(number, fault.text, "armed", fault.to_json()))
    assert observe(history).unfired == [first.text, second.text]
    history.append(FaultChange(2, second.text, "fired"))
    assert not observe(history).unfired


def test_profiles_are_named_by_commas_or_all_at_once() -> None:
    assert [one.name for one in named("conflicts, order", "job")] == ["order", "conflicts"]
    assert named("all", "job") == tuple(JOB.values())


@pytest.mark.parametrize("faults", ["nonsense", "order,nonsense", "", "order,"])
def test_an_unknown_profile_is_refused_with_those_that_there_are(faults: str) -> None:
    with pytest.raises(UserError, match="slow-watch") as refused:
        named(faults, "job")
    assert all(one.name in str(refused.value) for one in JOB.values())


def test_each_scenario_is_planned_once_and_under_each_profile() -> None:
    chosen = named("errors,crashes", "job")
    planned = plan([ONE, TWO], {TWO.id}, chosen)
    assert [(one.name, one.fault, one.requirement) for one in planned] == [
        ("One", "", "BAS-001"),
        ("Two", "", "BAS-002"),
        ("One", "errors", "ROB-018"),
        ("One", "crashes", "ROB-006"),
    ]
    assert len({one.id for one in planned}) == len(planned)


@pytest.mark.parametrize(
    ("verdict", "reason", "left_out", "why"),
    [
        ("passed", "", "", ""),
        ("passed", "", "it kills", "it kills"),
        ("failed", "", "", "without faults it is failed"),
        ("skipped", "not-declared", "", "without faults it is skipped: not-declared"),
    ],
)
def test_a_scenario_that_cannot_be_compared_is_left_out(
    verdict: Literal["passed", "failed", "skipped"], reason: str, left_out: str, why: str
) -> None:
    told = (ONE.id, ONE.name, ONE.title, ONE.feature, ONE.requirement)
    assert why_left_out(ScenarioRecord(*told, "MUST", verdict, reason=reason, left_out=left_out)) == why


def test_scenarios_that_stage_faults_are_known_by_their_tag() -> None:
    found = staging_faults()
    assert "ROB-009.1" in found  # watches that the server ends are begun again
    assert "BAS-019.1" not in found  # raising parallelism adds pods


def test_what_is_due_whatever_happened_is_named_by_facts() -> None:
    assert {it.name for it in every()} >= due()


def test_a_wait_that_does_not_end_is_no_finding() -> None:
    vain = eventually(at_rest())
    claim = type(vain)(vain.quantifier, vain.fact, vain.limit, 1.0, "ROB-006", Role.WAITED)
    judged = Judged(claim, Finding(holds=False, expected="", observed=""), 0.0, 1.0)
    assert conclude("ROB-006", [judged], (), []).verdict is Verdict.PASSED


def scenario(one: Planned, verdict: Any, reason: str = "") -> ScenarioRecord:
    return ScenarioRecord(
        one.id,
        one.name,
        one.title,
        one.feature,
        one.requirement,
        "MUST",
        verdict,
        fault=one.fault,
        reason=reason,
    )


def test_a_grid_counts_by_profile_and_leaves_out_apart() -> None:
    cell = under(ONE, JOB["errors"])
    records = [
        scenario(ONE, "passed"),
        scenario(cell, "passed"),
        scenario(TWO, "skipped", f"{LEFT_OUT}it stages faults of its own"),
    ]
    found = grid([ONE, TWO, cell], records)
    assert found is not None
    assert found.profiles == ("errors",)
    assert found.counts == {"errors": {"passed": 1}}
    assert found.left_out == {"it stages faults of its own": 1}
    assert [(row.title, row.verdicts) for row in found.rows] == [("One", {"errors": "passed"})]
    assert grid([ONE], records[:1]) is None


def test_a_play_that_no_fault_struck_tells_nothing_beside_others() -> None:
    idle = scenario(under(ONE, JOB["errors"]), "inconclusive", "fault never struck: answered with 500")
    played = scenario(under(TWO, JOB["errors"]), "passed")
    assert telling([idle, played]) == (played,)
    assert telling([idle]) == (idle,)
