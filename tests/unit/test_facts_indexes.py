"""Facts about Indexed Jobs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.labels import COMPLETION_INDEX, INDEX_FAILURES, INDEX_IGNORED_FAILURES
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

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

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
FAILED_ONCE = failures_carried(index=0, **A, kind="failure counts", counts=[0, 1])
IGNORED_ONCE = failures_carried(index=0, **A, kind="ignored failure counts", counts=[0, 1])
LABEL = from_field(f"metadata.labels['{COMPLETION_INDEX}']")
ANNOTATION = from_field(f"metadata.annotations['{COMPLETION_INDEX}']")
NO_INDEX: Json = {"value": "none"}


@examples(
    [
        pytest.param(completed_indexes(**A, indexes="0-2"), completed("0,1-2"), True, id="in any form"),
        pytest.param(completed_indexes(**A, indexes=""), job(), True, id="none"),
        pytest.param(completed_indexes(**A, indexes="0-2"), completed("0-3"), False, id="one more"),
        pytest.param(completed_indexes(**A, indexes=""), story(), False, id="no Job"),
        pytest.param(completed_indexes_written(**A, indexes="0-2"), completed("0-2"), True, id="as written"),
        pytest.param(
            completed_indexes_written(**A, indexes="0-2"), completed("0,1,2"), False, id="written otherwise"
        ),
        pytest.param(failed_indexes(**A, indexes="0-2"), failed("0,1-2"), True, id="failed, in any form"),
        pytest.param(failed_indexes(**A, indexes=""), failed(""), True, id="none failed"),
        pytest.param(failed_indexes(**A, indexes=""), job(), False, id="it is not told that none failed"),
        pytest.param(failed_indexes(**A, indexes="0"), failed("0,1"), False, id="one more failed"),
        pytest.param(failed_indexes_written(**A, indexes="0-2"), failed("0-2"), True, id="failed as written"),
        pytest.param(
            failed_indexes_written(**A, indexes="0-2"), failed("0,1,2"), False, id="failed, written otherwise"
        ),
    ]
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
    [
        pytest.param(active_indexes(**A, indexes=[1, 0, 1]), three(), True, id="each as often"),
        pytest.param(active_indexes(**A, indexes=[0, 1]), three(), False, id="one twice"),
        pytest.param(active_indexes(**A, indexes=[0, 1]), three().fails("a-1-x"), True, id="of active ones"),
        pytest.param(
            active_indexes(**A, indexes=[0]), job().pod("a-0", index=0).pod("b"), False, id="one without"
        ),
        pytest.param(active_among(**A, indexes=[1]), three(), True, id="among others"),
        pytest.param(active_among(**A, indexes=[1, 2]), three(), False, id="not among them"),
        pytest.param(
            created_indexes(**A, indexes=[0, 1, 1]), three().gone("pods", "a-0-x"), True, id="ever created"
        ),
        pytest.param(created_indexes(**A, indexes=[0, 1]), three(), False, id="one too many"),
        pytest.param(FAILED_ONCE, carrying("0", "1"), True, id="each carries the failures before it"),
        pytest.param(FAILED_ONCE, carrying("0", "0"), False, id="the failure is forgotten"),
        pytest.param(FAILED_ONCE, carrying("0", ""), False, id="no count"),
        pytest.param(FAILED_ONCE, carrying("0"), False, id="no second pod"),
        pytest.param(IGNORED_ONCE, carrying("", "1", annotation=IGNORED), True, id="none ignored at first"),
        pytest.param(IGNORED_ONCE, carrying("", "", annotation=IGNORED), False, id="it is not told"),
        pytest.param(pod_active(pod="a-0-x"), three(), True, id="active"),
        pytest.param(pod_active(pod="a-0-x"), three().deleting("pods", "a-0-x"), False, id="being deleted"),
        pytest.param(pod_active(pod="a-0-x"), job(), False, id="no such pod"),
    ]
)
def test_a_fact_about_the_indexes_of_pods(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


@examples(
    [
        pytest.param(index_shown(**A, place="annotation"), three(), True, id="annotation"),
        pytest.param(index_shown(**A, place="annotation"), three().pod("z"), False, id="no annotation"),
        pytest.param(index_shown(**A, place="annotation"), job(), False, id="no pod"),
        pytest.param(index_shown(**A, place="label"), three(), True, id="label"),
        pytest.param(index_shown(**A, place="name"), three(), True, id="name"),
        pytest.param(
            index_shown(**A, place="name"), job().pod("a-1-x", index=2), False, id="name of another index"
        ),
        pytest.param(
            index_shown(job=LONG_JOB, place="name"),
            story().job(LONG_JOB).pod(f"{LONG_JOB[:55]}-0-abcde", of=LONG_JOB, index=0),
            True,
            id="a cut name",
        ),
        pytest.param(
            index_shown(job=LONGEST, place="name"),
            *(story().job(LONGEST).pod(f"{LONGEST[:-1]}-0-abcde", of=LONGEST, index=0), False),
            id="a name that is cut though it fits",
        ),
        pytest.param(
            index_shown(job=f"{LONGEST}x", place="name"),
            *(story().job(f"{LONGEST}x").pod(f"{LONGEST}-0-abcde", of=f"{LONGEST}x", index=0), True),
            id="a name that is cut by the one character too many",
        ),
        pytest.param(
            index_shown(**A, place="environment"),
            with_variables(ANNOTATION, NO_INDEX),
            False,
            id="the last is no index",
        ),
        pytest.param(
            index_shown(**A, place="environment"),
            with_variables(NO_INDEX, ANNOTATION),
            True,
            id="the last variable counts",
        ),
        pytest.param(
            index_shown(**A, place="environment"),
            *(with_variables({"value": "9"}, {"value": "2"}), True),
            id="the last value counts",
        ),
        pytest.param(
            index_shown(job=LONG_JOB, place="name"),
            story().job(LONG_JOB).pod(f"{LONG_JOB[:58]}abcde", of=LONG_JOB, index=0),
            False,
            id="an index that is cut off",
        ),
        pytest.param(
            index_shown(**A, place="hostname"), with_containers(hostname="a-2"), True, id="hostname"
        ),
        pytest.param(
            index_shown(**A, place="hostname"), with_containers(hostname="a"), False, id="another hostname"
        ),
        *(
            pytest.param(index_shown(**A, place="environment"), with_containers(*them), holds, id=why)
            for them, holds, why in (
                ((container(**LABEL),), True, "from the label"),
                ((container(**ANNOTATION),), True, "from the annotation"),
                ((container(value="2"),), True, "as a value"),
                ((container(value="1"),), False, "another value"),
                ((container(), container("side", **LABEL)), False, "not in all"),
                ((container(**from_field("metadata.name")),), False, "from elsewhere"),
            )
        ),
        pytest.param(
            index_shown(**A, place="environment"),
            with_containers(container(**LABEL), initContainers=[container("before")]),
            False,
            id="not in the init container",
        ),
        pytest.param(
            variable_everywhere(**A, variable=VARIABLE, value="mine"),
            with_containers(container(value="mine")),
            True,
            id="the user's variable",
        ),
        pytest.param(
            variable_everywhere(**A, variable=VARIABLE, value="mine"),
            with_containers(
                {"name": "main", "env": [*container(value="mine")["env"], *container(**LABEL)["env"]]}
            ),
            False,
            id="a second variable",
        ),
        pytest.param(
            pods_in_subdomain(**A, subdomain="web"), with_containers(subdomain="web"), True, id="subdomain"
        ),
        pytest.param(pods_in_subdomain(**A, subdomain="web"), with_containers(), False, id="no subdomain"),
        pytest.param(no_index_shown(**A), job().pod("a-1"), True, id="no index"),
        pytest.param(no_index_shown(**A), job(), False, id="no pod, no index"),
        pytest.param(
            no_index_shown(**A), with_containers(container(**LABEL), index=None), False, id="in environment"
        ),
    ]
)
def test_a_fact_about_how_an_index_is_known(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
