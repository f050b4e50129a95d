"""What happens to a Volcano Job at random: the actions of users, pods and faults, in their sentences."""

from __future__ import annotations

from itertools import product

from batchproof.exploration.program import Action
from batchproof.exploration.troubles import (
    DEATH,
    KILLED,
    RESTART,
    UNBLOCK,
    by_words,
    crashes,
    errors_of,
    frozen,
    views,
)
from batchproof.exploration.volcano_policies import POLICIES, PS, TASK_COMPLETED, WORKER

MOST_PODS = 4
"""Of one task."""

CREATES = tuple(
    Action("create", (ps, workers, spared, tries, enough), words)
    for words, policies in POLICIES.items()
    for ps, workers, spared, tries, enough in product((0, 1), (1, 2, 3, 4), (0, 1), (0, 1, 2), (0, 1, 2))
    if spared < workers
    and not (spared and enough)
    and enough <= ps + workers
    and not (enough and any(one.speaks_of([TASK_COMPLETED]) for one in policies))
    and (policies or not tries)
)
"""The pods of each task, how many Workers need not succeed, maxRetry and minSuccess (0: nothing is said)."""
CODES = {"fail": 1, "break": 3}
FATES = tuple(
    Action(kind, (number,), task)
    for kind, numbers in (("succeed", (1, 2)), ("fail", (1, 2)), ("break", (1,)), ("evict", (1,)))
    for number in numbers
    for task in (PS, WORKER)
)
"""What becomes of so many pods of a task."""
COMMANDS = ("AbortJob", "ResumeJob", "TerminateJob", "CompleteJob", "RestartJob")
_ENDING = ("TerminateJob", "CompleteJob")
USERS = (
    *(Action("command", words=action) for action in COMMANDS),
    *(Action("scale", (count,), task) for task in (PS, WORKER) for count in range(1, MOST_PODS + 1)),
    Action("wipe"),
    Action("hold"),
    Action("remove"),
)
_STATUS = "update of the Volcano Job status"
_MADE = ("pod creation", "PodGroup creation")
_GONE = ("pod deletion", "PodGroup deletion")
_STRUCK = {
    "status writes fail": {
        **{f"the next {_STATUS} is answered with {code}": 1 for code in (409, 500, 503)},
        f"the 2nd {_STATUS} is answered with 500": 1,
        f"the 3rd {_STATUS} is answered with 500": 1,
    },
    "requests fail": {
        **{f"the next {what} is answered with {code}": 1 for what in (*_MADE, *_GONE) for code in (500, 503)},
        **{f"the 2nd {what} is answered with 500": 1 for what in ("pod creation", "pod deletion")},
        "the next update of the PodGroup is answered with 500": 1,
    },
    "Commands stay": {
        **{f"the next Command deletion is answered with {code}": 0 for code in (500, 503)},
        "the next 2 Command deletions are answered with 500": 0,
    },
    "replies are lost": {
        **{f"the next {what} is carried out but its reply is lost": 1 for what in (*_MADE, *_GONE)},
        f"the next {_STATUS} is carried out but its reply is lost": 2,  # the next one comes from an old Job
    },
    "requests are slow": {
        "pod creations take 0.5 seconds each": 0,
        "pod deletions take 0.5 seconds each": 0,
        f"the next {_STATUS} takes 1 seconds": 0,
    },
}
_SEEN = ("pods", "jobs", "podgroups", "commands")
_FAULTS = by_words(_STRUCK | views(*_SEEN))
_OF_JOBS = [words for words in (*_FAULTS, "view of jobs") if "jobs" in words]
FAULTS = tuple(Action("fault", words=words) for words in _FAULTS)
BLOCKS = {KILLED: DEATH, **{f"view of {what}": frozen(what) for what in _SEEN}}
ERRORS = errors_of(_FAULTS, BLOCKS) | dict.fromkeys(_OF_JOBS, 1)
"""Who sees its Job late writes the status of an old one, which is refused."""
EPILOGUES = tuple(
    Action("epilogue", words=text)
    for text in (
        "the implementation is killed and started again",
        "the user commands RestartJob",
        "the user commands ResumeJob",
        f"the user changes task {WORKER} to {MOST_PODS + 1} pods",
    )
)
"""What happens to a Job that has ended, and must not wake it up."""

GOING_ON = (
    Action("admit"),
    *FATES,
    *USERS,
    *FAULTS,
    RESTART,
    *crashes(10),
    *(Action("block", words=name) for name in BLOCKS),
    UNBLOCK,
    *EPILOGUES,
)
"""What may happen to a Job that there is, where it is possible."""
MAKING = (*CREATES, *(one for one in FAULTS if "creation" in one.words))
"""What may happen while there is none."""
_LIKE = {"break": "fail", "wipe": "evict"}
"""The themes of what is rarely possible."""
_POLITIC = "create with policies"
_ALWAYS = ("create", _POLITIC, "admit", "succeed", "fail", "evict", "ResumeJob", "unblock")


def theme(action: Action) -> str:
    """What a program is about in which this happens; what may happen in each has its kind for a theme."""
    match action.kind:
        case "fault":
            return _FAULTS[action.words][0]
        case "block":
            return "a view is frozen" if action.words.startswith("view") else action.words
        case "command":
            return "an end is commanded" if action.words in _ENDING else action.words
        case "create":
            return _POLITIC if action.words else "create"
        case kind:
            return _LIKE.get(kind, kind)


THEMES = tuple(sorted({theme(one) for one in (*MAKING, *GOING_ON)}.difference(_ALWAYS)))
"""What not every program is about."""
