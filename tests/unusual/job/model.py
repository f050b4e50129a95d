"""Jobs and pods as the API server shows them, and what is to be known of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]
TRACKING = "batch.kubernetes.io/job-tracking"
INDEX = "batch.kubernetes.io/job-completion-index"
BUILT_IN = "kubernetes.io/job-controller"


def seconds(text: str) -> float:
    """A time of the API as seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()


def stamp(at: float) -> str:
    """The inverse, in whole seconds."""
    return datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Pod:
    """A pod."""

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.meta: Json = raw["metadata"]
        self.name: str = self.meta["name"]
        self.uid: str = self.meta["uid"]
        self.status: Json = raw.get("status") or {}
        self.phase: str = self.status.get("phase", "Pending")
        self.deleting = "deletionTimestamp" in self.meta
        self.ended = self.phase in {"Succeeded", "Failed"}
        self.active = not self.ended and not self.deleting
        self.tracked = TRACKING in self.meta.get("finalizers", [])
        self.created = seconds(self.meta["creationTimestamp"])
        text = self.meta.get("annotations", {}).get(INDEX, "")
        self.index = int(text) if text.isascii() and text.isdigit() else None

    @property
    def controller(self) -> Json:
        """The owner reference of its controller; empty if it has none."""
        owners = self.meta.get("ownerReferences", [])
        return next((it for it in owners if it.get("controller")), {})

    @property
    def of_a_job(self) -> bool:
        """A Job of the group batch controls it."""
        it = self.controller
        return it.get("kind") == "Job" and it["apiVersion"].startswith("batch/")

    @property
    def ready(self) -> bool:
        """Its condition Ready is true."""
        return any(
            it["type"] == "Ready" and it["status"] == "True" for it in self.status.get("conditions", [])
        )

    @property
    def containers(self) -> list[Json]:
        """The states of all its containers."""
        return [*self.status.get("initContainerStatuses", []), *self.status.get("containerStatuses", [])]

    @property
    def restarts(self) -> int:
        """How often its containers were started again."""
        return sum(it["restartCount"] for it in self.containers)

    @property
    def finished_at(self) -> float:
        """When its last container finished, or it was ready no more, by its node; else its creation."""
        ends = [it["state"].get("terminated", {}).get("finishedAt") for it in self.containers]
        if not any(ends):
            conditions = self.status.get("conditions", [])
            ends = [
                it.get("lastTransitionTime")
                for it in conditions
                if (it["type"], it["status"]) == ("Ready", "False")
            ]
        return max((seconds(end) for end in ends if end), default=self.created)

    @property
    def progress(self) -> tuple[int, int, bool]:
        """How far it has come: on a node, running, ready."""
        placed = int("nodeName" in self.raw["spec"])
        return (
            placed,
            ("Pending", "Unknown", "Running").index(self.phase) if not self.ended else 0,
            self.ready,
        )


class Job:
    """A Job."""

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.meta: Json = raw["metadata"]
        self.spec: Json = raw["spec"]
        self.status: Json = raw.get("status") or {}
        self.namespace: str = self.meta["namespace"]
        self.name: str = self.meta["name"]
        self.uid: str = self.meta["uid"]
        self.deleting = "deletionTimestamp" in self.meta
        self.completions: int | None = self.spec.get("completions")
        self.parallelism: int = self.spec.get("parallelism", 1)
        self.indexed = self.spec.get("completionMode") == "Indexed"
        self.suspended = bool(self.spec.get("suspend"))
        self.ours = self.spec.get("managedBy", BUILT_IN) == BUILT_IN
        self.waits_for_the_end = self.spec.get("podReplacementPolicy") == "Failed"

    def condition(self, kind: str) -> Json:
        """The condition of that type if it is True; else empty."""
        conditions = self.status.get("conditions", [])
        return next((it for it in conditions if it["type"] == kind and it["status"] == "True"), {})

    @property
    def finished(self) -> bool:
        """It is Complete or Failed."""
        return bool(self.condition("Complete") or self.condition("Failed"))

    @property
    def completed(self) -> set[int]:
        """The indexes that are recorded as completed, of those that it has."""
        return {it for it in parse(self.status.get("completedIndexes", "")) if it < (self.completions or 0)}

    def uncounted(self, outcome: str) -> list[str]:
        """The UIDs that are recorded as ``succeeded`` or ``failed`` and not counted yet."""
        return list((self.status.get("uncountedTerminatedPods") or {}).get(outcome, []))

    def matches(self, pod: Pod) -> bool:
        """The selector matches the labels of a pod."""
        wanted = (self.spec.get("selector") or {}).get("matchLabels") or {}
        return bool(wanted) and wanted.items() <= pod.meta.get("labels", {}).items()


def parse(text: str) -> set[int]:
    """The indexes that "1,3-5" lists."""
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def render(indexes: set[int]) -> str:
    """Indexes as the API writes them: "1,3-5"."""
    runs: list[list[int]] = []
    for index in sorted(indexes):
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    few = 2
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > few else ",".join(map(str, run)) for run in runs)
