"""The verbs about TFJobs: what their users do, and what the kubelet does to their pods."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from batchproof.cell.kubelet import PodEnding
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import PODS, SIMULATED_SCHEDULER, SIMULATED_TAINT
from batchproof.judgement.claims import eventually
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.shared.verbs import Pods
from batchproof.profiles.tfjob import sentences
from batchproof.profiles.tfjob.containers import CONTAINER, CONTAINERS
from batchproof.profiles.tfjob.facts.groups import GROUPS, tfjob_group_minimum
from batchproof.profiles.tfjob.facts.status import tfjob_condition, tfjob_resumed
from batchproof.profiles.tfjob.facts.tfjobs import (
    PORT_NAME,
    PREFIX,
    pod_of_replica,
    pods_of,
    services_of,
    tfjob,
    tfjob_pods,
    tfjob_replica_active,
    tfjob_replica_runs,
)
from batchproof.profiles.tfjob.objects import TFJOBS, TFJob
from batchproof.profiles.tfjob.specs import Replicas, Setting, TFJobSpec
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

_REPLICA = "{kind:replica_type} {index:d}"
"""How sentences name a replica."""
_OF_THE_RUN = {
    "activeDeadlineSeconds",
    "backoffLimit",
    "cleanPodPolicy",
    "suspend",
    "ttlSecondsAfterFinished",
}
_OF_SCHEDULING = {"minAvailable", "minResources", "priorityClass", "queue"}

_TWIN_WITHIN_S = 20.0
_POLL_S = 0.05

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
"""A pod template that names no scheduler."""

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
                "ports": [
                    {"name": "metrics", "containerPort": 4001},
                    {"name": PORT_NAME, "containerPort": 4000},
                ],
            },
        ],
    },
}
"""A pod template that says much: a container beside the one that counts, ports, labels and more."""

HELD: Json = {**TEMPLATE, "metadata": {"finalizers": ["batchproof.dev/kept"]}}
"""A pod template whose pods are kept by another client until it has seen them end."""

PREPARED: Json = {
    "spec": {**TEMPLATE["spec"], "initContainers": [{"name": "setup", "image": "batchproof.dev/simulated"}]}
}
"""A pod template with an init container."""

_RESTARTED: Json = {"spec": {**TEMPLATE["spec"], "restartPolicy": "OnFailure"}}


_TEMPLATES: Mapping[str, Json] = {
    "": TEMPLATE,
    "say much": MUCH,
    "name no scheduler": UNSCHEDULED,
    "name a finalizer": HELD,
    "have an init container": PREPARED,
}


def tfjob_body(name: str, job: TFJobSpec) -> Json:
    """A TFJob of that name."""
    settings = dict(job.settings) | ({"suspend": True} if job.suspended else {})
    policy = settings.pop("restartPolicy", "Never")
    template = _TEMPLATES[job.templates]
    if job.containers:
        template = {**template, "spec": {**template["spec"], "containers": CONTAINERS[job.containers]}}
    specs = {
        kind: {"replicas": count, "restartPolicy": policy, "template": template}
        for kind, count in job.replicas
    }
    return _body(name, {"tfReplicaSpecs": specs, **_common(settings)})


def _common(settings: Mapping[str, object]) -> Json:
    """The part of a spec with settings that are not of one type of replicas."""
    run: Json = {key: value for key, value in settings.items() if key in _OF_THE_RUN}
    if scheduling := {key: value for key, value in settings.items() if key in _OF_SCHEDULING}:
        if cpus := scheduling.get("minResources"):
            scheduling["minResources"] = {"cpu": str(cpus)}
        run["schedulingPolicy"] = scheduling
    rest = {key: value for key, value in settings.items() if key not in _OF_THE_RUN | _OF_SCHEDULING}
    return {"runPolicy": run, **rest}


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
        self._wanted: Json = {}
        self._admission: Json | None = {"status": {"phase": "Inqueue"}}
        if world.records(PODGROUPS):
            world.attend(PODGROUPS, lambda: self._admission)

    # -- what users do

    @verb(sentences.TFJOB_IS)
    def create(self, tfjob: TFJobSpec) -> None:
        """Create the TFJob."""
        counts = ", ".join(f"{kind}={count}" for kind, count in tfjob.replicas)
        settings = dict(tfjob.settings) | ({"suspend": True} if tfjob.suspended else {})
        self._world.act(f"creates TFJob {JOB} {counts} {settings or ''}".rstrip())
        self._wanted = tfjob_body(tfjob.name or JOB, tfjob)
        self._world.create(TFJOBS, self._wanted)

    @verb("the pod of {kind:replica_type} {index:d} of a TFJob of the same name fails in another namespace")
    def fail_twin(self, kind: str, index: int) -> None:
        """Create the TFJob in another namespace too, and have the pod of a replica fail there.

        Raises:
            Inconclusive: there is no such pod in time.
        """
        namespace = f"{self._world.scene.namespace}-twin"
        self._world.act(f"creates TFJob {JOB} in another namespace, whose {kind} {index} fails")
        self._world.do(self._world.cell.make_namespace(namespace))
        self._world.do(self._world.api.create(TFJOBS.path(namespace), self._wanted))
        if not self._world.do(self._fail_in(namespace, f"{JOB}-{kind.lower()}-{index}")):
            self._world.lack(f"the pod of {kind} {index} in the other namespace, within {_TWIN_WITHIN_S:g} s")

    async def _fail_in(self, namespace: str, name: str) -> bool:
        """Have a pod of another namespace fail once it is there; a PodGroup of Volcano is admitted before.

        Returns whether it is there in time.
        """
        pod, group = PODS.path(namespace, name), PODGROUPS.path(namespace, JOB)
        admitted = self._world.records(PODGROUPS)
        try:
            async with asyncio.timeout(_TWIN_WITHIN_S):
                while not await self._world.api.get(pod, missing_ok=True):
                    if admitted:
                        await self._world.api.patch(group, {"status": {"phase": "Inqueue"}}, missing_ok=True)
                    await asyncio.sleep(_POLL_S)
        except TimeoutError:
            return False
        await self._world.api.patch(f"{pod}/status", {"status": {"phase": "Failed"}})
        return True

    @verb("the user deletes the TFJob with all that it controls")
    def delete(self) -> None:
        """Delete the TFJob, then what it controls, which the garbage collector may come to late."""
        job, seen = self._there(), self._world.seen
        groups = [(kind, it) for kind in GROUPS for it in seen.objects(kind).values() if it.owned_by(job)]
        pods, services = pods_of(seen), [(SERVICES, it) for it in services_of(seen)]
        self._world.act(f"deletes TFJob {JOB}")
        self._world.remove(TFJOBS, JOB)
        for kind, it in (*groups, *services):
            self._world.remove(kind, it.name)
        self._world.verbs(Pods).delete_all(f"TFJob {JOB}", pods)

    @verb("a TFJob that says the pod template of a {kind:word} and nothing else", template=TEMPLATE)
    @verb(
        "a TFJob that says the pod template of a {kind:word} with restartPolicy OnFailure and nothing else",
        template=_RESTARTED,
    )
    def create_bare(self, kind: str, *, template: Json) -> None:
        """Create the TFJob with one type of replica, spelled so, of which it says the template alone."""
        self._world.act(f"creates TFJob {JOB} with a template of {kind}")
        self._world.create(TFJOBS, _body(JOB, {"tfReplicaSpecs": {kind: {"template": template}}}))

    @verb("the scheduler lets PodGroups wait")
    def hold_groups(self) -> None:
        """From now on the scheduler lets no PodGroup in."""
        self._world.act("the scheduler lets PodGroups wait")
        self._admission = {"status": {"phase": "Pending"}}

    @verb("the scheduler admits the PodGroup of the TFJob", phase="Inqueue")
    @verb("the scheduler lets the PodGroup of the TFJob wait again", phase="Pending")
    @verb("the scheduler sees the PodGroup of the TFJob running", phase="Running")
    @verb("the scheduler cannot place all pods of the TFJob any more", phase="Unknown")
    @verb("the scheduler sees the PodGroup of the TFJob completed", phase="Completed")
    def schedule(self, phase: str) -> None:
        """The scheduler gives the PodGroup of the TFJob a phase; waits until it is there."""
        count = len(self._there().names)
        self._world.claim(eventually(tfjob_group_minimum(minimum=count)))
        self._world.act(f"the scheduler makes the PodGroup {phase}")
        self._world.patch(PODGROUPS, JOB, {"status": {"phase": phase}})

    @verb(sentences.TFJOB_ANNOTATED)
    def touch(self) -> None:
        """Annotate the TFJob again: another client's write that makes the implementation look at it again."""
        self._world.act("annotates the TFJob")
        annotations = {"batchproof.dev/touched": f"after-{self._world.seen.last}"}
        self._world.patch(TFJOBS, JOB, {"metadata": {"annotations": annotations}})

    @verb("the user changes the labels of the TFJob")
    def label(self) -> None:
        """Give the TFJob a label that means nothing to its controller."""
        self._world.act("labels the TFJob")
        self._world.patch(TFJOBS, JOB, {"metadata": {"labels": {"batchproof.dev/team": "blue"}}})

    @verb(sentences.TFJOB_CHANGED)
    def scale(self, replicas: Replicas) -> None:
        """Change how many replicas of some types the TFJob has."""
        counts = ", ".join(f"{kind}={count}" for kind, count in replicas)
        self._world.act(f"changes TFJob {JOB} to {counts}")
        specs = {kind: {"replicas": count} for kind, count in replicas}
        self._world.patch(TFJOBS, JOB, {"spec": {"tfReplicaSpecs": specs}})

    @verb("the user gives the TFJob {settings:the_settings}")
    def change(self, settings: tuple[Setting, ...]) -> None:
        """Change settings of the TFJob.

        Raises:
            HarnessError: restartPolicy is among them, which each type of replicas has for itself.
        """
        if "restartPolicy" in dict(settings):
            raise HarnessError(
                "restartPolicy is set for each type of replicas: create the TFJob with it, as in "
                "'a TFJob of 2 Workers with the restartPolicy Never'"
            )
        self._world.act(f"gives TFJob {JOB} {dict(settings)}")
        self._world.patch(TFJOBS, JOB, {"spec": _common(dict(settings))})

    @verb(sentences.TFJOB_SUSPENDED, suspended=True)
    @verb(sentences.TFJOB_RESUMED, suspended=False)
    def suspend(self, *, suspended: bool) -> None:
        """Suspend the TFJob, or resume it."""
        self._world.act(f"{'suspends' if suspended else 'resumes'} TFJob {JOB}")
        self._world.patch(TFJOBS, JOB, {"spec": {"runPolicy": {"suspend": suspended}}})

    @verb("the user suspends the TFJob and, once it is Suspended, resumes it")
    def suspend_for_a_time(self) -> None:
        """Suspend the TFJob, and resume it; waits until its status has shown both."""
        self.suspend(suspended=True)
        self._world.claim(eventually(tfjob_condition(condition="Suspended")))
        self.suspend(suspended=False)
        self._world.claim(eventually(tfjob_resumed()))

    @verb("the user deletes the pod of {kind:replica_type} {index:d}")
    def delete_pod(self, kind: str, index: int) -> None:
        """Delete the pod of a replica."""
        self._world.verbs(Pods).delete_pods([self._pod(kind, index)])

    @verb(sentences.POD_VANISHES)
    def wipe_pod(self, kind: str, index: int) -> None:
        """Make the pod of a replica vanish at once."""
        self._world.verbs(Pods).wipe_pods([self._pod(kind, index)])

    @verb("the user changes the {label:name} of the pod of {kind:replica_type} {index:d} to {value:name}")
    def label_pod(self, kind: str, index: int, label: str, value: str) -> None:
        """Change a label by which the pod of a replica is known."""
        self._world.verbs(Pods).patch_pod(self._pod(kind, index), {"labels": {f"{PREFIX}{label}": value}})

    @verb("the user takes the pod of {kind:replica_type} {index:d} from the TFJob", what="pod")
    @verb("the user takes the service of {kind:replica_type} {index:d} from the TFJob", what="service")
    def take_away(self, what: str, kind: str, index: int) -> None:
        """Take the controller from the ``pod`` or the ``service`` of a replica."""
        resource = PODS if what == "pod" else SERVICES
        name = self._pod(kind, index).name
        self._world.act(f"takes the controller from {what} {name}")
        self._world.patch(resource, name, {"metadata": {"ownerReferences": None}})

    @verb(f"a user makes another pod with the labels and the controller of that of {_REPLICA}")
    def add_pod(self, kind: str, index: int) -> None:
        """Create another pod that says of itself that it is that of a replica."""
        metadata = self._pod(kind, index).metadata
        given = {key: metadata[key] for key in ("labels", "ownerReferences")}
        self._world.verbs(Pods).create_pod("another", **given)

    # -- what the kubelet does

    @verb(sentences.REPLICAS_RUN)
    def run(self) -> None:
        """The kubelet runs the pods of all replicas that have not ended; waits until all are there."""
        self._world.claim(eventually(tfjob_pods(count=len(self._there().names))))
        self._world.verbs(Pods).start_pods([pod for pod in pods_of(self._world.seen) if not pod.finished])

    @verb("its replicas run, and are not ready")
    def run_unready(self) -> None:
        """The kubelet runs the pods of all replicas, of which none is ready; waits until all are there."""
        self._world.claim(eventually(tfjob_pods(count=len(self._there().names))))
        self._world.verbs(Pods).start_pods(pods_of(self._world.seen), ready=False)

    @verb(f"the pod of {_REPLICA} runs again", phase="Running")
    @verb(f"the node of {_REPLICA} cannot be reached", phase="Unknown")
    @verb(f"PodGC marks the pod of {_REPLICA} as failed", phase="Failed")
    def give_phase(self, kind: str, index: int, *, phase: str) -> None:
        """A pod gets a phase though none of its containers has changed: by its node, or for want of it."""
        self._world.verbs(Pods).set_phase([self._pod(kind, index)], phase)

    @verb(sentences.REPLICA_SUCCEEDS, exit_code=0)
    @verb(sentences.REPLICA_FAILS)
    @verb(f"{_REPLICA} of the TFJob fails with exit code {{exit_code:d}} of container {{container:word}}")
    def end(self, kind: str, index: int, *, exit_code: int, container: str = CONTAINER) -> None:
        """The pod of a replica ends, by the exit code of that container; waits until it runs."""
        self._world.claim(eventually(tfjob_replica_runs(kind=kind, index=index)))
        self._world.verbs(Pods).end_pods(
            [self._pod(kind, index)], exit_code=exit_code, ending=PodEnding(container)
        )

    @verb("{kind:replica_type} {index:d} of the TFJob fails with exit code {exit_code:d} and never ran")
    def end_pending(self, kind: str, index: int, *, exit_code: int) -> None:
        """The pod of a replica is reported as ended, and never was as running; waits until it is there."""
        self._world.claim(eventually(tfjob_replica_active(kind=kind, index=index)))
        self._world.verbs(Pods).end_pods([self._pod(kind, index)], exit_code=exit_code)

    @verb("the terminating pod of the TFJob fails with exit code {exit_code:d}")
    def end_terminating(self, *, exit_code: int) -> None:
        """The pod that is being deleted ends, and is there still."""
        pods = [
            pod for pod in self._world.seen.owned(tfjob(self._world.seen)).pods.values() if pod.terminating
        ]
        if len(pods) != 1:
            self._world.lack(f"1 terminating pod of the TFJob, but {len(pods)}")
        self._world.verbs(Pods).end_pods(pods, exit_code=exit_code)

    @verb("the containers of {kind:replica_type} {index:d} have been restarted {times:d} [time|times]")
    def restart(self, kind: str, index: int, times: int) -> None:
        """The kubelet has started the containers of a replica's pod again so often, in place."""
        self._world.claim(eventually(tfjob_replica_runs(kind=kind, index=index)))
        self._world.verbs(Pods).restart_pods([self._pod(kind, index)], times)

    @verb(
        f"the init containers of {_REPLICA}, which is Pending, have been restarted {{times:d}} [time|times]"
    )
    def restart_init(self, kind: str, index: int, times: int) -> None:
        """An init container of a replica's pod has been started again so often; waits for the pod."""
        self._world.claim(eventually(tfjob_replica_active(kind=kind, index=index)))
        pod, kubelet = self._pod(kind, index), self._world.cell.kubelet
        name = pod.spec["initContainers"][0]["name"]
        what = f"restart an init container {counted(times, 'time')}"
        self._world.verbs(Pods).play(what, [pod], lambda it: kubelet.retry(it, times, container=name))

    def _there(self) -> TFJob:
        return self._world.found(tfjob(self._world.seen), "the TFJob")

    def _pod(self, kind: str, index: int) -> Pod:
        return self._world.found(pod_of_replica(self._world.seen, kind, index), f"the pod of {kind} {index}")
