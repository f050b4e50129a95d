"""Which records a failure is shown by, and what a planted defect has to do with them."""

from __future__ import annotations

import pytest
from histories import Story, story

from batchproof.judgement.finding import Moment
from batchproof.judgement.timeline import WAITED
from batchproof.report.catches import warnings
from batchproof.report.marks import Mark, marks, touched
from batchproof.report.records import UnmetClaim

MADE = {"metadata": {"name": "a-1"}}


def sound() -> Story:
    """A Job whose status is written and of which a pod is made."""
    made = story().act("creates Job a").job("a").asks("create", "pods").answered(201, body=MADE).pod("a-1")
    return made.write("update", "jobs", "a", subresource="status").status("a", succeeded=1)


def how(wrong: Story, record: int) -> str:
    (mark,) = touched([Mark(record, "")], wrong.records, sound().records)
    return mark.touched


def test_a_mark_is_a_record_that_decides_and_no_end_of_a_wait() -> None:
    moments = (
        Moment(1.0, "pod/a-1", "ADDED", record=3),
        Moment(2.0, "pod/a-2", "ADDED", here=True, record=5),
        Moment(9.0, WAITED, "not so after 6 s", here=True, record=8),
    )

    assert marks(UnmetClaim("BAS-014", "", "", "", timeline=moments)) == (Mark(5, "pod/a-2"),)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        pytest.param(sound().write("patch", "pods", "a-1").runs("a-1"), "written", id="an object it wrote"),
        pytest.param(sound().asks("patch", "pods", "a-1"), "written", id="a request of its own"),
        pytest.param(sound().write("patch", "pods", "b"), "written", id="a reply to it"),
        pytest.param(sound().runs("a-1"), "written", id="a pod that it made, by the name in the reply"),
        pytest.param(sound().process(1, "exited with 1"), "process", id="its process"),
        pytest.param(story().act("s").job("a"), "left out", id="the status that it never wrote"),
        pytest.param(story().act("s").job("a").pod("b", of="b"), "left out", id="a pod where it made none"),
        pytest.param(sound().pod("b", of="b"), "", id="the pod of another"),
        pytest.param(sound().node("n"), "", id="a node"),
        pytest.param(sound().act("the node fails"), "", id="a step"),
        pytest.param(
            sound().act("asks for a TFJob", answer="accepted"), "answered", id="what a webhook let pass"
        ),
        pytest.param(sound().fault(1, "fired"), "", id="a fault"),
        pytest.param(
            sound().asks("patch", "pods", "b", by=0).answered().pod("b", of="b"),
            "",
            id="of a supporting process",
        ),
        pytest.param(sound().asks("get", "pods", "b").answered(body={}).pod("b"), "", id="what it read"),
    ],
)
def test_what_a_defect_has_to_do_with_a_mark(wrong: Story, expected: str) -> None:
    assert how(wrong, wrong.last) == expected


def test_a_mark_that_is_astray_is_a_warning() -> None:
    touched_, astray = Mark(3, "pod/a-1", "written"), Mark(4, "step")

    assert warnings((), [touched_]) == ()
    assert warnings((), [touched_, astray]) == (
        "it is shown by what the mutant has not touched: record 4 (step)",
    )
