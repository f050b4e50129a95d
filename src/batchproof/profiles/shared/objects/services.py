"""The services by which replicas find each other."""

from __future__ import annotations

from batchproof.ground.resources import Resource
from batchproof.judgement.objects.api_object import ApiObject

SERVICES = Resource("", "v1", "services")


class Service(ApiObject, of=SERVICES, noun="service"):
    """A core service."""

    @property
    def headless(self) -> bool:
        """It has no address of its own: its name leads to the pods."""
        return bool(self.spec.get("clusterIP") == "None")

    @property
    def selector(self) -> dict[str, str]:
        """The labels of the pods that it leads to."""
        return self.spec.get("selector") or {}

    @property
    def ports(self) -> set[int]:
        """The numbers of its ports."""
        return {int(port["port"]) for port in self.spec.get("ports") or []}

    @property
    def words(self) -> list[str]:
        """Whether it is headless, and its ports."""
        return ["headless" if self.headless else "", *map(str, sorted(self.ports))]
