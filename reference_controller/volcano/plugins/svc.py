"""The plugin svc: the pods of a Job find each other by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.objects.api_json import Json
from reference_controller.objects.resources import SERVICES, Resource
from reference_controller.volcano.objects import Job, Task
from reference_controller.volcano.plugins.extra import Extra, mounted, with_variables

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIG_MAPS = Resource("", "v1", "configmaps")
NETWORK_POLICIES = Resource("networking.k8s.io", "v1", "networkpolicies")
_OPEN = {"--disable-network-policy", "--disable-network-policy=true"}
_EARLY = {"--publish-not-ready-addresses", "--publish-not-ready-addresses=true"}


def extras(job: Job, said: list[str]) -> tuple[Extra, ...]:
    """VOL-043: the lists of hosts, a headless service, and a policy that admits no other pod."""
    labels = {"volcano.sh/job-name": job.name, "volcano.sh/job-namespace": job.namespace}
    service = {
        "clusterIP": "None",
        "selector": labels,
        "publishNotReadyAddresses": not _EARLY.isdisjoint(said),
    }
    among = {"podSelector": {"matchLabels": labels}}
    policy = {**among, "ingress": [{"from": [among]}], "policyTypes": ["Ingress"]}
    made = [
        Extra(CONFIG_MAPS, "ConfigMap", config_map(job), {"data": hosts(job)}),
        Extra(SERVICES, "Service", job.name, {"spec": service}),
    ]
    if _OPEN.isdisjoint(said):
        made.append(Extra(NETWORK_POLICIES, "NetworkPolicy", job.name, {"spec": policy}))
    return tuple(made)


def equipped(spec: Json, job: Job, name: str, index: int) -> Json:  # noqa: ARG001 - as all plugins are called
    """VOL-043: a name in the service, the lists of hosts as files and in the environment."""
    sources = {key: {"name": config_map(job), "key": key} for key in hosts(job) if key.startswith("VC_")}
    variables = [{"name": key, "valueFrom": {"configMapKeyRef": source}} for key, source in sources.items()]
    spec = with_variables(spec, variables)
    volume = {"name": config_map(job), "configMap": {"name": config_map(job)}}
    spec = mounted(spec, volume, {"name": config_map(job), "mountPath": "/etc/volcano"})
    named = {"hostname": spec.get("hostname") or name, "subdomain": spec.get("subdomain") or job.name}
    return {**spec, **named}


def config_map(job: Job) -> str:
    """The name of the ConfigMap."""
    return f"{job.name}-svc"


def hosts(job: Job) -> dict[str, str]:
    """VOL-043: for each task the hosts, a line each, the same with commas, and how many they are."""
    lists: dict[str, str] = {}
    for task in job.tasks:
        word, names = task.name.replace("-", "_"), list(_hosts(job, task))
        lists |= {f"{word}.host": "\n".join(names), f"VC_{word.upper()}_HOSTS": ",".join(names)}
        lists |= {f"VC_{word.upper()}_NUM": str(len(names))}
    return lists


def _hosts(job: Job, task: Task) -> Iterator[str]:
    spec = task.template["spec"]
    subdomain = spec.get("subdomain") or job.name
    if spec.get("hostname"):
        yield f"{spec['hostname']}.{subdomain}"
    else:
        yield from (f"{job.name}-{task.name}-{index}.{subdomain}" for index in range(task.replicas))
