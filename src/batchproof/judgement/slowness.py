"""Whether the API server was too slow for anybody to be blamed: how long its answers took. It is pure.

What an implementation does in time on a machine that has time, it does late on one that has none, and the
harness cannot tell that from a slow implementation by looking at the end alone. The answers of the API server
tell: nothing of the implementation is in them. See docs/adr/0021.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed, Read, Write

_LEAST_S = 2.0
_PART = 0.1
_OK = 200
_READS = {"get", "list", "watch"}


def slow_answer(seen: Observed, limit_s: float) -> str:
    """The answer that took too long for something to be waited for in vain; empty if none did.

    Too long is a tenth of the time that was waited, and two seconds at least. At rest an answer takes
    milliseconds, and so does the beginning of a watch, which brings what is waited for. What a fault has
    struck is not looked at, and what was never answered only where nothing else explains that: no fault, and
    no process that was killed while it waited.

    Args:
        seen: what was observed.
        limit_s: how long it was waited for, in seconds.
    """
    asked: list[Write | Read] = [*seen.writes, *seen.reads]
    slowest = max(((_took_s(one, seen), -place) for place, one in enumerate(asked)), default=None)
    if slowest is None or slowest[0] < max(_LEAST_S, _PART * limit_s):
        return ""
    took_s, request = slowest[0], asked[-slowest[1]].request
    return f"the API server took {took_s:.1f} s for {request.verb} {request.subject}"


def _took_s(asked: Write | Read, seen: Observed) -> float:
    """How long the API server took for an answer, or to begin a watch; 0 where that was not its doing."""
    reply, verb = asked.reply, asked.request.verb
    if verb == "list" and seen.withheld:
        return 0.0  # it was held back with its view
    if reply is None or asked.replied_at_s is None:
        disturbed = seen.faults or any(change.what == "killed" for _, change in seen.processes)
        return 0.0 if disturbed else seen.now_s - asked.at_s
    if reply.fault or (verb in _READS and reply.status != _OK):
        return 0.0  # what it asks for, a version that there is not yet say, is waited for a while
    return asked.replied_at_s - asked.at_s
