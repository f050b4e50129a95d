"""The rules of Volcano's controllers, one file each: tables of what goes in and what comes out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_controller.objects.identity import Controller
from reference_controller.objects.pods import Container
from reference_controller.volcano.depends_on import may_begin
from reference_controller.volcano.events import Event, events
from reference_controller.volcano.min_resources import min_resources
from reference_controller.volcano.normal_pods import (
    CreateGroupOfPod,
    DeleteGroupOfPods,
    NameGroup,
    NormalPod,
    ReplicaSet,
    reconcile_pod,
    reconcile_replica_set,
)
from reference_controller.volcano.objects import Group, Job, JobPod, Policy, Status, Task
from reference_controller.volcano.plugins import equipped, extras_of, ssh
from reference_controller.volcano.pods import missing, surplus
from reference_controller.volcano.policies import policy_for
from reference_controller.volcano.volumes import claims, missing_claims

TEMPLATE = {"spec": {"containers": [{"name": "main"}]}}
PS = Task("ps", 1, TEMPLATE, minimum=1, requests={"cpu": 4000}, priority_class="high")
NEW = Status()
WORKER = Task("worker", 3, TEMPLATE, minimum=1, requests={"cpu": 1000}, depends_on=("ps",))


def job(*tasks: Task, minimum: int = 2, status: Status = NEW, **said: object) -> Job:
    """A Job of these tasks, or of both."""
    raw = {"spec": said}
    return Job("n", "a", "uid-a", 1, minimum, "q", "s", 3, tasks or (PS, WORKER), status=status, raw=raw)


def pod(task: str = "ps", index: int = 0, phase: str = "Running", *, ready: bool = True) -> JobPod:
    """A pod of the Job."""
    name = f"a-{task}-{index}"
    return JobPod("n", name, f"uid-{name}", 1, phase=phase, ready=ready, task=task, index=index)


# -- what a PodGroup asks for


@pytest.mark.parametrize(
    ("minimum", "cpu"),
    [
        pytest.param(1, 4000, id="the task with the higher priority first"),
        pytest.param(2, 5000, id="what both tasks need"),
        pytest.param(4, 7000, id="and then all others"),
    ],
)
def test_min_resources(minimum: int, cpu: int) -> None:
    assert min_resources(job(WORKER, PS, minimum=minimum), {"high": 9}) == {"cpu": cpu}


# -- which tasks may begin


@pytest.mark.parametrize(
    ("pods", "may"),
    [
        pytest.param([], False, id="nothing runs"),
        pytest.param([pod()], True, id="what it needs runs"),
        pytest.param([pod(ready=False)], False, id="and is not ready"),
        pytest.param([pod(phase="Succeeded", ready=False)], True, id="or has succeeded"),
        pytest.param([replace(pod(), deleting=True)], False, id="VOL-041: it terminates"),
        pytest.param([replace(pod(), job_version=7)], False, id="VOL-041: of another version"),
    ],
)
def test_a_task_waits(pods: list[JobPod], *, may: bool) -> None:
    assert may_begin(job(), WORKER, pods) is may


def test_a_task_counts_what_has_succeeded_and_is_gone_but_no_pod_twice() -> None:
    two = replace(PS, replicas=2, minimum=2)
    it = job(two, WORKER, status=Status("Running", done=frozenset({("ps", 0)})))
    assert may_begin(it, WORKER, [pod(index=1)])
    assert not may_begin(it, WORKER, [pod(index=0, phase="Succeeded")])


def test_a_task_waits_for_all_or_for_any() -> None:
    web = Task("web", 1, TEMPLATE, minimum=1)
    after_all = replace(WORKER, depends_on=("ps", "web"))
    tasks = (PS, web, after_all)
    assert not may_begin(job(*tasks), after_all, [pod()])
    assert may_begin(job(*tasks), replace(after_all, any_of_them=True), [pod()])


# -- which pods are made, and which go


def test_what_is_missing_is_made_and_what_has_succeeded_is_not() -> None:
    it = job(replace(WORKER, depends_on=()), status=Status("Running", done=frozenset({("worker", 1)})))
    assert [index for _, index in missing(it, [pod("worker", 0)])] == [2]


def test_the_highest_indexes_go_first() -> None:
    pods = [pod("worker", index) for index in (4, 0, 3)]
    assert [it.index for it in surplus(job(), pods)] == [4, 3]


# -- events and policies


@pytest.mark.parametrize(
    ("pods", "evicted", "phase", "found"),
    [
        pytest.param([pod(phase="Failed")], [], "", [Event("PodFailed", "ps", 0)], id="a pod has failed"),
        pytest.param([], [pod()], "", [Event("PodEvicted", "ps")], id="a pod was deleted"),
        pytest.param([pod(phase="Succeeded")], [], "", [Event("TaskCompleted", "ps")], id="a task is done"),
        pytest.param([pod()], [], "Unknown", [Event("Unknown")], id="there is no room any more"),
        pytest.param(
            [replace(pod(phase="Failed"), job_version=1)], [], "", [], id="VOL-026: another version"
        ),
        pytest.param(
            [replace(pod(), containers=(Container("main", "main", restarts=3),))],
            *([], "", [Event("TaskFailed", "ps")]),
            id="its containers were started too often",
        ),
        pytest.param(
            [replace(pod(phase="Failed"), containers=(Container("main", "main", exit_code=3),))],
            *([], "", [Event("PodFailed", "ps", 3)]),
            id="VOL-030: the exit code",
        ),
    ],
)
def test_events(pods: list[JobPod], evicted: list[JobPod], phase: str, found: list[Event]) -> None:
    group = Group("n", "g", "u", 1, phase) if phase else None
    assert list(events(job(), pods, evicted, group)) == found


FAILED = Policy(frozenset({"PodFailed"}), "AbortJob")


@pytest.mark.parametrize(
    ("of_task", "of_job", "event", "action"),
    [
        pytest.param([], [FAILED], Event("PodFailed", "ps"), "AbortJob", id="by its event"),
        pytest.param([], [FAILED], Event("PodEvicted", "ps"), None, id="by no other"),
        pytest.param(
            [Policy(frozenset({"*"}), "RestartJob")],
            *([FAILED], Event("PodFailed", "ps"), "RestartJob"),
            id="VOL-029: that of the task first",
        ),
        pytest.param(
            [Policy(frozenset({"*"}), "RestartJob")],
            *([FAILED], Event("PodFailed", "worker"), "AbortJob"),
            id="VOL-029: not that of another task",
        ),
        pytest.param(
            [], [Policy(frozenset(), "A", 3)], Event("PodFailed", "ps", 3), "A", id="VOL-030: by exit code"
        ),
        pytest.param(
            [], [Policy(frozenset(), "A", 3)], Event("PodFailed", "ps", 4), None, id="VOL-030: not by another"
        ),
    ],
)
def test_policies(of_task: list[Policy], of_job: list[Policy], event: Event, action: str | None) -> None:
    it = replace(job(replace(PS, policies=tuple(of_task)), WORKER), policies=tuple(of_job))
    policy = policy_for(it, event)
    assert (policy.action if policy else None) == action


# -- volumes and plugins


def test_a_claim_has_the_same_name_at_every_look() -> None:
    volumes = [{"mountPath": "/a", "volumeClaim": {}}, {"mountPath": "/b", "volumeClaimName": "data"}]
    made, named = claims(job(volumes=volumes))
    assert made == claims(job(volumes=volumes))[0]
    assert made.name.startswith("a-pvc-")
    assert len(made.name) == len("a-pvc-") + 12
    assert missing_claims(job(volumes=volumes), {made.name}) == (named,)


def test_plugins_add_to_pods() -> None:
    spec = equipped(TEMPLATE["spec"], job(plugins={"env": [], "svc": [], "ssh": []}), "a-worker-1", 1)
    (container,) = spec["containers"]
    assert {"VC_TASK_INDEX", "VC_WORKER_HOSTS", "VC_PS_NUM"} <= {it["name"] for it in container["env"]}
    assert {it["mountPath"] for it in container["volumeMounts"]} == {"/etc/volcano", ssh.MOUNT}
    assert (spec["hostname"], spec["subdomain"]) == ("a-worker-1", "a")


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ([], ["ConfigMap", "Service", "NetworkPolicy"]),
        (["--disable-network-policy"], ["ConfigMap", "Service"]),
    ],
)
def test_svc_makes_objects(said: list[str], kinds: list[str]) -> None:
    assert [extra.kind for extra in extras_of(job(plugins={"svc": said}))] == kinds


# -- pods of no Job


PLAIN = NormalPod("n", "plain", "uid-p", 1, scheduler="volcano")
GROUP = Group("n", "podgroup-uid-p", "u", 1, "Pending")


@pytest.mark.parametrize(
    ("it", "group", "actions"),
    [
        pytest.param(PLAIN, None, (CreateGroupOfPod(), NameGroup()), id="VOL-059: a group and its name"),
        pytest.param(PLAIN, GROUP, (NameGroup(),), id="VOL-059: its name alone"),
        pytest.param(replace(PLAIN, group="g"), None, (), id="it names one already"),
        pytest.param(replace(PLAIN, scheduler="other"), None, (), id="VOL-060: another scheduler's"),
    ],
)
def test_a_pod_gets_a_group(it: NormalPod, group: Group | None, actions: tuple[object, ...]) -> None:
    assert reconcile_pod(it, group).actions == actions


def test_pods_of_one_controller_share_a_group() -> None:
    owner = Controller("apps/v1", "ReplicaSet", "o", "uid-o")
    names = {replace(PLAIN, uid=uid, controller=owner).group_name for uid in ("1", "2")}
    assert names == {"podgroup-uid-o"}


@pytest.mark.parametrize(
    ("replicas", "pods", "deletes"),
    [
        (0, [], True),
        (0, [replace(PLAIN, deleting=True)], True),
        (0, [replace(PLAIN, deleting=True), PLAIN], False),
        (1, [], False),
    ],
)
def test_an_empty_replica_set_needs_no_group(replicas: int, pods: list[NormalPod], *, deletes: bool) -> None:
    actions = reconcile_replica_set(ReplicaSet("n", "o", "u", 1, replicas), GROUP, pods).actions
    assert actions == ((DeleteGroupOfPods(GROUP),) if deletes else ())
