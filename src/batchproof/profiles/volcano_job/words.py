"""How scenarios say what is in a Volcano Job, and the Job that they mean.

``a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 2 and the policy
PodFailed AbortJob``: first its tasks, then what its spec says besides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from batchproof.ground.resources import SIMULATED_SCHEDULER, SIMULATED_TAINT
from batchproof.judgement.history import Json
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS
from batchproof.profiles.volcano_job.specs import TaskSpec, VolcanoJobSpec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CLASSES = {"high": 1000, "low": 10}
"""What the priorities of tasks are worth."""

_FOREIGN = {
    "volcano.sh/job-name": "other",
    "volcano.sh/task-spec": "other",
    "volcano.sh/job-version": "7",
    "scheduling.k8s.io/group-name": "other",
}
"""What the controllers have written into a pod of another Job, of which a template may be a copy."""

NAME = r"[a-z]\w*"
"""The pattern of the name of a task."""
_POLICY = rf"the policy (?:\*|\w+)(?: or \w+)* \w+(?: after \d+ seconds)?(?: of task {NAME})?"
SETTING = (
    rf"(?:{_POLICY}|the plugin \w+(?: --[\w=-]+)?|a volume|the volume [\w-]+|the label \w+"
    r"|the (?:queue|schedulerName|priorityClassName) \w+|[a-z]\w+ -?\d+)"
)
"""The pattern of one thing that a sentence says of a Job besides its tasks."""


def apart(pattern: str, text: str) -> Iterator[str]:
    """What a text lists, each of it of a pattern."""
    one = re.compile(rf"(?:{pattern})(?=, | and |$)")
    while text:
        found = one.match(text)
        if found is None:
            raise ValueError(text)
        yield found[0]
        text = re.sub("^(?:, | and )", "", text[found.end() :])


def _task(task: TaskSpec) -> Json:
    pod: Json = {
        "restartPolicy": "Never",
        **_containers(task),
        "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
    }
    if task.priority:
        pod["priorityClassName"] = task.priority
    template: Json = {"metadata": {"annotations": _FOREIGN}} if task.foreign else {}
    body: Json = {"name": task.name, "replicas": task.count, "template": {**template, "spec": pod}}
    if task.must is not None:
        body["minAvailable"] = task.must
    if task.after:
        iteration = "any" if " or " in task.after else "all"
        body["dependsOn"] = {"name": re.split(" and | or ", task.after), "iteration": iteration}
    return body


def _containers(task: TaskSpec) -> Json:
    """The containers of the pods of a task."""
    container: Json = {"name": "main", "image": "batchproof.dev/simulated"}
    if task.cpus:
        container["resources"] = {"requests": {"cpu": str(task.cpus)}}
    match task.containers:
        case "without a container":
            return {"containers": []}
        case "of two containers and an init container":
            side, first = ({**container, "name": name} for name in ("side", "first"))
            return {"containers": [container, side], "initContainers": [first]}
        case _:
            return {"containers": [container]}


def tasks_of(job: VolcanoJobSpec) -> list[Json]:
    """The tasks of a Job, as its spec says them."""
    return [_task(task) for task in job.tasks]


def settings_in(said: Sequence[str]) -> Json:
    """The spec that a sentence says besides tasks, and labels."""
    text = ", ".join(said)
    numbers = re.findall(r"(?:^|, | and )([a-z]\w+) (-?\d+)(?=$|, | and )", text)
    spec: Json = {name: int(value) for name, value in numbers}
    if policies := [policy for policy in _policies(text) if "of" not in policy]:
        spec["policies"] = policies
    if of_tasks := [policy for policy in _policies(text) if "of" in policy]:
        spec["of_tasks"] = of_tasks
    if plugins := re.findall(r"the plugin (\w+)(?: (--[\w=-]+))?", text):
        spec["plugins"] = {name: [said] if said else [] for name, said in plugins}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    volumes = [{"volumeClaim": claim} for each in said if each == "a volume"]
    volumes += [{"volumeClaimName": name} for name in re.findall(r"the volume ([\w-]+)", text)]
    if volumes:
        places = ["/data", *(f"/data-{number}" for number in range(2, len(volumes) + 1))]
        spec["volumes"] = [{"mountPath": place, **it} for place, it in zip(places, volumes, strict=True)]
    spec |= dict(re.findall(r"the (queue|schedulerName|priorityClassName) (\w+)", text))
    if label := re.search(r"the label (\w+)", text):
        spec["label"] = label[1]
    return spec


def _policies(text: str) -> Iterator[Json]:
    for found in re.finditer(
        rf"the policy (\S+(?: or \w+)*) (\w+)(?: after (\d+) seconds)?(?: of task ({NAME}))?", text
    ):
        said, action, timeout, task = found.groups()
        events = said.split(" or ")  # an exit code may stand among them
        policy: Json = {"action": action, **({"of": task} if task else {})}
        codes = [int(each) for each in events if each.isdigit()]
        policy |= {"exitCode": codes[0]} if codes else {}
        policy |= {"timeout": f"{timeout}s"} if timeout else {}
        match [each for each in events if not each.isdigit()]:
            case []:
                yield policy
            case [one]:
                yield {**policy, "event": one}
            case several:
                yield {**policy, "events": several}


def volcano_job_body(name: str, tasks: Sequence[Json], settings: Sequence[str] = (), *, queue: str) -> Json:
    """A Volcano Job of these tasks; ``settings`` are what else its spec says, as ``settings_in`` reads it."""
    said = settings_in(settings)
    label, of_tasks = said.pop("label", ""), said.pop("of_tasks", ())
    for policy in of_tasks:
        one = {key: value for key, value in policy.items() if key != "of"}
        tasks = [
            {**task, "policies": [*task.get("policies", ()), one]} if task["name"] == policy["of"] else task
            for task in tasks
        ]
    spec = {
        "queue": queue,
        "schedulerName": SIMULATED_SCHEDULER,  # what a scheduler would do, steps do
        "maxRetry": 3,
        **said,
        "tasks": [*tasks],
    }
    metadata = {"name": name, **({"labels": {label: "yes"}} if label else {})}
    return {"apiVersion": VOLCANO_JOBS.api_version, "kind": "Job", "metadata": metadata, "spec": spec}
