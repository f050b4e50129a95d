"""The model of a TFJob: what is possible, what is waited for, and how it has to end."""

from __future__ import annotations

import pytest

from batchproof.exploration.program import ModelAction, Program, script
from batchproof.profiles.tfjob.model.rules import begin
from batchproof.specification.registry import load_registry

BEGIN = begin(frozenset({"Suspension"}))
REQUIREMENTS = load_registry().keys()


def create(*counts: int, words: str = "Never None Worker0") -> ModelAction:
    return ModelAction("create", counts, words)


def fate(kind: str, index: int = 0, of: str = "Worker") -> ModelAction:
    return ModelAction(kind, (index,), of)


PLAIN = create(0, 1, 2)
RETRIED = create(0, 1, 2, words="ExitCode Running Worker0")
ALL = create(0, 0, 2, words="Never All AllWorkers")
CHIEF = create(1, 0, 2)
FROZEN, KILLED, UNBLOCK = (
    ModelAction("block", words="view of pods"),
    ModelAction("block", words="killed"),
    ModelAction("unblock"),
)
SUSPEND, RESUME, TO_ONE = ModelAction("suspend"), ModelAction("resume"), ModelAction("scale", (1,))


def said(*actions: ModelAction) -> list[str]:
    """The sentences of a program, to its end."""
    return [it.text for it in script(BEGIN, Program(actions)).sentences]


@pytest.mark.parametrize(
    ("actions", "end", "by", "left"),
    [
        ((), "Succeeded", "TFJ-035", 1),
        ((PLAIN,), "Succeeded", "TFJ-035", 3),
        ((PLAIN, fate("break", of="PS")), "Failed", "TFJ-026", 3),
        ((RETRIED, fate("signal", 1)), "Succeeded", "TFJ-035", 1),
        ((RETRIED, fate("succeed", 1), fate("break")), "Failed", "TFJ-023", 2),
        ((ALL, fate("succeed")), "Succeeded", "TFJ-035", 0),
        ((CHIEF, fate("succeed"), fate("succeed", 1)), "Succeeded", "TFJ-034", 3),
        ((PLAIN, TO_ONE), "Succeeded", "TFJ-035", 2),
        ((PLAIN, SUSPEND), "Succeeded", "TFJ-035", 3),
        ((PLAIN, FROZEN, fate("break", 1)), "Failed", "TFJ-026", 3),
    ],
)
def test_the_end_is_the_one_that_the_replicas_leave(
    actions: tuple[ModelAction, ...], end: str, by: str, left: int
) -> None:
    sentences = [(it.text, it.judges) for it in script(BEGIN, Program(actions)).sentences]
    pods = f"{left} pod{'' if left == 1 else 's'}"

    at = sentences.index((f"eventually the TFJob is {end}", by))
    assert sentences[at + 1] == (f"eventually the TFJob has {pods} and as many services", "TFJ-038")


@pytest.mark.parametrize(
    ("before", "action", "possible"),
    [
        ((PLAIN,), fate("succeed", 1), True),
        ((PLAIN,), fate("succeed", 2), False),  # there is no such Worker
        ((PLAIN,), fate("succeed", of="PS"), False),  # no document says what that means
        ((PLAIN, fate("succeed", 1)), fate("break", 1), False),  # it has ended
        ((PLAIN, fate("succeed")), fate("break", 1), False),  # the TFJob has
        ((PLAIN,), fate("vanish"), True),
        ((PLAIN, fate("succeed", 1)), fate("vanish"), False),  # it runs, and is never restarted
        ((PLAIN, FROZEN), TO_ONE, True),
        ((PLAIN, FROZEN, TO_ONE), SUSPEND, False),  # one change in a block
        ((PLAIN, FROZEN, TO_ONE), fate("succeed"), False),
        ((PLAIN, FROZEN, fate("succeed", 1)), TO_ONE, False),
        ((RETRIED, FROZEN, fate("signal", 1)), fate("break"), False),  # which of them is seen first?
        ((PLAIN, fate("succeed", 1)), TO_ONE, False),  # which Worker would go?
        ((PLAIN, fate("succeed", 1)), SUSPEND, False),  # is its success forgotten?
        ((PLAIN,), RESUME, False),
        ((PLAIN, SUSPEND), RESUME, True),
        ((PLAIN, SUSPEND), fate("succeed"), False),
        ((PLAIN,), UNBLOCK, False),
    ],
)
def test_only_what_leaves_one_end_is_possible(
    before: tuple[ModelAction, ...], action: ModelAction, possible: bool
) -> None:
    kept = script(BEGIN, Program((*before, action))).program.actions

    assert (kept[len(before) :] == (action,)) == possible


def test_nobody_suspends_who_does_not_declare_it() -> None:
    assert not script(begin(frozenset()), Program((PLAIN, SUSPEND))).program.actions[1:]


def test_pods_are_waited_for_and_run_before_anything_happens_to_one() -> None:
    assert said(PLAIN, fate("break", 1))[1:6] == [
        "eventually the TFJob has one pod for each of its 3 replicas",
        "eventually the TFJob has 3 pods and as many services",
        "its replicas run",
        "eventually the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker",
        "Worker 1 of the TFJob fails with exit code 1",
    ]


def test_a_pod_that_is_replaced_is_waited_for() -> None:
    wanted = "eventually Worker 1 of the TFJob has an active pod"
    assert (wanted, "TFJ-022") in [
        (it.text, it.judges) for it in script(BEGIN, Program((RETRIED, fate("signal", 1)))).sentences
    ]
    texts = said(RETRIED, KILLED, fate("signal", 1))
    assert texts.index("the implementation is started again") < texts.index(wanted)


def test_refused_requests_end_with_a_claim() -> None:
    refused = ModelAction("block", words="status writes")
    assert "once the faults end the TFJob is Failed" in said(PLAIN, refused, fate("break"))
