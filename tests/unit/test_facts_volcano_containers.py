"""What each container of a Volcano Job has: its index, the lists of hosts, the keys."""

from __future__ import annotations

from typing import Any

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
from batchproof.profiles.volcano_job.facts.plugins import (
    HOSTS_FOLDER,
    SSH_FOLDER,
    volcano_hosts_given,
    volcano_indexes_told,
    volcano_keys_given,
)
from batchproof.profiles.volcano_job.objects import CONFIG_MAPS, SECRETS, VOLCANO_JOBS

OWNER = {"kind": "Job", "uid": "uid-a", "controller": True}
SPEC = {"tasks": [{"name": "work", "replicas": 1, "template": {}}]}
HOSTS = {"work.host": "a-work-0.a", "VC_WORK_HOSTS": "a-work-0.a", "VC_WORK_NUM": "1"}
KEYS = {"id_rsa": "x", "id_rsa.pub": "x", "authorized_keys": "x", "config": "x"}
INDEX = [{"name": name, "value": "0"} for name in ("VC_TASK_INDEX", "VK_TASK_INDEX")]
LISTS: list[Json] = [
    {"name": name, "valueFrom": {"configMapKeyRef": {"name": "a-svc", "key": name}}}
    for name in ("VC_WORK_HOSTS", "VC_WORK_NUM")
]
SWAPPED = [{**LISTS[0], "name": "VC_WORK_NUM"}, {**LISTS[1], "name": "VC_WORK_HOSTS"}]
MAP = {"configMap": {"name": "a-svc"}}
ONE_OF_THEM = {"configMap": {"name": "a-svc", "items": [{"key": "VC_WORK_NUM", "path": "VC_WORK_NUM"}]}}
SECRET = {"secret": {"secretName": "a-ssh"}}
FOLDED = {"secret": {"secretName": "a-ssh", "items": [{"key": key, "path": f".ssh/{key}"} for key in KEYS]}}
WITHOUT_ONE = {
    "secret": {
        "secretName": "a-ssh",
        "items": [{"key": key, "path": key} for key in ("id_rsa", "config")],
    }
}
AT_SSH = {"name": "v", "mountPath": SSH_FOLDER}
AT_HOSTS = {"name": "v", "mountPath": HOSTS_FOLDER}
ONE_BY_ONE = [{"name": "v", "mountPath": f"{SSH_FOLDER}/{key}", "subPath": key} for key in KEYS]


def with_(history: Story, resource: Resource, name: str, **body: Any) -> Story:
    """An object that the Job controls."""
    return history.stores(resource, name, {"metadata": {"ownerReferences": [OWNER]}, **body})


def job() -> Story:
    """A Job with the lists of its hosts, and with keys."""
    history = story().stores(VOLCANO_JOBS, "a", {"spec": SPEC})
    return with_(with_(history, CONFIG_MAPS, "a-svc", data=HOSTS), SECRETS, "a-ssh", data=KEYS)


def pod(*containers: Json, first: Json | None = None, volume: Json = SECRET) -> Story:
    """A pod with these containers, an init container, and a volume."""
    spec: Json = {
        "containers": [{"name": f"c-{number}", **it} for number, it in enumerate(containers)],
        "initContainers": [{"name": "first", **(containers[0] if first is None else first)}],
        "volumes": [{"name": "v", **volume}],
    }
    return with_(job(), PODS, "a-work-0", spec=spec)


def equipped(*mounts: Json, env: list[Json] = LISTS) -> Json:
    """A container with these mounts and variables."""
    return {"env": env, "volumeMounts": [*mounts]}


WHOLE = equipped(AT_HOSTS)
WITH_KEYS = equipped(AT_SSH)


@examples(
    volcano_indexes_told(),
    yes("all have it", pod({"env": INDEX}, {"env": INDEX})),
    no("the first one has", pod({"env": INDEX}, {})),
    no("the init container has none", pod({"env": INDEX}, first={})),
    volcano_hosts_given(),
    yes("all have lists", pod(WHOLE, WHOLE, volume=MAP)),
    no("the first has lists", pod(WHOLE, {}, volume=MAP)),
    no("no files in one", pod(WHOLE, first=equipped(), volume=MAP)),
    no("variables with the values of others", pod(equipped(AT_HOSTS, env=SWAPPED), volume=MAP)),
    no("no hosts", pod(WHOLE, volume=ONE_OF_THEM)),
    volcano_keys_given(),
    yes("all have keys", pod(WITH_KEYS, WITH_KEYS)),
    no("the first has keys", pod(WITH_KEYS, {})),
    no("no init container has keys", pod(WITH_KEYS, first={})),
    yes("file by file", pod(equipped(*ONE_BY_ONE))),
    yes("a folder of the volume", pod(equipped({**AT_SSH, "subPath": ".ssh"}), volume=FOLDED)),
    no("a folder too deep", pod(WITH_KEYS, volume=FOLDED)),
    no("a file is missing", pod(WITH_KEYS, volume=WITHOUT_ONE)),
    no("files of something else", pod(WITH_KEYS, volume=MAP)),
)
def test_a_fact_about_containers(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
