"""Facts about Volcano's objects: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story

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
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

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
    [
        pytest.param(
            volcano_job_phase(phase="Running"), job("Pending", "Running"), True, id="the phase of now"
        ),
        pytest.param(
            volcano_job_phase(phase="Pending"), job("Pending", "Running"), False, id="one of before"
        ),
        pytest.param(volcano_job_phase(phase="Pending"), story(), False, id="no Job at all"),
        pytest.param(volcano_job_begins(), first(FIRST), True, id="as it must begin"),
        pytest.param(volcano_job_begins(), job(), False, id="no status yet"),
        pytest.param(volcano_job_begins(), first({**FIRST, "version": 1}), False, id="another version"),
        pytest.param(volcano_job_begins(), first({**FIRST, "minAvailable": 3}), False, id="another minimum"),
        pytest.param(
            volcano_job_begins(), first({**FIRST, "conditions": []}), False, id="without a condition"
        ),
        pytest.param(volcano_group(minimum=2), group(job()), True, id="a group of the minimum"),
        pytest.param(volcano_group(minimum=2), group(job(), 1), False, id="a group of one"),
        pytest.param(
            volcano_group(minimum=2),
            group(job(), owner={"uid": "x", "controller": True}),
            False,
            id="of another",
        ),
        pytest.param(volcano_group_exists(), group(job()), True, id="there is a group"),
        pytest.param(volcano_group_exists(), job(), False, id="there is none"),
        pytest.param(volcano_group_gone(), group(job()).removes(PODGROUPS, "a-1"), True, id="it is gone"),
        pytest.param(volcano_group_gone(), group(job()), False, id="it is still there"),
        pytest.param(volcano_group_gone(), job(), False, id="there never was one"),
        pytest.param(volcano_pods(count=1), pod(job()), True, id="one pod"),
        pytest.param(volcano_pods(count=0), pod(job()), False, id="one pod too many"),
        pytest.param(
            volcano_pods(count=0), pod(job(), deleting="2026-01-01T00:00:00Z"), True, id="it is being deleted"
        ),
        pytest.param(
            volcano_active_pods(at_least=1),
            pod(pod(job()), "a-work-1"),
            True,
            id="more than needed",
        ),
        pytest.param(
            volcano_active_pods(at_least=1), pod(job(), phase="Failed"), False, id="a pod that has finished"
        ),
        pytest.param(
            volcano_active_pods(at_least=1),
            *(pod(job(), deleting="2026-01-01T00:00:00Z"), False),
            id="a pod that is deleted",
        ),
        pytest.param(volcano_unfinished(count=1), pod(job()), True, id="one that runs"),
        pytest.param(volcano_unfinished(count=1), pod(job(), phase="Failed"), False, id="one that has ended"),
        pytest.param(volcano_pods_marked(), pod(group(job())), True, id="a pod that tells all"),
        pytest.param(
            volcano_pods_marked(),
            *(pod(pod(group(job())), **{"volcano.sh/job-name": "b"}), True),
            id="a pod that told all when it was made",
        ),
        pytest.param(volcano_pods_marked(), pod(group(job()), "x"), False, id="another name"),
        pytest.param(
            volcano_pods_marked(),
            *(pod(group(job()), **{"scheduling.k8s.io/group-name": "b"}), False),
            id="another group",
        ),
        pytest.param(volcano_pods_marked(), group(job()), False, id="no pod"),
        pytest.param(
            command_taken_first(phase="Aborting"),
            *(aborts(command(job("Running")).removes(COMMANDS, "c")), True),
            id="taken, then done",
        ),
        pytest.param(
            command_taken_first(phase="Aborting"),
            *(aborts(command(job("Running"))).removes(COMMANDS, "c"), False),
            id="done, then taken",
        ),
        pytest.param(queue_state(state="Open"), queue(state="Open"), True, id="open"),
        pytest.param(queue_state(state="Open"), queue(state="Closed"), False, id="closed"),
        pytest.param(queue_counts(count=1, phase="Inqueue"), queue(inqueue=1), True, id="one Inqueue"),
        pytest.param(
            queue_counts(count=1, phase="Inqueue"), queue(inqueue=1, pending=1), False, id="and one Pending"
        ),
        pytest.param(
            queue_allocated(cpus=2),
            queue(allocated={"cpu": "2000m", "memory": "0"}),
            True,
            id="two CPUs, no memory",
        ),
        pytest.param(queue_allocated(cpus=2), queue(allocated={"cpu": "1"}), False, id="one CPU"),
        pytest.param(
            queue_allocated(cpus=2), queue(allocated={"cpu": "2", "memory": "1Gi"}), False, id="memory too"
        ),
        pytest.param(queue_allocated(cpus=0), queue(state="Open"), True, id="nothing is allocated"),
    ]
)
def test_a_fact_about_volcano(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
