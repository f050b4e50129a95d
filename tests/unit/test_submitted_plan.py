"""Which shard plays what: everything once, the longest first, and the same for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from batchproof.ground import stored
from batchproof.submitting.plan import Plan, shared_out

if TYPE_CHECKING:
    from random import Random

IDS = st.lists(st.text("ABC-.0123456789", min_size=1, max_size=8), min_size=1, max_size=40, unique=True)
SECONDS = st.floats(0.01, 500)


@given(IDS, st.integers(1, 50), st.data())
def test_each_scenario_is_in_one_shard_and_no_shard_is_empty(
    ids: list[str], shards: int, data: st.DataObject
) -> None:
    took_s = {id_: data.draw(SECONDS) for id_ in ids}
    found = shared_out(ids, took_s, shards)
    assert sorted(id_ for one in found for id_ in one) == sorted(ids)
    assert len(found) == min(shards, len(ids))
    assert all(found)


@given(IDS, st.integers(1, 6), st.data())
def test_the_longest_shard_is_within_what_graham_proved(
    ids: list[str], shards: int, data: st.DataObject
) -> None:
    took_s = {id_: data.draw(SECONDS) for id_ in ids}
    found = shared_out(ids, took_s, shards)
    count = len(found)
    longest_s = max(sum(took_s[id_] for id_ in one) for one in found)
    at_least_s = max(sum(took_s.values()) / count, *took_s.values(), 0.0)
    assert longest_s <= (2 - 1 / count) * at_least_s + 1e-6
    assert all(list(one) == sorted(one, key=lambda id_: (-took_s[id_], id_)) for one in found)


@given(IDS, st.integers(1, 6), st.randoms())
def test_the_order_in_which_they_are_named_does_not_matter(
    ids: list[str], shards: int, random: Random
) -> None:
    mixed = list(ids)
    random.shuffle(mixed)
    took_s = {id_: float(len(id_)) for id_ in ids}
    assert shared_out(mixed, took_s, shards) == shared_out(ids, took_s, shards)


def test_what_was_never_played_takes_as_long_as_the_others_do() -> None:
    assert shared_out(["A", "B", "C"], {"A": 10.0, "B": 2.0}, 2) == (("A",), ("C", "B"))
    assert shared_out(["A", "B"], {}, 2) == (("A",), ("B",))


PLAN = Plan(
    "run",
    "run",
    "s",
    "c",
    "reference",
    "sha256:1",
    "job",
    "",
    strict=False,
    workers=6,
    faults=(),
    shards=(("A", "B"), ("C",)),
)


def test_the_digest_is_that_of_all_that_a_plan_says() -> None:
    others = {
        msgspec.structs.replace(PLAN, **{name: value}).digest
        for name, value in {
            "command": "mutants",
            "run": "2",
            "suite": "2",
            "code": "2",
            "implementation": "2",
            "descriptor_digest": "2",
            "profile": "2",
            "expression": "2",
            "strict": True,
            "workers": 7,
            "faults": ("conflicts",),
            "shards": (("A",), ("B", "C")),
            "for_s": 5,
            "accept_known": True,
        }.items()
    }
    assert len(others | {PLAN.digest}) == 1 + len(Plan.__struct_fields__)
    assert stored.decode(PLAN.text, Plan).digest == PLAN.digest
