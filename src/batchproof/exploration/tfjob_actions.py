"""What happens to a TFJob at random: the actions of users, pods and faults, in their sentences."""

from __future__ import annotations

from itertools import product

from batchproof.exploration.program import Action
from batchproof.exploration.troubles import (
    DEATH,
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

CHIEF, PS, WORKER = "Chief", "PS", "Worker"
TYPES = (CHIEF, PS, WORKER)
NEVER, BY_EXIT_CODE, ON_FAILURE = "Never", "ExitCode", "OnFailure"
ALL_WORKERS = "AllWorkers"
MOST_REPLICAS = 4
"""Of one type."""

CREATES = tuple(
    Action("create", counts, " ".join(words))
    for counts in product((0, 1), (0, 1, 2), (1, 2, 3))
    for words in product(
        (NEVER, BY_EXIT_CODE, ON_FAILURE), ("None", "Running", "All"), ("Worker0", ALL_WORKERS)
    )
    if not (counts[0] and words[2] == ALL_WORKERS)
)
"""So many of each type; the restartPolicy, the cleanPodPolicy, and whose success counts without a Chief."""
EXIT_CODES = {"break": 1, "signal": 137}
FATES = tuple(
    Action(kind, (index,), of)
    for kind in ("succeed", *EXIT_CODES, "vanish")
    for of in TYPES
    for index in range(MOST_REPLICAS)
    if not (of == PS and kind == "succeed")
)
"""What becomes of the pod of a replica. What it means that a PS succeeds is said nowhere."""
USERS = (
    *(Action("scale", (count,)) for count in range(1, MOST_REPLICAS + 1)),
    Action("suspend"),
    Action("resume"),
    Action("annotate"),
)
_STATUS = "update of the TFJob status"
_MADE = ("pod creation", "service creation")
_STRUCK = {
    "status writes fail": {
        **{f"the next {_STATUS} is answered with {code}": 1 for code in (409, 500, 503)},
        "the next 2 updates of the TFJob status are answered with 500": 2,
    },
    "later status writes fail": {f"the {nth} {_STATUS} is answered with 500": 1 for nth in ("2nd", "3rd")},
    "creations fail": {
        **{f"the next {what} is answered with {code}": 1 for what in _MADE for code in (500, 503)},
        **{f"the 2nd {what} is answered with 500": 1 for what in _MADE},
    },
    "deletions fail": {f"the next pod deletion is answered with {code}": 1 for code in (500, 503)},
    "replies are lost": {
        f"the next {what} is carried out but its reply is lost": 1
        for what in (*_MADE, "pod deletion", _STATUS)
    },
    "requests are slow": {
        "pod creations take 0.5 seconds each": 0,
        "service creations take 0.5 seconds each": 0,
        f"the next {_STATUS} takes 1 seconds": 0,
    },
}
_SEEN = ("pods", "services", "tfjobs")
_FAULTS = by_words(_STRUCK | views(*_SEEN))
FAULTS = tuple(Action("fault", words=words) for words in _FAULTS)
BLOCKS = {
    KILLED: DEATH,
    **{f"view of {what}": frozen(what) for what in _SEEN},
    "status writes": Block("updates of the TFJob status are answered with 500", errors=3),
}
ERRORS = errors_of(_FAULTS, BLOCKS)
EPILOGUES = tuple(
    Action("epilogue", words=text)
    for text in ("the implementation is killed and started again", "the user annotates the TFJob")
)
"""What happens to a TFJob that has ended, and must not wake it up."""

ALL = (
    *CREATES,
    *FATES,
    *USERS,
    *FAULTS,
    RESTART,
    *crashes(8),
    *(Action("block", words=name) for name in BLOCKS),
    UNBLOCK,
    *EPILOGUES,
)
"""What may happen, where it is possible."""
_ALWAYS = ("create", "succeed", "unblock", "resume")


def theme(action: Action) -> str:
    """What a program is about in which this happens; what may happen in each has its kind for a theme."""
    match action.kind:
        case "fault":
            return _FAULTS[action.words][0]
        case "block":
            return "a view is frozen" if action.words.startswith("view") else action.words
        case kind:
            return kind


THEMES = tuple(sorted({theme(one) for one in ALL}.difference(_ALWAYS)))
"""What not every program is about."""
