"""What a descriptor says of ``spec.managedBy``, and of the finalizer that goes with it."""

from __future__ import annotations

from batchproof.descriptor.reading import Reading
from batchproof.ground.resources import BUILT_IN_MANAGER, TRACKING_FINALIZER

MANAGED_BY_SINCE = (1, 32)
RESERVED = (
    f"{TRACKING_FINALIZER} is reserved for the built-in controller (Kubernetes documentation, Jobs, "
    '"Delegation of managing a Job object to external controller")'
)


def managed_by(reading: Reading) -> tuple[str | None, str]:
    """The manager that Jobs name (None: none), and the finalizer by which it tracks their pods.

    The name of the finalizer is free for a controller that ``spec.managedBy`` selects, which must give it.
    """
    manager = reading.part("managed_by", None)
    finalizer = reading.part("finalizer", TRACKING_FINALIZER)
    if reading.usable("managed_by", "finalizer", "control_plane"):
        _see_manager(reading)
    return manager, finalizer


def _see_manager(reading: Reading) -> None:
    content = reading.content
    message, place = "", "managed_by"
    if content.get("managed_by") == BUILT_IN_MANAGER:
        message = f"managed_by: {BUILT_IN_MANAGER} is the built-in controller: leave it out, or name another"
    elif "managed_by" in content and "finalizer" not in content:
        message = f"managed_by needs a 'finalizer' of its own, for {RESERVED}"
    elif "finalizer" in content and "managed_by" not in content:
        place = "finalizer"
        message = f"finalizer: leave it out: without managed_by it is {TRACKING_FINALIZER}"
    elif "managed_by" in content and _older(content.get("control_plane", {}).get("kubernetes", "")):
        message = "managed_by: Kubernetes knows it from 1.32 on: leave control_plane.kubernetes out"
    if message:
        reading.wrong(message, place)


def _older(kubernetes: str) -> bool:
    """An API server of that version (empty: that of today) has no ``spec.managedBy`` by default."""
    return bool(kubernetes) and tuple(map(int, kubernetes.split("."))) < MANAGED_BY_SINCE
