"""Facts about TFJobs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.judgement.facts.tfjob import (
    tf_config_given,
    tf_config_whole,
    tfjob_condition,
    tfjob_has_been,
    tfjob_pod_asked_twice,
    tfjob_pods,
    tfjob_pods_and_services,
    tfjob_replica_replaced,
    tfjob_replica_runs,
    tfjob_services,
)
from batchproof.judgement.things.tfjob import SERVICES, TFJOBS
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

OWNER = {"uid": "uid-a", "controller": True}
SPEC = {"tfReplicaSpecs": {"PS": {"replicas": 1}, "Worker": {"replicas": 1}}}
CLUSTER = {"ps": ["a-ps-0.n.svc:2222"], "worker": ["a-worker-0.n.svc:2222"]}
EXISTS = {"reason": "AlreadyExists"}


def job(*conditions: str, before: str = "") -> Story:
    """A TFJob of one PS and one Worker that has these conditions, and had another one before."""
    told = story().stores(TFJOBS, "a", {"spec": SPEC})
    for types in ([before], conditions) if before else (conditions,):
        status = [{"type": it, "status": "True", "reason": f"TFJob{it}"} for it in types]
        told = told.stores(TFJOBS, "a", {"spec": SPEC, "status": {"conditions": status}})
    return told


def pod(told: Story, replica: str, phase: str = "Running", config: Any = None, uid: str = "") -> Story:
    """The pod of a replica."""
    env = [] if config is None else [{"name": "TF_CONFIG", "value": config}]
    metadata: Json = {"ownerReferences": [OWNER], "namespace": "n", "labels": {"job": "a", "which": replica}}
    metadata |= {"uid": uid} if uid else {}
    spec = {"containers": [{"name": "tensorflow", "env": env}]}
    return told.stores(PODS, f"a-{replica}", {"metadata": metadata, "spec": spec, "status": {"phase": phase}})


def pods(told: Story) -> Story:
    """The pods of both replicas."""
    return pod(pod(told, "ps-0"), "worker-0")


def service(told: Story, replica: str, *, ip: str = "None", port: int = 2222, **selector: str) -> Story:
    """The service of a replica."""
    spec = {"clusterIP": ip, "selector": selector or {"which": replica}, "ports": [{"port": port}]}
    return told.stores(SERVICES, f"a-{replica}", {"metadata": {"ownerReferences": [OWNER]}, "spec": spec})


def services(told: Story) -> Story:
    """The services of both replicas."""
    return service(service(told, "ps-0"), "worker-0")


def configured(cluster: Json, **other: Any) -> Story:
    """Both pods are told this cluster."""
    told = job()
    for kind in ("ps", "worker"):
        config = {"cluster": cluster, "task": {"type": kind, "index": 0}, "environment": "cloud", **other}
        told = pod(told, f"{kind}-0", config=json.dumps(config))
    return told


def again(told: Story, phase: str = "Running") -> Story:
    """The pod of the Worker is gone, and there is another one."""
    return pod(told.removes(PODS, "a-worker-0"), "worker-0", phase, uid="another")


IN_DOMAIN = {"ps": ["a-ps-0.n.svc.example.com:2222"], "worker": ["a-worker-0.n.svc.example.com:2222"]}


@examples(
    [
        pytest.param(tfjob_condition(condition="Running"), job("Created", "Running"), True, id="it runs"),
        pytest.param(tfjob_condition(condition="Running"), job("Created"), False, id="not yet"),
        pytest.param(tfjob_condition(condition="Running"), story(), False, id="no TFJob"),
        pytest.param(
            tfjob_has_been(condition="Restarting", reason="TFJobRestarting"),
            *(job("Running", before="Restarting"), True),
            id="it was restarting",
        ),
        pytest.param(
            tfjob_has_been(condition="Restarting", reason="TFJobRestarting"),
            *(job("Running"), False),
            id="it never was",
        ),
        pytest.param(tfjob_pods(count=2), pods(job()), True, id="a pod for each replica"),
        pytest.param(tfjob_pods(count=2), pod(job(), "ps-0"), False, id="one is lacking"),
        pytest.param(tfjob_pods(count=2), pod(pod(job(), "ps-0"), "ps-1"), False, id="another index"),
        pytest.param(tfjob_pods(count=3), pods(job()), False, id="the wrong number"),
        pytest.param(tfjob_pods_and_services(count=2), services(pods(job())), True, id="both have both"),
        pytest.param(
            tfjob_pods_and_services(count=1),
            *(services(pod(job(), "ps-0")), False),
            id="a service outlasts its pod",
        ),
        pytest.param(tfjob_pods_and_services(count=0), job(), True, id="none at all"),
        pytest.param(tfjob_services(), services(pods(job())), True, id="each has a service"),
        pytest.param(tfjob_services(), service(pods(job()), "ps-0"), False, id="one has none"),
        pytest.param(
            tfjob_services(),
            *(service(service(pods(job()), "ps-0"), "worker-0", ip="10.0.0.1"), False),
            id="it has an address",
        ),
        pytest.param(
            tfjob_services(),
            *(service(service(pods(job()), "ps-0"), "worker-0", port=80), False),
            id="another port",
        ),
        pytest.param(
            tfjob_services(),
            *(service(service(pods(job()), "ps-0"), "worker-0", job="a"), False),
            id="it leads to all",
        ),
        pytest.param(tf_config_whole(), configured(CLUSTER), True, id="all is told"),
        pytest.param(tf_config_whole(), configured(IN_DOMAIN), True, id="with a domain"),
        pytest.param(tf_config_whole(), configured({"ps": CLUSTER["ps"]}), False, id="one type"),
        pytest.param(tf_config_whole(), configured(CLUSTER, environment="local"), False, id="not of a cloud"),
        pytest.param(
            tf_config_whole(),
            *(configured(CLUSTER, task={"type": "ps", "index": 0}), False),
            id="another's task",
        ),
        pytest.param(tf_config_whole(), pod(job(), "ps-0", config="{"), False, id="no JSON"),
        pytest.param(tf_config_whole(), pods(job()), False, id="not told"),
        pytest.param(tf_config_given(), pod(job(), "ps-0", config="{}"), True, id="one is told"),
        pytest.param(tf_config_given(), pods(job()), False, id="none is told"),
        pytest.param(tfjob_replica_runs(kind="Worker", index=0), pods(job()), True, id="the Worker runs"),
        pytest.param(
            tfjob_replica_runs(kind="Worker", index=0),
            *(pod(job(), "worker-0", "Pending"), False),
            id="it waits",
        ),
        pytest.param(tfjob_replica_runs(kind="PS", index=0), job(), False, id="it has no pod"),
        pytest.param(
            tfjob_replica_replaced(kind="Worker", index=0), again(pods(job())), True, id="another pod"
        ),
        pytest.param(tfjob_replica_replaced(kind="Worker", index=0), pods(job()), False, id="the same pod"),
        pytest.param(
            tfjob_replica_replaced(kind="Worker", index=0),
            *(again(pods(job()), "Failed"), False),
            id="another one that has ended",
        ),
        pytest.param(
            tfjob_pod_asked_twice(),
            *(job().asks("create", "pods").answered(409, body=EXISTS), True),
            id="asked for again",
        ),
        pytest.param(tfjob_pod_asked_twice(), job().write("create", "pods"), False, id="asked for once"),
        pytest.param(
            tfjob_pod_asked_twice(),
            *(job().asks("create", "pods").answered(409, body=EXISTS, fault="a fault"), False),
            id="refused by a fault",
        ),
    ]
)
def test_a_fact_about_tfjobs(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
