"""Invariants: the status that is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from invariant_examples import Case, breaks, check, examples, idle, job, keeps

if TYPE_CHECKING:
    from histories import Story

TESTED = [{"op": "test", "path": "/metadata/resourceVersion", "value": "1"}]
NOT_APPLIED = {"reason": "Invalid", "message": "the server rejected our request", "details": {}}
NOT_VALID = {**NOT_APPLIED, "details": {"causes": [{"field": "status.startTime"}]}}


def patched() -> Story:
    """A Job whose status is asked to be changed by a JSON patch."""
    return job().asks("patch", "jobs", "a", subresource="status", body=TESTED)


@examples(
    "BAS-073",
    breaks("a status that is refused as invalid", 2, "refused"),
    job().asks("update", "jobs", "a", subresource="status").answered(422),
    breaks("a JSON patch whose status is invalid", 2, "refused: the server rejected our request"),
    patched().answered(422, body=NOT_VALID),
    "ROB-028",
    keeps("a status that is written ten times", idle(10)),
    "BAS-073",
    keeps("a fault refuses the status"),
    job().asks("update", "jobs", "a", subresource="status").answered(422, fault="a fault"),
    keeps("a JSON patch whose test fails", patched().answered(422, body=NOT_APPLIED)),
    "ROB-028",
    breaks("a status that is written on and on", 21, "11 status writes of Job a, 0 changes", idle()),
)
def test_an_invariant_of_writes(case: Case) -> None:
    check(case)
