"""Short ways to say what the scheduler sees."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from reference_controller.scheduler.decide import Schedule, decide
from reference_controller.scheduler.objects import Node, Pod, PodGroup, Queue, Shape
from reference_controller.scheduler.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable

NOW = 1_000_000.0

_numbers = count(1)


def node(cpus: float = 4, **fields: Any) -> Node:
    number = next(_numbers)
    allocatable = {"cpu": int(cpus * 1000), "memory": 2**36, "pods": 110, **fields.pop("extra", {})}
    name = fields.pop("name", f"node-{number:06}")
    labels = {"kubernetes.io/hostname": name, **fields.pop("labels", {})}
    return Node(
        **{
            "name": name,
            "uid": name,
            "version": number,
            "allocatable": allocatable,
            "labels": labels,
            **fields,
        }
    )


def shape(cpus: float = 1, **fields: Any) -> Shape:
    return Shape(**{"requests": (("cpu", int(cpus * 1000)),) if cpus else (), **fields})


def pod(group: str | None = None, cpus: float = 1, **fields: Any) -> Pod:
    number = next(_numbers)
    defaults: dict[str, Any] = {
        "namespace": "ns",
        "name": f"pod-{number:06}",
        "uid": f"uid-{number}",
        "version": number,
        "shape": shape(cpus, **fields.pop("asks", {})),
        "group": group,
        "created": float(number),
    }
    return Pod(**{**defaults, **fields})


def pods(number: int, group: str | None = None, cpus: float = 1, **fields: Any) -> list[Pod]:
    return [pod(group, cpus, **fields) for _ in range(number)]


def group(name: str, minimum: int, **fields: Any) -> PodGroup:
    number = next(_numbers)
    defaults: dict[str, Any] = {"namespace": "ns", "uid": f"uid-{number}", "version": number}
    return PodGroup(**{"name": name, "min_member": minimum, "created": float(number), **defaults, **fields})


def queue(name: str, weight: int = 1, **fields: Any) -> Queue:
    return Queue(name=name, uid=name, version=next(_numbers), weight=weight, **fields)


def running(count: int, name: str | None, on: Node, **fields: Any) -> list[Pod]:
    """Pods of a group that run on a node."""
    return pods(count, name, node=on.name, phase="Running", **fields)


def snapshot(
    nodes: Iterable[Node],
    pods: Iterable[Pod],
    groups: Iterable[PodGroup] = (),
    queues: Iterable[Queue] = (),
    **fields: Any,
) -> Snapshot:
    return Snapshot(
        nodes=tuple(nodes),
        pods=tuple(pods),
        groups={(g.namespace, g.name): g for g in groups},
        queues={q.name: q for q in queues},
        **fields,
    )


def bound(seen: Snapshot) -> dict[str, str]:
    """The pods that get a node now, by name."""
    return {binding.pod.name: binding.node for binding in decide(seen, NOW).bindings}


def gangs_bound(seen: Snapshot) -> dict[str | None, int]:
    """How many pods of each group get a node now."""
    counts: dict[str | None, int] = {}
    for binding in decide(seen, NOW).bindings:
        counts[binding.pod.group] = counts.get(binding.pod.group, 0) + 1
    return counts


def after(seen: Snapshot, decision: Schedule) -> Snapshot:
    """The cluster once all that was decided is bound and runs."""
    nodes = {binding.pod.uid: binding.node for binding in decision.bindings}
    changed = (
        replace(pod, node=nodes[pod.uid], phase="Running") if pod.uid in nodes else pod for pod in seen.pods
    )
    return replace(seen, pods=tuple(changed))


def ended(seen: Snapshot, uids: Iterable[str]) -> Snapshot:
    """The cluster once these pods have succeeded."""
    gone = set(uids)
    changed = (replace(pod, phase="Succeeded") if pod.uid in gone else pod for pod in seen.pods)
    return replace(seen, pods=tuple(changed))
