"""What a fact reads is noted: it is asked again when that has changed, and finds what it would find anyway.

The oracle asks each fact at every record. What is judged with noted reads has to be the same, of all facts in
all histories that the tables of ``test_facts_*.py`` show, and in the same histories with watches that arrive
in other orders.
"""

from __future__ import annotations

from collections.abc import Iterable
from inspect import getattr_static, signature
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import every_row
from histories import Story, story, time_of_day
from hypothesis import given, settings
from hypothesis import strategies as st
from test_facts_all import VERBS
from test_facts_failures import TEN, TEN_OF_INDEX, failed, pod
from test_facts_tfjob import GROUP_OF_VOLCANO, grouped, told
from test_facts_volcano_made import ended

from batchproof.ground.errors import BatchproofError
from batchproof.ground.resources import COMPLETION_INDEX, EVENTS, INDEX_FAILURES, JOBS, PODS, Resource
from batchproof.judgement import facts
from batchproof.judgement.claims import Claim, Judgement, always, eventually, judge, never
from batchproof.judgement.facts import FactCall, Finding, found
from batchproof.judgement.faults import view_fault
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import Change, Entry, HistoryHeader, Record
from batchproof.judgement.inputs import OF_THE_PROCESS, Input, InputKind
from batchproof.judgement.observed import Observed
from batchproof.profiles.job.facts.indexes import created_indexes, failures_carried
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.facts.groups import tfjob_grouped
from batchproof.profiles.tfjob.facts.status import tfjob_event_repeated
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.profiles.volcano_job.facts.life import volcano_job_expired
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


def retold(entries: Sequence[Entry], like: Story) -> Story:
    """The entries in this order, at the times of another story."""
    new = Story()
    for entry, record in zip(entries, like.records, strict=True):
        new.at(record.at_s).add(entry)
    return new


def late(history: Story, resource: Resource) -> Story:
    """The same, but for one resource, whose watch is behind all others."""

    def is_late(entry: Entry) -> bool:
        return isinstance(entry, Change) and entry.resource == resource

    entries = [record.entry for record in history.records]
    return retold(sorted(entries, key=is_late), history)


def interleaved(history: Story, seed: int) -> Story:
    """The same, with the watches in another order; each one is in its own, and so is what is no change."""
    dice = Random(seed)  # noqa: S311 - only an order
    entries = [record.entry for record in history.records]
    streams = {of: list(them) for of, them in groupby(sorted(entries, key=_stream), key=_stream)}
    order: list[Entry] = []
    while left := [of for of, them in streams.items() if them]:
        order.append(streams[dice.choice(left)].pop(0))
    return retold(order, history)


def _stream(entry: Entry) -> str:
    return str(entry.resource) if isinstance(entry, Change) else ""


# -- the oracle


def outcomes(look: Callable[[Observed], object], records: Sequence[Record], opened: int) -> Iterator[object]:
    """What is found after each record since the claim was made; what breaks says so."""
    seen = Observed(records)
    for record in records:
        seen.apply(record)
        if record.number >= opened:
            try:
                yield look(seen)
            except BatchproofError as error:
                yield f"{error}"


def at_every_record(claim: Claim) -> Callable[[Observed], object]:
    """Judge it as if nothing were noted."""
    judgement = Judgement(claim, 0)

    def look(seen: Observed) -> object:
        judgement.read = None
        return judgement.look(seen)

    return look


def same(fact: FactCall, records: Sequence[Record]) -> None:
    """All claims of the fact come to the same, whether or not it is asked at every record."""
    for quantifier in Quantifier:
        claim = Claim(quantifier, fact, "now")
        for opened in {0, len(records) // 2}:
            noted = [*outcomes(Judgement(claim, opened).look, records, opened)]
            assert noted == [*outcomes(at_every_record(claim), records, opened)], (quantifier, opened)


def by_fact() -> dict[str, list[tuple[FactCall, Story, bool]]]:
    """The rows of all tables, by the name of the fact."""
    rows: dict[str, list[tuple[FactCall, Story, bool]]] = {}
    for row in every_row():
        rows.setdefault(row[0].name, []).append(row)
    return rows


BY_FACT = by_fact()


@pytest.mark.parametrize("name", BY_FACT)
def test_a_fact_is_judged_as_if_it_were_asked_at_every_record(name: str) -> None:
    """In its first example in two orders; tests/exhaustive takes all examples, in more orders."""
    it, history, _ = BY_FACT[name][0]
    same(it, history.records)
    same(it, interleaved(history, 0).records)


# -- what was judged wrongly while facts said by hand what they look at


def holds(claim: Claim, history: Story) -> bool:
    """Whether a claim that is made before the last record holds; nothing happens after that record."""
    whole, [*records, last] = Story(), history.records
    for record in records:
        whole.at(record.at_s).add(record.entry)
    whole.claims(1, claim.scaled(1.0, "BAS-001")).at(last.at_s).add(last.entry)
    (one,) = judge(whole.closes(1).records)
    return one.finding.holds


def pod_of_the_next(history: Story, name: str, *, created: float, ended: float | None = None) -> Story:
    """A pod of index 0 of the next Job of the same name, which is not seen yet."""
    owners = [{"kind": "Job", "name": "a", "uid": "uid-a-again", "controller": True}]
    metadata = {"ownerReferences": owners, "annotations": {COMPLETION_INDEX: "0"}}
    metadata["creationTimestamp"] = time_of_day(created)
    status: dict[str, Any] = {"phase": "Pending"}
    if ended is not None:
        state = {"terminated": {"exitCode": 1, "finishedAt": time_of_day(ended)}}
        status = {"phase": "Failed", "containerStatuses": [{"name": "main", "state": state}]}
    return history.stores(PODS, name, {"metadata": metadata, "status": status})


def replaced() -> Story:
    """A pod that has failed, and one in its place ten seconds later."""
    return pod(failed(pod(story().job("a"), "a-0-x", created=0), "a-0-x", at=5), "a-0-y", created=15)


def replaced_early(history: Story) -> Story:
    """The next Job replaces a pod at once, and is seen after its pods."""
    ended = pod_of_the_next(pod_of_the_next(history, "a-0-v", created=20), "a-0-v", created=20, ended=21)
    return pod_of_the_next(ended, "a-0-w", created=22).job("a")


def made_once() -> Story:
    """A Job with a pod of index 0."""
    return story().job("a").pod("a-0", index=0, annotations={INDEX_FAILURES: "0"})


def suspended() -> Story:
    """A TFJob whose suspension was told twice."""
    about = {"involvedObject": {"kind": "TFJob", "name": "a"}, "type": "Normal", "reason": "TFJobSuspended"}
    return told().stores(EVENTS, "e", {**about, "count": 2})


ONCE = created_indexes(job="a", indexes=[0])
NEVER_FAILED = failures_carried(job="a", index=0, kind="failure counts", counts=[0])
REPEATED = tfjob_event_repeated(kind="Normal", reason="TFJobSuspended")
GROUPED = grouped(annotations=GROUP_OF_VOLCANO)
EXPIRED = volcano_job_expired(seconds=2)


@pytest.mark.parametrize(
    ("it", "history"),
    [
        pytest.param(ONCE, late(made_once(), JOBS), id="created_indexes"),
        pytest.param(NEVER_FAILED, late(made_once(), JOBS), id="failures_carried"),
        pytest.param(TEN, late(replaced(), JOBS), id="replaced_no_earlier"),
        pytest.param(TEN_OF_INDEX, late(replaced(), JOBS), id="index_replaced_no_earlier"),
        pytest.param(REPEATED, late(suspended(), TFJOBS), id="tfjob_event_repeated"),
        pytest.param(tfjob_grouped(), late(GROUPED, PODGROUPS), id="tfjob_grouped"),
        pytest.param(EXPIRED, ended().at(9).removes(VOLCANO_JOBS, "a"), id="volcano_job_expired"),
    ],
)
def test_what_comes_about_with_the_last_record_of_another_watch_holds(it: FactCall, history: Story) -> None:
    assert holds(eventually(it), history)
    assert not holds(never(it), history)


@pytest.mark.parametrize(
    ("it", "history"),
    [
        pytest.param(ONCE, pod_of_the_next(made_once(), "b", created=9).job("a"), id="created_indexes"),
        pytest.param(
            NEVER_FAILED, pod_of_the_next(made_once(), "b", created=9).job("a"), id="failures_carried"
        ),
        pytest.param(TEN, replaced_early(replaced()), id="replaced_no_earlier"),
        pytest.param(TEN_OF_INDEX, replaced_early(replaced()), id="index_replaced_no_earlier"),
        pytest.param(REPEATED, suspended().removes(TFJOBS, "a"), id="tfjob_event_repeated"),
        pytest.param(
            tfjob_grouped(),
            grouped(annotations=GROUP_OF_VOLCANO).removes(PODGROUPS, "a"),
            id="tfjob_grouped",
        ),
        pytest.param(
            EXPIRED,
            ended().at(9).removes(VOLCANO_JOBS, "a").stores(VOLCANO_JOBS, "a", {"spec": {}}),
            id="volcano_job_expired",
        ),
    ],
)
def test_what_ends_with_the_last_record_of_another_watch_was_not_always_so(
    it: FactCall, history: Story
) -> None:
    assert not holds(always(it), history)


# -- nothing is read unnoticed

UNNOTED = {"apply", "noted", "at_s"}
"""What takes in, what notes, and the time of a record, which nothing changes."""
ARGUMENTS: dict[str, Any] = {
    "number": 0,
    "resource": PODS,
    "resources": PODS,
    "at_s": 0.0,
    "reaction_s": 1.0,
    "listed_at": 1,
    "stands": {},
    "written": {"uid-pods-b": 1},
    "name": "a",
    "owner": "uid-a",
    "kind": Job,
    "verb": "create",
    "subresource": "",
}


def public() -> list[str]:
    return [name for name in dir(Observed) if not name.startswith("_") and name not in UNNOTED]


def test_an_observed_has_no_attribute_that_notes_nothing() -> None:
    assert [name for name in vars(story().seen) if not name.startswith("_")] == []


def asked(seen: Observed, name: str) -> Any:
    """What an accessor gives, with the arguments above."""
    it = getattr(seen, name)
    if not isinstance(getattr_static(Observed, name), property):
        it = it(*(ARGUMENTS[of] for of in signature(it).parameters))
    return it() if callable(it) else it


def shown(it: Any) -> str:
    """It in words that are others once it is another."""
    return repr([*it]) if isinstance(it, Iterable) else repr(it)


EVENTFUL = (
    story()
    .act("begins")
    .add(HistoryHeader(version="test", time_scale=2.0, manager="another", finalizer="another"))
    .fault(1, "armed", **view_fault(PODS, frozen=False, delay_s=1.0))
    .fault(1, "fired")
    .process(1, "started", "killed")
    .job("a")
    .pod("a")
    .event("Done", "all is done")
    .asks("list", "pods")
    .answered()
    .asks("create", "pods")
    .answered()
    .owned("a", by="a")
    .act("ends")
    .gone("pods", "a")
    .gone("jobs", "a")
)


@pytest.mark.parametrize("name", public())
def test_whatever_is_asked_is_noted(name: str) -> None:
    seen = story().act("begins").job("a").seen
    with seen.noted() as read:
        asked(seen, name)

    assert read


@pytest.mark.parametrize("name", public())
def test_a_record_that_changes_what_is_asked_changes_an_input_of_it(name: str) -> None:
    seen, before = Observed(EVENTFUL.records), None
    for record in EVENTFUL.records:
        seen.apply(record)
        with seen.noted() as read:
            now = shown(asked(seen, name))
        if before not in (None, now):
            assert any(one.changed == record.number for one in read), record
        before = now


def test_a_log_is_noted_though_its_fold_has_grown_already() -> None:
    class Count:
        number = 0

        def take(self, *_: object) -> None:
            self.number += 1

    seen = story().job("a").pod("a-1").seen
    for _ in range(2):
        with seen.noted() as read:
            assert seen.versions_of_pods(Job, "a").fold(Count).number == 1
        assert {(one.kind, one.resource) for one in read} == {
            (InputKind.CHANGES, JOBS),
            (InputKind.CHANGES, PODS),
        }


def test_what_is_noted_within_is_noted_outside_too() -> None:
    seen = story().seen
    with seen.noted() as outer:
        assert seen.pods == []
        with seen.noted() as inner:
            assert seen.all(Job) == []
        assert seen.events == []

    assert [one.resource for one in inner] == [JOBS]
    assert {one.resource for one in outer} == {PODS, JOBS, EVENTS}


# -- facts at random that read by what they have read


class Program(FactCall, frozen=True):
    """A fact that is a decision tree: at each node it reads something, and goes on by what that is."""

    tree: Any = None

    @property
    def text(self) -> str:
        return "a program"

    @property
    def denial(self) -> str:
        return "no program"

    def of(self, seen: Observed) -> Finding:
        node, path = self.tree, []
        while isinstance(node, tuple):
            read, *ways = node
            value = READS[read](seen)
            path.append(f"{read}={value}")
            node = ways[value % len(ways)]
        if node is None:
            raise ValueError("a program broke")
        return found(node, observed=" ".join(path))


class Parity:
    """How many items a log has."""

    def __init__(self) -> None:
        self.count = 0

    def take(self, *_: object) -> None:
        self.count += 1


READS: dict[str, Callable[[Observed], int]] = {
    "pods": lambda seen: len(seen.pods),
    "active": lambda seen: len(seen.owned(seen.find(Job, "a")).active),
    "finished": lambda seen: len(seen.owned("uid-a").finished),
    "jobs": lambda seen: len(seen.all(Job)),
    "versions": lambda seen: seen.versions(PODS).fold(Parity).count,
    "of the Job": lambda seen: seen.versions_of_pods(Job, "a").fold(Parity).count,
    "arrived": lambda seen: seen.arrived(JOBS, EVENTS).fold(Parity).count,
    "arrivals": lambda seen: seen.arrivals.fold(Parity).count,
    "events": lambda seen: len(seen.events),
    "calls": lambda seen: seen.calls.fold(Parity).count,
    "creations": lambda seen: len(seen.writes_to(PODS, "create")),
    "answers": lambda seen: sum(one.reply is not None for one in seen.writes_to(PODS, "create")),
    "reads": lambda seen: len(seen.reads),
    "faults": lambda seen: sum(seen.faults.values()),
    "processes": lambda seen: len(seen.processes),
    "actions": lambda seen: len(seen.actions),
    "last": lambda seen: seen.last,
    "time": lambda seen: int(seen.now_s * 10),
}
TREES = st.recursive(
    st.sampled_from([True, False, True, False, None]),
    lambda below: st.tuples(st.sampled_from([*READS]), below, below),
    max_leaves=8,
)


AT_RANDOM: dict[str, st.SearchStrategy[Any]] = {
    "verbs": st.lists(st.sampled_from([*VERBS]), max_size=16),
    "trees": st.lists(TREES, min_size=1, max_size=8),
}


@given(**AT_RANDOM)
@settings(max_examples=40)
def test_a_fact_at_random_is_judged_as_if_it_were_asked_at_every_record(
    verbs: list[str], trees: list[Any]
) -> None:
    same_at_random(verbs, trees)


def same_at_random(verbs: list[str], trees: list[Any]) -> None:
    """Programs in a history at random; tests/exhaustive tries more of them."""
    history = story().act("begins").job("a").pod("a-1").asks("create", "pods")
    for verb in verbs:
        VERBS[verb](history)
    for tree in trees:
        same(Program("program", {}, tree), history.records)


def test_a_fact_that_reads_nothing_is_asked_once_and_at_the_end() -> None:
    asked: list[FactCall] = []

    class Constant(Program, frozen=True):
        def of(self, _: Observed) -> Finding:
            asked.append(self)
            return found(holds=False, observed="nothing")

    history = story().job("a").pods("a-1", "a-2")
    judgement = Judgement(eventually(Constant("constant")), 0)
    outcome = [*outcomes(judgement.look, history.records, 0)]

    assert outcome == [None, None, None]
    assert not judgement.close(history.seen).holds
    assert len(asked) == 1 + 1


def test_a_fact_that_broke_is_asked_again_at_the_next_record() -> None:
    history = story().job("a").pods("a-1", "a-2")
    program = Program("program", {}, ("pods", None, True))
    judgement = Judgement(eventually(program), 0)

    first, second, _ = outcomes(judgement.look, history.records, 0)

    assert "a program broke" in str(first)
    assert isinstance(second, Finding)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        pytest.param(eventually, True, id="eventually"),
        pytest.param(always, False, id="always"),
        pytest.param(never, False, id="never"),
    ],
)
def test_the_record_that_decides_may_be_the_last_one(claim: Any, expected: bool) -> None:
    """The judgement is closed before anybody has looked at it."""
    of = Program("program", {}, ("pods", claim is always, claim is not always))
    history = story().job("a").pod("a-1")
    judgement = Judgement(claim(of), 0)
    seen = Observed(history.records)
    seen.apply(history.records[0])
    judgement.look(seen)
    seen.apply(history.records[1])

    assert judgement.close(seen).holds is expected


# -- what is judged in place reads no requests, faults or processes

BESIDES = {
    "bound_too_soon": "a view that is behind only excuses more",
    "deadline_punctual": "a process that was down, and a fault, only make it later",
    "deletion_not_early": "without the request a deletion only seems later",
    "nothing_in_part": "the client that deleted a pod only excuses more",
    "running_whole": "a view that is behind only excuses more",
    "works_on": "the harness itself tells the witness",
}
"""Facts that read what is not seen in place, and are true there as well, with the reason."""


def reads(rows: Sequence[tuple[FactCall, Story, bool]]) -> set[InputKind]:
    read: set[Input] = set()
    for it, history, _ in rows:
        seen = history.seen
        with seen.noted() as noted:
            it.of(seen)
        read |= noted
    return {one.kind for one in read}


@pytest.mark.parametrize("name", BY_FACT)
def test_a_fact_says_whether_it_is_found_in_place(name: str) -> None:
    (it,) = (one for one in facts.every() if one.name == name)
    unseen = reads(BY_FACT[name]) & OF_THE_PROCESS
    if it.in_place:
        assert bool(unseen) == (name in BESIDES)
    else:
        assert unseen
