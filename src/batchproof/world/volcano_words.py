"""How scenarios say what is in a Volcano Job, and the Job that they mean.

``a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 2 and the policy
PodFailed AbortJob``: first its tasks, then what its spec says besides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from batchproof.judgement.things.volcano import VOLCANO_JOBS
from batchproof.labels import SIMULATED_SCHEDULER, SIMULATED_TAINT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from batchproof.judgement.history import Json

TASK = "work"
"""The name of the task where a sentence names none."""

CLASSES = {"high": 1000, "low": 10}
"""What the priorities of tasks are worth."""

_NAME = r"[a-z]\w*"
_TASK = (
    rf"\d+ pods?(?: of task {_NAME})?(?: of (?:{'|'.join(CLASSES)}) priority)?(?: asking for \d+ CPUs?)?"
    r"(?: without a container)?"
    rf"(?: of which \d+ must succeed)?(?: after {_NAME}(?: (?:and|or) {_NAME})*)?"
)
_POLICY = rf"the policy \S+(?: or \w+)* \w+(?: of task {_NAME})?"
_SETTING = (
    rf"(?:{_POLICY}|the plugin \w+(?: --[\w=-]+)?|a volume|the volume [\w-]+|the label \w+"
    r"|the (?:queue|schedulerName|priorityClassName) \w+|[a-z]\w+ -?\d+)"
)
TASKS = rf"{_TASK}(?:(?:, | and ){_TASK})*"
SETTINGS = rf"{_SETTING}(?:(?:, | and ){_SETTING})*"


def tasks_in(text: str) -> list[Json]:
    """The tasks that a sentence lists."""
    return [_task(found[0]) for found in re.finditer(_TASK, text)]


def _task(text: str) -> Json:
    container: Json = {"name": "main", "image": "batchproof.dev/simulated"}
    containers = [] if "without a container" in text else [container]
    if cpus := re.search(r"asking for (\d+) CPU", text):
        container["resources"] = {"requests": {"cpu": cpus[1]}}
    pod: Json = {
        "restartPolicy": "Never",
        "containers": containers,
        "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
    }
    if priority := re.search(r"of (\w+) priority", text):
        pod["priorityClassName"] = priority[1]
    name = re.search(rf"of task ({_NAME})", text)
    task: Json = {
        "name": name[1] if name else TASK,
        "replicas": int(text.split(maxsplit=1)[0]),
        "template": {"spec": pod},
    }
    if minimum := re.search(r"of which (\d+) must", text):
        task["minAvailable"] = int(minimum[1])
    if others := re.search(r"after (.+)", text):
        task["dependsOn"] = {
            "name": re.split(" and | or ", others[1]),
            "iteration": "any" if " or " in others[1] else "all",
        }
    return task


def settings_in(text: str) -> Json:
    """The spec that a sentence says besides tasks, and labels."""
    numbers = re.findall(r"(?:^|, | and )([a-z]\w+) (-?\d+)(?=$|, | and )", text)
    spec: Json = {name: int(value) for name, value in numbers}
    spec["policies"] = [policy for policy in _policies(text) if "of" not in policy]
    spec["of_tasks"] = [policy for policy in _policies(text) if "of" in policy]
    if plugins := re.findall(r"the plugin (\w+)(?: (--[\w=-]+))?", text):
        spec["plugins"] = {name: [said] if said else [] for name, said in plugins}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    if "a volume" in text:
        spec["volumes"] = [{"mountPath": "/data", "volumeClaim": claim}]
    if named := re.search(r"the volume ([\w-]+)", text):
        spec["volumes"] = [{"mountPath": "/data", "volumeClaimName": named[1]}]
    spec |= dict(re.findall(r"the (queue|schedulerName|priorityClassName) (\w+)", text))
    if label := re.search(r"the label (\w+)", text):
        spec["label"] = label[1]
    return spec


def _policies(text: str) -> Iterator[Json]:
    for found in re.finditer(rf"the policy (\S+(?: or \w+)*) (\w+)(?: of task ({_NAME}))?", text):
        said, action, task = found.groups()
        events = said.split(" or ")  # an exit code may stand among them
        policy: Json = {"action": action, **({"of": task} if task else {})}
        codes = [int(each) for each in events if each.isdigit()]
        policy |= {"exitCode": codes[0]} if codes else {}
        match [each for each in events if not each.isdigit()]:
            case []:
                yield policy
            case [one]:
                yield {**policy, "event": one}
            case several:
                yield {**policy, "events": several}


def volcano_job_body(name: str, tasks: Sequence[Json], *, queue: str, **settings: Any) -> Json:
    """A Volcano Job of these tasks; ``settings`` are what else its spec says, as ``settings_in`` reads it."""
    label, of_tasks = settings.pop("label", ""), settings.pop("of_tasks", ())
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
        **settings,
        "tasks": [*tasks],
    }
    metadata = {"name": name, **({"labels": {label: "yes"}} if label else {})}
    return {"apiVersion": VOLCANO_JOBS.api_version, "kind": "Job", "metadata": metadata, "spec": spec}
