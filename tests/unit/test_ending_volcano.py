"""How the Volcano Jobs of a scenario end, what is left to do before, and what the API does not determine."""

from __future__ import annotations

from typing import Any

import pytest
from histories import Story, story
from tables import params, table, when

from batchproof.ground.resources import PODS
from batchproof.judgement.ends import ending, lacks_pods, undetermined, unrest
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS

OWNED = {"ownerReferences": [{"uid": "uid-a", "controller": True}]}
TASKS = [{"name": "work", "replicas": 2}]


def volcano(phase: str, *, told: Story | None = None, spec: Any = None, **status: Any) -> Story:
    body = {"spec": {"tasks": TASKS, **(spec or {})}, "status": {"state": {"phase": phase}, **status}}
    return (told or story()).stores(VOLCANO_JOBS, "a", body)


def group(told: Story, phase: str) -> Story:
    return told.stores(
        PODGROUPS, "a-1", {"metadata": OWNED, "spec": {"queue": "q"}, "status": {"phase": phase}}
    )


def pods(told: Story, *phases: str, deleting: bool = False) -> Story:
    metadata = {**OWNED, **({"deletionTimestamp": "now"} if deleting else {})}
    for index, phase in enumerate(phases):
        told.stores(PODS, f"a-work-{index}", {"metadata": metadata, "status": {"phase": phase}})
    return told


def queue(told: Story, **status: Any) -> Story:
    return told.stores(QUEUES, "q", {"status": status})


RESTLESS = table(
    "",
    when("no Job", story()),
    "has no status yet",
    when("new", volcano("")),
    "has no PodGroup",
    when("no PodGroup", volcano("Pending")),
    "",
    when("its PodGroup waits", group(volcano("Pending"), "Pending")),
    "lacks pods",
    when("its PodGroup is admitted", group(volcano("Pending"), "Inqueue")),
    "",
    when("its pods wait", pods(group(volcano("Pending", pending=2), "Inqueue"), "Pending", "Pending")),
    "reports other counts",
    when("a running pod is not reported"),
    pods(group(volcano("Pending", pending=2), "Inqueue"), "Pending", "Running"),
    "has pods that are being deleted",
    when("pods are leaving"),
    pods(group(volcano("Running", running=2), "Running"), "Running", "Running", deleting=True),
    "is Restarting",
    when("on its way", group(volcano("Restarting"), "Inqueue")),
    "",
    when("completed", pods(volcano("Completed"), "Succeeded", "Succeeded")),
    "a-work-0 still to delete",
    when("aborted, with a pod", pods(volcano("Aborted"), "Running")),
    "",
    when("counted by the queue", queue(group(volcano("Pending"), "Pending"), state="Open", pending=1)),
    "queue q counts other",
    when("not counted", queue(group(volcano("Pending"), "Pending"), state="Open")),
)


@pytest.mark.parametrize(("told", "why"), params(RESTLESS))
def test_what_a_volcano_job_has_still_to_do(told: Story, why: str) -> None:
    found = unrest(told.seen)
    assert why in found
    assert bool(why) == bool(found)


def test_a_volcano_job_ends_with_its_phase_its_pods_and_its_groups() -> None:
    told = queue(pods(group(volcano("Running", running=2), "Running"), "Running", "Running"), state="Open")
    end = ending(told.seen)
    assert (end["job/a: phase"], end["job/a: Running pods"], end["podgroups"]) == ("Running", "2", "1")
    assert (end["queues"], end["job/a: PodGroups"]) == ("Open", "1")
    over = ending(pods(volcano("Completed"), "Succeeded", "Running").seen)
    assert (over["job/a: unfinished pods"], over["job/a: PodGroups"]) == ("1", "0")
    assert ending(volcano("Running").removes(VOLCANO_JOBS, "a").seen)["volcano jobs"] == "none"


def test_pods_are_missing_once_the_podgroup_is_admitted() -> None:
    assert lacks_pods(group(volcano("Pending"), "Inqueue").seen)
    assert not lacks_pods(group(volcano("Pending"), "Pending").seen)
    waits = [{"name": "ps", "replicas": 0}, {"name": "work", "replicas": 2, "dependsOn": {"name": ["ps"]}}]
    assert not lacks_pods(group(volcano("Pending", spec={"tasks": waits}), "Inqueue").seen)


OPEN = table(
    "",
    when("plain", volcano("Running")),
    "time decides",
    when("time to live", volcano("Running", spec={"ttlSecondsAfterFinished": 1})),
    "policies of",
    when("a policy", volcano("Running", spec={"policies": [{"event": "PodFailed"}]})),
    when("a policy of a task"),
    volcano("Running", spec={"tasks": [{**TASKS[0], "policies": [{"event": "*"}]}]}),
    "a Command may be lost",
    when("a Command"),
    volcano("Running").stores(COMMANDS, "c", {"action": "AbortJob"}).removes(COMMANDS, "c"),
)


@pytest.mark.parametrize(("told", "why"), params(OPEN))
def test_what_events_or_time_decide_is_not_determined(told: Story, why: str) -> None:
    found = undetermined(told.seen)
    assert why in found
    assert bool(why) == bool(found)


ENDS = [*RESTLESS, *OPEN]
