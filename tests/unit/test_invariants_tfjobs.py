"""Invariants: TFJobs, their status, their pods and services, and their PodGroups."""

from __future__ import annotations

from typing import Any

from histories import Story, story, time_of_day
from invariant_examples import Case, breaks, check, examples, keeps

from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.history import Json
from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.objects import TFJOBS

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

RESUMED = says(says(job(SUSPENDED), "Suspended", asked=SUSPENDED, startTime=NOON), "Created", startTime=NOON)
CLEARED = {"type": "Running", "status": "False", "reason": "TFJobSuspended"}


@examples(
    "TFJ-001",
    breaks("a pod has a name of its own", 3, "another", made(job(), name="another")),
    breaks("a pod beyond the replicas", 3, "a-worker-2", made(job(), index=2)),
    "TFJ-001, TFJ-003, TFJ-006, TFJ-021",
    keeps("a pod as its spec was before it was scaled down"),
    made(job()).stores(TFJOBS, "a", {"spec": spec(Worker=1)}).removes(PODS, "a-worker-0"),
    keeps("somebody else creates a pod"),
    job().stores(
        PODS,
        "another",
        {"metadata": {"ownerReferences": [OWNER]}, "spec": {"restartPolicy": "Always"}, "status": {}},
    ),
    "TFJ-002",
    breaks("a service has an address", 3, "10.0.0.1", made(job(), of=SERVICES, clusterIP="10.0.0.1")),
    breaks("a service selects all replicas", 3, "job-name"),
    made(job(), of=SERVICES, selector={f"{PREFIX}job-name": "a"}),
    "TFJ-003",
    breaks("a pod does not name its operator", 3, "operator-name"),
    made(job(), labels={f"{PREFIX}operator-name": ""}),
    breaks("a second Worker is the master", 3, "master"),
    made(job(), index=1, labels={f"{PREFIX}job-role": "master"}),
    keeps("the Chief leads, not Worker 0"),
    made(made(job(CHIEF), "chief", leads=[("chief", 0, PODS)]), leads=[("chief", 0, PODS)]),
    "TFJ-006",
    breaks("one of several replicas has no TF_CONFIG", 3, "none", made(job(), containers=BARE)),
    breaks("the only replica has a TF_CONFIG", 3, "task=1", made(job(spec(Worker=1)))),
    "TFJ-006, TFJ-021",
    keeps("the only replica, with ExitCode", made(job(spec(restart="ExitCode", Worker=1)), containers=BARE)),
    "TFJ-002",
    keeps("the service of a replica", made(job(), "worker", 1, SERVICES)),
    "TFJ-021",
    breaks("the restartPolicy of the type is not taken over", 3, "Never"),
    made(job(spec(restart="OnFailure", Worker=2))),
    breaks("with ExitCode the kubelet restarts containers", 3, "OnFailure"),
    made(job(spec(restart="ExitCode", Worker=2)), restartPolicy="OnFailure"),
    "TFJ-030",
    breaks("a TFJob is Failed no more", 2, "Created"),
    says(says(job(), "Failed", completionTime=NOON), "Created", completionTime=NOON),
    "TFJ-030, TFJ-032, TFJ-054",
    keeps("it restarts, runs again, and is not Failed for another reason"),
    says(restarting(), "Created", "Running", {"type": "Failed", "status": "False", "reason": "no"}),
    "TFJ-030, TFJ-031",
    keeps("another condition is cleared later"),
    says(says(job(), "Failed", completionTime=NOON), "Failed", CLEARED, completionTime=NOON),
    "TFJ-031",
    breaks("a failure has no time", 1, "none; Failed", says(job(), "Failed")),
    "TFJ-032",
    breaks("it runs and restarts", 1, "Restarting and Running", says(job(), "Running", "Restarting")),
    breaks("a condition is there twice", 1, "two of", says(job(), "Created", "Created")),
    "TFJ-034",
    breaks("a TFJob succeeds without its Chief", 1, "Succeeded"),
    says(job(CHIEF), "Succeeded", asked=CHIEF, completionTime=NOON),
    keeps("the Chief had succeeded, is gone, and no Worker has succeeded"),
    says(
        made(job(CHIEF), "chief", leads=[("chief", 0, PODS)]).succeeds("a-chief-0").gone("pods", "a-chief-0"),
        "Succeeded",
        asked=CHIEF,
        completionTime=NOON,
    ),
    "TFJ-035",
    breaks("a TFJob succeeds while its Worker runs", 5, "0; Succeeded"),
    says(made(job()).runs("a-worker-0"), "Succeeded", completionTime=NOON),
    breaks("a TFJob succeeds with one of all Workers", 5, "1; Succeeded"),
    says(
        made(job({**spec(), "successPolicy": "AllWorkers"})).succeeds("a-worker-0"),
        "Succeeded",
        asked={**spec(), "successPolicy": "AllWorkers"},
        completionTime=NOON,
    ),
    "TFJ-035, TFJ-037",
    keeps("Worker 0 has succeeded, the other one is not made yet"),
    says(made(job()).succeeds("a-worker-0"), "Succeeded", completionTime=NOON),
    "TFJ-036",
    breaks("more replicas are active than there are pods", 5, "2"),
    says(made(job()).runs("a-worker-0"), "Running", replicaStatuses={"Worker": {"active": 2}}),
    breaks("a pod that runs is counted as failed", 5, "1"),
    says(made(job()).runs("a-worker-0"), "Running", replicaStatuses={"Worker": {"failed": 1}}),
    keeps("an old view counts a pod that is gone"),
    says(
        made(job()).runs("a-worker-0").deleting("pods", "a-worker-0").gone("pods", "a-worker-0"),
        "Running",
        replicaStatuses={"Worker": {"active": 1}},
    ),
    keeps("a pod that is being deleted is counted as failed"),
    says(
        made(job()).runs("a-worker-0").deleting("pods", "a-worker-0"),
        "Running",
        replicaStatuses={"Worker": {"failed": 1}},
    ),
    "TFJ-037",
    breaks("the startTime changes", 2, "12:00:01"),
    says(says(job(), "Running", startTime=NOON), "Running", startTime=time_of_day(1)),
    breaks("a success has no time", 5, "none; Succeeded"),
    says(made(job()).succeeds("a-worker-0"), "Succeeded"),
    keeps("a TFJob that was resumed", says(RESUMED, "Running", startTime=time_of_day(9))),
    "TFJ-040",
    breaks("a TFJob without a time to live is deleted", 2, "a deleted"),
    says(job(), "Failed", completionTime=NOON).write("delete", TFJOBS, "a").removes(TFJOBS, "a"),
    breaks("a TFJob is deleted before its time to live is over", 3, "a deleted"),
    says(job(MORTAL), "Failed", asked=MORTAL, completionTime=NOON)
    .act("time passes")
    .write("delete", TFJOBS, "a")
    .removes(TFJOBS, "a"),
    keeps("its time to live is over"),
    says(job(MORTAL), "Failed", asked=MORTAL, completionTime=NOON)
    .at(7)
    .act("time passes")
    .write("delete", TFJOBS, "a")
    .removes(TFJOBS, "a"),
    keeps("its user deletes it", job().removes(TFJOBS, "a")),
    "TFJ-041",
    breaks("a suspended TFJob gets a pod", 3, "a-worker-0 created", made(job(SUSPENDED))),
    keeps("a TFJob that was resumed, and suspended again before its pod is created"),
    made(job(SUSPENDED).stores(TFJOBS, "a", {"spec": spec()}).stores(TFJOBS, "a", {"spec": SUSPENDED})),
    "TFJ-042",
    breaks("a suspended TFJob is Running", 1, "Suspended,Running"),
    says(job(SUSPENDED), "Suspended", "Running", asked=SUSPENDED),
    breaks("a suspended TFJob has an active replica", 5, "Worker.active=1"),
    says(
        made(job()).runs("a-worker-0"),
        "Suspended",
        asked=SUSPENDED,
        replicaStatuses={"Worker": {"active": 1}},
    ),
    keeps("Running is there, and not True"),
    says(job(), "Created", "Suspended", CLEARED, asked=SUSPENDED, replicaStatuses={"Worker": {}}),
    "TFJ-054",
    breaks("a condition has another reason", 1, "Because"),
    says(job(), {"type": "Created", "status": "True", "reason": "Because"}),
    "TFJ-044",
    breaks("a PodGroup with more than all replicas", 3, "a with 3", group(job(), 3)),
    breaks("a PodGroup that does not heed minAvailable", 3, "a with 2"),
    group(job(spec({"schedulingPolicy": {"minAvailable": 1}})), 2, of=COSCHEDULING_GROUPS),
    "TFJ-044, TFJ-045, TFJ-046",
    keeps("a pod of a PodGroup that is let in"),
    made(group(group(job()), phase="Inqueue"), annotations=OF_VOLCANO),
    "TFJ-045",
    breaks("a pod is created while the PodGroup is Pending", 6, "a-worker-0 created"),
    made(group(job(), phase="Pending"), annotations=OF_VOLCANO),
    "TFJ-046",
    breaks("a pod does not name its type", 6, "group-name=a"),
    made(group(job(), phase="Inqueue"), annotations={"scheduling.k8s.io/group-name": "a"}),
    "TFJ-058",
    breaks("a pod lacks the label of its PodGroup", 6, "replica-index=0"),
    made(group(job(), of=COSCHEDULING_GROUPS)),
    keeps("a pod with the label of its PodGroup"),
    made(group(job(), of=COSCHEDULING_GROUPS), labels={"scheduling.x-k8s.io/pod-group": "a"}),
    "TFJ-044",
    keeps("a PodGroup as the spec was before it was scaled down"),
    group(job()).stores(TFJOBS, "a", {"spec": spec(Worker=1)}),
    "TFJ-050",
    breaks("a PodGroup is created for a TFJob that has failed", 4, "a created; Failed"),
    group(says(job(), "Failed", completionTime=NOON)),
    "TFJ-050, TFJ-057",
    keeps("a PodGroup in its queue, of a TFJob that fails later"),
    says(group(job(spec({"schedulingPolicy": {"queue": "q"}})), queue="q"), "Failed", completionTime=NOON),
    "TFJ-057",
    breaks("the PodGroup is in another queue", 3, "default"),
    group(job(spec({"schedulingPolicy": {"queue": "q"}})), queue="default"),
    area=AREA,
)
def test_an_invariant_of_tfjobs(case: Case) -> None:
    check(case)
