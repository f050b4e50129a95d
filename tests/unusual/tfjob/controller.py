"""A small controller of TFJobs whose ways can be chosen. It keeps no memory but what it sees.

``steps`` decides what is to be done for one TFJob. Each program says in which order, how many at one look
and how each is asked for.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.unusual.cluster import (
    Client,
    Json,
    RefusedError,
    Source,
    View,
    controlled_by,
    controller_reference,
    deleting,
    ended,
    exit_code,
    gone_or_there,
    now,
    phase,
    restarts,
    run,
    seconds,
)

PREFIX = "training.kubeflow.org/"
VERSION, KIND, MAIN, PORT = "kubeflow.org/v1", "TFJob", "tensorflow", "tfjob-port"
_TYPES = {it.lower(): it for it in ("PS", "Worker", "Chief", "Master", "Evaluator")}
_WORDS = {"Running": "active", "Succeeded": "succeeded", "Failed": "failed"}
_LEADERS = {"chief", "master"}
PATHS = {"jobs": "/apis/kubeflow.org/v1/tfjobs", "pods": "/api/v1/pods", "services": "/api/v1/services"}


@dataclass(frozen=True)
class Replica:
    """One index of one type."""

    kind: str
    index: int
    spec: Json

    def name(self, job: Json) -> str:
        """What its pod and its service are called."""
        return f"{job['metadata']['name']}-{self.kind}-{self.index}"


@dataclass(frozen=True)
class Step:
    """One request: ``what`` is create, delete or status; ``of`` the collection."""

    what: str
    of: str
    it: Json
    status: Json = field(default_factory=dict)


Conditions = Callable[[list[Json], dict[str, bool], str], list[Json]]


def _as_it_comes(steps: list[Step]) -> list[Step]:
    return steps


def _put(client: Client, path: str, job: Json, status: Json) -> None:
    client.replace(f"{path}/status", {**job, "status": status})


# -- ways to write conditions


def condition(kind: str, at: str, *, true: bool) -> Json:
    """A condition, as the training operator spells it."""
    word = "Resumed" if (kind, true) == ("Suspended", False) else kind
    return {
        "type": kind,
        "status": str(true),
        "reason": f"TFJob{word}",
        "message": f"{word}: {true}",
        "lastTransitionTime": at,
        "lastUpdateTime": at,
    }


def flipped(old: list[Json], told: dict[str, bool], at: str) -> list[Json]:
    """Conditions keep their places; what is True no more becomes False, what is new comes last."""
    known = {it["type"]: it for it in old}
    for kind, true in told.items():
        before = known[kind]["status"] if kind in known else "False"
        if before != str(true):
            known[kind] = condition(kind, at, true=true)
    return [*known.values()]


def only_true(old: list[Json], told: dict[str, bool], at: str) -> list[Json]:
    """What is True no more is left out; the newest comes first."""
    known = {it["type"]: it for it in old}
    kept = [it for it in old if told.get(it["type"], True)]
    new = [condition(kind, at, true=True) for kind, true in told.items() if true and kind not in known]
    return [*reversed(new), *kept]


@dataclass(frozen=True)
class Ways:
    """What a program does in its own way.

    Attributes:
        source: how it knows what is there.
        order: in which order the steps of one look at one TFJob are taken, and how many of them.
        conditions: the list of conditions, of the old one, of what is True and False now, and the time.
        write: how a status is written.
        restarting: it tells that a TFJob is Restarting.
        ends_failed: a TFJob that has failed gets a completionTime.
        limits_delete_all: of a TFJob that took too long nothing is left, whatever its cleanPodPolicy.
        propagation: how a TFJob whose time is over is deleted.
    """

    source: Source
    order: Callable[[list[Step]], list[Step]] = _as_it_comes
    conditions: Conditions = flipped
    write: Callable[[Client, str, Json, Json], None] = _put
    restarting: bool = True
    ends_failed: bool = True
    limits_delete_all: bool = False
    propagation: str = "Background"


# -- what a TFJob says


def policy(job: Json) -> Json:
    """Its runPolicy."""
    said: Json = job["spec"].get("runPolicy") or {}
    return said


def replicas(job: Json) -> list[Replica]:
    """One for each index of each type."""
    specs = {name.lower(): spec for name, spec in job["spec"]["tfReplicaSpecs"].items()}
    return [Replica(kind, i, spec) for kind, spec in specs.items() for i in range(spec.get("replicas", 1))]


def true(job: Json) -> set[str]:
    """Its conditions that are True."""
    told = (job.get("status") or {}).get("conditions") or []
    return {it["type"] for it in told if it["status"] == "True"}


def finished(job: Json) -> bool:
    """It has succeeded or failed."""
    return bool(true(job) & {"Succeeded", "Failed"})


def replaced(replica: Replica, pod: Json) -> bool:
    """The pod has failed, and another one takes its place."""
    restart = replica.spec.get("restartPolicy") or "Never"
    if phase(pod) != "Failed" or restart == "Never":
        return False
    code = exit_code(pod, MAIN)
    return restart != "ExitCode" or code is None or code >= 128


# -- what is to be done


def steps(job: Json, pods: list[Json], services: list[Json], ways: Ways) -> list[Step]:
    """What one look at a TFJob leads to; services and pods are those that it controls."""
    if deleting(job):
        return []
    if finished(job):
        return [*_cleaned(job, pods, services, ways)]
    if policy(job).get("suspend"):
        gone = [*_deleted("pods", pods), *_deleted("services", services)]
        return [*gone, *_status(job, _suspended(job, pods, ways))]
    status = _active(job, pods, ways)
    if {"Succeeded", "Failed"} & {it["type"] for it in status["conditions"] if it["status"] == "True"}:
        return [*_status(job, status)]
    return [*_status(job, status), *_surplus(job, pods, services), *_missing(job, pods, services)]


def _by_name(job: Json) -> dict[str, Replica]:
    return {it.name(job): it for it in replicas(job)}


def _missing(job: Json, pods: list[Json], services: list[Json]) -> Iterator[Step]:
    there = {it["metadata"]["name"] for it in pods}
    reached = {it["metadata"]["name"] for it in services}
    for name, replica in _by_name(job).items():
        if name not in reached:
            yield Step("create", "services", new_service(job, replica))
        if name not in there:
            yield Step("create", "pods", new_pod(job, replica))


def _surplus(job: Json, pods: list[Json], services: list[Json]) -> Iterator[Step]:
    wanted = _by_name(job)
    for pod in pods:
        replica = wanted.get(pod["metadata"]["name"])
        if replica is None or replaced(replica, pod):
            yield from _deleted("pods", [pod])
    yield from _deleted("services", [it for it in services if it["metadata"]["name"] not in wanted])


def _deleted(of: str, those: list[Json]) -> Iterator[Step]:
    return (Step("delete", of, it) for it in those if not deleting(it))


def _cleaned(job: Json, pods: list[Json], services: list[Json], ways: Ways) -> Iterator[Step]:
    ttl, at = policy(job).get("ttlSecondsAfterFinished"), job["status"].get("completionTime")
    if ttl is not None and at and time.time() >= seconds(at) + ttl:
        yield Step("delete", "jobs", job)
        return
    kept = policy(job).get("cleanPodPolicy") or "None"
    if ways.limits_delete_all and _over(job, pods):
        kept = "All"
    if kept == "None":
        return
    doomed = [it for it in pods if kept == "All" or not ended(it)]
    left = {it["metadata"]["name"] for it in pods} - {it["metadata"]["name"] for it in doomed}
    yield from _deleted("pods", doomed)
    yield from _deleted("services", [it for it in services if it["metadata"]["name"] not in left])


# -- the status


def _status(job: Json, status: Json) -> Iterator[Step]:
    if status != (job.get("status") or {}):
        yield Step("status", "jobs", job, status)


def _counts(job: Json, pods: list[Json]) -> Json:
    counts: Json = {}
    for replica in replicas(job):
        name = _TYPES.get(replica.kind, replica.kind)
        count = counts.setdefault(name, {"active": 0, "succeeded": 0, "failed": 0})
        pod = next((it for it in pods if it["metadata"]["name"] == replica.name(job)), None)
        word = _WORDS.get(phase(pod)) if pod else None
        if pod and word and not deleting(pod):
            count[word] += 1
    return counts


def _over(job: Json, pods: list[Json]) -> bool:
    """It took too long, or its containers were started again too often; one that has ended: when it ended."""
    status, deadline = job.get("status") or {}, policy(job).get("activeDeadlineSeconds")
    until = seconds(status["completionTime"]) if "completionTime" in status else time.time()
    if deadline is not None and "startTime" in status and until >= seconds(status["startTime"]) + deadline:
        return True
    limit = policy(job).get("backoffLimit")
    again = {name for name, it in _by_name(job).items() if it.spec.get("restartPolicy", "Never") != "Never"}
    running = [it for it in pods if it["metadata"]["name"] in again and phase(it) == "Running"]
    return limit is not None and sum(map(restarts, running)) > limit


def _condition(job: Json, pods: list[Json]) -> str:
    """Succeeded, Failed, Restarting, Running, or nothing of these."""
    wanted = _by_name(job)
    mine = [(wanted[it["metadata"]["name"]], it) for it in pods if it["metadata"]["name"] in wanted]
    leading = [it for it in wanted.values() if it.kind in _LEADERS]
    workers = [it for it in wanted.values() if it.kind == "worker"]
    deciding = leading or (workers if job["spec"].get("successPolicy") == "AllWorkers" else workers[:1])
    done = {(it.kind, it.index) for it, pod in mine if phase(pod) == "Succeeded"}
    if deciding and all((it.kind, it.index) in done for it in deciding):
        return "Succeeded"
    lost = [(replica, pod) for replica, pod in mine if phase(pod) == "Failed" and not deleting(pod)]
    if _over(job, pods) or any(not replaced(replica, pod) for replica, pod in lost):
        return "Failed"
    if lost:
        return "Restarting"
    return "Running" if any(phase(pod) == "Running" for _, pod in mine) else ""


def _active(job: Json, pods: list[Json], ways: Ways) -> Json:
    old, at = job.get("status") or {}, now()
    word = _condition(job, pods)
    told = {"Created": True, **{it: it == word for it in ("Running", "Restarting", "Succeeded", "Failed")}}
    if not ways.restarting:
        told.pop("Restarting")
    if not word or (word == "Restarting" and not ways.restarting):
        told = {"Created": True, **({"Running": False} if word else {})}
    known = {it["type"] for it in old.get("conditions") or []}
    if "Suspended" in known:
        told["Suspended"] = False
    status = {**old, "conditions": ways.conditions(old.get("conditions") or [], told, at)}
    status["replicaStatuses"] = _counts(job, pods)
    status.setdefault("startTime", at)
    if word == "Succeeded" or (word == "Failed" and ways.ends_failed):
        status["completionTime"] = at
    return status


def _suspended(job: Json, pods: list[Json], ways: Ways) -> Json:
    old = job.get("status") or {}
    told = {"Created": True, "Running": False, "Restarting": False, "Suspended": True}
    counts = {name: {"active": 0, "succeeded": 0, "failed": 0} for name in _counts(job, pods)}
    conditions = ways.conditions(old.get("conditions") or [], told, now())
    return {"conditions": conditions, "replicaStatuses": counts}


# -- what is made


def _labels(job: Json, replica: Replica) -> dict[str, str]:
    return {
        f"{PREFIX}operator-name": "unusual",
        f"{PREFIX}job-name": job["metadata"]["name"],
        f"{PREFIX}replica-type": replica.kind,
        f"{PREFIX}replica-index": str(replica.index),
    }


def _port(spec: Json) -> int:
    main = [it for it in spec["template"]["spec"]["containers"] if it["name"] == MAIN]
    ports = [port for it in main for port in it.get("ports") or [] if port.get("name") == PORT]
    return int(ports[0]["containerPort"]) if ports else 2222


def _metadata(job: Json, replica: Replica) -> Json:
    return {
        "name": replica.name(job),
        "namespace": job["metadata"]["namespace"],
        "labels": _labels(job, replica),
        "ownerReferences": [controller_reference(job, VERSION, KIND)],
    }


def new_service(job: Json, replica: Replica) -> Json:
    """A headless service that leads to one replica."""
    port = {"name": PORT, "port": _port(replica.spec)}
    spec = {"clusterIP": "None", "selector": _labels(job, replica), "ports": [port]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": _metadata(job, replica), "spec": spec}


def new_pod(job: Json, replica: Replica) -> Json:
    """The pod of a replica."""
    template = replica.spec["template"]
    metadata = {**(template.get("metadata") or {}), **_metadata(job, replica)}
    metadata["labels"] = {**((template.get("metadata") or {}).get("labels") or {}), **metadata["labels"]}
    leading = [it for it in replicas(job) if it.kind in _LEADERS]
    if replica.kind in _LEADERS or (not leading and (replica.kind, replica.index) == ("worker", 0)):
        metadata["labels"][f"{PREFIX}job-role"] = "master"
    restart = replica.spec.get("restartPolicy") or "Never"
    spec = {**template["spec"], "restartPolicy": "Never" if restart == "ExitCode" else restart}
    spec["containers"] = [_told(job, replica, it) for it in spec["containers"]]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _told(job: Json, replica: Replica, container: Json) -> Json:
    everyone = replicas(job)
    if container["name"] != MAIN or len(everyone) == 1:
        return container
    cluster: dict[str, list[str]] = {}
    for it in everyone:
        address = f"{it.name(job)}.{job['metadata']['namespace']}.svc.cluster.local:{_port(it.spec)}"
        cluster.setdefault(it.kind, []).append(address)
    told: dict[str, Any] = {"cluster": cluster, "task": {"type": replica.kind, "index": replica.index}}
    value = json.dumps({**told, "environment": "cloud"})
    kept = [it for it in container.get("env") or [] if it["name"] != "TF_CONFIG"]
    return {**container, "env": [*kept, {"name": "TF_CONFIG", "value": value}]}


# -- doing it


def start(ways: Ways) -> None:
    """Work on all TFJobs, for ever."""

    def work(client: Client, view: View) -> None:
        failure: RefusedError | None = None
        for job in view["jobs"]:
            pods = [it for it in view["pods"] if controlled_by(it, job)]
            services = [it for it in view["services"] if controlled_by(it, job)]
            try:
                for step in ways.order(steps(job, pods, services, ways)):
                    _take(client, step, ways)
            except RefusedError as error:  # the other TFJobs go on
                failure = error
        if failure:
            raise failure

    run(ways.source, PATHS, work)


def _take(client: Client, step: Step, ways: Ways) -> None:
    metadata = step.it["metadata"]
    group = "/apis/kubeflow.org/v1" if step.of == "jobs" else "/api/v1"
    place = f"{group}/namespaces/{metadata['namespace']}/{'tfjobs' if step.of == 'jobs' else step.of}"
    path = f"{place}/{metadata['name']}"
    if step.what == "create":
        with gone_or_there(409):
            client.create(place, step.it)
    elif step.what == "status":
        with gone_or_there(404, 409):
            ways.write(client, path, step.it, step.status)
    else:
        client.delete(path, metadata["uid"], ways.propagation if step.of == "jobs" else "")
