"""Cached objects found by owner, by namespace and by UID. Subscribe `change` to an informer."""

from __future__ import annotations

from collections import defaultdict
from typing import Generic, TypeVar

from reference_controller.objects.identity import Controlled, Versioned

C = TypeVar("C", bound=Controlled)
V = TypeVar("V", bound=Versioned)


class OwnedIndex(Generic[C]):
    """Objects by the UID of their controller; those without one by namespace."""

    def __init__(self) -> None:
        self._owned: dict[str, dict[str, C]] = {}
        self._loose: dict[str, dict[str, C]] = {}

    def change(self, old: C | None, new: C | None) -> None:
        """Follow one change of the cache."""
        if old is not None and (new is None or old.controller != new.controller):
            table, key = self._place(old)
            objects = table.get(key, {})
            objects.pop(old.uid, None)
            if not objects:
                table.pop(key, None)
        if new is not None:
            table, key = self._place(new)
            table.setdefault(key, {})[new.uid] = new

    def _place(self, obj: C) -> tuple[dict[str, dict[str, C]], str]:
        if obj.controller is None:
            return self._loose, obj.namespace
        return self._owned, obj.controller.uid

    def owned_by(self, uid: str) -> list[C]:
        """The objects whose controller has this UID."""
        return list(self._owned.get(uid, {}).values())

    def without_controller(self, namespace: str) -> list[C]:
        """The objects of a namespace without a controller."""
        return list(self._loose.get(namespace, {}).values())


class UidIndex(Generic[V]):
    """Objects by UID and by namespace."""

    def __init__(self) -> None:
        self._by_uid: dict[str, V] = {}
        self._by_namespace: defaultdict[str, dict[str, V]] = defaultdict(dict)

    def change(self, old: V | None, new: V | None) -> None:
        """Follow one change of the cache."""
        if new is not None:
            self._by_uid[new.uid] = new
            self._by_namespace[new.namespace][new.uid] = new
        elif old is not None:
            self._by_uid.pop(old.uid, None)
            objects = self._by_namespace[old.namespace]
            objects.pop(old.uid, None)
            if not objects:
                del self._by_namespace[old.namespace]

    def get(self, uid: str) -> V | None:
        """The object with this UID."""
        return self._by_uid.get(uid)

    def of(self, namespace: str) -> list[V]:
        """The objects of a namespace."""
        return list(self._by_namespace[namespace].values()) if namespace in self._by_namespace else []

    def all(self) -> list[V]:
        """All objects, of whatever namespace."""
        return list(self._by_uid.values())
