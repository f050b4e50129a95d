"""What holds of every implementation, of whatever profile: how its processes behave.

Each profile has a requirement of its own that says so, and registers the rule under its id.
"""

from __future__ import annotations

from batchproof.judgement.elected import Leading
from batchproof.judgement.finding import Finding
from batchproof.judgement.history import EXITED
from batchproof.judgement.invariants.rule import against, requirements_of
from batchproof.judgement.observed import Observed


def goes_on_until_killed(seen: Observed) -> Finding | None:
    """ROB-038 and its like: only the harness ends the implementation.

    But a replica that has lost its Lease, or cannot renew it, has to stop, and may do so by ending (ROB-004).
    """
    for number, process in seen.processes:
        if process.what.startswith(EXITED) and not _lost_its_lease(seen, process.instance, seen.at_s(number)):
            observed = " | ".join(line.strip() for line in process.what.splitlines() if line.strip())
            return against(
                number, expected="no process of the implementation ends by itself", observed=observed
            )
    return None


def _lost_its_lease(seen: Observed, instance: int, at_s: float) -> bool:
    leading = seen.calls.fold(Leading)
    held = leading.renewed.get(instance)
    return held is not None and at_s >= held.at_s + held.duration_s / 2


def exits() -> frozenset[str]:
    """The requirements, one a profile, by which no process of the implementation ends by itself."""
    return requirements_of(goes_on_until_killed)
