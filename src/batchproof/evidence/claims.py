"""The claims manifest: by which claims, under which faults, each scenario of the suite is judged.

A history carries its own claims. The judge of a replay demands those that the suite itself would make: the
manifest has them for each scenario. It is made from runs (``scripts/claims.py``), and ``batchproof lint``
finds where it is stale. Two implementations that pass a scenario make the same claims in it; what may differ
from run to run stands in the manifest as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from batchproof.descriptor.implementation import Implementation
from batchproof.ground import stored, suite
from batchproof.ground.errors import UserError
from batchproof.judgement.claims import Role
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SINCE: Final = "since"
"""The argument of a fact that is the number of a record: the facts looks no farther back."""
REPEATED: Final = {"one_more_bound": "gangs"}
"""Facts that a step claims as often as it takes, with the argument that differs then."""


class Demand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A claim that a scenario makes.

    Attributes:
        step: the place of the step that makes it, from 0; -1: none does.
        quantifier: how it is claimed.
        fact: the name of the fact.
        limits: the names of the deadline, of which it has one.
        arguments: what the fact is asked for, but for what the run or the dialect says.
        role: what it is for.
        requirement: what it speaks of; empty: the scenario's own.
        optional: not every run makes it.
        back_to: the step in which the record lies that the fact looks back to; None: it looks back to none.
    """

    step: int
    quantifier: Quantifier
    fact: str
    limits: tuple[str, ...]
    arguments: Mapping[str, Any] = {}
    role: Role = Role.JUDGED
    requirement: str = ""
    optional: bool = False
    back_to: int | None = None


class DemandedFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault that a scenario arms.

    Attributes:
        step: the place of the step that arms it.
        text: the fault in words; ``*`` stands for a name that the implementation makes up.
    """

    step: int
    text: str


class Demands(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that a scenario claims and arms.

    Attributes:
        id: the id of the scenario.
        claims: in their order.
        faults: in their order.
        from_words: no run is known in which it passes: only what its sentences claim stands here, and a run
            may make further claims.
        did: what the harness does in each step (see ``deeds``); None: not the same in every run.
    """

    id: str
    claims: tuple[Demand, ...]
    faults: tuple[DemandedFault, ...] = ()
    from_words: bool = False
    did: tuple[tuple[str, ...] | None, ...] = ()


OF_THE_RUN: Final = {
    "deadline_punctual": ("scale",),
    "group_gone": ("resource",),
    "in_phase": ("resource", "path", "phases"),
    "pods_counted": ("resource", "counts"),
    "report_withdrawn": ("resource", "signs"),
    "reported": ("resource", "signs"),
}
"""The arguments of facts that follow from the implementation: from its dialect, or its time scale."""


def of_the_run(fact: str, implementation: Implementation) -> Json:
    """What these arguments of a fact have to be for an implementation."""
    if fact == "deadline_punctual":
        return {"scale": implementation.time_scale}
    dialect, names = implementation.dialect, OF_THE_RUN.get(fact, ())
    if not names or dialect is None:
        return {}
    given: Json = {
        "group_gone": dialect.counting,
        "in_phase": dialect.phasing,
        "pods_counted": dialect.counting,
    }.get(fact, dialect.reporting)
    return json_like({name: given.get(name) for name in names})


def json_like(value: Json) -> Json:
    """A value as it is when it comes out of a history: without tuples."""
    same: Json = msgspec.json.decode(msgspec.json.encode(value))
    return same


# -- the file


def folder() -> Path:
    """The folder of the manifest: a file for each profile, a line for each scenario."""
    return suite.features() / "claims"


@cache
def manifest() -> dict[str, Demands]:
    """What each scenario demands, by its id.

    Raises:
        UserError: a file of the manifest is damaged.
    """
    found: dict[str, Demands] = {}
    for path in sorted(folder().glob("*.jsonl")):
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            try:
                one = msgspec.json.decode(line, type=Demands)
            except msgspec.ValidationError as error:
                raise UserError(f"{path}:{number}: {stored.explain(error)}") from error
            except msgspec.DecodeError as error:
                raise UserError(f"{path}:{number}: {error}") from error
            found[one.id] = one
    return found


def encode(demands: Iterable[Demands]) -> bytes:
    """A file of the manifest: one JSON object a line, in order."""
    return b"".join(msgspec.json.encode(one) + b"\n" for one in demands)
