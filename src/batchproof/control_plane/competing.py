"""Whether a controller in the cluster already does what the implementation is to do.

The witness of each profile, which an implementation always works on at once, is made in a namespace of ours
before anything is started, and for a moment it is watched whether a controller works on it. One that does
would act on the scenarios' objects too, and no record could show which of them did what. In place, where
just that is to be judged, a controller has to work on it.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from batchproof.api.client import Api, make_namespace
from batchproof.control_plane.leftovers import cell_name
from batchproof.descriptor.dialect import Dialect
from batchproof.ground.errors import UserError
from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

_WITHIN_S: Final = 4.0
_INSTALLED_WITHIN_S: Final = 30.0
_ABSENT_IMAGE: Final = "batchproof.dev/simulated"
ALONE: Final = "judge on a control plane of its own (--cluster embedded or kind)"

Probe: TypeAlias = "Callable[[Api, str], Awaitable[bool]]"
"""Whether the cluster itself has a capability, seen in a namespace: then nothing can be judged by it."""


class WitnessSpec(Protocol):
    """What an implementation of a profile always has to do, at once."""

    @property
    def resource(self) -> Resource:
        """What is given to it."""
        ...

    @property
    def shown_by(self) -> Resource:
        """What it makes for that, as its controller."""
        ...

    @property
    def body(self) -> Callable[[str, str | None], Json]:
        """The object of a name, for the controller that handles what names this manager."""
        ...

    @property
    def apart(self) -> str:
        """How to judge beside a controller of the cluster that does the same; empty: not at all."""
        ...


@dataclass(frozen=True, slots=True)
class ImplementationRole:
    """What an implementation is to do in a cluster.

    Attributes:
        witnesses: those of its profiles.
        managed_by: it handles only objects with this ``spec.managedBy``; None: those that name no controller.
        probes: the capabilities that a cluster may have itself, where the implementation is not installed.
        built_in: the controllers of kube-controller-manager that do the same, by their names of today.
        dialect: of the pods that it binds; None if it binds none.
        installed: it is at work there already, and judged in place.
    """

    witnesses: tuple[WitnessSpec, ...]
    managed_by: str | None
    dialect: Dialect | None
    installed: bool = False
    probes: Mapping[str, Probe] = field(default_factory=dict)
    built_in: tuple[str, ...] = ()

    @property
    def answers_within_s(self) -> float:
        """How long a probe waits for an answer: a controller that must be there may be slow."""
        return _INSTALLED_WITHIN_S if self.installed else _WITHIN_S


async def look_for_rivals(api: Api, part: ImplementationRole, run: str) -> tuple[str, ...]:
    """See that no other controller acts on the implementation's objects, or that it does if installed.

    Args:
        api: the cluster.
        part: what the implementation is to do.
        run: the id of the run, for the namespace of the probes, which stays.

    Returns:
        Capabilities that the cluster has by itself and that cannot be kept apart from the implementation.

    Raises:
        UserError: a controller acts on them, or none where it is installed; the message says what to do.
    """
    cell = cell_name(run, "probe")
    namespace = f"{cell}-1"
    await make_namespace(api, namespace, cell, with_account=True)
    asked = [_look_at_witness(api, namespace, witness, part) for witness in part.witnesses]
    if not part.installed:
        asked += [_taken(api, namespace, name, probe) for name, probe in part.probes.items()]
    if part.dialect:
        asked.append(_look_at_pods(api, namespace, part.dialect, part))
    return tuple(found for found in await asyncio.gather(*asked) if found)


async def _taken(api: Api, namespace: str, capability: str, probe: Probe) -> str:
    """The capability if the cluster itself has it; empty if not."""
    return capability if await probe(api, namespace) else ""


async def _look_at_witness(api: Api, namespace: str, witness: WitnessSpec, part: ImplementationRole) -> str:
    """See whether a controller works on what the implementation always works on at once."""
    manager = part.managed_by
    body = witness.body("probe", manager)
    made = await api.create(witness.resource.path(namespace), body)
    if manager and "managedBy" in body["spec"] and "managedBy" not in made["spec"]:
        raise UserError(
            f"this cluster does not know spec.managedBy of {body['kind']}s, so its own controller of them "
            f"cannot be kept apart: {witness.apart or ALONE}"
        )
    uid = made["metadata"]["uid"]

    def made_for_it(_: str, it: Json) -> bool:
        return any(owner["uid"] == uid for owner in it["metadata"].get("ownerReferences") or ())

    collection = witness.shown_by.path(namespace)
    since = made["metadata"]["resourceVersion"]
    handled = await happens(api, collection, since, made_for_it, part.answers_within_s)
    if handled != part.installed:
        raise UserError(_refused(witness, made, part))
    return ""


def _refused(witness: WitnessSpec, made: Json, part: ImplementationRole) -> str:
    """Why the implementation cannot be judged beside the controllers that run in the cluster, or do not."""
    kind, shown_by, manager = made["kind"], witness.shown_by.singular, part.managed_by
    managed = f" with spec.managedBy {manager!r}" if manager else ""
    if part.installed:
        return (
            f"no controller in this cluster reconciles a {kind}{managed}: no {shown_by} was created for a "
            f"probe {kind}. Install the implementation, or add 'start' to its descriptor"
        )
    if manager:
        handled = f"a controller in this cluster already handles {kind}s{managed}"
        return f"{handled}: end it, or judge under another name"
    if witness.apart:
        return f"a {kind} controller already runs in this cluster and handles every {kind}: {witness.apart}"
    return (
        f"a controller in this cluster already handles every {made['apiVersion']} {kind}: it made a "
        f"{shown_by} for a probe. End it for the time of the run, or {ALONE}"
    )


async def _look_at_pods(api: Api, namespace: str, dialect: Dialect, part: ImplementationRole) -> str:
    """See whether a scheduler reports a pod that no node can take."""
    scheduler, pods = dialect.scheduler, PODS.path(namespace)
    spec = {
        "schedulerName": scheduler,
        "nodeSelector": {"batchproof.dev/no-such-node": "true"},
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": _ABSENT_IMAGE}],
    }
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "probe"}, "spec": spec}
    made = await api.create(pods, dialect.outside(body, pod="probe", cpus="0", namespace=namespace))

    def spoken_of(_: str, pod: Json) -> bool:
        said = (pod.get("status") or {}).get("conditions")
        return bool(said) and pod["metadata"]["uid"] == made["metadata"]["uid"]

    answered = await happens(api, pods, made["metadata"]["resourceVersion"], spoken_of, part.answers_within_s)
    if part.installed and not answered:
        raise UserError(
            f"no scheduler called {scheduler!r} runs in this cluster: a probe pod that fits no node got no "
            "condition and no Event. Install it, or correct 'scheduler' in its dialect, or add 'start' to "
            "its descriptor"
        )
    if answered and not part.installed:
        raise UserError(
            f"a scheduler called {scheduler!r} already runs in this cluster: end it, or start the "
            "implementation under another schedulerName and say so in its dialect"
        )
    return ""


async def happens(
    api: Api, collection: str, since: str, shows: Callable[[str, Json], bool], within_s: float = _WITHIN_S
) -> bool:
    """Whether within a moment a change of a collection since a resourceVersion shows something."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            async for event in api.watch(collection, since):
                if event["type"] != "ERROR" and shows(event["type"], event["object"]):
                    return True
    return False
