"""Facts about how the pods and services of a TFJob are made. A scenario has one TFJob."""

from __future__ import annotations

import json
from typing import Any

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, said
from batchproof.profiles.shared.facts.made import lacking
from batchproof.profiles.shared.objects.services import SERVICES, Service
from batchproof.profiles.tfjob.containers import CONTAINER
from batchproof.profiles.tfjob.facts.tfjobs import (
    PORT_NAME,
    PREFIX,
    listed,
    pod_of_replica,
    pods_of,
    services_of,
    tfjob,
    with_pods,
    with_specs,
)
from batchproof.profiles.tfjob.objects import TFJOBS, TFJob

_PORT = 2222
ROLE = f"{PREFIX}job-role"
"""The label of the pod that leads."""


def _port(job: TFJob, kind: str) -> int:
    """On which port replicas of this type are reached."""
    containers = job.template(kind).get("spec", {}).get("containers") or []
    ports = [port for it in containers if it["name"] == CONTAINER for port in it.get("ports") or []]
    return next((port["containerPort"] for port in ports if port.get("name") == PORT_NAME), _PORT)


@fact("each replica of the TFJob has a headless service that leads to it alone")
def tfjob_services(seen: Observed) -> Finding:
    """A service of the replica's name selects its pod and no other of the TFJob, and has its port."""
    job, pods = tfjob(seen), pods_of(seen)
    if job is None:
        return found(holds=False, observed="no such TFJob")
    services = {it.name: it for it in services_of(seen)}
    lacking = [name for name in job.names if name not in services]
    wrong = [it for it in services.values() if not _leads(it, job, pods)]
    names = in_words([it.name for it in wrong])
    observed = f"{counted(len(services), 'service')}; lacking {in_words(lacking)}; wrong {names}"
    holds = not lacking and not wrong
    return found(holds, observed=observed, decisive=[it.record for it in wrong[:1]])


def _leads(service: Service, job: TFJob, pods: list[Pod]) -> bool:
    port = _port(job, service.name.split("-")[-2])
    chosen = [pod.name for pod in pods if service.selector.items() <= pod.labels.items()]
    return service.headless and port in service.ports and chosen == [service.name]


@fact("each pod and service of the TFJob carries the labels of its replica")
def tfjob_labelled(seen: Observed) -> Finding:
    """The labels of training.kubeflow.org say whose it is, and which type and index it has."""
    job = tfjob(seen)
    made = [(job, it) for it in (*pods_of(seen), *services_of(seen))] if job else []
    wrong = [it for job, it in made if not labelled(it, job)]
    observed = (
        f"{wrong[0].name}: {in_words(wrong[0].metadata.get('labels'))}" if wrong else f"{len(made)} in all"
    )
    return found(made and not wrong, observed=observed, decisive=[it.record for it in wrong[:1]])


def labelled(it: ApiObject, job: TFJob) -> bool:
    """An object has the labels of the replica whose name it has."""
    labels = it.metadata.get("labels") or {}
    whose, *which = (labels.get(f"{PREFIX}{key}") for key in ("job-name", "replica-type", "replica-index"))
    named = it.name == "-".join(str(part) for part in (job.name, *which))
    return whose == job.name and named and bool(labels.get(f"{PREFIX}operator-name"))


@fact("{kind:word} {index:d} alone is the master of the TFJob")
def tfjob_master(seen: Observed, *, kind: str, index: int) -> Finding:
    """Its pod carries job-role=master, and no other pod does."""
    job = tfjob(seen)
    masters = [pod.name for pod in pods_of(seen) if pod.labels.get(ROLE) == "master"]
    wanted = [f"{job.name}-{kind.lower()}-{index}"] if job else []
    return found(masters and masters == wanted, observed=", ".join(masters) or "none")


@fact(
    "each pod and service of the TFJob has a controller reference to it, with blockOwnerDeletion",
)
def tfjob_controls(seen: Observed) -> Finding:
    """There is one of each for each replica; the garbage collector deletes both with the TFJob."""
    job = tfjob(seen)
    names = job.names if job else []
    made = [it for kind in (PODS, SERVICES) for it in seen.objects(kind).values() if it.name in names]
    wrong = [it for it in made if not _owned(it, job)] if job else []
    observed = (
        f"{wrong[0].name}: {in_words(wrong[0].metadata.get('ownerReferences'))}"
        if wrong
        else f"{len(made)} in all"
    )
    return found(names and len(made) == 2 * len(names) and not wrong, observed=observed)


def _owned(it: ApiObject, job: TFJob) -> bool:
    reference = {
        "apiVersion": TFJOBS.api_version,
        "kind": "TFJob",
        "name": job.name,
        "uid": job.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return reference in (it.metadata.get("ownerReferences") or [])


@fact("each pod of the TFJob is made as its template says")
def tfjob_by_template(seen: Observed) -> Finding:
    """It has all that the template of its type says, but for the restartPolicy."""
    pods = with_pods(seen)
    for job, pod in pods:
        template = dict(job.template(pod.labels.get(f"{PREFIX}replica-type", "")))
        template["spec"] = {**template.get("spec", {}), "restartPolicy": pod.spec.get("restartPolicy")}
        if why := lacking(template, pod):
            return found(
                holds=False, observed=said("{pod}: {why}", pod=pod.name, why=why), decisive=[pod.record]
            )
    return found(pods, observed=counted(len(pods), "pod"))


@fact("each pod of the TFJob has the restartPolicy {policy:word}")
def tfjob_restart_policy(seen: Observed, *, policy: str) -> Finding:
    """There are pods, and each has this restart policy."""
    policies = {pod.spec.get("restartPolicy") for pod in pods_of(seen)}
    return found(policies == {policy}, observed=in_words(policies) if policies else "no pod")


@fact("the TF_CONFIG of each pod names all replicas and its own")
def tf_config_whole(seen: Observed) -> Finding:
    """Every pod is given the addresses of all replicas by type, by index, and which one it is."""
    pods = with_specs(seen)
    wrong = [pod for jobs, pod in pods if not any(_names_replicas(tf_config(pod), pod, job) for job in jobs)]
    observed = f"{wrong[0].name}: {_told(tf_config(wrong[0]))}" if wrong else counted(len(pods), "pod")
    return found(pods and not wrong, observed=observed, decisive=[pod.record for pod in wrong[:1]])


@fact("<a|no> pod of the TFJob has a TF_CONFIG")
def tf_config_given(seen: Observed) -> Finding:
    """Some pod of it has this environment variable."""
    configured = [pod for pod in pods_of(seen) if tf_config(pod) is not None]
    return found(configured, observed=listed(configured), decisive=[pod.record for pod in configured[:1]])


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


def _told(config: Any) -> str:
    """What a TF_CONFIG says, in words."""
    if config is None:
        return "no TF_CONFIG"
    return in_words(config) if isinstance(config, dict) else "a TF_CONFIG that is no JSON object"


def _names_replicas(config: Any, pod: Pod, job: TFJob) -> bool:
    if not isinstance(config, dict) or config.get("environment") != "cloud":
        return False
    cluster, task = config.get("cluster") or {}, config.get("task") or {}
    place = str(pod.metadata.get("namespace", ""))
    told = {kind: [_address(it) for it in addresses] for kind, addresses in cluster.items()}
    return told == _addresses(job, place) and pod.name == f"{job.name}-{task.get('type')}-{task.get('index')}"


def _addresses(job: TFJob, place: str) -> dict[str, list[str]]:
    """The addresses of all replicas by type."""
    return {
        kind: [f"{job.name}-{kind}-{index}.{place}.svc:{_port(job, kind)}" for index in range(count)]
        for kind, count in job.replicas.items()
    }


def _address(text: str) -> str:
    """An address without the domain of the cluster."""
    host, _, port = text.rpartition(":")
    return f"{'.'.join(host.split('.')[:3])}:{port}"


@fact("the TF_CONFIG of each Worker names all PS and no other Worker")
def tf_config_sparse(seen: Observed) -> Finding:
    """Its cluster has the addresses of all PS, and that of the Worker itself by its index."""
    pods = [it for it in with_specs(seen) if it[1].labels.get(f"{PREFIX}replica-type") == "worker"]
    wrong = [pod for jobs, pod in pods if not any(_names_itself(tf_config(pod), pod, job) for job in jobs)]
    observed = f"{wrong[0].name}: {_told(tf_config(wrong[0]))}" if wrong else counted(len(pods), "pod")
    return found(pods and not wrong, observed=observed, decisive=[pod.record for pod in wrong[:1]])


@fact("the TF_CONFIG of {kind:word} {index:d} names all PS")
def tf_config_servers(seen: Observed, *, kind: str, index: int) -> Finding:
    """Its cluster has the addresses of all PS in the order of their indexes, whatever else is in it."""
    pod = pod_of_replica(seen, kind, index)
    config = tf_config(pod) if pod else None
    cluster = (config.get("cluster") or {}) if isinstance(config, dict) else {}
    told = [_address(it) for it in cluster.get("ps") or []]
    place = str(pod.metadata.get("namespace", "")) if pod else ""
    jobs = [job for states, it in with_specs(seen) if pod and it.uid == pod.uid for job in states]
    holds = any(told == _addresses(job, place).get("ps", []) for job in jobs)
    return found(holds, observed=_told(config) if pod else "no pod", decisive=[pod.record] if pod else [])


def _names_itself(config: Any, pod: Pod, job: TFJob) -> bool:
    if not isinstance(config, dict):
        return False
    cluster, index = config.get("cluster") or {}, pod.labels.get(f"{PREFIX}replica-index", "")
    all_, workers = _addresses(job, str(pod.metadata.get("namespace", ""))), cluster.get("worker")
    worker = {key: _address(it) for key, it in workers.items()} if isinstance(workers, dict) else {}
    own = {str(number): it for number, it in enumerate(all_.get("worker", ())) if str(number) == index}
    return (
        bool(own) and worker == own and [_address(it) for it in cluster.get("ps") or []] == all_.get("ps", [])
    )
