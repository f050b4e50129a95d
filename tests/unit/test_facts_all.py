"""What is true of every fact: it has a sentence, survives JSON, and finds something in any history."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import Any

import orjson
import pytest
from histories import PODGROUPS, Story, condition, story, time_of_day
from hypothesis import given
from hypothesis import strategies as st

from batchproof.errors import UserError
from batchproof.judgement import facts
from batchproof.judgement.facts import FactCall, Finding, fact, found

ARGUMENTS: dict[str, Any] = {
    "job": "a",
    "pod": "1",
    "condition": "Complete",
    "target": "SuccessCriteriaMet",
    "terminal": "Complete",
    "reason": "Done",
    "message": "all is done",
    "start": "all",
    "kind": "Normal",
    "what": "created",
    "outcome": "succeeded",
    "counts": "2 active and 1 failed",
    "finalizer": "batch.kubernetes.io/job-tracking",
    "sizes": [1, 2],
    "gang": "g",
    "gangs": ["g", "h"],
    "which": "g",
    "resource": str(PODGROUPS),
    "path": "spec.minMember",
    "signs": [{"of": "group", "condition": "Scheduled", "values": ["False"], "path": ""}],
    "total": "12",
    "weights": {"left": 1, "right": 2},
    "wanted": {"left": "9", "right": "9"},
    "cpus": "3",
    "queue": "left",
    "slack": 3.0,
    "seconds": 2.0,
}


def every_fact() -> list[FactCall]:
    """Each registered fact with some arguments; a number where nothing else is said."""
    for module in iter_modules(facts.__path__):
        import_module(f"{facts.__name__}.{module.name}")
    names = {
        name: [it for it in signature(rule).parameters if it != "seen"]
        for name, (_, rule) in facts._RULES.items()
    }
    return [FactCall(name, {it: ARGUMENTS.get(it, 1) for it in wanted}) for name, wanted in names.items()]


EVERY = [pytest.param(it, id=it.name) for it in every_fact()]


@pytest.mark.parametrize("it", EVERY)
def test_a_fact_has_a_sentence_with_all_that_it_names(it: FactCall) -> None:
    assert it.text
    assert "{" not in it.text


@pytest.mark.parametrize("it", EVERY)
def test_a_fact_survives_its_way_through_a_history(it: FactCall) -> None:
    told = orjson.loads(orjson.dumps({"name": it.name, "arguments": it.arguments}))

    assert FactCall(**told) == it


ODD = {
    "nothing happened": story(),
    "nothing but a step": story().act("a step"),
    "a Job with an empty status": story().act("creates Job a").job("a"),
    "a Job that is gone": story().act("creates Job a").job("a").gone("jobs", "a"),
    "a Job that is suspended and resumed": story().act("s").job("a", suspend=True).spec("a", suspend=False),
    "a pod without a Job": story().act("a step").pod("a-1", of=None, tracked=False).succeeds("a-1"),
    "a pod whose Job was never seen": story().act("a step").pod("a-1").gone("pods", "a-1"),
    "a Job that ends twice": story()
    .act("creates Job a")
    .job("a")
    .status("a", condition("Failed", at=5), startTime=time_of_day(1))
    .complete("a", succeeded=1),
    "a write that is never answered": story().act("s").asks("create", "pods").asks("delete", "jobs", "a"),
    "a write whose reply is lost": story().act("s").lost("create", "pods").lost("delete", "jobs", "a"),
    "a gang in part": story().node("n").gang("g", 2).members("g-1", "g-2", of="g").bound("n", "g-1"),
    "a gang whose node and group are gone": story()
    .node("n")
    .gang("g", 1)
    .member("g-1", of="g", queue="left")
    .bound("n", "g-1")
    .gone("nodes", "n")
    .gone("podgroups", "g"),
    "pods of a gang that nobody asked for": story().members("g-1", "g-2", of="g", cpus="").bound("m", "g-2"),
    "a body that is no object": story()
    .act("s")
    .asks("update", "jobs", "a", subresource="status", body=[1])
    .answered(422, body="no"),
}


@pytest.mark.parametrize("told", [pytest.param(told, id=name) for name, told in ODD.items()])
@pytest.mark.parametrize("it", EVERY)
def test_a_fact_finds_something_in_an_odd_history(it: FactCall, told: Story) -> None:
    check(it, told)


def check(it: FactCall, told: Story) -> None:
    seen = told.seen

    finding = it.of(seen)

    assert isinstance(finding, Finding)
    assert isinstance(finding.holds, bool)
    assert finding.expected
    assert finding.observed
    assert all(0 <= record <= seen.last for record in finding.decisive)


EXCEEDED = condition("FailureTarget", "DeadlineExceeded")
VERBS: dict[str, Any] = {
    "job": lambda told: told.job("a", parallelism=2, completions=2, activeDeadlineSeconds=1),
    "suspend": lambda told: told.spec("a", suspend=True),
    "resume": lambda told: told.spec("a", suspend=False),
    "pod": lambda told: told.pod("a-1"),
    "succeed": lambda told: told.succeeds("a-1"),
    "fail": lambda told: told.fails("a-1"),
    "release": lambda told: told.released("a-1"),
    "remove": lambda told: told.gone("pods", "a-1"),
    "record": lambda told: told.status("a", recorded=("a-1",), startTime=time_of_day(0)),
    "count": lambda told: told.status("a", succeeded=1),
    "deadline": lambda told: told.status("a", EXCEEDED, startTime=time_of_day(0)),
    "finish": lambda told: told.complete("a", succeeded=1),
    "delete": lambda told: told.write("delete", "jobs", "a").deleting("jobs", "a", "foregroundDeletion"),
    "gone": lambda told: told.gone("jobs", "a"),
    "create": lambda told: told.asks("create", "pods"),
    "refuse": lambda told: told.answered(500),
    "event": lambda told: told.event("Done", "all is done"),
    "node": lambda told: told.node("n", "1"),
    "cordon": lambda told: told.node("n", cordoned=True),
    "lose node": lambda told: told.node("n").gone("nodes", "n"),
    "gang": lambda told: told.gang("g", 2, condition("Scheduled", status="False")),
    "member": lambda told: told.member("g-1", of="g", queue="left"),
    "bind": lambda told: told.binds("a-1", "n").bound("n", "a-1"),
    "bind elsewhere": lambda told: told.binds("a-1", "m").bound("m", "a-1"),
    "fault": lambda told: told.fault(1, "fired"),
    "kill": lambda told: told.process(1, "killed"),
}


@given(verbs=st.lists(st.sampled_from([*VERBS]), max_size=12), it=st.sampled_from(every_fact()))
def test_a_fact_finds_something_in_any_history(verbs: list[str], it: FactCall) -> None:
    told = story().act("begins").job("a").pod("a-1").asks("create", "pods")
    for verb in verbs:
        VERBS[verb](told)

    check(it, told)


# -- the registry of facts


def test_a_fact_of_another_version_is_refused() -> None:
    with pytest.raises(UserError, match="no fact is named of_the_future"):
        FactCall("of_the_future").of(story().seen)


def test_no_two_facts_have_one_name() -> None:
    def job_finished(seen: object) -> Finding:
        raise NotImplementedError(seen)

    with pytest.raises(ValueError, match="two facts are named job_finished"):
        fact("a second one")(job_finished)


def test_a_finding_tells_what_it_observed_as_text() -> None:
    assert found([], expected="2", observed=[1], decisive=[7]) == Finding(
        holds=False, expected="2", observed="[1]", decisive=(7,)
    )
