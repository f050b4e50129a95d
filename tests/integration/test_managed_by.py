"""A controller that ``spec.managedBy`` selects is judged beside a built-in Job controller that is alive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from batchproof.ground.resources import PODS, TRACKING_FINALIZER
from batchproof.judgement.history import Request, Saved
from batchproof.judgement.observed import observe
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from runs import Run, Start

OWN = "FAIL-057 or FAIL-058 or FAIL-067 or FIN-042 or FIN-007"
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "managed-by.md"


@pytest.fixture(scope="module")
def judged(start: Start, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The example of the documentation, as it is written there, judged by some requirements."""
    descriptor = tmp_path_factory.mktemp("mine") / "my-controller.yaml"
    descriptor.write_text(PAGE.read_text().partition("```yaml\n")[2].partition("```")[0])
    run = start("run", "-i", descriptor, "-k", OWN, "-n", "3")
    assert run.end() == 0, run.said
    return run


def one(run: Run, title: str) -> dict[str, Any]:
    """The record of the scenario with that title."""
    (found,) = [each for each in run.scenarios if each["title"] == title]
    return found


def test_it_passes_beside_the_built_in_controller(judged: Run) -> None:
    assert "judging my-controller 0.3.0 on Kubernetes 1.37.0, beside its own Job controller" in judged.said
    assert set(judged.verdicts().values()) == {"passed"}
    judged.nothing_is_left()


def test_the_built_in_controller_carries_out_a_job_that_names_nobody(judged: Run) -> None:
    record = one(judged, "A Job of the built-in controller is not touched up to its end")
    history = list(Saved(judged.output / record["history"]))
    seen = observe(history)

    job = seen.find(Job, "a")

    assert job is not None
    assert "managedBy" not in job.spec
    assert job.condition("Complete")
    made = [pod for kind, pod in seen.versions_of_pods(Job, "a") if kind == "ADDED"]
    assert [pod.finalizers for pod in made] == [[TRACKING_FINALIZER]] * 2
    asked = [it.entry for it in history if isinstance(it.entry, Request)]
    assert not [it for it in asked if it.resource == PODS and it.verb not in {"get", "list", "watch"}]
