"""The results of all shards as those of one run: each shard of the plan, whole, and once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from batchproof.ground.errors import UserError
from batchproof.report.records import VERDICTS, Footer, Header, Planned, ScenarioRecord
from batchproof.report.results import Results
from batchproof.report.wording import named
from batchproof.submitting.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

P = TypeVar("P", bound="ShardFiles")
_OWN: Final = {"machine", "workers", "started", "planned", "required"}
"""What the headers of two shards of a run may say differently."""


class MergeError(UserError):
    """The results of the shards are not those of one run; the message has a line for each reason."""


@dataclass(frozen=True, slots=True)
class ShardFiles:
    """What a shard sent.

    Attributes:
        shard: its index, as it says.
        plan: the digest of its plan, as it says.
        required: the requirements that need a verdict if everything is selected.
        origin: where it comes from, for messages: the name of its pod.
        folder: where its files lie.
    """

    shard: int
    plan: str
    required: tuple[str, ...]
    origin: str
    folder: Path


@dataclass(frozen=True, slots=True)
class ShardResults(ShardFiles):
    """The results of a shard of a run, as they were read."""

    results: Results


def check_parts(plan: Plan, parts: Sequence[ShardFiles], *wrong: str) -> None:
    """See that each shard of a plan is there, once.

    Args:
        plan: what they were to play.
        parts: what they sent.
        wrong: what else is wrong with them.

    Raises:
        MergeError: a shard is missing, doubled or foreign, or something else is wrong.
    """
    foreign = [f"{one.origin}: {why}" for one in parts for why in _stranger(plan, one)]
    if reasons := [*foreign, *wrong, *_not_once(plan, parts)]:
        raise MergeError(
            "the results of the shards cannot be merged:\n" + "\n".join(f"  {one}" for one in reasons)
        )


def in_order(parts: Iterable[P]) -> list[P]:
    """The parts by the index of their shard."""
    return sorted(parts, key=lambda one: one.shard)


def merged(plan: Plan, parts: Sequence[ShardResults], order: Iterable[str]) -> Results:
    """One run of all shards.

    Args:
        plan: what they were to play.
        parts: what they played.
        order: the ids of all that is played, in the order of a run that has no shards.

    Raises:
        MergeError: a shard is missing, doubled or foreign, or did not play what the plan says.
    """
    own = [one for one in parts if not [*_stranger(plan, one)]]
    foreign = [f"{one.origin}: {why}" for one in own for why in _foreign(plan, one)]
    check_parts(plan, parts, *foreign, *_unlike(parts))
    ordered = in_order(parts)
    places = {id_: place for place, id_ in enumerate(order)}
    return Results(_header(plan, ordered, places), tuple(_scenarios(ordered, places)), _footer(ordered))


def _stranger(plan: Plan, part: ShardFiles) -> Iterator[str]:
    """Why a part is of no shard of the plan."""
    if part.plan != plan.digest:
        yield f"foreign: its plan is {part.plan}, that of this run is {plan.digest}"
    elif not 0 <= part.shard < len(plan.shards):
        yield f"foreign: there is no shard {part.shard}; the last is {len(plan.shards) - 1}"


def _foreign(plan: Plan, part: ShardResults) -> Iterator[str]:
    """Why the results are not what a shard of the plan plays."""
    header = part.results.header
    told = {
        "run": (header.run, plan.run),
        "suite": (header.suite.digest, plan.suite),
        "code": (header.suite.code, plan.code),
        "descriptor": (header.implementation.descriptor_digest, plan.descriptor_digest),
        "profile": (header.profile, plan.profile),
        "selection": (header.suite.selection, plan.expression),
    }
    for what, (is_, should_be) in told.items():
        if is_ != should_be:
            yield f"foreign: its {what} is {is_}, that of this run is {should_be}"
    written = {_case(one): one.id for one in header.planned if not one.fault}
    strange = {one.id for one in header.planned if _case(one) not in written}  # under faults alone
    yield from not_as_planned(plan, part, {*written.values()} | strange)


def not_as_planned(plan: Plan, part: ShardFiles, played: Collection[str]) -> Iterator[str]:
    """What a shard played that the plan does not give to it, and what it did not play."""
    mine = {*plan.shards[part.shard]}
    if more := sorted({*played} - mine):
        yield f"foreign: shard {part.shard} ran {_some(more)}, which the plan gives to another"
    if less := sorted(mine - {*played}):
        yield f"shard {part.shard} lacks {_some(less)}"


def _case(one: Planned) -> tuple[str, str, str | None]:
    """What a play under faults and the scenario itself have in common."""
    return one.feature, one.name, one.example


def _not_once(plan: Plan, parts: Iterable[ShardFiles]) -> Iterator[str]:
    """The shards that are missing or doubled."""
    origins: dict[int, list[str]] = {number: [] for number in range(len(plan.shards))}
    for part in parts:
        origins.setdefault(part.shard, []).append(part.origin)
    for number, found in sorted(origins.items()):
        if not found:
            yield f"missing: shard {number}"
        elif found[1:]:
            yield f"doubled: shard {number} comes from {named(found)}"


def _unlike(parts: Sequence[ShardResults]) -> Iterator[str]:
    """What the shards say differently of that which is the same in a run."""
    for part in parts[1:]:
        one, other = parts[0].results.header, part.results.header
        names = [name for name in Header.__struct_fields__ if name not in _OWN]
        if differs := [name for name in names if getattr(one, name) != getattr(other, name)]:
            yield f"{part.origin} and {parts[0].origin} say different things of {named(differs)}"
        if part.required != parts[0].required:
            yield f"{part.origin} and {parts[0].origin} require different things"


def _header(plan: Plan, parts: Sequence[ShardResults], places: Mapping[str, int]) -> Header:
    headers = [one.results.header for one in parts]
    planned = [each for one in headers for each in one.planned]
    tested = {each.requirement for each in planned}
    whole = not plan.expression and not plan.faults
    machines = Counter(one.machine for one in headers)
    return msgspec.structs.replace(
        headers[0],
        machine="; ".join(f"{count} of {machine}" for machine, count in sorted(machines.items())),
        workers=sum(one.workers for one in headers),
        started=min((one.started for one in headers), key=datetime.fromisoformat),
        planned=tuple(sorted(planned, key=lambda each: places[each.id])),
        required=tuple(one for one in parts[0].required if whole or one in tested),
    )


def _scenarios(parts: Sequence[ShardResults], places: Mapping[str, int]) -> list[ScenarioRecord]:
    """The records in that order; two shards have workers of the same name."""
    records = [
        msgspec.structs.replace(one, worker=f"{part.shard}-{one.worker}")
        for part in parts
        for one in part.results.scenarios
    ]
    return sorted(records, key=lambda one: places[one.id])


def _footer(parts: Sequence[ShardResults]) -> Footer:
    began = min(datetime.fromisoformat(one.results.header.started) for one in parts)
    last = max((one.results.footer.finished for one in parts), key=datetime.fromisoformat)
    counts = Counter(each.verdict for one in parts for each in one.results.scenarios)
    reasons = [
        f"shard {one.shard}: {one.results.footer.reason}" for one in parts if one.results.footer.reason
    ]
    return Footer(
        finished=last,
        duration_s=round((datetime.fromisoformat(last) - began).total_seconds(), 3),
        complete=all(one.results.footer.complete for one in parts),
        reason="; ".join(reasons),
        counts={verdict: counts[verdict] for verdict in VERDICTS},
    )


def _some(ids: Sequence[str]) -> str:
    return ids[0] if len(ids) == 1 else f"{ids[0]} and {len(ids) - 1} more"
