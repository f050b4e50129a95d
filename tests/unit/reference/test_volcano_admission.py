"""What the reference fills into Volcano's Jobs and queues, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from reference_controller.objects.reviews import Asked
from reference_controller.volcano.admission.review import mutate, queue_of, validate

POD = {"spec": {"containers": [{"name": "main", "image": "i"}]}}


def task(name: str = "work", replicas: int = 2, **more: Any) -> dict[str, Any]:
    return {"name": name, "replicas": replicas, "minAvailable": replicas, "template": POD, **more}


def job(*tasks: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {"spec": {"minAvailable": 1, "queue": "q", "tasks": list(tasks) or [task()], **spec}}


def asked(
    new: dict[str, Any], old: dict[str, Any] | None = None, *, operation: str = "", of: str = "jobs"
) -> Asked:
    return Asked("u", of, operation or ("UPDATE" if old else "CREATE"), "a", new, old or {})


def policy(**said: Any) -> dict[str, Any]:
    return {"action": "AbortJob", **said}


@pytest.mark.parametrize(
    ("new", "wrong"),
    [
        (job(), ""),
        (job(minAvailable=-1), "minAvailable is negative: -1"),
        (job(minAvailable=3), "minAvailable is 3, of 2 pods"),
        (job(task(minAvailable=3)), "task work: minAvailable is 3, of 2 pods"),
        (job(task(replicas=-1, minAvailable=-1), minAvailable=-1), "minAvailable is negative: -1"),
        (job(task(), task()), "several tasks are named work"),
        (job(task("a", dependsOn={"name": ["b"]}), task("b")), ""),
        (
            job(task("a", dependsOn={"name": ["b"]}), task("b", dependsOn={"name": ["a"]})),
            "tasks wait for each other",
        ),
        (job(task("a", dependsOn={"name": ["a"]}), task("b")), "tasks wait for each other"),
        (job(task(template={"spec": {"containers": []}})), "task work: its pods have no container"),
        (
            job(task(template={"spec": {"containers": [{"name": "x"}]}})),
            "task work: a container has no image",
        ),
        (job(plugins={"env": [], "nothing": []}), "there is no plugin nothing"),
        (job(policies=[policy(event="PodFailed"), policy(exitCode=3)]), ""),
        (
            job(policies=[policy(event="PodFailed", exitCode=3)]),
            "a policy has either events or an exit code",
        ),
        (job(policies=[policy()]), "a policy needs an event or an exit code"),
        (job(policies=[policy(exitCode=0)]), "0 is the exit code of success, which no policy is for"),
        (job(policies=[policy(event="Nonsense")]), "there is no event Nonsense"),
        (job(policies=[policy(event="*", action="Nonsense")]), "there is no action Nonsense"),
        (
            job(policies=[policy(event="PodFailed"), policy(events=["PodFailed", "PodEvicted"])]),
            "several policies for the event PodFailed",
        ),
        (job(policies=[policy(exitCode=3), policy(exitCode=3)]), "several policies for the exit code 3"),
        (
            job(policies=[policy(event="*"), policy(event="PodFailed")]),
            "no other event beside *, which is any",
        ),
        (
            job(task(policies=[policy(exitCode=0)])),
            "0 is the exit code of success, which no policy is for",
        ),
    ],
)
def test_what_is_wrong_with_a_job(new: dict[str, Any], wrong: str) -> None:
    found = validate(asked(new), "Open").wrong
    assert found[:1] == ((wrong,) if wrong else ())


@pytest.mark.parametrize(
    ("state", "right"), [("Open", True), ("Closed", False), ("Closing", False), ("", False), (None, False)]
)
def test_a_job_needs_an_open_queue(state: str | None, right: bool) -> None:
    assert (not validate(asked(job()), state).wrong) == right


def test_the_queue_decides_about_new_jobs_alone() -> None:
    assert queue_of(asked(job())) == "q"
    assert not queue_of(asked(job(), job()))
    assert not queue_of(asked({}, of="queues"))


@pytest.mark.parametrize(
    ("new", "right"),
    [
        (job(minAvailable=2, priorityClassName="high"), True),
        (job(task(replicas=5, minAvailable=1)), True),
        (job(minAvailable=3), False),
        (job(task(minAvailable=3)), False),
        (job(queue="other"), False),
        (job(task("other")), False),
        (job(task(), task("more")), False),
    ],
)
def test_what_may_change(new: dict[str, Any], right: bool) -> None:
    assert (not validate(asked(new, job()), None).wrong) == right


@pytest.mark.parametrize(
    ("request_", "right"),
    [
        (asked({"spec": {"weight": 1}}, of="queues"), True),
        (asked({"spec": {"weight": 0}}, of="queues"), False),
        (asked({"spec": {"weight": -1}}, {"spec": {"weight": 1}}, of="queues"), False),
        (asked({}, of="queues", operation="DELETE"), True),
        (Asked("u", "queues", "DELETE", "default"), False),
    ],
)
def test_what_may_become_of_queues(request_: Asked, right: bool) -> None:
    assert (not validate(request_, None).wrong) == right


def test_what_a_job_leaves_open_is_filled_in() -> None:
    bare = {"spec": {"tasks": [{"replicas": 2, "template": POD}, {"replicas": 3, "minAvailable": 1}]}}
    spec = mutate(asked(bare)).spec
    assert spec is not None
    assert (spec["queue"], spec["schedulerName"], spec["maxRetry"]) == ("default", "volcano", 3)
    assert spec["minAvailable"] == 3
    assert [(it["name"], it["minAvailable"], it["maxRetry"]) for it in spec["tasks"]] == [
        ("default0", 2, 3),
        ("default1", 1, 3),
    ]


def test_what_a_job_says_stays() -> None:
    said = {"queue": "q", "schedulerName": "s", "maxRetry": 5, "minAvailable": 1, "more": "x"}
    tasks = [{"name": "ps", "replicas": 2, "minAvailable": 1, "maxRetry": 7}]
    assert mutate(asked({"spec": {**said, "tasks": tasks}})).spec == {**said, "tasks": tasks}


def test_what_a_queue_leaves_open_is_filled_in() -> None:
    assert mutate(asked({"spec": {}}, of="queues")).spec == {"weight": 1, "reclaimable": True}
    said = {"weight": 4, "reclaimable": False}
    assert mutate(asked({"spec": said}, of="queues")).spec == said
