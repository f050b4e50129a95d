"""Facts about how everything ends: that nothing is left to be done, and that another play ended so too."""

from __future__ import annotations

from batchproof.judgement.ends import compared, differences, ending, lacks_pods, unrest
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.observed import Observed


@fact("everything is at rest", within="recovery")
def at_rest(seen: Observed) -> Finding:
    """Nothing is left to do for any object that the implementation reconciles (see ``ends``)."""
    why = unrest(seen)
    return found(not why, observed=why or "all at rest", awaits_pods=lacks_pods(seen))


@fact("everything ends as it does without faults", within="recovery", beside=("end",))
def ends_as(seen: Observed, *, end: dict[str, str]) -> Finding:
    """Everything is at rest, and what was determined in the play without faults is the same.

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
        decisive=[it.record for it in compared(seen)] if differs else [],
        awaits_pods=bool(why) and lacks_pods(seen),
    )
