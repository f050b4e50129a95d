"""Invariants: Volcano Jobs, their status, their pods, PodGroups and queues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from histories import Story, story, time_of_day
from invariant_examples import assert_blameless, assert_broken

from batchproof.judgement.faults import view_fault
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.history import Json

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

BREAKS = [
    pytest.param("VOL-001", says(job(), "Running"), *(2, "Running"), id="a Job begins as Running"),
    pytest.param(
        "VOL-001", says(job(), "Pending", minAvailable=1), *(2, "minAvailable 1"), id="another minimum"
    ),
    pytest.param(
        "VOL-002", group(job(), minMember=1), *(4, "minMember=1"), id="a PodGroup with another minimum"
    ),
    pytest.param("VOL-002", group(job(), queue="r"), *(4, "queue=r"), id="a PodGroup in another queue"),
    pytest.param(
        "VOL-002", group(job(labels={"team": "x"})), *(4, "minMember=2"), id="a PodGroup without the labels"
    ),
    pytest.param(
        "VOL-002",
        group(job(spec({**WORK, "minAvailable": 2})), minTaskMember={"work": 1}),
        *(4, "minTaskMember.work=1"),
        id="a PodGroup with another minimum of a task",
    ),
    pytest.param(
        "VOL-003",
        group(job(spec(CPUS)), minResources={"cpu": "3"}),
        *(4, "3 CPUs"),
        id="a PodGroup asks for more than all pods",
    ),
    pytest.param(
        "VOL-004",
        made(group(job(), phase="Pending")),
        *(7, "a-work-0 created"),
        id="a pod is created while the PodGroup is Pending",
    ),
    pytest.param("VOL-006", made(group(job()), "a-0"), *(7, "a-0"), id="a pod has a name of its own"),
    pytest.param(
        "VOL-006",
        made(group(job()), annotations={"volcano.sh/job-version": ""}),
        *(7, "job-version"),
        id="a pod does not name its version",
    ),
    pytest.param(
        "VOL-008",
        made(group(job(spec(queue="r")), queue="r")),
        *(7, "a-work-0 created"),
        id="a pod is created though the queue does not exist",
    ),
    pytest.param(
        "VOL-014",
        says(made(group(says(job(), "Pending"))).runs("a-work-0"), "Running"),
        *(10, "1; Running"),
        id="a Job is Running with one of two pods",
    ),
    pytest.param(
        "VOL-019",
        says(says(job(), "Pending"), "Pending", retryCount=1),
        *(3, "+1 as it is Pending"),
        id="a retry is counted without a restart",
    ),
    pytest.param(
        "VOL-019",
        says(says(job(), "Pending"), "Restarting"),
        *(3, "+0 as it is Restarting"),
        id="a restart is not counted",
    ),
    pytest.param(
        "VOL-019",
        says(says(job(), "Pending", "Aborting"), "Restarting", retryCount=2),
        *(4, "+2 as it is Restarting"),
        id="a resume counts as two retries",
    ),
    pytest.param(
        "VOL-019",
        says(says(says(job(), "Pending"), "Restarting", retryCount=1), "Running", retryCount=1),
        *(4, "Restarting, then Running"),
        id="a Job is Running right after its restart",
    ),
    pytest.param(
        "VOL-021", says(job(), "Pending", "Aborted"), *(3, "Pending, then Aborted"), id="never Aborting"
    ),
    pytest.param(
        "VOL-021",
        says(job(), "Pending", "Aborting", "Pending"),
        *(4, "Aborting, then Pending"),
        id="an abort is withdrawn",
    ),
    pytest.param(
        "VOL-022",
        says(job(), "Pending", "Aborting", "Aborted", "Pending"),
        *(5, "Aborted, then Pending"),
        id="a Job is resumed without a restart",
    ),
    pytest.param(
        "VOL-023",
        says(job(), "Pending", "Terminated"),
        *(3, "Pending, then Terminated"),
        id="a Job is Terminated and never was Terminating",
    ),
    pytest.param(
        "VOL-023",
        says(job(), "Pending", "Completing", "Terminating"),
        *(4, "Completing, then Terminating"),
        id="a Job that completes is terminated",
    ),
    pytest.param(
        "VOL-024",
        says(job(), "Pending", "Failed", "Pending"),
        *(4, "Pending after it"),
        id="a Job that has failed is Pending again",
    ),
    pytest.param(
        "VOL-025",
        says(made(group(says(job(), "Pending"))).runs("a-work-0"), "Pending", running=2),
        *(10, "2"),
        id="more pods are counted than there are",
    ),
    pytest.param(
        "VOL-025",
        says(made(group(says(job(), "Pending"))), "Pending", **TASKS),
        *(9, "1"),
        id="a pod of a task that does not run is counted as running",
    ),
    pytest.param(
        "VOL-026",
        says(says(job(), "Pending"), "Pending", version=1),
        *(3, "0 to 1"),
        id="the version rises while the Job is Pending",
    ),
    pytest.param(
        "VOL-026",
        says(says(says(job(), "Pending"), "Aborting", version=1), "Aborted"),
        *(4, "1 to 0"),
        id="the version falls",
    ),
    pytest.param(
        "VOL-040",
        made(group(job(spec(*BEHIND))), "a-late-0", task="late"),
        *(7, "a-late-0 created"),
        id="a pod is created before those that it depends on are ready",
    ),
    pytest.param(
        "VOL-042", made(group(job(ENV))), *(7, "not in"), id="a container is not given the index of its pod"
    ),
    pytest.param(
        "VOL-048",
        says(job(MORTAL), "Pending", "Failed", asked=MORTAL)
        .act("time passes")
        .write("delete", VOLCANO_JOBS, "a")
        .removes(VOLCANO_JOBS, "a"),
        *(5, "a deleted; Failed"),
        id="a Job is deleted before its time to live is over",
    ),
    pytest.param(
        "VOL-048",
        says(job(), "Pending").write("delete", VOLCANO_JOBS, "a").removes(VOLCANO_JOBS, "a"),
        *(3, "a deleted; Pending"),
        id="a Job without a time to live is deleted",
    ),
    pytest.param(
        "VOL-059",
        group(plain(story()), owner=of_pod(), minMember=2),
        *(3, "2, controlled by"),
        id="the PodGroup of a pod asks for two",
    ),
    pytest.param(
        "VOL-059",
        group(plain(story()), owner=None, minMember=1),
        *(3, "controlled by none"),
        id="nobody controls the PodGroup of a pod",
    ),
    pytest.param(
        "VOL-060",
        group(plain(story(), scheduler="other"), owner=of_pod(), minMember=1),
        *(3, "group for p"),
        id="a pod of another scheduler has a PodGroup",
    ),
    pytest.param(
        "VOL-061",
        group(plain(story(), owner=REPLICA_SET), owner=of_pod(), minMember=1),
        *(3, "for p alone"),
        id="a pod of a ReplicaSet has a PodGroup of its own",
    ),
    pytest.param(
        "VOL-061",
        group(
            group(plain(story(), owner=REPLICA_SET), owner=REPLICA_SET, minMember=1),
            "second",
            owner=REPLICA_SET,
            minMember=1,
        ),
        *(6, "group is there"),
        id="a ReplicaSet has two PodGroups",
    ),
    pytest.param("VOL-054", queue(queue(story()), "Closed"), *(1, "Closed"), id="a queue begins as Closed"),
    pytest.param(
        "VOL-054",
        queue(
            group(queue(story(), "Open"), owner=REPLICA_SET, phase="Pending", minMember=1), "Open", running=1
        ),
        *(4, "1"),
        id="a queue counts a PodGroup that is Pending as running",
    ),
    pytest.param(
        "VOL-055", queue(queue(story(), "Open"), "Closed"), *(1, "Closed"), id="a queue is closed by nobody"
    ),
    pytest.param(
        "VOL-055",
        queue(queue(command(queue(story(), "Open"), "CloseQueue"), "Closed"), "Open"),
        *(4, "Open"),
        id="a queue is opened by nobody",
    ),
    pytest.param(
        "VOL-077",
        queue(closing(story()), "Closed"),
        *(4, "Closed with group"),
        id="a queue is closed with a PodGroup in it",
    ),
    pytest.param(
        "VOL-077",
        queue(queue(closing(story()), "Closing"), "Closed"),
        *(5, "Closed with group"),
        id="a queue that is Closing is closed with a PodGroup in it",
    ),
    pytest.param(
        "VOL-077",
        queue(
            closing(story()).stores(
                PODGROUPS, "group", {"spec": {"queue": "q"}, "status": {"phase": "Running"}}
            ),
            "Closed",
        ),
        *(5, "Closed with group"),
        id="the PodGroup changes its phase as its queue is closed",
    ),
    pytest.param(
        "VOL-077",
        queue(
            command(
                queue(story(), "Open", name="default").stores(PODGROUPS, "group", {"spec": {}}).at(5),
                "CloseQueue",
                "default",
            ),
            "Closed",
            name="default",
        ),
        *(4, "Closed with group"),
        id="a PodGroup that names no queue is in the queue default",
    ),
    pytest.param(
        "VOL-078",
        queue(reports(queue(story()), "2"), "Open"),
        *(3, "none"),
        id="what is allocated is dropped",
    ),
    pytest.param(
        "VOL-078",
        queue(reports(reports(queue(story()), "1"), "2"), "Open", allocated={"cpu": "1"}),
        *(5, "cpu=1"),
        id="what was allocated before is written",
    ),
    pytest.param(
        "VOL-056",
        job(told=queue(command(queue(story(), "Open"), "CloseQueue"), "Closed").at(5)),
        *(4, "a; Closed"),
        id="a Job is stored though its queue is Closed",
    ),
    pytest.param(
        "VOL-057",
        queue(story(), name="default").removes(QUEUES, "default"),
        *(1, "deleted"),
        id="the queue default is deleted",
    ),
    pytest.param(
        "VOL-057",
        queue(queue(story(), asked={"weight": 2}), asked={"weight": 0}),
        *(1, "2, then 0"),
        id="a weight becomes 0",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_volcano_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed, AREA)


BLAMELESS = [
    pytest.param(
        says(says(job(), "Pending"), "Restarting", retryCount=1, version=1),
        id="VOL-001, VOL-019, VOL-026: a restart before anything runs",
    ),
    pytest.param(
        group(job(), labels={"more": "x"}, minTaskMember={"work": 2}),
        id="VOL-002: a PodGroup that says more than its Job",
    ),
    pytest.param(
        group(job(spec({**WORK, "minAvailable": 2})), minTaskMember={"work": 2}),
        id="VOL-002: a PodGroup with the minimum of a task",
    ),
    pytest.param(
        group(job().stores(VOLCANO_JOBS, "a", {"spec": spec(minAvailable=1)})),
        id="VOL-002: a PodGroup with the minimum that was changed since",
    ),
    pytest.param(
        group(job(spec(CPUS)), minResources={"cpu": "2000m"}), id="VOL-003: the resources of all pods"
    ),
    pytest.param(
        made(group(group(job(), phase="Running"), phase="Pending")),
        id="VOL-004, VOL-006, VOL-008: the PodGroup has been let in, and is Pending again",
    ),
    pytest.param(plain(job(), "a-work-0"), id="VOL-004, VOL-006: somebody else creates a pod of that name"),
    pytest.param(
        made(group(job().stores(VOLCANO_JOBS, "a", {"spec": spec({**WORK, "replicas": 1})})), "a-work-1"),
        id="VOL-006: a pod that an older spec asked for",
    ),
    pytest.param(
        made(
            group(job(spec({**WORK, "replicas": 1})).stores(VOLCANO_JOBS, "a", {"spec": spec()})), "a-work-1"
        ),
        id="VOL-006: a pod that only the newest spec asks for",
    ),
    pytest.param(
        made(group(job(spec(queue="default")), queue="default")),
        id="VOL-008: the queue default is older than the history",
    ),
    pytest.param(
        made(
            group(job(spec(queue="default")).stores(VOLCANO_JOBS, "a", {"spec": spec(queue="r")}), queue="r")
        ),
        id="VOL-008: an older spec named the queue default",
    ),
    pytest.param(
        says(
            made(made(group(says(job(), "Pending"))).succeeds("a-work-0"), "a-work-1").fails("a-work-1"),
            "Running",
            "Pending",
            "Running",
        ),
        id="VOL-014: pods that have ended count, and the phase goes to and fro",
    ),
    pytest.param(
        says(says(job(), "Pending", "Aborting"), "Restarting", "Failed", retryCount=1),
        id="VOL-019, VOL-021, VOL-024: a Job is resumed while it is aborted, and fails by its retries",
    ),
    pytest.param(
        says(says(job(), "Pending", "Aborting", "Aborted"), "Restarting", "Pending", retryCount=1),
        id="VOL-021, VOL-022: a Job is aborted and resumed",
    ),
    pytest.param(
        says(job(), "Pending", "Aborting", "Aborted", "Restarting", "Pending"),
        id="VOL-019, VOL-022: a Job is aborted and resumed, which does not count as a retry",
    ),
    pytest.param(
        says(job(), "Pending", "Completing", "Completed", "Completed"),
        id="VOL-023, VOL-024: a Job is completed by an action",
    ),
    pytest.param(
        says(
            made(group(says(job(), "Pending"))).runs("a-work-0").gone("pods", "a-work-0"),
            "Pending",
            running=1,
            **TASKS,
        ),
        id="VOL-025: an old view counts a pod that is gone",
    ),
    pytest.param(
        made(
            made(group(job(spec({**WORK, "replicas": 1}, BEHIND[1])))).runs("a-work-0", ready=True),
            "a-late-0",
            task="late",
        ),
        id="VOL-040: a pod after all that it depends on were ready",
    ),
    pytest.param(
        made(
            made(group(job(spec({**WORK, "replicas": 1}, BEHIND[1])))).succeeds("a-work-0"),
            "a-late-0",
            task="late",
        ),
        id="VOL-040: a pod after all that it depends on have succeeded",
    ),
    pytest.param(made(group(job(ENV)), containers=INDEXED), id="VOL-042: a container with its index"),
    pytest.param(
        says(job(MORTAL), "Pending", "Failed", asked=MORTAL)
        .at(7)
        .act("time passes")
        .write("delete", VOLCANO_JOBS, "a")
        .removes(VOLCANO_JOBS, "a"),
        id="VOL-048: its time to live is over",
    ),
    pytest.param(job().removes(VOLCANO_JOBS, "a"), id="VOL-048: its user deletes it"),
    pytest.param(
        group(plain(story(), "p-1", owner=REPLICA_SET), owner=REPLICA_SET, minMember=1),
        id="VOL-059, VOL-061: the PodGroup of a ReplicaSet",
    ),
    pytest.param(
        group(plain(story()), owner=of_pod(), minMember=1),
        id="VOL-059, VOL-060, VOL-061: the PodGroup of a pod without a controller",
    ),
    pytest.param(
        queue(
            group(queue(story(), "Open"), owner=REPLICA_SET, phase="Running", minMember=1).removes(
                PODGROUPS, "group"
            ),
            "Open",
            running=1,
        ),
        id="VOL-054: an old view counts a PodGroup that is gone",
    ),
    pytest.param(
        queue(queue(queue(command(queue(story(), "Open"), "CloseQueue"), "Closing"), "Closed"), "Closing"),
        id="VOL-054, VOL-055: a queue is closed, and a PodGroup comes late",
    ),
    pytest.param(
        queue(closing(story(), after=0.5), "Closed"),
        id="VOL-077: the PodGroup came when the queue was about to be closed",
    ),
    pytest.param(
        queue(
            closing(story(), phase="Running")
            .stores(PODGROUPS, "group", {"spec": {"queue": "r"}})
            .stores(PODGROUPS, "group", {"spec": {"queue": "q"}}),
            "Closed",
        ),
        id="VOL-077: the PodGroup has come back into the queue just now",
    ),
    pytest.param(
        queue(closing(story(), phase="Completed"), "Closed"),
        id="VOL-077: the PodGroup has ended",
    ),
    pytest.param(
        queue(closing(story(), deletionTimestamp=NOON), "Closed"),
        id="VOL-077: the PodGroup is being deleted",
    ),
    pytest.param(
        queue(closing(story()).removes(PODGROUPS, "group"), "Closed"),
        id="VOL-077: the PodGroup is gone",
    ),
    pytest.param(
        queue(
            command(
                queue(story(), "Open").stores(PODGROUPS, "group", {"spec": {"queue": "r"}}).at(5),
                "CloseQueue",
            ),
            "Closed",
        ),
        id="VOL-077: the PodGroup is in another queue",
    ),
    pytest.param(
        queue(closing(story()).act("closes", queue="q", state="Closed"), "Closed"),
        id="VOL-077: another client has closed the queue",
    ),
    pytest.param(
        queue(
            closing(
                story().fault(1, "armed", **view_fault(PODGROUPS, frozen=True, delay_s=0.0)).fault(1, "fired")
            ),
            "Closed",
        ),
        id="VOL-077: no PodGroup has been observed",
    ),
    pytest.param(
        queue(reports(queue(story()), "2"), "Open", allocated={"cpu": "2000m"}),
        id="VOL-078: the same amount in other words",
    ),
    pytest.param(
        queue(reports(queue(story()), "0"), "Open"),
        id="VOL-078: nothing is allocated, and no longer said to be 0",
    ),
    pytest.param(
        reports(reports(queue(story()), "2"), "1"),
        id="VOL-078: the scheduler reports something else",
    ),
    pytest.param(
        queue(queue(story(), "Open", allocated={"cpu": "2"}), "Open"),
        id="VOL-078: nobody is known to have reported what was allocated",
    ),
    pytest.param(
        job(told=queue(command(queue(story(), "Open"), "CloseQueue"), "Closing")),
        id="VOL-056: a Job is stored as its queue begins to close",
    ),
    pytest.param(
        queue(queue(story(), asked={"weight": 2}), "Open", asked={"weight": 1}),
        id="VOL-057: its user changes the weight",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_volcano_does_not_accuse(told: Story) -> None:
    assert_blameless(told, AREA)
