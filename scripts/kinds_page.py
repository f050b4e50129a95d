"""The kinds of inputs and what plays them: docs/reference/kinds.md of the site."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.ground import suite
from batchproof.profiles import profiles
from batchproof.report.markdown import plain, table
from batchproof.specification.gherkin import parse_features
from batchproof.specification.kinds import Kind, KindCell, Kinds, Table, load_tables
from batchproof.specification.kinds_lint import counts
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_PATH = Path(__file__).parents[1] / "docs" / "reference" / "kinds.md"
_HEAD = """\
# Kinds of inputs

<!-- Made by `python scripts/site_pages.py`. -->

Most faults of real controllers and schedulers were found by inputs of a few kinds. Each profile says for
each kind, and for each object that its implementations watch or write, which scenarios have such an input. A
cell is

- **scenarios**, by their ids;
- **grid**: these scenarios have it when the [fault grid](../how-to/fault-grid.md) runs them under the fault
  profile of the column;
- **reason**: no scenario has it, and the note says why;
- **open**: no scenario has it yet, and the note says what it would be.

A dash says that the object has no such part, or that such a request cannot end so.

The kinds and their columns are in [features/kinds.yaml](../../features/kinds.yaml), the cells of a profile
in `features/PROFILE/kinds.yaml`. `batchproof lint` reports an empty cell as an error, and counts the open
ones."""
_ABSENT = "-"


def pages() -> dict[Path, str]:
    """The text of the page."""
    kinds, tables = load_tables(suite.features(), profiles())
    blocks = [_HEAD, _shares(tables), _apart(kinds)]
    links = _links()
    for kind in kinds.kinds:
        blocks += [f"## {kind.title}", plain(kind.says)]
        for profile, one in tables.items():
            blocks += _of_profile(profile, [cell for cell in one.cells if cell.kind is kind], links)
    return {_PATH: "\n\n".join(blocks) + "\n"}


def _shares(tables: Mapping[str, Table]) -> str:
    """How the cells of each profile are filled."""
    found = {f"[{name}](../../features/{name}/kinds.yaml)": counts(one.cells) for name, one in tables.items()}
    found["all"] = counts(cell for one in tables.values() for cell in one.cells)
    lines = (
        (
            name,
            str(it.all),
            str(it.scenarios),
            str(it.grid),
            str(it.reason),
            f"{it.reasons:.0%}",
            str(it.open),
        )
        for name, it in found.items()
    )
    head = ("profile", "cells", "scenarios", "grid", "reason", "share of reasons", "open")
    return table(head, lines, str)


def _apart(kinds: Kinds) -> str:
    return "\n".join(f"`{resource}` has no row. {plain(why)}" for resource, why in kinds.apart.items())


def _links() -> dict[str, str]:
    """A link to its requirement for the id of each scenario and case."""
    registry = load_registry()
    found: dict[str, str] = {}
    for one in parse_features():
        for requirement in (registry[id_] for id_ in one.requirements if id_ in registry):
            place = f"../../features/requirements/{requirement.path.name}#{requirement.id}"
            found |= {id_: f"[{id_}]({place})" for id_ in (one.id, *(case.id for case in one.cases))}
    return found


def _of_profile(profile: str, cells: Iterable[KindCell], links: Mapping[str, str]) -> Iterator[str]:
    """The table of one kind in one profile, and its notes; each set of columns has a table of its own."""
    notes: dict[int, int] = {}
    sentences: list[str] = []
    rows = [list(its) for _, its in groupby(cells, key=lambda cell: cell.row.name)]
    for cell in (cell for row in rows for cell in row):
        if cell.sentence and cell.line not in notes:
            notes[cell.line] = len(notes) + 1
            sentences.append(f"{notes[cell.line]}. {plain(cell.sentence)}")
    if not rows:
        return
    yield f"### {rows[0][0].kind.title}: {profile}"
    for columns, its in groupby(rows, key=_columns):
        lines = [[plain(row[0].row.name), *_line(row, columns, notes, links)] for row in its]
        yield table(("", *columns), lines, str)
    if sentences:
        yield "\n".join(sentences)


def _columns(row: list[KindCell]) -> tuple[str, ...]:
    """What heads the table of a row: all columns of its kind, or its own where it has values."""
    kind: Kind = row[0].kind
    return tuple(it.name for it in kind.columns) or tuple(cell.column.name for cell in row)


def _line(
    row: Iterable[KindCell], columns: Iterable[str], notes: Mapping[int, int], links: Mapping[str, str]
) -> Iterator[str]:
    filled = {cell.column.name: _text(cell, notes, links) for cell in row}
    return (filled.get(column, _ABSENT) for column in columns)


def _text(cell: KindCell, notes: Mapping[int, int], links: Mapping[str, str]) -> str:
    ids = ", ".join(links.get(id_, id_) for id_ in cell.ids)
    match cell.filled:
        case "scenarios":
            return ids
        case "grid":
            return f"grid: {ids}"
        case "open":
            return f"**open** ({notes[cell.line]})"
        case "reason":
            return f"reason ({notes[cell.line]})"
        case None:
            return ""
