"""The sentences that claim facts, in every form; and that no two steps of the suite say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from batchproof.ground.suite import steps
from batchproof.judgement.claims import Claim, always, eventually, never, now, stays
from batchproof.profiles.gang.facts.bindings import pod_bound
from batchproof.profiles.gang.facts.gangs import gang_bound_at_most, one_gang_bound
from batchproof.profiles.job.facts.counting import counted_once
from batchproof.profiles.job.facts.jobs import job_complete, job_finished
from batchproof.profiles.job.facts.pods import active_pods_exactly
from batchproof.specification.vocabulary import ClaimSentence, definitions, load_steps

TWO = active_pods_exactly(job="a", count=2)
ONE = one_gang_bound(gangs=["a", "b"], which="a")
FAULTS, JOB = "the faults end", "the user resumes the Job"


@pytest.mark.parametrize(
    ("sentence", "once", "claims"),
    [
        ("2 pods are active", "", [eventually(TWO)]),
        ("eventually 2 pods are active", "", [eventually(TWO, within="recovery")]),
        ("for 2 seconds 2 pods are active", "", [always(TWO)]),
        ("for 5 seconds 2 pods are active", "", [always(TWO, during="long window")]),
        ("once the user resumes the Job 2 pods are active", JOB, [eventually(TWO)]),
        ("once the faults end 2 pods are active", FAULTS, [eventually(TWO, within="recovery")]),
        ("once the faults end for 2 seconds 2 pods are active", FAULTS, [always(TWO)]),
        ("for 2 seconds the Job does not finish", "", [never(job_finished(job="a"))]),
        (
            "the Job completes with 1 succeeded pod",
            "",
            [eventually(job_complete(job="a", succeeded=1), within="settle")],
        ),
        (
            "each of 3 pods that ended is counted once at most, and never forgotten",
            "",
            [now(counted_once(job="a", most=3))],
        ),
        (
            "each of 3 pods that ended is counted once at most, and never forgotten, and stays so",
            "",
            [stays(counted_once(job="a", most=3), within="now")],
        ),
        ("2 pods are active, and stays so", "", [stays(TWO)]),
        ("eventually 2 pods are active, and stays so", "", [stays(TWO, within="recovery")]),
        (
            "of gangs a and b only a is bound, and stays so for 2 seconds",
            "",
            [eventually(ONE), always(ONE)],
        ),
        (
            "eventually of gangs a and b only a is bound, and stays so for 2 seconds",
            "",
            [eventually(ONE, within="recovery"), always(ONE)],
        ),
        (
            "for 2 seconds no more than 4 pods of gang a are bound",
            "",
            [always(gang_bound_at_most(gang="a", count=4))],
        ),
    ],
)
def test_a_sentence_makes_claims(sentence: str, once: str, claims: list[Claim]) -> None:
    of = ClaimSentence(claims[0].fact.fact, [FAULTS, JOB])

    assert of.is_matching(sentence)
    assert of.parse_arguments(sentence) == {"once": once, "claims": claims}


@pytest.mark.parametrize(
    "sentence",
    [
        "once upon a time 2 pods are active",
        "2 pods are active, and stays so for 3 seconds",
        "for 2 seconds 2 pods are active, and stays so",
        "2 pods",
    ],
)
def test_another_sentence_makes_none(sentence: str) -> None:
    assert not ClaimSentence(TWO.fact, [FAULTS]).is_matching(sentence)


def test_a_fact_that_needs_a_witness_is_claimed_of_a_window_by_no_plain_sentence() -> None:
    of = ClaimSentence(pod_bound(pod="p").fact, [])

    assert of.is_matching("pod p is bound")
    assert not of.is_matching("for 2 seconds pod p is not bound")


@pytest.mark.parametrize(
    ("sentence", "step"),
    [
        ("for 2 seconds pod p is not bound", "claim_pod_waits"),
        ("for 2 seconds no pod of gang a is bound, with room for 2 of them", "claim_waits"),
        ("pod p is bound", "pod_bound"),
        ("2 pods of Job b are active", "active_pods_exactly"),
        ("each queue is given its share", "shares_given"),
        ("there was always room for at least 2 of the pods of gang a", None),
    ],
)
def test_each_sentence_of_the_suite_has_one_step(sentence: str, step: str | None) -> None:
    assert definitions(load_steps(steps()), "then", sentence) == ([step] if step else [])


FAULTS_TOLD = Path(__file__).parents[2] / "docs" / "explanation" / "faults.md"
SENTENCE = re.compile(r"^\| `([^`]+)`(?:, `([^`]+)`)? \|", re.MULTILINE)


@pytest.mark.parametrize(
    "sentence",
    [one for found in SENTENCE.finditer(FAULTS_TOLD.read_text("utf-8")) for one in found.groups() if one],
)
def test_the_documentation_of_faults_speaks_in_sentences_that_there_are(sentence: str) -> None:
    assert len(definitions(load_steps(steps()), "given", sentence)) == 1
