"""Faults are data: what triggers them, what they do, how often. Nothing here touches a socket.

Only what a correct API server and network can do is offered; so a fault never accuses a correct controller.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json

READS = frozenset({"get", "list", "watch"})


@dataclass(frozen=True, slots=True)
class Call:
    """What a request asks for, as its URL says.

    Attributes:
        verb: get, list, watch, create, update, patch, delete, deletecollection.
        resource: what kind of objects it is about.
        namespace: empty for cluster-scoped objects and for requests over all namespaces.
        name: empty for collections.
    """

    verb: str
    resource: Resource
    subresource: str = ""
    namespace: str = ""
    name: str = ""

    @property
    def write(self) -> bool:
        """The request changes something."""
        return self.verb not in READS


@dataclass(frozen=True, slots=True)
class On:
    """Which requests trigger a fault. Empty (or None) means any, but for the subresource, which must agree.

    Attributes:
        verbs: any write if there are none.
        ignoring: resources whose requests neither trigger it nor count where ``resource`` is None.
    """

    resource: Resource | None = None
    verbs: frozenset[str] = frozenset()
    subresource: str = ""
    name: str = ""
    ignoring: frozenset[Resource] = frozenset()

    def matches(self, call: Call) -> bool:
        """The request is one that triggers the fault."""
        return (
            (not self.resource or (call.resource, call.subresource) == (self.resource, self.subresource))
            and (call.verb in self.verbs if self.verbs else call.write)
            and (not self.name or call.name == self.name)
            and call.resource not in self.ignoring
        )


@dataclass(frozen=True, slots=True)
class FaultAnswer:
    """Answer with an error, without effect, and its cause where it has one.

    ``retry_after_s`` makes client-go retry by itself.
    """

    status: int
    reason: str
    message: str
    retry_after_s: int | None = None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Delay:
    """Let the request wait before it takes effect."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold the request before its effect, or its reply after it, until the fault is lifted."""

    after_effect: bool


@dataclass(frozen=True, slots=True)
class LoseReply:
    """Let the request take effect, then cut the connection instead of replying."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Cut the connection before the request takes effect."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Kill the implementation at this request: before its effect, or after it and before the reply."""

    after_effect: bool


@dataclass(frozen=True, slots=True)
class Freeze:
    """Let the request take effect, and from just before it show nothing more of a resource until the thaw."""

    resource: Resource


@dataclass(frozen=True, slots=True)
class ConcurrentUpdate:
    """Let another client change the object that the request names, just before the request takes effect."""


@dataclass(frozen=True, slots=True)
class EndWatches:
    """End all watches just before the request takes effect, with 410 Gone if ``gone``."""

    gone: bool


Effect: TypeAlias = (
    FaultAnswer | Delay | Hold | LoseReply | Cut | Crash | Freeze | ConcurrentUpdate | EndWatches
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of requests.

    Attributes:
        text: the fault as a sentence, for the history and the report.
        skip: how many matching requests pass before the first that triggers it.
        times: how many trigger it; None while the fault lasts.
        every: only each n-th matching request triggers it.
        of: the profile of faults that it is a part of: it is enough that one of them is triggered.
    """

    text: str
    on: On
    do: Effect
    skip: int = 0
    times: int | None = None
    every: int = 1
    of: str = ""

    def to_json(self) -> Json:
        """The fault as a history keeps it."""
        return {
            "kind": "requests",
            "on": _plain(self.on),
            "do": {"effect": type(self.do).__name__, **_plain(self.do)},
            "skip": self.skip,
            "times": self.times,
            "every": self.every,
            **_part_of(self.of),
        }


def view_fault(resource: Resource, *, frozen: bool, delay_s: float, of: str = "") -> Json:
    """A frozen or late view of a resource, as a history keeps it; for ``of`` see ``Fault``."""
    about = {"kind": "view", "resource": _plain(resource), "frozen": frozen, "delay_s": delay_s}
    return about | _part_of(of)


def watches_fault(resource: Resource | None, *, gone: bool) -> Json:
    """The end of the watches of a resource (None: of all), as a history keeps it."""
    return {"kind": "watches", "resource": _plain(resource), "gone": gone}


def _part_of(profile: str) -> Json:
    return {"of": profile} if profile else {}


def _plain(part: On | Effect | Resource | None) -> Any:
    return msgspec.to_builtins(part, order="deterministic")


@dataclass(slots=True)
class Armed:
    """A fault in force, with its counters."""

    number: int
    fault: Fault
    seen: int = 0
    fired: int = 0

    def strikes(self, call: Call) -> bool:
        """Count the request; whether it triggers the fault."""
        fault = self.fault
        if not fault.on.matches(call):
            return False
        self.seen += 1
        due = self.seen > fault.skip and (self.seen - fault.skip) % fault.every == 0
        if not due or (fault.times is not None and self.fired >= fault.times):
            return False
        self.fired += 1
        return True


@dataclass(slots=True)
class FaultTable:
    """The faults of requests in force, oldest first; the first that a request triggers decides."""

    armed: list[Armed] = field(default_factory=list)

    def arm(self, number: int, fault: Fault) -> None:
        """Put a fault in force."""
        self.armed.append(Armed(number, fault))

    def lift(self, number: int) -> None:
        """Take a fault out of force; one that is not in force is no error."""
        self.armed = [armed for armed in self.armed if armed.number != number]

    def decide(self, call: Call) -> Armed | None:
        """The fault that this request triggers, if any."""
        return next((armed for armed in self.armed if armed.strikes(call)), None)


def conflict(resource: str) -> FaultAnswer:
    """409 as the API server answers a write with an outdated resourceVersion."""
    return FaultAnswer(
        409,
        "Conflict",
        f'Operation cannot be fulfilled on {resource} "object": '
        "the object has been modified; please apply your changes to the latest version and try again",
    )


def quota_exceeded() -> FaultAnswer:
    """403 as the quota admission answers."""
    return FaultAnswer(403, "Forbidden", "pods is forbidden: exceeded quota: batchproof")


def namespace_terminating() -> FaultAnswer:
    """403 as for an object in a namespace that is being deleted."""
    message = "pods is forbidden: unable to create new content in a namespace that is being terminated"
    return FaultAnswer(403, "Forbidden", message, cause="NamespaceTerminating")


def name_taken() -> FaultAnswer:
    """409 as for an object whose generated name another one has."""
    return FaultAnswer(409, "AlreadyExists", "the generated name is taken already")


_REASONS = {
    400: "BadRequest",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Expired",
    422: "Invalid",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}


def answer(status: int, *, retry_after_s: int | None = None) -> FaultAnswer:
    """An error with the reason that the API server gives it; 5xx without Retry-After reach the controller.

    Raises:
        KeyError: a status that no fault answers with.
    """
    return FaultAnswer(
        status, _REASONS[status], f"batchproof answers with {status} on purpose", retry_after_s
    )
