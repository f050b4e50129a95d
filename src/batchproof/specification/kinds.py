"""The table of kinds: which inputs that real faults came from a profile plays, and on which objects.

The kinds and their columns stand once, in ``features/kinds.yaml``. ``features/PROFILE/kinds.yaml`` names the
objects of a profile and fills the cells: each is played by scenarios, covered by the fault grid, left out for
a reason, or open. This module reads both; ``kinds_lint`` compares them with the suite.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from batchproof.ground import documents
from batchproof.ground.documents import Document, Problem
from batchproof.ground.resources import Resource, parse_resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

FILE = "kinds.yaml"
"""The file in the folder of features that has the kinds, and that of each profile that has its cells."""

OTHERS = "*"
"""The row that stands for all rows of a kind that do not stand there."""

Filling = Literal["scenarios", "grid", "reason", "open"]
_SENTENCES = ("reason", "open")


@dataclass(frozen=True, slots=True)
class Column:
    """What is done to the object of a row.

    Attributes:
        name: in words, as tables head it.
        grid: the fault profiles of the fault grid that do it; empty if none does.
        needs: the part that an object must have to have a cell here; empty: each has one.
        never: the verbs of requests to which it cannot happen.
    """

    name: str
    grid: tuple[str, ...] = ()
    needs: str = ""
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of inputs.

    Attributes:
        name: its key.
        title: its name in words.
        says: what is played, in a sentence or two.
        rows: what its rows are: the objects of the profile, the writes to them, the values of their status
            that stand-ins set, or what the profile lists.
        columns: what is done; empty for values, where each row has its own.
        words: finds in the sentences of requirements what must have a row; None: the profile alone decides.
    """

    name: str
    title: str
    says: str
    rows: Literal["objects", "writes", "values", "listed"]
    columns: tuple[Column, ...]
    words: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Kinds:
    """All kinds, which are those of every profile.

    Attributes:
        apart: the resources that make no row, each with the reason.
        values: what stand-ins set in the status of the objects of a resource, with all values of its API.
        kinds: the kinds, in the order of the file.
    """

    apart: Mapping[Resource, str] = field(default_factory=dict)
    values: Mapping[Resource, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    kinds: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class Object:
    """What an implementation of a profile watches or writes.

    Attributes:
        name: as rows name it.
        resources: what it is to the API; several where implementations differ in that, or treat them alike.
        writes: how it is written: ``create``, ``update/status``.
        has: the parts that its API has.
        played_by: what plays its status in scenarios; empty if the implementation writes it, or it has none.
    """

    name: str
    resources: tuple[Resource, ...]
    writes: tuple[str, ...]
    has: tuple[str, ...]
    played_by: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a kind.

    Attributes:
        name: as the file has it.
        columns: the columns in which it has a cell.
        about: the object that it is about; None where the profile lists the rows.
        write: how the object is written, where the row is about that; else empty.
    """

    name: str
    columns: tuple[Column, ...]
    about: Object | None = None
    write: str = ""


@dataclass(frozen=True, slots=True)
class KindCell:
    """What is said of one input on one object.

    Attributes:
        kind: the kind.
        row: the row.
        column: the column.
        filled: what fills it; None: it is empty.
        ids: the scenarios or cases that play it, or that the fault grid plays.
        sentence: the reason, or what the scenario would be.
        line: where that stands in the file, from 1.
    """

    kind: Kind
    row: Row
    column: Column
    filled: Filling | None
    ids: tuple[str, ...]
    sentence: str
    line: int


@dataclass(frozen=True)
class Table:
    """What a profile says of all kinds.

    Attributes:
        document: its file.
        kinds: the kinds, which are not its own.
    """

    document: Document
    kinds: Kinds

    @cached_property
    def objects(self) -> tuple[Object, ...]:
        """Its objects, in the order of the file."""
        found: dict[str, dict[str, Any]] = self.document.value["objects"]
        return tuple(
            Object(
                name,
                tuple(parse_resource(it) for it in said["of"]),
                tuple(said.get("writes", ())),
                tuple(said.get("has", ())),
                said.get("played-by", ""),
            )
            for name, said in found.items()
        )

    @property
    def means(self) -> Mapping[str, str]:
        """The row of a word that sentences use for it beside its name."""
        found: dict[str, str] = self.document.value.get("means", {})
        return found

    def said(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """What the file says of the rows of a kind."""
        found: dict[str, dict[str, Any]] = self.document.value["cells"].get(kind, {})
        return found

    def rows(self, kind: Kind) -> list[Row]:
        """The rows that a kind must have here."""
        return list(_ROWS[kind.rows](self, kind))

    @cached_property
    def cells(self) -> tuple[KindCell, ...]:
        """All cells, kind by kind and row by row."""
        return tuple(
            self._cell(kind, row, column)
            for kind in self.kinds.kinds
            for row in self.rows(kind)
            for column in row.columns
        )

    def _cell(self, kind: Kind, row: Row, column: Column) -> KindCell:
        """The cell as its row says it, or as that says of its other columns; else it is empty."""
        said = self.said(kind.name)
        name = row.name if row.name in said else OTHERS
        cells = said.get(name, {})
        if column.name in cells:
            line = self.document.line("cells", kind.name, name, column.name)
            return KindCell(kind, row, column, *_filled(cells[column.name]), line)
        for of in _SENTENCES:
            if of in cells:
                line = self.document.line("cells", kind.name, name, of)
                return KindCell(kind, row, column, *_filled({of: cells[of]}), line)
        return KindCell(kind, row, column, None, (), "", self.document.line("cells", kind.name, name))


def _filled(said: Any) -> tuple[Filling, tuple[str, ...], str]:
    """What fills a cell, with its ids or its sentence."""
    match said:
        case {"grid": ids}:
            return "grid", _ids(ids), ""
        case {"reason": sentence}:
            return "reason", (), sentence
        case {"open": sentence}:
            return "open", (), sentence
        case ids:
            return "scenarios", _ids(ids), ""


def _ids(said: str | list[str]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said)


def _of_objects(table: Table, kind: Kind) -> Iterator[Row]:
    for one in table.objects:
        yield Row(one.name, tuple(it for it in kind.columns if not it.needs or it.needs in one.has), one)


def _of_writes(table: Table, kind: Kind) -> Iterator[Row]:
    for one in table.objects:
        for write in one.writes:
            verb, _, part = write.partition("/")
            columns = tuple(it for it in kind.columns if verb not in it.never)
            yield Row(f"{verb} {one.name}" + (f"/{part}" if part else ""), columns, one, write)


def _of_values(table: Table, _: Kind) -> Iterator[Row]:
    for one in table.objects:
        values = (table.kinds.values.get(resource, {}) for resource in one.resources if one.played_by)
        for name, every in (it for known in values for it in known.items()):
            yield Row(f"{name} of {one.name}", tuple(map(Column, every)), one)


def _of_listed(table: Table, kind: Kind) -> Iterator[Row]:
    return (Row(name, kind.columns) for name in table.said(kind.name) if name != OTHERS)


_ROWS = {"objects": _of_objects, "writes": _of_writes, "values": _of_values, "listed": _of_listed}


def read_kinds(path: Path) -> tuple[Kinds, list[Problem]]:
    """The kinds, and what is wrong with their file."""
    document = documents.read(path, "kinds")
    if document.problems:
        return Kinds(), list(document.problems)
    said = document.value
    values = {
        parse_resource(it): {name: tuple(every) for name, every in of.items()}
        for it, of in said["values"].items()
    }
    kinds = tuple(_kind(name, of) for name, of in said["kinds"].items())
    return Kinds({parse_resource(it): why for it, why in said["apart"].items()}, values, kinds), []


def _kind(name: str, said: Mapping[str, Any]) -> Kind:
    columns = tuple(
        Column(column, tuple(of.get("grid", ())), of.get("needs", ""), tuple(of.get("never", ())))
        for column, of in said.get("columns", {}).items()
    )
    words = re.compile(rf"\b(?:{said['words']})\b") if "words" in said else None
    return Kind(name, said["title"], said["says"], said["rows"], columns, words)


def read_table(path: Path, kinds: Kinds) -> tuple[Table | None, list[Problem]]:
    """What a profile says of the kinds; None with what is wrong if it cannot be read as a table."""
    document = documents.read(path, "kinds-of-profile")
    return (None, list(document.problems)) if document.problems else (Table(document, kinds), [])


def load_tables(features: Path, profiles: Iterable[str]) -> tuple[Kinds, dict[str, Table]]:
    """The kinds and the tables of profiles, for pages; what is wrong with them lint says.

    Raises:
        UserError: a file cannot be read as what it is.
    """
    kinds, problems = read_kinds(features / FILE)
    documents.refuse(problems)
    tables = {}
    for profile in profiles:
        table, problems = read_table(features / profile / FILE, kinds)
        documents.refuse(problems)
        if table:
            tables[profile] = table
    return kinds, tables
