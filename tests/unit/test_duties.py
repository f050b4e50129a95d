"""A Then does not accuse a requirement of what its sentence does not oblige."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from batchproof.ground import suite
from batchproof.judgement.claims import Judged, stays
from batchproof.judgement.conclusion import Verdict, conclude
from batchproof.judgement.finding import Finding
from batchproof.profiles.job.facts.pods import active_pods_exactly
from batchproof.specification.duties import misplaced, unowned
from batchproof.specification.gherkin import Scenario, parse_features
from batchproof.specification.registry import Registry, read_registry
from batchproof.specification.vocabulary import ClaimSentence, claims_of, duty_in, load_steps

if TYPE_CHECKING:
    from pathlib import Path

REGISTRY = """
- {id: FIN-004, level: MUST, profile: job, sentence: It MUST NOT end., norm: kep, source: K, since: "1.22"}
- {id: FIN-005, level: MUST, profile: job, sentence: It MUST NOT end and MUST run.,
   norm: kep, source: K, since: "1.22"}
- {id: ROB-018, level: MUST, profile: job, sentence: A request MUST be retried.,
   norm: kep, source: K, since: "1.2"}
- {id: ROB-019, level: MUST, profile: job, sentence: A request MUST be sent.,
   norm: kep, source: K, since: "1.30"}
- {id: ROB-020, level: MUST, profile: job, sentence: It MUST end.,
   norm: kep, source: K, since: "1.2", until: "1.25"}
- {id: ROB-022, level: MUST, profile: job, sentence: A lease MUST be held.,
   norm: kep, source: K, since: "1.2",
   capability: LeaderElection}
- {id: GNG-001, level: MUST, profile: gang, sentence: A gang MUST be bound.,
   norm: kep, source: K, since: "1.2"}
"""
FEATURE = """Feature: Counting
  @%s.1
  Scenario: A Job counts
    Given a Job with 2 completions and parallelism 2
    When %s
    Then %s
"""
WATCHES = "for 2 seconds no pod of the Job loses the tracking finalizer"
WAITS = "once the faults end the Job completes with 3 succeeded pods"
STEPS = load_steps(suite.steps())


def written(root: Path, own: str, *thens: str, when: str = "1 pod succeeds") -> tuple[Registry, Scenario]:
    (root / "requirements").mkdir()
    (root / "requirements" / "a.yaml").write_text(REGISTRY)
    (root / "a.feature").write_text(FEATURE % (own, when, "\n    And ".join(thens)))
    registry, problems = read_registry(root / "requirements")
    assert not problems
    [scenario] = parse_features(root / "a.feature")
    return registry, scenario


def test_what_a_pure_prohibition_waits_for_beside_what_it_watches_is_found(tmp_path: Path) -> None:
    registry, scenario = written(tmp_path, "FIN-004", WATCHES, WAITS)

    [(step, text, others)] = unowned(registry, scenario, STEPS)

    assert (step.line, text) == (7, WAITS)
    assert "BAS-013" in others


@pytest.mark.parametrize(
    ("own", "thens"),
    [
        pytest.param("FIN-004", (WATCHES, f"{WAITS}, as ROB-018 requires"), id="named"),
        pytest.param("FIN-004", (WATCHES,), id="nothing waited for"),
        pytest.param("FIN-004", (WAITS,), id="the only way to show it"),
        pytest.param("FIN-005", (WATCHES, WAITS), id="it obliges something too"),
        pytest.param("FIN-004", (WATCHES, "now the Job accounts for 0 failed pods"), id="of what is so now"),
    ],
)
def test_what_a_requirement_may_claim_is_not_found(tmp_path: Path, own: str, thens: tuple[str, ...]) -> None:
    registry, scenario = written(tmp_path, own, *thens)

    assert not list(unowned(registry, scenario, STEPS))


@pytest.mark.parametrize(
    ("duty", "when", "wrong"),
    [
        ("ROB-018", "1 pod succeeds", ""),
        ("FIN-004", "1 pod succeeds", "FIN-004 is the scenario's own; leave it out"),
        ("ROB-099", "1 pod succeeds", "ROB-099 is not in the registry"),
        ("ROB-019", "1 pod succeeds", "ROB-019 does not hold in every version in which FIN-004 does"),
        ("ROB-020", "1 pod succeeds", "ROB-020 does not hold in every version in which FIN-004 does"),
        (
            "ROB-022",
            "1 pod succeeds",
            "ROB-022 needs the capability LeaderElection, which the scenario has no tag of",
        ),
        ("GNG-001", "1 pod succeeds", "GNG-001 is of profile gang"),
    ],
)
def test_a_then_names_a_requirement_that_is_judged_wherever_it_is(
    tmp_path: Path, duty: str, when: str, wrong: str
) -> None:
    sentence = f"{WAITS}, as {duty} requires"
    registry, scenario = written(tmp_path, "FIN-004", WATCHES, sentence, when=when)

    assert [said for _, said in misplaced(registry, scenario)] == (
        [f"{sentence!r}: {wrong}"] if wrong else []
    )


def test_a_when_judges_under_no_requirement(tmp_path: Path) -> None:
    registry, scenario = written(tmp_path, "FIN-004", WATCHES, when=f"{WAITS}, as ROB-018 requires")

    [(_, said)] = misplaced(registry, scenario)

    assert said.endswith("only a Then judges; leave out the requirement")


@pytest.mark.parametrize(
    ("sentence", "duty"),
    [
        ("2 pods are active, as BAS-015 requires", "BAS-015"),
        ("eventually 2 pods are active, and stays so, as BAS-015 requires", "BAS-015"),
        ("2 pods are active, and stays so for 2 seconds, as BAS-015 requires", "BAS-015"),
        ("2 pods are active", ""),
    ],
)
def test_a_sentence_says_under_which_requirement_it_is_judged(sentence: str, duty: str) -> None:
    plain, named = duty_in(sentence)
    claims = claims_of(STEPS, "then", sentence)

    assert named == duty
    assert {claim.requirement for claim in claims} == {duty}
    assert [claim.sentence for claim in claims] == [
        claim.sentence for claim in claims_of(STEPS, "then", plain)
    ]


@pytest.mark.parametrize(
    "sentence", ["2 pods are active, as BAS-15 requires", "as BAS-015 requires 2 pods are active"]
)
def test_what_names_no_requirement_in_that_form_is_no_claim(sentence: str) -> None:
    assert not ClaimSentence(active_pods_exactly(job="a", count=2).fact, []).is_matching(sentence)


@pytest.mark.parametrize(("duty", "accused"), [("", "FIN-004"), ("BAS-015", "BAS-015")])
def test_what_is_judged_under_another_requirement_does_not_accuse_the_own(duty: str, accused: str) -> None:
    claim = stays(active_pods_exactly(job="a", count=2)).scaled(1.0, duty or "FIN-004")
    judged = Judged(claim, Finding(holds=False, expected="2", observed="1", requirement=accused), 0.0, 1.0)

    found = conclude("FIN-004", [judged], (), ())

    if duty:
        assert found.verdict is Verdict.PASSED
        assert [one.requirement for one in found.breaches] == [accused]
    else:
        assert found.verdict is Verdict.FAILED
