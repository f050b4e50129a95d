"""What is wrong with a TFJob that a user asks for, or makes of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from reference_controller.tfjob.objects import CONTAINER, MASTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

_LABEL = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
"""RFC 1035: the services of a TFJob are named after it."""


def wrong_tfjob(raw: Json) -> Iterator[str]:
    """TFJ-059, TFJ-060: all that keeps a TFJob from being stored."""
    name = raw["metadata"].get("name") or ""
    if not _LABEL.fullmatch(name):
        yield f"{name!r} is no name of a service: letters, digits and hyphens, and a letter first"
    specs: dict[str, Json] = (raw.get("spec") or {}).get("tfReplicaSpecs") or {}
    if not specs:
        yield "it has no replicas"
    for kind, spec in specs.items():
        yield from (f"{kind}: {what}" for what in _wrong_template(spec))
    if sum(kind.lower() in MASTERS for kind in specs) > 1:
        yield f"it has more than one of {' and '.join(sorted(MASTERS))}"


def _wrong_template(spec: Json) -> Iterator[str]:
    template = spec.get("template") or {}
    containers = (template.get("spec") or {}).get("containers") or ()
    if not all(container.get("image") for container in containers):
        yield "a container has no image"
    if not any(container.get("name") == CONTAINER for container in containers):
        yield f"no container is named {CONTAINER}"
