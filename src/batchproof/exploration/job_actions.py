"""What happens to a Job at random: the actions of its users, its pods and its faults, in their sentences.

Only what is legal happens: what a real API server, kubelet or user does (docs/faults.md).
"""

from __future__ import annotations

from itertools import product

from batchproof.exploration.program import Action
from batchproof.exploration.troubles import (
    DEATH,
    HELD,
    KILLED,
    RESTART,
    UNBLOCK,
    Block,
    by_words,
    crashes,
    errors_of,
    frozen,
    views,
)

KINDS = ("Job", "Indexed", "work-queue")
_STATUS, _POD = "update of the Job status", "update of a pod"
_CREATION, _DELETION = "pod creation", "pod deletion"

CREATES = tuple(
    Action("create", (completions if kind != "work-queue" else 0, parallelism, limit), kind)
    for kind, completions, parallelism, limit in product(
        KINDS, (1, 2, 3, 4, 8), (1, 2, 4, 7), (0, 1, 2, 3, 6)
    )
)
FATES = tuple(Action(kind, (number,)) for kind in ("succeed", "fail", "run") for number in (1, 2, 3, 4))
SPEC = tuple(
    Action(kind, (number,))
    for kind, numbers in (("parallelism", range(6)), ("backoffLimit", range(4)))
    for number in numbers
)
PROPAGATION = ("background", "foreground")
USERS = (
    *(Action(kind) for kind in ("suspend", "resume", "label", "delete", "clear", "lose", "hold")),
    *(Action("remove", words=policy) for policy in PROPAGATION),
)

_STRUCK = {
    "status writes fail": {
        **{f"the next {_STATUS} is answered with {code}": 1 for code in (409, 500, 503)},
        **{f"the next {number} updates of the Job status are answered with 500": number for number in (2, 3)},
    },
    "later status writes fail": {
        # It strikes between others that fail: beside two of those, or its like, too many fail in a row.
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
        f"the next {what} is carried out but its reply is lost": 1 for what in (_STATUS, _POD, _DELETION)
    },
    "requests are slow": {f"the next {what} takes 0.5 seconds": 0 for what in (_STATUS, _POD, _CREATION)},
}
CREATION_LOST = f"the next {_CREATION} is carried out but its reply is lost"
_CREATION_STRUCK = {
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
CREATION_FAULTS = frozenset(words for them in _CREATION_STRUCK.values() for words in them)
_FAULTS = by_words(_STRUCK | _CREATION_STRUCK | views("pods", "jobs"))
FAULTS = tuple(Action("fault", words=words) for words in _FAULTS)
CRASHES = crashes(12)


BLOCKS = {
    KILLED: DEATH,
    **{f"view of {what}": frozen(what) for what in ("pods", "jobs")},
    **{
        f"{what} {how}": Block(f"{what} are {how}", errors=errors)
        for what in ("updates of the Job status", "updates of pods")
        for how, errors in (("answered with 500", 3), (HELD, 1), ("carried out but not answered", 1))
    },
    "creations": Block("pod creations are answered with 500", errors=3),
}
ERRORS = errors_of(_FAULTS, BLOCKS)
BLOCKING = tuple(Action("block", words=name) for name in BLOCKS)
EPILOGUES = tuple(
    Action("epilogue", words=text)
    for text in (
        "the implementation is killed and started again",
        "the user deletes the pods of the Job",
        "the Job is changed to parallelism 5",
        "another client labels the Job",
    )
)
"""What happens to a Job that has ended, and must not wake it up."""

MAKING = (*CREATES, *FAULTS)
"""What may happen while there is no Job."""
ENDING = (*FAULTS, RESTART, *CRASHES, *BLOCKING, UNBLOCK, *EPILOGUES)
"""What may happen while a Job comes to its end, and changes nothing of that."""
GOING_ON = (*FATES, *SPEC, *USERS, *ENDING)

_ALWAYS = ("create", "succeed", "fail", "unblock", "resume")
_FROZEN = "a view is frozen"


def theme(action: Action) -> str:
    """What a program is about in which this happens; what may happen in each has its kind for a theme."""
    match action.kind:
        case "fault":
            return _FAULTS[action.words][0]
        case "block":
            return _FROZEN if action.words.startswith("view") else action.words
        case "parallelism":
            return "no pods" if action.numbers == (0,) else "parallelism"
        case "remove":
            return f"{action.words} deletion"
        case kind:
            return kind


THEMES = tuple(sorted({theme(one) for one in (*MAKING, *GOING_ON)}.difference(_ALWAYS)))
"""What not every program is about."""
