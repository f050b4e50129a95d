"""When a mutant counts as killed: its own requirement was found unmet, and nothing broke before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from report_sample import read, scenario, unmet

from batchproof.judgement.claims import LEAST_WAIT_S, PATIENCE, eventually, never
from batchproof.judgement.invariants.processes import exits
from batchproof.profiles.job.facts.pods import active_pods
from batchproof.report.catches import Kill, Survival, Trace, judged, tracebacks, warnings
from batchproof.report.records import ScenarioRecord

if TYPE_CHECKING:
    from collections.abc import Collection

PLANTED = ["reference_controller/job/scale.py::wanted", "reference_controller/job/queue.py::Queue.add"]

GROUP = """
INFO starting
  + Exception Group Traceback (most recent call last):
  |   File "/x/reference_controller/runtime/loop.py", line 3, in run
  |     await work()
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/x/reference_controller/runtime/loop.py", line 9, in work
    |     wanted(job)
    |   File "/x/reference_controller/job/scale.py", line 4, in wanted
    |     return sum(x for x in jobs)
    |   File "/x/reference_controller/job/scale.py", line 4, in <genexpr>
    |     return sum(x for x in jobs)
    | NameError: name 'jobs' is not defined
    +------------------------------------
INFO the end
"""


def record(requirement: str = "FIN-004", verdict: str = "passed", **more: Any) -> ScenarioRecord:
    parsed = read(scenario(requirement, "Pods keep it", verdict, **more))
    assert isinstance(parsed, ScenarioRecord)
    return parsed


def of(one: ScenarioRecord, *, traces: Collection[Trace] = ()) -> Kill | Survival:
    return judged(one, "FIN-004", traces, PLANTED)


def breach(requirement: str) -> dict[str, Any]:
    return {**unmet(requirement), "waived": None}


def test_the_broken_sentence_is_told_with_its_step() -> None:
    catch = of(record(verdict="failed"))
    assert isinstance(catch, Kill)
    assert (catch.step, catch.steps, catch.where) == (4, 5, "step 4 of 5, before the last claim")
    assert catch.sentence == "Then no pod loses its tracking finalizer while the fault lasts"


def test_what_is_judged_over_the_whole_history_has_no_step() -> None:
    steps = [{"keyword": "Then", "text": "it is so", "outcome": "passed"}]
    catch = of(record(verdict="failed", steps=steps))
    assert isinstance(catch, Kill)
    assert catch.where == "the end, over the whole history"
    assert catch.sentence == unmet("FIN-004")["sentence"]
    assert warnings(()) == ()
    assert warnings((), second=True) == ("no scenario killed it in the first run",)


@pytest.mark.parametrize(
    ("one", "why"),
    [
        pytest.param(record(), "", id="it passes"),
        pytest.param(
            record(verdict="failed", unmet=unmet("BAS-001")),
            "only BAS-001 was found unmet",
            id="another requirement is unmet",
        ),
        pytest.param(
            record(breaches=[breach("BAS-002")]), "only BAS-002 was found unmet", id="another is breached"
        ),
        pytest.param(
            record(
                verdict="inconclusive",
                reason="precondition",
                precondition={"step": "And 3 pods are running", "expected": "3 pods", "observed": "none"},
            ),
            "And 3 pods are running: expected 3 pods, observed none",
            id="what it needs did not come about",
        ),
        pytest.param(
            record(verdict="errored", reason="KeyError", error="Traceback\nKeyError: 'a'"),
            "KeyError",
            id="our trouble",
        ),
        pytest.param(
            record(verdict="failed", breaches=[breach(next(iter(exits())))]),
            "the controller exited unexpectedly",
            id="the controller has ended",
        ),
    ],
)
def test_what_does_not_catch_it_says_why(one: ScenarioRecord, why: str) -> None:
    assert of(one) == Survival(one.id, one.verdict, why)


def test_a_planted_text_that_breaks_catches_nothing() -> None:
    traces = tuple(tracebacks(GROUP))
    file, error = "/x/reference_controller/job/scale.py", "NameError: name 'jobs' is not defined"
    assert traces == (Trace(file, "wanted", error),)
    missed = of(record(verdict="failed"), traces=traces)
    assert isinstance(missed, Survival)
    assert missed.why == "the changed code raises an exception: NameError: name 'jobs' is not defined"


def test_another_traceback_is_a_warning() -> None:
    trace = Trace("/x/reference_controller/runtime/client.py", "wanted", "ApiError: 409")
    catch = of(record(verdict="failed"), traces=[trace])
    assert isinstance(catch, Kill)
    assert warnings([trace])[-1] == "the controller printed 1 traceback: ApiError: 409"


@pytest.mark.parametrize(
    ("needed_s", "limit_s"),
    [(None, 6.0), (0.1, LEAST_WAIT_S), (1.0, PATIENCE), (5.0, 6.0)],
    ids=["unknown", "quick", "slow", "never longer than the deadline"],
)
def test_a_wrong_copy_is_waited_for_as_long_as_the_sound_one_needs_a_few_times(
    needed_s: float | None, limit_s: float
) -> None:
    claim = eventually(active_pods(job="a", at_least=1)).scaled(1.0, "FIN-004")
    assert claim.capped(needed_s).limit_s == limit_s


def test_what_must_not_happen_is_watched_as_long_as_ever() -> None:
    claim = never(active_pods(job="a", at_least=1)).scaled(1.0, "FIN-004")
    assert claim.capped(0.1) == claim
