"""Facts about how everything ends: that nothing is left to be done, and that another play ended so too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.ending import differences, ending, lacks_pods, unrest
from batchproof.judgement.facts import Finding, fact, found

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed


@fact("all Jobs are at rest", within="recovery")
def at_rest(seen: Observed) -> Finding:
    """Each Job has ended, is suspended, or has as many active pods as it wants, and all is counted."""
    why = unrest(seen)
    return found(not why, observed=why or "all at rest", awaits_pods=lacks_pods(seen))


@fact("the Jobs end as they do without faults", within="recovery", beside=("end",))
def ends_as(seen: Observed, *, end: dict[str, str]) -> Finding:
    """All Jobs are at rest, and what was determined in the play without faults is the same.

    Args:
        seen: what was observed.
        end: what was determined there (see ``ending``).
    """
    why = unrest(seen)
    now = {} if why else ending(seen)
    differs = "" if why else differences(end, now)
    return found(
        not why and not differs,
        expected="; ".join(f"{what} is {how}" for what, how in end.items()) + ", as without faults",
        observed=why or differs or "the same",
        decisive=[job.record for job in seen.jobs if differs],
        awaits_pods=bool(why) and lacks_pods(seen),
    )
