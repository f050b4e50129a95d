"""The controller of TFJobs: tables of what is observed and what is decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from reference_controller.decision import NOTHING
from reference_controller.objects.pods import Container
from reference_controller.tfjob.actions import (
    Action,
    Adopt,
    CreateGroup,
    CreatePods,
    CreateServices,
    DeleteGroup,
    DeleteJob,
    DeletePods,
    DeleteServices,
    Release,
    UpdateGroup,
    WriteStatus,
)
from reference_controller.tfjob.api_json import new_pod, new_service, read_service, read_tfjob, with_status
from reference_controller.tfjob.limits import exceeded
from reference_controller.tfjob.names import pod_labels, selector
from reference_controller.tfjob.objects import (
    COSCHEDULING,
    VOLCANO,
    Counts,
    GroupSpec,
    PodGroup,
    Replica,
    ReplicaPod,
    ReplicaSpec,
    Service,
    Status,
    TFJob,
)
from reference_controller.tfjob.outcome import condition
from reference_controller.tfjob.reconcile import Observed, reconcile
from reference_controller.tfjob.suspension import suspended_status
from reference_controller.tfjob.tf_config import tf_config

TEMPLATE = {"spec": {"containers": [{"name": "tensorflow"}, {"name": "beside"}]}}
PS, WORKER = ReplicaSpec("PS", 1, template=TEMPLATE), ReplicaSpec("Worker", 2, template=TEMPLATE)
CHIEF = ReplicaSpec("Chief", 1, template=TEMPLATE)
ALL_RUN = (("ps", 0, "Running"), ("worker", 0, "Running"), ("worker", 1, "Running"))


def job(now: str = "", *specs: ReplicaSpec, **other: Any) -> TFJob:
    """A TFJob in this condition; of one PS and two Workers if nothing else is said."""
    of = specs or (PS, WORKER)
    counts = tuple(Counts(spec.type) for spec in of)
    status = {key: other.pop(key) for key in ("restarts", "replaced", "completed") if key in other}
    counts = other.pop("counts", counts)
    told = Status(now, counts, started=NOW if now else None, **status) if now else Status()
    return TFJob("n", "a", "uid-a", 1, of, status=told, **other)


def pods(*of: tuple[str, int, str], code: int = 1, deleting: bool = False) -> tuple[ReplicaPod, ...]:
    """Pods of replicas by type, index and phase; those that have failed did so with this exit code."""
    return tuple(
        ReplicaPod(
            *("n", f"a-{kind}-{index}", f"uid-{kind}-{index}", 1),
            labels=selector("a"),
            phase=phase,
            deleting=deleting,
            type=kind,
            index=index,
            containers=(Container("tensorflow", "main", 0, code if phase == "Failed" else 0),),
        )
        for kind, index, phase in of
    )


def services(*names: str) -> tuple[Service, ...]:
    """Services of these names."""
    return tuple(
        Service("n", name, f"uid-{name}", 1, selector("a"), kind, int(index))
        for name, kind, index in ((name, *name.split("-")[1:]) for name in names)
    )


WORKERS = services("a-worker-0", "a-worker-1")
ALL_SERVICES = services("a-ps-0", "a-worker-0", "a-worker-1")


def seen(it: TFJob, *of: ReplicaPod, by: tuple[Service, ...] = ALL_SERVICES) -> Observed:
    """What is observed of a TFJob."""
    return Observed(it, of, by)


NOW = 1000.0
EXIT_CODE = replace(WORKER, restart_policy="ExitCode")
SIGNALLED = pods(("worker", 0, "Running"), ("worker", 1, "Failed"), code=137)
RESTARTING = replace(
    job("Restarting", EXIT_CODE),
    status=Status(
        "Restarting",
        (Counts("Worker", active=1, failed=1),),
        started=NOW,
        restarts=1,
        replaced=("uid-worker-1",),
    ),
)
MIXED = pods(("ps", 0, "Running"), ("worker", 0, "Succeeded"), ("worker", 1, "Running"))
STRANGE = tuple(replace(pod, labels={}) for pod in pods(ALL_RUN[2]))
EXCEEDED = Status(
    "Failed",
    (Counts("Worker", active=1, failed=1),),
    started=NOW,
    completed=NOW,
    restarts=1,
    replaced=("uid-worker-1",),
)
CASES: list[tuple[str, Observed, tuple[Action, ...]]] = [
    (
        "TFJ-001, TFJ-002: a pod and a service for each replica",
        seen(job(), by=()),
        (
            CreateServices((Replica(PS, 0), Replica(WORKER, 0), Replica(WORKER, 1))),
            CreatePods((Replica(PS, 0), Replica(WORKER, 0), Replica(WORKER, 1))),
        ),
    ),
    (
        "TFJ-001: only what is missing",
        seen(job("Created"), *pods(("ps", 0, "Pending"), ("worker", 1, "Pending"))),
        (CreatePods((Replica(WORKER, 0),)),),
    ),
    (
        "TFJ-001: one that is being deleted holds its name",
        seen(job("Created"), *pods(*ALL_RUN, deleting=True)),
        (),
    ),
    (
        "TFJ-022: first it is told that the TFJob restarts",
        seen(job("Running", EXIT_CODE), *SIGNALLED),
        (WriteStatus(RESTARTING.status),),
    ),
    (
        "TFJ-022: then the pod is deleted",
        seen(RESTARTING, *SIGNALLED, by=WORKERS),
        (DeletePods(SIGNALLED[1:]),),
    ),
    (
        "TFJ-022: then it is created again",
        seen(RESTARTING, SIGNALLED[0], by=WORKERS),
        (CreatePods((Replica(EXIT_CODE, 1),)),),
    ),
    ("TFJ-030: what has failed stays so", seen(job("Failed"), *MIXED), ()),
    (
        "TFJ-036: the phases are counted by type",
        seen(job("Running"), *pods(*ALL_RUN)),
        (WriteStatus(Status("Running", (Counts("PS", active=1), Counts("Worker", active=2)), started=NOW)),),
    ),
    ("TFJ-038: None deletes nothing", seen(job("Succeeded"), *MIXED), ()),
    (
        "TFJ-038: Running deletes what has not ended",
        seen(job("Succeeded", clean_pod_policy="Running"), *MIXED),
        (DeletePods((MIXED[0], MIXED[2])),),
    ),
    (
        "TFJ-038: then its services",
        seen(job("Succeeded", clean_pod_policy="Running"), MIXED[1]),
        (DeleteServices(services("a-ps-0", "a-worker-1")),),
    ),
    (
        "TFJ-038: All deletes all",
        seen(job("Failed", clean_pod_policy="All"), *MIXED),
        (DeletePods(MIXED),),
    ),
    (
        "TFJ-010: what is too much is deleted",
        seen(job("Running", PS, replace(WORKER, replicas=1)), *pods(*ALL_RUN)),
        (DeletePods(pods(*ALL_RUN)[2:]), DeleteServices(services("a-worker-1"))),
    ),
    (
        "TFJ-013: a pod that is too much may fail",
        seen(
            job("Running", replace(WORKER, replicas=1), counts=(Counts("Worker", active=1),)),
            *pods(("worker", 0, "Running")),
            *pods(("worker", 1, "Failed"), deleting=True),
            by=services("a-worker-0"),
        ),
        (),
    ),
    (
        "TFJ-019: what has succeeded is not run again",
        seen(
            job("Running", WORKER, counts=(Counts("Worker", active=1, succeeded=1, done=(1,)),)),
            *pods(("worker", 0, "Running")),
            by=WORKERS,
        ),
        (),
    ),
    (
        "TFJ-020: what has no controller is adopted",
        replace(seen(job("Running"), *pods(*ALL_RUN[:2])), loose_pods=pods(ALL_RUN[2])),
        (Adopt(pods(ALL_RUN[2])),),
    ),
    (
        "TFJ-053: what has other labels is released",
        seen(job("Running"), *pods(*ALL_RUN[:2]), *STRANGE),
        (Release(STRANGE),),
    ),
    (
        "TFJ-028: one pod too many was replaced",
        seen(job("Running", EXIT_CODE, backoff_limit=0), *SIGNALLED),
        (WriteStatus(EXCEEDED),),
    ),
    (
        "TFJ-029: the time is over",
        seen(
            replace(job("Running", EXIT_CODE), active_deadline_s=0),
            *pods(("worker", 0, "Running"), ("worker", 1, "Running")),
        ),
        (WriteStatus(replace(EXCEEDED, counts=(Counts("Worker", active=2),), restarts=0, replaced=())),),
    ),
    ("TFJ-039: what took too long keeps its pods with None", seen(job("Failed"), *MIXED), ()),
    (
        "TFJ-039: and loses them with All",
        seen(job("Failed", clean_pod_policy="All"), *MIXED),
        (DeletePods(MIXED),),
    ),
    ("TFJ-040: its time is over", seen(job("Failed", ttl_s=5, completed=NOW - 5)), (DeleteJob(),)),
    ("TFJ-040: its time is not over", seen(job("Failed", ttl_s=5, completed=NOW - 4)), ()),
    (
        "TFJ-042: a TFJob that is suspended loses its pods",
        seen(job("Running", suspended=True), *pods(*ALL_RUN)),
        (DeletePods(pods(*ALL_RUN)),),
    ),
    (
        "TFJ-042: and its services",
        seen(job("Running", suspended=True)),
        (DeleteServices(ALL_SERVICES),),
    ),
    (
        "TFJ-041: then it is told",
        seen(job(suspended=True), by=()),
        (WriteStatus(Status("Created", (Counts("PS"), Counts("Worker")), suspended=True)),),
    ),
    ("a TFJob that is being deleted is left alone", seen(replace(job(), deleting=True)), ()),
]


@pytest.mark.parametrize(("observed", "actions"), [pytest.param(*c[1:], id=c[0]) for c in CASES])
def test_a_tfjob(observed: Observed, actions: tuple[Action, ...]) -> None:
    assert reconcile(observed, NOW).actions == actions


def ganged(it: TFJob, *of: ReplicaPod, phase: str = "", size: int = 3, there: bool = True) -> Observed:
    """What is observed of a TFJob with a PodGroup of Volcano, if it is there."""
    group = PodGroup("n", "a", "uid-group", 1, GroupSpec(size), phase)
    return replace(seen(it, *of, by=()), gang=VOLCANO, group=group if there else None)


GROUP = PodGroup("n", "a", "uid-group", 1, GroupSpec(3))
BEGUN = job("Created")
PAUSED = job("Created", suspended=True)
GANGS: list[tuple[str, Observed, tuple[Action, ...]]] = [
    ("TFJ-044: first a PodGroup", ganged(BEGUN, there=False), (CreateGroup(),)),
    ("TFJ-045: a TFJob whose PodGroup is not let in waits", ganged(BEGUN), ()),
    ("TFJ-045: so one that is Pending", ganged(BEGUN, phase="Pending"), ()),
    (
        "TFJ-045: once it is let in there are pods",
        ganged(BEGUN, phase="Inqueue"),
        (CreateServices(BEGUN.replicas), CreatePods(BEGUN.replicas)),
    ),
    (
        "TFJ-048: another minimum",
        ganged(BEGUN, size=2),
        (UpdateGroup(replace(GROUP, spec=GroupSpec(2)), GroupSpec(3)),),
    ),
    (
        "TFJ-057: another priority",
        ganged(replace(BEGUN, priority_class="high")),
        (UpdateGroup(GROUP, GroupSpec(3, priority_class="high")),),
    ),
    (
        "TFJ-061: other minResources",
        ganged(replace(BEGUN, least=(("cpu", 7),))),
        (UpdateGroup(GROUP, GroupSpec(3, {"cpu": 7})),),
    ),
    ("TFJ-044: the minimum of the user", ganged(replace(BEGUN, min_available=3)), ()),
    ("TFJ-050: what has finished has none", ganged(job("Succeeded")), (DeleteGroup(GROUP),)),
    (
        "TFJ-042: that a TFJob is suspended does not wait for its PodGroup",
        ganged(PAUSED),
        (WriteStatus(suspended_status(PAUSED)),),
    ),
    (
        "TFJ-050: nor has what is suspended",
        ganged(replace(PAUSED, status=suspended_status(PAUSED))),
        (DeleteGroup(GROUP),),
    ),
    (
        "TFJ-035: the end of a TFJob does not wait for its PodGroup",
        ganged(BEGUN, *pods(("worker", 0, "Succeeded"), ("worker", 1, "Running")), size=2, phase="Inqueue"),
        (
            WriteStatus(
                replace(
                    BEGUN.status,
                    condition="Succeeded",
                    counts=(Counts("PS"), Counts("Worker", active=1, succeeded=1, done=(0,))),
                    completed=NOW,
                )
            ),
        ),
    ),
]


@pytest.mark.parametrize(("observed", "actions"), [pytest.param(*c[1:], id=c[0]) for c in GANGS])
def test_a_gang(observed: Observed, actions: tuple[Action, ...]) -> None:
    assert reconcile(observed, NOW).actions == actions


def test_a_pod_is_given_to_its_gang_scheduler() -> None:
    """TFJ-046, TFJ-047, TFJ-058."""
    it = job("", PS, WORKER)
    pod = orjson.loads(new_pod(it, Replica(WORKER, 1), VOLCANO))
    assert pod["spec"]["schedulerName"] == "volcano"
    assert pod["metadata"]["annotations"] == {
        "scheduling.k8s.io/group-name": "a",
        "volcano.sh/task-spec": "worker",
    }
    own = replace(WORKER, template={"spec": {**TEMPLATE["spec"], "schedulerName": "own"}})
    pod = orjson.loads(new_pod(it, Replica(own, 1), COSCHEDULING))
    assert pod["spec"]["schedulerName"] == "own"
    assert pod["metadata"]["labels"]["scheduling.x-k8s.io/pod-group"] == "a"


WAKES: list[tuple[str, TFJob, float | None]] = [
    ("TFJ-029: when the deadline is over", job("Created", PS, active_deadline_s=9), 9.0),
    ("without a deadline not at all", job("Created", PS), None),
    ("TFJ-040: when its time is over", job("Failed", PS, ttl_s=5, completed=NOW - 4), 1.0),
]


@pytest.mark.parametrize(("it", "after_s"), [pytest.param(*c[1:], id=c[0]) for c in WAKES])
def test_a_tfjob_is_looked_at_again(it: TFJob, after_s: float | None) -> None:
    told = seen(it, *pods(("ps", 0, "Pending")), by=services("a-ps-0"))
    assert reconcile(told, NOW).requeue_after_s == after_s


RESTARTED = pods(("worker", 0, "Running"), ("worker", 1, "Running"))
LIMITS: list[tuple[str, int | None, str, int, int, bool]] = [
    ("without a limit never", None, "OnFailure", 9, 9, False),
    ("TFJ-027: as often as the limit says is not too often", 3, "OnFailure", 3, 0, False),
    ("TFJ-027: containers that were started again", 3, "OnFailure", 4, 0, True),
    ("TFJ-028: pods that were replaced", 3, "ExitCode", 0, 4, True),
    ("TFJ-027: both together", 3, "Always", 2, 2, True),
    ("TFJ-027: where nothing is restarted nothing counts", 3, "Never", 4, 0, False),
]


@pytest.mark.parametrize(
    ("limit", "policy", "in_place", "replaced", "over"), [pytest.param(*c[1:], id=c[0]) for c in LIMITS]
)
def test_a_limit(limit: int | None, policy: str, in_place: int, replaced: int, *, over: bool) -> None:
    it = job("Running", replace(WORKER, restart_policy=policy), backoff_limit=limit)
    [one, other] = RESTARTED
    ran = replace(one, containers=(Container("tensorflow", "main", in_place),))
    assert exceeded(it, (ran, other), replaced, NOW) == over


def test_nothing_is_decided_before_the_watches_show_the_own_writes() -> None:
    """TFJ-015."""
    assert reconcile(replace(seen(job(), by=()), expectations_met=False), NOW) == NOTHING


WITH_CHIEF = (CHIEF, WORKER)
OUTCOMES: list[tuple[str, TFJob, tuple[ReplicaPod, ...], str]] = [
    ("a new TFJob is Created", job(), (), "Created"),
    (
        "TFJ-023: a low exit code is a failure",
        job("Running", EXIT_CODE),
        pods(("worker", 1, "Failed")),
        "Failed",
    ),
    ("TFJ-026: so is any failure of a PS", job("Running"), pods(("ps", 0, "Failed"), code=137), "Failed"),
    (
        "TFJ-026: and of a Worker beside a Chief",
        job("Running", *WITH_CHIEF),
        pods(("chief", 0, "Running"), ("worker", 1, "Failed")),
        "Failed",
    ),
    (
        "TFJ-025: with OnFailure it is none",
        job("Running", replace(WORKER, restart_policy="OnFailure")),
        pods(("worker", 1, "Failed")),
        "Restarting",
    ),
    (
        "TFJ-034: the Chief has succeeded",
        job("Running", *WITH_CHIEF),
        pods(("chief", 0, "Succeeded"), ("worker", 0, "Running")),
        "Succeeded",
    ),
    (
        "TFJ-034: only Workers have",
        job("Running", *WITH_CHIEF),
        pods(("chief", 0, "Running"), ("worker", 0, "Succeeded"), ("worker", 1, "Succeeded")),
        "Running",
    ),
    (
        "TFJ-035: Worker 0 has succeeded",
        job("Running"),
        pods(("worker", 0, "Succeeded"), ("worker", 1, "Running")),
        "Succeeded",
    ),
    (
        "TFJ-035: another Worker has",
        job("Running"),
        pods(("worker", 0, "Running"), ("worker", 1, "Succeeded")),
        "Running",
    ),
    (
        "TFJ-035: Worker 0 has where all must",
        job("Running", success_policy="AllWorkers"),
        pods(("worker", 0, "Succeeded"), ("worker", 1, "Running")),
        "Running",
    ),
    (
        "TFJ-035: all have",
        job("Running", success_policy="AllWorkers"),
        pods(("worker", 0, "Succeeded"), ("worker", 1, "Succeeded")),
        "Succeeded",
    ),
    ("no replica decides", job("Created", PS), pods(("ps", 0, "Succeeded")), "Created"),
]


@pytest.mark.parametrize(("it", "of", "after"), [pytest.param(*c[1:], id=c[0]) for c in OUTCOMES])
def test_a_condition(it: TFJob, of: tuple[ReplicaPod, ...], after: str) -> None:
    assert condition(it, of) == after


def test_a_pod_is_told_of_all_replicas() -> None:
    """TFJ-006: the main container alone; TFJ-021: ExitCode is Never for the kubelet."""
    pod = orjson.loads(new_pod(job("", PS, EXIT_CODE), Replica(EXIT_CODE, 1)))
    main, beside = pod["spec"]["containers"]
    assert orjson.loads(main["env"][0]["value"]) == {
        "cluster": {
            "ps": ["a-ps-0.n.svc:2222"],
            "worker": ["a-worker-0.n.svc:2222", "a-worker-1.n.svc:2222"],
        },
        "task": {"type": "worker", "index": 1},
        "environment": "cloud",
    }
    assert "env" not in beside
    assert (pod["metadata"]["name"], pod["spec"]["restartPolicy"]) == ("a-worker-1", "Never")


def test_a_single_replica_is_told_nothing() -> None:
    pod = orjson.loads(new_pod(job("", PS), Replica(PS, 0)))
    assert not any("env" in container for container in pod["spec"]["containers"])


def test_a_service_selects_the_labels_of_its_pod() -> None:
    """TFJ-002."""
    it = job()
    service, pod = (orjson.loads(make(it, Replica(WORKER, 1))) for make in (new_service, new_pod))
    assert service["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    assert (service["spec"]["clusterIP"], service["metadata"]["name"]) == ("None", "a-worker-1")


RAW: dict[str, Any] = {
    "metadata": {"namespace": "n", "name": "a", "uid": "uid-a", "resourceVersion": "7"},
    "spec": {
        "runPolicy": {"cleanPodPolicy": "All"},
        "tfReplicaSpecs": {
            "Worker": {
                "template": {
                    "spec": {
                        "containers": [
                            {"name": "tensorflow", "ports": [{"name": "tfjob-port", "containerPort": 80}]}
                        ]
                    }
                }
            }
        },
    },
}


def test_a_tfjob_is_read_with_its_defaults() -> None:
    """TFJ-008."""
    it = read_tfjob(RAW)
    assert it.specs == (ReplicaSpec("Worker", 1, "Never", 80),)
    assert (it.clean_pod_policy, it.success_policy, it.status) == ("All", "", Status())


def test_a_status_is_read_as_it_was_written() -> None:
    """TFJ-032: Running does not outlast the end; TFJ-042: suspension is told beside it."""
    it = read_tfjob(RAW)
    first = Status("Created", (Counts("Worker", active=1),), started=NOW)
    for status in (
        first,
        replace(first, condition="Running", suspended=True, restarts=2, replaced=("uid-x",)),
        replace(
            first, condition="Succeeded", counts=(Counts("Worker", succeeded=1, done=(0,)),), completed=NOW
        ),
        replace(first, condition="Failed", suspended=False, completed=NOW),
    ):
        it = read_tfjob(orjson.loads(with_status(it, status, NOW)))
        assert replace(it.status, suspended=status.suspended) == status
    told = {each["type"]: (each["status"], each["reason"]) for each in it.raw["status"]["conditions"]}
    assert told["Running"] == ("False", "TFJobRunning")
    assert told["Suspended"] == ("False", "TFJobResumed")


def test_types_are_spelled_as_one() -> None:
    """TFJ-008."""
    spec = {**RAW["spec"], "tfReplicaSpecs": {"WORKER": RAW["spec"]["tfReplicaSpecs"]["Worker"]}}
    assert read_tfjob({**RAW, "spec": spec}).specs[0].type == "Worker"


def test_a_tfjob_without_the_container_makes_no_sense() -> None:
    """ROB-033: the caches pass over what raises such an error, and go on."""
    spec = {"tfReplicaSpecs": {"Worker": {"template": {"spec": {"containers": [{"name": "main"}]}}}}}
    with pytest.raises(ValueError, match="no container of a replica is called tensorflow"):
        read_tfjob({**RAW, "spec": spec})


@pytest.mark.parametrize(("index", "read"), [("1", 1), ("none", -1), ("", -1)])
def test_an_index_is_a_number_or_none(index: str, read: int) -> None:
    """TFJ-011."""
    metadata = {**RAW["metadata"], "labels": {"training.kubeflow.org/replica-index": index}}
    assert read_service({"metadata": metadata}).index == read


def test_a_worker_with_others_that_come_and_go_is_told_of_none() -> None:
    """TFJ-007."""
    it = job("", PS, WORKER, dynamic_workers=True)
    assert tf_config(it, Replica(WORKER, 1)) == {
        "cluster": {"ps": ["a-ps-0.n.svc:2222"], "worker": {"1": "a-worker-1.n.svc:2222"}},
        "task": {"type": "worker", "index": 1},
    }


@pytest.mark.parametrize(
    ("specs", "leader"),
    [((PS, WORKER), Replica(WORKER, 0)), ((CHIEF, WORKER), Replica(CHIEF, 0))],
)
def test_one_pod_is_the_master(specs: tuple[ReplicaSpec, ...], leader: Replica) -> None:
    """TFJ-003."""
    it = job("", *specs)
    masters = [each for each in it.replicas if "training.kubeflow.org/job-role" in pod_labels(it, each)]
    assert masters == [leader]
