"""Kinds of objects as the API server serves them: group, version, plural, and their paths."""

from __future__ import annotations

from typing import NamedTuple

from reference_controller.objects.identity import Versioned


class Resource(NamedTuple):
    """One resource, such as `Resource("batch", "v1", "jobs")`; the core group is ""."""

    group: str
    version: str
    plural: str

    @property
    def everywhere(self) -> str:
        """Where the objects of all namespaces, or of a resource without namespaces, are served."""
        return f"{self._root}/{self.plural}"

    @property
    def _root(self) -> str:
        return f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"

    def of(self, namespace: str) -> str:
        """Where the objects of a namespace are served; of "" those of a resource without namespaces."""
        return f"{self._root}/namespaces/{namespace}/{self.plural}" if namespace else self.everywhere

    def named(self, namespace: str, name: str, subresource: str = "") -> str:
        """Where the object of this name, or a subresource of it, is served."""
        path = f"{self.of(namespace)}/{name}"
        return f"{path}/{subresource}" if subresource else path

    def path(self, obj: Versioned, subresource: str = "") -> str:
        """Where this object, or a subresource of it, is served."""
        return self.named(obj.namespace, obj.name, subresource)


PODS = Resource("", "v1", "pods")
SERVICES = Resource("", "v1", "services")
NODES = Resource("", "v1", "nodes")
CLAIMS = Resource("", "v1", "persistentvolumeclaims")
VOLUMES = Resource("", "v1", "persistentvolumes")
BUDGETS = Resource("policy", "v1", "poddisruptionbudgets")
JOBS = Resource("batch", "v1", "jobs")
