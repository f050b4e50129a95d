"""What changed between two runs: for a terminal, for programs, and for the job summary of CI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from batchproof.ground.screen import printable
from batchproof.report.changes import KINDS, Changes, Kind, VerdictChange
from batchproof.report.markdown import plain, table
from batchproof.report.records import Header
from batchproof.report.wording import count, named, utc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

_STYLES: dict[Kind, str] = {
    "newly broken": "bold red",
    "newly not judged": "yellow",
    "still broken": "red",
    "fixed": "bold green",
    "newly met": "green",
}
_SHOWN = tuple(kind for kind in KINDS if kind != "same")
_FOLDED: tuple[Kind, ...] = ("still broken", "newly met")
"""What a page folds: it is not what the reader came for."""
_MOST_NAMED = 10


def change_table(changed: Changes, *, strict: bool) -> RenderableType:
    """The changes as they are printed: the worst first, each with its old and new verdict."""
    return Group(
        *(Text(printable(text), style, overflow="fold") for text, style in _lines(changed, strict=strict))
    )


def _lines(changed: Changes, *, strict: bool) -> Iterator[tuple[str, str]]:
    yield f"old  {_run(changed.old)}", "dim"
    yield f"new  {_run(changed.new)}", "dim"
    for note in changed.notes:
        yield f"note  {note}", "yellow"
    for kind in _SHOWN:
        for one in changed.of(kind):
            yield "", ""
            yield f"{kind}  {one.id} ({one.level})  {one.sentence}", _STYLES[kind]
            yield f"  {one.before} -> {one.after}", ""
            if one.uncovered:
                yield f"  {one.uncovered}", "yellow"
    yield "", ""
    if changed.not_played:
        yield f"{_left_out(changed)}: {_not_played(changed)}", "dim"
    yield changed.headline(strict=strict), "bold red" if changed.failed(strict=strict) else "bold green"


def changes_json(changed: Changes, *, strict: bool) -> dict[str, Any]:
    """The changes for a program.

    ``worse`` has the ids for which ``batchproof diff`` exits with 1, ``unjudged`` those for which
    ``--strict`` makes it do so; ``failed`` is whether it does, and ``sentence`` says why.
    """
    return {
        "old": _about(changed.old),
        "new": _about(changed.new),
        "failed": changed.failed(strict=strict),
        "sentence": changed.headline(strict=strict),
        "notes": changed.notes,
        "worse": [one.id for one in changed.worse],
        **{kind.replace(" ", "_"): [_row(one) for one in changed.of(kind)] for kind in _SHOWN},
        "same": [one.id for one in changed.of("same")],
        "not_played": changed.not_played,
        "unjudged": changed.unjudged,
    }


def changes_markdown(changed: Changes, *, strict: bool) -> str:
    """The changes as Markdown, for the summary of a CI job."""
    blocks = [
        f"## {plain(changed.new.implementation.name)}: {plain(changed.headline(strict=strict))}",
        table(("", "run"), (("old", _run(changed.old)), ("new", _run(changed.new)))),
    ]
    if changed.notes:
        blocks.append("\n".join(f"- {plain(note)}" for note in changed.notes))
    for kind in _SHOWN:
        if of := changed.of(kind):
            lines = ((f"{one.id} ({one.level})", one.before, _after(one), one.sentence) for one in of)
            rows = table(("requirement", "old", "new", "sentence"), lines)
            blocks += _section(f"{kind} ({len(of)})", rows, folded=kind in _FOLDED)
    if changed.not_played:
        blocks.append(f"{_left_out(changed).capitalize()}: {plain(_not_played(changed))}")
    return "\n\n".join(blocks) + "\n"


def _after(one: VerdictChange) -> str:
    return f"{one.after}; {one.uncovered}" if one.uncovered else one.after


def _section(title: str, rows: str, *, folded: bool) -> list[str]:
    if folded:
        return [f"<details><summary>{title}</summary>", rows, "</details>"]
    return [f"### {title}", rows]


def _run(header: Header) -> str:
    judged = header.implementation
    return f"{judged.name} {judged.version}, {utc(header.started)}"


def _left_out(changed: Changes) -> str:
    return "not selected in the new run" if changed.by_choice else "not run in the new run"


def _not_played(changed: Changes) -> str:
    number = count(len(changed.not_played), "requirement")
    return f"{number}: {named(changed.not_played, _MOST_NAMED)}"


def _about(header: Header) -> dict[str, str]:
    judged = header.implementation
    return {
        "implementation": judged.name,
        "version": judged.version,
        "profile": header.profile,
        "started": header.started,
        "suite": header.suite.digest,
    }


def _row(one: VerdictChange) -> dict[str, Any]:
    return {
        "id": one.id,
        "level": one.level,
        "sentence": one.sentence,
        "old": one.before,
        "new": one.after,
        "hidden_behind": one.hidden_behind,
    }
