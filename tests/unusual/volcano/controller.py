"""A small controller of Volcano Jobs, PodGroups and queues whose ways can be chosen."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tests.unusual.cluster import (
    Client,
    Json,
    RefusedError,
    Source,
    View,
    controlled_by,
    controller_reference,
    deleting,
    ended,
    gone_or_there,
    key,
    notes,
    now,
    run,
)
from tests.unusual.volcano import jobs as of
from tests.unusual.volcano.plugins import Extra, extras, plainly

if TYPE_CHECKING:
    from collections.abc import Callable

_V1, _BATCH, _BUS = "/api/v1", "/apis/batch.volcano.sh/v1alpha1", "/apis/bus.volcano.sh/v1alpha1"
_SCHEDULING, _NETWORK = "/apis/scheduling.volcano.sh/v1beta1", "/apis/networking.k8s.io/v1"
_EXTRAS = ("configmaps", "services", "secrets", "networkpolicies")
_GROUPS = {
    "jobs": _BATCH,
    "commands": _BUS,
    "podgroups": _SCHEDULING,
    "queues": _SCHEDULING,
    "networkpolicies": _NETWORK,
    "priorityclasses": "/apis/scheduling.k8s.io/v1",
}
_LOOKED_AT = ("jobs", "pods", "podgroups", "queues", "commands", "persistentvolumeclaims", "priorityclasses")
PATHS = {name: f"{_GROUPS.get(name, _V1)}/{name}" for name in (*_LOOKED_AT, *_EXTRAS)}
_COUNTED = ("pending", "inqueue", "running", "unknown", "completed")


def place(name: str, namespace: str, one: str = "", part: str = "") -> str:
    """The path of a collection in a namespace, or of one of it, or of its subresource."""
    within = f"/namespaces/{namespace}" if namespace else ""
    return "/".join(filter(None, [f"{_GROUPS.get(name, _V1)}{within}/{name}", one, part]))


def put(client: Client, path: str, it: Json, status: Json) -> None:
    """The whole object, as it was seen, with another status."""
    client.replace(path, {**it, "status": status})


def by_uid(job: Json) -> str:
    """What a PodGroup is called: as Volcano calls it."""
    return f"{job['metadata']['name']}-{job['metadata']['uid']}"


@dataclass(frozen=True)
class Ways:
    """What a program does in its own way.

    Attributes:
        source: how it knows what is there.
        equip: what plugins give a pod.
        group_name: what the PodGroup of a Job is called.
        order: in which order pods are asked for, and how many at one look.
        write: how a status is written.
        pause_s: how long it waits after a request that failed before that Job is looked at again.
        events: it writes Events beside PVCError.
        propagation: how a Job whose time is over, and what it controlled, is deleted.
    """

    source: Source
    equip: Callable[[Json, Json, int], Json] = plainly
    group_name: Callable[[Json], str] = by_uid
    order: Callable[[list[of.Slot]], list[of.Slot]] = lambda slots: slots
    write: Callable[[Client, str, Json, Json], None] = put
    pause_s: float = 0.0
    events: bool = True
    propagation: str = "Background"


@dataclass
class Memory:
    """What no object says.

    Attributes:
        asked: the actions of Commands that were taken away and have had no effect yet, by the target's UID.
        had: the pods of each Job that were seen last, by UID.
        deleted: the UIDs of what this process has deleted.
        told: the events that were written.
        until: when a Job is looked at again.
        gone: the pods of a Job with a policy that waits that somebody else has deleted.
        first: when what a policy waits for was seen first, by the UID of the Job.
    """

    asked: dict[str, str] = field(default_factory=dict)
    had: dict[str, dict[str, Json]] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    told: set[tuple[str, str, str]] = field(default_factory=set)
    until: dict[str, float] = field(default_factory=dict)
    gone: dict[str, list[Json]] = field(default_factory=dict)
    first: dict[str, dict[of.Happened, float]] = field(default_factory=dict)


class Work:
    """One program at work."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._memory = Memory()

    def look(self, client: Client, view: View) -> None:
        """Everything that is there, one after the other; what fails is met again at a later look."""
        shown = {
            name: [it for it in those if name == "pods" or it["metadata"]["uid"] not in self._memory.deleted]
            for name, those in view.items()
        }
        for command in shown["commands"]:
            self._try(command, partial(self._take, client, command))
        for queue in shown["queues"]:
            self._try(queue, partial(self._queue, client, shown, queue))
        for job in shown["jobs"]:
            if not deleting(job):
                self._try(job, Look(client, shown, job, self._ways, self._memory).work)
        for pod in shown["pods"]:
            self._try(pod, partial(_grouped, client, pod))

    def _try(self, it: Json, work: Callable[[], None]) -> None:
        uid = it["metadata"]["uid"]
        if time.monotonic() < self._memory.until.get(uid, 0.0):
            return
        try:
            work()
        except RefusedError as error:
            print(key(it), error, flush=True)  # noqa: T201  (the log of a program)
            self._memory.until[uid] = time.monotonic() + max(0.2, self._ways.pause_s)

    def _take(self, client: Client, command: Json) -> None:
        """A Command is deleted, and only the instance that deleted it executes it."""
        namespace, name = key(command)
        uid = command["metadata"]["uid"]
        try:
            client.remove(place("commands", namespace, name), uid)
        except RefusedError as error:
            if error.status not in {404, 409}:
                raise
            self._memory.deleted.add(uid)
            return
        self._memory.deleted.add(uid)
        self._memory.asked[command["target"]["uid"]] = command["action"]

    def _queue(self, client: Client, view: View, queue: Json) -> None:
        groups = [it for it in view["podgroups"] if it["spec"].get("queue") == queue["metadata"]["name"]]
        old = queue.get("status") or {}
        uid, state = queue["metadata"]["uid"], old.get("state") or "Open"
        asked = self._memory.asked.get(uid, "")
        if asked == "OpenQueue":
            state = "Open"
        elif asked == "CloseQueue" or state in {"Closing", "Closed"}:
            state = "Closing" if groups else "Closed"
        phases = Counter(((it.get("status") or {}).get("phase") or "Pending").lower() for it in groups)
        kept = {name: value for name, value in old.items() if name not in _COUNTED}
        status = {**kept, "state": state, **{name: phases[name] for name in _COUNTED if phases[name]}}
        if status != old:
            self._ways.write(client, place("queues", "", queue["metadata"]["name"], "status"), queue, status)
        self._memory.asked.pop(uid, None)


class Look:
    """One look at one Job."""

    def __init__(self, client: Client, view: View, job: Json, ways: Ways, memory: Memory) -> None:
        self._client, self._view, self._job, self._ways, self._memory = client, view, job, ways, memory
        self._pods = [it for it in view["pods"] if controlled_by(it, job)]
        self._namespace, self._name = key(job)
        self._group = next((it for it in view["podgroups"] if controlled_by(it, job)), None)

    def work(self) -> None:
        """The one thing that is next."""
        job, there = self._job, of.stage(self._job)
        if not there:
            self._write({**of.moved(job, "Pending", self._pods), "version": 0})
            return
        if there in of.FINAL and of.expired(job, time.time()):
            path = place("jobs", self._namespace, self._name)
            self._client.delete(path, job["metadata"]["uid"], self._ways.propagation)
            return
        uid = job["metadata"]["uid"]
        evicted = self._memory.gone.setdefault(uid, []) if of.patient(job) else []
        evicted += self._evicted()
        first = self._memory.first.setdefault(uid, {})
        asked = self._memory.asked.get(uid) or of.action(job, self._pods, evicted, self._group, first)
        if to := of.after(job, asked):
            self._tell("ExecuteAction", f"{asked} of version {of.version(job)}")
            self._write(of.moved(job, to, self._pods))
            self._memory.asked.pop(uid, None)
            return
        self._memory.asked.pop(uid, None)
        if there in {"Pending", "Running"}:
            self._keep()
        else:
            self._leave(there)
        self._count()
        self._memory.had[uid] = {it["metadata"]["uid"]: it for it in self._pods}

    def _evicted(self) -> list[Json]:
        """The pods that were there, and that somebody else has deleted."""
        now_there = {it["metadata"]["uid"]: it for it in self._pods}
        before = self._memory.had.get(self._job["metadata"]["uid"], {})
        lost = [it for uid, it in before.items() if uid not in now_there or deleting(now_there[uid])]
        return [it for it in lost if it["metadata"]["uid"] not in self._memory.deleted and not deleting(it)]

    def _write(self, status: Json) -> None:
        path = place("jobs", self._namespace, self._name, "status")
        self._ways.write(self._client, path, self._job, status)

    def _count(self) -> None:
        job, old = self._job, of.status(self._job)
        to = of.following(job, self._pods)
        if to != of.stage(job):
            self._write(of.moved(job, to, self._pods))
            return
        stay = ("version", "retryCount", "controlledResources", "state", "conditions")
        status = {**{name: old[name] for name in stay if name in old}, **of.counted(job, self._pods)}
        own = {f"volume-pvc-{name}": name for name, it in of.claims(job) if "volumeClaim" in it}
        if own:
            status["controlledResources"] = own
        if status != old:
            self._write(status)

    # -- while it is to run

    def _keep(self) -> None:
        """What its pods need, its PodGroup, and then its pods."""
        job = self._job
        if not self._claimed():
            return
        for extra in extras(job):
            self._make_extra(extra)
        self._shrink()
        queues = {it["metadata"]["name"] for it in self._view["queues"]}
        if not self._grouped() or of.queue(job) not in queues:
            return
        there = {it["metadata"]["name"] for it in self._pods}
        open_ = [
            it for it in of.slots(job) if it.name(job) not in there and of.begins(job, it.task, self._pods)
        ]
        for slot in self._ways.order(open_):
            assert self._group is not None
            pod = of.with_claims(job, of.new_pod(job, slot, self._group["metadata"]["name"]))
            with gone_or_there(409):
                self._client.create(place("pods", self._namespace), self._ways.equip(job, pod, slot.index))

    def _claimed(self) -> bool:
        there = {key(it) for it in self._view["persistentvolumeclaims"]}
        for name, volume in of.claims(self._job):
            if (self._namespace, name) in there:
                continue
            if "volumeClaim" not in volume or volume.get("volumeClaimName"):
                self._tell("PVCError", f"the claim {name} is missing", always=True)
                return False
            head = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
            body = {**head, "metadata": of.child(self._job, name), "spec": volume["volumeClaim"]}
            self._create("persistentvolumeclaims", body)
        return True

    def _make_extra(self, extra: Extra) -> None:
        name = (self._namespace, extra.body["metadata"]["name"])
        there = next((it for it in self._view[extra.of] if key(it) == name), None)
        if there is None:
            self._create(extra.of, extra.body)
        elif extra.of == "configmaps" and there.get("data") != extra.body["data"]:
            self._client.patch(place(extra.of, *name), {"data": extra.body["data"]})

    def _create(self, name: str, body: Json) -> None:
        with gone_or_there(409):
            self._client.create(place(name, self._namespace), body)

    def _shrink(self) -> None:
        wanted = {it.name(self._job) for it in of.slots(self._job)}
        for pod in self._pods:
            if pod["metadata"]["name"] not in wanted:
                self._delete("pods", pod)

    def _grouped(self) -> bool:
        """Its PodGroup is there, as it is to be, and let in."""
        job = self._job
        priorities = {it["metadata"]["name"]: int(it["value"]) for it in self._view["priorityclasses"]}
        spec = of.group_spec(job, priorities)
        if self._group is None or deleting(self._group):
            kept = {"labels": job["metadata"].get("labels") or {}}
            head = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup"}
            metadata = of.child(job, self._ways.group_name(job), **kept)
            self._create("podgroups", {**head, "metadata": metadata, "spec": spec})
            return False
        old = {name: self._group["spec"].get(name) for name in spec}
        if old != spec:
            path = place("podgroups", self._namespace, self._group["metadata"]["name"])
            self._client.patch(path, {"spec": {**dict.fromkeys(spec), **spec}})
        return (self._group.get("status") or {}).get("phase", "Pending") not in {"", "Pending"}

    # -- when it is left

    def _leave(self, there: str) -> None:
        """What has not ended goes, and all of a restart; so do the PodGroup and what plugins needed."""
        all_of_them = there == "Restarting" and not of.last_try(self._job)
        for pod in self._pods:
            if all_of_them or not ended(pod):
                self._delete("pods", pod)
        if not all_of_them:
            for name in _EXTRAS:
                for it in self._view[name]:
                    if controlled_by(it, self._job):
                        self._delete(name, it)
        if self._group is not None:
            self._delete("podgroups", self._group)

    def _delete(self, name: str, it: Json) -> None:
        if not deleting(it):
            uid = it["metadata"]["uid"]
            self._memory.deleted.add(uid)
            try:
                self._client.delete(place(name, *key(it)), uid)
            except RefusedError:
                self._memory.deleted.discard(uid)
                raise

    def _tell(self, reason: str, message: str, *, always: bool = False) -> None:
        what = (self._job["metadata"]["uid"], reason, message)
        if what in self._memory.told or not (always or self._ways.events):
            return
        about = {"apiVersion": of.VERSION, "kind": of.KIND, "namespace": self._namespace, "name": self._name}
        body = {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"generateName": f"{self._name}.", "namespace": self._namespace},
            "involvedObject": {**about, "uid": self._job["metadata"]["uid"]},
            "type": "Warning" if reason == "PVCError" else "Normal",
            "reason": reason,
            "message": message,
            "source": {"component": "unusual"},
            "firstTimestamp": now(),
            "lastTimestamp": now(),
            "count": 1,
        }
        self._client.create(place("events", self._namespace), body)
        self._memory.told.add(what)


def _grouped(client: Client, pod: Json) -> None:
    """A pod of Volcano's scheduler that names no PodGroup gets that of its controller, or one of its own."""
    if pod["spec"].get("schedulerName") != "volcano" or of.GROUP_NAME in notes(pod) or deleting(pod):
        return
    namespace, name = key(pod)
    owners = [it for it in pod["metadata"].get("ownerReferences") or [] if it.get("controller")]
    owner = owners[0] if owners else controller_reference(pod, "v1", "Pod")
    group = f"podgroup-{owner['uid']}"
    spec = {
        "minMember": 1,
        "queue": notes(pod).get("scheduling.volcano.sh/queue-name") or "default",
        "minResources": of.requests(iter([pod["spec"]])),
    }
    metadata = {"name": group, "namespace": namespace, "ownerReferences": [owner]}
    body = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": metadata}
    with gone_or_there(409):
        client.create(place("podgroups", namespace), {**body, "spec": spec})
    said = {"uid": pod["metadata"]["uid"], "annotations": {of.GROUP_NAME: group}}
    with gone_or_there(404, 409):
        client.patch(place("pods", namespace, name), {"metadata": said})


def start(ways: Ways) -> None:
    """Work for ever."""
    run(ways.source, PATHS, Work(ways).look)
