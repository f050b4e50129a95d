"""The cached Jobs and pods, found by owner, by namespace and by UID."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference_controller.job.objects import Job, Pod


class PodIndex:
    """Pods by the UID of their controller; those without one by namespace."""

    def __init__(self) -> None:
        self._owned: dict[str, dict[str, Pod]] = {}
        self._loose: dict[str, dict[str, Pod]] = {}

    def change(self, old: Pod | None, new: Pod | None) -> None:
        """Follow one change of the cache."""
        if old is not None and (new is None or old.controller != new.controller):
            table, key = self._place(old)
            pods = table.get(key, {})
            pods.pop(old.uid, None)
            if not pods:
                table.pop(key, None)
        if new is not None:
            table, key = self._place(new)
            table.setdefault(key, {})[new.uid] = new

    def _place(self, pod: Pod) -> tuple[dict[str, dict[str, Pod]], str]:
        if pod.controller is None:
            return self._loose, pod.namespace
        return self._owned, pod.controller.uid

    def owned_by(self, uid: str) -> list[Pod]:
        """The pods whose controller has this UID."""
        return list(self._owned.get(uid, {}).values())

    def without_controller(self, namespace: str) -> list[Pod]:
        """The pods of a namespace that nobody controls."""
        return list(self._loose.get(namespace, {}).values())


class JobIndex:
    """Jobs by UID and by namespace."""

    def __init__(self) -> None:
        self._by_uid: dict[str, Job] = {}
        self._by_namespace: defaultdict[str, dict[str, Job]] = defaultdict(dict)

    def change(self, old: Job | None, new: Job | None) -> None:
        """Follow one change of the cache."""
        if new is not None:
            self._by_uid[new.uid] = new
            self._by_namespace[new.namespace][new.uid] = new
        elif old is not None:
            self._by_uid.pop(old.uid, None)
            jobs = self._by_namespace[old.namespace]
            jobs.pop(old.uid, None)
            if not jobs:
                del self._by_namespace[old.namespace]

    def get(self, uid: str) -> Job | None:
        """The Job with this UID."""
        return self._by_uid.get(uid)

    def of(self, namespace: str) -> list[Job]:
        """The Jobs of a namespace."""
        return list(self._by_namespace[namespace].values()) if namespace in self._by_namespace else []
