"""The verbs about batch/v1 Jobs: what their users do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.errors import HarnessError
from batchproof.judgement.template import JOB
from batchproof.judgement.things.batch import indexes_of
from batchproof.judgement.things.native import WORKLOADS
from batchproof.labels import COMPLETION_INDEX, SIMULATED_SCHEDULER
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.judgement.things.batch import Job
    from batchproof.judgement.things.core import Pod

from batchproof.world.pods import Pods

_PARENT = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "name": "parent"}
_PARENT_UID = "b0000000-0000-4000-8000-000000000001"


class Jobs(Pods):
    """What users do to Jobs."""

    def create_job(
        self,
        name: str = JOB,
        *,
        restart_policy: str = "Never",
        init_container: str = "",
        second_container: str = "",
        selector: str = "",
        label: str = "",
        finalizer: str = "",
        pod: Json | None = None,
        annotations: Json | None = None,
        metadata: Json | None = None,
        **spec: Any,
    ) -> None:
        """Create a Job; ``spec`` is in the words of the API (``completions=3``).

        Its pods have a container ``main``, and an init container or a second one where these are named.
        It is the implementation's, unless ``managedBy`` says otherwise; None: it names nobody.
        With a ``selector`` the Job knows its pods by that group, as other Jobs may too, not by its own UID;
        with a ``label`` its pods are of that group, and it knows them by its own UID.
        With a ``finalizer`` of another client it stays there while it is being deleted. ``pod`` replaces
        fields of the pod template's spec, ``annotations`` are those of the template, ``metadata`` more of the
        Job's own.
        """
        pod_spec: Json = {
            "restartPolicy": restart_policy,
            "terminationGracePeriodSeconds": 30,
            "schedulerName": SIMULATED_SCHEDULER,
            "containers": [_container("main")],
            "tolerations": [{"key": "batchproof.dev/simulated", "operator": "Exists"}],
        }
        if init_container:
            pod_spec["initContainers"] = [_container(init_container)]
        if second_container:
            pod_spec["containers"].append(_container(second_container))
        pod_spec |= pod or {}
        group = {"batchproof.dev/group": selector or label} if selector or label else {}
        if selector:
            spec |= {"manualSelector": True, "selector": {"matchLabels": group}}
        if manager := spec.pop("managedBy", self._cell.managed_by):
            spec["managedBy"] = manager
        labels = {"app": name, **group}
        template = {"metadata": {"labels": labels, "annotations": annotations or {}}, "spec": pod_spec}
        body = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": name, "finalizers": [finalizer] if finalizer else [], **(metadata or {})},
            "spec": {"template": template, **spec},
        }
        fields = ", ".join(f"{key}={value}" for key, value in spec.items())
        self.act(f"creates Job {name} {fields}".rstrip())
        self.do(self._cell.api.create(self._path(JOBS), body))

    def create_child_job(self, *, template: str = "", **spec: Any) -> None:
        """Create a Job that a JobSet controls which nobody works on; there is no such object.

        Args:
            template: the JobSet leaves it to the implementation to make a PodGroup from this template of its
                Workload, ``parent``; empty: it leaves nothing, and has no Workload.
            spec: as of ``create_job``.
        """
        metadata: Json = {"ownerReferences": [{**_PARENT, "uid": _PARENT_UID, "controller": True}]}
        if template:
            metadata["annotations"] = {"scheduling.k8s.io/group-template-name": template}
            group, _, _ = _PARENT["apiVersion"].partition("/")
            reference = {"apiGroup": group, "kind": _PARENT["kind"], "name": _PARENT["name"]}
            policy = {"gang": {"minCount": spec["parallelism"]}}
            body = {
                "apiVersion": WORKLOADS.api_version,
                "kind": "Workload",
                "metadata": {"name": _PARENT["name"]},
                "spec": {
                    "controllerRef": reference,
                    "podGroupTemplates": [{"name": template, "schedulingPolicy": policy}],
                },
            }
            self.act(f"creates Workload {_PARENT['name']} with template {template}")
            self.do(self._cell.api.create(self._path(WORKLOADS), body))
        self.create_job(metadata=metadata, **spec)

    def create_real_job(self, count: int, *, succeeds: bool) -> None:
        """Create a Job whose pods a real kubelet runs: ``count`` at once, and no second try."""
        image = self.do(self._cell.belongings.real_image())
        command = ["/pause", "-v"] if succeeds else ["/there-is-no-such-program"]
        container = {"name": "main", "image": image, "command": command, "imagePullPolicy": "Never"}
        pod = {
            "schedulerName": "default-scheduler",
            "automountServiceAccountToken": False,
            "tolerations": [],
            "containers": [container],
        }
        self.create_job(pod=pod, completions=count, parallelism=count, backoffLimit=0)

    @property
    def manager(self) -> str:
        """What spec.managedBy says of a Job that the implementation is to manage."""
        return self.seen.manager

    def patch_job(self, name: str = JOB, **spec: Any) -> None:
        """Change a Job's spec."""
        fields = ", ".join(f"{key}={value}" for key, value in spec.items())
        self.act(f"changes Job {name}: {fields}")
        self.do(self._cell.api.patch(self._path(JOBS, name), {"spec": spec}))

    def fail_one_after_another(self, count: int, *, job: str = JOB) -> None:
        """So many pods of a Job fail, one after the other, and each is replaced before anything else happens.

        So that what replaces one is not taken for what replaces the next, all pods that parallelism allows
        are active before each failure and after the last.
        """
        at_once = self.job(job).parallelism
        for _ in range(count):
            self.active(at_once, job=job)
            self.fail_pods(1, job=job)
        self.active(at_once, job=job)

    def fail_index(self, index: int, count: int) -> None:
        """The pods of an index of the Job fail, so many one after the other, and each is replaced."""
        for _ in range(count):
            self.end_pods(self.active_of([index]), exit_code=1)
            self.active_of([index])

    def set_condition(self, name: str, kind: str, status: str, *, reason: str = "Tried") -> None:
        """Set a condition in the status of a Job that has none, as another client of the API may."""
        self.act(f"sets {kind} of Job {name} to {status} with reason {reason}")
        condition = {"type": kind, "status": status, "reason": reason, "message": "by another client"}
        self._record(name, {"conditions": [condition]})

    def label_job(self, name: str, labels: Json) -> None:
        """Change labels of a Job: another client's write that raises its resourceVersion."""
        self.act(f"labels Job {name}")
        self.do(self._cell.api.patch(self._path(JOBS, name), {"metadata": {"labels": labels}}))

    def delete_job(self, name: str = JOB, *, propagation: str = "Background") -> None:
        """Delete a Job with a propagation policy: Background, Foreground or Orphan."""
        self.act(f"deletes Job {name} ({propagation})")
        self.do(self._cell.api.delete(self._path(JOBS, name), propagationPolicy=propagation))

    def give_pod(self, name: str, *, index: str = "", job: str = JOB) -> None:
        """Create a pod and make a Job its controller, as if the implementation had made and tracked it.

        With an ``index`` its annotation says so, whether or not there is such an index, and so does its
        label, if that can be a label.
        """
        mark = {COMPLETION_INDEX: index} if index else {}
        template = self.job(job).spec["template"]["metadata"]
        labels = template["labels"] | (mark if index.isalnum() else {})
        self.create_pod(name, labels=labels, annotations=mark)
        metadata = {"ownerReferences": [self._reference(job)], "finalizers": [self.seen.finalizer]}
        self.do(self._cell.api.patch(self._path(PODS, name), {"metadata": metadata}))
        self.do(self._cell.catch_up())

    def move_pods(self, pods: list[Pod], *, to: str) -> None:
        """Make a Job the controller of pods that another controls."""
        for pod in pods:
            self.patch_pod(pod, {"ownerReferences": [self._reference(to)]})
        self.do(self._cell.catch_up())

    def _reference(self, job: str) -> Json:
        """The owner reference by which a Job controls a pod."""
        it: Json = {"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": self.job(job).uid}
        return it | {"controller": True, "blockOwnerDeletion": True}

    def record_completed(self, indexes: str, *, job: str = JOB) -> None:
        """Write into a Job's status that indexes are completed, as the process before may have done."""
        self.act(f"records of Job {job}: indexes {indexes} are completed")
        self._record(job, {"completedIndexes": indexes, "succeeded": len(indexes_of(indexes))})

    def _record(self, job: str, status: Json) -> None:
        self.do(self._cell.api.patch(self._path(JOBS, job) + "/status", {"status": status}))
        self.do(self._cell.catch_up())

    def job(self, name: str = JOB) -> Job:
        """The Job as it is observed now.

        Raises:
            HarnessError: there is none: a step of the scenario is missing.
        """
        if (found := self.seen.job(name)) is None:
            self.do(self._cell.catch_up())  # it was made a moment ago: the recorder may not have shown it yet
            found = self.seen.job(name)
        if found is None:
            raise HarnessError(f"the scenario has no Job {name} now")
        return found


def _container(name: str) -> Json:
    return {"name": name, "image": "batchproof.dev/simulated"}
