"""Facts about TFJobs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.judgement.history import Request
from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.facts.groups import (
    group_written,
    tfjob_gang_scheduled,
    tfjob_group_ended,
    tfjob_group_minimum,
    tfjob_group_queue,
    tfjob_group_resources,
    tfjob_group_says,
    tfjob_grouped,
    tfjob_template_scheduled,
)
from batchproof.profiles.tfjob.facts.made import (
    tf_config_given,
    tf_config_sparse,
    tf_config_whole,
    tfjob_by_template,
    tfjob_controls,
    tfjob_labelled,
    tfjob_master,
    tfjob_restart_policy,
    tfjob_services,
)
from batchproof.profiles.tfjob.facts.status import (
    tfjob_condition,
    tfjob_conditions_sound,
    tfjob_deleted_no_sooner,
    tfjob_event,
    tfjob_event_repeated,
    tfjob_failed_no_sooner,
    tfjob_gone,
    tfjob_has_been,
    tfjob_reports,
    tfjob_resumed,
    tfjob_started_at_resume,
    tfjob_times,
    tfjob_times_kept,
)
from batchproof.profiles.tfjob.facts.tfjobs import (
    tfjob_owns,
    tfjob_pod_asked_twice,
    tfjob_pods,
    tfjob_pods_and_services,
    tfjob_released,
    tfjob_replica_active,
    tfjob_replica_pods_at_most,
    tfjob_replica_replaced,
    tfjob_replica_runs,
    tfjob_service_asked_twice,
)
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.resources import EVENTS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.resources import Resource

Json = dict[str, Any]

OWNER = {"uid": "uid-a", "controller": True}
TEMPLATE: Json = {"metadata": {"annotations": {"note": "kept"}}, "spec": {"restartPolicy": "Always"}}
TYPES = {kind: {"replicas": 1, "template": TEMPLATE} for kind in ("PS", "Worker")}
SPEC: Json = {"tfReplicaSpecs": TYPES}
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


PORTS = [{"name": "metrics", "containerPort": 7001}, {"name": "tfjob-port", "containerPort": 7000}]
CONTAINERS = [
    {"name": "beside", "ports": [{"name": "tfjob-port", "containerPort": 7002}]},
    {"name": "silent"},
    {"name": "tensorflow", "ports": PORTS},
]


def by_port(port: int) -> Story:
    """A TFJob whose template names ports, and services that lead to this one."""
    template = {**TEMPLATE, "spec": {**TEMPLATE["spec"], "containers": CONTAINERS}}
    types = {kind: {"replicas": 1, "template": template} for kind in ("PS", "Worker")}
    told = pods(story().stores(TFJOBS, "a", {"spec": {"tfReplicaSpecs": types}}))
    return service(service(told, "ps-0", port=port), "worker-0", port=port)


def refused_twice() -> Story:
    """Two pods are asked for that are there."""
    history = job()
    for name in ("a-ps-0", "a-worker-0"):
        history.asks("create", "pods", name).answered(409, body=EXISTS)
    return history


def configured(cluster: Json | None, **other: Any) -> Story:
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
        pytest.param(tfjob_services(), by_port(7000), True, id="the port that the template names"),
        pytest.param(tfjob_services(), by_port(2222), False, id="the usual port, and the template names one"),
        pytest.param(tfjob_services(), by_port(7001), False, id="another port of the container"),
        pytest.param(tfjob_services(), by_port(7002), False, id="a port of another container"),
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
        pytest.param(tf_config_whole(), configured(CLUSTER, task=None), False, id="not which one it is"),
        pytest.param(tf_config_whole(), configured(None), False, id="a cluster of nobody"),
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
        pytest.param(
            tfjob_pod_asked_twice(),
            *(refused_twice(), True),
            id="asked for again, and once more",
        ),
        pytest.param(tfjob_pod_asked_twice(), job().write("create", "pods"), False, id="asked for once"),
        pytest.param(
            tfjob_pod_asked_twice(),
            *(job().asks("create", "pods").answered(409, body={"reason": "Conflict"}), False),
            id="refused for another reason",
        ),
        pytest.param(
            tfjob_replica_active(kind="PS", index=0),
            pod(job(), "ps-0", "Succeeded"),
            False,
            id="its pod has ended",
        ),
        pytest.param(
            tfjob_pod_asked_twice(),
            *(job().asks("create", "pods").answered(409, body=EXISTS, fault="a fault"), False),
            id="refused by a fault",
        ),
        pytest.param(
            tfjob_service_asked_twice(),
            *(job().asks("create", SERVICES).answered(409, body=EXISTS), True),
            id="a service asked for again",
        ),
        pytest.param(
            tfjob_service_asked_twice(),
            *(job().asks("create", "pods").answered(409, body=EXISTS), False),
            id="a pod asked for again, and no service",
        ),
    ]
)
def test_a_fact_about_tfjobs(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


LABEL = "training.kubeflow.org/"


def told(*statuses: Json, spec: Json = SPEC) -> Story:
    """A TFJob whose status is one after the other."""
    it = story().stores(TFJOBS, "a", {"spec": spec})
    for status in statuses:
        it = it.stores(TFJOBS, "a", {"spec": spec, "status": status})
    return it


def conditions(*of: str, status: str = "True") -> Json:
    """A status with these conditions."""
    return {"conditions": [{"type": it, "status": status} for it in of]}


def counted(**counts: int) -> Story:
    """A TFJob that reports these counts of its Workers."""
    return told({"replicaStatuses": {"Worker": counts}})


def suspended(*, start: str) -> Story:
    """A TFJob is suspended, and resumed at noon; then it has this startTime."""
    it = story().act("resumes TFJob a", clock="2026-11-21T12:00:00.500000Z")
    for spec, status in ((True, {}), (False, {}), (False, {"startTime": start})):
        it = it.stores(TFJOBS, "a", {"spec": {**SPEC, "runPolicy": {"suspend": spec}}, "status": status})
    return it


def event(count: int) -> Story:
    """An event about the TFJob was written so often."""
    about = {"kind": "TFJob", "name": "a"}
    body = {"involvedObject": about, "type": "Normal", "reason": "TFJobSuspended", "count": count}
    return told().stores(EVENTS, "e", body)


def made(
    index: str = "0",
    *,
    controller: bool = True,
    role: str = "",
    note: str = "kept",
    policy: str = "Never",
    config: str = "",
) -> Story:
    """The pods and services of both replicas; that of the Worker says that it has this index."""
    it = told()
    for kind in ("ps", "worker"):
        labels = {f"{LABEL}job-name": "a", f"{LABEL}operator-name": "tf", f"{LABEL}replica-type": kind}
        labels |= {f"{LABEL}replica-index": index if kind == "worker" else "0"}
        owner: Json = {"apiVersion": "kubeflow.org/v1", "kind": "TFJob", "name": "a", "uid": "uid-a"}
        owner |= {"controller": True, "blockOwnerDeletion": controller}
        metadata: Json = {"labels": labels, "ownerReferences": [owner], "namespace": "n"}
        it = it.stores(SERVICES, f"a-{kind}-0", {"metadata": metadata})
        env = [{"name": "TF_CONFIG", "value": config}] if config else []
        labels = {**labels, **({f"{LABEL}job-role": "master"} if kind == role else {})}
        metadata = {**metadata, "labels": labels, "annotations": {"note": note}}
        spec = {"restartPolicy": policy, "containers": [{"name": "tensorflow", "env": env}]}
        it = it.stores(
            PODS, f"a-{kind}-0", {"metadata": metadata, "spec": spec, "status": {"phase": "Running"}}
        )
    return it


def sparse(**cluster: Any) -> Story:
    """Both pods are told this cluster."""
    return made(config=json.dumps({"cluster": cluster}))


OWN = {"0": "a-worker-0.n.svc:2222"}
REPORTS = tfjob_reports(active=1, succeeded=1, failed=0, kind="Worker")
ONE_EVENT = tfjob_event(kind="Normal", reason="TFJobSuspended")
AGAIN = tfjob_event_repeated(kind="Normal", reason="TFJobSuspended")
BEGAN, ENDED = {"startTime": "2026-11-21T12:00:00Z"}, {"completionTime": "2026-11-21T12:00:09Z"}
LATER = {"startTime": "2026-11-21T12:00:05Z"}
TWO_AT_MOST = tfjob_replica_pods_at_most(kind="Worker", index=0, count=2)


def at_noon() -> Story:
    """It begins at noon."""
    return story().at(0).act("begins", clock="2026-11-21T12:00:00Z")


def failed_at(seconds: float) -> Story:
    """A TFJob that began at 0 s is Failed then, and is written once more."""
    failed = {"spec": SPEC, "status": BEGAN | conditions("Failed")}
    it = at_noon().stores(TFJOBS, "a", {"spec": SPEC, "status": BEGAN})
    return it.at(seconds).stores(TFJOBS, "a", failed).at(20).stores(TFJOBS, "a", failed)


def deleted_at(seconds: float) -> Story:
    """A TFJob that ended at 9 s is deleted then."""
    it = at_noon().stores(TFJOBS, "a", {"spec": SPEC, "status": BEGAN | ENDED})
    return it.at(seconds).removes(TFJOBS, "a")


def replicas(*names: str) -> Story:
    """Pods of these names that are all Worker 0, one of another index, and one of another TFJob."""
    marks = {f"{LABEL}replica-type": "worker", f"{LABEL}replica-index": "0"}
    it = told()
    for name in names:
        it = it.stores(PODS, name, {"metadata": {"ownerReferences": [OWNER], "labels": marks}})
    for name, owner, index in (("next", OWNER, "1"), ("foreign", {**OWNER, "uid": "uid-b"}, "0")):
        labels = {**marks, f"{LABEL}replica-index": index}
        it = it.stores(PODS, name, {"metadata": {"ownerReferences": [owner], "labels": labels}})
    return it


@examples(
    [
        pytest.param(tfjob_labelled(), made(), True, id="all say which"),
        pytest.param(tfjob_labelled(), made("1"), False, id="another index"),
        pytest.param(tfjob_master(kind="Worker", index=0), made(role="worker"), True, id="it leads"),
        pytest.param(tfjob_master(kind="Worker", index=0), made(role="ps"), False, id="another leads"),
        pytest.param(tfjob_controls(), made(), True, id="all are its own"),
        pytest.param(tfjob_controls(), made(controller=False), False, id="they do not hold it up"),
        pytest.param(tfjob_by_template(), made(), True, id="but for the restartPolicy"),
        pytest.param(tfjob_by_template(), made(note="lost"), False, id="another annotation"),
        pytest.param(tfjob_restart_policy(policy="Never"), made(), True, id="Never"),
        pytest.param(tfjob_restart_policy(policy="Never"), made(policy="Always"), False, id="Always"),
        pytest.param(
            tf_config_sparse(),
            *(sparse(ps=["a-ps-0.n.svc:2222"], worker=OWN), True),
            id="all PS and itself",
        ),
        pytest.param(tf_config_sparse(), sparse(ps=[], worker=OWN), False, id="no PS"),
        pytest.param(tf_config_sparse(), sparse(ps=None, worker=OWN), False, id="PS that are null"),
        pytest.param(
            tf_config_sparse(),
            *(sparse(ps=["a-ps-0.n.svc:2222"], worker=[OWN["0"]]), False),
            id="a list of Workers",
        ),
        pytest.param(
            tf_config_sparse(),
            *(sparse(ps=["a-ps-0.n.svc:2222"], worker={**OWN, "1": "a-worker-1.n.svc:2222"}), False),
            id="another Worker",
        ),
        pytest.param(tfjob_replica_active(kind="PS", index=0), made(), True, id="it has a pod"),
        pytest.param(tfjob_replica_active(kind="PS", index=1), made(), False, id="it has none"),
        pytest.param(tfjob_owns(what="service", kind="PS", index=0), made(), True, id="its service"),
        pytest.param(tfjob_owns(what="pod", kind="PS", index=1), made(), False, id="no such pod"),
        pytest.param(
            tfjob_released(what="pod", kind="PS", index=0),
            *(made().stores(PODS, "a-ps-0", {"metadata": {}}), True),
            id="it has no owner",
        ),
        pytest.param(tfjob_released(what="pod", kind="PS", index=0), made(), False, id="it has one"),
        pytest.param(
            tfjob_conditions_sound(),
            *(told(conditions("Created", "Running"), conditions("Created", "Succeeded")), True),
            id="one after the other",
        ),
        pytest.param(
            tfjob_conditions_sound(),
            *(told(conditions("Running", "Restarting"), conditions("Running")), False),
            id="both at once",
        ),
        pytest.param(
            tfjob_conditions_sound(),
            told(conditions("Running", "Failed")),
            False,
            id="it runs and has failed",
        ),
        pytest.param(tfjob_conditions_sound(), told(conditions("Failed", "Failed")), False, id="told twice"),
        pytest.param(
            tfjob_conditions_sound(),
            told(conditions("Succeeded", "Failed")),
            False,
            id="it has succeeded and has failed",
        ),
        pytest.param(REPORTS, counted(active=1, succeeded=1), True, id="as counted"),
        pytest.param(REPORTS, counted(active=2), False, id="otherwise"),
        pytest.param(tfjob_times(), told(BEGAN | ENDED), True, id="both times"),
        pytest.param(tfjob_times(), told(BEGAN), False, id="one of them"),
        pytest.param(tfjob_times_kept(), told(BEGAN, BEGAN | ENDED), True, id="they stay"),
        pytest.param(tfjob_times_kept(), told(BEGAN, LATER), False, id="a new startTime"),
        pytest.param(tfjob_failed_no_sooner(least_s=6), failed_at(6.1), True, id="Failed in time"),
        pytest.param(tfjob_failed_no_sooner(least_s=6), failed_at(5.9), False, id="Failed too early"),
        pytest.param(tfjob_failed_no_sooner(least_s=6), told(BEGAN), False, id="not Failed"),
        pytest.param(tfjob_deleted_no_sooner(least_s=4), deleted_at(13.1), True, id="deleted in time"),
        pytest.param(tfjob_deleted_no_sooner(least_s=4), deleted_at(12.9), False, id="deleted too early"),
        pytest.param(tfjob_deleted_no_sooner(least_s=4), told(BEGAN | ENDED), False, id="not deleted"),
        pytest.param(TWO_AT_MOST, replicas("a-worker-0", "other"), True, id="two of one index"),
        pytest.param(TWO_AT_MOST, replicas("a-worker-0", "other", "third"), False, id="a third of any name"),
        pytest.param(TWO_AT_MOST, replicas(), False, id="none at all"),
        pytest.param(tfjob_started_at_resume(), suspended(start="2026-11-21T12:00:00Z"), True, id="anew"),
        pytest.param(tfjob_started_at_resume(), suspended(start="2026-11-21T11:59:59Z"), False, id="before"),
        pytest.param(
            tfjob_started_at_resume(), suspended(start="2026-11-21T12:00:09Z"), False, id="in the future"
        ),
        pytest.param(ONE_EVENT, event(1), True, id="recorded"),
        pytest.param(ONE_EVENT, told(), False, id="not recorded"),
        pytest.param(
            tfjob_resumed(),
            *(told(conditions("Suspended"), conditions("Suspended", status="False")), True),
            id="the condition is False",
        ),
        pytest.param(
            tfjob_resumed(),
            *(told(conditions("Suspended"), conditions("Running")), True),
            id="the condition is gone",
        ),
        pytest.param(tfjob_resumed(), told(conditions("Suspended")), False, id="still suspended"),
        pytest.param(tfjob_resumed(), told(conditions("Running")), False, id="never suspended"),
        pytest.param(tfjob_gone(), told().removes(TFJOBS, "a"), True, id="gone"),
        pytest.param(tfjob_gone(), told(), False, id="there"),
        pytest.param(tfjob_gone(), story(), False, id="there never was one"),
        pytest.param(AGAIN, event(2), True, id="told twice"),
        pytest.param(AGAIN, event(1), False, id="told once"),
    ]
)
def test_a_fact_about_what_is_made_and_told(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


def asked(it: Story, verb: str) -> Story:
    """The implementation asks to do this to a PodGroup."""
    return it.add(Request(1, verb, PODGROUPS, "", "n", "a", None, "test/1", 1))


GROUP_OF_VOLCANO = {"scheduling.k8s.io/group-name": "a", "volcano.sh/task-spec": "worker"}


def grouped(resource: Resource = PODGROUPS, *, scheduler: str = "volcano", **marks: Json) -> Story:
    """A TFJob with a PodGroup for one pod, and the pod of a Worker that is marked so."""
    owners = [{"uid": "uid-a", "controller": True}]
    it = told().stores(resource, "a", {"metadata": {"ownerReferences": owners}, "spec": {"minMember": 1}})
    metadata: Json = {"ownerReferences": owners, **marks}
    metadata["labels"] = {**marks.get("labels", {}), f"{LABEL}replica-type": "worker"}
    return it.stores(PODS, "a-worker-0", {"metadata": metadata, "spec": {"schedulerName": scheduler}})


def resourced(cpus: str) -> Story:
    """A TFJob whose PodGroup needs so many CPUs."""
    spec = {"minMember": 1, "minResources": {"cpu": cpus}}
    return told().stores(PODGROUPS, "a", {"metadata": {"ownerReferences": [OWNER]}, "spec": spec})


def of_template(it: Story) -> Story:
    """The TFJob gets templates that name a scheduler of their own."""
    types = {kind: {"template": {"spec": {"schedulerName": "mine"}}} for kind in ("PS", "Worker")}
    return it.stores(TFJOBS, "a", {"spec": {"tfReplicaSpecs": types}})


def second(it: Story, scheduler: str) -> Story:
    """Another Worker has a pod, which is given to this scheduler."""
    owners = [{"uid": "uid-a", "controller": True}]
    metadata: Json = {"ownerReferences": owners, "labels": {f"{LABEL}replica-type": "worker"}}
    return it.stores(PODS, "a-worker-1", {"metadata": metadata, "spec": {"schedulerName": scheduler}})


LABELLED_LATER: Json = {
    "metadata": {
        "ownerReferences": [{"uid": "uid-a", "controller": True}],
        "annotations": GROUP_OF_VOLCANO,
        "labels": {f"{LABEL}replica-type": "worker"},
    }
}


@examples(
    [
        pytest.param(tfjob_group_minimum(minimum=1), grouped(), True, id="for one pod"),
        pytest.param(tfjob_group_minimum(minimum=2), grouped(), False, id="not for two"),
        pytest.param(tfjob_group_minimum(minimum=1), told(), False, id="no PodGroup"),
        pytest.param(tfjob_group_says(what="queue", value="left"), grouped(), False, id="no queue"),
        pytest.param(tfjob_group_queue(value="default"), grouped(), True, id="no queue is queue default"),
        pytest.param(tfjob_group_queue(value="left"), grouped(), False, id="and no other"),
        pytest.param(
            tfjob_group_queue(value="default"),
            told().stores(
                PODGROUPS, "a", {"metadata": {"ownerReferences": [OWNER]}, "spec": {"queue": "left"}}
            ),
            False,
            id="another queue",
        ),
        pytest.param(tfjob_group_queue(value="default"), told(), False, id="no PodGroup, no queue"),
        pytest.param(tfjob_group_resources(amount=6), resourced("6000m"), True, id="6 CPUs"),
        pytest.param(tfjob_group_resources(amount=6), resourced("7"), False, id="7 CPUs"),
        pytest.param(tfjob_group_resources(amount=6), grouped(), False, id="no minResources"),
        pytest.param(tfjob_group_resources(amount=6), told(), False, id="no PodGroup, no resources"),
        pytest.param(
            tfjob_group_says(what="queue", value="left"),
            *(
                told().stores(
                    PODGROUPS, "a", {"metadata": {"ownerReferences": [OWNER]}, "spec": {"queue": "left"}}
                ),
                True,
            ),
            id="its queue",
        ),
        pytest.param(tfjob_group_ended(), grouped().removes(PODGROUPS, "a"), True, id="made and gone"),
        pytest.param(tfjob_group_ended(), grouped(), False, id="still there"),
        pytest.param(group_written(), asked(told(), "create"), False, id="made"),
        pytest.param(group_written(), asked(told(), "update"), True, id="written"),
        pytest.param(tfjob_grouped(), grouped(annotations=GROUP_OF_VOLCANO), True, id="as Volcano reads it"),
        pytest.param(tfjob_grouped(), grouped(), False, id="not at all"),
        pytest.param(
            tfjob_grouped(),
            *(grouped(COSCHEDULING_GROUPS, labels={"scheduling.x-k8s.io/pod-group": "a"}), True),
            id="as scheduler-plugins reads it",
        ),
        pytest.param(
            tfjob_grouped(),
            *(grouped(COSCHEDULING_GROUPS, annotations=GROUP_OF_VOLCANO), False),
            id="as the other reads it",
        ),
        pytest.param(
            tfjob_grouped(),
            *(grouped().stores(PODS, "a-worker-0", LABELLED_LATER), False),
            id="only later",
        ),
        pytest.param(tfjob_grouped(), story().stores(PODS, "p", {"spec": {}}), False, id="of no TFJob"),
        pytest.param(tfjob_gang_scheduled(), grouped(), True, id="given to it"),
        pytest.param(tfjob_gang_scheduled(), grouped(scheduler="default-scheduler"), False, id="to anybody"),
        pytest.param(
            tfjob_gang_scheduled(),
            of_template(grouped(scheduler="mine")),
            False,
            id="to that of its template",
        ),
        pytest.param(
            tfjob_gang_scheduled(), of_template(grouped()), True, id="to another than its template says"
        ),
        pytest.param(tfjob_gang_scheduled(), second(grouped(), "volcano"), True, id="two given to it"),
        pytest.param(tfjob_gang_scheduled(), second(grouped(), "other"), False, id="given to two of them"),
        pytest.param(
            tfjob_template_scheduled(),
            of_template(grouped(scheduler="mine")),
            True,
            id="as its template says",
        ),
        pytest.param(
            tfjob_template_scheduled(),
            second(of_template(grouped(scheduler="mine")), "volcano"),
            False,
            id="one of two as its template says",
        ),
        pytest.param(
            tfjob_template_scheduled(),
            of_template(grouped()).removes(PODS, "a-worker-0"),
            False,
            id="given to another one, and gone",
        ),
        pytest.param(tfjob_template_scheduled(), of_template(told()), False, id="no pods to schedule"),
        pytest.param(
            tfjob_template_scheduled(), story().stores(PODS, "p", {"spec": {}}), False, id="a pod of no TFJob"
        ),
    ]
)
def test_a_fact_about_groups(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
