"""Phrases: parts in any number and order, one value; what contradicts itself or is unknown is said so."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchproof.ground.errors import UserError
from batchproof.ground.suite import steps
from batchproof.judgement.parts import load
from batchproof.judgement.phrase import PHRASES, Phrase, PhraseError
from batchproof.judgement.template import KINDS
from batchproof.profiles.gang.phrases import GANG, NOWHERE
from batchproof.profiles.gang.specs import GangSpec, NodeSpec, PodSpec, QueueSpec
from batchproof.profiles.job.specs import JobSpec
from batchproof.profiles.jobset.specs import Dependency, FailureRule, JobSetSpec
from batchproof.profiles.tfjob.specs import TFJobSpec
from batchproof.profiles.volcano_job.specs import TaskSpec, VolcanoJobSpec
from batchproof.profiles.volcano_job.words import settings_in
from batchproof.specification.vocabulary import load_steps, meaning

load("phrases")


@st.composite
def said(draw: st.DrawFn, phrase: Phrase[Any]) -> list[str]:
    """Words of a phrase that do not contradict each other: its opening, and parts in some order."""
    words, covered, values = [], set[str](), {it.name: it.default for it in fields(phrase.of)}
    needed = phrase.needed | phrase.opening_clause.sets
    for clause in (phrase.opening_clause, *draw(st.permutations(phrase.clauses))):
        fresh = clause.sets and not covered & clause.sets
        opens = clause is phrase.opening_clause
        if opens or (fresh and (clause.sets & needed or draw(st.booleans()))):
            kinds = clause.template.kinds
            values |= {name: draw(argument(kind)) for name, kind in kinds.items()} | dict(clause.part.sets)
            covered |= clause.sets
            words.append(clause)
    return [clause.template.write(values) for clause in sorted(words, key=_holds_another)]


def _holds_another(clause: Any) -> bool:
    """What stands after another phrase may belong to that one."""
    return bool(PHRASES.keys() & set(clause.template.kinds.values()))


@cache
def argument(kind: str) -> st.SearchStrategy[Any]:
    if kind == "job_tasks":
        return st.lists(argument("task_pods"), min_size=1, max_size=3).map(tuple)
    if kind in PHRASES:
        return said(PHRASES[kind]).map(lambda words: PHRASES[kind].read(" ".join(words)))
    printed = st.characters(min_codepoint=32, max_codepoint=126)
    pattern = re.compile(KINDS[kind].pattern, re.ASCII)
    texts = st.from_regex(pattern, fullmatch=True, alphabet=printed)
    return texts.filter(lambda text: "and" not in text.split(" ")[:1]).map(KINDS[kind].read)


@pytest.mark.parametrize("name", sorted(PHRASES))
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_the_parts_come_in_any_number_and_order_and_the_value_is_written_again(
    name: str, data: st.DataObject
) -> None:
    phrase = PHRASES[name]
    opening, *parts = data.draw(said(phrase))
    joins = data.draw(st.lists(st.sampled_from([" ", ", ", " and ", ", and "]), min_size=len(parts)))
    sentence = opening + "".join(join + part for join, part in zip(joins, parts, strict=False))
    try:
        value = phrase.read(sentence)
    except PhraseError:  # a list of names goes on with the next part: "queues a and b and of weight 1"
        value = phrase.read(" ".join([opening, *parts]))
    assert phrase.read(phrase.write(value)) == value


def test_every_part_of_the_issue_is_one_gang() -> None:
    sentence = (
        "gang a in queue small with minimum 3 that needs 6 CPUs in all, of priority high,"
        " has 3 pods of 2 CPUs each, no two on one node"
    )
    pods = PodSpec(count=3, cpus="2", placed="no two on one node")
    wanted = GangSpec(name="a", queue="small", minimum=3, least_cpus=6, priority="high", pods=pods)
    assert GANG.read(sentence) == wanted
    assert GANG.read(GANG.write(wanted)) == wanted


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (
            "gang a with minimum 3 has 3 pods with minimum 4",
            "gang a: 'with minimum 3' and 'with minimum 4' contradict each other",
        ),
        (
            "gang a without a minimum with minimum 3",
            "'without a minimum' and 'with minimum 3' contradict each other",
        ),
        ("gang a has 3 pods", "gang a: say 'without a minimum' or 'with minimum {minimum}'"),
        (
            "gang a with minimum 3 that need 6 CPUs in all has 3 pods",
            "'gang a' can have; the nearest is 'that needs {least_cpus} CPUs in all'",
        ),
        ("gang a with minimum 3 has 3 pods of colour red", "there is 'in queue {queue}', 'of tree {tree}'"),
        (
            "2 pods of prority high are added to gang a",
            "begins with no part that '2 pods' can have; the nearest is 'of priority {priority}'",
        ),
        ("2 pods that requests nothing are added to gang a", "say 'that request nothing'"),
        (
            "2 pods that request nothing of 2 CPUs each are added to gang a",
            "2 pods: 'that request nothing' and 'of 2 CPUs each' contradict each other",
        ),
    ],
)
def test_what_is_wrong_with_a_phrase_is_said(sentence: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        meaning(load_steps(steps()), "given", sentence)


@pytest.mark.parametrize("sentence", ["gang a is tired", "something else", "the gang sleeps"])
def test_nothing_is_said_of_a_sentence_that_is_no_phrase(sentence: str) -> None:
    with pytest.raises(UserError, match=f"no step definitions match {sentence!r}$"):
        meaning(load_steps(steps()), "given", sentence)


def test_a_value_that_no_part_says_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="no part of the phrase 'pods' says selector"):
        PHRASES["pods"].write(PodSpec(count=2, selector=(("a", "b"),)))


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        (
            "3 nodes with 4 CPUs and 2 devices each in zone west that are tainted join",
            NodeSpec(count=3, cpus=4, having=(("example.com/device", "2"),), zone="west", flaw="tainted"),
        ),
        (
            "a queue small of weight 1 for which 2 CPUs are kept with at most 3 CPUs, which may be reclaimed",
            QueueSpec(names=("small",), weight=1, guarantee=2, capability=3, reclaimable=True),
        ),
        (
            "pod big of 3 CPUs of priority urgent without a gang that has a scheduling gate is created",
            PodSpec(name="big", cpus="3", priority="urgent", kept="gated"),
        ),
        (
            (
                "a suspended JobSet of 1 leader and 2 workers, kept for 3 seconds,"
                " whose workers wait until leader is Ready and leader waits until drivers are Complete,"
                " with the rule FailJobSet for the reason PodFailurePolicy of leader and the rule Restart"
            ),
            JobSetSpec(
                suspended=True,
                replicas=(("leader", 1), ("workers", 2)),
                kept_s=3,
                waits=(Dependency("workers", "leader", "Ready"), Dependency("leader", "drivers", "Complete")),
                rules=(FailureRule("FailJobSet", "PodFailurePolicy", "leader"), FailureRule("Restart")),
            ),
        ),
    ],
)
def test_a_sentence_means_a_value(sentence: str, value: object) -> None:
    _, said = meaning(load_steps(steps()), "given", sentence)
    assert list(said.values()) == [value]


REPORTED = [
    pytest.param(
        "a Job b of a parent, with a template in its Workload, with 2 completions and parallelism 2",
        JobSpec(name="b", parent="JobSet", delegated=True, settings=(("completions", 2), ("parallelism", 2))),
        id="two children of one parent",
    ),
    pytest.param(
        "a suspended Job whose pods are a gang with 4 completions, parallelism 2 and activeDeadlineSeconds 4",
        JobSpec(
            kinds=("suspended",),
            gang=0,
            settings=(("completions", 4), ("parallelism", 2), ("activeDeadlineSeconds", 4)),
        ),
        id="a gang Job that is suspended and has a deadline",
    ),
    pytest.param(
        "gang a with minimum 3 that needs 6 CPUs in all has 3 pods of 2 CPUs each",
        GangSpec(name="a", minimum=3, least_cpus=6, pods=PodSpec(count=3, cpus="2")),
        id="a gang that fits as a sum and not in pieces",
    ),
    pytest.param(
        "gang b in queue small of priority urgent with minimum 1 has 1 pod of 4 CPUs",
        GangSpec(name="b", queue="small", priority="urgent", minimum=1, pods=PodSpec(cpus="4")),
        id="a pod that cannot be placed comes first",
    ),
    pytest.param(
        "gang a with minimum 2 has 2 pods that request nothing",
        GangSpec(name="a", minimum=2, pods=PodSpec(count=2, cpus="")),
        id="a gang that requests nothing",
    ),
    pytest.param(
        "gang b in queue late of priority high with minimum 3 that needs 3 CPUs in all has 3 pods",
        GangSpec(name="b", queue="late", priority="high", minimum=3, least_cpus=3, pods=PodSpec(count=3)),
        id="a group as real ones are, in a queue",
    ),
    pytest.param(
        "gang c in queue left with minimum 2 has 3 pods of 3 CPUs each, no two on one node",
        GangSpec(
            name="c",
            queue="left",
            minimum=2,
            pods=PodSpec(count=3, cpus="3", placed="no two on one node"),
        ),
        id="sizes that do not divide",
    ),
    pytest.param(
        "a queue kept of weight 1 for which 6 CPUs are kept, with at most 8 CPUs, which may be reclaimed",
        QueueSpec(names=("kept",), weight=1, guarantee=6, capability=8, reclaimable=True),
        id="a guarantee above what is there",
    ),
    pytest.param(
        "gang b with minimum 1 has 1 pod that may not share a node with pod guard",
        GangSpec(name="b", minimum=1, pods=PodSpec(apart_from="guard")),
        id="a gang that another pod keeps out",
    ),
    pytest.param(
        "pod lost without a gang that requests nothing that selects a label of no node is created",
        PodSpec(name="lost", cpus="", selector=NOWHERE),
        id="a pod that no node suits",
    ),
    pytest.param(
        "a Volcano Job of 1 pod with a volume and the volume data",
        VolcanoJobSpec(tasks=(TaskSpec(count=1),), settings=("a volume", "the volume data")),
        id="a claim of its own and one that exists",
    ),
    pytest.param(
        "a TFJob whose pod templates say much of 1 Chief, 2 Workers and 1 Evaluator"
        " with the restartPolicy ExitCode named b",
        TFJobSpec(
            name="b",
            replicas=(("Chief", 1), ("Worker", 2), ("Evaluator", 1)),
            settings=(("restartPolicy", "ExitCode"),),
            templates="say much",
        ),
        id="another TFJob with an Evaluator",
    ),
]


@pytest.mark.parametrize(("sentence", "value"), REPORTED)
def test_what_users_reported_can_be_said_without_a_new_step(sentence: str, value: object) -> None:
    _, said = meaning(load_steps(steps()), "given", sentence)
    assert list(said.values()) == [value]


def test_every_volume_of_a_volcano_job_has_a_place_of_its_own() -> None:
    volumes = settings_in(["a volume", "the volume data"])["volumes"]
    assert [one["mountPath"] for one in volumes] == ["/data", "/data-2"]
    assert [next(key for key in one if key != "mountPath") for one in volumes] == [
        "volumeClaim",
        "volumeClaimName",
    ]
