"""Whatever is judged by a field that may change is judged by what was stored, and could be seen, at the time.

``features/changeable.yaml`` has the fields. Each example of a fact and of an invariant is judged again with
another value: throughout, which shows what is judged by the field; at the end, which must change nothing of
what was found; and just before something happens, which the implementation could not have seen.

``python tests/unit/test_changeable.py`` writes docs/reference/changeable.md.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import every_told
from histories import Story, story
from later import differing, later, throughout, unseen
from test_foreign_invariants import EVERY

from batchproof import suite
from batchproof.errors import BatchproofError
from batchproof.judgement import facts
from batchproof.judgement.invariants import breaches, invariants
from batchproof.judgement.observed import observe
from batchproof.report.markdown import plain, table
from batchproof.resources import JOBS
from batchproof.specification.changeable import (
    CHANGEABLE,
    ChangeableField,
    load_changeable,
    of_changeable,
    read_changeable,
)
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Record

CHANGES = load_changeable(suite.features())
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "changeable.md"


def broken(area: str, records: Sequence[Record]) -> list[tuple[str, tuple[int, ...]]]:
    """The invariants that a history breaks, each with the records that decide."""
    in_force = {id_: "" for id_ in invariants() if id_.startswith(area)} if area else None
    return [(one.requirement, one.decisive) for one in breaches(observe(records), in_force)]


def broken_safely(area: str, records: Sequence[Record]) -> list[tuple[str, tuple[int, ...]]] | None:
    """The same; None where a field has a value of which a rule can make nothing."""
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


# -- a later value breaks nothing, and excuses nothing


@pytest.mark.parametrize(("area", "told"), EVERY)
def test_no_invariant_judges_the_past_by_a_later_value(area: str, told: Story) -> None:
    found = partial(broken, area)
    different = differing(found, told.records, later(told.records, CHANGES.fields))
    assert [(it.field.path, it.value, here, there) for it, here, there in different] == []


@pytest.mark.parametrize(("area", "told"), EVERY)
def test_no_invariant_judges_by_a_value_that_could_not_be_seen_yet(area: str, told: Story) -> None:
    """Nothing is broken by what an implementation does just after a field has changed."""
    if broken(area, told.records):
        return
    wrong = [
        (it.field.path, it.value, found)
        for it in unseen(told.records, CHANGES.fields)
        if (found := broken(area, it.records))
    ]
    assert wrong == []


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


def test_the_facts_that_follow_a_later_value_are_known_and_each_has_a_reason() -> None:
    assert set(following()) == set(CHANGES.facts_of_now)


# -- what the file says


def test_the_changeable_fields_of_the_suite_are_right() -> None:
    assert list(of_changeable(suite.features() / CHANGEABLE, load_registry(), list(parse_features()))) == []
    assert {one.profile for one in CHANGES.fields} == {"job", "gang", "volcano-job", "tfjob", "jobset"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("BAS-019.1", "BAS-019.99", "2: there is no scenario BAS-019.99"),
        ("BAS-019.1", "GNG-001.1", "GNG-001.1 is a scenario of the profile gang"),
        ("job:", "jub:", "there is no profile jub"),
        ("field:", "fjeld:", "unknown key 'fjeld'"),
        ("of: [batch/v1/jobs], ", "", "changeable"),
    ],
)
def test_what_is_wrong_with_changeable_fields_is_found(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = (
        "fields:\n  job:\n    - {of: [batch/v1/jobs], field: spec.parallelism, values: [0],"
        " scenarios: [BAS-019.1]}\nfacts-of-now: {}\n"
    )
    path = tmp_path / CHANGEABLE
    path.write_text(text)
    assert read_changeable(path)[0].fields[0].of == (JOBS,)
    path.write_text(text.replace(old, new))
    found = list(of_changeable(path, load_registry(), list(parse_features())))
    assert found
    if message != "changeable":
        assert any(message.removeprefix("2: ") in one.message for one in found), found


def test_without_a_file_no_field_changes(tmp_path: Path) -> None:
    assert read_changeable(tmp_path / CHANGEABLE)[0].fields == ()


# -- the histories


def field(path: str, *values: Any, asked: str = "") -> ChangeableField:
    of = () if asked else (JOBS,)
    return ChangeableField("job", of, asked, tuple(path.split(".")), values, (), "", made=False, line=1)


def test_a_later_value_is_that_of_an_object_that_there_is() -> None:
    told = story().job("a", parallelism=2).job("b", parallelism=9).job("c").gone("jobs", "c")
    (other,) = later(told.records, [field("spec.parallelism", 9)])
    assert other.records[:-1] == told.records
    change: Any = other.records[-1].entry
    assert (change.object["metadata"]["name"], change.object["spec"]) == ("a", {"parallelism": 9})
    assert change.revision > told.records[-1].entry.revision  # type: ignore[union-attr]


def test_a_later_value_is_asked_for_a_gang_that_there_is() -> None:
    told = story().gang("a", 2)
    (other,) = later(told.records, [field("minimum", 2, 3, asked="gang")])
    change: Any = other.records[-1].entry
    assert (change.about["gang"], change.about["minimum"]) == ("a", 3)


def test_a_value_that_could_not_be_seen_stays_in_what_follows() -> None:
    told = story().job("a", parallelism=2).pod("a-1").status("a", "Complete").at(9).pod("a-2")
    others = list(unseen(told.records, [field("spec.parallelism", 9)]))
    specs = [
        [it.entry.object["spec"].get("parallelism") for it in other.records]  # type: ignore[union-attr]
        for other in others
    ]
    assert specs == [[2, 9, None, 9], [2, None, 9, 9], [2, None, 2, 9]]
    assert [it.number for it in others[0].records] == [0, 1, 2, 3]


def test_a_value_that_the_story_changes_itself_is_left_to_it() -> None:
    told = story().job("a", parallelism=2).spec("a", parallelism=3)
    assert list(unseen(told.records, [field("spec.parallelism", 9)])) == []


# -- the page


_HEAD = """\
# Changeable fields

<!-- Made by `python tests/unit/test_changeable.py`: do not edit. -->

Fields that a user or another client may change while an object exists. Whatever is judged by one is judged
by what was stored, and could be seen, at the time: a unit test judges each example of a fact and of an
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


def test_the_page_of_changeable_fields_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `python tests/unit/test_changeable.py`"


if __name__ == "__main__":
    for name, fields in following().items():
        if name not in CHANGES.facts_of_now:
            sys.stdout.write(f"{name} follows {sorted('.'.join(it.path) for it in fields)}\n")
    PAGE.write_text(page(), "utf-8")
