"""What a report says of a record that decides about a JobSet or a child Job."""

from __future__ import annotations

from typing import Any

import pytest
from cause_examples import said, said_after
from histories import Story, condition, headed_story, time_of_day

from batchproof.ground.resources import JOBS
from batchproof.judgement.history import Json
from batchproof.profiles.jobset.objects import JOBSETS

OWNER = {"kind": "JobSet", "name": "a", "uid": "uid-a", "controller": True}
LABEL = "jobset.sigs.k8s.io/replicatedjob-name"
HAD = "it had 1 Job of leader (active) and 2 Jobs of workers (1 Complete, 1 suspended)"


def says(
    told: Story, *conditions: str | Json, suspend: bool = False, asks: Json | None = None, **status: Any
) -> Story:
    """A JobSet of 1 leader and 2 workers has these conditions; one record."""
    listed = [condition(it) if isinstance(it, str) else it for it in conditions]
    replicated = [
        {"name": name, "replicas": count, "template": {}} for name, count in (("leader", 1), ("workers", 2))
    ]
    body = {"spec": {"suspend": suspend, "replicatedJobs": replicated, **(asks or {})}}
    return told.stores(JOBSETS, "a", {**body, "status": {"conditions": listed, **status}})


def jobset(*conditions: str | Json, suspend: bool = False, asks: Json | None = None) -> Story:
    """A JobSet; record 1."""
    return says(headed_story(), *conditions, suspend=suspend, asks=asks)


def child(
    told: Story,
    name: str,
    *conditions: str,
    active: int = 0,
    ready: int = 0,
    suspend: bool = False,
    **metadata: Any,
) -> Story:
    """A child Job is created, or becomes another; one record."""
    owned = {"ownerReferences": [OWNER], "labels": {LABEL: name.split("-")[1]}, **metadata}
    status = {"active": active, "ready": ready, "conditions": [condition(it) for it in conditions]}
    return told.stores(JOBS, name, {"metadata": owned, "spec": {"suspend": suspend}, "status": status})


IN_ORDER: Json = {"startupPolicy": {"startupPolicyOrder": "InOrder"}}


def depending(status: str) -> Json:
    """Workers depend on the leader."""
    leader: Json = {"name": "leader", "replicas": 1, "template": {}}
    on = [{"name": "leader", "status": status}]
    return {"replicatedJobs": [leader, {**leader, "name": "workers", "replicas": 2, "dependsOn": on}]}


def children(told: Story) -> Story:
    """A leader that is active, a worker that is complete and one that is suspended; a record each."""
    told = child(child(told, "a-leader-0", active=1), "a-workers-0", "Complete")
    return child(told, "a-workers-1", suspend=True)


@pytest.mark.parametrize(
    ("told", "effect"),
    [
        (says(jobset(), "Suspended"), "JobSet a became Suspended when it had no Jobs."),
        (says(children(jobset()), "Completed"), f"JobSet a became Completed when {HAD}."),
        (
            says(children(jobset("StartupPolicyInProgress")), condition("Failed", "ReachedMaxRestarts")),
            (
                "JobSet a became Failed (ReachedMaxRestarts) and was no longer StartupPolicyInProgress when "
                f"{HAD}."
            ),
        ),
        (says(children(jobset()), restarts=1), f"JobSet a reported restarts=1 when {HAD}."),
        (says(children(jobset())), ""),
        (
            children(jobset("Failed")).removes(JOBSETS, "a"),
            f"JobSet a was deleted while it was Failed and {HAD}.",
        ),
        (child(jobset(), "a-workers-0"), ""),
        (
            child(jobset(condition("Failed", "FailedJobs")), "a-workers-0"),
            "Job a-workers-0 was created when JobSet a was Failed already.",
        ),
        (
            child(jobset(suspend=True), "a-workers-0"),
            "Job a-workers-0 was created, and not suspended, while JobSet a was suspended.",
        ),
        (child(jobset(suspend=True), "a-workers-0", suspend=True), ""),
        (
            child(children(jobset()), "a-workers-2"),
            (
                "Job a-workers-2 was created when there were 2 Jobs of workers (1 Complete, 1 suspended) of "
                "JobSet a, which asks for 2 Jobs of it."
            ),
        ),
        (
            child(children(jobset()), "a-leader-0", active=1, deletionTimestamp=time_of_day(1)),
            (
                "Job a-leader-0 was deleted while it was active and JobSet a was without a condition, with 0 "
                "restarts."
            ),
        ),
        (
            children(jobset("Completed")).removes(JOBS, "a-workers-0"),
            "Job a-workers-0 was deleted while it was Complete and JobSet a was Completed, with 0 restarts.",
        ),
        (
            child(child(jobset(asks=IN_ORDER), "a-leader-0", active=1), "a-workers-0"),
            (
                "Job a-workers-0 was created when 0 of 1 Job of leader were Ready, and it has to wait for "
                "that."
            ),
        ),
        (child(child(jobset(asks=IN_ORDER), "a-leader-0", active=1, ready=1), "a-workers-0"), ""),
        (child(child(jobset(asks=IN_ORDER), "a-leader-0", active=1), "a-workers-0", suspend=True), ""),
        (
            child(child(jobset(asks=IN_ORDER), "a-workers-0", suspend=True), "a-workers-0"),
            (
                "Job a-workers-0 was resumed when 0 of 1 Job of leader were Ready, and it has to wait for "
                "that."
            ),
        ),
        (
            child(child(jobset(asks=depending("Complete")), "a-leader-0", active=1, ready=1), "a-workers-0"),
            (
                "Job a-workers-0 was created when 0 of 1 Job of leader were Complete, and it has to wait "
                "for that."
            ),
        ),
        (child(child(jobset(asks=depending("Complete")), "a-leader-0", "Complete"), "a-workers-0"), ""),
        (
            child(child(jobset(), "a-leader-0", active=1), "a-leader-0", "Failed"),
            "Job a-leader-0 became Failed when it had no pods.",
        ),
    ],
)
def test_the_record_that_decides_says_what_happened_to_a_jobset(told: Story, effect: str) -> None:
    assert said(told) == effect


def test_a_wait_in_vain_says_how_the_jobset_was_at_its_end() -> None:
    told = says(children(jobset("Suspended")), restarts=1)
    assert said_after(told, "Job workers-0 has 2 active pods", job="workers-0") == (
        "At the end of the wait of 6 s JobSet a was without a condition, reported restarts=1, and had "
        f"{HAD.removeprefix('it had ')}; the last change was jobset/a MODIFIED, 5.0 s before."
    )
