"""Programs at random: what the model of a Job expects, how they are written and made smaller."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import fsum
from typing import TYPE_CHECKING

import pytest

from batchproof.exploration.case import ENOUGH, MOST_TRIES, FailingProgram
from batchproof.exploration.choosing import AGAIN, pairs, varied
from batchproof.exploration.generation import MOST_THEMES, generate
from batchproof.exploration.lengths import seconds
from batchproof.exploration.program import ModelAction, Program, gherkin, script
from batchproof.exploration.shrinking import Shrinking, smaller
from batchproof.profiles.job.model.rules import MODEL, begin
from batchproof.report.records import UnmetClaim
from batchproof.running.exploring.exploration import Exploration
from batchproof.running.exploring.tasks import TaskResult
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Callable

BEGIN = begin(frozenset())
REQUIREMENTS = load_registry().keys()
JOB = ModelAction("create", (3, 2, 1), "Job")
QUEUE = ModelAction("create", (0, 2, 1), "work-queue")
SUCCEED, FAIL, DELETE = (ModelAction(kind, (1,)) for kind in ("succeed", "fail", "delete"))
FROZEN, UNBLOCK = ModelAction("block", words="view of pods"), ModelAction("unblock")
REFUSED = ModelAction("block", words="updates of the Job status answered with 500")
HELD = ModelAction("block", words="updates of pods held before taking effect")
KILLED = ModelAction("block", words="killed")
UNANSWERED = ModelAction("block", words="updates of pods applied but not answered")
SUSPEND, RESUME = ModelAction("suspend"), ModelAction("resume")
THREE_ERRORS = ModelAction("fault", words="the next 3 updates of the Job status are answered with 500")
LOST = ModelAction("fault", words="the next update of a pod is applied but its reply is lost")
EVERY_2ND = ModelAction("fault", words="every 2nd update of the Job status is answered with 409")
CRASH = ModelAction("crash", (2,), "after")
RESTART_AT_END = ModelAction("epilogue", words="the implementation is killed and started again")


def said(*actions: ModelAction) -> list[str]:
    """The sentences of a program, to its end."""
    return [it.text for it in script(BEGIN, Program(actions)).sentences]


def kept(*actions: ModelAction) -> tuple[ModelAction, ...]:
    """The actions of a program that are possible where they stand."""
    return script(BEGIN, Program(actions)).program.actions


# -- how it has to end


@pytest.mark.parametrize(
    ("actions", "end", "by"),
    [
        ((JOB,), "the Job completes with 3 succeeded pods", "BAS-013"),
        ((JOB, FAIL), "the Job completes with 3 succeeded pods", "BAS-013"),
        ((JOB, FAIL, FAIL), "the Job fails with reason BackoffLimitExceeded", "FAIL-001"),
        (
            (ModelAction("create", (1, 1, 0), "Job"), FAIL),
            "the Job fails with reason BackoffLimitExceeded",
            "FAIL-002",
        ),
        ((JOB, DELETE, FAIL), "the Job fails with reason BackoffLimitExceeded", "FAIL-001"),
        ((JOB, ModelAction("suspend")), "the Job completes with 3 succeeded pods", "BAS-013"),
        ((JOB, ModelAction("parallelism", (0,))), "the Job completes with 3 succeeded pods", "BAS-013"),
        ((QUEUE, SUCCEED), "the Job completes with 2 succeeded pods", "BAS-026"),
        ((QUEUE, SUCCEED, FAIL), "the Job completes with 1 succeeded pod", "BAS-026"),
        (
            (ModelAction("create", (2, 2, 1), "Indexed"),),
            "the Job completes with 2 succeeded pods",
            "IDX-005",
        ),
        (
            (JOB, ModelAction("backoffLimit", (0,)), FAIL),
            "the Job fails with reason BackoffLimitExceeded",
            "FAIL-002",
        ),
        (
            (JOB, ModelAction("run", (2,)), KILLED, FAIL, FAIL),
            "the Job fails with reason BackoffLimitExceeded",
            "FAIL-001",
        ),
    ],
)
def test_the_end_is_the_one_that_the_counts_leave(
    actions: tuple[ModelAction, ...], end: str, by: str
) -> None:
    ends = [
        it for it in script(BEGIN, Program(actions)).sentences if it.text.startswith("eventually the Job ")
    ]

    assert [(it.text, it.judges) for it in ends] == [(f"eventually {end}", by)]


def test_a_deleted_job_is_gone_in_the_end() -> None:
    assert said(JOB, ModelAction("remove", words="foreground"))[-2:] == [
        "eventually the Job is gone",
        "eventually no pod of the Job is left",
    ]


# -- what is possible


@pytest.mark.parametrize(
    ("before", "action", "possible"),
    [
        ((JOB,), ModelAction("succeed", (2,)), True),
        ((JOB,), ModelAction("succeed", (3,)), False),  # parallelism allows two at once
        ((JOB, ModelAction("suspend")), SUCCEED, False),
        ((JOB, FAIL, FAIL), SUCCEED, False),  # it has begun to fail
        ((JOB, FROZEN, SUCCEED), ModelAction("succeed", (2,)), False),  # only one is left for sure
        ((JOB, SUCCEED, ModelAction("run", (2,)), FROZEN), ModelAction("succeed", (2,)), True),
        (
            (JOB, ModelAction("run", (2,)), FROZEN, SUCCEED),
            ModelAction("parallelism", (1,)),
            False,
        ),  # which is seen first?
        ((JOB, FROZEN, ModelAction("parallelism", (1,))), SUCCEED, False),
        ((JOB, UNANSWERED, SUSPEND), RESUME, False),  # the pods that are there may be on their way out
        ((JOB, SUSPEND, UNANSWERED, RESUME), SUSPEND, False),
        ((JOB, SUSPEND, UNANSWERED, RESUME), ModelAction("parallelism", (3,)), True),
        ((JOB, FROZEN, ModelAction("parallelism", (1,))), SUSPEND, True),
        ((JOB, FROZEN, ModelAction("parallelism", (1,)), SUSPEND), ModelAction("parallelism", (3,)), True),
        ((JOB, KILLED, SUSPEND), RESUME, True),  # a dead process has done nothing meanwhile
        ((JOB, UNANSWERED, SUSPEND, UNBLOCK), RESUME, True),
        ((JOB, FROZEN), REFUSED, False),  # one block at a time
        ((JOB, HELD), ModelAction("restart"), False),  # what the dead process asked for would be done later
        ((JOB, HELD), CRASH, False),
        ((JOB, CRASH), KILLED, False),  # what starts it again?
        ((JOB, CRASH), ModelAction("restart"), False),
        ((JOB, CRASH), CRASH, False),
        ((JOB, CRASH), RESTART_AT_END, False),
        ((JOB, RESTART_AT_END), CRASH, False),
        ((JOB, ModelAction("hold")), DELETE, False),  # is it counted before it ends?
        ((QUEUE, SUCCEED, FAIL), FAIL, False),  # it could complete and fail
        ((QUEUE, FROZEN, FAIL), SUCCEED, False),  # is the one that replaces it there?
        ((QUEUE, FROZEN, SUCCEED), FAIL, True),
        ((), SUCCEED, False),
        ((), ModelAction("fault", words="the next pod creation is answered with 500"), True),
        ((JOB, JOB), JOB, False),
        ((JOB, THREE_ERRORS), THREE_ERRORS, False),  # it would wait for longer than a recovery may take
        ((JOB, THREE_ERRORS), LOST, True),
        ((JOB, THREE_ERRORS, LOST), LOST, False),
        ((JOB, EVERY_2ND), EVERY_2ND, False),  # each strikes between those that the other lets through
        ((JOB, EVERY_2ND), LOST, True),
    ],
)
def test_only_what_leaves_one_end_is_possible(
    before: tuple[ModelAction, ...], action: ModelAction, *, possible: bool
) -> None:
    assert (kept(*before, action) == (*kept(*before), action)) is possible


def test_pods_are_waited_for_while_the_implementation_can_act() -> None:
    assert said(JOB, SUCCEED, FAIL)[1:5] == [
        "2 pods are active",
        "1 pod succeeds",
        "2 pods are active",
        "1 pod fails",
    ]


def test_pods_are_not_waited_for_while_it_cannot() -> None:
    lines = said(JOB, ModelAction("run", (2,)), FROZEN, SUCCEED, FAIL)

    assert lines[3:6] == ["the implementation's view of pods is stale", "1 pod succeeds", "1 pod fails"]
    assert lines[6:8] == ["the view of pods catches up", "eventually 2 pods are active"]


def test_what_is_counted_is_waited_for_before_the_job_is_changed() -> None:
    lines = said(JOB, SUCCEED, ModelAction("parallelism", (1,)))

    assert lines[3:6] == [
        "2 pods are active",
        "the Job counts 1 succeeded and 0 failed pods",
        "the Job is changed to parallelism 1",
    ]


def test_what_is_counted_after_a_fault_is_waited_for_as_long_as_a_recovery_takes() -> None:
    again = ModelAction("fault", words="the next 3 updates of the Job status are answered with 500")
    lines = said(JOB, again, SUCCEED, ModelAction("parallelism", (1,)))

    assert "eventually the Job counts 1 succeeded and 0 failed pods" in lines


def test_a_job_does_not_end_while_pods_that_it_has_given_up_terminate() -> None:
    hold, claim = ModelAction("hold"), "for 2 seconds the Job does not finish"

    assert said(JOB, hold, FAIL, FAIL)[-4:-1] == [
        claim,
        "the terminating pods end",
        "eventually the Job fails with reason BackoffLimitExceeded",
    ]
    assert claim not in said(JOB, hold, ModelAction("parallelism", (1,)), FAIL, FAIL)  # no other pod was left


def test_refused_requests_end_with_a_claim() -> None:
    assert "once the faults end 2 pods are active" in said(JOB, REFUSED, UNBLOCK)


def test_a_seed_gives_the_same_programs_in_the_same_order() -> None:
    first, again, other = (list(islice(generate(BEGIN, seed), 20)) for seed in (3, 3, 4))

    assert first == again
    assert first != other
    assert len(set(first)) == len(first)


def test_a_program_is_about_a_few_themes_only() -> None:
    for one in islice(generate(BEGIN, 1), 100):
        themes = {MODEL.theme(it) for it in one.actions} & set(BEGIN.themes)
        assert len(themes) <= MOST_THEMES


def test_what_brings_something_new_together_comes_first() -> None:
    again, more, most = Program((JOB, SUCCEED)), Program((JOB, FAIL)), Program((JOB, SUCCEED, FAIL))

    assert list(varied(BEGIN, iter([again, more, most]))) == [most, again, more]


def test_each_fault_in_its_own_words_is_something_new() -> None:
    faults = [
        ModelAction("fault", words=f"the next update of a pod is answered with {code}") for code in (500, 503)
    ]
    programs = [Program((JOB, fault, SUCCEED)) for fault in faults]
    known = pairs(BEGIN, programs[0])

    assert pairs(BEGIN, programs[1]) - known


def test_chosen_programs_bring_more_together_than_others() -> None:
    plain = list(islice(generate(BEGIN, 1), 100))
    chosen = list(islice(varied(BEGIN, generate(BEGIN, 1)), 100))

    assert len(set(chosen)) == len(chosen)
    assert len(_together(chosen)) > 2 * len(_together(plain))


def test_what_is_chosen_has_the_most_that_is_new_of_all_that_are_left() -> None:
    drawn = list(islice(generate(BEGIN, 1), 60))
    played, left = Counter[tuple[str, str]](), {one: pairs(BEGIN, one) for one in drawn}

    for chosen in varied(BEGIN, iter(drawn)):
        news = {one: fsum(AGAIN ** played[pair] for pair in both) for one, both in left.items()}
        assert news[chosen] == max(news.values())
        played.update(left.pop(chosen))

    assert not left


def _together(some: list[Program]) -> set[tuple[str, str]]:
    return {pair for one in some for pair in pairs(BEGIN, one)}


# -- how it is written


def test_a_program_is_written_as_a_scenario_of_one_requirement() -> None:
    lost = ModelAction("fault", words="the next pod creation is answered with 500")
    one = script(BEGIN, Program((lost, ModelAction("create", (1, 1, 0), "Job"), SUCCEED)))

    text = gherkin(
        one, requirement="FIN-021", title="Program 3", feature="FIN-021 is broken", description=["Found."]
    )

    assert text == (
        "Feature: FIN-021 is broken\n"
        "  Found.\n"
        "\n"
        "  @FIN-021\n"
        "  Scenario: Program 3\n"
        "    Given the next pod creation is answered with 500\n"
        "    And a Job with 1 completion, parallelism 1 and backoffLimit 0\n"
        "    When eventually 1 pod is active\n"
        "    And 1 pod succeeds\n"
        "    And eventually the Job completes with 1 succeeded pod\n"
        "    And eventually the Job counts 1 succeeded and 0 failed pods\n"
        "    Then no finished pod of the Job has the tracking finalizer\n"
    )


# -- how it is made smaller


def test_what_is_simplest_is_tried_first() -> None:
    four = Program((JOB, SUCCEED, ModelAction("label"), FAIL))

    tried = list(smaller(BEGIN, four))

    assert tried[0].actions == (JOB, SUCCEED)
    sizes = [len(one.actions) for one in tried]
    assert sizes.index(3) < sizes.index(4)  # actions go before numbers get smaller
    assert all(script(BEGIN, one).program == one for one in tried)


def test_nothing_is_tried_twice() -> None:
    shrinking = Shrinking(BEGIN, Program((JOB, SUCCEED, ModelAction("label"))), most=50)
    tried: list[Program] = []
    while batch := shrinking.next(3):
        tried += batch

    written = [script(BEGIN, one).sentences for one in tried]
    assert len(set(written)) == len(written) == shrinking.tried


def played(case: FailingProgram, fails: Callable[[Program], bool]) -> Program | None:
    """Play a case to its end where ``fails`` says what fails; what is confirmed in the end."""
    while program := case.next():
        case.told(program, reproduced=fails(program))
    assert case.over
    return case.confirmed


def test_a_case_ends_with_the_smallest_program_that_fails() -> None:
    found = Program((JOB, SUCCEED, ModelAction("label"), CRASH, FAIL, ModelAction("clear")))
    case = FailingProgram(BEGIN, found)

    confirmed = played(case, lambda program: CRASH in program.actions)

    assert confirmed is not None
    assert [it.kind for it in confirmed.actions] == ["create", "crash"]
    assert case.again[confirmed] >= ENOUGH


def test_a_case_without_candidates_ends_as_it_was_found_once_it_has_failed_again() -> None:
    found = Program((JOB, SUCCEED, ModelAction("label")))
    case = FailingProgram(BEGIN, found, candidates=0)

    assert played(case, lambda _: True) == found
    assert case.again.total() == ENOUGH


def test_what_does_not_fail_again_is_not_confirmed() -> None:
    case = FailingProgram(BEGIN, Program((JOB, SUCCEED)))
    times = iter([True, *[False] * 99])

    assert played(case, lambda _: next(times)) is None
    assert case.again.total() == 1


def test_what_fails_too_seldom_when_it_is_small_is_left_larger() -> None:
    found = Program((JOB, SUCCEED, ModelAction("label")))
    seldom = iter([True, *[False] * 99])

    confirmed = played(FailingProgram(BEGIN, found), lambda program: program == found or next(seldom))

    assert confirmed == found


def test_where_the_smallest_does_not_fail_again_the_one_before_it_is_proved() -> None:
    found = Program((JOB, SUCCEED, ModelAction("label"), FAIL, DELETE))
    case, quick = FailingProgram(BEGIN, found), list[Program]()

    def fails(program: Program) -> bool:
        if case.quick(program):  # where nothing is waited for long, a slow one looks as if it were wrong
            quick.append(program)
            return True
        return len(program.actions) > 1

    confirmed = played(case, fails)

    assert min(len(it.actions) for it in quick) == 1
    assert confirmed is not None
    assert 1 < len(confirmed.actions) < len(found.actions)
    assert case.again[confirmed] == ENOUGH


def test_only_an_answer_about_what_is_tried_may_be_hasty() -> None:
    exploring = exploration(Program((JOB, SUCCEED)), first=True)
    answered(exploring, breaks=True)
    quick = list[bool]()

    while task := exploring.next():
        quick.append(task.quick)
        exploring.done(task.name, TaskResult("failed", (UnmetClaim("BAS-014", "", "1 pod", "none"),)))

    assert quick[:ENOUGH] == [False] * ENOUGH
    assert quick[-ENOUGH:] == [False] * ENOUGH
    assert set(quick[ENOUGH:-ENOUGH]) == {True}


def test_when_there_is_just_time_to_prove_the_smallest_it_is_proved() -> None:
    case = FailingProgram(BEGIN, Program((JOB, SUCCEED, ModelAction("label"), FAIL, DELETE)), at_once=2)
    for _ in range(ENOUGH):
        case.next()
        case.told(case.found, reproduced=True)
    tried, left = case.next(), case.next()
    assert tried
    assert left

    case.enough()
    case.told(tried, reproduced=True)
    case.told(left, reproduced=False)

    assert case.next() == tried
    assert not case.quick(tried)


def test_candidates_are_given_out_together() -> None:
    case = FailingProgram(BEGIN, Program((JOB, SUCCEED, ModelAction("label"), FAIL)), at_once=3)
    again = [case.next() for _ in range(3)]
    assert again == [case.found, case.found, None]  # it has to fail twice first
    for _ in range(ENOUGH):
        case.told(case.found, reproduced=True)

    batch = [case.next() for _ in range(4)]

    assert len({it for it in batch if it}) == 3
    assert batch[3] is None
    assert MOST_TRIES > ENOUGH


# -- what is given out


def exploration(*programs: Program, first: bool) -> Exploration:
    """An exploration of these programs, with all the time that it wants."""
    return Exploration(BEGIN, iter(programs), for_s=1e9, first=first, say=lambda _: None, at_once=2)


def answered(exploring: Exploration, *, breaks: bool) -> str:
    """Play the next program with this outcome; the requirement that it was to break again."""
    task = exploring.next()
    assert task is not None
    broken = (UnmetClaim("BAS-014", "", "1 pod", "none"),) if breaks else ()
    exploring.done(task.name, TaskResult("failed" if breaks else "passed", broken))
    return task.requirement


def test_the_first_finding_ends_it_once_that_is_small() -> None:
    exploring = exploration(Program((JOB, SUCCEED)), Program((JOB, FAIL)), first=True)
    answered(exploring, breaks=True)

    while task := exploring.next():
        assert task.requirement == "BAS-014"
        assert not exploring.satisfied
        exploring.done(task.name, TaskResult("failed", (UnmetClaim("BAS-014", "", "1 pod", "none"),)))

    assert exploring.started == 1
    assert exploring.found["BAS-014"].case.confirmed
    assert exploring.satisfied


def test_a_finding_that_is_not_seen_again_ends_nothing() -> None:
    exploring = exploration(Program((JOB, SUCCEED)), Program((JOB, FAIL)), first=True)
    answered(exploring, breaks=True)
    while answered(exploring, breaks=False) == "BAS-014":
        pass

    assert exploring.started == 2
    assert exploring.found["BAS-014"].case.over


def test_another_program_that_broke_it_is_played_where_the_first_does_not_break_it_again() -> None:
    exploring = exploration(Program((JOB, SUCCEED)), Program((JOB, FAIL)), first=False)
    tasks = [exploring.next(), exploring.next()]
    broken = TaskResult("failed", (UnmetClaim("BAS-014", "", "1 pod", "none"),))
    for task in tasks:
        assert task is not None
        exploring.done(task.name, broken)
    one = exploring.found["BAS-014"]

    while one.at.number == 1:
        assert answered(exploring, breaks=False) == "BAS-014"
    while not one.case.confirmed:
        assert answered(exploring, breaks=True) == "BAS-014"

    assert one.programs == 2
    assert one.case.confirmed in {Program((JOB, FAIL)), Program((JOB,))}


@pytest.mark.parametrize("first", [False, True])
def test_until_it_is_seen_again_more_is_begun_beside_what_was_found(*, first: bool) -> None:
    exploring = exploration(Program((JOB, SUCCEED)), Program((JOB, FAIL)), first=first)
    answered(exploring, breaks=True)

    given = [task.requirement for _ in range(3) if (task := exploring.next())]

    assert given == ["BAS-014", "BAS-014", ""]


def test_what_comes_of_a_program_that_was_broken_off_is_not_counted() -> None:
    exploring = exploration(Program((JOB, SUCCEED)), first=False)
    task = exploring.next()
    assert task

    exploring.stop()
    exploring.done(task.name, TaskResult("errored", stopped="worker w0 was lost"))

    assert (exploring.verdicts.total(), exploring.undecided) == (0, [])


# -- how long


@pytest.mark.parametrize(
    ("written", "length"),
    [("90s", 90), ("90", 90), ("5m", 300), ("1h", 3600), ("1h30m", 5400), ("2m5s", 125)],
)
def test_a_length_of_time_is_read(written: str, length: int) -> None:
    assert seconds(written) == length


@pytest.mark.parametrize("written", ["", "m", "5 m", "-5m", "0s", "5d", "1.5h", "30m1h"])
def test_what_is_no_length_of_time_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="length of time"):
        seconds(written)
