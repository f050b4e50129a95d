"""Invariants: the indexes of pods and Jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from invariant_examples import assert_blameless, assert_broken, blind, elastic, indexed, job, withheld

if TYPE_CHECKING:
    from histories import Story

BREAKS = [
    pytest.param(
        "FAIL-065",
        indexed()
        .status("a", failed=1, failedIndexes="0")
        .status("a", failed=1, failedIndexes="0", succeeded=2, completedIndexes="0-1"),
        *(2, "0: "),
        id="an index is completed though it has failed",
    ),
    pytest.param(
        "BAS-014",
        indexed()
        .pod("a-0", index=0)
        .succeeds("a-0")
        .status("a", succeeded=1, completedIndexes="0")
        .pod("a-1", index=1)
        .pod("a-2", index=2),
        *(5, "2 with the creation of a-2"),
        id="a pod above the indexes that are left to complete",
    ),
    pytest.param(
        "IDX-004",
        indexed().status("a", succeeded=2, completedIndexes="1"),
        *(1, "2: succeeded=2 completedIndexes=1"),
        id="more successes than completed indexes",
    ),
    pytest.param("IDX-006", job().pod("a-0", index=0), *(1, "annotation and label"), id="a needless index"),
    pytest.param(
        "IDX-022",
        indexed().status("a", succeeded=1, completedIndexes="0").pod("a-0", index=0),
        *(2, "a-0 created"),
        id="a completed index is run again",
    ),
    pytest.param(
        "IDX-028",
        indexed().pod("a-0", index=0).pod("b-0", index=0),
        *(2, "b-0 created while a-0 is active"),
        id="a second pod of an index",
    ),
    pytest.param(
        "IDX-028",
        indexed().pod("a-0", index=0).owned("a-0", by=None).owned("a-0", by="a").pod("b-0", index=0),
        *(4, "b-0 created while a-0 is active"),
        id="a second pod of an index, beside one that was let go and adopted again",
    ),
    pytest.param(
        "IDX-028",
        indexed().pod("a-0", index=0).marked("a-0", "1", by_the_implementation=True).pod("b-0", index=0),
        *(5, "b-0 created while a-0 is active"),
        id="a second pod of an index whose pod the implementation itself has marked otherwise",
    ),
    pytest.param(
        "FIN-004",
        indexed()
        .pod("a-0", index=0)
        .marked("a-0", "1", by_the_implementation=True)
        .fails("a-0")
        .released("a-0"),
        *(8, "never held the UID of a-0"),
        id="a failed pod is released unrecorded that the implementation itself has marked otherwise",
    ),
    pytest.param(
        "FIN-004",
        indexed().pod("a-0", index=0).succeeds("a-0").released("a-0"),
        *(5, "finalizer removed; the Job has empty status"),
        id="a succeeded pod is released before its index is listed",
    ),
    pytest.param(
        "FIN-004",
        indexed().pod("a-0", index=0).fails("a-0").released("a-0"),
        *(5, "never held the UID of a-0"),
        id="a failed pod of an Indexed Job is released unrecorded",
    ),
    pytest.param(
        "FIN-004",
        indexed()
        .pod("a-0", index=0)
        .fails("a-0")
        .pod("b-0", index=0)
        .succeeds("b-0")
        .status("a", succeeded=1, completedIndexes="0")
        .released("a-0"),
        *(8, "never held the UID of a-0"),
        id="a failed pod is released unrecorded whose index another pod has completed",
    ),
    pytest.param(
        "FIN-004",
        indexed().pod("a-0", index=0).succeeds("a-0").fails("a-0").released("a-0"),
        *(6, "never held the UID of a-0"),
        id="a pod that succeeded and turned Failed is released before its index is listed",
    ),
    pytest.param(
        "FIN-006",
        indexed()
        .status("a", succeeded=2, completedIndexes="0,1")
        .status("a", succeeded=1, completedIndexes="1"),
        *(2, "0 left: succeeded=1 completedIndexes=1"),
        id="a completed index is forgotten",
    ),
    pytest.param(
        "FIN-006",
        indexed().status("a", failed=2).status("a", failed=1),
        *(2, "1: failed=1"),
        id="a failure of an Indexed Job is forgotten",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_indexes_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed)


BLAMELESS = [
    pytest.param(
        indexed(parallelism=3, completions=3)
        .pod("a-2", index=2)
        .succeeds("a-2")
        .status("a", succeeded=1, completedIndexes="2")
        .spec("a", parallelism=2, completions=2)
        .at(9)
        .pod("a-0", index=0)
        .pod("a-1", index=1),
        id="BAS-014: a completed index beyond completions leaves room for the others",
    ),
    pytest.param(
        indexed().status("a", failed=1, failedIndexes="0", succeeded=1, completedIndexes="1"),
        id="FAIL-065: one index has failed, the other is completed",
    ),
    pytest.param(
        indexed()
        .pod("x", of=None, index=0)
        .owned("x", by="a")
        .pod("y", index=0)
        .succeeds("x")
        .succeeds("y")
        .pod("z", index=1),
        id="BAS-014, IDX-028: an Indexed Job counts indexes, not pods",
    ),
    pytest.param(
        indexed().pod("x", index=2).succeeds("x").pod("y", index=0).pod("z", index=1),
        id="BAS-014: the success of an index that the Job does not have",
    ),
    pytest.param(
        elastic().spec("a", parallelism=3, completions=3).pod("z", index=2).pod("y", index=1),
        id="BAS-014, IDX-022: an index that was gone is run again",
    ),
    pytest.param(
        elastic().released("a-2"), id="FIN-004: the index is beyond completions since they were lowered"
    ),
    pytest.param(
        elastic().status("a", succeeded=1, completedIndexes="0"),
        id="FIN-006: a completed index leaves since it is beyond completions",
    ),
    pytest.param(
        indexed().pod("a-0", index=0).lost("create", "pods").pod("b-0", index=0),
        id="IDX-028: a creation whose reply was lost is unknown to the controller",
    ),
    pytest.param(
        indexed()
        .asks("create", "pods")
        .process(1, "killed")
        .answered(201)
        .pod("a-0", index=0)
        .pod("b-0", index=0),
        id="IDX-028: a creation that outlives its process is unknown to the next one",
    ),
    pytest.param(
        indexed().pod("u", of=None, index=0).owned("u", by="a").pod("a-0", index=0),
        id="IDX-028: a pod that a user has given to the Job is unknown to the controller",
    ),
    pytest.param(
        blind(indexed().pod("a-0", index=0).process(1, "killed")).pod("b-0", index=0),
        id="IDX-028: a new process knows what it is shown",
    ),
    pytest.param(
        indexed().pod("a-0", index=0).marked("a-0", "1").pod("b-0", index=0),
        id="IDX-028: another client has changed the index of the pod",
    ),
    pytest.param(
        indexed()
        .pod("a-0", index=0)
        .marked("a-0", "1")
        .succeeds("a-0")
        .status("a", succeeded=1, completedIndexes="1")
        .released("a-0"),
        id="FIN-004: another client has changed the index of the pod",
    ),
    pytest.param(
        indexed().pod("a-0", index=0).marked("a-0", None).fails("a-0").released("a-0"),
        id="FIN-004: another client has removed the index of the pod",
    ),
    pytest.param(
        indexed().pod("a-0", index=0).fails("a-0").pod("b-0", index=0),
        id="IDX-028: a failed pod is replaced by one of its index",
    ),
    pytest.param(
        withheld(indexed().status("a", succeeded=1, completedIndexes="0"), frozen=True, delay_s=0.0).pod(
            "a-0", index=0
        ),
        id="IDX-022: the view of Jobs does not show what is completed",
    ),
    pytest.param(job().pods("a-1", "a-2"), id="IDX-006: pods without an index"),
    pytest.param(
        indexed()
        .pod("a-0", index=0)
        .succeeds("a-0")
        .status("a", succeeded=1, completedIndexes="0")
        .released("a-0"),
        id="FIN-004: an Indexed Job records indexes",
    ),
    pytest.param(
        indexed()
        .pod("a-0", index=0)
        .succeeds("a-0")
        .status("a", succeeded=1, completedIndexes="0")
        .fails("a-0")
        .released("a-0"),
        id="FIN-004: an Indexed Job has recorded a success whose pod has turned Failed since",
    ),
    pytest.param(
        indexed()
        .pod("a-0", index=0)
        .status("a", failed=1, failedIndexes="0")
        .succeeds("a-0")
        .released("a-0"),
        id="FIN-004: the index has failed already",
    ),
    pytest.param(
        indexed().pod("a-1").succeeds("a-1").released("a-1"),
        id="FIN-004: a pod without an index counts for nothing",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_indexes_does_not_accuse(told: Story) -> None:
    assert_blameless(told)
