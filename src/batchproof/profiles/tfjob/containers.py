"""The containers of pod templates, as a scenario says them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTAINER: Final = "tensorflow"
"""The container by which a replica's pod is judged."""
_IMAGE: Final = "batchproof.dev/simulated"
CONTAINERS: Mapping[str, list[Json | str]] = {
    "one container": [{"name": CONTAINER, "image": _IMAGE}],
    "a container of 2 CPUs": [
        {"name": CONTAINER, "image": _IMAGE, "resources": {"requests": {"cpu": "2"}}},
    ],
    "no container": [],
    "a text instead of a container": [CONTAINER],
    "a container without an image": [{"name": CONTAINER}],
    "a container of another name": [{"name": "main", "image": _IMAGE}],
    "a container of another name beside it": [
        {"name": "main", "image": _IMAGE},
        {"name": CONTAINER, "image": _IMAGE},
    ],
}
