"""What happens to gangs at random: the actions of users, nodes, pods and faults, in their sentences.

Every pod asks for one CPU. So what fits is counted, and no placement has to be found for it.
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

GANGS = "abc"
_BINDING = "pod binding"
NODES = tuple(Action("nodes", (count, cpus)) for count, cpus in product((1, 2, 3), (1, 2, 3, 4)))
MOST_PODS = 6
"""How many pods a gang may have before more are added to it."""
_SIZES = tuple(
    (minimum, pods)
    for minimum in (1, 2, 3, 5)
    for pods in sorted({minimum - 1, minimum, minimum + 1, 2 * minimum})
    if 0 < pods <= MOST_PODS
)
"""Minima, each with one pod too few, just enough, one more, and twice as many."""
MANY = 4
"""As many pods are many: they are bound in several requests at once."""
MADE = tuple(Action("gang", size) for size in _SIZES)
ORPHANED = tuple(Action("orphans", (minimum, pods)) for minimum, pods in _SIZES if pods >= minimum > 1)
"""Nobody knows the minimum of a group that does not exist: how many pods are missing cannot be said."""
OF_GANGS = tuple(
    Action(kind, (number,), gang)
    for gang in GANGS
    for kind, numbers in (
        ("add", (1, 2, 3)),
        ("end", (0,)),
        ("succeed", (1, 2)),
        ("fail", (1,)),
        ("make", (0,)),
        ("lower", (1, 2, 3)),
    )
    for number in numbers
)
BESIDES = (
    Action("single"),
    Action("single ends"),
    *(Action("join", (cpus,)) for cpus in (1, 2, 4)),
)
_STRUCK = {
    "bindings fail": {
        **{f"the next {_BINDING} is answered with {code}": 1 for code in (409, 500, 504)},
        f"the next 2 {_BINDING}s are answered with 500": 2,
    },
    "later bindings fail": {
        f"the {nth} {_BINDING} is answered with {code}": 1
        for nth in ("2nd", "3rd")
        for code in (409, 500, 504)
    },
    "replies are lost": {
        f"the {which} {_BINDING} is carried out but its reply is lost": 1 for which in ("next", "2nd")
    },
    "bindings are slow": {f"{_BINDING}s take 0.5 seconds each": 0, f"the next {_BINDING} takes 1 seconds": 0},
}
_FAULTS = by_words(_STRUCK | views("pods"))
FAULTS = tuple(Action("fault", words=words) for words in _FAULTS)
BLOCKS = {
    KILLED: DEATH,
    "view of pods": frozen("pods"),
    f"{_BINDING}s answered with 500": Block(f"{_BINDING}s are answered with 500", errors=3),
    f"{_BINDING}s {HELD}": Block(f"{_BINDING}s are {HELD}", errors=1),
}
ERRORS = errors_of(_FAULTS, BLOCKS)
CAPABILITIES = {"lower": "ChangeableMinimum", "orphans": "GroupObjects", "make": "GroupObjects"}
"""The capability that an action needs, by its kind."""

ALL = (
    *NODES,
    *MADE,
    *ORPHANED,
    *OF_GANGS,
    *BESIDES,
    *FAULTS,
    RESTART,
    *crashes(6),
    *(Action("block", words=name) for name in BLOCKS),
    UNBLOCK,
)
"""What may happen, where it is possible."""
_ALWAYS = ("nodes", "gang", "add", "end", "succeed", "make", "unblock")


def theme(action: Action) -> str:
    """What a program is about in which this happens; what may happen in each has its kind for a theme."""
    match action.kind:
        case "fault":
            return _FAULTS[action.words][0]
        case "block":
            return action.words
        case "single ends":  # it takes one that was created
            return "single"
        case kind:
            return kind


THEMES = tuple(sorted({theme(one) for one in ALL}.difference(_ALWAYS)))
"""What not every program is about."""
