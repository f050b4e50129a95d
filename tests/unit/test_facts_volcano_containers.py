"""What each container of a Volcano Job has: its index, the lists of hosts, the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.profiles.volcano_job.facts.plugins import (
    HOSTS_FOLDER,
    SSH_FOLDER,
    volcano_hosts_given,
    volcano_indexes_told,
    volcano_keys_given,
)
from batchproof.profiles.volcano_job.objects import CONFIG_MAPS, SECRETS, VOLCANO_JOBS
from batchproof.resources import PODS, Resource

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

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
    [
        pytest.param(volcano_indexes_told(), pod({"env": INDEX}, {"env": INDEX}), True, id="all have it"),
        pytest.param(volcano_indexes_told(), pod({"env": INDEX}, {}), False, id="the first one has"),
        pytest.param(
            volcano_indexes_told(), pod({"env": INDEX}, first={}), False, id="the init container has none"
        ),
        pytest.param(volcano_hosts_given(), pod(WHOLE, WHOLE, volume=MAP), True, id="all have lists"),
        pytest.param(volcano_hosts_given(), pod(WHOLE, {}, volume=MAP), False, id="the first has lists"),
        pytest.param(
            volcano_hosts_given(),
            pod(WHOLE, first=equipped(), volume=MAP),
            False,
            id="no files in one",
        ),
        pytest.param(
            volcano_hosts_given(),
            *(pod(equipped(AT_HOSTS, env=SWAPPED), volume=MAP), False),
            id="variables with the values of others",
        ),
        pytest.param(volcano_hosts_given(), pod(WHOLE, volume=ONE_OF_THEM), False, id="no hosts"),
        pytest.param(volcano_keys_given(), pod(WITH_KEYS, WITH_KEYS), True, id="all have keys"),
        pytest.param(volcano_keys_given(), pod(WITH_KEYS, {}), False, id="the first has keys"),
        pytest.param(volcano_keys_given(), pod(WITH_KEYS, first={}), False, id="no init container has keys"),
        pytest.param(volcano_keys_given(), pod(equipped(*ONE_BY_ONE)), True, id="file by file"),
        pytest.param(
            volcano_keys_given(),
            *(pod(equipped({**AT_SSH, "subPath": ".ssh"}), volume=FOLDED), True),
            id="a folder of the volume",
        ),
        pytest.param(volcano_keys_given(), pod(WITH_KEYS, volume=FOLDED), False, id="a folder too deep"),
        pytest.param(volcano_keys_given(), pod(WITH_KEYS, volume=WITHOUT_ONE), False, id="a file is missing"),
        pytest.param(volcano_keys_given(), pod(WITH_KEYS, volume=MAP), False, id="files of something else"),
    ]
)
def test_a_fact_about_containers(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
