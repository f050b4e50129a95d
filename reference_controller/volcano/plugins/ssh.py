"""The plugin ssh: the pods of a Job may log in to each other."""

from __future__ import annotations

from pathlib import PurePosixPath

from reference_controller.objects.api_json import Json
from reference_controller.objects.resources import Resource
from reference_controller.volcano.objects import Job
from reference_controller.volcano.plugins.extra import Extra, mounted

SECRETS = Resource("", "v1", "secrets")
PRIVATE, PUBLIC, AUTHORIZED, CONFIG = "id_rsa", "id_rsa.pub", "authorized_keys", "config"
_FOLDER = ".ssh"
MOUNT = str(PurePosixPath("/", "root", _FOLDER))
"""Where ssh looks for the keys of the user that a container runs as by default."""


def extras(job: Job, said: list[str]) -> tuple[Extra, ...]:  # noqa: ARG001 - as all plugins are called
    """VOL-044: a Secret with a pair of keys."""
    return (Extra(SECRETS, "Secret", secret(job), {"stringData": {CONFIG: config(job)}}, has_keys=True),)


def equipped(spec: Json, job: Job, name: str, index: int) -> Json:  # noqa: ARG001 - as all plugins are called
    """VOL-044: the keys lie in the folder .ssh of every container."""
    items = [{"key": key, "path": f"{_FOLDER}/{key}"} for key in (PRIVATE, PUBLIC, AUTHORIZED, CONFIG)]
    source = {"secretName": secret(job), "items": items, "defaultMode": 0o600}
    mount = {"name": secret(job), "mountPath": MOUNT, "subPath": _FOLDER}
    return mounted(spec, {"name": secret(job), "secret": source}, mount)


def secret(job: Job) -> str:
    """The name of the Secret."""
    return f"{job.name}-ssh"


def config(job: Job) -> str:
    """What allows ssh to each pod of the Job without a question."""
    lines = ["StrictHostKeyChecking no", "UserKnownHostsFile /dev/null"]
    for task, index in job.indexes:
        host = f"{job.name}-{task.name}-{index}"
        lines += [f"Host {host}", f"  HostName {host}.{job.name}"]
    return "\n".join(lines) + "\n"
