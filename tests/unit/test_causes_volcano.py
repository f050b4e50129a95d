"""What a report says of a record that decides about a Volcano Job, its PodGroup or its queue."""

from __future__ import annotations

import pytest
from cause_examples import said, said_after
from histories import Story, headed_story, time_of_day

from batchproof.ground.resources import PODS
from batchproof.judgement.history import Json
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS

OWNER = {"kind": "Job", "name": "a", "uid": "uid-a", "controller": True}
PS = {"name": "ps", "replicas": 1}
WORK = {"name": "work", "replicas": 2}
LATE = {"name": "late", "replicas": 1, "dependsOn": {"name": ["ps", "work"]}}
SOON = {**LATE, "dependsOn": {"name": ["ps", "work"], "iteration": "any"}}
HAD = "1 pod of ps (Running) and 2 pods of work (1 Running, 1 Failed)"


def says(told: Story, phase: str = "", *tasks: Json, **counts: int) -> Story:
    """A Volcano Job of 1 pod of ps and 2 of work has this phase and counts; one record."""
    spec = {"minAvailable": 3, "maxRetry": 3, "queue": "q", "tasks": [*tasks] or [PS, WORK]}
    status = {"state": {"phase": phase}, **counts} if phase else {}
    return told.stores(VOLCANO_JOBS, "a", {"spec": spec, "status": status})


def job(phase: str = "", *tasks: Json) -> Story:
    """A Volcano Job; record 1."""
    return says(headed_story(), phase, *tasks)


def pod(told: Story, name: str, phase: str = "Pending", *, ready: bool = False) -> Story:
    """A pod of it is created, or becomes another; one record."""
    metadata = {"ownerReferences": [OWNER], "annotations": {"volcano.sh/task-spec": name.split("-")[1]}}
    conditions = [{"type": "Ready", "status": str(ready)}]
    return told.stores(
        PODS, name, {"metadata": metadata, "status": {"phase": phase, "conditions": conditions}}
    )


def pods(told: Story) -> Story:
    """A pod of ps and two of work; a record each."""
    return pod(pod(pod(told, "a-ps-0", "Running"), "a-work-0", "Running"), "a-work-1", "Failed")


def group(told: Story, least: int = 3, phase: str = "Inqueue", name: str = "group", **metadata: str) -> Story:
    """A PodGroup of it in its queue is created, or becomes another; one record."""
    spec = {"minMember": least, "queue": "q"}
    owned = {"ownerReferences": [OWNER], **metadata}
    return told.stores(PODGROUPS, name, {"metadata": owned, "spec": spec, "status": {"phase": phase}})


def queue(told: Story, state: str, **counts: int) -> Story:
    return told.stores(QUEUES, "q", {"status": {"state": state, **counts}})


@pytest.mark.parametrize(
    ("told", "effect"),
    [
        (says(job(), "Pending"), "Volcano Job a became Pending when it had no pods, with minAvailable 3."),
        (
            says(pods(job("Pending")), "Running"),
            f"Volcano Job a went from Pending to Running when it had {HAD}, with minAvailable 3.",
        ),
        (
            says(pods(job("Running")), "Restarting", retryCount=1),
            (
                f"Volcano Job a went from Running to Restarting when it had {HAD}, with minAvailable 3, "
                "retryCount 1 and maxRetry 3."
            ),
        ),
        (
            says(pods(job("Running")), "Running", running=2, failed=1),
            f"Volcano Job a reported running=2 and failed=1 when it had {HAD}, with minAvailable 3.",
        ),
        (
            pods(job("Running")).removes(VOLCANO_JOBS, "a"),
            f"Volcano Job a was deleted while it was Running and it had {HAD}, with minAvailable 3.",
        ),
        (job("Running"), ""),
        (pod(job("Running"), "a-work-0"), ""),
        (pod(job("Completed"), "a-work-0"), "a-work-0 was created when Volcano Job a was Completed already."),
        (pod(job(), "a-work-2"), "a-work-2 was created when task work of Volcano Job a had 2 replicas."),
        (
            pod(pods(job("Running", PS, WORK, LATE)), "a-late-0"),
            f"a-late-0 was created when Volcano Job a had {HAD}, on which task late depends.",
        ),
        (pod(pod(job("", PS, WORK, SOON), "a-ps-0", "Running", ready=True), "a-late-0"), ""),
        (
            pod(pod(job("", PS, WORK, LATE), "a-ps-0", "Running", ready=True), "a-late-0"),
            (
                "a-late-0 was created when Volcano Job a had 1 pod of ps (Running) and no pods of work, on "
                "which task late depends."
            ),
        ),
        (
            pod(group(job("Pending"), phase="Pending"), "a-work-0"),
            "a-work-0 was created while PodGroup group was Pending.",
        ),
        (pod(group(job("Pending")), "a-work-0"), ""),
        (group(job("Pending")), ""),
        (
            group(job("Pending"), 2),
            "PodGroup group was created with minMember 2 while minAvailable of Volcano Job a was 3.",
        ),
        (
            group(group(job("Pending")), 1),
            "PodGroup group went from minMember 3 to 1 while minAvailable of Volcano Job a was 3.",
        ),
        (group(group(job("Pending")), phase="Running"), ""),
        (
            group(pods(group(job("Running"))), deletionTimestamp=time_of_day(1)),
            f"PodGroup group was deleted while Volcano Job a was Running and had {HAD}.",
        ),
        (
            queue(group(group(queue(headed_story(), "Closing")), name="second"), "Closed", inqueue=2),
            "Queue q went from Closing to Closed when it had 2 PodGroups (2 Inqueue).",
        ),
        (
            queue(queue(headed_story(), "Open"), "Open", pending=1),
            "Queue q reported pending=1 when it had no PodGroups.",
        ),
        (queue(headed_story(), "Open"), ""),
    ],
)
def test_the_record_that_decides_says_what_happened_to_a_volcano_job(told: Story, effect: str) -> None:
    assert said(told) == effect


LEAST = "no pods, with minAvailable 3"
LAST = "the last change was queue/q ADDED, 5.0 s before."


@pytest.mark.parametrize(
    ("told", "expected", "effect"),
    [
        (
            queue(says(pods(job("Pending")), "Running", running=1), "Open"),
            "the Volcano Job is Completed",
            f"Volcano Job a was Running, reported running=1, and had {HAD}, with minAvailable 3; {LAST}",
        ),
        (
            queue(group(job("Pending")), "Open"),
            "a PodGroup of the Volcano Job needs 3 pods in its queue",
            f"Volcano Job a was Pending and had {LEAST}, and 1 PodGroup (Inqueue); {LAST}",
        ),
        (
            queue(group(job("Pending")), "Open", pending=1),
            "the queue counts 1 Inqueue PodGroup and no other",
            f"queue q was Open, reported pending=1, and had 1 PodGroup (Inqueue); {LAST}",
        ),
        (
            queue(job().removes(VOLCANO_JOBS, "a"), "Open"),
            "the Volcano Job has 1 pod",
            f"there was no Volcano Job; {LAST}",
        ),
    ],
)
def test_a_wait_in_vain_says_how_the_job_or_the_queue_was_at_its_end(
    told: Story, expected: str, effect: str
) -> None:
    assert said_after(told, expected) == f"At the end of the wait of 6 s {effect}"
