"""Steps about Jobs: what a user does to them and what is claimed of them.

``the Job`` is the scenario's first Job, named ``a``; others have names: ``Job b``.
The words of a spec are those of the API: ``a Job with 3 completions, parallelism 2 and backoffLimit 0``.
What is not said has the API's default; a ``work-queue Job`` has no completions. A policy follows after
``where`` (see ``batchproof.world.policies``): ``a Job with 2 completions, where exit code 42 means FailJob``.
"""

from __future__ import annotations

import re
from typing import Any

from pytest_bdd import parsers, step

from batchproof.labels import BUILT_IN_MANAGER
from batchproof.world import JOB, World
from batchproof.world.policies import policies

THE_JOB = r"(?:the Job|Job (?P<job>[a-z]))"
MADE = r"an? (?:(?P<kind>suspended|Indexed|work-queue) )?Job(?: (?P<job>[a-z]))?(?: is created)?"
_KINDS: dict[str | None, dict[str, Any]] = {
    "suspended": {"suspend": True},
    "Indexed": {"completionMode": "Indexed"},
}

_OF_POD = {  # World.create_job puts them into the pod template
    "restartPolicy": "restart_policy",
    "initContainer": "init_container",
    "secondContainer": "second_container",
}

SETTINGS: dict[str, Any] = {
    "containers": [
        {
            "name": "main",
            "image": "batchproof.dev/simulated",
            "args": ["--work", "hard"],
            "env": [{"name": "COLOUR", "value": "green"}],
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
        },
        {"name": "side", "image": "batchproof.dev/simulated"},
    ],
    "initContainers": [{"name": "first", "image": "batchproof.dev/simulated"}],
    "nodeSelector": {"kubernetes.io/os": "linux"},
    "terminationGracePeriodSeconds": 7,
}
"""What a pod template says beside what it must."""

CHANGED: dict[str, Any] = {
    "metadata": {
        "labels": {"batchproof.dev/colour": "red"},
        "annotations": {"batchproof.dev/note": "written later"},
    },
    "spec": {"nodeSelector": {"kubernetes.io/os": "linux"}},
}
"""What a user may still change in the template of a Job that is suspended and has not started."""


def job_spec(words: str) -> dict[str, Any]:
    """The spec that a sentence states: ``3 completions and parallelism 2``."""
    spec: dict[str, Any] = {}
    for part in re.split(r", | and ", words):
        if of_it := re.fullmatch(r"(\d+) completions?", part):
            spec["completions"] = int(of_it[1])
        else:
            key, value = part.split(" ")
            key = _OF_POD.get(key, key)
            spec[key] = int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value)
    return spec


# -- what a user does


@step(parsers.re(MADE + r" with (?P<spec>.+?)(?:, where (?P<rules>.+))?"), converters={"spec": job_spec})
def a_job(world: World, kind: str | None, job: str | None, spec: dict[str, Any], rules: str | None) -> None:
    world.create_job(job or JOB, **_KINDS.get(kind, {}), **spec, **(policies(rules) if rules else {}))


@step(
    parsers.re(r"a Job whose pod template says much is created with (?P<spec>.+)"),
    converters={"spec": job_spec},
)
def job_with_settings(world: World, spec: dict[str, Any]) -> None:
    world.create_job(JOB, pod=SETTINGS, annotations={"batchproof.dev/note": "kept"}, **spec)


@step(parsers.re(r"a Job that another controller manages with (?P<spec>.+)"), converters={"spec": job_spec})
def foreign_job(world: World, spec: dict[str, Any]) -> None:
    world.create_job(JOB, managedBy="batchproof.dev/somebody-else", **spec)


@step(
    parsers.re(r"a Job that names (?P<whom>no controller|the built-in controller) with (?P<spec>.+)"),
    converters={"spec": job_spec},
)
def built_in_job(world: World, whom: str, spec: dict[str, Any]) -> None:
    world.create_job(JOB, managedBy=None if whom == "no controller" else BUILT_IN_MANAGER, **spec)


@step(
    parsers.re(r"a Job that names the implementation as its manager with (?P<spec>.+)"),
    converters={"spec": job_spec},
)
def own_job(world: World, spec: dict[str, Any]) -> None:
    world.create_job(JOB, managedBy=world.manager, **spec)


@step(
    parsers.re(r"(?P<count>\d+) real containers? of a Job (?P<end>succeed|fail)s?"), converters={"count": int}
)
def real_containers(world: World, count: int, end: str) -> None:
    world.create_real_job(count, succeeds=end == "succeed")


@step(parsers.re(THE_JOB + r" is changed to (?P<spec>.+)"), converters={"spec": job_spec})
def job_is_changed(world: World, job: str | None, spec: dict[str, Any]) -> None:
    world.patch_job(job or JOB, **spec)


@step(
    parsers.re(r"the user changes the labels, annotations and nodeSelector in the pod template of " + THE_JOB)
)
def template_is_changed(world: World, job: str | None) -> None:
    world.patch_job(job or JOB, template=CHANGED)


@step(parsers.re(r"the user suspends " + THE_JOB))
def job_is_suspended(world: World, job: str | None) -> None:
    world.patch_job(job or JOB, suspend=True)


@step(parsers.re(r"the user resumes " + THE_JOB))
def job_is_resumed(world: World, job: str | None) -> None:
    world.patch_job(job or JOB, suspend=False)


@step(parsers.re(r"the user deletes " + THE_JOB + r"(?: with (?P<policy>foreground|orphan) propagation)?"))
def job_is_deleted(world: World, job: str | None, policy: str | None) -> None:
    world.delete_job(job or JOB, propagation=(policy or "background").capitalize())


@step(parsers.re(r"another client labels " + THE_JOB))
def job_is_labelled(world: World, job: str | None) -> None:
    world.label_job(job or JOB, {"batchproof.dev/touched": "true"})


# -- what a Job reports

COUNTS = r" (?P<counts>\d+ (?:active|ready|terminating|succeeded|failed)(?:(?:,| and) \d+ [a-z]+)*) pods?"
