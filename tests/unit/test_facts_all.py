"""What is true of every fact: it has a sentence, survives JSON, and finds something in any history."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson
import pytest
from fact_examples import shown
from histories import PODGROUPS, Story, condition, story, time_of_day
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from batchproof.ground.errors import UserError
from batchproof.ground.resources import TRACKING_FINALIZER
from batchproof.judgement import facts
from batchproof.judgement.claims import Claim
from batchproof.judgement.facts import Fact, FactCall, Finding, fact, found
from batchproof.judgement.forms import DEADLINES_S, Quantifier
from batchproof.judgement.template import KINDS
from batchproof.profiles.shared.names import LONG_JOB

JOBS = st.sampled_from(["a", "b", "z", LONG_JOB])
NUMBERS = st.sampled_from([0, 1, 2, 17, 1000])
WORDS = st.from_regex(r"[A-Za-z]\w*", fullmatch=True)
GANGS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4, unique=True)
COUNTED = st.sampled_from(["active", "ready", "terminating", "succeeded", "failed"])
COUNTS = st.lists(st.builds("{} {}".format, st.integers(0, 99), COUNTED), min_size=1, max_size=4)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "d": NUMBERS,
    "digits": NUMBERS.map(str),
    "seconds": st.integers(0, 9999).map(lambda tenths: tenths / 10),
    "most": NUMBERS,
    "at_most": st.none() | NUMBERS,
    "name": st.from_regex(r"[a-z][a-z0-9-]*", fullmatch=True),
    "word": WORDS,
    "path": st.from_regex(r"[a-z]+\.[a-z]+/[a-z-]+", fullmatch=True),
    "text": st.text(st.characters(exclude_characters='"\n'), min_size=1),
    "job": JOBS,
    "of_job": JOBS,
    "gang": st.sampled_from("abc"),
    "gang_or_one": st.sampled_from(["", "a", "b"]),
    "gangs": GANGS,
    "numbers": st.lists(st.integers(0, 99), min_size=1, max_size=5),
    "counts": COUNTS.map(lambda parts: " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))),
    "words": st.lists(st.sampled_from(["Pending", "Running", "Aborted"]), min_size=1, max_size=4),
    "indexes": st.sampled_from(["", "0", "1,3-5,7", "0-99999"]),
    "place": st.sampled_from(["annotation", "label", "hostname", "name", "environment"]),
    "failures": st.sampled_from(["failure counts", "ignored failure counts"]),
    "outcome": st.sampled_from(["succeeded", "failed"]),
    "made": st.sampled_from(["created", "deleted"]),
    "event": st.sampled_from(["Normal", "Warning"]),
}
"""The values that an argument of some kinds can have."""

BESIDE: dict[str, Any] = {
    "resource": str(PODGROUPS),
    "path": ["spec", "minMember"],
    "signs": [
        {
            "of": "group",
            "condition": "Scheduled",
            "values": ["False"],
            "path": [],
            "conditions": ["status", "conditions"],
        }
    ],
    "counts": {phase: ["status", phase] for phase in ("running", "succeeded", "failed")},
    "phases": {"running": ["Running"]},
    "total": "12",
    "weights": {"left": 1, "right": 2},
    "wanted": {"left": "9", "right": "9"},
    "pod": "1",
    "end": {"jobs": "a"},
    "since": 1,
    "times": 1,
    "scale": 1.0,
}
"""Arguments that no sentence says."""


@cache
def values(kind: str) -> st.SearchStrategy[Any]:
    """The values of a kind; of one that a profile brings, all that its pattern reads."""
    of = KINDS[kind]
    return VALUES[kind] if kind in VALUES else st.from_regex(of.pattern, fullmatch=True).map(of.read)


def calls(it: Fact) -> st.SearchStrategy[FactCall]:
    """A fact with any arguments."""
    said = {name: values(kind) for name, kind in it.wording.kinds.items()}
    beside = {name: st.just(BESIDE[name]) for name in it.beside}
    return st.fixed_dictionaries({**said, **beside}).map(lambda arguments: FactCall(it.name, arguments))


def said(call: FactCall) -> FactCall:
    """The call without what no sentence says, but for its defaults."""
    fact = call.fact
    left = {name: value for name, value in call.arguments.items() if name not in fact.beside}
    return FactCall(call.name, {**fact.defaults, **left})


SOME: dict[str, Any] = {
    "d": 1,
    "digits": "3",
    "seconds": 2.0,
    "most": 1,
    "at_most": 1,
    "name": "a-1",
    "word": "Done",
    "path": TRACKING_FINALIZER,
    "text": "all is done",
    "job": "a",
    "of_job": "a",
    "gang": "g",
    "gang_or_one": "g",
    "gangs": ["g", "h"],
    "numbers": [1, 2],
    "counts": "2 active and 1 failed",
    "words": ["Pending", "Running"],
    "indexes": "0,2",
    "place": "annotation",
    "failures": "failure counts",
    "outcome": "succeeded",
    "made": "created",
    "event": "Normal",
}
"""A value of some kinds that the stories below speak of."""


AT_ONCE = settings(phases=[Phase.generate], derandomize=True, database=None)
"""Takes the first value that comes, which is the simplest: nothing is gained by making it smaller."""


@cache
def one_of(kind: str) -> Any:
    """A value of a kind; of one that a profile brings, the simplest."""
    return SOME[kind] if kind in SOME else find(values(kind), lambda _: True, settings=AT_ONCE)


def some(it: Fact) -> FactCall:
    """A fact with arguments of the stories below."""
    named = {name: one_of(kind) for name, kind in it.wording.kinds.items()}
    return FactCall(it.name, {**named, **{name: BESIDE[name] for name in it.beside}})


EVERY = [pytest.param(it, id=it.name) for it in facts.every()]


@pytest.mark.parametrize("it", EVERY)
def test_the_sentence_of_a_fact_fits_its_function(it: Fact) -> None:
    assert it.problem is None


@pytest.mark.parametrize("it", EVERY)
def test_the_sentence_of_a_fact_is_read_as_it_was_written(it: Fact) -> None:
    """With the arguments of the stories below; tests/exhaustive draws others."""
    check_sentence(it, some(it))


def check_sentence(it: Fact, call: FactCall) -> None:
    assert it.read(call.text) == said(call)
    assert it.read(call.denial, denied=True) == said(call)


CLAIMED = [
    (it, limit) for it in Quantifier for limit in DEADLINES_S if (it is Quantifier.NOW) == (limit == "now")
]


@pytest.mark.parametrize("it", EVERY)
def test_a_claim_is_read_as_it_was_written(it: Fact) -> None:
    """With the arguments of the stories below; tests/exhaustive draws others."""
    for quantifier, limit in CLAIMED:
        check_claim(it, some(it), quantifier, limit)


def check_claim(it: Fact, call: FactCall, quantifier: Quantifier, limit: str) -> None:
    assert Claim.read(Claim(quantifier, call, limit).sentence, it) == Claim(quantifier, said(call), limit)


@given(data=st.data())
def test_any_sentence_and_any_claim_of_some_fact_is_read_as_it_was_written(data: st.DataObject) -> None:
    it = data.draw(st.sampled_from(facts.every()))
    call = data.draw(calls(it))
    check_sentence(it, call)
    check_claim(it, call, *data.draw(st.sampled_from(CLAIMED)))


@pytest.mark.parametrize("it", EVERY)
def test_no_two_facts_share_a_sentence(it: Fact) -> None:
    call = some(it)

    assert [other.name for other in facts.every() if other.read(call.text)] == [it.name]
    assert not any(other.read(call.denial) for other in facts.every())


@pytest.mark.parametrize("it", EVERY)
def test_a_fact_has_a_history_of_which_it_is_true_and_one_of_which_it_is_not(it: Fact) -> None:
    assert shown().get(it.name, set()) == {True, False}, "add what is missing to its @examples"


def test_no_two_deadlines_are_equally_long() -> None:
    assert len(set(DEADLINES_S.values())) == len(DEADLINES_S)


@pytest.mark.parametrize("it", EVERY)
def test_a_fact_survives_its_way_through_a_history(it: Fact) -> None:
    call = some(it)

    history = orjson.loads(orjson.dumps({"name": call.name, "arguments": call.arguments}))

    assert FactCall(**history) == call


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
    "pods of a gang that no user requested": story().members("g-1", "g-2", of="g", cpus="").bound("m", "g-2"),
    "a body that is no object": story()
    .act("s")
    .asks("update", "jobs", "a", subresource="status", body=[1])
    .answered(422, body="no"),
}


@pytest.mark.parametrize("it", EVERY)
def test_a_fact_finds_something_in_each_odd_history(it: Fact) -> None:
    for history in ODD.values():
        check(some(it), history)


def check(it: FactCall, history: Story) -> None:
    seen = history.seen

    finding = it.of(seen)

    assert isinstance(finding, Finding)
    assert isinstance(finding.holds, bool)
    assert finding.expected
    assert finding.observed
    assert all(0 <= record <= seen.last for record in finding.decisive)


EXCEEDED = condition("FailureTarget", "DeadlineExceeded")
VERBS: dict[str, Any] = {
    "job": lambda history: history.job("a", parallelism=2, completions=2, activeDeadlineSeconds=1),
    "suspend": lambda history: history.spec("a", suspend=True),
    "resume": lambda history: history.spec("a", suspend=False),
    "pod": lambda history: history.pod("a-1"),
    "succeed": lambda history: history.succeeds("a-1"),
    "fail": lambda history: history.fails("a-1"),
    "release": lambda history: history.released("a-1"),
    "remove": lambda history: history.gone("pods", "a-1"),
    "record": lambda history: history.status("a", recorded=("a-1",), startTime=time_of_day(0)),
    "count": lambda history: history.status("a", succeeded=1),
    "deadline": lambda history: history.status("a", EXCEEDED, startTime=time_of_day(0)),
    "finish": lambda history: history.complete("a", succeeded=1),
    "delete": lambda history: history.write("delete", "jobs", "a").deleting(
        "jobs", "a", "foregroundDeletion"
    ),
    "gone": lambda history: history.gone("jobs", "a"),
    "create": lambda history: history.asks("create", "pods"),
    "refuse": lambda history: history.answered(500),
    "event": lambda history: history.event("Done", "all is done"),
    "node": lambda history: history.node("n", "1"),
    "cordon": lambda history: history.node("n", cordoned=True),
    "lose node": lambda history: history.node("n").gone("nodes", "n"),
    "gang": lambda history: history.gang("g", 2, condition("Scheduled", status="False")),
    "member": lambda history: history.member("g-1", of="g", queue="left"),
    "bind": lambda history: history.binds("a-1", "n").bound("n", "a-1"),
    "bind elsewhere": lambda history: history.binds("a-1", "m").bound("m", "a-1"),
    "fault": lambda history: history.fault(1, "fired"),
    "kill": lambda history: history.process(1, "killed"),
}


@pytest.fixture(scope="module")
def with_arguments() -> dict[str, FactCall]:
    """Each fact with arguments, which Hypothesis refuses to find inside of a test of its own."""
    return {it.name: some(it) for it in facts.every()}


@given(verbs=st.lists(st.sampled_from([*VERBS]), max_size=12), it=st.sampled_from(facts.every()))
def test_a_fact_finds_something_in_any_history(
    with_arguments: dict[str, FactCall], verbs: list[str], it: Fact
) -> None:
    history = story().act("begins").job("a").pod("a-1").asks("create", "pods")
    for verb in verbs:
        VERBS[verb](history)

    check(with_arguments[it.name], history)


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
        holds=False, expected="2", observed="1", decisive=(7,), values={"observed": [1]}
    )
