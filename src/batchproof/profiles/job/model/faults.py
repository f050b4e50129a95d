"""The faults that random programs with a Job have, in their sentences."""

from __future__ import annotations

from batchproof.exploration.troubles import DEATH, HELD, KILLED, Block, FaultCatalog, frozen, views

_STATUS, _POD = "update of the Job status", "update of a pod"
_CREATION, _DELETION = "pod creation", "pod deletion"

CREATION_LOST = f"the next {_CREATION} is applied but its reply is lost"
_OF_CREATIONS = {
    "creations fail": {
        **{f"the next {_CREATION} is answered with {code}": 1 for code in (429, 500, 503)},
        f"the next {_CREATION} is refused because the name is taken": 1,
        CREATION_LOST: 1,
    },
    "creations of a batch fail": {
        f"the next 2 {_CREATION}s are answered with 500": 2,
        f"the 2nd {_CREATION} is answered with 500": 1,
    },
}
CREATION_FAULTS = frozenset(words for them in _OF_CREATIONS.values() for words in them)
FAULTS = FaultCatalog(
    {
        "status writes fail": {
            **{f"the next {_STATUS} is answered with {code}": 1 for code in (409, 500, 503)},
            **{
                f"the next {number} updates of the Job status are answered with 500": number
                for number in (2, 3)
            },
        },
        "later status writes fail": {
            # It is triggered between others that fail: beside two of those too many fail in a row.
            f"every 2nd {_STATUS} is answered with 409": 3,
            f"the 2nd {_STATUS} is answered with 500": 1,
        },
        "pod updates fail": {
            **{f"the next {_POD} is answered with {code}": 1 for code in (500, 503)},
            "the next 2 updates of a pod are answered with 500": 2,
            f"the 2nd {_POD} is answered with 500": 1,
        },
        "deletions fail": {f"the next {_DELETION} is answered with {code}": 1 for code in (500, 503)},
        "replies are lost": {
            f"the next {what} is applied but its reply is lost": 1 for what in (_STATUS, _POD, _DELETION)
        },
        "requests are slow": {f"the next {what} takes 0.5 seconds": 0 for what in (_STATUS, _POD, _CREATION)},
        **_OF_CREATIONS,
        **views("pods", "jobs"),
    },
    {
        KILLED: DEATH,
        **{f"view of {what}": frozen(what) for what in ("pods", "jobs")},
        **{
            f"{what} {how}": Block(f"{what} are {how}", errors=errors)
            for what in ("updates of the Job status", "updates of pods")
            for how, errors in (
                ("answered with 500", 3),
                (HELD, 1),
                ("applied but not answered", 1),
            )
        },
        "creations": Block("pod creations are answered with 500", errors=3),
    },
)
