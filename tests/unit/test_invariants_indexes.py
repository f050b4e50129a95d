"""Invariants: the indexes of pods and Jobs."""

from __future__ import annotations

from invariant_examples import Case, blind, breaks, check, elastic, examples, indexed, job, keeps, withheld


@examples(
    "FAIL-065",
    breaks("an index is completed though it has failed", 2, "0: "),
    indexed()
    .status("a", failed=1, failedIndexes="0")
    .status("a", failed=1, failedIndexes="0", succeeded=2, completedIndexes="0-1"),
    "BAS-014",
    breaks("a pod above the indexes that are left to complete", 5, "2 with the creation of a-2"),
    indexed()
    .pod("a-0", index=0)
    .succeeds("a-0")
    .status("a", succeeded=1, completedIndexes="0")
    .pod("a-1", index=1)
    .pod("a-2", index=2),
    keeps("a completed index beyond completions leaves room for the others"),
    indexed(parallelism=3, completions=3)
    .pod("a-2", index=2)
    .succeeds("a-2")
    .status("a", succeeded=1, completedIndexes="2")
    .spec("a", parallelism=2, completions=2)
    .at(9)
    .pod("a-0", index=0)
    .pod("a-1", index=1),
    "FAIL-065",
    keeps("one index has failed, the other is completed"),
    indexed().status("a", failed=1, failedIndexes="0", succeeded=1, completedIndexes="1"),
    "BAS-014, IDX-028",
    keeps("an Indexed Job counts indexes, not pods"),
    indexed()
    .pod("x", of=None, index=0)
    .owned("x", by="a")
    .pod("y", index=0)
    .succeeds("x")
    .succeeds("y")
    .pod("z", index=1),
    "BAS-014",
    keeps("the success of an index that the Job does not have"),
    indexed().pod("x", index=2).succeeds("x").pod("y", index=0).pod("z", index=1),
    "BAS-014, IDX-022",
    keeps("an index that was gone is run again"),
    elastic().spec("a", parallelism=3, completions=3).pod("z", index=2).pod("y", index=1),
    "FIN-004",
    keeps("the index is beyond completions since they were lowered", elastic().released("a-2")),
    "FIN-006",
    keeps("a completed index leaves since it is beyond completions"),
    elastic().status("a", succeeded=1, completedIndexes="0"),
    "IDX-004",
    breaks("more successes than completed indexes", 1, "2: succeeded=2 completedIndexes=1"),
    indexed().status("a", succeeded=2, completedIndexes="1"),
    "IDX-006",
    breaks("a needless index", 1, "annotation and label", job().pod("a-0", index=0)),
    "IDX-022",
    breaks("a completed index is run again", 2, "a-0 created"),
    indexed().status("a", succeeded=1, completedIndexes="0").pod("a-0", index=0),
    "IDX-028",
    breaks("a second pod of an index", 2, "b-0 created while a-0 is active"),
    indexed().pod("a-0", index=0).pod("b-0", index=0),
    breaks(
        "a second pod of an index, beside one that was let go and adopted again",
        4,
        "b-0 created while a-0 is active",
    ),
    indexed().pod("a-0", index=0).owned("a-0", by=None).owned("a-0", by="a").pod("b-0", index=0),
    breaks(
        "a second pod of an index whose pod the implementation itself has marked otherwise",
        5,
        "b-0 created while a-0 is active",
    ),
    indexed().pod("a-0", index=0).marked("a-0", "1", by_the_implementation=True).pod("b-0", index=0),
    keeps("a creation whose reply was lost is unknown to the controller"),
    indexed().pod("a-0", index=0).lost("create", "pods").pod("b-0", index=0),
    keeps("a creation that outlives its process is unknown to the next one"),
    indexed()
    .asks("create", "pods")
    .process(1, "killed")
    .answered(201)
    .pod("a-0", index=0)
    .pod("b-0", index=0),
    keeps("a pod that a user has given to the Job is unknown to the controller"),
    indexed().pod("u", of=None, index=0).owned("u", by="a").pod("a-0", index=0),
    keeps("a new process knows what it is shown"),
    blind(indexed().pod("a-0", index=0).process(1, "killed")).pod("b-0", index=0),
    keeps("another client has changed the index of the pod"),
    indexed().pod("a-0", index=0).marked("a-0", "1").pod("b-0", index=0),
    "FIN-004",
    breaks(
        "a failed pod is released unrecorded that the implementation itself has marked otherwise",
        8,
        "never held the UID of a-0",
    ),
    indexed().pod("a-0", index=0).marked("a-0", "1", by_the_implementation=True).fails("a-0").released("a-0"),
    breaks(
        "a succeeded pod is released before its index is listed",
        5,
        "finalizer removed; the Job has empty status",
    ),
    indexed().pod("a-0", index=0).succeeds("a-0").released("a-0"),
    breaks("a failed pod of an Indexed Job is released unrecorded", 5, "never held the UID of a-0"),
    indexed().pod("a-0", index=0).fails("a-0").released("a-0"),
    breaks(
        "a failed pod is released unrecorded whose index another pod has completed",
        8,
        "never held the UID of a-0",
    ),
    indexed()
    .pod("a-0", index=0)
    .fails("a-0")
    .pod("b-0", index=0)
    .succeeds("b-0")
    .status("a", succeeded=1, completedIndexes="0")
    .released("a-0"),
    breaks(
        "a pod that succeeded and turned Failed is released before its index is listed",
        6,
        "never held the UID of a-0",
    ),
    indexed().pod("a-0", index=0).succeeds("a-0").fails("a-0").released("a-0"),
    keeps("another client has changed the index of the pod"),
    indexed()
    .pod("a-0", index=0)
    .marked("a-0", "1")
    .succeeds("a-0")
    .status("a", succeeded=1, completedIndexes="1")
    .released("a-0"),
    keeps("another client has removed the index of the pod"),
    indexed().pod("a-0", index=0).marked("a-0", None).fails("a-0").released("a-0"),
    "IDX-028",
    keeps("a failed pod is replaced by one of its index"),
    indexed().pod("a-0", index=0).fails("a-0").pod("b-0", index=0),
    "IDX-022",
    keeps("the view of Jobs does not show what is completed"),
    withheld(indexed().status("a", succeeded=1, completedIndexes="0"), frozen=True, delay_s=0.0).pod(
        "a-0", index=0
    ),
    "IDX-006",
    keeps("pods without an index", job().pods("a-1", "a-2")),
    "FIN-004",
    keeps("an Indexed Job records indexes"),
    indexed()
    .pod("a-0", index=0)
    .succeeds("a-0")
    .status("a", succeeded=1, completedIndexes="0")
    .released("a-0"),
    keeps("an Indexed Job has recorded a success whose pod has turned Failed since"),
    indexed()
    .pod("a-0", index=0)
    .succeeds("a-0")
    .status("a", succeeded=1, completedIndexes="0")
    .fails("a-0")
    .released("a-0"),
    keeps("the index has failed already"),
    indexed().pod("a-0", index=0).status("a", failed=1, failedIndexes="0").succeeds("a-0").released("a-0"),
    keeps("a pod without an index counts for nothing", indexed().pod("a-1").succeeds("a-1").released("a-1")),
    "FIN-006",
    breaks("a completed index is forgotten", 2, "0 left: succeeded=1 completedIndexes=1"),
    indexed().status("a", succeeded=2, completedIndexes="0,1").status("a", succeeded=1, completedIndexes="1"),
    breaks("a failure of an Indexed Job is forgotten", 2, "1: failed=1"),
    indexed().status("a", failed=2).status("a", failed=1),
)
def test_an_invariant_of_indexes(case: Case) -> None:
    check(case)
