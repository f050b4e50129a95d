"""What an implementation sees of a shared API server: the namespaces and labelled objects of its cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import orjson

from batchproof.labels import CELL_LABEL
from batchproof.resources import NAMESPACES

if TYPE_CHECKING:
    from batchproof.judgement.faults import Call
    from batchproof.judgement.history import Json
    from batchproof.resources import Resource

_REVIEWS = frozenset({"authentication.k8s.io", "authorization.k8s.io"})
_SHARED = frozenset(
    {
        "apiservices",
        "clusterrolebindings",
        "clusterroles",
        "customresourcedefinitions",
        "deviceclasses",
        "flowschemas",
        "ingressclasses",
        "ipaddresses",
        "mutatingwebhookconfigurations",
        "priorityclasses",
        "prioritylevelconfigurations",
        "runtimeclasses",
        "servicecidrs",
        "storageclasses",
        "validatingadmissionpolicies",
        "validatingwebhookconfigurations",
    }
)
"""Cluster-scoped resources that describe the API rather than the load on it: all cells see them."""


class _Metadata(msgspec.Struct):
    name: str | None = None
    namespace: str | None = None
    labels: dict[str, Any] | None = None


class _Object(msgspec.Struct):
    metadata: _Metadata | None = None


class _Event(msgspec.Struct):
    """A line of a watch, as far as it says whose it is; the rest need not be made objects of."""

    type: str
    object: _Object


_EVENTS = msgspec.json.Decoder(_Event)


@dataclass(frozen=True, slots=True)
class View:
    """The part of a cluster that belongs to one cell.

    Attributes:
        cell: the value of the ``batchproof.dev/cell`` label on the cell's cluster-scoped objects; their
            names and those of its namespaces begin with it and a hyphen.
        whole: the API server is that of the cell alone: all that is on it is shown.
    """

    cell: str
    whole: bool = False

    def namespace_shown(self, namespace: str) -> bool:
        """The namespace is one of the cell's."""
        return namespace.startswith(f"{self.cell}-")

    def shows(self, resource: Resource, obj: Json) -> bool:
        """The object is in the view."""
        return self.whole or self._shows(resource, msgspec.convert(obj, _Object).metadata)

    def _shows(self, resource: Resource, metadata: _Metadata | None) -> bool:
        metadata = metadata or _Metadata()
        if metadata.namespace:
            return self.namespace_shown(metadata.namespace)
        if resource == NAMESPACES:
            return self.namespace_shown(metadata.name or "")
        return resource.plural in _SHARED or (metadata.labels or {}).get(CELL_LABEL) == self.cell

    def owns(self, call: Call) -> bool:
        """A write touches nothing but what belongs to the cell, or is stored nowhere (a review of rights)."""
        if call.resource.group in _REVIEWS:
            return True
        if call.namespace:
            return self.namespace_shown(call.namespace)
        return call.name.startswith(f"{self.cell}-")

    def line(self, resource: Resource, line: bytes) -> bool:
        """The line of a watch stream is shown: an event in the view, a bookmark, or an error.

        An object of this cell carries the cell's name, so a line without it needs no parsing.
        """
        if self.whole:
            return True
        event_of_object = line.startswith((b'{"type":"ADDED"', b'{"type":"MODIFIED"', b'{"type":"DELETED"'))
        if event_of_object and resource.plural not in _SHARED and f"{self.cell}-".encode() not in line:
            return False
        event = _EVENTS.decode(line)
        return event.type in {"BOOKMARK", "ERROR"} or self._shows(resource, event.object.metadata)

    def filter_list(self, resource: Resource, body: bytes) -> bytes:
        """A list without the items of others; anything else unchanged."""
        if self.whole:
            return body
        content = orjson.loads(body)
        if not isinstance(content.get("items"), list):
            return body
        kept = [item for item in content["items"] if self.shows(resource, item)]
        if len(kept) == len(content["items"]):
            return body
        return orjson.dumps({**content, "items": kept})
