"""The faults that random programs with a Volcano Job have, in their sentences."""

from __future__ import annotations

from batchproof.exploration.troubles import DEATH, KILLED, FaultCatalog, frozen, views

MOST_JOB_ERRORS = 2
"""After more in a row the Job itself may be terminated (VOL-013)."""
_STATUS = "update of the Volcano Job status"
_MADE = ("pod creation", "PodGroup creation")
_GONE = ("pod deletion", "PodGroup deletion")
_SEEN = ("pods", "jobs", "podgroups", "commands")
FAULTS = FaultCatalog(
    {
        "status writes fail": {
            **{f"the next {_STATUS} is answered with {code}": 1 for code in (409, 500, 503)},
            f"the 2nd {_STATUS} is answered with 500": 1,
            f"the 3rd {_STATUS} is answered with 500": 1,
        },
        "requests fail": {
            **{
                f"the next {what} is answered with {code}": 1
                for what in (*_MADE, *_GONE)
                for code in (500, 503)
            },
            **{f"the 2nd {what} is answered with 500": 1 for what in ("pod creation", "pod deletion")},
            "the next update of the PodGroup is answered with 500": 1,
        },
        "Commands stay": {
            **{f"the next Command deletion is answered with {code}": 0 for code in (500, 503)},
            "the next 2 Command deletions are answered with 500": 0,
        },
        "replies are lost": {
            **{f"the next {what} is applied but its reply is lost": 1 for what in (*_MADE, *_GONE)},
            # The next write comes from an old Job.
            f"the next {_STATUS} is applied but its reply is lost": 2,
        },
        "requests are slow": {
            "pod creations take 0.5 seconds each": 0,
            "pod deletions take 0.5 seconds each": 0,
            f"the next {_STATUS} takes 1 seconds": 0,
        },
        **views(*_SEEN),
    },
    {KILLED: DEATH, **{f"view of {what}": frozen(what) for what in _SEEN}},
)
# A controller that observes its Job late writes the status of an old one, which is rejected.
FAULTS.errors |= {words: 1 for words in (*FAULTS.words, "view of jobs") if "jobs" in words}
