"""Invariants: what pods are made like, and that finished ones stay."""

from __future__ import annotations

from invariant_examples import Case, breaks, check, examples, job, keeps, recorded


@examples(
    "EXP-030",
    breaks("a pod without a label of its template", 1, "metadata.labels.colour"),
    job(template={"metadata": {"labels": {"colour": "green"}}}).pod("a-1"),
    keeps("a pod that a user made"),
    job(template={"spec": {"containers": [{"name": "main"}]}}).pod("a-1", of=None),
    keeps("a pod as the template was until just now"),
    job(template={"spec": {"schedulerName": "one"}})
    .spec("a", template={"spec": {"schedulerName": "another"}})
    .pod("a-1", schedulerName="one"),
    "BAS-078",
    breaks("a finished pod is deleted", 7, "the deletion of a-1"),
    recorded().released("a-1").at(9).asks("delete", "pods", "a-1"),
    keeps("a pod that runs", job().pod("a-1").asks("delete", "pods", "a-1")),
    keeps("a finished pod goes with its Job"),
    recorded().released("a-1").deleting("jobs", "a").at(9).asks("delete", "pods", "a-1"),
)
def test_an_invariant_of_pods(case: Case) -> None:
    check(case)
