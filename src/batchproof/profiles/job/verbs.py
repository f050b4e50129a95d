"""The verbs about batch/v1 Jobs and their pods: what their users and the kubelet do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from batchproof.cell.kubelet import PLAIN, PodEnding
from batchproof.ground.resources import (
    COMPLETION_INDEX,
    CRON_JOBS,
    JOBS,
    PODS,
    SIMULATED_SCHEDULER,
    WORKLOADS,
    Resource,
)
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted
from batchproof.profiles.job import sentences
from batchproof.profiles.job.bodies import GROUP, container, cron_job, job_body, parent_workload
from batchproof.profiles.job.facts.indexes import active_among
from batchproof.profiles.job.facts.pods import active_pods
from batchproof.profiles.job.specs import JobSpec, Setting
from batchproof.profiles.shared.names import JOB, LONG_JOB
from batchproof.profiles.shared.objects.batch import Job, indexes_of
from batchproof.profiles.shared.objects.pods import completion_index
from batchproof.profiles.shared.verbs import Pods
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence

SERVICE_ACCOUNTS = Resource("", "v1", "serviceaccounts")

_CHANGED: dict[str, Any] = {
    "metadata": {
        "labels": {"batchproof.dev/colour": "red"},
        "annotations": {"batchproof.dev/note": "written later"},
    },
    "spec": {"nodeSelector": {"kubernetes.io/os": "linux"}},
}
"""What a user may still change in the template of a Job that is suspended and has not started."""


class Jobs:
    """What users do to Jobs."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._pods = world.verbs(Pods)
        self._has_parent = False

    @verb(sentences.JOB_IS)
    def create_job(self, job: JobSpec) -> None:
        """Create a Job, and with the first one that is delegated the Workload of its parent."""
        if job.delegated and not self._has_parent:
            self._has_parent = True
            self._create_parent(int(dict(job.settings)["parallelism"]))
        self._create(job)

    def _create(self, job: JobSpec, pod: Json | None = None) -> None:
        body = job_body(job, self._world.cell.managed_by, self._world.seen.manager, pod)
        spec = {key: value for key, value in body["spec"].items() if key != "template"}
        fields = ", ".join(f"{key}={value}" for key, value in spec.items())
        if job.parent == "CronJob":
            body["metadata"]["ownerReferences"][0]["uid"] = self._create_cron_job(body["spec"])
        self._world.act(f"creates Job {job.name} {fields}".rstrip())
        self._world.do(self._world.cell.api.create(self._world.path(JOBS), body))

    def _create_cron_job(self, spec: Json) -> str:
        """Create the CronJob of such Jobs, without which they are garbage; returns its UID."""
        body = cron_job(spec)
        self._world.act(f"creates CronJob {body['metadata']['name']}")
        made = self._world.do(self._world.cell.api.create(self._world.path(CRON_JOBS), body))
        return str(made["metadata"]["uid"])

    def _create_parent(self, minimum: int) -> None:
        body = parent_workload(WORKLOADS.api_version, minimum)
        template = body["spec"]["podGroupTemplates"][0]["name"]
        self._world.act(f"creates Workload {body['metadata']['name']} with template {template}")
        self._world.do(self._world.cell.api.create(self._world.path(WORKLOADS), body))

    @verb("the long-named Indexed Job of {count:d} completions is created")
    def create_long_named(self, count: int) -> None:
        """Create an Indexed Job with the longest name that a Job can have."""
        spec = JobSpec.of(LONG_JOB, completions=count, parallelism=count)
        self.create_job(replace(spec, kinds=("Indexed",)))

    @verb("a Job of the same name with {count:d} running pods in another namespace")
    def create_twin(self, count: int) -> None:
        """Create a Job of the same name in another namespace, with a selector and running pods."""
        world, api = self._world, self._world.cell.api
        place, group = f"{world.scene.namespace}-twin", {GROUP: "shared"}
        world.act(f"creates a Job of the same name with {counted(count, 'running pod')} in another namespace")
        world.do(world.cell.make_namespace(place))
        pod: Json = {
            "metadata": {"labels": group},
            "spec": {
                "restartPolicy": "Never",
                "schedulerName": SIMULATED_SCHEDULER,
                "containers": [container("main")],
            },
        }
        spec: Json = {"manualSelector": True, "selector": {"matchLabels": group}, "template": pod}
        spec |= {"completions": count, "parallelism": count}
        spec |= {"managedBy": manager} if (manager := world.cell.managed_by) else {}
        body: Json = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": JOB}, "spec": spec}
        made = world.do(api.create(JOBS.path(place), body))
        owner = _controller(JOB, made["metadata"]["uid"])
        for number in range(count):
            name = f"{JOB}-twin-{number}"
            metadata = {"name": name, "labels": group, "ownerReferences": [owner]}
            body = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": pod["spec"]}
            world.do(api.create(PODS.path(place), body))
            running = {"status": {"phase": "Running"}}
            world.do(api.patch(PODS.path(place, name, "status"), running))

    @verb("{count:d} real [container|containers] of a Job [count?succeeds|succeed]", succeeds=True)
    @verb("{count:d} real [container|containers] of a Job [count?fails|fail]", succeeds=False)
    def create_real_job(self, count: int, *, succeeds: bool) -> None:
        """Create a Job whose pods a real kubelet runs: ``count`` at once, and no second try."""
        image = self._world.do(self._world.cell.belongings.real_image())
        command = ["/pause", "-v"] if succeeds else ["/there-is-no-such-program"]
        container = {"name": "main", "image": image, "command": command, "imagePullPolicy": "Never"}
        pod = {
            "schedulerName": "default-scheduler",
            "automountServiceAccountToken": False,
            "tolerations": [],
            "containers": [container],
        }
        self._create(JobSpec.of(completions=count, parallelism=count, backoffLimit=0), pod)

    @verb(sentences.JOB_CHANGED)
    def change(self, name: str, settings: Sequence[Setting]) -> None:
        """A user changes settings of a Job."""
        self.patch_job(name, **dict(settings))

    @verb("the user removes ttlSecondsAfterFinished from {name:job}")
    def remove_ttl(self, name: str) -> None:
        """A user takes away the time after which a finished Job is deleted."""
        self.patch_job(name, ttlSecondsAfterFinished=None)

    @verb("the user changes the labels, annotations and nodeSelector in the pod template of {name:job}")
    def change_template(self, name: str) -> None:
        """A user changes in the template of a Job what may be changed before it starts."""
        self.patch_job(name, template=_CHANGED)

    @verb("the user changes the minimum of the Job to {minimum:d}")
    def change_minimum(self, minimum: int) -> None:
        """A user changes how many pods of a Job are a gang."""
        self.patch_job(scheduling={"schedulingPolicy": {"gang": {"minCount": minimum}}})

    def patch_job(self, name: str = JOB, **spec: Any) -> None:
        """Change a Job's spec."""
        fields = ", ".join(f"{key}={value}" for key, value in spec.items())
        self._world.act(f"changes Job {name}: {fields}")
        self._world.do(self._world.cell.api.patch(self._world.path(JOBS, name), {"spec": spec}))

    @verb(sentences.JOB_SUSPENDED)
    @verb(sentences.JOB_RESUMED, suspended=False, once={"job": JOB})
    def suspend(self, job: str, *, suspended: bool = True) -> None:
        """Suspend a Job, or resume it."""
        self.patch_job(job, suspend=suspended)

    def fail_one_after_another(self, count: int, *, job: str = JOB) -> None:
        """That many pods of a Job fail, one after the other, and each is replaced before the next step.

        So that what replaces one is not counted as what replaces the next, all pods that parallelism allows
        are active before each failure and after the last.
        """
        at_once = self.job(job).parallelism
        for _ in range(count):
            self.active(at_once, job=job)
            self.fail_pods(1, job=job)
        self.active(at_once, job=job)

    def fail_index(self, index: int, count: int) -> None:
        """That many pods of an index of the Job fail, one after the other, and each is replaced."""
        for _ in range(count):
            self._pods.end_pods(self.active_of([index]), exit_code=1)
            self.active_of([index])

    def set_condition(self, name: str, kind: str, status: str, *, reason: str = "Tried") -> None:
        """Set a condition in the status of a Job that has none, as another client of the API may."""
        self._world.act(f"sets {kind} of Job {name} to {status} with reason {reason}")
        condition = {"type": kind, "status": status, "reason": reason, "message": "by another client"}
        self._record(name, {"conditions": [condition]})

    @verb(sentences.JOB_LABELED)
    def label_job(self, name: str) -> None:
        """Change a label of a Job: another client's write that raises its resourceVersion."""
        self._world.act(f"labels Job {name}")
        labels = {"batchproof.dev/touched": "true"}
        self._world.do(
            self._world.cell.api.patch(self._world.path(JOBS, name), {"metadata": {"labels": labels}})
        )

    @verb("another client makes the Job the child of another object")
    def give_parent(self) -> None:
        """Give the Job an owner that controls it: a ServiceAccount, which every run may create."""
        path = self._world.path(SERVICE_ACCOUNTS)
        owner: Json = {"apiVersion": "v1", "kind": "ServiceAccount"}
        self._world.act(f"creates ServiceAccount parent, which controls Job {JOB}")
        made = self._world.do(self._world.cell.api.create(path, {**owner, "metadata": {"name": "parent"}}))
        owner |= {"name": "parent", "uid": made["metadata"]["uid"], "controller": True}
        self._world.do(
            self._world.cell.api.patch(
                self._world.path(JOBS, JOB), {"metadata": {"ownerReferences": [owner]}}
            )
        )

    @verb(sentences.JOB_DELETED)
    def delete_job(self, name: str = JOB, *, propagation: str = "Background") -> None:
        """Delete a Job with a propagation policy: Background, Foreground or Orphan."""
        self._world.act(f"deletes Job {name} ({propagation})")
        self._world.do(
            self._world.cell.api.delete(self._world.path(JOBS, name), propagationPolicy=propagation)
        )

    def recreate_job(self, name: str = JOB) -> None:
        """Delete a Job, and create another of its name, completions and parallelism."""
        spec = self.job(name).spec
        self.delete_job(name)
        self.create_job(JobSpec.of(name, completions=spec["completions"], parallelism=spec["parallelism"]))

    def give_pod(self, name: str, *, index: str = "", job: str = JOB) -> None:
        """Create a pod and make a Job its controller, as if the implementation had made and tracked it.

        With an ``index`` its annotation says so, whether or not there is such an index, and so does its
        label, if that can be a label.
        """
        mark = {COMPLETION_INDEX: index} if index else {}
        template = self.job(job).spec["template"]["metadata"]
        labels = template["labels"] | (mark if index.isalnum() else {})
        self._pods.create_pod(name, labels=labels, annotations=mark)
        metadata = {"ownerReferences": [self._reference(job)], "finalizers": [self._world.seen.finalizer]}
        self._world.do(self._world.cell.api.patch(self._world.path(PODS, name), {"metadata": metadata}))

    @verb("another client sets {kind:word} of {count:d} running [pod|pods] to {status:word}")
    def set_pod_condition(self, kind: str, count: int, status: str) -> None:
        """Another client sets a condition of active pods of the Job; they have no other then."""
        for pod in self.active(count):
            self._world.act(f"sets {kind} of pod {pod.name} to {status}")
            path = f"{self._world.path(PODS, pod.name)}/status"
            conditions = [{"type": kind, "status": status}]
            self._world.do(self._world.cell.api.patch(path, {"status": {"conditions": conditions}}))

    @verb("another client sets index {index:d} in the {place:word} of its pod to {to:word}")
    @verb("another client removes index {index:d} from the {place:word} of its pod")
    def mark_index(self, place: str, index: int, to: str | None = None) -> None:
        """Another client changes an index in the ``annotation`` or ``label`` of its active pod.

        Without ``to`` it removes it there.
        """
        for pod in self.active_of([index]):
            self._pods.patch_pod(pod, {f"{place}s": {COMPLETION_INDEX: to}})

    @verb("another client takes the controller from {count:d} [pod|pods]")
    def take_controller(self, count: int) -> None:
        """Another client removes the owner reference of active pods of the Job, and nothing else."""
        for pod in self.active(count):
            self._pods.patch_pod(pod, {"ownerReferences": None})

    def move_pods(self, pods: list[Pod], *, to: str) -> None:
        """Make a Job the controller of pods that another controls."""
        for pod in pods:
            self._pods.patch_pod(pod, {"ownerReferences": [self._reference(to)]})

    def _reference(self, job: str) -> Json:
        """The owner reference by which a Job controls a pod."""
        return _controller(job, self.job(job).uid)

    def record_completed(self, indexes: str, *, job: str = JOB) -> None:
        """Write into a Job's status that indexes are completed, as the process before may have done."""
        self._world.act(f"records of Job {job}: indexes {indexes} are completed")
        self._record(job, {"completedIndexes": indexes, "succeeded": len(indexes_of(indexes))})

    def _record(self, job: str, status: Json) -> None:
        self._world.do(
            self._world.cell.api.patch(self._world.path(JOBS, job) + "/status", {"status": status})
        )

    def job(self, name: str = JOB) -> Job:
        """The Job as it is observed now.

        Raises:
            Inconclusive: there is none.
        """
        if (found := self._world.seen.find(Job, name)) is None:
            self._world.do(
                self._world.cell.catch_up()
            )  # it was made a moment ago: the recorder may not have shown it yet
            found = self._world.seen.find(Job, name)
        return self._world.found(found, f"Job {name}")

    def active(self, count: int | None = None, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` active pods of a Job (all if None); waits until there are that many.

        What replaces one that failed or was deleted may come after the documented delay.

        Raises:
            Inconclusive: the implementation does not provide them in time.
        """
        if count is not None:
            self._await(active_pods(job=job, at_least=count), job)
        pods = [pod for pod in self._world.seen.pods_of(self._world.seen.find(Job, job)) if pod.active]
        return pods[:count]

    def active_of(self, indexes: list[int], *, job: str = JOB) -> list[Pod]:
        """The active pods of these indexes of an Indexed Job; waits until there is one of each.

        Raises:
            Inconclusive: the implementation does not provide them in time.
        """
        self._await(active_among(job=job, indexes=indexes), job)
        return [pod for pod in self.active(job=job) if completion_index(pod) in indexes]

    def _await(self, pods: FactCall, job: str) -> None:
        """Wait for pods of a Job: as long as a replacement may take where some have failed or were deleted.

        What is seen late may be acted on late, also by a controller that reads it again each time.
        """
        owned = self._world.seen.owned(self._world.seen.find(Job, job))
        succeeded = {uid for uid, pod in owned.finished.items() if pod.phase == "Succeeded"}
        late = any(view.until_s is None and view.delay_s for view in self._world.seen.withheld.values())
        slow = late or owned.made - owned.active.keys() - succeeded
        within = "recovery" if slow else "reaction"
        self._world.claim(eventually(pods, within=within, precondition=True))

    def finished(self, count: int, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` finished pods of a Job that are still there.

        Raises:
            Inconclusive: there are fewer.
        """
        return self._chosen(job, count, "finished", [p for p in self._pods_of(job) if p.finished])

    def terminating(self, count: int, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` terminating pods of a Job.

        Raises:
            Inconclusive: there are fewer.
        """
        return self._chosen(job, count, "terminating", [p for p in self._pods_of(job) if p.terminating])

    def _pods_of(self, job: str) -> list[Pod]:
        return self._world.seen.pods_of(self._world.seen.find(Job, job))

    def _chosen(self, job: str, count: int, what: str, pods: list[Pod]) -> list[Pod]:
        if len(pods) < count:
            self._world.lack(f"{counted(count, f'{what} pod')} of Job {job}, but {len(pods)}")
        return pods[:count]

    def run_pods(self, count: int | None = None, *, ready: bool = False, job: str = JOB) -> None:
        """The kubelet starts pods of a Job."""
        self._pods.play(
            "start running",
            self.active(count, job=job),
            lambda pod: self._world.cell.kubelet.run(pod, ready=ready),
        )

    def succeed_pods(self, count: int | None = None, *, job: str = JOB) -> None:
        """The kubelet reports active pods of a Job as Succeeded."""
        self._pods.play(
            "succeed", self.active(count, job=job), lambda pod: self._world.cell.kubelet.end(pod, 0)
        )

    def succeed_in_turn(self, count: int, *, job: str = JOB) -> None:
        """The kubelet reports active pods of a Job as Succeeded, each once the one before is stored."""
        for pod in self.active(count, job=job):
            self._pods.end_pods([pod], exit_code=0)

    def fail_pods(
        self, count: int | None = None, *, exit_code: int = 1, ending: PodEnding = PLAIN, job: str = JOB
    ) -> None:
        """The kubelet reports active pods of a Job as Failed."""
        pods = self.active(count, job=job)
        self._pods.play("fail", pods, lambda pod: self._world.cell.kubelet.end(pod, exit_code, ending))

    @verb("the kubelet rejects {count:d} [pod|pods]")
    def reject_pods(self, count: int) -> None:
        """The kubelet rejects active pods of the Job: they have failed, and no container has been started."""
        self._pods.play("are rejected", self.active(count), self._world.cell.kubelet.reject)

    def restart_containers(
        self, times: list[int], *, container: str = "", pending: bool = False, job: str = JOB
    ) -> None:
        """The kubelet has restarted a container in place, so often in the first pod, so often in the next.

        An init container of a pod that is ``pending`` has not succeeded yet.
        """
        pods, kubelet = self.active(len(times), job=job), self._world.cell.kubelet
        often = {pod.uid: number for pod, number in zip(pods, times, strict=True)}
        often_each = [*map(str, times[:-1]), counted(times[-1], "time")]
        what = f"restart a container {', '.join(often_each)}"
        start = kubelet.retry if pending else kubelet.restart
        self._pods.play(what, pods, lambda pod: start(pod, often[pod.uid], container=container))

    def end_container(self, container: str, exit_code: int, *, job: str = JOB) -> None:
        """The kubelet reports that one container of an active pod of a Job has ended; the pod runs on."""
        pods = self.active(1, job=job)
        what = f"go on without container {container}, which ended with {exit_code}"
        self._pods.play(
            what, pods, lambda pod: self._world.cell.kubelet.end_container(pod, container, exit_code)
        )

    def lose_pods(self, count: int, *, job: str = JOB) -> None:
        """The node of pods is lost: their phase is Unknown."""
        self._pods.play("become Unknown", self.active(count, job=job), self._world.cell.kubelet.unknown)


def _controller(job: str, uid: str) -> Json:
    it: Json = {"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": uid}
    return it | {"controller": True, "blockOwnerDeletion": True}
