"""The matrix: which mutant breaks which requirement, and which sentence of which scenario killed it.

``defects.json`` keeps it, in the words that its format has had from the beginning: a defect is a mutant,
``caught`` is killed, ``missed`` is survived. Shards of one selection merge into one matrix; a gap is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec.structs import replace

from batchproof.ground import stored
from batchproof.ground.errors import UserError
from batchproof.report.catches import Kill, Survival
from batchproof.report.records import Level
from batchproof.report.wording import count, named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SCHEMA_VERSION: Final = 1
FILE_NAME = "defects.json"
OUTCOMES: Final = {"caught": "killed", "missed": "survived", "not-declared": "not declared"}
"""What people read, for each verdict as the format writes it."""


class MutatedRequirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requirement that mutants break."""

    level: Level
    profile: str
    sentence: str
    capability: str | None = None


class MutantResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a mutant.

    Attributes:
        defect: its name.
        requirement: what it breaks.
        what: one sentence: what the changed controller does wrong.
        planted: where it differs from the reference, as ``file::Class.method``.
        catch: how it was killed; None if it was not.
        misses: the scenarios of its requirement that did not kill it.
        warnings: what makes the kill doubtful.
        not_declared: the capability of its requirement, if the implementation does not declare it: then the
            requirement does not hold for it, and nothing can be said of the mutant.
        took_s: how long its scenarios took, one after the other.
        verdict: what that comes to; it follows from the rest, whatever a file says.
    """

    defect: str
    requirement: str
    what: str
    planted: tuple[str, ...]
    catch: Kill | None = None
    misses: tuple[Survival, ...] = ()
    warnings: tuple[str, ...] = ()
    not_declared: str | None = None
    took_s: float = 0.0
    verdict: Literal["caught", "missed", "not-declared"] = "missed"

    def __post_init__(self) -> None:
        verdict = "caught" if self.catch else "not-declared" if self.not_declared else "missed"
        msgspec.structs.force_setattr(self, "verdict", verdict)

    @property
    def outcome(self) -> str:
        """The verdict in the words of mutation testing, as people read it."""
        return OUTCOMES[self.verdict]


class Selection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the mutants a run was for.

    Attributes:
        profiles: the profiles.
        implementations: what was changed, by profile.
        expression: what ``-k`` said.
        since: the revision since which something had to have changed; empty: any.
        proved: the record of kills that left mutants out, and how many of these were drawn; empty: none.
        shard: its number and how many there are; ``1/1`` for all.
    """

    profiles: tuple[str, ...]
    implementations: Mapping[str, str]
    expression: str = ""
    since: str = ""
    proved: str = ""
    shard: str = "1/1"


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Requirements, and the mutants that break them.

    Attributes:
        schema: the version of this format.
        batchproof: the version of batchproof.
        digest: of all that decides what is found: features, steps, harness, reference and mutants.
        selection: what the run was for.
        planned: the names of all mutants of the selection, whatever the shard.
        requirements: every requirement of the profiles, by id.
        rows: the mutants of the shard.
        took_s: how long the run took.
    """

    schema: Literal[1]
    batchproof: str
    digest: str
    selection: Selection
    planned: tuple[str, ...]
    requirements: Mapping[str, MutatedRequirement]
    rows: tuple[MutantResult, ...]
    took_s: float = 0.0

    def of(self, verdict: str) -> tuple[MutantResult, ...]:
        """The mutants with that verdict."""
        return tuple(row for row in self.rows if row.verdict == verdict)

    @property
    def whole(self) -> bool:
        """Nothing was left out: neither by choice nor by shards."""
        chosen = self.selection
        return chosen == replace(chosen, expression="", since="", proved="", shard="1/1")

    @property
    def bare(self) -> tuple[str, ...]:
        """The MUST requirements without a mutant."""
        broken = {row.requirement for row in self.rows}
        return tuple(
            id_ for id_, one in self.requirements.items() if one.level == "MUST" and id_ not in broken
        )

    @property
    def exit_code(self) -> int:
        """0 only if some mutant was judged (of a part: or none), and every one that was is killed."""
        chosen = self.selection
        some = self.of("caught") or chosen.since or chosen.proved or chosen.shard != "1/1"
        return 0 if some and not self.of("missed") else 1

    @property
    def sentence(self) -> str:
        """The one line that ends a run."""
        killed, survived, others = (len(self.of(one)) for one in OUTCOMES)
        rest = f"; {others} of capabilities that are not declared" if others else ""
        part = "" if self.whole else f"; this is a part: {count(len(self.rows), 'mutant')}"
        return f"{killed} of {killed + survived} mutants killed{rest}{part}"


class _Version(msgspec.Struct):
    schema: Any


def dump(matrix: Matrix) -> bytes:
    """The matrix as JSON."""
    return stored.indented(matrix)


def load(folder: Path) -> Matrix:
    """The matrix in a folder.

    Raises:
        UserError: there is none, or it cannot be read.
    """
    path = folder / FILE_NAME if folder.is_dir() else folder
    what = "a matrix of mutants, as `batchproof mutants` writes it"
    if (schema := stored.read(path, _Version, what).schema) != SCHEMA_VERSION:
        raise UserError(f"{path}: in schema {schema}, this batchproof reads schema {SCHEMA_VERSION}")
    return stored.read(path, Matrix, what)


def merged(shards: Sequence[Matrix]) -> Matrix:
    """One matrix of all shards of a selection.

    Raises:
        UserError: they do not belong together, or something is missing or appears twice.
    """
    first = shards[0]
    for other in shards[1:]:
        _belong(first, other)
    total = int(first.selection.shard.partition("/")[2])
    numbers = [int(one.selection.shard.partition("/")[0]) for one in shards]
    if twice := sorted({one for one in numbers if numbers.count(one) > 1}):
        raise UserError(f"shard {twice[0]}/{total} is there twice")
    if missing := [f"{one}/{total}" for one in range(1, total + 1) if one not in numbers]:
        raise UserError(f"the matrix has a gap: shard {named(missing, 10)} is missing")
    rows = {row.defect: row for one in shards for row in one.rows}
    if gap := [name for name in first.planned if name not in rows]:
        raise UserError(f"the matrix is incomplete: no shard ran {named(gap, 10)}")
    selection = replace(first.selection, shard="1/1")
    ordered = tuple(rows[name] for name in first.planned)
    return replace(first, selection=selection, rows=ordered, took_s=max(one.took_s for one in shards))


def _belong(first: Matrix, other: Matrix) -> None:
    """Two shards are of one selection, of the same suite."""
    if (first.batchproof, first.digest) != (other.batchproof, other.digest):
        raise UserError("the shards are of different states of the suite, the reference or the mutants")
    ours, theirs = first.selection, other.selection
    if replace(ours, shard="") != replace(theirs, shard="") or first.planned != other.planned:
        raise UserError(f"the shards are of different selections: {ours} and {theirs}")
    totals = [one.shard.partition("/")[2] for one in (ours, theirs)]
    if totals[0] != totals[1]:
        raise UserError(f"the shards are of different divisions: {ours.shard} and {theirs.shard}")
