"""Which TFJobs the reference refuses."""

from __future__ import annotations

from typing import Any

import pytest

from reference_controller.tfjob.admission import wrong_tfjob

RIGHT = {"name": "tensorflow", "image": "x"}


def tfjob(
    *containers: dict[str, str], name: str = "a", kinds: tuple[str, ...] = ("Worker",)
) -> dict[str, Any]:
    template = {"spec": {"containers": list(containers)}}
    return {
        "metadata": {"name": name},
        "spec": {"tfReplicaSpecs": {kind: {"template": template} for kind in kinds}},
    }


@pytest.mark.parametrize(
    "right",
    [
        tfjob(RIGHT),
        tfjob({"name": "side", "image": "y"}, RIGHT),
        tfjob(RIGHT, name="a-1"),
        tfjob(RIGHT, kinds=("Chief", "PS", "Worker")),
    ],
)
def test_a_right_one_is_taken(right: dict[str, Any]) -> None:
    assert list(wrong_tfjob(right)) == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (tfjob(RIGHT, name="1st"), "'1st' is no name of a service"),
        (tfjob(RIGHT, name="a.b"), "'a.b' is no name of a service"),
        (tfjob(RIGHT, name="a" * 64), "is no name of a service"),
        (tfjob(kinds=()), "it has no replicas"),
        (tfjob(), "Worker: no container is named tensorflow"),
        (tfjob({"name": "main", "image": "x"}), "Worker: no container is named tensorflow"),
        (tfjob({"name": "tensorflow"}), "Worker: a container has no image"),
        (tfjob(RIGHT, kinds=("Chief", "Master")), "it has more than one of chief and master"),
        ({"metadata": {}, "spec": {}}, "it has no replicas"),
    ],
)
def test_a_wrong_one_is_refused(wrong: dict[str, Any], why: str) -> None:
    assert any(why in said for said in wrong_tfjob(wrong))
