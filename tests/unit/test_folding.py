"""A history folded record by record is judged like each of its beginnings judged from scratch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from histories import Story, story
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_facts_all import VERBS, some

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement import facts
from batchproof.judgement.facts import FactCall, Finding
from batchproof.judgement.history import ClaimOpened, Record, Saved
from batchproof.judgement.inputs import Input
from batchproof.judgement.observed import Observed, observe
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from collections.abc import Sequence

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.jsonl"))
EVERY = [some(it) for it in facts.every()]


def check(calls: Sequence[FactCall], records: Sequence[Record]) -> None:
    """Ask each fact again when what it read has changed, and see that it finds what it finds from scratch."""
    grown = Observed(records)
    found: dict[int, Finding] = {}
    read: dict[int, set[Input]] = {}
    for record in records:
        grown.apply(record)
        scratch = observe(records[: record.number + 1])
        for number, call in enumerate(calls):
            if number not in found or any(one.changed == record.number for one in read[number]):
                with grown.noted() as read[number]:
                    found[number] = call.of(grown)
            assert found[number] == call.of(scratch), (call.name, record.number)


AT_RANDOM = st.lists(st.sampled_from([*VERBS, "swapped"]), max_size=12)


@given(verbs=AT_RANDOM)
@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
def test_a_fact_finds_the_same_whether_it_was_asked_at_each_record_or_once(verbs: list[str]) -> None:
    check_at_random(verbs)


def check_at_random(verbs: list[str]) -> None:
    """A history at random; tests/exhaustive tries more of them."""
    told = story().act("begins").job("a").pod("a-1").asks("create", "pods")
    for verb in verbs:
        if verb == "swapped":
            told.swapped()
        else:
            VERBS[verb](told)

    check(EVERY, told.records)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_fact_finds_the_same_in_a_recorded_history(path: Path) -> None:
    records = list(Saved(path))
    claims = [it.entry.claim["fact"] for it in records if isinstance(it.entry, ClaimOpened)]
    claimed = [FactCall(**it) for it in claims]

    assert claimed
    check([*EVERY, *claimed], records)


# -- in the order of revisions, though two watches tell otherwise


def orders(told: Story) -> list[str]:
    """What became of which object, in order."""
    return [f"{kind} {thing.name}" for kind, thing in told.seen.in_order(JOBS, PODS)]


def test_changes_are_put_where_they_happened() -> None:
    told = story().job("a").pod("a-1").pod("a-2").complete("a", succeeded=1).swapped()

    assert orders(told) == ["ADDED a", "ADDED a-1", "ADDED a-2", "MODIFIED a"]


class Names:
    """A fold that remembers all."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def take(self, _: str, thing: object) -> None:
        self.names.append(str(getattr(thing, "name", "")))


def test_a_fold_begins_again_when_something_happened_before_what_it_has_taken_in() -> None:
    records = story().job("a").pod("a-1").complete("a", succeeded=1).pod("a-2").swapped().records
    seen = Observed(records)
    taken = []
    for record in records:
        seen.apply(record)
        taken.append("".join(it[-1] for it in seen.in_order(JOBS, PODS).fold(Names).names))

    assert taken == ["a", "a1", "a12", "a1a2"]


def test_a_pod_that_is_seen_before_its_job_is_a_pod_of_it_later() -> None:
    seen = story().job("b").pod("a-1").job("a").swapped().seen

    assert [pod.name for _, pod in seen.versions_of_pods(Job, "a")] == ["a-1"]


def test_what_two_versions_share_is_kept_once() -> None:
    seen = story().job("a").pod("a-1").succeeds("a-1").seen

    (_, first), (_, second) = seen.versions(PODS)

    assert first.status != second.status
    assert first.metadata["ownerReferences"] is second.metadata["ownerReferences"]
