"""Invariants: what pods are made like, and that finished ones stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from invariant_examples import assert_blameless, assert_broken, job, recorded

if TYPE_CHECKING:
    from histories import Story

BREAKS = [
    pytest.param(
        "EXP-030",
        job(template={"metadata": {"labels": {"colour": "green"}}}).pod("a-1"),
        *(1, "metadata.labels.colour"),
        id="a pod without a label of its template",
    ),
    pytest.param(
        "BAS-078",
        recorded().released("a-1").at(9).asks("delete", "pods", "a-1"),
        *(7, "the deletion of a-1"),
        id="a finished pod is deleted",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_pods_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed)


BLAMELESS = [
    pytest.param(
        job(template={"spec": {"containers": [{"name": "main"}]}}).pod("a-1", of=None),
        id="EXP-030: a pod that a user made",
    ),
    pytest.param(
        job(template={"spec": {"schedulerName": "one"}})
        .spec("a", template={"spec": {"schedulerName": "another"}})
        .pod("a-1", schedulerName="one"),
        id="EXP-030: a pod as the template was until just now",
    ),
    pytest.param(job().pod("a-1").asks("delete", "pods", "a-1"), id="BAS-078: a pod that runs"),
    pytest.param(
        recorded().released("a-1").deleting("jobs", "a").at(9).asks("delete", "pods", "a-1"),
        id="BAS-078: a finished pod goes with its Job",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_pods_does_not_accuse(told: Story) -> None:
    assert_blameless(told)
