"""The model of a Volcano Job: what is possible, what is waited for, and how it has to end."""

from __future__ import annotations

import pytest

from batchproof.exploration.program import ModelAction, Program, script
from batchproof.profiles.volcano_job.model.rules import begin

BEGIN = begin(frozenset())


def create(ps: int, workers: int, *settings: int, policies: str = "") -> ModelAction:
    """A Job; the settings are spared Workers, maxRetry and minSuccess."""
    return ModelAction("create", (ps, workers, *settings, *(0,) * (3 - len(settings))), policies)


def fate(kind: str, task: str = "worker", number: int = 1) -> ModelAction:
    return ModelAction(kind, (number,), task)


def command(action: str) -> ModelAction:
    return ModelAction("command", words=action)


def scale(count: int, task: str = "worker") -> ModelAction:
    return ModelAction("scale", (count,), task)


ADMIT, WIPE, HOLD, REMOVE = (
    ModelAction("admit"),
    ModelAction("wipe"),
    ModelAction("hold"),
    ModelAction("remove"),
)
RESTART, CRASH = ModelAction("restart"), ModelAction("crash", (1,), "after")
FROZEN, KILLED, UNBLOCK = (
    ModelAction("block", words="view of pods"),
    ModelAction("block", words="killed"),
    ModelAction("unblock"),
)
RESUMED = (command("AbortJob"), command("ResumeJob"))
PLAIN = create(0, 2)
SPARED = create(1, 2, 1)
ENOUGH = create(0, 3, 0, 0, 2)
RETRIED = create(0, 2, policies="the policy PodFailed RestartJob")
LAST = create(0, 2, 0, 1, policies="the policy PodFailed RestartJob")
EVICTED = create(0, 2, policies="the policy PodEvicted AbortJob")
OF_TASK = create(1, 2, policies="the policy PodFailed RestartJob and the policy 3 AbortJob of task worker")
COMPLETING = create(1, 2, policies="the policy TaskCompleted CompleteJob of task worker")
TASK_ANEW = create(1, 2, policies="the policy PodFailed RestartTask of task worker")


def told(*actions: ModelAction) -> list[tuple[str, str]]:
    """The sentences of a program to its end, with what they judge."""
    return [(it.text, it.judges) for it in script(BEGIN, Program(actions)).sentences]


def said(*actions: ModelAction) -> list[str]:
    return [text for text, _ in told(*actions)]


@pytest.mark.parametrize(
    ("actions", "end", "by"),
    [
        ((), "Completed", "VOL-016"),
        ((PLAIN, ADMIT, fate("fail")), "Failed", "VOL-016"),
        ((SPARED, ADMIT, fate("fail")), "Completed", "VOL-016"),
        ((SPARED, ADMIT, fate("fail", "ps")), "Failed", "VOL-016"),
        ((ENOUGH, ADMIT, fate("fail"), fate("succeed", number=2)), "Completed", "VOL-017"),
        ((ENOUGH, ADMIT, fate("fail", number=2)), "Failed", "VOL-017"),
        ((RETRIED, ADMIT, fate("fail")), "Completed", "VOL-016"),
        ((LAST, ADMIT, fate("fail")), "Failed", "VOL-019"),
        ((EVICTED, ADMIT, fate("evict")), "Aborted", "VOL-028"),
        ((OF_TASK, ADMIT, fate("break")), "Aborted", "VOL-029"),
        ((COMPLETING, ADMIT, fate("succeed", number=1), fate("succeed")), "Completed", "VOL-029"),
        ((PLAIN, command("AbortJob")), "Aborted", "VOL-021"),
        ((PLAIN, command("AbortJob"), command("ResumeJob")), "Completed", "VOL-016"),
        ((PLAIN, ADMIT, command("TerminateJob")), "Terminated", "VOL-023"),
        ((PLAIN, *(command("RestartJob"),) * 3), "Failed", "VOL-019"),
        ((LAST, ADMIT, *RESUMED, fate("fail")), "Failed", "VOL-019"),
    ],
)
def test_the_end_is_the_one_that_pods_and_users_leave(
    actions: tuple[ModelAction, ...], end: str, by: str
) -> None:
    ends = [it for it in told(*actions) if it[0].startswith("eventually the Volcano Job is ")]

    assert ends[-1] == (f"eventually the Volcano Job is {end}", by)


def test_what_has_ended_is_kept_when_the_job_is_left() -> None:
    assert told(PLAIN, ADMIT, fate("succeed"), command("AbortJob"))[-4:] == [
        ("eventually the Volcano Job keeps 1 pod that has succeeded", "VOL-021"),
        ("eventually the Volcano Job keeps 0 pods that have failed", "VOL-021"),
        ("eventually the Volcano Job has 0 unfinished pods", "VOL-021"),
        ("eventually the PodGroup of the Volcano Job is gone", "VOL-021"),
    ]


@pytest.mark.parametrize(
    ("before", "action", "possible"),
    [
        ((PLAIN,), fate("succeed"), False),  # its PodGroup is not let in
        ((PLAIN, ADMIT), fate("succeed", number=2), True),
        ((PLAIN, ADMIT), fate("succeed", "ps"), False),  # there is no such task
        ((PLAIN, ADMIT, fate("succeed")), fate("fail", number=2), False),  # one has ended
        ((RETRIED, ADMIT), fate("fail", number=2), False),  # is the second deleted before it ends?
        ((ENOUGH, ADMIT, fate("succeed")), fate("succeed", number=2), False),  # likewise
        ((RETRIED, ADMIT, FROZEN), fate("fail"), True),
        ((RETRIED, ADMIT, FROZEN, fate("fail")), fate("succeed"), False),  # is it seen before?
        ((RETRIED, ADMIT, FROZEN, fate("succeed")), fate("fail"), False),  # Failed, or restarted?
        ((RETRIED, ADMIT, fate("succeed")), fate("fail"), True),
        ((TASK_ANEW, ADMIT), fate("fail"), True),
        ((TASK_ANEW, ADMIT, fate("succeed")), fate("fail"), False),  # is what has succeeded run again?
        ((EVICTED, ADMIT), fate("evict"), True),
        ((EVICTED, ADMIT, FROZEN), fate("evict"), False),  # it may never be observed
        ((EVICTED, ADMIT, HOLD), fate("evict"), False),  # is it deleted already?
        ((EVICTED, ADMIT, CRASH), fate("evict"), False),
        ((RETRIED, ADMIT), fate("evict"), False),  # has it failed?
        ((PLAIN, ADMIT, FROZEN), fate("evict"), True),
        ((PLAIN,), scale(4), True),
        ((PLAIN,), scale(2), False),  # it has so many
        ((PLAIN, ADMIT, fate("succeed")), scale(4), False),  # does what has ended stay?
        ((EVICTED,), scale(1), False),  # is the pod evicted?
        ((EVICTED,), scale(3), True),
        ((PLAIN, KILLED), scale(1), True),
        ((PLAIN, ADMIT, FROZEN, fate("succeed")), command("AbortJob"), False),  # does it look as if it ran?
        ((PLAIN, ADMIT, FROZEN, command("AbortJob")), fate("succeed"), False),
        ((PLAIN, KILLED, command("AbortJob")), RESTART, False),  # a Command may be forgotten
        ((PLAIN, CRASH), command("AbortJob"), False),
        ((PLAIN,), command("ResumeJob"), False),
        ((PLAIN, command("AbortJob")), command("RestartJob"), False),
        ((LAST, command("AbortJob")), command("ResumeJob"), True),
        ((PLAIN, *RESUMED), command("RestartJob"), True),
        ((PLAIN, *RESUMED, *RESUMED), command("RestartJob"), False),  # Failed, or Pending?
        ((RETRIED, ADMIT, *RESUMED, *RESUMED), fate("fail"), False),  # likewise
        ((PLAIN, command("AbortJob")), REMOVE, True),
        ((PLAIN, REMOVE), command("AbortJob"), False),
        ((PLAIN, ADMIT), WIPE, False),  # none has succeeded
        ((PLAIN, ADMIT, fate("succeed")), WIPE, True),
        ((SPARED, ADMIT, fate("succeed", "ps"), fate("succeed")), WIPE, False),  # of which task?
        ((EVICTED, ADMIT, fate("succeed")), WIPE, False),  # is it evicted?
        ((PLAIN,), UNBLOCK, False),
    ],
)
def test_only_what_leaves_one_end_is_possible(
    before: tuple[ModelAction, ...], action: ModelAction, possible: bool
) -> None:
    kept = script(BEGIN, Program((*before, action))).program.actions

    assert kept[: len(before)] == before
    assert (kept[len(before) :] == (action,)) == possible


@pytest.mark.parametrize(
    "create",
    [
        create(0, 2, 2),  # none must succeed
        create(0, 2, 1, 0, 1),  # two ways to say how many must
        create(0, 2, 0, 0, 3),  # more than there are
        create(0, 2, 0, 0, 1, policies="the policy TaskCompleted AbortJob"),  # Completed, or Aborted?
        create(0, 2, policies="the policy PodFailed NoSuchAction"),
    ],
)
def test_no_job_is_made_that_could_end_in_two_ways(create: ModelAction) -> None:
    assert not BEGIN.allows(create)


def test_pods_run_and_are_counted_before_a_command() -> None:
    texts = said(PLAIN, ADMIT, fate("succeed"), command("AbortJob"))

    assert texts[1:11] == [
        "eventually a PodGroup of the Volcano Job needs 2 pods in its queue",
        "the scheduler admits every PodGroup",
        "eventually the Volcano Job has 2 pods",
        "2 pods of the Volcano Job run",
        "eventually the Volcano Job is Running",
        "eventually the Volcano Job reports running 2",
        "1 pod of its task worker succeeds",
        "eventually the Volcano Job reports succeeded 1",
        "eventually the Volcano Job is Running",
        "the user commands AbortJob",
    ]


def test_a_job_that_waits_for_a_pod_need_not_run() -> None:
    texts = said(PLAIN, ADMIT, fate("succeed"), fate("evict"), command("AbortJob"))

    deleted = texts.index("the user deletes 1 pod of its task worker")
    assert texts[deleted + 1 : deleted + 4] == [
        "eventually the Volcano Job has 2 pods",
        "eventually the Volcano Job reports succeeded 1",
        "the user commands AbortJob",
    ]


def test_as_many_as_must_succeed_before_the_rest() -> None:
    texts = said(create(0, 3, 1), ADMIT)

    first = texts.index("2 pods of its task worker succeed")
    assert texts[first + 1 : first + 4] == [
        "eventually the Volcano Job reports succeeded 2",
        "eventually the Volcano Job is Running",
        "1 pod of its task worker succeeds",
    ]


def test_a_restart_makes_all_pods_anew() -> None:
    sentences = told(RETRIED, ADMIT, FROZEN, fate("fail"))

    at = sentences.index(("the view of pods catches up", ""))
    assert sentences[at + 1 : at + 3] == [
        ("eventually the Volcano Job reports retryCount 1", "VOL-028"),
        ("eventually 2 pods of the Volcano Job were made since it became Restarting", "VOL-019"),
    ]


def test_a_failure_while_nobody_looks_counts_too() -> None:
    sentences = told(RETRIED, ADMIT, KILLED, fate("fail"))

    assert ("eventually the Volcano Job reports retryCount 1", "VOL-035") in sentences


def test_what_stays_terminating_is_waited_for() -> None:
    sentences = told(PLAIN, ADMIT, HOLD, command("AbortJob"))

    at = sentences.index(("the user commands AbortJob", ""))
    assert sentences[at + 1 : at + 5] == [
        ("eventually 2 pods of the Volcano Job are terminating", "VOL-021"),
        ("eventually the Volcano Job is Aborting", "VOL-021"),
        ("the terminating pods end", ""),
        ("eventually the Volcano Job is Aborted", "VOL-021"),
    ]


def test_a_command_is_waited_for_before_the_process_may_be_killed() -> None:
    texts = said(PLAIN, KILLED, command("AbortJob"), UNBLOCK, RESTART)

    ended = texts.index("eventually the Volcano Job is Aborted")
    assert ended < texts.index("the implementation is killed and started again")


def test_what_has_succeeded_and_vanished_is_not_run_again() -> None:
    sentences = told(PLAIN, ADMIT, fate("succeed"), WIPE)

    assert ("for 2 seconds the Volcano Job has 1 unfinished pod", "VOL-050") in sentences


def test_what_has_ended_stays_so() -> None:
    assert told(PLAIN, command("CompleteJob"), ModelAction("epilogue", words="the user commands RestartJob"))[
        -3:
    ] == [
        ("the user commands RestartJob", ""),
        ("for 2 seconds the Volcano Job is Completed", "VOL-024"),
        ("for 2 seconds 0 pods of the Volcano Job were made since it became Completed", "VOL-024"),
    ]
