"""Facts about queues: what each deserves, worked out in another way too, and what it was given."""

from __future__ import annotations

from fractions import Fraction

import pytest
from fact_examples import examples, no, yes
from histories import Story, story
from hypothesis import given
from hypothesis import strategies as st

from batchproof.judgement.facts import FactCall
from batchproof.profiles.gang.facts.shares import allocated, deserved, queue_got_more, queue_has, shares_given

# -- what each deserves


def poured(total: Fraction, weights: dict[str, int], wanted: dict[str, Fraction]) -> dict[str, Fraction]:
    """The shares by pouring: what is left goes to the thirsty by weight, until none is left or nothing is.

    As Volcano's proportion plugin does it, round by round; ``deserved`` finds the level of the water instead.
    """
    given = dict.fromkeys(weights, Fraction(0))
    left = total
    while left > 0 and (thirsty := [name for name in weights if given[name] < wanted[name]]):
        weight = sum(weights[name] for name in thirsty)
        poured = {name: min(left * weights[name] / weight, wanted[name] - given[name]) for name in thirsty}
        for name, amount in poured.items():
            given[name] += amount
        left -= sum(poured.values())
    return given


def fractions(**wanted: int | str) -> dict[str, Fraction]:
    return {name: Fraction(amount) for name, amount in wanted.items()}


@pytest.mark.parametrize(
    ("total", "weights", "wanted", "shares"),
    [
        pytest.param(9, {"a": 2, "b": 1}, {"a": 9, "b": 9}, {"a": 6, "b": 3}, id="by weight"),
        pytest.param(12, {"a": 1, "b": 1}, {"a": 20, "b": 2}, {"a": 10, "b": 2}, id="what one leaves"),
        pytest.param(
            12,
            *({"a": 1, "b": 2, "c": 1}, {"a": 10, "b": 2, "c": 10}, {"a": 5, "b": 2, "c": 5}),
            id="what one leaves is shared by the others",
        ),
        pytest.param(10, {"a": 1, "b": 1}, {"a": 3, "b": 4}, {"a": 3, "b": 4}, id="enough for all"),
        pytest.param(7, {"a": 1, "b": 1}, {"a": 3, "b": 4}, {"a": 3, "b": 4}, id="just enough"),
        pytest.param(10, {"a": 1, "b": 3}, {"a": 20, "b": 0}, {"a": 10, "b": 0}, id="one asks for nothing"),
        pytest.param(0, {"a": 1, "b": 1}, {"a": 1, "b": 1}, {"a": 0, "b": 0}, id="nothing to share"),
        pytest.param(
            10,
            *({"a": 1, "b": 1, "c": 1}, {"a": 9, "b": 9, "c": 9}, {"a": "10/3", "b": "10/3", "c": "10/3"}),
            id="shares that are not whole",
        ),
    ],
)
def test_what_each_queue_deserves(
    total: int, weights: dict[str, int], wanted: dict[str, int], shares: dict[str, int | str]
) -> None:
    assert deserved(Fraction(total), weights, fractions(**wanted)) == fractions(**shares)


AMOUNT = st.fractions(min_value=0, max_value=50, max_denominator=4)
QUEUES = st.dictionaries(
    st.sampled_from("abcde"), st.tuples(st.integers(min_value=1, max_value=9), AMOUNT), min_size=1
)


@given(total=AMOUNT, queues=QUEUES)
def test_two_ways_to_share_agree(total: Fraction, queues: dict[str, tuple[int, Fraction]]) -> None:
    weights = {name: weight for name, (weight, _) in queues.items()}
    wanted = {name: amount for name, (_, amount) in queues.items()}

    assert deserved(total, weights, wanted) == poured(total, weights, wanted)


@given(total=AMOUNT, queues=QUEUES)
def test_shares_are_fair(total: Fraction, queues: dict[str, tuple[int, Fraction]]) -> None:
    weights = {name: weight for name, (weight, _) in queues.items()}
    wanted = {name: amount for name, (_, amount) in queues.items()}

    shares = deserved(total, weights, wanted)

    assert sum(shares.values()) == min(total, sum(wanted.values())), "nothing is wasted"
    assert all(shares[name] <= wanted[name] for name in weights)
    level = max(shares[name] / weights[name] for name in weights)
    short = [name for name in weights if shares[name] < wanted[name]]
    assert all(shares[name] / weights[name] == level for name in short), (
        "one that wants more has as much as any"
    )


# -- what each was given


def cluster() -> Story:
    return story().node("n", "9").gang("a", 1).gang("b", 1)


def given_to(left: int, right: int) -> Story:
    """So many pods of 1 CPU of two queues are bound, of 9 that each wants."""
    history = cluster()
    for queue, gang, bound in (("left", "a", left), ("right", "b", right)):
        names = [f"{gang}-{number}" for number in range(9)]
        history.members(*names, of=gang, queue=queue).bound("n", *names[:bound])
    return history


SHARES = shares_given(total="9", weights={"left": 2, "right": 1}, wanted={"left": "9", "right": "9"}, pod="1")


@examples(
    SHARES,
    yes("two to one", given_to(6, 3)),
    no("one pod too many for one", given_to(7, 2)),
    no("room for a pod is left", given_to(5, 3)),
    no("nothing given", given_to(0, 0)),
    no("all to one", given_to(9, 0)),
    no("a pod that has ended has nothing", given_to(6, 3).succeeds("a-0")),
    shares_given(total="8", weights={"left": 1, "right": 2}, wanted={"left": "9", "right": "9"}, pod="1"),
    yes("to less than a pod", given_to(3, 5)),
    yes("to less than a pod, the other way", given_to(2, 6)),
    no("more than a pod away", given_to(4, 4)),
    shares_given(total="20", weights={"left": 2, "right": 1}, wanted={"left": "9", "right": "9"}, pod="1"),
    yes("all that they want", given_to(9, 9)),
    no("less than they want, though there is room", given_to(9, 8)),
    shares_given(total="9", weights={"left": 2, "right": 1}, wanted={"left": "9", "right": "0"}, pod="1"),
    yes("one of them wants nothing, and has nothing", given_to(9, 0)),
    no("one of them wants nothing", given_to(8, 1)),
    queue_has(queue="left", cpus="2"),
    yes("two CPUs", given_to(2, 1)),
    no("three are not two", given_to(3, 1)),
    queue_has(queue="none", cpus="0"),
    yes("a queue without pods", given_to(1, 1)),
    queue_got_more(queue="left", since=0),
    yes("a pod of it bound", given_to(1, 0)),
    queue_got_more(queue="right", since=0),
    no("none of it bound", given_to(1, 0)),
)
def test_a_fact_about_queues(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


def test_what_a_queue_has_is_what_its_running_pods_ask_for() -> None:
    history = cluster().member("a-1", cpus="1500m", queue="left").member("a-2", cpus="", queue="left")
    history.member("b-1", of="b").bound("n", "a-1", "a-2", "b-1")

    assert allocated(history.seen) == {"left": Fraction(3, 2)}


def test_the_finding_tells_shares_and_what_was_given() -> None:
    finding = SHARES.of(given_to(7, 2).seen)

    assert (finding.expected, finding.observed) == ("left 6, right 3 CPUs", "left 7, right 2 CPUs")


def test_what_was_bound_at_that_very_moment_was_bound_before() -> None:
    history = given_to(1, 0)
    (bound,) = queue_got_more(queue="left", since=0).of(history.seen).decisive

    assert queue_got_more(queue="left", since=bound - 1).of(history.seen).holds
    assert not queue_got_more(queue="left", since=bound).of(history.seen).holds


def test_a_queue_got_more_since_some_moment() -> None:
    history = given_to(2, 1)
    since = history.last
    history.runs("a-0").succeeds("a-1").bound("n", "b-1")

    more = queue_got_more(queue="right", since=since).of(history.seen)

    assert more.holds
    assert (more.observed, more.decisive) == ("b-1", (history.last,))
    assert not queue_got_more(queue="left", since=since).of(history.seen).holds, "its pods ran before"
    assert not queue_got_more(queue="right", since=history.last).of(history.seen).holds
