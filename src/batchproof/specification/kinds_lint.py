"""Is the table of kinds complete, and does each cell name what there is? See ``kinds``."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground.documents import near
from batchproof.ground.resources import Resource
from batchproof.specification.findings import LintFinding, invalid
from batchproof.specification.gherkin import Scenario
from batchproof.specification.kinds import FILE, OTHERS, Kind, KindCell, Table, read_kinds, read_table
from batchproof.specification.kinds_grid import Registered, uncovered, unfit
from batchproof.specification.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

MOST_REASONS = 1 / 6
"""The share of cells that may have a reason instead of a scenario."""
_ALIKE = 0.8
"""Two sentences are alike if they share that part of their words."""
_DEFAULTS = {"reason", "open"}


@dataclass(frozen=True, slots=True)
class Counts:
    """How the cells of a table are filled."""

    scenarios: int = 0
    grid: int = 0
    reason: int = 0
    open: int = 0

    @property
    def all(self) -> int:
        """All cells that are filled."""
        return self.scenarios + self.grid + self.reason + self.open

    @property
    def reasons(self) -> float:
        """The share of those that have a reason."""
        return self.reason / self.all if self.all else 0.0


def counts(cells: Iterable[KindCell]) -> Counts:
    """How many cells are filled in which way."""
    found = Counter(cell.filled for cell in cells if cell.filled)
    return Counts(found["scenarios"], found["grid"], found["reason"], found["open"])


def of_kinds(
    features: Path,
    registered: Mapping[str, Registered],
    scenarios: Sequence[Scenario],
    registry: Registry,
) -> Iterator[LintFinding]:
    """What is wrong with the kinds and with the tables of all profiles.

    Args:
        features: the folder of features.
        registered: what each profile knows of itself, by its name.
        scenarios: all scenarios of the suite.
        registry: the requirements.
    """
    kinds, problems = read_kinds(features / FILE)
    yield from invalid("kinds-invalid", problems)
    if problems:
        return
    tables: dict[str, Table] = {}
    for profile, known in registered.items():
        path = features / profile / FILE
        if not path.is_file():
            message = f"the profile {profile} has no table of kinds: write one, as those of the others are"
            yield LintFinding(path, 1, "kinds-missing", message)
            continue
        table, problems = read_table(path, kinds)
        yield from invalid("kinds-invalid", problems)
        if table:
            tables[profile] = table
            yield from of_table(table, profile, known, scenarios, registry)
    yield from _of_shares(features / FILE, tables)


def of_table(
    table: Table, profile: str, known: Registered, scenarios: Sequence[Scenario], registry: Registry
) -> Iterator[LintFinding]:
    """What is wrong with the table of a profile."""
    suite = _Suite(profile, scenarios)
    yield from _of_objects(table, known)
    for kind in table.kinds.kinds:
        yield from _of_rows(table, kind)
        yield from _of_words(table, kind, profile, registry)
    yield from _of_strange_kinds(table)
    for cell in table.cells:
        yield from _of_cell(table, cell, known, suite)
    yield from _of_sentences(table)
    yield from _of_reasons(table)


class _Suite:
    """The scenarios and their cases by id, and those of one profile among them."""

    def __init__(self, profile: str, scenarios: Iterable[Scenario]) -> None:
        self.profile = profile
        self.every = {id_: one for one in scenarios for id_ in (one.id, *(case.id for case in one.cases))}

    def wrong(self, id_: str) -> str:
        """Why an id cannot fill a cell; empty if it can."""
        if id_ not in self.every:
            return f"there is no scenario {id_}{near(id_, self.every)}"
        feature = self.every[id_].feature
        if not feature.startswith(f"{self.profile}/"):
            return f"{id_} is a scenario of another profile ({feature})"
        return ""


def _at(table: Table, line: int, code: str, message: str) -> LintFinding:
    return LintFinding(table.document.path, line, code, message)


def _of_objects(table: Table, known: Registered) -> Iterator[LintFinding]:
    """Each registered object is in one row, and no other is."""
    seen: dict[Resource, str] = {}
    for one in table.objects:
        line = table.document.line("objects", one.name)
        for resource in one.resources:
            if resource in seen:
                message = f"{resource} is both {seen[resource]} and {one.name}: name it once"
                yield _at(table, line, "kinds-object", message)
            elif resource not in known.objects:
                message = f"{one.name}: the profile has no {resource}: take it out, or record it"
                yield _at(table, line, "kinds-object", message)
            seen[resource] = one.name
    for resource in sorted({*known.objects} - {*table.kinds.apart} - {*seen}, key=str):
        message = f"the profile has {resource}, and no row is about it: add it to objects, and fill its rows"
        yield _at(table, table.document.line("objects"), "kinds-object", message)


def _of_strange_kinds(table: Table) -> Iterator[LintFinding]:
    names = [kind.name for kind in table.kinds.kinds]
    for name in table.document.value["cells"]:
        if name not in names:
            message = f"there is no kind {name!r}{near(name, names)}"
            yield _at(table, table.document.line("cells", name), "kinds-unknown", message)


def _of_rows(table: Table, kind: Kind) -> Iterator[LintFinding]:
    """Each row and each column that the file has is one of the kind."""
    said = table.said(kind.name)
    rows = {row.name: row for row in table.rows(kind)}
    if kind.rows == "listed" and not rows:
        message = f"{kind.name}: no row: list what there is in this profile, or say why there is nothing"
        yield _at(table, table.document.line("cells", kind.name), "kinds-row", message)
    for name, cells in said.items():
        if name != OTHERS and name not in rows:
            message = f"{kind.name}: there is no row {name!r}{near(name, rows)}"
            yield _at(table, table.document.line("cells", kind.name, name), "kinds-unknown", message)
            continue
        about = [rows[name]] if name != OTHERS else [row for row in rows.values() if row.name not in said]
        if not about:
            message = f"{kind.name}: each row has cells of its own: take out the row {OTHERS!r}"
            yield _at(table, table.document.line("cells", kind.name, name), "kinds-unknown", message)
            continue
        columns = [column.name for row in about for column in row.columns]
        for column in cells:
            if column not in columns and column not in _DEFAULTS:
                message = f"{kind.name}: {name}: there is no column {column!r}{near(column, columns)}"
                line = table.document.line("cells", kind.name, name, column)
                yield _at(table, line, "kinds-unknown", message)
        if _DEFAULTS & cells.keys() and {*columns} <= cells.keys():
            message = f"{kind.name}: {name}: each column is filled: take out what is said of the others"
            yield _at(table, table.document.line("cells", kind.name, name), "kinds-unknown", message)


def _of_words(table: Table, kind: Kind, profile: str, registry: Registry) -> Iterator[LintFinding]:
    """What sentences of requirements name has a row."""
    if not kind.words:
        return
    rows = {row.name for row in table.rows(kind)}
    found: dict[str, str] = {}
    for one in registry.values():
        if one.profile == profile:
            found |= {word: one.id for word in kind.words.findall(one.sentence) if word not in found}
    for word, id_ in sorted(found.items()):
        if word not in rows and table.means.get(word) not in rows:
            message = f"{kind.name}: the sentence of {id_} names {word}, and no row is about it: add the row"
            yield _at(table, table.document.line("cells", kind.name), "kinds-row", message)
    for word, row in table.means.items():
        if row not in rows or word not in found:
            wrong = (
                f"there is no row {row!r}" if word in found else f"no sentence of a requirement has {word}"
            )
            yield _at(table, table.document.line("means", word), "kinds-unknown", f"means: {wrong}")


def _of_cell(table: Table, cell: KindCell, known: Registered, suite: _Suite) -> Iterator[LintFinding]:
    place = f"{cell.kind.name}: {cell.row.name}: {cell.column.name}"
    if cell.filled is None:
        message = (
            f"{place}: empty: name its scenarios, or give {{grid: IDS}},"
            " {reason: why none has to} or {open: what the scenario would be}"
        )
        yield _at(table, cell.line, "kinds-empty", message)
    for id_ in cell.ids:
        if wrong := suite.wrong(id_):
            yield _at(table, cell.line, "kinds-scenario", f"{place}: {wrong}")
        elif cell.filled == "grid" and (wrong := unfit(suite.every[id_], id_)):
            yield _at(table, cell.line, "kinds-grid", f"{place}: {wrong}")
    if cell.filled == "grid" and (wrong := uncovered(cell, known)):
        yield _at(table, cell.line, "kinds-grid", f"{place}: {wrong}")


def _of_sentences(table: Table) -> Iterator[LintFinding]:
    """No reason says again what another says, nor does what is open."""
    first_of: dict[int, KindCell] = {}
    for cell in table.cells:
        if cell.sentence:
            first_of.setdefault(cell.line, cell)
    seen: list[KindCell] = []
    for cell in first_of.values():
        words = _words(cell)
        for other in seen:
            if cell.filled == other.filled and _alike(words, _words(other)):
                message = (
                    f"{cell.kind.name}: {cell.row.name}: {cell.column.name}: line {other.line} says that"
                    f" already: say it once, of all columns of a row, or in the row {OTHERS!r} of all rows"
                )
                yield _at(table, cell.line, "kinds-repeated", message)
                break
        seen.append(cell)


def _words(cell: KindCell) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", cell.sentence.lower()))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _ALIKE * len(one | other)


def _of_reasons(table: Table) -> Iterator[LintFinding]:
    found = counts(table.cells)
    if found.reasons > MOST_REASONS:
        message = f"{found.reason} of {found.all} cells have a reason, more than one in six: write scenarios"
        yield LintFinding(
            table.document.path, table.document.line("cells"), "kinds-reasons", message, "warning"
        )


def _of_shares(path: Path, tables: Mapping[str, Table]) -> Iterator[LintFinding]:
    """How much is still to do, in one warning."""
    found = {profile: counts(table.cells) for profile, table in tables.items()}
    every = counts(cell for table in tables.values() for cell in table.cells)
    if every.open:
        each = ", ".join(f"{it.open} of {it.all} of {profile}" for profile, it in found.items() if it.open)
        message = (
            f"{every.open} of {every.all} cells are open ({each}), and {every.reasons:.0%} have a reason:"
            " write the scenarios that `open` in features/PROFILE/kinds.yaml describes"
        )
        yield LintFinding(path, 1, "kinds-open", message, "warning")
