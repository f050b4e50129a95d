"""Facts about what the plugins of a Volcano Job make: for its pods, and in them."""

from __future__ import annotations

from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.facts.volcano import pods_of, volcano_job
from batchproof.judgement.facts.volcano_made import controlled_by
from batchproof.judgement.things.tfjob import SERVICES
from batchproof.judgement.things.volcano import (
    CONFIG_MAPS,
    NETWORK_POLICIES,
    PODGROUPS,
    SECRETS,
)
from batchproof.resources import CLAIMS, PODS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from batchproof.judgement.history import Json
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things import Thing
    from batchproof.judgement.things.core import Pod
    from batchproof.judgement.things.volcano import VolcanoJob
    from batchproof.resources import Resource

SSH_FOLDER = str(PurePosixPath("/", "root", ".ssh"))
"""Where the plugin ssh puts the keys, in every container (VOL-044)."""

EXTRAS = (CONFIG_MAPS, SERVICES, SECRETS, NETWORK_POLICIES)
MADE = (*EXTRAS, CLAIMS, PODGROUPS)
"""What is made for a Volcano Job beside its pods."""

_INDEX_NAMES = ("VC_TASK_INDEX", "VK_TASK_INDEX")
_JOB_NAME = "volcano.sh/job-name"
_KEYS = {"id_rsa", "id_rsa.pub", "authorized_keys"}


def _extra(seen: Observed, resource: Resource, name: str) -> Thing | None:
    """The object of this name that the Volcano Job controls, if it is there and not being deleted."""
    job = volcano_job(seen)
    named = (it for it in seen.named(resource, name) if controlled_by(job, it) and not it.deleting)
    return next(named, None)


def _hosts(job: VolcanoJob, task: Json) -> list[str]:
    """The hosts of a task, as the service of the Job knows them."""
    return [f"{job.name}-{task['name']}-{index}.{job.name}" for index in range(int(task["replicas"]))]


def _variables(
    pod: Pod, sources: Mapping[str, Collection[str]] = MappingProxyType({})
) -> Iterator[dict[str, Any]]:
    """The environment of each container, as a kubelet makes it; what it takes from elsewhere has any value.

    Args:
        pod: the pod.
        sources: the keys of each ConfigMap, by its name.
    """
    for container in pod.spec["containers"]:
        whole = [
            it.get("configMapRef") or {} for it in container.get("envFrom") or [] if not it.get("prefix")
        ]
        given: dict[str, Any] = {key: "" for it in whole for key in sources.get(it.get("name", ""), ())}
        yield given | {it["name"]: _value(pod, it) for it in container.get("env") or []}


def _value(pod: Pod, variable: Json) -> Any:
    """What a variable is worth: a text, or what a label or an annotation of the pod says."""
    source = variable.get("valueFrom") or {}
    place = str((source.get("fieldRef") or {}).get("fieldPath") or "")
    for kind, marks in (("labels", pod.labels), ("annotations", pod.annotations)):
        if place.startswith(f"metadata.{kind}['"):
            return marks.get(place.split("'")[1])
    return variable.get("value", source)


@fact("each container of the Volcano Job is told its index")
def volcano_indexes_told(seen: Observed) -> Finding:
    """Both variables have the index in the name of the pod, in every container of every pod."""
    pods = pods_of(seen)
    wrong = [
        pod.name
        for pod in pods
        for variables in _variables(pod)
        if any(variables.get(name) != pod.name.rpartition("-")[2] for name in _INDEX_NAMES)
    ]
    return found(pods and not wrong, observed=f"{len(pods)} pods, wrong: {wrong or 'none'}")


@fact("a ConfigMap lists the hosts of the Volcano Job by task")
def volcano_hosts_listed(seen: Observed) -> Finding:
    """``<job>-svc`` says which hosts each task has, a line each and with commas, and how many they are."""
    job = volcano_job(seen)
    listed = _extra(seen, CONFIG_MAPS, f"{job.name}-svc") if job else None
    if job is None or listed is None:
        return found(holds=False, observed="no ConfigMap")
    wanted: dict[str, str] = {}
    for task in job.spec["tasks"]:
        word, hosts = task["name"].replace("-", "_"), _hosts(job, task)
        wanted |= {f"{word}.host": "\n".join(hosts), f"VC_{word.upper()}_HOSTS": ",".join(hosts)}
        wanted |= {f"VC_{word.upper()}_NUM": str(len(hosts))}
    data = listed.raw.get("data") or {}
    return found(wanted.items() <= data.items(), observed=str(data), decisive=[listed.record])


@fact("a headless service leads to the pods of the Volcano Job by name")
def volcano_service(seen: Observed) -> Finding:
    """It has the name of the Job and selects its pods, which have their names as hosts in it."""
    job, pods = volcano_job(seen), pods_of(seen)
    service = _extra(seen, SERVICES, job.name) if job else None
    if job is None or service is None or not pods:
        return found(holds=False, observed=f"{len(pods)} pods, {'a' if service else 'no'} service")
    selector = service.spec.get("selector") or {}
    right = service.spec.get("clusterIP") == "None" and selector.get(_JOB_NAME) == job.name
    apart = [
        pod.name
        for pod in pods
        if not selector.items() <= pod.labels.items()
        or (pod.spec.get("hostname"), pod.spec.get("subdomain")) != (pod.name, job.name)
    ]
    return found(right and not apart, observed=f"{service.spec.get('clusterIP')} {selector}, not: {apart}")


@fact("each container of the Volcano Job has the lists of hosts")
def volcano_hosts_given(seen: Observed) -> Finding:
    """As variables from the ConfigMap, and as files in /etc/volcano."""
    job, pods = volcano_job(seen), pods_of(seen)
    if job is None or not pods:
        return found(holds=False, observed=f"{len(pods)} pods")
    words = [task["name"].replace("-", "_").upper() for task in job.spec["tasks"]]
    names = {f"VC_{word}_{what}" for word in words for what in ("HOSTS", "NUM")}
    listed = _extra(seen, CONFIG_MAPS, f"{job.name}-svc")
    sources = {listed.name: [*(listed.raw.get("data") or {})]} if listed else {}
    bare = [pod.name for pod in pods for it in _variables(pod, sources) if not names <= it.keys()]
    bare += [pod.name for pod in pods if not _mounted(pod, "/etc/volcano", "configMap", f"{job.name}-svc")]
    return found(not bare, observed=f"{len(pods)} pods, not: {bare or 'none'}")


def _mounted(pod: Pod, path: str, kind: str, name: str) -> bool:
    """Every container mounts this ConfigMap, or Secret, there, alone or in a projected volume."""
    volumes = [it["name"] for it in pod.spec.get("volumes") or [] if name in _sources(it, kind)]
    return bool(volumes) and all(
        any(
            it["name"] in volumes and _same(it["mountPath"], path)
            for it in container.get("volumeMounts") or []
        )
        for container in pod.spec["containers"]
    )


def _sources(volume: Json, kind: str) -> list[str | None]:
    """The names of the ConfigMaps, or Secrets, that a volume shows."""
    alone = volume.get(kind) or {}
    projected = [it.get(kind) or {} for it in (volume.get("projected") or {}).get("sources") or []]
    return [alone.get("secretName") or alone.get("name"), *(it.get("name") for it in projected)]


def _same(place: str, other: str) -> bool:
    return PurePosixPath(place) == PurePosixPath(other)


@fact("the Volcano Job <has a|has no> NetworkPolicy")
def volcano_network_policy(seen: Observed) -> Finding:
    """One of its name selects its pods and lets in nobody but them."""
    job = volcano_job(seen)
    policy = _extra(seen, NETWORK_POLICIES, job.name) if job else None
    if job is None or policy is None:
        return found(holds=False, observed="none")
    peers = [peer for rule in policy.spec.get("ingress") or [] for peer in rule.get("from") or []]
    chosen = [policy.spec.get("podSelector"), *(peer.get("podSelector") for peer in peers)]
    holds = peers and all(((it or {}).get("matchLabels") or {}).get(_JOB_NAME) == job.name for it in chosen)
    return found(holds, observed=str(policy.spec), decisive=[policy.record])


@fact("each container of the Volcano Job has the keys of its Secret")
def volcano_keys_given(seen: Observed) -> Finding:
    """``<job>-ssh`` has a private key, its public one, who may log in; every container mounts it."""
    job, pods = volcano_job(seen), pods_of(seen)
    secret = _extra(seen, SECRETS, f"{job.name}-ssh") if job else None
    if job is None or secret is None or not pods:
        return found(holds=False, observed=f"{len(pods)} pods, {'a' if secret else 'no'} Secret")
    keys = {name for name, value in (secret.raw.get("data") or {}).items() if value}
    bare = [pod.name for pod in pods if not _mounted(pod, SSH_FOLDER, "secret", secret.name)]
    return found(keys >= _KEYS and not bare, observed=f"{sorted(keys)}, not mounted by {bare or 'none'}")


@fact("what the plugins of the Volcano Job need was there before its pods")
def volcano_extras_first(seen: Observed) -> Finding:
    """By the order of revisions, all that there is of it was made before the first pod."""
    job, pods = volcano_job(seen), pods_of(seen)
    made: list[str] = []
    extras = {it.uid for kind in EXTRAS for it in seen.objects(kind).values() if controlled_by(job, it)}
    for kind, thing in seen.in_order(PODS, *EXTRAS):
        if kind == "ADDED" and thing.resource == PODS and controlled_by(job, thing):
            late = len(extras) - len(made)
            return found(pods and made and not late, observed=f"{len(made)} before, {late} after")
        if kind == "ADDED" and thing.uid in extras:
            made.append(thing.name)
    return found(holds=False, observed=f"{len(made)} made, no pod")


@fact("nothing is left of the plugins of the Volcano Job")
def volcano_extras_gone(seen: Observed) -> Finding:
    """There was something of theirs, and all of it is gone or being deleted."""
    had = [it for kind in EXTRAS for _, it in seen.versions(kind) if _of_a_job(it)]
    left = [
        it.name for kind in EXTRAS for it in seen.objects(kind).values() if _of_a_job(it) and not it.deleting
    ]
    return found(had and not left, observed=f"left: {left or 'none'}, of {len(had)} versions")


@fact("all that the Volcano Job needs has been made for it")
def volcano_all_made(seen: Observed) -> Finding:
    """There has been something of each kind that a Job with a volume and the plugins svc and ssh needs."""
    missing = [
        kind.plural for kind in (PODS, *MADE) if not any(_of_a_job(it) for _, it in seen.versions(kind))
    ]
    return found(not missing, observed=f"never made: {', '.join(missing) or 'none'}")


@fact("nothing is left of what was made for the Volcano Job", within="recovery")
def volcano_all_gone(seen: Observed) -> Finding:
    """Something was made for it, and all that a Job controls is gone, or a claim being deleted.

    The finalizer of a claim in use is removed by a controller of a cluster that has nodes.
    """
    had = any(_of_a_job(it) for kind in (PODS, *MADE) for _, it in seen.versions(kind))
    left = [
        it.name
        for kind in (PODS, *MADE)
        for it in seen.objects(kind).values()
        if _of_a_job(it) and not (kind == CLAIMS and it.deleting)
    ]
    return found(had and not left, observed=f"left: {left or 'none'}" if had else "nothing was made")


def _of_a_job(thing: Thing) -> bool:
    owners = thing.metadata.get("ownerReferences") or []
    return any(it.get("controller") and it.get("kind") == "Job" for it in owners)
