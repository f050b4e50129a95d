"""API versions that the API server no longer serves, answered by those that replaced them.

An implementation older than its API server may ask for a version of an API that was removed since, although
nothing in it that matters to the implementation has changed. Only its requests and
the replies in that version are translated; discovery stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Translation:
    """How a request is translated, and its reply.

    Attributes:
        old: the group and version that the implementation speaks, such as ``scheduling.k8s.io/v1beta1``.
        new: the one that the API server serves.
    """

    old: str
    new: str

    def path(self, path: str) -> str:
        """The path of a request, as the API server knows it."""
        return path.replace(f"/apis/{self.old}/", f"/apis/{self.new}/", 1)

    def asked(self, body: bytes) -> bytes:
        """The body of a request, as the API server knows it."""
        return body.replace(_stated(self.old), _stated(self.new))

    def replied(self, body: bytes) -> bytes:
        """The body of a reply, or a line of a watch, as the implementation knows it."""
        return body.replace(_stated(self.new), _stated(self.old))


SAME = Translation("", "")
"""Nothing is translated."""


def translation(path: str, served_as: Mapping[str, str]) -> Translation:
    """How a request with that path is translated.

    Args:
        path: the path as the implementation asked.
        served_as: the version that the API server serves, by the version that it serves no longer.
    """
    for old, new in served_as.items():
        if path.startswith(f"/apis/{old}/"):
            return Translation(old, new)
    return SAME


def _stated(version: str) -> bytes:
    return f'"apiVersion":"{version}"'.encode()
