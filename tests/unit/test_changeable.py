"""Whatever is judged by a field that may change is judged by what was stored, and could be seen, at the time.

``features/changeable.yaml`` has the fields. Some examples are judged again with another value: at the end,
which must change nothing of what was found; and just before something happens, which the implementation could
not have seen. tests/exhaustive judges all of them.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from changeable_page import CHANGES, PAGE, broken, following, frame, page
from histories import Story, story
from later import differing, later, unseen
from test_foreign_invariants import EVERY

from batchproof.descriptor.dialect import bundled
from batchproof.ground import documents, suite
from batchproof.ground.resources import JOBS
from batchproof.specification.changeable import (
    CHANGEABLE,
    ChangeableField,
    of_changeable,
    read_changeable,
)
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from pathlib import Path

    from changeable_page import Judged

_SPELLED = {"gang": "group", "queue": "queue"}
_NAMES = {"namespace", "group", "parent"}
"""Placeholders of what an object is or belongs to, which the API keeps as it was created."""
SOME = 8
"""One of so many examples is judged again in the quick tier."""


# -- a later value breaks nothing, and excuses nothing


def judged_by_later(area: str, told: Story) -> list[Any]:
    """What is found otherwise of an example once a field is changed after its end."""
    found = partial(broken, area)
    different = differing(found, told.records, later(told.records, CHANGES.fields))
    return [(it.field.path, it.value, here, there) for it, here, there in different]


def judged_by_unseen(area: str, told: Story) -> list[Any]:
    """What breaks an invariant, just after a field has changed, in an example that breaks none."""
    if broken(area, told.records):
        return []
    return [
        (it.field.path, it.value, found)
        for it in unseen(told.records, CHANGES.fields)
        if (found := broken(area, it.records))
    ]


@pytest.mark.parametrize(("area", "told"), EVERY[::SOME])
def test_no_invariant_judges_the_past_by_a_later_value_in_some(area: str, told: Story) -> None:
    """Of some examples; tests/exhaustive takes all of them."""
    assert judged_by_later(area, told) == []


@pytest.mark.parametrize(("area", "told"), EVERY[::SOME])
def test_no_invariant_judges_by_a_value_that_could_not_be_seen_yet_in_some(area: str, told: Story) -> None:
    """Of some examples; tests/exhaustive takes all of them."""
    assert judged_by_unseen(area, told) == []


def test_the_facts_that_follow_a_later_value_have_a_reason_in_some() -> None:
    """Of some examples; tests/exhaustive takes all of them."""
    found = following(SOME)
    assert found
    assert set(found) <= set(CHANGES.facts_of_now)


def test_the_page_has_each_changeable_field_with_its_scenarios() -> None:
    """All but what is judged by each field; tests/exhaustive looks at that too."""
    judged_by_none: Judged = dict.fromkeys(CHANGES.fields, ((), ()))
    now = PAGE.read_text("utf-8")
    assert frame(now) == frame(page(judged_by_none)).rstrip("\n"), (
        "run `python tests/unit/changeable_page.py`"
    )


# -- what the file says


def test_the_changeable_fields_of_the_suite_are_right() -> None:
    assert list(of_changeable(suite.features() / CHANGEABLE, load_registry(), list(parse_features()))) == []
    assert {one.profile for one in CHANGES.fields} == {"job", "gang", "volcano-job", "tfjob", "jobset"}


@pytest.mark.parametrize("asked", ["gang", "queue"])
def test_each_field_that_a_dialect_spells_of_a_gang_or_a_queue_may_change(asked: str) -> None:
    """What a user can write when creating it, a user can write later."""
    dialects = [documents.read(path, "dialect").value for path in bundled().values()]
    templates = " ".join(str(it.get(_SPELLED[asked], {}).get("body")) for it in dialects)
    spelled = set(re.findall(r"\{(\w+)[|}]", templates))
    assert spelled - _NAMES == {it.path[0] for it in CHANGES.fields if it.asked == asked}


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
