"""Facts about a TFJob, its pods and their services. A scenario has one TFJob.

A pod belongs to a replica by its name, which is prescribed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from batchproof.judgement.facts import WRITES, Finding, fact, found
from batchproof.judgement.things.tfjob import SERVICES, TFJOBS, Service, TFJob
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.judgement.observed import Observed, Write
    from batchproof.judgement.things.core import Pod

CONTAINER = "tensorflow"
PORT = 2222
_CONFLICT = 409


def tfjob(seen: Observed) -> TFJob | None:
    """The scenario's TFJob, if there is one now."""
    things = seen.objects.get(TFJOBS, {}).values()
    return next((thing for thing in things if isinstance(thing, TFJob)), None)


def pods_of(seen: Observed) -> list[Pod]:
    """The pods that the TFJob controls now, without those that are being deleted."""
    return [pod for pod in seen.owned(tfjob(seen)).pods.values() if not pod.deleting]


def services_of(seen: Observed) -> list[Service]:
    """The services that the TFJob controls now, without those that are being deleted."""
    job = tfjob(seen)
    services = [it for it in seen.objects.get(SERVICES, {}).values() if isinstance(it, Service)]
    return [it for it in services if job and it.controller_uid == job.uid and not it.deleting]


def pod_of_replica(seen: Observed, kind: str, index: int) -> Pod | None:
    """The pod of this replica, if there is one now."""
    job = tfjob(seen)
    name = f"{job.name}-{kind.lower()}-{index}" if job else ""
    return next((pod for pod in pods_of(seen) if pod.name == name), None)


def _listed(pods: list[Pod]) -> str:
    return ", ".join(f"{pod.name} {pod.phase}" for pod in pods) or "none"


@fact("the TFJob is <|not >{condition:word}", on=[TFJOBS], within="settle")
def tfjob_condition(seen: Observed, *, condition: str) -> Finding:
    """Its status has this condition, and it is True."""
    job = tfjob(seen)
    observed = " ".join(job.words) or "no status yet" if job else "no such TFJob"
    return found(job and job.condition(condition), observed=observed, decisive=[job.record] if job else [])


class _Conditions:
    """The first version of a TFJob in which each condition was True, by type and reason."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str], int] = {}

    def take(self, _: str, job: TFJob) -> None:
        for it in job.status.get("conditions") or []:
            if it["status"] == "True":
                self.first.setdefault((it["type"], it.get("reason", "")), job.record)


@fact("the TFJob has been {condition:word} for the reason {reason:word}", on=[TFJOBS], within="settle")
def tfjob_has_been(seen: Observed, *, condition: str, reason: str) -> Finding:
    """Some version of it had this condition, True and with this reason."""
    first = seen.versions(TFJOBS).fold(_Conditions).first
    record = first.get((condition, reason))
    observed = ", ".join(f"{kind} ({why})" for kind, why in first) or "no condition"
    return found(record is not None, observed=observed, decisive=[] if record is None else [record])


@fact("the TFJob has one pod for each of its {count:d} [replica|replicas]", on=[TFJOBS, PODS])
def tfjob_pods(seen: Observed, *, count: int) -> Finding:
    """Its pods are named as its replicas are, by its spec, and there is no other."""
    job, pods = tfjob(seen), pods_of(seen)
    names = sorted(pod.name for pod in pods)
    return found(job and len(names) == count and names == sorted(job.names), observed=_listed(pods))


@fact("the TFJob has {count:d} [pod|pods] and as many services", on=[TFJOBS, PODS, SERVICES])
def tfjob_pods_and_services(seen: Observed, *, count: int) -> Finding:
    """So many pods are controlled by it, whatever their phase, and each has a service of its name."""
    pods, services = pods_of(seen), sorted(it.name for it in services_of(seen))
    holds = len(pods) == count and services == sorted(pod.name for pod in pods)
    return found(holds, observed=f"pods: {_listed(pods)}; services: {', '.join(services) or 'none'}")


@fact("each replica of the TFJob has a headless service that leads to it alone", on=[TFJOBS, PODS, SERVICES])
def tfjob_services(seen: Observed) -> Finding:
    """A service of the replica's name selects its pod and no other of the TFJob, and has its port."""
    job, pods = tfjob(seen), pods_of(seen)
    services = {it.name: it for it in services_of(seen)}
    lacking = [name for name in job.names if name not in services] if job else ["no such TFJob"]
    wrong = [it for it in services.values() if not _leads(it, pods)]
    observed = f"{len(services)} services; lacking {lacking}; wrong {[it.name for it in wrong]}"
    holds = pods and not lacking and not wrong
    return found(holds, observed=observed, decisive=[it.record for it in wrong[:1]])


def _leads(service: Service, pods: list[Pod]) -> bool:
    chosen = [pod.name for pod in pods if service.selector.items() <= pod.labels.items()]
    return service.headless and PORT in service.ports and chosen == [service.name]


@fact("the TF_CONFIG of each pod names all replicas and its own", on=[TFJOBS, PODS])
def tf_config_whole(seen: Observed) -> Finding:
    """Every pod is given the addresses of all replicas by type, by index, and which one it is."""
    job, pods = tfjob(seen), pods_of(seen)
    wrong = [pod for pod in pods if not job or not _names_replicas(tf_config(pod), pod, job)]
    observed = f"{wrong[0].name}: {tf_config(wrong[0])}" if wrong else f"{len(pods)} pods"
    return found(pods and not wrong, observed=observed, decisive=[pod.record for pod in wrong[:1]])


@fact("<a|no> pod of the TFJob has a TF_CONFIG", on=[TFJOBS, PODS])
def tf_config_given(seen: Observed) -> Finding:
    """Some pod of it has this environment variable."""
    configured = [pod for pod in pods_of(seen) if tf_config(pod) is not None]
    return found(configured, observed=_listed(configured), decisive=[pod.record for pod in configured[:1]])


def tf_config(pod: Pod) -> Any:
    """What TF_CONFIG gives a pod; None without one, and the text if it is no JSON."""
    containers: list[Json] = pod.spec.get("containers") or []
    variables = [it for part in containers if part["name"] == CONTAINER for it in part.get("env") or []]
    text = next((it.get("value", "") for it in variables if it["name"] == "TF_CONFIG"), None)
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _names_replicas(config: Any, pod: Pod, job: TFJob) -> bool:
    if not isinstance(config, dict) or config.get("environment") != "cloud":
        return False
    cluster, task = config.get("cluster") or {}, config.get("task") or {}
    place = str(pod.metadata.get("namespace", ""))
    wanted = {
        kind: [f"{job.name}-{kind}-{index}.{place}.svc" for index in range(count)]
        for kind, count in job.replicas.items()
    }
    hosts = {kind: [_host(address) for address in addresses] for kind, addresses in cluster.items()}
    return hosts == wanted and pod.name == f"{job.name}-{task.get('type')}-{task.get('index')}"


def _host(address: str) -> str:
    """The host of an address with the port of TFJobs, without the domain of the cluster."""
    host, _, port = address.rpartition(":")
    return ".".join(host.split(".")[:3]) if port == str(PORT) else address


@fact("{kind:word} {index:d} of the TFJob runs", on=[TFJOBS, PODS])
def tfjob_replica_runs(seen: Observed, *, kind: str, index: int) -> Finding:
    """The replica has a pod that runs."""
    pod = pod_of_replica(seen, kind, index)
    return found(pod and pod.phase == "Running", observed=pod.phase if pod else "no pod")


@fact("{kind:word} {index:d} of the TFJob is replaced", on=[TFJOBS, PODS], within="settle")
def tfjob_replica_replaced(seen: Observed, *, kind: str, index: int) -> Finding:
    """Its first pod is gone, and another one of its name is there that has not ended."""
    pod = pod_of_replica(seen, kind, index)
    first = seen.versions(PODS).fold(_Firsts).first
    holds = pod and not pod.finished and first.get(pod.name) != pod.uid
    return found(holds, observed=f"{pod.name} {pod.phase}, UID {pod.uid}" if pod else "no pod")


class _Firsts:
    """The UID of the first pod of each name."""

    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def take(self, _: str, pod: Pod) -> None:
        self.first.setdefault(pod.name, pod.uid)


@fact("<a|no> pod is asked for that the TFJob has already", on=[WRITES])
def tfjob_pod_asked_twice(seen: Observed) -> Finding:
    """A creation of a pod was refused with 409 because there was one of its name.

    Such a request is known by its reply, because some implementations send bodies that are not JSON.
    """
    refused = [write for write in seen.writes_to(PODS, "create") if _refused(write)]
    return found(
        refused, observed=f"{len(refused)} asked for again", decisive=[write.number for write in refused[:1]]
    )


def _refused(write: Write) -> bool:
    if write.reply is None or write.reply.status != _CONFLICT or write.reply.fault:
        return False
    return isinstance(write.reply.body, dict) and write.reply.body.get("reason") == "AlreadyExists"
