"""The verbs about TFJobs: what their users do, and what the kubelet does to their pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.errors import HarnessError
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.tfjob import (
    CONTAINER,
    pod_of_replica,
    pods_of,
    tfjob,
    tfjob_pods,
    tfjob_replica_runs,
)
from batchproof.judgement.template import JOB
from batchproof.judgement.things.tfjob import TFJOBS
from batchproof.labels import SIMULATED_SCHEDULER, SIMULATED_TAINT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from batchproof.judgement.history import Json
    from batchproof.judgement.things.core import Pod
    from batchproof.world import World

_OF_THE_RUN = {"cleanPodPolicy"}


def tfjob_body(name: str, replicas: Mapping[str, int], **settings: str) -> Json:
    """A TFJob of so many replicas of each type; see ``TFJobs.create``."""
    policy = settings.pop("restartPolicy", "Never")
    pod = {
        "schedulerName": SIMULATED_SCHEDULER,  # what a scheduler would do, steps do
        "containers": [{"name": CONTAINER, "image": "batchproof.dev/simulated"}],
        "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
    }
    specs = {
        kind: {"replicas": count, "restartPolicy": policy, "template": {"spec": pod}}
        for kind, count in replicas.items()
    }
    run = {key: value for key, value in settings.items() if key in _OF_THE_RUN}
    rest = {key: value for key, value in settings.items() if key not in _OF_THE_RUN}
    return {
        "apiVersion": TFJOBS.api_version,
        "kind": "TFJob",
        "metadata": {"name": name},
        "spec": {"runPolicy": run, "tfReplicaSpecs": specs, **rest},
    }


class TFJobs:
    """One TFJob."""

    def __init__(self, world: World) -> None:
        self._world = world

    # -- what users do

    def create(self, replicas: Mapping[str, int], **settings: str) -> None:
        """Create the TFJob: so many replicas of each type.

        ``settings`` are in the words of the API: ``restartPolicy`` is that of every type.
        """
        counts = ", ".join(f"{kind}={count}" for kind, count in replicas.items())
        self._world.act(f"creates TFJob {JOB} {counts} {settings or ''}".rstrip())
        self._world.create(TFJOBS, tfjob_body(JOB, replicas, **settings))

    def touch(self) -> None:
        """Annotate the TFJob: another client's write that makes the implementation look at it again."""
        self._world.act("annotates the TFJob")
        self._world.patch(TFJOBS, JOB, {"metadata": {"annotations": {"batchproof.dev/touched": "yes"}}})

    # -- what the kubelet does

    def run(self) -> None:
        """The kubelet runs the pods of all replicas; waits until they are there."""
        job = tfjob(self._world.seen)
        if job is None:
            raise HarnessError("the scenario has no TFJob now")
        self._world.claim(eventually(tfjob_pods(count=len(job.names))))
        self._world.start_pods(pods_of(self._world.seen))

    def end(self, kind: str, index: int, *, exit_code: int) -> None:
        """The pod of a replica ends; waits until it runs."""
        self._world.claim(eventually(tfjob_replica_runs(kind=kind, index=index)))
        self._world.end_pods([self._pod(kind, index)], exit_code=exit_code)

    def _pod(self, kind: str, index: int) -> Pod:
        pod = pod_of_replica(self._world.seen, kind, index)
        if pod is None:
            raise HarnessError(f"the scenario has no pod of {kind} {index} now")
        return pod
