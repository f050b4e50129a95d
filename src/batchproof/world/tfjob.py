"""The verbs about TFJobs: what their users do, and what the kubelet does to their pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.cell.kubelet import Ending
from batchproof.errors import HarnessError
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.tfjob import (
    CONTAINER,
    PORT_NAME,
    PREFIX,
    pod_of_replica,
    pods_of,
    tfjob,
    tfjob_pods,
    tfjob_replica_active,
    tfjob_replica_runs,
)
from batchproof.judgement.facts.tfjob_groups import tfjob_group_minimum
from batchproof.judgement.template import JOB
from batchproof.judgement.things.tfjob import SERVICES, TFJOBS
from batchproof.judgement.things.volcano import PODGROUPS
from batchproof.labels import SIMULATED_SCHEDULER, SIMULATED_TAINT
from batchproof.resources import PODS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from batchproof.judgement.history import Json
    from batchproof.judgement.things.core import Pod
    from batchproof.judgement.things.tfjob import TFJob
    from batchproof.world import World

_OF_THE_RUN = {
    "activeDeadlineSeconds",
    "backoffLimit",
    "cleanPodPolicy",
    "suspend",
    "ttlSecondsAfterFinished",
}
_OF_SCHEDULING = {"minAvailable", "priorityClass", "queue"}

TEMPLATE: Json = {
    "spec": {
        "schedulerName": SIMULATED_SCHEDULER,  # what a scheduler would do, steps do
        "containers": [{"name": CONTAINER, "image": "batchproof.dev/simulated"}],
        "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
    }
}
"""A pod template that says what it must."""

UNSCHEDULED: Json = {
    "spec": {key: value for key, value in TEMPLATE["spec"].items() if key != "schedulerName"},
}
"""A pod template that leaves open who schedules."""

MUCH: Json = {
    "metadata": {
        "labels": {"batchproof.dev/colour": "green"},
        "annotations": {"batchproof.dev/note": "kept"},
    },
    "spec": {
        **TEMPLATE["spec"],
        "restartPolicy": "OnFailure",
        "terminationGracePeriodSeconds": 7,
        "containers": [
            {"name": "side", "image": "batchproof.dev/simulated"},
            {
                **TEMPLATE["spec"]["containers"][0],
                "args": ["--work", "hard"],
                "env": [{"name": "COLOUR", "value": "green"}],
                "ports": [{"name": PORT_NAME, "containerPort": 4000}],
            },
        ],
    },
}
"""A pod template that says much: a container beside the one that counts, a port, labels and more."""


def tfjob_body(
    name: str, replicas: Mapping[str, int], *, template: Json = TEMPLATE, **settings: str | int | bool
) -> Json:
    """A TFJob of so many replicas of each type; see ``TFJobs.create``."""
    policy = settings.pop("restartPolicy", "Never")
    specs = {
        kind: {"replicas": count, "restartPolicy": policy, "template": template}
        for kind, count in replicas.items()
    }
    run: Json = {key: value for key, value in settings.items() if key in _OF_THE_RUN}
    if scheduling := {key: value for key, value in settings.items() if key in _OF_SCHEDULING}:
        run["schedulingPolicy"] = scheduling
    rest = {key: value for key, value in settings.items() if key not in _OF_THE_RUN | _OF_SCHEDULING}
    return _body(name, {"runPolicy": run, "tfReplicaSpecs": specs, **rest})


def _body(name: str, spec: Json) -> Json:
    return {
        "apiVersion": TFJOBS.api_version,
        "kind": "TFJob",
        "metadata": {"name": name},
        "spec": spec,
    }


class TFJobs:
    """One TFJob.

    Where it gets a PodGroup of Volcano, that is let in at once, as a scheduler with much room would do it.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._admission: Json | None = {"status": {"phase": "Inqueue"}}
        if world.records(PODGROUPS):
            world.attend(PODGROUPS, lambda: self._admission)

    # -- what users do

    def create(
        self, replicas: Mapping[str, int], *, template: Json = TEMPLATE, **settings: str | int | bool
    ) -> None:
        """Create the TFJob: so many replicas of each type.

        ``settings`` are in the words of the API: ``restartPolicy`` is that of every type.
        """
        counts = ", ".join(f"{kind}={count}" for kind, count in replicas.items())
        self._world.act(f"creates TFJob {JOB} {counts} {settings or ''}".rstrip())
        self._world.create(TFJOBS, tfjob_body(JOB, replicas, template=template, **settings))

    def create_bare(self, kind: str) -> None:
        """Create the TFJob with one type of replica, spelled so, of which it says the template alone."""
        self._world.act(f"creates TFJob {JOB} with a template of {kind}")
        self._world.create(TFJOBS, _body(JOB, {"tfReplicaSpecs": {kind: {"template": TEMPLATE}}}))

    def hold_groups(self) -> None:
        """From now on the scheduler lets no PodGroup in."""
        self._world.act("the scheduler lets PodGroups wait")
        self._admission = {"status": {"phase": "Pending"}}

    def let_in(self) -> None:
        """The scheduler lets the PodGroup of the TFJob in; waits until it is there."""
        count = len(self._there().names)
        self._world.claim(eventually(tfjob_group_minimum(minimum=count)))
        self._world.act("the scheduler lets the PodGroup in")
        self._world.patch(PODGROUPS, JOB, {"status": {"phase": "Inqueue"}})

    def touch(self) -> None:
        """Annotate the TFJob anew: another client's write that makes the implementation look at it again."""
        self._world.act("annotates the TFJob")
        annotations = {"batchproof.dev/touched": f"after-{self._world.seen.last}"}
        self._world.patch(TFJOBS, JOB, {"metadata": {"annotations": annotations}})

    def scale(self, kind: str, count: int) -> None:
        """Change how many replicas of a type the TFJob has."""
        self._world.act(f"changes TFJob {JOB} to {kind}={count}")
        self._world.patch(TFJOBS, JOB, {"spec": {"tfReplicaSpecs": {kind: {"replicas": count}}}})

    def suspend(self, *, suspended: bool) -> None:
        """Suspend the TFJob, or resume it."""
        self._world.act(f"{'suspends' if suspended else 'resumes'} TFJob {JOB}")
        self._world.patch(TFJOBS, JOB, {"spec": {"runPolicy": {"suspend": suspended}}})

    def delete_pod(self, kind: str, index: int) -> None:
        """Delete the pod of a replica."""
        self._world.delete_pods([self._pod(kind, index)])

    def wipe_pod(self, kind: str, index: int) -> None:
        """Make the pod of a replica vanish at once."""
        self._world.wipe_pods([self._pod(kind, index)])

    def label_pod(self, kind: str, index: int, label: str, value: str) -> None:
        """Change a label by which the pod of a replica is known."""
        self._world.patch_pod(self._pod(kind, index), {"labels": {f"{PREFIX}{label}": value}})

    def take_away(self, what: str, kind: str, index: int) -> None:
        """Take the controller from the ``pod`` or the ``service`` of a replica."""
        resource = PODS if what == "pod" else SERVICES
        name = self._pod(kind, index).name
        self._world.act(f"takes the controller from {what} {name}")
        self._world.patch(resource, name, {"metadata": {"ownerReferences": None}})

    def add_pod(self, kind: str, index: int) -> None:
        """Create another pod that says of itself that it is that of a replica."""
        metadata = self._pod(kind, index).metadata
        given = {key: metadata[key] for key in ("labels", "ownerReferences")}
        self._world.create_pod("another", **given)

    # -- what the kubelet does

    def run(self) -> None:
        """The kubelet runs the pods of all replicas that have not ended; waits until all are there."""
        self._world.claim(eventually(tfjob_pods(count=len(self._there().names))))
        self._world.start_pods([pod for pod in pods_of(self._world.seen) if not pod.finished])

    def end(self, kind: str, index: int, *, exit_code: int, container: str = CONTAINER) -> None:
        """The pod of a replica ends, by the exit code of that container; waits until it runs."""
        self._world.claim(eventually(tfjob_replica_runs(kind=kind, index=index)))
        self._world.end_pods([self._pod(kind, index)], exit_code=exit_code, ending=Ending(container))

    def end_pending(self, kind: str, index: int, *, exit_code: int) -> None:
        """The pod of a replica is reported as ended, and never was as running; waits until it is there."""
        self._world.claim(eventually(tfjob_replica_active(kind=kind, index=index)))
        self._world.end_pods([self._pod(kind, index)], exit_code=exit_code)

    def end_terminating(self, *, exit_code: int) -> None:
        """The pod that is being deleted ends, and is there still."""
        pods = [
            pod for pod in self._world.seen.owned(tfjob(self._world.seen)).pods.values() if pod.terminating
        ]
        if len(pods) != 1:
            raise HarnessError(f"the scenario has {len(pods)} terminating pods now, not 1")
        self._world.end_pods(pods, exit_code=exit_code)

    def restart(self, kind: str, index: int, times: int) -> None:
        """The kubelet has started the containers of a replica's pod again so often, in place."""
        self._world.claim(eventually(tfjob_replica_runs(kind=kind, index=index)))
        self._world.restart_pods([self._pod(kind, index)], times)

    def _there(self) -> TFJob:
        job = tfjob(self._world.seen)
        if job is None:
            raise HarnessError("the scenario has no TFJob now")
        return job

    def _pod(self, kind: str, index: int) -> Pod:
        pod = pod_of_replica(self._world.seen, kind, index)
        if pod is None:
            raise HarnessError(f"the scenario has no pod of {kind} {index} now")
        return pod
