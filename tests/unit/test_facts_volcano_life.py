"""Facts about the life of a Volcano Job: each true in one history, and untrue in another."""

from __future__ import annotations

from typing import Any

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import FactCall
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
    volcano_job_path(phases=["Restarting", "Pending"]),
    yes("the last phases", RESTARTED),
    volcano_job_path(phases=["Running", "Pending"]),
    no("one is left out", RESTARTED),
    volcano_job_path(phases=["Running"]),
    no("not the last one", RESTARTED),
    volcano_job_gone(),
    yes("it is gone", Life().pod("a-work-0").story.removes(PODS, "a-work-0").removes(VOLCANO_JOBS, "a")),
    no("a pod is left", Life().pod("a-work-0").story.removes(VOLCANO_JOBS, "a")),
    no("its PodGroup is left", Life().group("g").story.removes(VOLCANO_JOBS, "a")),
    yes("the PodGroup of somebody else is left"),
    Life().story.stores(PODGROUPS, "g", {"metadata": {}}).removes(VOLCANO_JOBS, "a"),
    no("it is there", Life().story),
    volcano_job_was(phase="Restarting"),
    yes("it was", RESTARTED),
    volcano_job_was(phase="Aborted"),
    no("it never was", RESTARTED),
    volcano_job_reports(field="retryCount", count=1),
    yes("the number", Life().job("Running", retryCount=1).story),
    no("another number", RESTARTED),
    volcano_job_counts(),
    yes("as the pods are", counted(**RIGHT)),
    no("one overlooked", counted(**{**RIGHT, "failed": 0})),
    yes("a phase without pods", counted(**WITH_NONE)),
    no("one is being deleted", one_deleted()),
    no("tasks are not counted", counted(running=1, failed=1)),
    volcano_version_risen(),
    yes("it rose at the restart"),
    Life().job("Running").job("Restarting", version=1).job("Pending", version=2).story,
    no("it rose without one", Life().job("Pending").job("Running", version=1).story),
    no("it never rose", RESTARTED),
    volcano_pods_versions(),
    yes("each its own", restart(before=1, after=1)),
    no("an old one", Life().job("Pending", version=1).pod("a-work-0").story),
    volcano_pods_since(count=1, phase="Restarting"),
    yes("one since", restart(before=2, after=1)),
    no("two since", restart(before=1, after=2)),
    volcano_pods_since(count=0, phase="Aborted"),
    no("never so", restart(before=1, after=0)),
    volcano_pods_kept(count=1, outcome="failed"),
    yes("one has failed", TWO),
    volcano_pods_kept(count=1, outcome="succeeded"),
    no("none has succeeded", TWO),
    volcano_pods_kept(count=1, outcome="failed"),
    no("it is being deleted", one_deleted()),
    volcano_pods_terminating(count=1),
    yes("one terminates", Life().pod("a-work-0", "Running", deleting=True).story),
    no("none terminates", TWO),
    volcano_terminating_at_least(at_least=1),
    yes("two terminate", Life().pod("a-work-0", deleting=True).pod("a-work-1", deleting=True).story),
    no("none of two terminates", TWO),
    volcano_group_anew(),
    yes("another", Life().group("g-1").no_group("g-1").group("g-2").story),
    no("the first one still", Life().group("g-1").story),
    volcano_group_first_still(),
    yes("it has kept its first one", Life().group("g-1").story),
    no("it has got another", Life().group("g-1").no_group("g-1").group("g-2").story),
    volcano_event(reason="ExecuteAction", word="AbortJob"),
    yes("an event names it", story().event("ExecuteAction", "Start to execute action AbortJob ")),
    no("an event names another", story().event("ExecuteAction", "Start to execute action RestartJob")),
)
def test_a_fact_about_the_life_of_a_volcano_job(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
