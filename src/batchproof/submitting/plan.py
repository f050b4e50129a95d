"""Which shard plays what: decided once, and the same for each reader of the plan."""

from __future__ import annotations

import hashlib
import heapq
from math import fsum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from batchproof.ground import stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE_NAME: Final = "plan.json"


CommandName: TypeAlias = Literal["run", "mutants", "explore"]
"""What can be submitted."""


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all shards of a run have in common, and what each of them plays.

    Attributes:
        command: what is submitted, as the command that does it here is called.
        run: the id of the run in its results.
        suite: the digest of the suite that plays.
        code: the digest of that and of the references.
        implementation: the descriptor: a bundled one by its name, any other by the name of its file; of
            mutants empty where each profile has its own reference.
        descriptor_digest: of the descriptor.
        profile: what the implementation is judged as; of mutants empty: all profiles.
        expression: what was selected, as after ``-k``; empty: everything.
        strict: what could not be judged the first time, or not at all, fails the run.
        accept_known: the run does not fail with core requirements that deviations cover.
        workers: how many scenarios, mutants or programs a shard plays at once.
        faults: the fault profiles under which each scenario is played too.
        shards: what each shard plays, in the order of its index: ids of scenarios, names of mutants, or the
            seed of an exploration.
        for_s: how long an exploration begins new programs, in seconds.
    """

    command: CommandName
    run: str
    suite: str
    code: str
    implementation: str
    descriptor_digest: str
    profile: str
    expression: str
    strict: bool
    workers: int
    faults: tuple[str, ...]
    shards: tuple[tuple[str, ...], ...]
    for_s: int = 0
    accept_known: bool = False

    @property
    def digest(self) -> str:
        """By which a shard and its results say of which plan they are."""
        return f"sha256:{hashlib.sha256(self.text).hexdigest()}"

    @property
    def text(self) -> bytes:
        """The plan as JSON; the same plan has the same text."""
        return stored.encode(self)


def shared_out(ids: Iterable[str], took_s: Mapping[str, float], shards: int) -> tuple[tuple[str, ...], ...]:
    """The scenarios of each shard: the longest first, each to the shard that is done first.

    Source: R. L. Graham, "Bounds on multiprocessing timing anomalies" (1969): no more than 4/3 of the best.

    Args:
        ids: the scenarios.
        took_s: how long each takes, in seconds; one that is missing takes as long as the mean of the others.
        shards: how many there are to be; fewer if there are fewer scenarios.

    Returns:
        The ids of each shard, the longest first. The order of ``ids`` does not matter.
    """
    wanted = sorted({*ids})
    known = [took_s[id_] for id_ in wanted if id_ in took_s]
    usual_s = fsum(known) / len(known) if known else 1.0
    lasts_s = {id_: took_s.get(id_, usual_s) for id_ in wanted}
    loads = [(0.0, number) for number in range(max(1, min(shards, len(wanted))))]
    found: list[list[str]] = [[] for _ in loads]
    for id_ in sorted(wanted, key=lambda one: (-lasts_s[one], one)):
        load_s, number = heapq.heappop(loads)
        found[number].append(id_)
        heapq.heappush(loads, (load_s + lasts_s[id_], number))
    return tuple(map(tuple, found))


def key_of(plan: Plan, shard: int) -> str:
    """What a shard signs its frames with, so that those of another shard or run are not accepted as its own.

    It is no secret from a user that may read the plan.
    """
    return f"{plan.digest} {shard}"
