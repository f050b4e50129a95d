"""What Volcano Jobs say, what becomes of them, and what is made for them. Pure."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, repeat
from typing import TYPE_CHECKING

from kubernetes.utils.quantity import parse_quantity

from tests.unusual.cluster import (
    Json,
    controller_reference,
    deleting,
    ended,
    notes,
    now,
    phase,
    restarts,
    seconds,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Happened = tuple[int, str, str, int]
"""What has happened: in which version of the Job, to which task, as which event, with which exit code."""

VERSION, KIND, PREFIX = "batch.volcano.sh/v1alpha1", "Job", "volcano.sh/"
GROUP_NAME = "scheduling.k8s.io/group-name"
FINAL = {"Completed", "Failed", "Terminated"}
_LEFT = {
    "RestartJob": "Restarting",
    "AbortJob": "Aborting",
    "TerminateJob": "Terminating",
    "CompleteJob": "Completing",
}
_END = {"Aborting": "Aborted", "Terminating": "Terminated", "Completing": "Completed"}


@dataclass(frozen=True)
class Slot:
    """A pod that there is to be: an index of a task."""

    task: Json
    index: int

    def name(self, job: Json) -> str:
        """What it is called."""
        return f"{job['metadata']['name']}-{self.task['name']}-{self.index}"


def status(job: Json) -> Json:
    """Its status; empty at first."""
    said: Json = job.get("status") or {}
    return said


def stage(job: Json) -> str:
    """Its phase."""
    return str((status(job).get("state") or {}).get("phase") or "")


def version(job: Json) -> int:
    """How often it was left."""
    return int(status(job).get("version") or 0)


def least(task: Json) -> int:
    """How many of its pods a task needs."""
    return int(task["minAvailable"] if "minAvailable" in task else task["replicas"])


def slots(job: Json) -> list[Slot]:
    """All pods that there are to be."""
    return [Slot(task, i) for task in job["spec"]["tasks"] for i in range(task["replicas"])]


def of_task(pods: list[Json], task: Json) -> list[Json]:
    """The pods of a task."""
    return [pod for pod in pods if notes(pod).get(f"{PREFIX}task-spec") == task["name"]]


def current(job: Json, pods: list[Json]) -> list[Json]:
    """Those that were made in this version of it, and are not being deleted."""
    mark = str(version(job))
    return [pod for pod in pods if notes(pod).get(f"{PREFIX}job-version") == mark and not deleting(pod)]


# -- what has happened


def action(
    job: Json, pods: list[Json], evicted: list[Json], group: Json | None, first: dict[Happened, float]
) -> str:
    """The action that the policies give for what has happened, and is due; "" for none.

    `first` is when each of it was seen first, where a policy waits.
    """
    for task, name, code in _events(job, current(job, pods), evicted, group):
        said = [*((task or {}).get("policies") or []), *(job["spec"].get("policies") or [])]
        for policy in said:
            meant = {policy.get("event"), *(policy.get("events") or [])}
            by_code = policy.get("exitCode")
            if (by_code == code and name == "PodFailed") if by_code is not None else meant & {name, "*"}:
                known = (version(job), (task or {}).get("name", ""), name, code)
                if _patience_s(policy) <= time.monotonic() - first.setdefault(known, time.monotonic()):
                    return str(policy["action"])
                break
    return ""


def patient(job: Json) -> bool:
    """Whether some policy has a timeout."""
    of_all = [*job["spec"]["tasks"], job["spec"]]
    return any(_patience_s(policy) for it in of_all for policy in it.get("policies") or [])


def _patience_s(policy: Json) -> float:
    """A whole number of seconds is all that is understood here."""
    return float(str(policy.get("timeout") or "0s").removesuffix("s"))


def _events(
    job: Json, pods: list[Json], evicted: list[Json], group: Json | None
) -> Iterator[tuple[Json | None, str, int]]:
    for task in job["spec"]["tasks"]:
        own = of_task(pods, task)
        for pod in own:
            if phase(pod) == "Failed":
                yield task, "PodFailed", _code(pod)
        for _ in of_task(current(job, evicted), task):
            yield task, "PodEvicted", 0
        succeeded = sum(phase(pod) == "Succeeded" for pod in own)
        if task["replicas"] and succeeded == task["replicas"]:
            yield task, "TaskCompleted", 0
        again = sum(restarts(pod) for pod in own if not ended(pod))
        if again >= int(task.get("maxRetry", 3)):
            yield task, "TaskFailed", 0
    if group and (group.get("status") or {}).get("phase") == "Unknown":
        yield None, "Unknown", 0


def _code(pod: Json) -> int:
    first = pod["spec"]["containers"][0]["name"]
    for it in (pod.get("status") or {}).get("containerStatuses") or []:
        if it["name"] == first:
            return int(((it.get("state") or {}).get("terminated") or {}).get("exitCode") or 0)
    return 0


# -- the status


def counted(job: Json, pods: list[Json]) -> Json:
    """The counts of its pods, and of those of each task."""
    there = [pod for pod in pods if not deleting(pod)]
    phases = Counter(phase(pod).lower() for pod in there)
    tasks = {
        task["name"]: Counter(phase(pod) for pod in of_task(there, task)) for task in job["spec"]["tasks"]
    }
    counts = {name: phases[name] for name in ("pending", "running", "succeeded", "failed", "unknown")}
    return {
        **{name: number for name, number in counts.items() if number},
        "terminating": len(pods) - len(there),
        "taskStatusCount": {name: {"phase": {**it}} for name, it in tasks.items() if it},
        "minAvailable": job["spec"]["minAvailable"],
    }


def following(job: Json, pods: list[Json]) -> str:
    """The phase that its pods lead to."""
    there = stage(job)
    live = [pod for pod in pods if deleting(pod) or not ended(pod)]
    if there in _END:
        return there if live else _END[there]
    if there == "Restarting":
        if live or (not last_try(job) and pods):
            return there
        return "Failed" if last_try(job) else "Pending"
    minimum, kept = job["spec"]["minAvailable"], [pod for pod in pods if not deleting(pod)]
    going = sum(phase(pod) != "Pending" for pod in kept)
    if there == "Pending":
        return "Running" if going >= minimum else there
    return _ended(job, kept) if there == "Running" else there


def _ended(job: Json, pods: list[Json]) -> str:
    done, enough = sum(phase(pod) == "Succeeded" for pod in pods), job["spec"].get("minSuccess")
    everyone = slots(job)
    if everyone and enough is not None and done >= enough:
        return "Completed"
    if not everyone or sum(map(ended, pods)) < len(everyone):
        return "Running"
    if enough is not None or done < job["spec"]["minAvailable"]:
        return "Failed"
    tasks = job["spec"]["tasks"]
    short = [it for it in tasks if sum(phase(pod) == "Succeeded" for pod in of_task(pods, it)) < least(it)]
    return "Failed" if short and job["spec"]["minAvailable"] >= sum(map(least, tasks)) else "Completed"


def last_try(job: Json) -> bool:
    """It has been restarted as often as it may be; a resume counts as a retry, but is never the last one."""
    had = [it["status"] for it in status(job).get("conditions") or []]
    resumed = had[-1:] == ["Restarting"] and had[-2:-1] in (["Aborting"], ["Aborted"])
    return not resumed and int(status(job).get("retryCount") or 0) >= int(job["spec"].get("maxRetry") or 3)


def after(job: Json, asked: str) -> str:
    """The phase that an action leads to; "" if to none."""
    there = stage(job)
    if asked == "ResumeJob":
        return "Restarting" if there in {"Aborted", "Aborting"} else ""
    return _LEFT.get(asked, "") if there in {"Pending", "Running"} else ""


def moved(job: Json, to: str, pods: list[Json]) -> Json:
    """The status in another phase; one that is left by an action has another version."""
    old, at = status(job), now()
    fresh: Json = {
        name: old[name] for name in ("version", "retryCount", "controlledResources") if name in old
    }
    made: Json = {**fresh, **counted(job, pods)}
    if to in {"Restarting", *_END}:
        made["version"] = version(job) + 1
    if to == "Restarting":
        made["retryCount"] = int(old.get("retryCount") or 0) + 1
    made["state"] = {"phase": to, "lastTransitionTime": at}
    made["conditions"] = [*(old.get("conditions") or []), {"status": to, "lastTransitionTime": at}]
    return made


def expired(job: Json, at: float) -> bool:
    """It has ended, and its time is over."""
    ttl = job["spec"].get("ttlSecondsAfterFinished")
    return ttl is not None and at >= seconds(status(job)["state"]["lastTransitionTime"]) + ttl


# -- what it needs


def begins(job: Json, task: Json, pods: list[Json]) -> bool:
    """The tasks that it waits for run, or one of them where one is enough."""
    said = task.get("dependsOn") or {}
    if not said.get("name"):
        return True
    others = [it for it in job["spec"]["tasks"] if it["name"] in said["name"]]
    up = [sum(map(_ready, of_task(current(job, pods), it))) >= least(it) for it in others]
    return any(up) if said.get("iteration") == "any" else all(up)


def _ready(pod: Json) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or []
    ready = any(it["type"] == "Ready" and it["status"] == "True" for it in conditions)
    return phase(pod) == "Succeeded" or (phase(pod) == "Running" and ready)


def queue(job: Json) -> str:
    """The queue that it is in."""
    return str(job["spec"].get("queue") or "default")


def group_spec(job: Json, priorities: dict[str, int]) -> Json:
    """What its PodGroup asks for."""
    spec: Json = {
        "minMember": job["spec"]["minAvailable"],
        "minTaskMember": {task["name"]: least(task) for task in job["spec"]["tasks"]},
        "queue": queue(job),
        "minResources": _least_resources(job, priorities),
    }
    named = job["spec"].get("priorityClassName")
    return {**spec, "priorityClassName": named} if named else spec


def _least_resources(job: Json, priorities: dict[str, int]) -> Json:
    def importance(task: Json) -> int:
        return -priorities.get(task["template"]["spec"].get("priorityClassName", ""), 0)

    tasks, minimum = sorted(job["spec"]["tasks"], key=importance), job["spec"]["minAvailable"]
    order = chain.from_iterable(repeat(task, task["replicas"]) for task in tasks)
    if minimum >= sum(map(least, tasks)):
        rest = chain.from_iterable(repeat(task, task["replicas"] - least(task)) for task in tasks)
        order = chain(chain.from_iterable(repeat(task, least(task)) for task in tasks), rest)
    return requests(task["template"]["spec"] for task, _ in zip(order, range(minimum), strict=False))


def requests(specs: Iterator[Json]) -> Json:
    """What pods of these specs ask for together."""
    total: Counter[str] = Counter()
    for spec in specs:
        for container in spec["containers"]:
            for name, text in ((container.get("resources") or {}).get("requests") or {}).items():
                total[name] += int(parse_quantity(text) * (1000 if name == "cpu" else 1))
    return {name: f"{n}m" if name == "cpu" else str(Decimal(n)) for name, n in total.items()}


def child(job: Json, name: str, **more: Json) -> Json:
    """The metadata of what it controls."""
    reference = controller_reference(job, VERSION, KIND)
    return {"name": name, "namespace": job["metadata"]["namespace"], "ownerReferences": [reference], **more}


def new_pod(job: Json, slot: Slot, group: str) -> Json:
    """A pod, before plugins and volumes have their part in it."""
    template, task = slot.task["template"], slot.task["name"]
    said = template.get("metadata") or {}
    own = {
        f"{PREFIX}job-name": job["metadata"]["name"],
        f"{PREFIX}job-namespace": job["metadata"]["namespace"],
    }
    own[f"{PREFIX}task-spec"] = task
    marks = {**own, f"{PREFIX}job-version": str(version(job)), f"{PREFIX}task-index": str(slot.index)}
    metadata = child(
        job,
        slot.name(job),
        labels={**(said.get("labels") or {}), **own},
        annotations={**(said.get("annotations") or {}), **marks, GROUP_NAME: group},
    )
    spec = {**template["spec"], "schedulerName": job["spec"].get("schedulerName") or "volcano"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


# -- volumes


def claims(job: Json) -> list[tuple[str, Json]]:
    """The name of the claim of each of its volumes, and the volume."""
    said = enumerate(job["spec"].get("volumes") or [])
    mark = job["metadata"]["uid"][:8]
    return [(it.get("volumeClaimName") or f"{job['metadata']['name']}-{mark}-{i}", it) for i, it in said]


def mounted(pod: Json, source: Json, mount: Json) -> Json:
    """The pod with a volume that every container mounts."""
    pod = each(pod, lambda it: {**it, "volumeMounts": [*(it.get("volumeMounts") or []), mount]})
    spec = pod["spec"]
    return {**pod, "spec": {**spec, "volumes": [*(spec.get("volumes") or []), source]}}


def each(pod: Json, change: Callable[[Json], Json]) -> Json:
    """The pod with each of its containers, init containers too, as `change` makes it."""
    spec = pod["spec"]
    lists = {key: [change(it) for it in spec[key]] for key in ("initContainers", "containers") if key in spec}
    return {**pod, "spec": {**spec, **lists}}


def with_claims(job: Json, pod: Json) -> Json:
    """The pod, which mounts all claims."""
    for place, (name, volume) in enumerate(claims(job)):
        source = {"name": f"claim-{place}", "persistentVolumeClaim": {"claimName": name}}
        pod = mounted(pod, source, {"name": f"claim-{place}", "mountPath": volume["mountPath"]})
    return pod
