"""Invariants: the status that is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from invariant_examples import assert_blameless, assert_broken, idle, job

if TYPE_CHECKING:
    from histories import Story

TESTED = [{"op": "test", "path": "/metadata/resourceVersion", "value": "1"}]
NOT_APPLIED = {"reason": "Invalid", "message": "the server rejected our request", "details": {}}
NOT_VALID = {**NOT_APPLIED, "details": {"causes": [{"field": "status.startTime"}]}}


def patched() -> Story:
    """A Job whose status is asked to be changed by a JSON patch."""
    return job().asks("patch", "jobs", "a", subresource="status", body=TESTED)


BREAKS = [
    pytest.param(
        "BAS-073",
        job().asks("update", "jobs", "a", subresource="status").answered(422),
        *(2, "refused"),
        id="a status that is refused as invalid",
    ),
    pytest.param(
        *("BAS-073", patched().answered(422, body=NOT_VALID)),
        *(2, "refused: the server rejected our request"),
        id="a JSON patch whose status is invalid",
    ),
    pytest.param(
        "ROB-028",
        idle(),
        *(21, "11 status writes of Job a, 0 changes"),
        id="a status that is written on and on",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_writes_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed)


BLAMELESS = [
    pytest.param(idle(10), id="ROB-028: a status that is written ten times"),
    pytest.param(
        job().asks("update", "jobs", "a", subresource="status").answered(422, fault="a fault"),
        id="BAS-073: a fault refuses the status",
    ),
    pytest.param(patched().answered(422, body=NOT_APPLIED), id="BAS-073: a JSON patch whose test fails"),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_writes_does_not_accuse(told: Story) -> None:
    assert_blameless(told)
