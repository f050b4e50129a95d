"""The controller of TFJobs: tables of what is observed and what is decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from reference_controller.decision import NOTHING
from reference_controller.objects.pods import Container
from reference_controller.tfjob.actions import (
    CreatePods,
    CreateServices,
    DeletePods,
    DeleteServices,
    WriteStatus,
)
from reference_controller.tfjob.api_json import new_pod, new_service, read_tfjob, with_status
from reference_controller.tfjob.objects import (
    Counts,
    Replica,
    ReplicaPod,
    ReplicaSpec,
    Service,
    Status,
    TFJob,
)
from reference_controller.tfjob.outcome import condition
from reference_controller.tfjob.reconcile import Observed, reconcile

if TYPE_CHECKING:
    from reference_controller.tfjob.actions import Action

TEMPLATE = {"spec": {"containers": [{"name": "tensorflow"}, {"name": "beside"}]}}
PS, WORKER = ReplicaSpec("PS", 1, template=TEMPLATE), ReplicaSpec("Worker", 2, template=TEMPLATE)
CHIEF = ReplicaSpec("Chief", 1, template=TEMPLATE)
ALL_RUN = (("ps", 0, "Running"), ("worker", 0, "Running"), ("worker", 1, "Running"))


def job(now: str = "", *specs: ReplicaSpec, **other: Any) -> TFJob:
    """A TFJob in this condition; of one PS and two Workers if nothing else is said."""
    of = specs or (PS, WORKER)
    counts = tuple(Counts(spec.type) for spec in of)
    return TFJob("n", "a", "uid-a", 1, of, status=Status(now, counts if now else ()), **other)


def pods(*of: tuple[str, int, str], code: int = 1, deleting: bool = False) -> tuple[ReplicaPod, ...]:
    """Pods of replicas by type, index and phase; those that have failed did so with this exit code."""
    return tuple(
        ReplicaPod(
            *("n", f"a-{kind}-{index}", f"uid-{kind}-{index}", 1),
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
    return tuple(Service("n", name, f"uid-{name}", 1) for name in names)


ALL_SERVICES = services("a-ps-0", "a-worker-0", "a-worker-1")


def seen(it: TFJob, *of: ReplicaPod, by: tuple[Service, ...] = ALL_SERVICES) -> Observed:
    """What is observed of a TFJob."""
    return Observed(it, of, by, expectations_met=True)


EXIT_CODE = replace(WORKER, restart_policy="ExitCode")
SIGNALLED = pods(("worker", 0, "Running"), ("worker", 1, "Failed"), code=137)
RESTARTING = replace(
    job("Restarting", EXIT_CODE), status=Status("Restarting", (Counts("Worker", active=1, failed=1),))
)
MIXED = pods(("ps", 0, "Running"), ("worker", 0, "Succeeded"), ("worker", 1, "Running"))
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
    ("TFJ-022: then the pod is deleted", seen(RESTARTING, *SIGNALLED), (DeletePods(SIGNALLED[1:]),)),
    (
        "TFJ-022: then it is created again",
        seen(RESTARTING, SIGNALLED[0]),
        (CreatePods((Replica(EXIT_CODE, 1),)),),
    ),
    ("TFJ-030: what has failed stays so", seen(job("Failed"), *MIXED), ()),
    (
        "TFJ-036: the phases are counted by type",
        seen(job("Running"), *pods(*ALL_RUN)),
        (WriteStatus(Status("Running", (Counts("PS", active=1), Counts("Worker", active=2)))),),
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
    ("a TFJob that is being deleted is left alone", seen(replace(job(), deleting=True)), ()),
]


@pytest.mark.parametrize(("observed", "actions"), [pytest.param(*c[1:], id=c[0]) for c in CASES])
def test_a_tfjob(observed: Observed, actions: tuple[Action, ...]) -> None:
    assert reconcile(observed).actions == actions


def test_nothing_is_decided_before_the_watches_show_the_own_writes() -> None:
    """TFJ-015."""
    assert reconcile(replace(seen(job(), by=()), expectations_met=False)) == NOTHING


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
    ("there is nobody who decides", job("Created", PS), pods(("ps", 0, "Succeeded")), "Created"),
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
    """TFJ-032: Running does not outlast the end; TFJ-037: the first times stay."""
    it = read_tfjob(RAW)
    for now, after in (("t1", "Created"), ("t2", "Running"), ("t3", "Succeeded")):
        status = Status(after, (Counts("Worker", active=1),))
        it = read_tfjob(orjson.loads(with_status(it, status, now)))
        assert it.status == status
    told = it.raw["status"]
    true = [each["type"] for each in told["conditions"] if each["status"] == "True"]
    assert (true, told["startTime"], told["completionTime"]) == (["Created", "Succeeded"], "t1", "t3")
