"""What every object says of itself, and of the one that controls it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Versioned(Protocol):
    """What every cached object says of itself; the namespace is "" where there is none."""

    @property
    def namespace(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def uid(self) -> str: ...  # noqa: D102
    @property
    def version(self) -> int: ...  # noqa: D102


class Topic(Versioned, Protocol):
    """What every object says of itself that events are about, or that controls others."""

    @property
    def api_version(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Controller:
    """The owner reference of an object that has controller=true."""

    api_version: str
    kind: str
    name: str
    uid: str


class Controlled(Versioned, Protocol):
    """An object that another one may control."""

    @property
    def controller(self) -> Controller | None: ...  # noqa: D102


class ObjectKey(NamedTuple):
    """An object by name and UID: one recreated under the same name is another (EXP-041, FAIL-059)."""

    namespace: str
    name: str
    uid: str


def key_of(obj: Versioned) -> ObjectKey:
    """The object's key."""
    return ObjectKey(obj.namespace, obj.name, obj.uid)
