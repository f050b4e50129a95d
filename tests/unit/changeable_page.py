"""What is judged by each field that may change, and docs/reference/changeable.md, which says so.

A fact or an invariant is judged by a field if it finds something else of an example in which the field had
another value throughout. ``python tests/unit/changeable_page.py`` writes the page.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from fact_examples import every_told
from later import differing, later, throughout
from test_foreign_invariants import EVERY

from batchproof.ground import documents, suite
from batchproof.ground.errors import BatchproofError
from batchproof.judgement import facts
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Record
from batchproof.judgement.invariants import breaches, invariants
from batchproof.judgement.observed import observe
from batchproof.report.markdown import plain, table
from batchproof.specification.changeable import CHANGEABLE, ChangeableField, read_changeable
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CHANGES, PROBLEMS = read_changeable(suite.features() / CHANGEABLE)
documents.refuse(PROBLEMS)
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "changeable.md"


def broken(area: str, records: Sequence[Record]) -> list[tuple[str, tuple[int, ...]]]:
    """The invariants that a history breaks, each with the records that decide."""
    in_force = {id_: "" for id_ in invariants() if id_.startswith(area)} if area else None
    return [(one.requirement, one.decisive) for one in breaches(observe(records), in_force)]


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
def following(each: int = 1) -> dict[str, set[ChangeableField]]:
    """The facts that find something else of an example once a field is changed after its end.

    Args:
        each: one of this many examples is judged again.
    """
    return _of_facts(later, each)


def _of_facts(others: Any, each: int = 1) -> dict[str, set[ChangeableField]]:
    found: dict[str, set[ChangeableField]] = defaultdict(set)
    examples = chain.from_iterable([(name, *one) for one in told] for name, told in every_told().items())
    for name, call, one in islice(examples, None, None, each):
        if one.records:
            told_again = others(one.records, CHANGES.fields)
            found[name] |= {it.field for it, _, _ in differing(partial(holds, call), one.records, told_again)}
    return {name: fields for name, fields in found.items() if fields}


_HEAD = """\
# Changeable fields

<!-- Made by `python tests/unit/changeable_page.py`: do not edit. -->

Fields that a user or another client may change while an object exists. Whatever is judged by one is judged
by what was stored, and could be seen, at the time: a test judges each example of a fact and of an
invariant again, with a later value, and with one that an implementation could not have seen yet.

The fields are in [features/changeable.yaml](../../features/changeable.yaml). An invariant or a fact is judged
by a field if it finds something else of an example in which the field had another value throughout."""
_COLUMNS = ("object", "field", "invariants", "facts", "scenarios")
_OF_NOW = """\
## Facts that follow a later value

These facts describe what is there now, so a later value may change what they find."""


Judged: TypeAlias = "Mapping[ChangeableField, tuple[Sequence[str], Sequence[str]]]"


def judged_by() -> Judged:
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


def page(judged: Judged) -> str:
    """The page as it is now.

    Args:
        judged: the invariants and the facts that are judged by each field.
    """
    blocks = [_HEAD]
    for profile in dict.fromkeys(one.profile for one in CHANGES.fields):
        rows = [_row(one, *judged[one]) for one in CHANGES.fields if one.profile == profile]
        blocks += [f"## {profile}", table(_COLUMNS, rows, str)]
    lines = [f"- `{name}`: {plain(why)}" for name, why in sorted(CHANGES.facts_of_now.items())]
    return "\n\n".join([*blocks, _OF_NOW, "\n".join(lines)]) + "\n"


def frame(text: str) -> str:
    """The page without its invariants and facts."""
    return "\n".join(map(_frame, text.splitlines()))


def _frame(line: str) -> str:
    cells = line.split(" | ")
    return " | ".join([*cells[:2], *cells[4:]]) if len(cells) == len(_COLUMNS) else line


def _row(one: ChangeableField, ids: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    registry = load_registry()
    yield "<br>".join(f"`{it}`" for it in one.of) or one.asked
    yield f"`{'.'.join(one.path)}`"
    yield ", ".join(_link(id_, registry) for id_ in ids if registry[id_].profile == one.profile) or "none"
    yield ", ".join(f"`{name}`" for name in names if _is_of(name, one.profile)) or "none"
    yield ", ".join(_link(id_, registry) for id_ in one.scenarios) or f"**open**: {plain(one.open)}"


def _link(id_: str, registry: Any) -> str:
    it = registry[id_.partition(".")[0]]
    return f"[{id_}](../../features/requirements/{it.path.name}#{it.id})"


def _is_of(name: str, profile: str) -> bool:
    """A fact is one of a profile, or of several."""
    known = {it.name: it.rule.__module__ for it in facts.every()}
    return f".{profile.replace('-', '_')}." in known[name] or ".shared." in known[name]


if __name__ == "__main__":
    for name, fields in following().items():
        if name not in CHANGES.facts_of_now:
            sys.stdout.write(f"{name} follows {sorted('.'.join(it.path) for it in fields)}\n")
    PAGE.write_text(page(judged_by()), "utf-8")
