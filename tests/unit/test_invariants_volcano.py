"""Invariants: Volcano Jobs, their status, their pods, PodGroups and queues."""

from __future__ import annotations

from typing import Any

from histories import Story, story, time_of_day
from invariant_examples import Case, breaks, check, examples, keeps

from batchproof.ground.resources import PODS
from batchproof.judgement.faults import view_fault
from batchproof.judgement.history import Json
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS

AREA = "VOL"
"""How the ids of the requirements begin that are judged here."""

OWNER = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "uid": "uid-a", "controller": True}
REPLICA_SET = {"kind": "ReplicaSet", "uid": "uid-set", "controller": True}
PENDING = {"minAvailable": 2, "conditions": [{"status": "Pending"}]}
WORK = {"name": "work", "replicas": 2, "template": {"spec": {"containers": [{"name": "main"}]}}}
NOON = time_of_day(0)


def spec(*tasks: Json, **changed: Any) -> Json:
    return {"minAvailable": 2, "schedulerName": "s", "queue": "q", "tasks": [*tasks] or [WORK], **changed}


def job(asked: Json | None = None, told: Story | None = None, **metadata: Any) -> Story:
    """A Volcano Job, in a queue that there is; records 0 and 1."""
    told = told or story().stores(QUEUES, "q", {"spec": {}})
    return told.stores(VOLCANO_JOBS, "a", {"metadata": metadata, "spec": asked or spec()})


def says(told: Story, *phases: str, asked: Json | None = None, **status: Any) -> Story:
    """The Job has these phases, one after the other; a record each. The first of a Job is as it should be."""
    for phase in phases:
        state = {"phase": phase, "lastTransitionTime": NOON}
        told.stores(
            VOLCANO_JOBS, "a", {"spec": asked or spec(), "status": {"state": state, **PENDING, **status}}
        )
    return told


def group(
    told: Story,
    name: str = "group",
    owner: Json | None = OWNER,
    phase: str = "Inqueue",
    labels: Json | None = None,
    **changed: Any,
) -> Story:
    """The implementation creates a PodGroup, or writes it; three records."""
    metadata = {"ownerReferences": [owner] if owner else [], "labels": labels or {}}
    asked = {"minMember": 2, "queue": "q", **changed}
    return told.makes(PODGROUPS, name, {"metadata": metadata, "spec": asked, "status": {"phase": phase}})


def made(told: Story, name: str = "a-work-0", *, task: str = "work", **changed: Any) -> Story:
    """The implementation creates a pod of the Job; three records."""
    marks = {"job-name": "a", "task-spec": task, "job-version": "0"}
    annotations = {f"volcano.sh/{key}": value for key, value in marks.items()}
    annotations |= {"scheduling.k8s.io/group-name": "group", **changed.pop("annotations", {})}
    body = {"schedulerName": "s", "containers": [{"name": "main"}], **changed}
    return told.makes(
        PODS, name, {"metadata": {"ownerReferences": [OWNER], "annotations": annotations}, "spec": body}
    )


def plain(told: Story, name: str = "p", scheduler: str = "volcano", owner: Json | None = None) -> Story:
    """A pod of no Volcano Job; one record."""
    metadata = {"ownerReferences": [owner] if owner else []}
    return told.stores(PODS, name, {"metadata": metadata, "spec": {"schedulerName": scheduler}})


def of_pod(name: str = "p") -> Json:
    return {"kind": "Pod", "uid": f"uid-{name}", "controller": True}


def queue(told: Story, state: str = "", asked: Json | None = None, name: str = "q", **more: Any) -> Story:
    """A queue with this state, and more of a status; one record."""
    status = {"state": state, **more} if state or more else {}
    return told.stores(QUEUES, name, {"spec": asked or {}, "status": status})


def reports(told: Story, cpus: str) -> Story:
    """The scheduler reports so many CPUs as allocated in the queue; two records."""
    told = told.act("reports", queue="q", allocated=cpus)
    return queue(told, "Open", allocated={"cpu": cpus})


def closing(told: Story, *, phase: str = "Inqueue", after: float = 5, **metadata: Any) -> Story:
    """A queue in which a PodGroup is, and a Command that closes it so many seconds after; 4 records."""
    body = {"metadata": metadata, "spec": {"queue": "q"}, "status": {"phase": phase}}
    told = queue(told, "Open").stores(PODGROUPS, "group", body)
    return command(told.at(after), "CloseQueue")


def command(told: Story, action: str, name: str = "q") -> Story:
    body = {"action": action, "target": {"kind": "Queue", "name": name}}
    return told.stores(COMMANDS, "c", body).removes(COMMANDS, "c")


ENV = spec(plugins={"env": []})
BEHIND = [WORK, {**WORK, "name": "late", "dependsOn": {"name": ["work"]}}]
CPUS = {**WORK, "template": {"spec": {"containers": [{"resources": {"requests": {"cpu": "1"}}}]}}}
INDEXED = [{"name": "main", "env": [{"name": f"V{it}_TASK_INDEX", "value": "0"} for it in "CK"]}]
TASKS = {"taskStatusCount": {"work": {"phase": {"Running": 1}}}}
MORTAL = spec(ttlSecondsAfterFinished=5)


@examples(
    "VOL-001",
    breaks("a Job begins as Running", 2, "Running", says(job(), "Running")),
    breaks("another minimum", 2, "minAvailable 1", says(job(), "Pending", minAvailable=1)),
    "VOL-001, VOL-019, VOL-026",
    keeps("a restart before anything runs"),
    says(says(job(), "Pending"), "Restarting", retryCount=1, version=1),
    "VOL-002",
    breaks("a PodGroup with another minimum", 4, "minMember=1", group(job(), minMember=1)),
    breaks("a PodGroup in another queue", 4, "queue=r", group(job(), queue="r")),
    breaks("a PodGroup without the labels", 4, "minMember=2", group(job(labels={"team": "x"}))),
    breaks("a PodGroup with another minimum of a task", 4, "minTaskMember.work=1"),
    group(job(spec({**WORK, "minAvailable": 2})), minTaskMember={"work": 1}),
    keeps("a PodGroup that says more than its Job"),
    group(job(), labels={"more": "x"}, minTaskMember={"work": 2}),
    keeps("a PodGroup with the minimum of a task"),
    group(job(spec({**WORK, "minAvailable": 2})), minTaskMember={"work": 2}),
    keeps("a PodGroup with the minimum that was changed since"),
    group(job().stores(VOLCANO_JOBS, "a", {"spec": spec(minAvailable=1)})),
    "VOL-003",
    breaks("a PodGroup asks for more than all pods", 4, "3 CPUs"),
    group(job(spec(CPUS)), minResources={"cpu": "3"}),
    keeps("the resources of all pods", group(job(spec(CPUS)), minResources={"cpu": "2000m"})),
    "VOL-004",
    breaks("a pod is created while the PodGroup is Pending", 7, "a-work-0 created"),
    made(group(job(), phase="Pending")),
    "VOL-004, VOL-006, VOL-008",
    keeps("the PodGroup has been let in, and is Pending again"),
    made(group(group(job(), phase="Running"), phase="Pending")),
    "VOL-004, VOL-006",
    keeps("somebody else creates a pod of that name", plain(job(), "a-work-0")),
    "VOL-006",
    breaks("a pod has a name of its own", 7, "a-0", made(group(job()), "a-0")),
    breaks("a pod does not name its version", 7, "job-version"),
    made(group(job()), annotations={"volcano.sh/job-version": ""}),
    keeps("a pod that an older spec asked for"),
    made(group(job().stores(VOLCANO_JOBS, "a", {"spec": spec({**WORK, "replicas": 1})})), "a-work-1"),
    keeps("a pod that only the newest spec asks for"),
    made(group(job(spec({**WORK, "replicas": 1})).stores(VOLCANO_JOBS, "a", {"spec": spec()})), "a-work-1"),
    "VOL-008",
    breaks("a pod is created though the queue does not exist", 7, "a-work-0 created"),
    made(group(job(spec(queue="r")), queue="r")),
    keeps("the queue default is older than the history"),
    made(group(job(spec(queue="default")), queue="default")),
    keeps("an older spec named the queue default"),
    made(group(job(spec(queue="default")).stores(VOLCANO_JOBS, "a", {"spec": spec(queue="r")}), queue="r")),
    "VOL-014",
    breaks("a Job is Running with one of two pods", 10, "1; Running"),
    says(made(group(says(job(), "Pending"))).runs("a-work-0"), "Running"),
    keeps("pods that have ended count, and the phase goes to and fro"),
    says(
        made(made(group(says(job(), "Pending"))).succeeds("a-work-0"), "a-work-1").fails("a-work-1"),
        "Running",
        "Pending",
        "Running",
    ),
    "VOL-019",
    breaks("a retry is counted without a restart", 3, "+1 as it is Pending"),
    says(says(job(), "Pending"), "Pending", retryCount=1),
    breaks("a restart is not counted", 3, "+0 as it is Restarting"),
    says(says(job(), "Pending"), "Restarting"),
    breaks("a resume counts as two retries", 4, "+2 as it is Restarting"),
    says(says(job(), "Pending", "Aborting"), "Restarting", retryCount=2),
    breaks("a Job is Running right after its restart", 4, "Restarting, then Running"),
    says(says(says(job(), "Pending"), "Restarting", retryCount=1), "Running", retryCount=1),
    "VOL-019, VOL-021, VOL-024",
    keeps("a Job is resumed while it is aborted, and fails by its retries"),
    says(says(job(), "Pending", "Aborting"), "Restarting", "Failed", retryCount=1),
    "VOL-021",
    breaks("never Aborting", 3, "Pending, then Aborted", says(job(), "Pending", "Aborted")),
    breaks("an abort is withdrawn", 4, "Aborting, then Pending"),
    says(job(), "Pending", "Aborting", "Pending"),
    "VOL-021, VOL-022",
    keeps("a Job is aborted and resumed"),
    says(says(job(), "Pending", "Aborting", "Aborted"), "Restarting", "Pending", retryCount=1),
    "VOL-019, VOL-022",
    keeps("a Job is aborted and resumed, which does not count as a retry"),
    says(job(), "Pending", "Aborting", "Aborted", "Restarting", "Pending"),
    "VOL-022",
    breaks("a Job is resumed without a restart", 5, "Aborted, then Pending"),
    says(job(), "Pending", "Aborting", "Aborted", "Pending"),
    "VOL-023",
    breaks("a Job is Terminated and never was Terminating", 3, "Pending, then Terminated"),
    says(job(), "Pending", "Terminated"),
    breaks("a Job that completes is terminated", 4, "Completing, then Terminating"),
    says(job(), "Pending", "Completing", "Terminating"),
    "VOL-023, VOL-024",
    keeps("a Job is completed by an action", says(job(), "Pending", "Completing", "Completed", "Completed")),
    "VOL-024",
    breaks("a Job that has failed is Pending again", 4, "Pending after it"),
    says(job(), "Pending", "Failed", "Pending"),
    "VOL-025",
    breaks("more pods are counted than there are", 10, "2"),
    says(made(group(says(job(), "Pending"))).runs("a-work-0"), "Pending", running=2),
    breaks("a pod of a task that does not run is counted as running", 9, "1"),
    says(made(group(says(job(), "Pending"))), "Pending", **TASKS),
    keeps("an old view counts a pod that is gone"),
    says(
        made(group(says(job(), "Pending"))).runs("a-work-0").gone("pods", "a-work-0"),
        "Pending",
        running=1,
        **TASKS,
    ),
    "VOL-026",
    breaks("the version rises while the Job is Pending", 3, "0 to 1"),
    says(says(job(), "Pending"), "Pending", version=1),
    breaks("the version falls", 4, "1 to 0"),
    says(says(says(job(), "Pending"), "Aborting", version=1), "Aborted"),
    "VOL-040",
    breaks("a pod is created before those that it depends on are ready", 7, "a-late-0 created"),
    made(group(job(spec(*BEHIND))), "a-late-0", task="late"),
    keeps("a pod after all that it depends on were ready"),
    made(
        made(group(job(spec({**WORK, "replicas": 1}, BEHIND[1])))).runs("a-work-0", ready=True),
        "a-late-0",
        task="late",
    ),
    keeps("a pod after all that it depends on have succeeded"),
    made(
        made(group(job(spec({**WORK, "replicas": 1}, BEHIND[1])))).succeeds("a-work-0"),
        "a-late-0",
        task="late",
    ),
    "VOL-042",
    breaks("a container is not given the index of its pod", 7, "not in", made(group(job(ENV)))),
    keeps("a container with its index", made(group(job(ENV)), containers=INDEXED)),
    "VOL-048",
    breaks("a Job is deleted before its time to live is over", 5, "a deleted; Failed"),
    says(job(MORTAL), "Pending", "Failed", asked=MORTAL)
    .act("time passes")
    .write("delete", VOLCANO_JOBS, "a")
    .removes(VOLCANO_JOBS, "a"),
    breaks("a Job without a time to live is deleted", 3, "a deleted; Pending"),
    says(job(), "Pending").write("delete", VOLCANO_JOBS, "a").removes(VOLCANO_JOBS, "a"),
    keeps("its time to live is over"),
    says(job(MORTAL), "Pending", "Failed", asked=MORTAL)
    .at(7)
    .act("time passes")
    .write("delete", VOLCANO_JOBS, "a")
    .removes(VOLCANO_JOBS, "a"),
    keeps("its user deletes it", job().removes(VOLCANO_JOBS, "a")),
    "VOL-059",
    breaks("the PodGroup of a pod asks for two", 3, "2, controlled by"),
    group(plain(story()), owner=of_pod(), minMember=2),
    breaks("the PodGroup of a pod has no controller", 3, "controlled by none"),
    group(plain(story()), owner=None, minMember=1),
    "VOL-059, VOL-061",
    keeps("the PodGroup of a ReplicaSet"),
    group(plain(story(), "p-1", owner=REPLICA_SET), owner=REPLICA_SET, minMember=1),
    "VOL-059, VOL-060, VOL-061",
    keeps("the PodGroup of a pod without a controller", group(plain(story()), owner=of_pod(), minMember=1)),
    "VOL-060",
    breaks("a pod of another scheduler has a PodGroup", 3, "group for p"),
    group(plain(story(), scheduler="other"), owner=of_pod(), minMember=1),
    "VOL-061",
    breaks("a pod of a ReplicaSet has a PodGroup of its own", 3, "for p alone"),
    group(plain(story(), owner=REPLICA_SET), owner=of_pod(), minMember=1),
    breaks("a ReplicaSet has two PodGroups", 6, "group is there"),
    group(
        group(plain(story(), owner=REPLICA_SET), owner=REPLICA_SET, minMember=1),
        "second",
        owner=REPLICA_SET,
        minMember=1,
    ),
    "VOL-054",
    breaks("a queue begins as Closed", 1, "Closed", queue(queue(story()), "Closed")),
    breaks("a queue counts a PodGroup that is Pending as running", 4, "1"),
    queue(group(queue(story(), "Open"), owner=REPLICA_SET, phase="Pending", minMember=1), "Open", running=1),
    keeps("an old view counts a PodGroup that is gone"),
    queue(
        group(queue(story(), "Open"), owner=REPLICA_SET, phase="Running", minMember=1).removes(
            PODGROUPS, "group"
        ),
        "Open",
        running=1,
    ),
    "VOL-054, VOL-055",
    keeps("a queue is closed, and a PodGroup comes late"),
    queue(queue(queue(command(queue(story(), "Open"), "CloseQueue"), "Closing"), "Closed"), "Closing"),
    "VOL-055",
    breaks("a queue is closed without a request", 1, "Closed", queue(queue(story(), "Open"), "Closed")),
    breaks("a queue is opened without a request", 4, "Open"),
    queue(queue(command(queue(story(), "Open"), "CloseQueue"), "Closed"), "Open"),
    "VOL-077",
    breaks("a queue is closed with a PodGroup in it", 4, "Closed with group"),
    queue(closing(story()), "Closed"),
    breaks("a queue that is Closing is closed with a PodGroup in it", 5, "Closed with group"),
    queue(queue(closing(story()), "Closing"), "Closed"),
    breaks("the PodGroup changes its phase as its queue is closed", 5, "Closed with group"),
    queue(
        closing(story()).stores(PODGROUPS, "group", {"spec": {"queue": "q"}, "status": {"phase": "Running"}}),
        "Closed",
    ),
    breaks("a PodGroup that names no queue is in the queue default", 4, "Closed with group"),
    queue(
        command(
            queue(story(), "Open", name="default").stores(PODGROUPS, "group", {"spec": {}}).at(5),
            "CloseQueue",
            "default",
        ),
        "Closed",
        name="default",
    ),
    keeps("the PodGroup came when the queue was about to be closed"),
    queue(closing(story(), after=0.5), "Closed"),
    keeps("the PodGroup has come back into the queue just now"),
    queue(
        closing(story(), phase="Running")
        .stores(PODGROUPS, "group", {"spec": {"queue": "r"}})
        .stores(PODGROUPS, "group", {"spec": {"queue": "q"}}),
        "Closed",
    ),
    keeps("the PodGroup has ended", queue(closing(story(), phase="Completed"), "Closed")),
    keeps("the PodGroup is being deleted", queue(closing(story(), deletionTimestamp=NOON), "Closed")),
    keeps("the PodGroup is gone", queue(closing(story()).removes(PODGROUPS, "group"), "Closed")),
    keeps("the PodGroup is in another queue"),
    queue(
        command(
            queue(story(), "Open").stores(PODGROUPS, "group", {"spec": {"queue": "r"}}).at(5), "CloseQueue"
        ),
        "Closed",
    ),
    keeps("another client has closed the queue"),
    queue(closing(story()).act("closes", queue="q", state="Closed"), "Closed"),
    keeps("no PodGroup has been observed"),
    queue(
        closing(
            story().fault(1, "armed", **view_fault(PODGROUPS, frozen=True, delay_s=0.0)).fault(1, "fired")
        ),
        "Closed",
    ),
    "VOL-078",
    breaks("what is allocated is dropped", 3, "none", queue(reports(queue(story()), "2"), "Open")),
    breaks("what was allocated before is written", 5, "cpu=1"),
    queue(reports(reports(queue(story()), "1"), "2"), "Open", allocated={"cpu": "1"}),
    keeps("the same amount in other words"),
    queue(reports(queue(story()), "2"), "Open", allocated={"cpu": "2000m"}),
    keeps("nothing is allocated, and no longer said to be 0", queue(reports(queue(story()), "0"), "Open")),
    keeps("the scheduler reports something else", reports(reports(queue(story()), "2"), "1")),
    keeps("no known client has reported what was allocated"),
    queue(queue(story(), "Open", allocated={"cpu": "2"}), "Open"),
    "VOL-056",
    breaks("a Job is stored though its queue is Closed", 4, "a; Closed"),
    job(told=queue(command(queue(story(), "Open"), "CloseQueue"), "Closed").at(5)),
    keeps("a Job is stored as its queue begins to close"),
    job(told=queue(command(queue(story(), "Open"), "CloseQueue"), "Closing")),
    "VOL-057",
    breaks("the queue default is deleted", 1, "deleted"),
    queue(story(), name="default").removes(QUEUES, "default"),
    breaks("a weight becomes 0", 1, "2, then 0"),
    queue(queue(story(), asked={"weight": 2}), asked={"weight": 0}),
    keeps("its user changes the weight"),
    queue(queue(story(), asked={"weight": 2}), "Open", asked={"weight": 1}),
    area=AREA,
)
def test_an_invariant_of_volcano(case: Case) -> None:
    check(case)
