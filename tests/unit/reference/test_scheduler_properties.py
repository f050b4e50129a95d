"""What holds of the scheduler's decisions for any gangs, nodes and queues."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import assume, given
from hypothesis import strategies as st
from scheduler_builders import NOW, after, ended, group, node, pod, queue, snapshot

from reference_controller.scheduler.decide import Schedule, decide
from reference_controller.scheduler.objects import Pod
from reference_controller.scheduler.shares import deserved
from reference_controller.scheduler.snapshot import Snapshot

if TYPE_CHECKING:
    from random import Random

MOST_ROUNDS = 60
"""How long an example takes says something about the machine only."""

ALL_QUEUES = ("default", "a", "b")


class Wish(NamedTuple):
    """A gang to be: its minimum, the CPUs of each of its pods, its priority and its queue."""

    minimum: int
    cpus: list[int]
    priority: int
    queue: str


def wishes(cpus: st.SearchStrategy[list[int]]) -> st.SearchStrategy[list[Wish]]:
    wish = st.builds(
        Wish, st.integers(1, 5), cpus, st.sampled_from([0, 0, 10]), st.sampled_from(["default", "a", "b"])
    )
    return st.lists(wish, min_size=1, max_size=6)


UNLIKE = st.lists(st.integers(0, 4), min_size=0, max_size=6)
ALIKE = st.tuples(st.integers(1, 4), st.integers(1, 6)).map(lambda drawn: [drawn[0]] * drawn[1])
NODES = st.lists(st.integers(0, 6), min_size=1, max_size=4)
WEIGHTS: st.SearchStrategy[dict[str, int]] = st.one_of(
    st.just({}), st.fixed_dictionaries({name: st.integers(1, 4) for name in ("a", "b")})
)


def cluster(nodes: list[int], wanted: list[Wish], weights: dict[str, int]) -> Snapshot:
    groups, pods = [], []
    for number, wish in enumerate(wanted):
        name = f"gang-{number}"
        groups.append(group(name, wish.minimum, queue=wish.queue if weights else "default"))
        pods += [pod(name, cpus, priority=wish.priority) for cpus in wish.cpus]
    return snapshot([node(cpus) for cpus in nodes], pods, groups, [queue(*item) for item in weights.items()])


def see_all_or_nothing(seen: Snapshot) -> None:
    counts = Counter(pod.group for pod in seen.pods if pod.node)
    for (_, name), gang in seen.groups.items():
        assert counts[name] == 0 or counts[name] >= gang.min_member


def see_capacity(seen: Snapshot) -> None:
    used: defaultdict[str, int] = defaultdict(int)
    for each in seen.pods:
        if not each.finished:
            used[each.node] += sum(amount for _, amount in each.shape.requests)
    for each_node in seen.nodes:
        assert used[each_node.name] <= each_node.allocatable["cpu"]


def see_bound_once(seen: Snapshot, decision: Schedule) -> None:
    uids = [binding.pod.uid for binding in decision.bindings]
    assert len(uids) == len(set(uids))
    assert not {pod.uid for pod in seen.pods if pod.node} & set(uids)


@given(NODES, wishes(UNLIKE), WEIGHTS, st.randoms(use_true_random=False))
def test_gangs_start_whole_and_nodes_are_never_overfull(
    nodes: list[int], wanted: list[Wish], weights: dict[str, int], chance: Random
) -> None:
    seen = cluster(nodes, wanted, weights)
    everyone = list(seen.pods)
    chance.shuffle(everyone)
    arrived = 0
    for _ in range(MOST_ROUNDS):
        arrived = min(len(everyone), arrived + chance.randint(0, 4))
        known = {pod.uid: pod for pod in seen.pods}
        seen = replace(seen, pods=tuple(known.get(pod.uid, pod) for pod in everyone[:arrived]))
        decision = decide(seen, NOW)
        see_bound_once(seen, decision)
        seen = after(seen, decision)
        see_all_or_nothing(seen)
        see_capacity(seen)
        running = [pod.uid for pod in seen.pods if pod.phase == "Running"]
        seen = ended(seen, chance.sample(running, min(len(running), chance.randint(0, 3))))
        if arrived == len(everyone) and not running:
            break


@given(NODES, wishes(ALIKE), WEIGHTS)
def test_a_gang_that_fits_an_empty_cluster_runs_once_others_have_ended(
    nodes: list[int], wanted: list[Wish], weights: dict[str, int]
) -> None:
    seen = cluster(nodes, wanted, weights)
    fit = {
        f"gang-{number}"
        for number, wish in enumerate(wanted)
        if min(len(wish.cpus), sum(cpus // wish.cpus[0] for cpus in nodes)) >= wish.minimum
    }
    ran: set[str | None] = set()
    for _ in range(MOST_ROUNDS):
        decision = decide(seen, NOW)
        ran |= {binding.pod.group for binding in decision.bindings}
        seen = after(seen, decision)
        seen = ended(seen, [pod.uid for pod in seen.pods if pod.phase == "Running"])
        if not decision.bindings:
            break
    assert ran == fit


@given(NODES, wishes(UNLIKE), WEIGHTS)
def test_what_is_bound_already_needs_no_second_decision(
    nodes: list[int], wanted: list[Wish], weights: dict[str, int]
) -> None:
    seen = cluster(nodes, wanted, weights)
    first = decide(seen, NOW)
    assumed = {binding.pod.uid: binding.node for binding in first.bindings}
    again = decide(replace(seen, assumed=assumed), NOW)
    assert not {binding.pod.uid for binding in again.bindings} & assumed.keys()
    assert again.bindings == decide(after(seen, first), NOW).bindings


@given(NODES, wishes(UNLIKE), st.integers(0, 8))
def test_a_restart_in_the_middle_of_binding_leaves_no_gang_in_part(
    nodes: list[int], wanted: list[Wish], bound_before: int
) -> None:
    seen = cluster(nodes, wanted, {})
    first = decide(seen, NOW)
    assume(len(first.bindings) > bound_before)
    cut = after(seen, replace(first, bindings=first.bindings[:bound_before]))
    whole = after(cut, decide(cut, NOW))
    see_capacity(whole)
    begun = {pod.group for pod in cut.pods if pod.node}
    counts = Counter(pod.group for pod in whole.pods if pod.node)
    alike = {name for name in begun if len({pod.shape for pod in cut.pods if pod.group == name}) == 1}
    for name in alike:
        assert name is not None
        assert counts[name] >= seen.groups["ns", name].min_member


def level_shares(total: int, weights: dict[str, int], requests: dict[str, int]) -> dict[str, Fraction]:
    """By bisection on the level of the water that is filled into vessels as wide as the weights."""
    if sum(requests.values()) <= total:
        return {name: Fraction(amount) for name, amount in requests.items()}
    low, high = Fraction(0), Fraction(max(requests.values()))
    for _ in range(80):
        level = (low + high) / 2
        filled = sum(min(Fraction(requests[name]), weights[name] * level) for name in weights)
        low, high = (level, high) if filled <= total else (low, level)
    return {name: min(Fraction(requests[name]), weights[name] * low) for name in weights}


@given(
    st.integers(0, 10_000),
    st.dictionaries(
        st.sampled_from("abcdef"), st.tuples(st.integers(1, 9), st.integers(0, 10_000)), min_size=1
    ),
)
def test_shares_are_those_of_another_solver(total: int, queues: dict[str, tuple[int, int]]) -> None:
    weights = {name: weight for name, (weight, _) in queues.items()}
    requests = {name: request for name, (_, request) in queues.items()}
    found = deserved(total, weights, requests, {})
    expected = level_shares(total, weights, requests)
    assert all(abs(found[name] - expected[name]) < Fraction(1, 10**9) for name in queues)
    assert sum(found.values()) == min(total, sum(requests.values()))


@given(
    st.integers(1, 30),
    st.fixed_dictionaries({name: st.tuples(st.integers(1, 4), st.integers(0, 20)) for name in ALL_QUEUES}),
)
def test_queues_get_their_shares_to_less_than_one_pod(cpus: int, asked: dict[str, tuple[int, int]]) -> None:
    weights = {name: weight for name, (weight, _) in asked.items()}
    requests = {name: number for name, (_, number) in asked.items()}
    groups = [group(name, 1, queue=name) for name in ALL_QUEUES]
    pods: list[Pod] = [pod(name, 1) for name in ALL_QUEUES for _ in range(requests[name])]
    seen = snapshot([node(cpus)], pods, groups, [queue(*item) for item in weights.items()])
    given_to = Counter(binding.pod.group for binding in decide(seen, NOW).bindings)
    for name, share in level_shares(cpus, weights, requests).items():
        assert abs(given_to[name] - share) < 1
    assert given_to.total() == min(cpus, len(pods))
