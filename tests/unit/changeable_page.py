"""Makes docs/reference/changeable.md: what is judged by each field that may change.

A fact or an invariant is judged by a field if it finds something else of an example in which the field had
another value throughout. ``python tests/unit/changeable_page.py`` writes the page.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fact_examples import every_told
from later import differing, later, throughout
from test_changeable import CHANGES, broken
from test_foreign_invariants import EVERY

from batchproof.errors import BatchproofError
from batchproof.judgement import facts
from batchproof.judgement.observed import observe
from batchproof.report.markdown import plain, table
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Record
    from batchproof.specification.changeable import ChangeableField

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "changeable.md"


def broken_safely(area: str, records: Sequence[Record]) -> list[tuple[str, tuple[int, ...]]] | None:
    """The invariants that a history breaks; None where a rule can make nothing of a value."""
    try:
        return broken(area, records)
    except BatchproofError:
        return None


def holds(call: FactCall, records: Sequence[Record]) -> bool | str:
    """Whether a fact holds of a history, or the kind of the error."""
    try:
        return call.of(observe(records)).holds
    except (BatchproofError, LookupError, ValueError, TypeError, AttributeError) as error:
        return type(error).__name__


@cache
def following() -> dict[str, set[ChangeableField]]:
    """The facts that find something else of an example once a field is changed after its end."""
    return _of_facts(later)


def _of_facts(others: Any) -> dict[str, set[ChangeableField]]:
    found: dict[str, set[ChangeableField]] = defaultdict(set)
    for name, told in every_told().items():
        for call, one in told:
            if one.records:
                told_again = others(one.records, CHANGES.fields)
                found[name] |= {
                    it.field for it, _, _ in differing(partial(holds, call), one.records, told_again)
                }
    return {name: fields for name, fields in found.items() if fields}


_HEAD = """\
# Changeable fields

<!-- Made by `python tests/unit/changeable_page.py`: do not edit. -->

Fields that a user or another client may change while an object exists. Whatever is judged by one is judged
by what was stored, and could be seen, at the time: a test judges each example of a fact and of an
invariant again, with a later value, and with one that an implementation could not have seen yet.

The fields are in [features/changeable.yaml](../../features/changeable.yaml). An invariant or a fact is judged
by a field if it finds something else of an example in which the field had another value throughout."""
_OF_NOW = """\
## Facts that follow a later value

These facts describe what is there now, so a later value may change what they find."""


@cache
def judged_by() -> dict[ChangeableField, tuple[list[str], list[str]]]:
    """The requirements of the invariants, and the facts, that are judged by each field."""
    ids: dict[ChangeableField, set[str]] = defaultdict(set)
    stories: list[Any] = [case.values for case in EVERY]
    for area, told in stories:
        records: Sequence[Record] = told.records
        others = throughout(records, CHANGES.fields)
        for it, here, there in differing(partial(broken_safely, area), records, others):
            if there is not None and here is not None:
                ids[it.field] |= {id_ for id_, _ in set(here) ^ set(there)}
    names: dict[ChangeableField, set[str]] = defaultdict(set)
    for name, fields in _of_facts(throughout).items():
        for one in fields:
            names[one].add(name)
    return {one: (sorted(ids[one]), sorted(names[one])) for one in CHANGES.fields}


def page() -> str:
    """The page as it is now."""
    blocks = [_HEAD]
    for profile in dict.fromkeys(one.profile for one in CHANGES.fields):
        rows = [_row(one) for one in CHANGES.fields if one.profile == profile]
        head = ("object", "field", "invariants", "facts", "scenarios")
        blocks += [f"## {profile}", table(head, rows, str)]
    lines = [f"- `{name}`: {plain(why)}" for name, why in sorted(CHANGES.facts_of_now.items())]
    return "\n\n".join([*blocks, _OF_NOW, "\n".join(lines)]) + "\n"


def _row(one: ChangeableField) -> Iterator[str]:
    registry = load_registry()
    ids, names = judged_by()[one]
    yield "<br>".join(f"`{it}`" for it in one.of) or one.asked
    yield f"`{'.'.join(one.path)}`"
    yield ", ".join(_link(id_, registry) for id_ in ids if registry[id_].profile == one.profile) or "none"
    yield ", ".join(f"`{name}`" for name in names if _is_of(name, one.profile)) or "none"
    yield ", ".join(_link(id_, registry) for id_ in one.scenarios) or f"**open**: {plain(one.open)}"


def _link(id_: str, registry: Any) -> str:
    it = registry[id_.partition(".")[0]]
    return (
        f"[{id_}](../requirements/{it.profile}.md#{it.id}-{it.level}".lower().replace(id_.lower(), id_, 1)
        + ")"
    )


def _is_of(name: str, profile: str) -> bool:
    """A fact is one of a profile, or of several."""
    known = {it.name: it.rule.__module__ for it in facts.every()}
    return f".{profile.replace('-', '_')}." in known[name] or ".shared." in known[name]


if __name__ == "__main__":
    for name, fields in following().items():
        if name not in CHANGES.facts_of_now:
            sys.stdout.write(f"{name} follows {sorted('.'.join(it.path) for it in fields)}\n")
    PAGE.write_text(page(), "utf-8")
