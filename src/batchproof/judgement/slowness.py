"""Whether the machine was too slow for the implementation to be blamed. It is pure.

What an implementation does in time on a machine that has time, it does late on one that has none, and the
harness cannot distinguish that from a slow implementation by the end alone. Two things show it: how long the
answers of the API server took (docs/adr/0021), and how long the implementation, or what passes its requests
on, was ready to run and had no processor (docs/adr/0035).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.history import Request
from batchproof.judgement.inputs import Input
from batchproof.judgement.observed import Observed, Read, Write

if TYPE_CHECKING:
    from collections.abc import Iterable

_LEAST_S = 2.0
_PART = 0.1
_OK = 200
_READS = {"get", "list", "watch"}
_STREAMS = {"log", "exec", "attach", "portforward", "proxy"}
_OLD_WATCH = "watch"
"""``/api/v1/watch/pods``, deprecated since Kubernetes 1.11, reads as an object of a resource of this name."""


@dataclass(frozen=True, slots=True)
class Waited:
    """What was waited for in vain.

    Attributes:
        since_s: when the claim was made.
        limit_s: how long it was waited for, in seconds.
        read: what its fact read.
        starved_s: how long the threads on which it depends had no processor meanwhile, in seconds, summed.
    """

    since_s: float
    limit_s: float
    read: Iterable[Input]
    starved_s: float = 0.0

    @property
    def least_s(self) -> float:
        """How long an answer takes that is too slow: a tenth of the time, and two seconds at least."""
        return max(_LEAST_S, _PART * self.limit_s)

    def concerns(self, request: Request) -> bool:
        """What is waited for may hang on the answer to a request.

        It is about a resource that the fact read, or about pods, from which all else is computed.
        """
        if not request.instance or request.subresource in _STREAMS or request.resource.plural == _OLD_WATCH:
            return False
        return request.resource == PODS or any(_is_about(one, request.resource) for one in self.read)


def _is_about(read: Input, resource: Resource) -> bool:
    return read.kind.of_resources and read.resource in {None, resource}


def slowed(seen: Observed, wait: Waited) -> str:
    """Why the implementation cannot be blamed that something was waited for in vain; empty if it can."""
    if answer := _slow_answer(seen, wait):
        return f"slow answers: {answer}"
    if wait.starved_s >= wait.limit_s > 0:
        return f"no processor: the implementation, or the proxy, had none for {wait.starved_s:.1f} s"
    return ""


def _slow_answer(seen: Observed, wait: Waited) -> str:
    """The answer that took too long for something to be waited for in vain; empty if none did.

    At rest an answer takes milliseconds, and so does the beginning of a watch, which brings what is waited
    for. Only an answer counts that was outstanding in the time of the wait. What has triggered a fault is not
    looked at, and what was never answered only where nothing else explains that: no fault, and no process
    that was killed while it waited.

    Args:
        seen: what was observed, up to the end of the wait.
        wait: what was waited for.
    """
    all_of_them: list[Write | Read] = [*seen.writes, *seen.reads]
    asked = [one for one in all_of_them if wait.concerns(one.request)]
    slowest = max(((_took_s(one, seen, wait), -place) for place, one in enumerate(asked)), default=None)
    if slowest is None or slowest[0] < wait.least_s:
        return ""
    took_s, request = slowest[0], asked[-slowest[1]].request
    return f"the API server took {took_s:.1f} s for {request.verb} {request.subject}"


def _took_s(asked: Write | Read, seen: Observed, wait: Waited) -> float:
    """How long the API server took for an answer, or to begin a watch; 0 where that excuses nothing."""
    reply, verb = asked.reply, asked.request.verb
    if verb == "list" and seen.withheld:
        return 0.0  # it was held back with its view
    if reply is None:
        disturbed = seen.faults or any(change.what == "killed" for _, change in seen.processes)
        return 0.0 if disturbed else seen.now_s - asked.at_s
    if asked.replied_at_s < wait.since_s or reply.fault or (verb in _READS and reply.status != _OK):
        return 0.0  # what it asks for, a version that there is not yet say, is waited for a while
    return asked.replied_at_s - asked.at_s
