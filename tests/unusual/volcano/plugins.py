"""The plugins of Volcano Jobs, in two ways each: what is made for them, and what they do to a pod. Pure."""

from __future__ import annotations

import base64
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.unusual.volcano.jobs import PREFIX, child, each, mounted

if TYPE_CHECKING:
    from tests.unusual.cluster import Json

SSH_FOLDER = "/root/.ssh"


@dataclass(frozen=True)
class Extra:
    """An object that is made for a Job: its collection, and its body."""

    of: str
    body: Json


def extras(job: Json) -> list[Extra]:
    """All that its plugins need."""
    made: list[Extra] = []
    plugins = job["spec"].get("plugins") or {}
    name, labels = job["metadata"]["name"], {f"{PREFIX}job-name": job["metadata"]["name"]}
    if "svc" in plugins:
        body = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": child(job, f"{name}-svc"),
            "data": hosts(job),
        }
        made.append(Extra("configmaps", body))
        spec: Json = {"clusterIP": "None", "selector": labels}
        body = {"apiVersion": "v1", "kind": "Service", "metadata": child(job, name), "spec": spec}
        made.append(Extra("services", body))
        if "--disable-network-policy=true" not in (plugins["svc"] or []):
            among = {"podSelector": {"matchLabels": labels}}
            spec = {**among, "ingress": [{"from": [among]}], "policyTypes": ["Ingress"]}
            head = {
                "apiVersion": "networking.k8s.io/v1",
                "kind": "NetworkPolicy",
                "metadata": child(job, name),
            }
            made.append(Extra("networkpolicies", {**head, "spec": spec}))
    if "ssh" in plugins:
        body = {"apiVersion": "v1", "kind": "Secret", "metadata": child(job, f"{name}-ssh"), "data": keys()}
        made.append(Extra("secrets", body))
    return made


def hosts(job: Json) -> Json:
    """The hosts of each task, a line each and with commas, and how many they are."""
    name = job["metadata"]["name"]
    listed: Json = {}
    for task in job["spec"]["tasks"]:
        word = task["name"].replace("-", "_")
        own = [f"{name}-{task['name']}-{i}.{name}" for i in range(task["replicas"])]
        listed |= {f"{word}.host": "\n".join(own), f"VC_{word.upper()}_HOSTS": ",".join(own)}
        listed |= {f"VC_{word.upper()}_NUM": str(len(own))}
    return listed


@functools.cache
def keys() -> Json:
    """A pair of keys; one is enough for a program that only shows how they are given."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    data = {"id_rsa": private, "id_rsa.pub": public, "authorized_keys": public}
    return {name: base64.b64encode(it).decode() for name, it in data.items()}


# -- one way: variables one by one, ConfigMap and Secret as volumes of their own


def _with(container: Json, variables: list[Json]) -> Json:
    return {**container, "env": [*(container.get("env") or []), *variables]}


def _named(job: Json, pod: Json) -> Json:
    names = {"hostname": pod["metadata"]["name"], "subdomain": job["metadata"]["name"]}
    return {**pod, "spec": {**pod["spec"], **names}}


def plainly(job: Json, pod: Json, index: int) -> Json:
    """The pod with what its plugins give it."""
    plugins, name = job["spec"].get("plugins") or {}, job["metadata"]["name"]
    if "env" in plugins:
        told = [{"name": it, "value": str(index)} for it in ("VC_TASK_INDEX", "VK_TASK_INDEX")]
        pod = each(pod, lambda it: _with(it, told))
    if "svc" in plugins:
        source = {"name": "hosts", "configMap": {"name": f"{name}-svc"}}
        pod = mounted(_named(job, pod), source, {"name": "hosts", "mountPath": "/etc/volcano"})
        sources = {it: {"name": f"{name}-svc", "key": it} for it in hosts(job) if it.startswith("VC_")}
        given = [{"name": it, "valueFrom": {"configMapKeyRef": source}} for it, source in sources.items()]
        pod = each(pod, lambda it: _with(it, given))
    if "ssh" in plugins:
        source = {"name": "keys", "secret": {"secretName": f"{name}-ssh", "defaultMode": 0o600}}
        pod = mounted(pod, source, {"name": "keys", "mountPath": SSH_FOLDER})
    return pod


# -- another way: whatever the kubelet can look up itself


def by_reference(job: Json, pod: Json, index: int) -> Json:  # noqa: ARG001  (called as the other way is)
    """The index from an annotation of the pod, all variables of the ConfigMap at once, projected volumes."""
    plugins, name = job["spec"].get("plugins") or {}, job["metadata"]["name"]
    if "env" in plugins:
        place = {"fieldRef": {"apiVersion": "v1", "fieldPath": f"metadata.annotations['{PREFIX}task-index']"}}
        told = [{"name": it, "valueFrom": place} for it in ("VC_TASK_INDEX", "VK_TASK_INDEX")]
        pod = each(pod, lambda it: _with(it, told))
    if "svc" in plugins:
        source = {"name": "hosts", "projected": {"sources": [{"configMap": {"name": f"{name}-svc"}}]}}
        pod = mounted(_named(job, pod), source, {"name": "hosts", "mountPath": "/etc/volcano/"})
        given = [{"configMapRef": {"name": f"{name}-svc"}}]
        pod = each(pod, lambda it: {**it, "envFrom": [*(it.get("envFrom") or []), *given]})
    if "ssh" in plugins:
        projected = {"sources": [{"secret": {"name": f"{name}-ssh"}}], "defaultMode": 0o600}
        pod = mounted(
            pod, {"name": "keys", "projected": projected}, {"name": "keys", "mountPath": SSH_FOLDER}
        )
    return pod
