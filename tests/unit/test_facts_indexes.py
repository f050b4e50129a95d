"""Facts about Indexed Jobs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import Any

import pytest
from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.ground.resources import COMPLETION_INDEX, INDEX_FAILURES, INDEX_IGNORED_FAILURES
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
from batchproof.profiles.job.facts.indexes import (
    active_among,
    active_indexes,
    completed_indexes,
    completed_indexes_written,
    created_indexes,
    failed_indexes,
    failed_indexes_written,
    failures_carried,
    index_shown,
    no_index_shown,
    pod_active,
    pods_in_subdomain,
    variable_everywhere,
)
from batchproof.profiles.shared.names import LONG_JOB

A = {"job": "a"}
VARIABLE = "JOB_COMPLETION_INDEX"


def job() -> Story:
    return story().job("a", completionMode="Indexed", completions=9, parallelism=9)


def completed(indexes: str) -> Story:
    return job().status("a", completedIndexes=indexes)


def failed(indexes: str) -> Story:
    return job().status("a", failedIndexes=indexes)


def carrying(*counts: str, annotation: str = INDEX_FAILURES) -> Story:
    """Pods of index 0 with these counts of failures, or without where they are empty, and one of index 1."""
    history = job().pod("a-1", index=1)
    for number, count in enumerate(counts):
        history.pod(f"a-0-{number}", index=0, annotations={annotation: count} if count else {})
    return history


def three() -> Story:
    """Pods of the indexes 0, 1 and 1."""
    return job().pod("a-0-x", index=0).pod("a-1-x", index=1).pod("a-1-y", index=1)


def container(name: str = "main", **variable: object) -> Json:
    return {"name": name, "env": [{"name": VARIABLE, **variable}] if variable else []}


def from_field(path: str) -> Json:
    return {"valueFrom": {"fieldRef": {"fieldPath": path}}}


def with_containers(*containers: Json, index: int | None = 2, **spec: Any) -> Story:
    return job().pod("a-2-x", index=index, containers=list(containers), **spec)


def with_variables(*variables: Json) -> Story:
    """A pod whose container has several variables of the name."""
    return with_containers({"name": "main", "env": [{"name": VARIABLE, **it} for it in variables]})


LONGEST = "j" * 55
"""The longest name of a Job of which a pod's name has all, where its index is one digit."""
IGNORED = INDEX_IGNORED_FAILURES
LABEL = from_field(f"metadata.labels['{COMPLETION_INDEX}']")
ANNOTATION = from_field(f"metadata.annotations['{COMPLETION_INDEX}']")
NO_INDEX: Json = {"value": "none"}


@examples(
    completed_indexes(**A, indexes="0-2"),
    yes("in any form", completed("0,1-2")),
    completed_indexes(**A, indexes=""),
    yes("none", job()),
    completed_indexes(**A, indexes="0-2"),
    no("one more", completed("0-3")),
    completed_indexes(**A, indexes=""),
    no("no Job", story()),
    completed_indexes_written(**A, indexes="0-2"),
    yes("as written", completed("0-2")),
    no("written otherwise", completed("0,1,2")),
    failed_indexes(**A, indexes="0-2"),
    yes("failed, in any form", failed("0,1-2")),
    failed_indexes(**A, indexes=""),
    yes("none failed", failed("")),
    no("it is not told that none failed", job()),
    failed_indexes(**A, indexes="0"),
    no("one more failed", failed("0,1")),
    failed_indexes_written(**A, indexes="0-2"),
    yes("failed as written", failed("0-2")),
    no("failed, written otherwise", failed("0,1,2")),
)
def test_a_fact_about_completed_indexes(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


@pytest.mark.parametrize(
    ("indexes", "decisive"), [([0, 1, 1], ()), ([0, 1, 2], (3,)), ([1, 1], (1,)), ([0, 1, 1, 2], ())]
)
def test_an_active_pod_of_no_index_that_is_wanted_decides(
    indexes: list[int], decisive: tuple[int, ...]
) -> None:
    assert active_indexes(**A, indexes=indexes).of(three().seen).decisive == decisive


@examples(
    active_indexes(**A, indexes=[1, 0, 1]),
    yes("each as often", three()),
    active_indexes(**A, indexes=[0, 1]),
    no("one twice", three()),
    yes("of active ones", three().fails("a-1-x")),
    active_indexes(**A, indexes=[0]),
    no("one without", job().pod("a-0", index=0).pod("b")),
    active_among(**A, indexes=[1]),
    yes("among others", three()),
    active_among(**A, indexes=[1, 2]),
    no("not among them", three()),
    created_indexes(**A, indexes=[0, 1, 1]),
    yes("ever created", three().gone("pods", "a-0-x")),
    created_indexes(**A, indexes=[0, 1]),
    no("one too many", three()),
    failures_carried(index=0, **A, kind="failure counts", counts=[0, 1]),
    yes("each carries the failures before it", carrying("0", "1")),
    no("the failure is forgotten", carrying("0", "0")),
    no("no count", carrying("0", "")),
    no("no second pod", carrying("0")),
    failures_carried(index=0, **A, kind="ignored failure counts", counts=[0, 1]),
    yes("none ignored at first", carrying("", "1", annotation=IGNORED)),
    no("it is not told", carrying("", "", annotation=IGNORED)),
    pod_active(pod="a-0-x"),
    yes("active", three()),
    no("being deleted", three().deleting("pods", "a-0-x")),
    no("no such pod", job()),
)
def test_a_fact_about_the_indexes_of_pods(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


@examples(
    index_shown(**A, place="annotation"),
    yes("annotation", three()),
    no("no annotation", three().pod("z")),
    no("no pod", job()),
    index_shown(**A, place="label"),
    yes("label", three()),
    index_shown(**A, place="name"),
    yes("name", three()),
    no("name of another index", job().pod("a-1-x", index=2)),
    index_shown(job=LONG_JOB, place="name"),
    yes("a cut name", story().job(LONG_JOB).pod(f"{LONG_JOB[:55]}-0-abcde", of=LONG_JOB, index=0)),
    index_shown(job=LONGEST, place="name"),
    no("a name that is cut though it fits"),
    story().job(LONGEST).pod(f"{LONGEST[:-1]}-0-abcde", of=LONGEST, index=0),
    index_shown(job=f"{LONGEST}x", place="name"),
    yes("a name that is cut by the one character too many"),
    story().job(f"{LONGEST}x").pod(f"{LONGEST}-0-abcde", of=f"{LONGEST}x", index=0),
    index_shown(**A, place="environment"),
    no("the last is no index", with_variables(ANNOTATION, NO_INDEX)),
    yes("the last variable counts", with_variables(NO_INDEX, ANNOTATION)),
    yes("the last value counts", with_variables({"value": "9"}, {"value": "2"})),
    index_shown(job=LONG_JOB, place="name"),
    no("an index that is cut off", story().job(LONG_JOB).pod(f"{LONG_JOB[:58]}abcde", of=LONG_JOB, index=0)),
    index_shown(**A, place="hostname"),
    yes("hostname", with_containers(hostname="a-2")),
    no("another hostname", with_containers(hostname="a")),
    index_shown(**A, place="environment"),
    yes("from the label", with_containers(container(**LABEL))),
    yes("from the annotation", with_containers(container(**ANNOTATION))),
    yes("as a value", with_containers(container(value="2"))),
    no("another value", with_containers(container(value="1"))),
    no("not in all", with_containers(container(), container("side", **LABEL))),
    no("from elsewhere", with_containers(container(**from_field("metadata.name")))),
    no("not in the init container"),
    with_containers(container(**LABEL), initContainers=[container("before")]),
    variable_everywhere(**A, variable=VARIABLE, value="mine"),
    yes("the user's variable", with_containers(container(value="mine"))),
    no("a second variable"),
    with_containers({"name": "main", "env": [*container(value="mine")["env"], *container(**LABEL)["env"]]}),
    pods_in_subdomain(**A, subdomain="web"),
    yes("subdomain", with_containers(subdomain="web")),
    no("no subdomain", with_containers()),
    no_index_shown(**A),
    yes("no index", job().pod("a-1")),
    no("no pod, no index", job()),
    no("in environment", with_containers(container(**LABEL), index=None)),
)
def test_a_fact_about_how_an_index_is_known(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
