"""Facts about Volcano's objects: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import Any

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.facts.jobs import (
    command_taken_first,
    queue_allocated,
    queue_counts,
    queue_state,
    volcano_active_pods,
    volcano_group,
    volcano_group_exists,
    volcano_group_gone,
    volcano_job_begins,
    volcano_job_phase,
    volcano_pods,
    volcano_pods_marked,
    volcano_unfinished,
)
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS

OWNER = {"uid": "uid-a", "controller": True}
FIRST = {"state": {"phase": "Pending"}, "minAvailable": 2, "conditions": [{"status": "Pending"}]}
SPEC = {
    "minAvailable": 2,
    "queue": "q",
    "schedulerName": "s",
    "tasks": [{"name": "work", "replicas": 2, "template": {}}],
}
MARKS = {
    "volcano.sh/job-name": "a",
    "volcano.sh/task-spec": "work",
    "volcano.sh/job-version": "0",
    "scheduling.k8s.io/group-name": "a-1",
}


def job(*phases: str, **status: Any) -> Story:
    """A Volcano Job that had these phases, the newest with more of a status."""
    history = story().stores(VOLCANO_JOBS, "a", {"spec": SPEC})
    for phase in phases:
        history = history.stores(
            VOLCANO_JOBS, "a", {"spec": SPEC, "status": {"state": {"phase": phase}, **status}}
        )
    return history


def first(status: Json) -> Story:
    """A Volcano Job with its first status."""
    return job().stores(VOLCANO_JOBS, "a", {"spec": SPEC, "status": status})


def group(history: Story, minimum: int = 2, owner: Json = OWNER) -> Story:
    """A PodGroup in the Job's queue."""
    metadata = {"ownerReferences": [owner]}
    return history.stores(
        PODGROUPS, "a-1", {"metadata": metadata, "spec": {"minMember": minimum, "queue": "q"}}
    )


def pod(
    history: Story,
    name: str = "a-work-0",
    phase: str = "Running",
    deleting: str = "",
    **annotations: str,
) -> Story:
    """A pod of the Job, perhaps with a deletionTimestamp."""
    metadata: Json = {"ownerReferences": [OWNER], "annotations": {**MARKS, **annotations}}
    metadata |= {"deletionTimestamp": deleting} if deleting else {}
    body = {"metadata": metadata, "spec": {"schedulerName": "s"}, "status": {"phase": phase}}
    return history.stores(PODS, name, body)


def command(history: Story) -> Story:
    """A Command that is there."""
    return history.stores(COMMANDS, "c", {"action": "AbortJob", "target": {"kind": "Job", "name": "a"}})


def aborts(history: Story) -> Story:
    """The Job becomes Aborting."""
    return history.stores(VOLCANO_JOBS, "a", {"spec": SPEC, "status": {"state": {"phase": "Aborting"}}})


def queue(**status: Any) -> Story:
    """A queue with a status."""
    return story().stores(QUEUES, "q", {"status": status})


@examples(
    volcano_job_phase(phase="Running"),
    yes("the phase of now", job("Pending", "Running")),
    volcano_job_phase(phase="Pending"),
    no("one of before", job("Pending", "Running")),
    no("no Job at all", story()),
    volcano_job_begins(),
    yes("as it must begin", first(FIRST)),
    no("no status yet", job()),
    no("another version", first({**FIRST, "version": 1})),
    no("another minimum", first({**FIRST, "minAvailable": 3})),
    no("without a condition", first({**FIRST, "conditions": []})),
    volcano_group(minimum=2),
    yes("a group of the minimum", group(job())),
    no("a group of one", group(job(), 1)),
    no("of another", group(job(), owner={"uid": "x", "controller": True})),
    volcano_group_exists(),
    yes("there is a group", group(job())),
    no("there is none", job()),
    volcano_group_gone(),
    yes("it is gone", group(job()).removes(PODGROUPS, "a-1")),
    no("it is still there", group(job())),
    no("there never was one", job()),
    volcano_pods(count=1),
    yes("one pod", pod(job())),
    volcano_pods(count=0),
    no("one pod too many", pod(job())),
    yes("it is being deleted", pod(job(), deleting="2026-01-01T00:00:00Z")),
    volcano_active_pods(at_least=1),
    yes("more than needed", pod(pod(job()), "a-work-1")),
    no("a pod that has finished", pod(job(), phase="Failed")),
    no("a pod that is deleted", pod(job(), deleting="2026-01-01T00:00:00Z")),
    volcano_unfinished(count=1),
    yes("one that runs", pod(job())),
    no("one that has ended", pod(job(), phase="Failed")),
    volcano_pods_marked(),
    yes("a pod that tells all", pod(group(job()))),
    yes("a pod that told all when it was made", pod(pod(group(job())), **{"volcano.sh/job-name": "b"})),
    no("another name", pod(group(job()), "x")),
    no("another group", pod(group(job()), **{"scheduling.k8s.io/group-name": "b"})),
    no("no pod", group(job())),
    command_taken_first(phase="Aborting"),
    yes("taken, then done", aborts(command(job("Running")).removes(COMMANDS, "c"))),
    no("done, then taken", aborts(command(job("Running"))).removes(COMMANDS, "c")),
    queue_state(state="Open"),
    yes("open", queue(state="Open")),
    no("closed", queue(state="Closed")),
    queue_counts(count=1, phase="Inqueue"),
    yes("one Inqueue", queue(inqueue=1)),
    no("and one Pending", queue(inqueue=1, pending=1)),
    queue_allocated(cpus=2),
    yes("two CPUs, no memory", queue(allocated={"cpu": "2000m", "memory": "0"})),
    no("one CPU", queue(allocated={"cpu": "1"})),
    no("memory too", queue(allocated={"cpu": "2", "memory": "1Gi"})),
    queue_allocated(cpus=0),
    yes("nothing is allocated", queue(state="Open")),
)
def test_a_fact_about_volcano(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
