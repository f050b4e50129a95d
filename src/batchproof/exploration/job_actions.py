"""What happens to a Job at random: the actions of its users, its pods and its faults, in their sentences.

Only what is legal happens: what a real API server, kubelet or user does (docs/faults.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from batchproof.exploration.program import Action

KINDS = ("Job", "Indexed", "work-queue")
_STATUS, _POD = "update of the Job status", "update of a pod"
_CREATION, _DELETION = "pod creation", "pod deletion"

CREATES = tuple(
    Action("create", (completions if kind != "work-queue" else 0, parallelism, limit), kind)
    for kind, completions, parallelism, limit in product(
        KINDS, (1, 2, 3, 4, 6), (1, 2, 3, 4), (0, 1, 2, 3, 6)
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
    **{f"the next {_STATUS} is answered with {code}": 1 for code in (409, 500, 503)},
    **{f"the next {number} updates of the Job status are answered with 500": number for number in (2, 3)},
    f"every 2nd {_STATUS} is answered with 409": 1,
    **{f"the next {what} is answered with {code}": 1 for what in (_POD, _DELETION) for code in (500, 503)},
    "the next 2 updates of a pod are answered with 500": 2,
    **{f"the next {what} is carried out but its reply is lost": 1 for what in (_STATUS, _POD, _DELETION)},
    **{f"the next {what} takes 0.5 seconds": 0 for what in (_STATUS, _POD, _CREATION)},
    **{f"the 2nd {what} is answered with 500": 1 for what in (_STATUS, _POD)},
}
CREATION_LOST = f"the next {_CREATION} is carried out but its reply is lost"
CREATION_FAULTS = {
    **{f"the next {_CREATION} is answered with {code}": 1 for code in (429, 500, 503)},
    f"the next 2 {_CREATION}s are answered with 500": 2,
    f"the 2nd {_CREATION} is answered with 500": 1,
    f"the next {_CREATION} is refused because the name is taken": 1,
    CREATION_LOST: 1,
}
_VIEWS = (
    *(
        f"the server ends the watches of {what}{gone}"
        for what in ("pods", "jobs")
        for gone in ("", " with 410")
    ),
    *(f"{what} are seen {late} seconds late" for what in ("pods", "jobs") for late in ("0.3", "1")),
)
FAULTS = tuple(Action("fault", words=text) for text in (*_STRUCK, *CREATION_FAULTS, *_VIEWS))
RESTART = Action("restart")
CRASHES = tuple(
    Action("crash", (number,), moment) for number in range(1, 13) for moment in ("before", "after")
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fault that keeps the implementation from going on until it is taken away.

    Attributes:
        begins: the sentence that puts it in force.
        ends: the sentence that takes it away; empty: ``once the faults end``, which begins a claim.
        errors: about how many errors it means for the implementation.
    """

    begins: str
    ends: str = ""
    errors: int = 0


KILLED = "killed"
HELD = "held before taking effect"
BLOCKS = {
    KILLED: Block("the implementation is killed", "the implementation is started again"),
    **{
        f"view of {what}": Block(
            f"the implementation's view of {what} is frozen", f"the view of {what} catches up"
        )
        for what in ("pods", "jobs")
    },
    **{
        f"{what} {how}": Block(f"{what} are {how}", errors=errors)
        for what in ("updates of the Job status", "updates of pods")
        for how, errors in (("answered with 500", 3), (HELD, 1), ("carried out but not answered", 1))
    },
    "creations": Block("pod creations are answered with 500", errors=3),
}
ERRORS = {**_STRUCK, **CREATION_FAULTS, **{name: block.errors for name, block in BLOCKS.items()}}
"""How many errors a fault means for the implementation, which waits for longer after each of them."""
BLOCKING = tuple(Action("block", words=name) for name in BLOCKS)
UNBLOCK = Action("unblock")
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
