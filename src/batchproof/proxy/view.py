"""What an implementation sees of a shared API server: the namespaces and labelled objects of its cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import orjson

from batchproof.ground.resources import CELL_LABEL, NAMESPACES, Resource
from batchproof.judgement.faults import Call
from batchproof.judgement.history import Json

_SHARED = frozenset(
    {
        ("admissionregistration.k8s.io", "mutatingwebhookconfigurations"),
        ("admissionregistration.k8s.io", "validatingadmissionpolicies"),
        ("admissionregistration.k8s.io", "validatingwebhookconfigurations"),
        ("apiextensions.k8s.io", "customresourcedefinitions"),
        ("apiregistration.k8s.io", "apiservices"),
        ("flowcontrol.apiserver.k8s.io", "flowschemas"),
        ("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations"),
        ("networking.k8s.io", "ingressclasses"),
        ("networking.k8s.io", "ipaddresses"),
        ("networking.k8s.io", "servicecidrs"),
        ("node.k8s.io", "runtimeclasses"),
        ("rbac.authorization.k8s.io", "clusterrolebindings"),
        ("rbac.authorization.k8s.io", "clusterroles"),
        ("resource.k8s.io", "deviceclasses"),
        ("scheduling.k8s.io", "priorityclasses"),
        ("storage.k8s.io", "storageclasses"),
    }
)
"""Cluster-scoped resources that describe the API rather than the load on it: all cells see them."""


_RULES = frozenset(
    {
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "certificates.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "rbac.authorization.k8s.io",
    }
)
"""Groups whose cluster-scoped objects rule over the whole cluster, whatever they are called."""


class _Metadata(msgspec.Struct):
    name: str | None = None
    namespace: str | None = None
    labels: dict[str, Any] | None = None


class _Object(msgspec.Struct):
    kind: str = ""
    metadata: _Metadata | None = None


class _Event(msgspec.Struct):
    """A line of a watch, as far as it says whose it is; the rest need not be made objects of."""

    type: str
    object: _Object


_TABLE = "Table"
"""The kind of a reply to a client that accepts ``as=Table``, as kubectl does."""
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
        return _shared(resource) or (metadata.labels or {}).get(CELL_LABEL) == self.cell

    def may_read(self, call: Call) -> bool:
        """The object that a request names is in the view: the names of the cell's begin with its own."""
        if call.namespace:
            return self.namespace_shown(call.namespace)
        return _shared(call.resource) or call.name.startswith(f"{self.cell}-")

    def owns(self, call: Call) -> bool:
        """A write touches nothing but what belongs to the cell; what applies to all belongs to no cell."""
        if call.namespace:
            return self.namespace_shown(call.namespace)
        ruling = call.resource.group in _RULES or _shared(call.resource)
        return call.name.startswith(f"{self.cell}-") and not ruling

    def line(self, resource: Resource, line: bytes) -> bytes | None:
        """What is shown of a line of a watch: an event in the view, a bookmark, an error; None: nothing.

        An object of this cell carries the cell's name, so a line without it needs no parsing.
        """
        if self.whole:
            return line
        event_of_object = line.startswith((b'{"type":"ADDED"', b'{"type":"MODIFIED"', b'{"type":"DELETED"'))
        if event_of_object and not _shared(resource) and f"{self.cell}-".encode() not in line:
            return None
        event = _EVENTS.decode(line)
        if event.type in {"BOOKMARK", "ERROR"}:
            return line
        if event.object.kind == _TABLE:
            return self._table_line(resource, line)
        return line if self._shows(resource, event.object.metadata) else None

    def _table_line(self, resource: Resource, line: bytes) -> bytes | None:
        """An event whose object was asked for as a Table: without the rows of others."""
        content = orjson.loads(line)
        content["object"]["rows"] = self._rows(resource, content["object"])
        return orjson.dumps(content) if content["object"]["rows"] else None

    def _rows(self, resource: Resource, table: Json) -> list[Json]:
        """The rows of a Table that are shown; one that does not say of which object it is, is not."""
        rows = table.get("rows") or []
        return [row for row in rows if row.get("object") and self.shows(resource, row["object"])]

    def filter_list(self, resource: Resource, body: bytes) -> bytes | None:
        """A list, or a Table, without the items of others; None: it does not say whose its parts are."""
        if self.whole or not body:
            return body
        content = orjson.loads(body)
        match content:
            case {"kind": "Table"}:
                return orjson.dumps({**content, "rows": self._rows(resource, content)})
            case {"items": None} | {"kind": "Status"}:
                return body
            case {"items": [*items]}:
                kept = [item for item in items if self.shows(resource, item)]
                return body if len(kept) == len(items) else orjson.dumps({**content, "items": kept})
            case _:
                return None


def _shared(resource: Resource) -> bool:
    return (resource.group, resource.plural) in _SHARED
