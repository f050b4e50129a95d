"""The verbs about what other clients do to a JobSet, its Jobs and its Service."""

from __future__ import annotations

from batchproof.api.client import STRATEGIC_MERGE_PATCH
from batchproof.ground.resources import JOBS
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.profiles.jobset.facts.jobs import REPLICATED, jobset, pods_of
from batchproof.profiles.jobset.facts.network import services_of
from batchproof.profiles.jobset.objects import JOBSETS
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.verbs import Pods
from batchproof.specification.verbs import verb
from batchproof.world import World

_MARK = {"batchproof.dev/colour": "red"}
_HOLD = "batchproof.dev/keep"
_SAID = {
    "reason": "Simulated",
    "message": "simulated by batchproof",
    "lastTransitionTime": "2020-01-01T00:00:00Z",
}
_OF_METADATA = {"annotates": "annotations", "labels": "labels"}


class JobSetOthers:
    """Other clients, which change what is there."""

    def __init__(self, world: World) -> None:
        self._world = world

    @verb("another client sets the condition {kind:condition} of the JobSet to {status:word}")
    def set_condition(self, kind: str, status: str) -> None:
        """Write a condition into the status of the JobSet beside those that are there."""
        it = self._world.found(jobset(self._world.seen), "the JobSet")
        others = [one for one in it.status.get("conditions") or [] if one["type"] != kind]
        conditions = [*others, {"type": kind, "status": status, **_SAID}]
        self._world.act(f"another client sets the condition {kind} of the JobSet to {status}")
        self._world.patch(JOBSETS, f"{JOB}/status", {"status": {"conditions": conditions}})

    @verb("a finalizer of another client holds the JobSet")
    def hold(self) -> None:
        """Put a finalizer on the JobSet, so that it stays when it is deleted."""
        it = self._world.found(jobset(self._world.seen), "the JobSet")
        self._world.act("another client puts a finalizer on the JobSet")
        finalizers = [*it.metadata.get("finalizers", []), _HOLD]
        self._world.patch(JOBSETS, JOB, {"metadata": {"finalizers": finalizers}})

    @verb("another client sets DisruptionTarget of the pods of Job {name:child} to {status:word}")
    def disrupt(self, name: str, status: str) -> None:
        """Say of the pods of a child Job that they are about to be disrupted, or that they are not."""
        pods = pods_of(self._world.seen, name)
        self._world.verbs(Pods).set_condition(pods, "DisruptionTarget", status)

    @verb("another client {change:job_change} Job {name:child} of the JobSet")
    def change_job(self, change: str, name: str) -> None:
        """Change the labels, the annotations, the deadline or the conditions of a child Job."""
        part = ""
        body: Json
        match change:
            case "sets a condition of":
                seen = {"type": "batchproof.dev/Seen", "status": "True", **_SAID}
                part, body = "/status", {"status": {"conditions": [seen]}}
            case "changes activeDeadlineSeconds of":
                body = {"spec": {"activeDeadlineSeconds": 3000}}
            case "renames the ReplicatedJob of":
                body = {"metadata": {"labels": {REPLICATED: "none"}}}
            case _:
                body = {"metadata": {_OF_METADATA[change]: _MARK}}
        self._world.act(f"another client {change} Job {JOB}-{name}")
        path = f"{JOB}-{name}{part}"
        self._world.patch(JOBS, path, body, content_type=STRATEGIC_MERGE_PATCH)

    @verb("another client {change:service_change} the service of the JobSet")
    def change_service(self, change: str) -> None:
        """Change the labels, the annotations, the owners or the session affinity of the service."""
        match change:
            case "gives another owner to":
                owners = self._service().metadata.get("ownerReferences") or []
                body: Json = {"metadata": {"ownerReferences": [*owners, self._parent()]}}
            case "changes the session affinity of":
                body = {"spec": {"sessionAffinity": "ClientIP"}}
            case _:
                body = {"metadata": {_OF_METADATA[change]: _MARK}}
        self._change_service(body, change)

    @verb("a finalizer of another client holds the service of the JobSet", held=True)
    @verb("the finalizer is taken off the service of the JobSet", held=False)
    def hold_service(self, *, held: bool) -> None:
        """Put a finalizer on the service, or take it off."""
        change = {"metadata": {"finalizers": [_HOLD] if held else None}}
        self._change_service(change, f"{'puts a finalizer on' if held else 'takes the finalizer off'}")

    def _change_service(self, change: Json, text: str) -> None:
        name = self._service().name
        self._world.act(f"another client {text} service {name}")
        self._world.patch(SERVICES, name, change)

    def _service(self) -> ApiObject:
        """The service, even if it is being deleted."""
        it, found = jobset(self._world.seen), services_of(self._world.seen)
        if it and not found:
            named = self._world.seen.named(SERVICES, it.subdomain)
            return self._world.found(named[0] if named else None, "the service of the JobSet")
        return self._world.found(found[0] if found else None, "the service of the JobSet")

    def _parent(self) -> Json:
        """An object that may own others."""
        spec = {"clusterIP": "None", "selector": {"batchproof.dev/of": "another"}}
        body = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "parent"}, "spec": spec}
        made = self._world.create(SERVICES, body)
        return {"apiVersion": "v1", "kind": "Service", "name": "parent", "uid": made["metadata"]["uid"]}
