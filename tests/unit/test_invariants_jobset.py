"""Invariants of controllers of JobSets."""

from __future__ import annotations

from invariant_examples import Case, breaks, check, examples, keeps
from test_facts_jobset import jobset, reports


@examples(
    "JST-044",
    breaks("both ends", 2, "both are set", jobset("Completed", "Failed")),
    breaks("an end that is taken back", 3, "Completed is no longer set"),
    reports(jobset("Completed"), restarts=1),
    "JST-023",
    breaks("two restarts at once", 2, "0, then 2", jobset(restarts=2)),
    breaks("a restart that is forgotten", 3, "1, then 0", reports(jobset(restarts=1), restarts=0)),
    "JST-023, JST-044",
    keeps("a restart, then the end", reports(jobset(restarts=1), "Completed", restarts=1)),
    keeps("a failure", reports(jobset("Suspended"), "Failed")),
)
def test_an_invariant_of_jobsets(case: Case) -> None:
    check(case)
