"""Invariants: TFJobs, their status, their pods and services, and their PodGroups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from histories import Story, story, time_of_day
from invariant_examples import assert_blameless, assert_broken

from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.resources import Resource

AREA = "TFJ"
"""How the ids of the requirements begin that are judged here."""

PREFIX = "training.kubeflow.org/"
OWNER = {"apiVersion": "kubeflow.org/v1", "kind": "TFJob", "name": "a", "uid": "uid-a", "controller": True}
NOON = time_of_day(0)


def spec(policy: Json | None = None, restart: str = "", **replicas: int) -> Json:
    """The spec of a TFJob; of two Workers where nothing is said."""
    of_type: Json = {"template": {}} | ({"restartPolicy": restart} if restart else {})
    specs = {kind: {"replicas": count, **of_type} for kind, count in (replicas or {"Worker": 2}).items()}
    return {"runPolicy": policy or {}, "tfReplicaSpecs": specs}


def job(asked: Json | None = None) -> Story:
    """A TFJob; record 0."""
    return story().stores(TFJOBS, "a", {"spec": asked or spec()})


def says(told: Story, *conditions: str | Json, asked: Json | None = None, **status: Any) -> Story:
    """The status of the TFJob is written; one record."""
    stands = [
        {"type": it, "status": "True", "reason": f"TFJob{it}"} for it in conditions if isinstance(it, str)
    ]
    stands += [it for it in conditions if not isinstance(it, str)]
    return told.stores(TFJOBS, "a", {"spec": asked or spec(), "status": {"conditions": stands, **status}})


def made(
    told: Story, kind: str = "worker", index: int = 0, of: Resource = PODS, *, name: str = "", **changed: Any
) -> Story:
    """The implementation creates the pod, or the service, of a replica; three records."""
    labels = {"job-name": "a", "replica-type": kind, "replica-index": str(index), "operator-name": "t"}
    labels |= (
        {"job-role": "master"} if (kind, index, of) in changed.pop("leads", [("worker", 0, PODS)]) else {}
    )
    labels = {f"{PREFIX}{key}": value for key, value in labels.items()}
    selector = {key: value for key, value in labels.items() if not key.endswith("job-role")}
    body: Json = {"restartPolicy": "Never", "containers": [{"name": "tensorflow", "env": [CONFIG]}]}
    if of == SERVICES:
        body = {"clusterIP": "None", "selector": selector}
    metadata = {"labels": {**labels, **changed.pop("labels", {})}, "ownerReferences": [OWNER]}
    metadata["annotations"] = changed.pop("annotations", {})
    return told.makes(of, name or f"a-{kind}-{index}", {"metadata": metadata, "spec": {**body, **changed}})


CONFIG = {"name": "TF_CONFIG", "value": '{"task": 1}'}
BARE = [{"name": "tensorflow"}]


def group(told: Story, minimum: int = 2, phase: str = "", of: Resource = PODGROUPS, **about: str) -> Story:
    """The implementation creates the PodGroup, or writes it; three records."""
    status = {"status": {"phase": phase}} if phase else {}
    metadata = {"uid": "uid-group-a", "ownerReferences": [OWNER]}
    body = {"metadata": metadata, "spec": {"minMember": minimum, **about}, **status}
    return told.makes(of, "a", body)


def restarting() -> Story:
    return says(job(), "Created", "Restarting")


SUSPENDED = spec({"suspend": True})
MORTAL = spec({"ttlSecondsAfterFinished": 5})
CHIEF = spec(Chief=1, Worker=1)
OF_VOLCANO = {"scheduling.k8s.io/group-name": "a", "volcano.sh/task-spec": "worker"}

BREAKS = [
    pytest.param("TFJ-001", made(job(), name="another"), *(3, "another"), id="a pod has a name of its own"),
    pytest.param("TFJ-001", made(job(), index=2), *(3, "a-worker-2"), id="a pod beyond the replicas"),
    pytest.param(
        "TFJ-002",
        made(job(), of=SERVICES, clusterIP="10.0.0.1"),
        *(3, "10.0.0.1"),
        id="a service has an address",
    ),
    pytest.param(
        "TFJ-002",
        made(job(), of=SERVICES, selector={f"{PREFIX}job-name": "a"}),
        *(3, "job-name"),
        id="a service selects all replicas",
    ),
    pytest.param(
        "TFJ-003",
        made(job(), labels={f"{PREFIX}operator-name": ""}),
        *(3, "operator-name"),
        id="a pod does not name its operator",
    ),
    pytest.param(
        "TFJ-003",
        made(job(), index=1, labels={f"{PREFIX}job-role": "master"}),
        *(3, "master"),
        id="a second Worker is the master",
    ),
    pytest.param(
        "TFJ-006",
        made(job(), containers=BARE),
        *(3, "none"),
        id="one of several replicas has no TF_CONFIG",
    ),
    pytest.param("TFJ-006", made(job(spec(Worker=1))), *(3, "task=1"), id="the only replica has a TF_CONFIG"),
    pytest.param(
        "TFJ-021",
        made(job(spec(restart="OnFailure", Worker=2))),
        *(3, "Never"),
        id="the restartPolicy of the type is not taken over",
    ),
    pytest.param(
        "TFJ-021",
        made(job(spec(restart="ExitCode", Worker=2)), restartPolicy="OnFailure"),
        *(3, "OnFailure"),
        id="with ExitCode the kubelet restarts containers",
    ),
    pytest.param(
        "TFJ-030",
        says(says(job(), "Failed", completionTime=NOON), "Created", completionTime=NOON),
        *(2, "Created"),
        id="a TFJob is Failed no more",
    ),
    pytest.param("TFJ-031", says(job(), "Failed"), *(1, "none; Failed"), id="a failure has no time"),
    pytest.param(
        "TFJ-032",
        says(job(), "Running", "Restarting"),
        *(1, "Restarting and Running"),
        id="it runs and restarts",
    ),
    pytest.param(
        "TFJ-032", says(job(), "Created", "Created"), *(1, "two of"), id="a condition is there twice"
    ),
    pytest.param(
        "TFJ-034",
        says(job(CHIEF), "Succeeded", asked=CHIEF, completionTime=NOON),
        *(1, "Succeeded"),
        id="a TFJob succeeds without its Chief",
    ),
    pytest.param(
        "TFJ-035",
        says(made(job()).runs("a-worker-0"), "Succeeded", completionTime=NOON),
        *(5, "0; Succeeded"),
        id="a TFJob succeeds while its Worker runs",
    ),
    pytest.param(
        "TFJ-035",
        says(
            made(job({**spec(), "successPolicy": "AllWorkers"})).succeeds("a-worker-0"),
            "Succeeded",
            asked={**spec(), "successPolicy": "AllWorkers"},
            completionTime=NOON,
        ),
        *(5, "1; Succeeded"),
        id="a TFJob succeeds with one of all Workers",
    ),
    pytest.param(
        "TFJ-036",
        says(made(job()).runs("a-worker-0"), "Running", replicaStatuses={"Worker": {"active": 2}}),
        *(5, "2"),
        id="more replicas are active than there are pods",
    ),
    pytest.param(
        "TFJ-036",
        says(made(job()).runs("a-worker-0"), "Running", replicaStatuses={"Worker": {"failed": 1}}),
        *(5, "1"),
        id="a pod that runs is counted as failed",
    ),
    pytest.param(
        "TFJ-037",
        says(says(job(), "Running", startTime=NOON), "Running", startTime=time_of_day(1)),
        *(2, "12:00:01"),
        id="the startTime changes",
    ),
    pytest.param(
        "TFJ-037",
        says(made(job()).succeeds("a-worker-0"), "Succeeded"),
        *(5, "none; Succeeded"),
        id="a success has no time",
    ),
    pytest.param(
        "TFJ-040",
        says(job(), "Failed", completionTime=NOON).write("delete", TFJOBS, "a").removes(TFJOBS, "a"),
        *(2, "a deleted"),
        id="a TFJob without a time to live is deleted",
    ),
    pytest.param(
        "TFJ-040",
        says(job(MORTAL), "Failed", asked=MORTAL, completionTime=NOON)
        .act("time passes")
        .write("delete", TFJOBS, "a")
        .removes(TFJOBS, "a"),
        *(3, "a deleted"),
        id="a TFJob is deleted before its time to live is over",
    ),
    pytest.param(
        "TFJ-041", made(job(SUSPENDED)), *(3, "a-worker-0 created"), id="a suspended TFJob gets a pod"
    ),
    pytest.param(
        "TFJ-042",
        says(job(SUSPENDED), "Suspended", "Running", asked=SUSPENDED),
        *(1, "Suspended,Running"),
        id="a suspended TFJob is Running",
    ),
    pytest.param(
        "TFJ-042",
        says(
            made(job()).runs("a-worker-0"),
            "Suspended",
            asked=SUSPENDED,
            replicaStatuses={"Worker": {"active": 1}},
        ),
        *(5, "Worker.active=1"),
        id="a suspended TFJob has an active replica",
    ),
    pytest.param(
        "TFJ-054",
        says(job(), {"type": "Created", "status": "True", "reason": "Because"}),
        *(1, "Because"),
        id="a condition has another reason",
    ),
    pytest.param("TFJ-044", group(job(), 3), *(3, "a with 3"), id="a PodGroup with more than all replicas"),
    pytest.param(
        "TFJ-044",
        group(job(spec({"schedulingPolicy": {"minAvailable": 1}})), 2, of=COSCHEDULING_GROUPS),
        *(3, "a with 2"),
        id="a PodGroup that does not heed minAvailable",
    ),
    pytest.param(
        "TFJ-045",
        made(group(job(), phase="Pending"), annotations=OF_VOLCANO),
        *(6, "a-worker-0 created"),
        id="a pod is created while the PodGroup is Pending",
    ),
    pytest.param(
        "TFJ-046",
        made(group(job(), phase="Inqueue"), annotations={"scheduling.k8s.io/group-name": "a"}),
        *(6, "group-name=a"),
        id="a pod does not name its type",
    ),
    pytest.param(
        "TFJ-058",
        made(group(job(), of=COSCHEDULING_GROUPS)),
        *(6, "replica-index=0"),
        id="a pod lacks the label of its PodGroup",
    ),
    pytest.param(
        "TFJ-050",
        group(says(job(), "Failed", completionTime=NOON)),
        *(4, "a created; Failed"),
        id="a PodGroup is created for a TFJob that has failed",
    ),
    pytest.param(
        "TFJ-057",
        group(job(spec({"schedulingPolicy": {"queue": "q"}})), queue="default"),
        *(3, "default"),
        id="the PodGroup is in another queue",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_tfjobs_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed, AREA)


RESUMED = says(says(job(SUSPENDED), "Suspended", asked=SUSPENDED, startTime=NOON), "Created", startTime=NOON)
CLEARED = {"type": "Running", "status": "False", "reason": "TFJobSuspended"}

BLAMELESS = [
    pytest.param(
        made(job()).stores(TFJOBS, "a", {"spec": spec(Worker=1)}).removes(PODS, "a-worker-0"),
        id="TFJ-001, TFJ-003, TFJ-006, TFJ-021: a pod as its spec was before it was scaled down",
    ),
    pytest.param(
        job().stores(
            PODS,
            "another",
            {"metadata": {"ownerReferences": [OWNER]}, "spec": {"restartPolicy": "Always"}, "status": {}},
        ),
        id="TFJ-001, TFJ-003, TFJ-006, TFJ-021: somebody else creates a pod",
    ),
    pytest.param(
        made(made(job(CHIEF), "chief", leads=[("chief", 0, PODS)]), leads=[("chief", 0, PODS)]),
        id="TFJ-003: the Chief leads, not Worker 0",
    ),
    pytest.param(
        made(job(spec(restart="ExitCode", Worker=1)), containers=BARE),
        id="TFJ-006, TFJ-021: the only replica, with ExitCode",
    ),
    pytest.param(made(job(), "worker", 1, SERVICES), id="TFJ-002: the service of a replica"),
    pytest.param(
        says(restarting(), "Created", "Running", {"type": "Failed", "status": "False", "reason": "no"}),
        id="TFJ-030, TFJ-032, TFJ-054: it restarts, runs again, and is not Failed for another reason",
    ),
    pytest.param(
        says(says(job(), "Failed", completionTime=NOON), "Failed", CLEARED, completionTime=NOON),
        id="TFJ-030, TFJ-031: another condition is cleared later",
    ),
    pytest.param(
        says(
            made(job(CHIEF), "chief", leads=[("chief", 0, PODS)])
            .succeeds("a-chief-0")
            .gone("pods", "a-chief-0"),
            "Succeeded",
            asked=CHIEF,
            completionTime=NOON,
        ),
        id="TFJ-034: the Chief had succeeded, is gone, and no Worker has succeeded",
    ),
    pytest.param(
        says(made(job()).succeeds("a-worker-0"), "Succeeded", completionTime=NOON),
        id="TFJ-035, TFJ-037: Worker 0 has succeeded, the other one is not made yet",
    ),
    pytest.param(
        says(
            made(job()).runs("a-worker-0").deleting("pods", "a-worker-0").gone("pods", "a-worker-0"),
            "Running",
            replicaStatuses={"Worker": {"active": 1}},
        ),
        id="TFJ-036: an old view counts a pod that is gone",
    ),
    pytest.param(
        says(
            made(job()).runs("a-worker-0").deleting("pods", "a-worker-0"),
            "Running",
            replicaStatuses={"Worker": {"failed": 1}},
        ),
        id="TFJ-036: a pod that is being deleted is counted as failed",
    ),
    pytest.param(says(RESUMED, "Running", startTime=time_of_day(9)), id="TFJ-037: a TFJob that was resumed"),
    pytest.param(
        says(job(MORTAL), "Failed", asked=MORTAL, completionTime=NOON)
        .at(7)
        .act("time passes")
        .write("delete", TFJOBS, "a")
        .removes(TFJOBS, "a"),
        id="TFJ-040: its time to live is over",
    ),
    pytest.param(job().removes(TFJOBS, "a"), id="TFJ-040: its user deletes it"),
    pytest.param(
        made(job(SUSPENDED).stores(TFJOBS, "a", {"spec": spec()}).stores(TFJOBS, "a", {"spec": SUSPENDED})),
        id="TFJ-041: a TFJob that was resumed, and suspended again before its pod is created",
    ),
    pytest.param(
        says(job(), "Created", "Suspended", CLEARED, asked=SUSPENDED, replicaStatuses={"Worker": {}}),
        id="TFJ-042: Running is there, and not True",
    ),
    pytest.param(
        made(group(group(job()), phase="Inqueue"), annotations=OF_VOLCANO),
        id="TFJ-044, TFJ-045, TFJ-046: a pod of a PodGroup that is let in",
    ),
    pytest.param(
        made(group(job(), of=COSCHEDULING_GROUPS), labels={"scheduling.x-k8s.io/pod-group": "a"}),
        id="TFJ-058: a pod with the label of its PodGroup",
    ),
    pytest.param(
        group(job()).stores(TFJOBS, "a", {"spec": spec(Worker=1)}),
        id="TFJ-044: a PodGroup as the spec was before it was scaled down",
    ),
    pytest.param(
        says(
            group(job(spec({"schedulingPolicy": {"queue": "q"}})), queue="q"), "Failed", completionTime=NOON
        ),
        id="TFJ-050, TFJ-057: a PodGroup in its queue, of a TFJob that fails later",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_tfjobs_does_not_accuse(told: Story) -> None:
    assert_blameless(told, AREA)
