"""Facts about the life of a Volcano Job: each true in one history, and untrue in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.volcano_job.facts.jobs import volcano_group_anew, volcano_group_first_still
from batchproof.profiles.volcano_job.facts.life import (
    volcano_event,
    volcano_job_counts,
    volcano_job_gone,
    volcano_job_path,
    volcano_job_reports,
    volcano_job_was,
    volcano_pods_kept,
    volcano_pods_since,
    volcano_pods_terminating,
    volcano_pods_versions,
    volcano_terminating_at_least,
    volcano_version_risen,
)
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

OWNER = {"uid": "uid-a", "controller": True}


class Life:
    """A history of the Job, told shortly."""

    def __init__(self) -> None:
        self.story = story().stores(VOLCANO_JOBS, "a", {"spec": {"tasks": []}})

    def job(self, phase: str, **status: Any) -> Life:
        """The Job has this phase, and more of a status."""
        body = {"spec": {"tasks": []}, "status": {"state": {"phase": phase}, **status}}
        self.story = self.story.stores(VOLCANO_JOBS, "a", body)
        return self

    def pod(self, name: str, phase: str = "Pending", version: str = "0", *, deleting: bool = False) -> Life:
        """A pod of the Job is made, or becomes so."""
        marks = {"volcano.sh/task-spec": "work", "volcano.sh/job-version": version}
        metadata: dict[str, Any] = {"ownerReferences": [OWNER], "annotations": marks}
        if deleting:
            metadata["deletionTimestamp"] = "now"
        self.story = self.story.stores(PODS, name, {"metadata": metadata, "status": {"phase": phase}})
        return self

    def group(self, name: str) -> Life:
        """A PodGroup of the Job is made."""
        self.story = self.story.stores(PODGROUPS, name, {"metadata": {"ownerReferences": [OWNER]}})
        return self

    def no_group(self, name: str) -> Life:
        """A PodGroup is gone."""
        self.story = self.story.removes(PODGROUPS, name)
        return self


def phases(*names: str) -> Story:
    """A Job that had these phases, each told twice."""
    life = Life()
    for name in names:
        life.job(name, running=1).job(name, running=2)
    return life.story


def counted(**told: Any) -> Story:
    """A Job with a pod that runs and one that has failed, and what is told of them."""
    return Life().pod("a-work-0", "Running").pod("a-work-1", "Failed").job("Running", **told).story


RIGHT = {"running": 1, "failed": 1, "taskStatusCount": {"work": {"phase": {"Running": 1, "Failed": 1}}}}
RESTARTED = phases("Pending", "Running", "Restarting", "Pending")
WITH_NONE = {
    **RIGHT,
    "taskStatusCount": {"work": {"phase": {"Running": 1, "Failed": 1, "Succeeded": 0}}},
}
TWO = Life().pod("a-work-0", "Running").pod("a-work-1", "Failed").story


def one_deleted() -> Story:
    """A Job that counts a pod that runs, and one that has failed and is being deleted."""
    life = Life().pod("a-work-0", "Running").pod("a-work-1", "Failed", deleting=True)
    return life.job("Running", **RIGHT).story


def restart(*, before: int, after: int) -> Story:
    """A Job with pods made before it was restarted, and after."""
    life = Life().job("Running")
    for index in range(before):
        life.pod(f"a-work-{index}")
    life.job("Restarting").job("Restarting", version=1)
    for index in range(after):
        life.pod(f"a-work-{before + index}", version="1")
    return life.job("Pending", version=1).story


@examples(
    [
        pytest.param(
            volcano_job_path(phases=["Restarting", "Pending"]), RESTARTED, True, id="the last phases"
        ),
        pytest.param(volcano_job_path(phases=["Running", "Pending"]), RESTARTED, False, id="one is left out"),
        pytest.param(volcano_job_path(phases=["Running"]), RESTARTED, False, id="not the last one"),
        pytest.param(
            volcano_job_gone(),
            *(Life().pod("a-work-0").story.removes(PODS, "a-work-0").removes(VOLCANO_JOBS, "a"), True),
            id="it is gone",
        ),
        pytest.param(
            volcano_job_gone(),
            *(Life().pod("a-work-0").story.removes(VOLCANO_JOBS, "a"), False),
            id="a pod is left",
        ),
        pytest.param(
            volcano_job_gone(),
            *(Life().group("g").story.removes(VOLCANO_JOBS, "a"), False),
            id="its PodGroup is left",
        ),
        pytest.param(
            volcano_job_gone(),
            *(Life().story.stores(PODGROUPS, "g", {"metadata": {}}).removes(VOLCANO_JOBS, "a"), True),
            id="the PodGroup of somebody else is left",
        ),
        pytest.param(volcano_job_gone(), Life().story, False, id="it is there"),
        pytest.param(volcano_job_was(phase="Restarting"), RESTARTED, True, id="it was"),
        pytest.param(volcano_job_was(phase="Aborted"), RESTARTED, False, id="it never was"),
        pytest.param(
            volcano_job_reports(field="retryCount", count=1),
            *(Life().job("Running", retryCount=1).story, True),
            id="the number",
        ),
        pytest.param(volcano_job_reports(field="retryCount", count=1), RESTARTED, False, id="another number"),
        pytest.param(volcano_job_counts(), counted(**RIGHT), True, id="as the pods are"),
        pytest.param(volcano_job_counts(), counted(**{**RIGHT, "failed": 0}), False, id="one overlooked"),
        pytest.param(volcano_job_counts(), counted(**WITH_NONE), True, id="a phase without pods"),
        pytest.param(volcano_job_counts(), one_deleted(), False, id="one is being deleted"),
        pytest.param(volcano_job_counts(), counted(running=1, failed=1), False, id="tasks are not counted"),
        pytest.param(
            volcano_version_risen(),
            *(Life().job("Running").job("Restarting", version=1).job("Pending", version=2).story, True),
            id="it rose at the restart",
        ),
        pytest.param(
            volcano_version_risen(),
            *(Life().job("Pending").job("Running", version=1).story, False),
            id="it rose without one",
        ),
        pytest.param(volcano_version_risen(), RESTARTED, False, id="it never rose"),
        pytest.param(volcano_pods_versions(), restart(before=1, after=1), True, id="each its own"),
        pytest.param(
            volcano_pods_versions(),
            *(Life().job("Pending", version=1).pod("a-work-0").story, False),
            id="an old one",
        ),
        pytest.param(
            volcano_pods_since(count=1, phase="Restarting"), restart(before=2, after=1), True, id="one since"
        ),
        pytest.param(
            volcano_pods_since(count=1, phase="Restarting"), restart(before=1, after=2), False, id="two since"
        ),
        pytest.param(
            volcano_pods_since(count=0, phase="Aborted"), restart(before=1, after=0), False, id="never so"
        ),
        pytest.param(volcano_pods_kept(count=1, outcome="failed"), TWO, True, id="one has failed"),
        pytest.param(volcano_pods_kept(count=1, outcome="succeeded"), TWO, False, id="none has succeeded"),
        pytest.param(
            volcano_pods_kept(count=1, outcome="failed"), one_deleted(), False, id="it is being deleted"
        ),
        pytest.param(
            volcano_pods_terminating(count=1),
            *(Life().pod("a-work-0", "Running", deleting=True).story, True),
            id="one terminates",
        ),
        pytest.param(volcano_pods_terminating(count=1), TWO, False, id="none terminates"),
        pytest.param(
            volcano_terminating_at_least(at_least=1),
            Life().pod("a-work-0", deleting=True).pod("a-work-1", deleting=True).story,
            True,
            id="two terminate",
        ),
        pytest.param(volcano_terminating_at_least(at_least=1), TWO, False, id="none of two terminates"),
        pytest.param(
            volcano_group_anew(), Life().group("g-1").no_group("g-1").group("g-2").story, True, id="another"
        ),
        pytest.param(volcano_group_anew(), Life().group("g-1").story, False, id="the first one still"),
        pytest.param(
            volcano_group_first_still(), Life().group("g-1").story, True, id="it has kept its first one"
        ),
        pytest.param(
            volcano_group_first_still(),
            Life().group("g-1").no_group("g-1").group("g-2").story,
            False,
            id="it has got another",
        ),
        pytest.param(
            volcano_event(reason="ExecuteAction", word="AbortJob"),
            *(story().event("ExecuteAction", "Start to execute action AbortJob "), True),
            id="an event names it",
        ),
        pytest.param(
            volcano_event(reason="ExecuteAction", word="AbortJob"),
            *(story().event("ExecuteAction", "Start to execute action RestartJob"), False),
            id="an event names another",
        ),
    ]
)
def test_a_fact_about_the_life_of_a_volcano_job(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
