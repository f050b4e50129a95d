"""Facts about TFJobs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

import json
from typing import Any

from fact_examples import examples, no, yes
from histories import Story, condition, story

from batchproof.ground.resources import EVENTS, PODS, Resource
from batchproof.judgement.facts import FactCall
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
    tf_config_servers,
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
    tfjob_transitions,
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
    tfjob_condition(condition="Running"),
    yes("it runs", job("Created", "Running")),
    no("not yet", job("Created")),
    no("no TFJob", story()),
    tfjob_has_been(condition="Restarting", reason="TFJobRestarting"),
    yes("it was restarting", job("Running", before="Restarting")),
    no("it never was", job("Running")),
    tfjob_pods(count=2),
    yes("a pod for each replica", pods(job())),
    no("one is lacking", pod(job(), "ps-0")),
    no("another index", pod(pod(job(), "ps-0"), "ps-1")),
    tfjob_pods(count=3),
    no("the wrong number", pods(job())),
    tfjob_pods_and_services(count=2),
    yes("both have both", services(pods(job()))),
    tfjob_pods_and_services(count=1),
    no("a service outlasts its pod", services(pod(job(), "ps-0"))),
    tfjob_pods_and_services(count=0),
    yes("none at all", job()),
    tfjob_services(),
    yes("each has a service", services(pods(job()))),
    no("one has none", service(pods(job()), "ps-0")),
    no("it has an address", service(service(pods(job()), "ps-0"), "worker-0", ip="10.0.0.1")),
    no("another port", service(service(pods(job()), "ps-0"), "worker-0", port=80)),
    no("it leads to all", service(service(pods(job()), "ps-0"), "worker-0", job="a")),
    yes("the port that the template names", by_port(7000)),
    no("the usual port, and the template names one", by_port(2222)),
    no("another port of the container", by_port(7001)),
    no("a port of another container", by_port(7002)),
    tf_config_whole(),
    yes("all is told", configured(CLUSTER)),
    yes("with a domain", configured(IN_DOMAIN)),
    no("one type", configured({"ps": CLUSTER["ps"]})),
    no("not of a cloud", configured(CLUSTER, environment="local")),
    no("another's task", configured(CLUSTER, task={"type": "ps", "index": 0})),
    no("no JSON", pod(job(), "ps-0", config="{")),
    no("not told", pods(job())),
    no("not which one it is", configured(CLUSTER, task=None)),
    no("a cluster without replicas", configured(None)),
    tf_config_given(),
    yes("one is told", pod(job(), "ps-0", config="{}")),
    no("none is told", pods(job())),
    tfjob_replica_runs(kind="Worker", index=0),
    yes("the Worker runs", pods(job())),
    no("it waits", pod(job(), "worker-0", "Pending")),
    tfjob_replica_runs(kind="PS", index=0),
    no("it has no pod", job()),
    tfjob_replica_replaced(kind="Worker", index=0),
    yes("another pod", again(pods(job()))),
    no("the same pod", pods(job())),
    no("another one that has ended", again(pods(job()), "Failed")),
    tfjob_pod_asked_twice(),
    yes("asked for again", job().asks("create", "pods").answered(409, body=EXISTS)),
    yes("asked for again, and once more", refused_twice()),
    no("asked for once", job().write("create", "pods")),
    no("refused for another reason", job().asks("create", "pods").answered(409, body={"reason": "Conflict"})),
    tfjob_replica_active(kind="PS", index=0),
    no("its pod has ended", pod(job(), "ps-0", "Succeeded")),
    tfjob_pod_asked_twice(),
    no("refused by a fault", job().asks("create", "pods").answered(409, body=EXISTS, fault="a fault")),
    tfjob_service_asked_twice(),
    yes("a service asked for again", job().asks("create", SERVICES).answered(409, body=EXISTS)),
    no("a pod asked for again, and no service", job().asks("create", "pods").answered(409, body=EXISTS)),
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
BEGAN, ENDED = {"startTime": "2026-11-21T12:00:00Z"}, {"completionTime": "2026-11-21T12:00:09Z"}
LATER = {"startTime": "2026-11-21T12:00:05Z"}


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
    tfjob_labelled(),
    yes("all say which", made()),
    no("another index", made("1")),
    tfjob_master(kind="Worker", index=0),
    yes("it leads", made(role="worker")),
    no("another leads", made(role="ps")),
    tfjob_controls(),
    yes("all are its own", made()),
    no("they do not hold it up", made(controller=False)),
    tfjob_by_template(),
    yes("but for the restartPolicy", made()),
    no("another annotation", made(note="lost")),
    tfjob_restart_policy(policy="Never"),
    yes("Never", made()),
    no("Always", made(policy="Always")),
    tf_config_sparse(),
    yes("all PS and itself", sparse(ps=["a-ps-0.n.svc:2222"], worker=OWN)),
    no("no PS", sparse(ps=[], worker=OWN)),
    no("PS that are null", sparse(ps=None, worker=OWN)),
    no("a list of Workers", sparse(ps=["a-ps-0.n.svc:2222"], worker=[OWN["0"]])),
    no("another Worker", sparse(ps=["a-ps-0.n.svc:2222"], worker={**OWN, "1": "a-worker-1.n.svc:2222"})),
    tf_config_servers(kind="Worker", index=0),
    yes("all PS", sparse(ps=["a-ps-0.n.svc:2222"])),
    yes("with the domain of the cluster", sparse(ps=["a-ps-0.n.svc.cluster.local:2222"], worker={})),
    no("no PS", sparse(ps=[], worker=OWN)),
    no("PS that are null", sparse(ps=None)),
    no("another port", sparse(ps=["a-ps-0.n.svc:2223"])),
    no("no TF_CONFIG", made()),
    tf_config_servers(kind="Worker", index=1),
    no("no such pod", sparse(ps=["a-ps-0.n.svc:2222"])),
    tfjob_replica_active(kind="PS", index=0),
    yes("it has a pod", made()),
    tfjob_replica_active(kind="PS", index=1),
    no("it has none", made()),
    tfjob_owns(what="service", kind="PS", index=0),
    yes("its service", made()),
    tfjob_owns(what="pod", kind="PS", index=1),
    no("no such pod", made()),
    tfjob_released(what="pod", kind="PS", index=0),
    yes("it has no owner", made().stores(PODS, "a-ps-0", {"metadata": {}})),
    no("it has one", made()),
    tfjob_conditions_sound(),
    yes("one after the other", told(conditions("Created", "Running"), conditions("Created", "Succeeded"))),
    no("both at once", told(conditions("Running", "Restarting"), conditions("Running"))),
    no("it runs and has failed", told(conditions("Running", "Failed"))),
    no("told twice", told(conditions("Failed", "Failed"))),
    no("it has succeeded and has failed", told(conditions("Succeeded", "Failed"))),
    tfjob_reports(active=1, succeeded=1, failed=0, kind="Worker"),
    yes("as counted", counted(active=1, succeeded=1)),
    no("otherwise", counted(active=2)),
    tfjob_times(),
    yes("both times", told(BEGAN | ENDED)),
    no("one of them", told(BEGAN)),
    tfjob_times_kept(),
    yes("they stay", told(BEGAN, BEGAN | ENDED)),
    no("a new startTime", told(BEGAN, LATER)),
    tfjob_transitions(),
    yes(
        "another status, another time",
        told(
            {"conditions": [condition("Suspended", status="True", at=1)]},
            {"conditions": [condition("Suspended", status="False", at=2)]},
        ),
    ),
    yes(
        "neither changed",
        told(
            {"conditions": [condition("Suspended", status="True", at=1)]},
            {"conditions": [condition("Suspended", status="True", at=1)]},
        ),
    ),
    no(
        "another status, the same time",
        told(
            {"conditions": [condition("Suspended", status="True", at=1)]},
            {"conditions": [condition("Suspended", status="False", at=1)]},
        ),
    ),
    no(
        "the same status, another time",
        told(
            {"conditions": [condition("Suspended", status="True", at=1)]},
            {"conditions": [condition("Suspended", status="True", at=2)]},
        ),
    ),
    tfjob_failed_no_sooner(least_s=6),
    yes("Failed in time", failed_at(6.1)),
    no("Failed too early", failed_at(5.9)),
    no("not Failed", told(BEGAN)),
    tfjob_deleted_no_sooner(least_s=4),
    yes("deleted in time", deleted_at(13.1)),
    no("deleted too early", deleted_at(12.9)),
    no("not deleted", told(BEGAN | ENDED)),
    tfjob_replica_pods_at_most(kind="Worker", index=0, count=2),
    yes("two of one index", replicas("a-worker-0", "other")),
    no("a third of any name", replicas("a-worker-0", "other", "third")),
    no("none at all", replicas()),
    tfjob_started_at_resume(),
    yes("anew", suspended(start="2026-11-21T12:00:00Z")),
    no("before", suspended(start="2026-11-21T11:59:59Z")),
    no("in the future", suspended(start="2026-11-21T12:00:09Z")),
    tfjob_event(kind="Normal", reason="TFJobSuspended"),
    yes("recorded", event(1)),
    no("not recorded", told()),
    tfjob_resumed(),
    yes("the condition is False", told(conditions("Suspended"), conditions("Suspended", status="False"))),
    yes("the condition is gone", told(conditions("Suspended"), conditions("Running"))),
    no("still suspended", told(conditions("Suspended"))),
    no("never suspended", told(conditions("Running"))),
    tfjob_gone(),
    yes("gone", told().removes(TFJOBS, "a")),
    no("there", told()),
    no("there never was one", story()),
    tfjob_event_repeated(kind="Normal", reason="TFJobSuspended"),
    yes("told twice", event(2)),
    no("told once", event(1)),
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
    tfjob_group_minimum(minimum=1),
    yes("for one pod", grouped()),
    tfjob_group_minimum(minimum=2),
    no("not for two", grouped()),
    tfjob_group_minimum(minimum=1),
    no("no PodGroup", told()),
    tfjob_group_says(what="queue", value="left"),
    no("no queue", grouped()),
    tfjob_group_queue(value="default"),
    yes("no queue is queue default", grouped()),
    tfjob_group_queue(value="left"),
    no("and no other", grouped()),
    tfjob_group_queue(value="default"),
    no("another queue"),
    told().stores(PODGROUPS, "a", {"metadata": {"ownerReferences": [OWNER]}, "spec": {"queue": "left"}}),
    no("no PodGroup, no queue", told()),
    tfjob_group_resources(amount=6),
    yes("6 CPUs", resourced("6000m")),
    no("7 CPUs", resourced("7")),
    no("no minResources", grouped()),
    no("no PodGroup, no resources", told()),
    tfjob_group_says(what="queue", value="left"),
    yes("its queue"),
    told().stores(PODGROUPS, "a", {"metadata": {"ownerReferences": [OWNER]}, "spec": {"queue": "left"}}),
    tfjob_group_ended(),
    yes("made and gone", grouped().removes(PODGROUPS, "a")),
    no("still there", grouped()),
    group_written(),
    no("made", asked(told(), "create")),
    yes("written", asked(told(), "update")),
    tfjob_grouped(),
    yes("as Volcano reads it", grouped(annotations=GROUP_OF_VOLCANO)),
    no("not at all", grouped()),
    yes("as scheduler-plugins reads it"),
    grouped(COSCHEDULING_GROUPS, labels={"scheduling.x-k8s.io/pod-group": "a"}),
    no("as the other reads it", grouped(COSCHEDULING_GROUPS, annotations=GROUP_OF_VOLCANO)),
    no("only later", grouped().stores(PODS, "a-worker-0", LABELLED_LATER)),
    no("of no TFJob", story().stores(PODS, "p", {"spec": {}})),
    tfjob_gang_scheduled(),
    yes("given to it", grouped()),
    no("to anybody", grouped(scheduler="default-scheduler")),
    no("to that of its template", of_template(grouped(scheduler="mine"))),
    yes("to another than its template says", of_template(grouped())),
    yes("two given to it", second(grouped(), "volcano")),
    no("given to two of them", second(grouped(), "other")),
    tfjob_template_scheduled(),
    yes("as its template says", of_template(grouped(scheduler="mine"))),
    no("one of two as its template says", second(of_template(grouped(scheduler="mine")), "volcano")),
    no("given to another one, and gone", of_template(grouped()).removes(PODS, "a-worker-0")),
    no("no pods to schedule", of_template(told())),
    no("a pod of no TFJob", story().stores(PODS, "p", {"spec": {}})),
)
def test_a_fact_about_groups(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
