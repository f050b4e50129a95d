"""What of a cluster belongs to a scenario: which collections are recorded, and which are deleted after it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from batchproof.ground.resources import EVENTS, PODS, SCENE_LABEL, Resource


@dataclass(frozen=True, slots=True)
class Collection:
    """The objects of a resource that belong to a scenario; every change of them is in its history.

    Attributes:
        namespaced: they are in its namespace; else they are cluster-scoped and carry ``SCENE_LABEL``.
        prompt: what the harness waits for to be recorded; events come when they come.
        swept: they are deleted after the scenario, also those that are stuck on a finalizer. What is
            cluster-scoped goes anyway, if the harness made it.
        makes_pods: they are deleted first, so that no controller makes pods for them any more.
    """

    resource: Resource
    namespaced: bool = True
    prompt: bool = True
    swept: bool = True
    makes_pods: bool = False

    @property
    def at_once(self) -> bool:
        """They are deleted by one request, for there may be many; not every resource can be."""
        return self.makes_pods or self.resource == PODS

    def path(self, namespace: str) -> str:
        """Where they are listed and watched."""
        if self.namespaced:
            return self.resource.path(namespace)
        return f"{self.resource.path()}?labelSelector={quote(SCENE_LABEL, safe='')}%3D{namespace}"


BASICS = (
    Collection(PODS),
    Collection(EVENTS, prompt=False, swept=False),
)
"""What every profile needs: the pods, and what is reported of them."""
