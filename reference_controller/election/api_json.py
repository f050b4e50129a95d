"""Leases from and to API JSON."""

from __future__ import annotations

from datetime import UTC, datetime

import orjson

from reference_controller.election.lease import Lease
from reference_controller.objects.api_json import Json
from reference_controller.objects.times import seconds


def read_lease(raw: Json) -> Lease:
    """Parse a Lease."""
    metadata, spec = raw["metadata"], raw.get("spec") or {}
    return Lease(
        namespace=metadata["namespace"],
        name=metadata["name"],
        version=metadata["resourceVersion"],
        holder=spec.get("holderIdentity") or "",
        duration_s=spec.get("leaseDurationSeconds") or 0,
        acquired_at=_seconds(spec.get("acquireTime")),
        renewed_at=_seconds(spec.get("renewTime")),
        transitions=spec.get("leaseTransitions") or 0,
    )


def lease_body(lease: Lease) -> bytes:
    """The whole Lease; it is refused if another has changed it since it was read."""
    return orjson.dumps(
        {
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {
                "namespace": lease.namespace,
                "name": lease.name,
                **({"resourceVersion": lease.version} if lease.version else {}),
            },
            "spec": {
                "holderIdentity": lease.holder,
                "leaseDurationSeconds": lease.duration_s,
                "acquireTime": _micro_time(lease.acquired_at),
                "renewTime": _micro_time(lease.renewed_at),
                "leaseTransitions": lease.transitions,
            },
        }
    )


def _seconds(text: str | None) -> float:
    return seconds(text) if text else 0.0


def _micro_time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
