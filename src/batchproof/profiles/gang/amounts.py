"""What a pod takes of its node, by resource, and of host ports."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import quantity
from batchproof.judgement.objects.core import Pod

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_NOTHING = Fraction(0)


def taken(pod: Pod) -> dict[str, Fraction]:
    """What a pod takes of a node, and one of the places for pods.

    A container that is being resized takes the most of what it requests and has. Source: documentation,
    Resize CPU and Memory Resources assigned to Containers.
    """
    return _taken(pod, lambda container: _most(_requests(container), _allocated(pod, container["name"])))


def requested(pod: Pod) -> dict[str, Fraction]:
    """The same, where a container that is being resized counts by what it requests alone."""
    return _taken(pod, _requests)


def host_ports(pod: Pod) -> frozenset[str]:
    """The ports of its node that a pod uses, as names of resources: ``host port 8080/TCP``."""
    containers = [*(pod.spec.get("initContainers") or ()), *(pod.spec.get("containers") or ())]
    ports = [port for container in containers for port in container.get("ports") or ()]
    return frozenset(
        f"host port {port['hostPort']}/{port.get('protocol', 'TCP')}"
        for port in ports
        if port.get("hostPort")
    )


def _taken(pod: Pod, of_container: Callable[[Json], dict[str, Fraction]]) -> dict[str, Fraction]:
    """What a pod takes of a node, by what each of its containers takes.

    The containers run together, beside each init container that is restarted always (a sidecar). The other
    init containers run before them, one after another, each beside the sidecars that were started before it.
    What is requested for the whole pod replaces that. Overhead comes on top. A host port is something of
    which each node has one. Source: documentation, Sidecar Containers ("resource sharing within
    containers"), Assign Pod-level CPU and memory resources, Pod Overhead.
    """
    together: dict[str, Fraction] = {}
    most: dict[str, Fraction] = {}
    for container in pod.spec.get("initContainers") or []:
        beside = _sum(together, _requests(container))
        if container.get("restartPolicy") == "Always":
            together = beside
        most = _most(most, beside)
    for container in pod.spec.get("containers") or []:
        together = _sum(together, of_container(container))
    whole = _sum({**_most(most, together), **_requests(pod.spec)}, _amounts(pod.spec.get("overhead")))
    return _sum({"pods": Fraction(1), **dict.fromkeys(host_ports(pod), Fraction(1))}, whole)


def _allocated(pod: Pod, container: str) -> dict[str, Fraction]:
    """What a container has on its node, where the kubelet reports that."""
    statuses = pod.status.get("containerStatuses") or ()
    its: Json = next((one for one in statuses if one.get("name") == container), {})
    return _most(_amounts(its.get("allocatedResources")), _requests(its))


def _requests(container: Mapping[str, Any]) -> dict[str, Fraction]:
    """What one container requests."""
    return _amounts((container.get("resources") or {}).get("requests"))


def _amounts(resources: Mapping[str, Any] | None) -> dict[str, Fraction]:
    """Amounts of resources by their names; none where nothing is said."""
    return {name: quantity(str(text)) for name, text in (resources or {}).items()}


def _sum(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: one.get(name, _NOTHING) + other.get(name, _NOTHING) for name in {**one, **other}}


def _most(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: max(one.get(name, _NOTHING), other.get(name, _NOTHING)) for name in {**one, **other}}
