"""Short ways to say what is observed."""

from __future__ import annotations

from itertools import count
from typing import Any

from reference_controller.job.objects import Condition, Job, JobStatus, Pod
from reference_controller.objects.identity import Controller
from reference_controller.objects.labels import Selector

NOW = 1_000_000.0
JOB_UID = "job-uid"
LABELS = {"controller-uid": JOB_UID}
OWNER = Controller("batch/v1", "Job", "a", JOB_UID)

_numbers = count(1)


def pod(phase: str = "Running", **fields: Any) -> Pod:
    number = next(_numbers)
    defaults: dict[str, Any] = {
        "namespace": "ns",
        "name": f"a-{number}",
        "uid": f"uid-{number}",
        "version": number,
        "labels": LABELS,
        "controller": OWNER,
        "phase": phase,
        "created": NOW - 1000,
        "finish_time": NOW - 1000 if phase in {"Succeeded", "Failed"} or fields.get("deleting") else None,
    }
    return Pod(**{**defaults, **fields})


def pods(number: int, phase: str = "Running", **fields: Any) -> tuple[Pod, ...]:
    return tuple(pod(phase, **fields) for _ in range(number))


def status(**fields: Any) -> JobStatus:
    return JobStatus(**{"start_time": NOW - 100, "ready": 0, "terminating": 0, **fields})


def condition(kind: str, value: str = "True", reason: str = "R", at: float = NOW - 50) -> Condition:
    return Condition(kind, value, reason, "m", at, at)


def job(**fields: Any) -> Job:
    defaults: dict[str, Any] = {
        "namespace": "ns",
        "name": "a",
        "uid": JOB_UID,
        "version": 1,
        "selector": Selector(tuple(LABELS.items())),
        "status": status(),
    }
    return Job(**{**defaults, **fields})
