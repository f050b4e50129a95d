"""Histories told as stories: ``story().job("a", parallelism=2).pod("a-1").succeeds("a-1").records``.

Each verb is one record (two for a write) and takes a tenth of a second; ``at(seconds)`` goes on later. Names
stand for UIDs: the UID of ``a-1`` is ``uid-a-1``.
"""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from batchproof.ground.resources import (
    COMPLETION_INDEX,
    EVENTS,
    GANG_LABEL,
    JOBS,
    LEASES,
    NODES,
    PODS,
    QUEUE_LABEL,
    SCENE_LABEL,
    SIMULATED_TAINT,
    TRACKING_FINALIZER,
    ZONE_LABEL,
    Resource,
)
from batchproof.judgement.claims import Claim
from batchproof.judgement.history import (
    Action,
    Change,
    ClaimClosed,
    ClaimOpened,
    Entry,
    FaultChange,
    History,
    HistoryHeader,
    Json,
    ProcessChange,
    Record,
    Reply,
    Request,
)
from batchproof.judgement.observed import Observed, observe

PODGROUPS = Resource("batchproof.dev", "v1", "podgroups")
"""The groups of gangs in stories."""
RESOURCES = {it.plural: it for it in (PODS, JOBS, EVENTS, NODES, LEASES, PODGROUPS)}
"""What stories name by the plural alone."""

NOON = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
"""When every story begins."""


def _key(resource: Resource) -> str:
    """How a resource is known in a story: by the plural alone, or by all of its name."""
    return resource.plural if RESOURCES.get(resource.plural) == resource else str(resource)


def story() -> Story:
    """A new story."""
    return Story()


def headed_story(time_scale: float = 1.0, **told: Any) -> Story:
    """A new story that begins with a header, as all do that are saved."""
    return Story(HistoryHeader(version="test", time_scale=time_scale, **told))


def time_of_day(seconds: float) -> str:
    """So many seconds after noon, as the API writes a time."""
    return (NOON + timedelta(seconds=int(seconds))).isoformat().replace("+00:00", "Z")


def condition(kind: str, reason: str = "", message: str = "", *, at: float = 0, status: str = "True") -> Json:
    """A condition of a Job."""
    return {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": time_of_day(at),
    }


class Story:
    """A history under construction."""

    def __init__(self, header: HistoryHeader | None = None) -> None:
        self._at_s = 0.0
        self.history = History(lambda: self._at_s, header)
        self.records: list[Record] = list(self.history)
        self.history.listen(self.records.append)
        self._objects: dict[tuple[str, str], Json] = {}
        self._revision = 100
        self._calls = 0

    @property
    def seen(self) -> Observed:
        """What the history shows."""
        return observe(self.records)

    @property
    def last(self) -> int:
        """The number of the newest record."""
        return len(self.records) - 1

    def add(self, entry: Entry) -> Self:
        """Any entry."""
        self._at_s += 0.1
        self.history.append(entry)
        return self

    def at(self, seconds: float) -> Self:
        """What follows happens from then on."""
        self._at_s = seconds - 0.1
        return self

    # -- what the API server stores

    def job(self, name: str, **spec: Any) -> Self:
        """A Job is created; ``uid-a-again`` is the UID of one that is made anew under its name."""
        uid = f"uid-{name}-again" if ("jobs", name) in self._objects else f"uid-{name}"
        body = {"metadata": {"name": name, "uid": uid}, "spec": spec, "status": {}}
        return self._stored("jobs", name, body, "ADDED")

    def spec(self, name: str, **spec: Any) -> Self:
        """The spec of a Job is changed."""
        job = self._of("jobs", name)
        job["spec"] |= spec
        return self._stored("jobs", name, job)

    def status(
        self,
        name: str,
        *conditions: str | Json,
        succeeded: int = 0,
        failed: int = 0,
        recorded: tuple[str, ...] = (),
        recorded_failed: tuple[str, ...] = (),
        **status: Any,
    ) -> Self:
        """The whole status of a Job is written; ``recorded`` are names of pods that wait to be counted."""
        uncounted = {
            "succeeded": [f"uid-{pod}" for pod in recorded],
            "failed": [f"uid-{pod}" for pod in recorded_failed],
        }
        job = self._of("jobs", name)
        job["status"] = {
            "succeeded": succeeded,
            "failed": failed,
            "uncountedTerminatedPods": uncounted,
            "conditions": [condition(it) if isinstance(it, str) else it for it in conditions],
            **status,
        }
        return self._stored("jobs", name, job)

    def complete(self, name: str, *, succeeded: int) -> Self:
        """A Job ends as it should."""
        ends = ("SuccessCriteriaMet", "Complete")
        return self.status(name, *ends, succeeded=succeeded, completionTime=time_of_day(self._at_s))

    def pod(
        self,
        name: str,
        *,
        of: str | None = "a",
        tracked: bool = True,
        finalizer: str = TRACKING_FINALIZER,
        phase: str = "Pending",
        index: int | None = None,
        annotations: Json | None = None,
        **spec: Any,
    ) -> Self:
        """A pod of a Job is created; with an ``index`` its annotation and label say so."""
        mark = {} if index is None else {COMPLETION_INDEX: str(index)}
        metadata: Json = {
            "name": name,
            "uid": f"uid-{name}",
            "finalizers": [finalizer] if tracked else [],
            **({"annotations": mark | (annotations or {}), "labels": mark} if mark else {}),
        }
        if of:
            metadata["ownerReferences"] = [
                {"kind": "Job", "name": of, "uid": f"uid-{of}", "controller": True}
            ]
        body = {"metadata": metadata, "spec": spec, "status": {"phase": phase}}
        return self._stored("pods", name, body, "ADDED")

    def pods(self, *names: str, of: str | None = "a") -> Self:
        """Several pods of a Job are created."""
        for name in names:
            self.pod(name, of=of)
        return self

    def runs(self, name: str, *, ready: bool = False) -> Self:
        """A pod is Running."""
        conditions = [{"type": "Ready", "status": "True" if ready else "False"}]
        return self._phase(name, "Running", conditions=conditions)

    def succeeds(self, name: str) -> Self:
        """A pod is Succeeded."""
        return self._phase(name, "Succeeded")

    def reports(self, name: str, phase: str, **container: Any) -> Self:
        """A pod with something that is reported of its container."""
        return self._phase(name, phase, containerStatuses=[{"name": "c", **container}])

    def fails(self, name: str) -> Self:
        """A pod is Failed."""
        return self._phase(name, "Failed")

    def _phase(self, name: str, phase: str, **status: Any) -> Self:
        pod = self._of("pods", name)
        pod["status"] = {"phase": phase, **status}
        return self._stored("pods", name, pod)

    def released(self, name: str, *, by_the_implementation: bool = True) -> Self:
        """A pod loses the tracking finalizer."""
        if by_the_implementation:
            self.write("patch", "pods", name)
        pod = self._of("pods", name)
        pod["metadata"]["finalizers"] = []
        return self._stored("pods", name, pod)

    def labelled(self, name: str, **labels: str) -> Self:
        """A pod has these labels, and no others."""
        pod = self._of("pods", name)
        pod["metadata"]["labels"] = labels
        return self._stored("pods", name, pod)

    def marked(self, name: str, index: str | None, *, by_the_implementation: bool = False) -> Self:
        """The annotation of a pod names another index, or none."""
        if by_the_implementation:
            self.write("patch", "pods", name)
        pod = self._of("pods", name)
        pod["metadata"]["annotations"] = {} if index is None else {COMPLETION_INDEX: index}
        return self._stored("pods", name, pod)

    def owned(self, name: str, *, by: str | None, resource: str = "pods") -> Self:
        """A pod, or another object, gets another controller, or none."""
        it = self._of(resource, name)
        it["metadata"]["ownerReferences"] = [{"uid": f"uid-{by}", "controller": True}] if by else []
        return self._stored(resource, name, it)

    def deleting(self, resource: str, name: str, *finalizers: str) -> Self:
        """An object gets a deletionTimestamp, and perhaps finalizers."""
        it = self._of(resource, name)
        it["metadata"]["deletionTimestamp"] = time_of_day(self._at_s)
        it["metadata"]["finalizers"] = [*it["metadata"].get("finalizers", []), *finalizers]
        return self._stored(resource, name, it)

    def gone(self, resource: str, name: str) -> Self:
        """An object is gone."""
        return self._stored(resource, name, self._of(resource, name), "DELETED")

    # -- nodes and gangs

    def node(
        self,
        name: str,
        cpus: str = "4",
        *,
        ready: bool = True,
        cordoned: bool = False,
        taint: str = "",
        elsewhere: bool = False,
        zone: str = "",
        **resources: str,
    ) -> Self:
        """A node joins, or becomes another; ``elsewhere``: it lacks the label that members select."""
        told = {"type": "Ready", "status": "True" if ready else "False"}
        body: Json = {
            "metadata": {
                "name": name,
                "uid": f"uid-{name}",
                "labels": {
                    **({} if elsewhere else {SCENE_LABEL: "here"}),
                    **({ZONE_LABEL: zone} if zone else {}),
                },
            },
            "spec": {
                "unschedulable": cordoned,
                "taints": [{"key": key, "effect": "NoSchedule"} for key in (SIMULATED_TAINT, taint) if key],
            },
            "status": {"conditions": [told], "allocatable": {"cpu": cpus, "pods": "110", **resources}},
        }
        return self._stored("nodes", name, body, "MODIFIED" if ("nodes", name) in self._objects else "ADDED")

    def gang(self, name: str, minimum: int, *conditions: Json, **status: Any) -> Self:
        """A gang is asked for, and its group stored."""
        self.act(f"creates gang {name}", gang=name, minimum=minimum)
        metadata = {"name": name, "uid": f"uid-group-{name}"}
        told = {"conditions": [*conditions], **status}
        body = {"metadata": metadata, "spec": {"minMember": minimum}, "status": told}
        return self._stored("podgroups", name, body, "ADDED")

    def member(
        self,
        name: str,
        *,
        of: str = "a",
        cpus: str = "1",
        queue: str = "",
        host_port: int = 0,
        **requests: str,
    ) -> Self:
        """A pod of a gang is created; ``of=""``: one outside of all gangs; ``host_port``: it uses that."""
        labels = {key: value for key, value in ((GANG_LABEL, of), (QUEUE_LABEL, queue)) if value}
        asked = {**({"cpu": cpus} if cpus else {}), **requests}
        ports = {"ports": [{"containerPort": 80, "hostPort": host_port}]} if host_port else {}
        spec = {
            "containers": [{"name": "main", "resources": {"requests": asked}, **ports}],
            "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
            "nodeSelector": {SCENE_LABEL: "here"},
        }
        metadata = {"name": name, "uid": f"uid-{name}", "labels": labels}
        body = {"metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}
        return self._stored("pods", name, body, "ADDED")

    def members(self, *names: str, of: str = "a", cpus: str = "1", queue: str = "") -> Self:
        """Several pods of a gang are created."""
        for name in names:
            self.member(name, of=of, cpus=cpus, queue=queue)
        return self

    def bound(self, node: str, *names: str) -> Self:
        """Pods get a node."""
        for name in names:
            pod = self._of("pods", name)
            pod["spec"] = {**pod.get("spec", {}), "nodeName": node}
            self._stored("pods", name, pod)
        return self

    def resized(self, name: str, cpus: str) -> Self:
        """A pod requests another amount of CPU; its node still gives it what it had."""
        pod = self._of("pods", name)
        (container,) = pod["spec"]["containers"]
        had = [{"name": container["name"], "allocatedResources": container["resources"]["requests"]}]
        container["resources"] = {"requests": {"cpu": cpus}}
        pod["status"]["containerStatuses"] = had
        return self._stored("pods", name, pod)

    def binds(self, name: str, node: str) -> Self:
        """The implementation asks to bind a pod, and is answered."""
        return self.write("create", "pods", name, subresource="binding", body={"target": {"name": node}})

    def event(
        self, reason: str, message: str, *, of: str = "a", kind: str = "Normal", count: int = 1
    ) -> Self:
        """An Event about a Job is created, or told once more."""
        name = f"{of}.{reason}.{message}"
        about = {"kind": "Job", "name": of}
        body = {"type": kind, "reason": reason, "message": message, "count": count, "involvedObject": about}
        body["metadata"] = {"name": name, "uid": f"uid-{name}"}
        return self._stored("events", name, body, "ADDED")

    def _of(self, resource: str, name: str) -> Json:
        return deepcopy(self._objects[resource, name])

    def _stored(self, resource: str, name: str, obj: Json, kind: str = "MODIFIED") -> Self:
        self._revision += 1
        obj["metadata"]["resourceVersion"] = str(self._revision)
        self._objects[resource, name] = obj
        return self.add(Change(kind, RESOURCES[resource], obj))

    def stores(self, resource: Resource, name: str, body: Json) -> Self:
        """An object of any resource is created, or becomes another; its metadata may name another UID."""
        kind = "MODIFIED" if (_key(resource), name) in self._objects else "ADDED"
        metadata = {"uid": f"uid-{name}", **body.get("metadata", {}), "name": name}
        self._revision += 1
        metadata["resourceVersion"] = str(self._revision)
        self._objects[_key(resource), name] = stored = {**body, "metadata": metadata}
        return self.add(Change(kind, resource, stored))

    def removes(self, resource: Resource, name: str) -> Self:
        """An object of any resource is gone."""
        gone = deepcopy(self._objects.pop((_key(resource), name)))
        self._revision += 1
        gone["metadata"]["resourceVersion"] = str(self._revision)
        return self.add(Change("DELETED", resource, gone))

    def swapped(self) -> Self:
        """The two newest records arrived in the other order: they come from different watches."""
        records = self.records
        first, second = records[-2:]
        records[-2] = type(first)(first.number, first.at_s, second.entry)
        records[-1] = type(first)(second.number, second.at_s, first.entry)
        return self

    # -- what the implementation asks

    def asks(
        self,
        verb: str,
        resource: str | Resource,
        name: str = "",
        *,
        subresource: str = "",
        body: Any = None,
        by: int = 1,
    ) -> Self:
        """A request of an instance arrives; ``answered`` or ``unanswered`` tell what becomes of it."""
        self._calls += 1
        of = RESOURCES[resource] if isinstance(resource, str) else resource
        what = (verb, of, subresource, "bp-1-gw0-1", name, body)
        return self.add(Request(self._calls, *what, "test/1", by))

    def makes(self, resource: Resource, name: str, body: Json) -> Self:
        """The implementation creates an object, or writes it as a whole where it is there; three records."""
        there = (_key(resource), name) in self._objects
        self.asks("update" if there else "create", resource, name if there else "")
        metadata = {"uid": f"uid-{name}", **body.get("metadata", {}), "name": name}
        stored = {**body, "metadata": {**metadata, "resourceVersion": str(self._revision + 1)}}
        return self.answered(200 if there else 201, body=stored).stores(resource, name, body)

    def answered(
        self, status: int = 200, *, effect: bool | None = None, fault: str = "", body: Any = None
    ) -> Self:
        """The newest request is answered; with 0 its connection is cut."""
        accepted = 200 <= status < 300 if effect is None else effect
        return self.add(Reply(self._calls, status, accepted, fault, body))

    def write(self, verb: str, resource: str | Resource, name: str = "", **about: Any) -> Self:
        """A write that is carried out and answered; ``about`` as for ``asks``."""
        return self.asks(verb, resource, name, **about).answered()

    def lost(self, verb: str, resource: str, name: str = "") -> Self:
        """A write that is carried out, but whose reply never arrives."""
        return self.asks(verb, resource, name).answered(0, effect=True, fault="the reply is lost")

    # -- what the harness does

    def act(self, text: str, **about: Any) -> Self:
        """A step does something, and tells the time of day."""
        clock = NOON + timedelta(seconds=self._at_s + 0.1)
        return self.add(Action(text, {"clock": clock.isoformat(timespec="milliseconds"), **about}))

    def fault(self, number: int, what: str, text: str = "writes are answered with 500", **about: Any) -> Self:
        """A fault is armed, has fired, is lifted, or a view is thawed; ``about`` is the fault as JSON."""
        return self.add(FaultChange(number, text, what, about))

    def process(self, instance: int, *whats: str) -> Self:
        """What becomes of a process of the implementation."""
        for what in whats:
            self.add(ProcessChange(instance, what))
        return self

    def claims(self, number: int, claim: Claim) -> Self:
        """A claim is judged from here on."""
        return self.add(ClaimOpened(number, claim.to_json()))

    def closes(self, number: int, starved_s: float = 0.0) -> Self:
        """The window of a claim ends; meanwhile the implementation had no processor for so long."""
        return self.add(ClaimClosed(number, starved_s))
