from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args
from unittest.mock import ANY
from xml.etree import ElementTree as ET

import msgspec
import pytest
import report_sample as sample
from histories import Story, headed_story, story
from msgspec.structs import replace

from batchproof import report
from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement import history
from batchproof.judgement.claims import never
from batchproof.judgement.facts import FactCall
from batchproof.judgement.finding import Moment
from batchproof.judgement.history import Action, Change, Saved, StepBegan, encode
from batchproof.judgement.timeline import WAITED
from batchproof.report import write_all
from batchproof.report.records import UnmetClaim
from batchproof.report.results import read_results
from batchproof.report.timeline_picture.axis import Axis
from batchproof.report.timeline_picture.log import log
from batchproof.report.timeline_picture.model import Kind, Lane, Picture, PictureMark, Span
from batchproof.report.timeline_picture.picture import picture
from batchproof.report.timeline_picture.rows import beside, bunched, fitted, stacked
from batchproof.report.timeline_picture.svg import Names, newest, svg

RECORDED = Path(__file__).parent / "recorded"
SVG = "{http://www.w3.org/2000/svg}"
TEMPLATE = Path(report.__file__).parent / "template"
NAMES = Names("p", "A title", "A summary", log="timelines/x.html")


def lane(drawn: Picture, name: str) -> Lane:
    (found,) = [one for one in drawn.lanes if one.name == name]
    return found


def unmet(*here: int, subject: str = "pod/a-1", **more: Any) -> UnmetClaim:
    moments = tuple(Moment(0.1 * number, subject, "MODIFIED", here=True, record=number) for number in here)
    return UnmetClaim("FIN-004", "sentence", "expected", "observed", timeline=moments, **more)


# The model


MANY = [f"a-{n}" for n in range(60)]


def test_every_object_that_a_finding_names_has_a_lane_however_many_there_are() -> None:
    told = headed_story().job("a").pods(*MANY)
    for number in range(20):
        told.node(f"n-{number}", "8")
    named = [f"a-{n}" for n in range(30, 58)]

    drawn = picture(
        told.records, [replace(unmet(1, subject="job/a"), observed=f"lost: {', '.join(named)}; on n-9")]
    )

    names = [one.name for one in drawn.lanes]
    assert {*named, "n-9", "job/a"} <= {*names}
    assert "a-3" not in names
    assert "32 more pods drawn together, as how many are active" in drawn.folded
    assert "10 more nodes left out of the picture" in drawn.folded


def test_a_pod_has_a_bar_for_each_phase_and_a_line_while_it_is_tracked() -> None:
    told = headed_story().job("a").pod("a-1").runs("a-1").succeeds("a-1").released("a-1").gone("pods", "a-1")
    pod = lane(picture(told.records), "a-1")
    assert [span.kind for span in pod.spans] == ["pending", "running", "succeeded"]
    assert [(round(span.begin_s, 1), round(span.end_s, 1)) for span in pod.under] == [(0.2, 0.7)]
    assert [mark.kind for mark in pod.marks] == ["written", "gone"]
    assert pod.spans[0].end_s == pod.spans[1].begin_s


def test_a_pod_that_is_being_deleted_is_in_another_state() -> None:
    told = headed_story().pod("a-1").runs("a-1").deleting("pods", "a-1")
    assert [span.deleting for span in lane(picture(told.records), "a-1").spans] == [False, False, True]


def test_failed_requests_are_apart_and_reach_from_question_to_reply() -> None:
    told = headed_story().job("a").write("update", "jobs", "a").asks("update", "jobs", "a").answered(500)
    told = told.asks("patch", "pods", "a-1").answered(409).event("Reason", "text")
    drawn = picture(told.records)
    assert [span.label for span in lane(drawn, "writes").spans] == ["UPDATE a"]
    assert [span.label for span in lane(drawn, "failed").spans] == ["UPDATE a", "PATCH a-1"]
    assert all(span.end_s > span.begin_s for span in lane(drawn, "failed").spans)
    assert [mark.kind for mark in lane(drawn, "job/a").marks] == ["written"]


def test_a_request_whose_reply_was_lost_is_of_its_own_kind_and_says_whether_it_took_effect() -> None:
    told = headed_story().job("a").pods("a-1", "a-2").lost("patch", "pods", "a-1")
    told = told.asks("patch", "pods", "a-2").answered(0, effect=False, fault="the connection is cut")
    drawn = picture(told.records)
    spans = lane(drawn, "lost replies").spans
    assert [(span.label, span.kind) for span in spans] == [("PATCH a-1", "lost"), ("PATCH a-2", "cut")]
    assert "-> no reply (fault: the reply is lost), took effect · " in spans[0].title
    assert "-> no reply (fault: the connection is cut), no effect · " in spans[1].title
    assert [mark.kind for mark in lane(drawn, "a-1").marks] == ["written"]
    assert lane(drawn, "a-2").marks == ()
    assert not [one for one in drawn.lanes if one.name == "failed"]
    assert svg(drawn, NAMES).count('class="torn"') == 2


def test_a_request_without_a_reply_lasts_to_the_end() -> None:
    told = headed_story().job("a").asks("update", "jobs", "a").act("something else").act("and more")
    (span,) = lane(picture(told.records), "failed").spans
    assert span.end_s == told.records[-1].at_s
    assert "no reply until the end" in span.title


def test_several_processes_have_lanes_of_their_own() -> None:
    told = headed_story().process(1, "started", "ready").write("create", "pods", by=1)
    told = told.process(1, "killed").process(2, "started", "ready").write("create", "pods", by=2)
    drawn = picture(told.records)
    assert [one.name for one in drawn.lanes if one.kind == "calls"] == ["writes of 1", "writes of 2"]
    first = lane(drawn, "process 1")
    assert [span.kind for span in first.spans] == ["starting", "process"]
    assert [mark.kind for mark in first.marks] == ["killed"]
    assert first.spans[-1].end_s < drawn.end_s


def test_a_paused_process_has_a_span_of_its_own_until_it_continues_or_is_killed() -> None:
    told = headed_story().process(1, "started", "ready").process(2, "started", "ready")
    told = told.act("replica 1 is paused").act("something else").act("every replica continues")
    told = told.act("replica 2 is paused").process(2, "killed").act("every replica continues")
    drawn = picture(told.records)
    first, second = lane(drawn, "process 1").spans, lane(drawn, "process 2").spans
    assert [(span.kind, span.label) for span in first] == [
        ("starting", "started"), ("process", "ready"), ("paused", "paused"), ("process", "continues"),
    ]  # fmt: skip
    assert round(first[2].end_s - first[2].begin_s, 1) == 0.2
    assert [span.kind for span in second] == ["starting", "process", "paused"]
    assert second[-1].end_s < drawn.end_s
    assert told.records[first[2].record or 0].entry == Action("replica 1 is paused", ANY)


@pytest.mark.parametrize("text", [history.paused(7), "replica 1 is paused, it seems", history.CONTINUES])
def test_what_names_no_process_that_runs_pauses_none(text: str) -> None:
    told = headed_story().process(1, "started", "ready").act(text).act("the end")
    assert [span.kind for span in lane(picture(told.records), "process 1").spans] == ["starting", "process"]


def test_faults_and_withheld_views_last_as_long_as_they_are_in_force() -> None:
    view = {"kind": "view", "resource": msgspec.to_builtins(PODS), "frozen": True, "delay_s": 0.0}
    told = headed_story().fault(1, "armed").fault(1, "fired").fault(1, "lifted")
    told = told.fault(2, "armed", "the view of pods is stale", **view).act("x").fault(2, "thawed")
    told = told.fault(3, "armed", "never lifted").act("y")
    shades = picture(told.records).shades
    assert [(one.fog, one.over, len(one.marks)) for one in shades] == [
        (False, "", 1), (True, "pods", 0), (False, "", 0),
    ]  # fmt: skip
    assert [round(one.end_s - one.begin_s, 1) for one in shades] == [0.2, 0.2, 0.1]


def test_the_window_of_the_claim_that_is_broken_is_marked() -> None:
    call = FactCall("pod_released", {"job": "a"})
    told = headed_story().claims(1, never(call)).closes(1).claims(2, never(call)).closes(2)
    drawn = picture(told.records, [unmet(fact="pod_released", arguments={"job": "a"})])
    assert [span.kind for span in lane(drawn, "claims").spans] == ["judged", "broken"]
    assert "pod" in lane(drawn, "claims").spans[0].label


def test_steps_are_numbered_and_the_moments_that_decide_are_marked() -> None:
    told = headed_story().add(StepBegan("Given a Job")).job("a").pod("a-1").add(StepBegan("Then it runs"))
    drawn = picture(told.records, [unmet(3)])
    assert [(flag.number, flag.text) for flag in drawn.flags] == [(1, "Given a Job"), (2, "Then it runs")]
    assert [(mark.record, mark.title, mark.label) for mark in drawn.here] == [
        (3, "this decides: pod/a-1 MODIFIED", "pod/a-1 MODIFIED")
    ]


def test_a_record_by_which_two_requirements_are_broken_is_marked_once() -> None:
    told = headed_story().job("a").pod("a-1")
    assert len(picture(told.records, [unmet(2), unmet(2, subject="pod/a-1")]).here) == 1


def ringed(drawn: Picture) -> list[str]:
    """The lanes on which something decides."""
    return [one.name for one in drawn.lanes if any(mark.kind == "decisive" for mark in one.marks)]


def decided(told: Story, subject: str, record: int, **more: Any) -> Picture:
    """The picture of a story that a record of it decides."""
    return picture(told.records, [unmet(record, subject=subject, **more)])


def test_what_decides_has_a_ring_on_the_lanes_that_it_is_about() -> None:
    told = headed_story().job("a").pods("a-1", "a-2").runs("a-1")
    drawn = decided(told, "pod/a-1", 4)
    assert ringed(drawn) == ["a-1"]
    (ring,) = lane(drawn, "a-1").marks
    assert (ring.record, ring.title) == (4, "this decides: pod/a-1 MODIFIED")
    text = svg(drawn, NAMES)
    assert text.count('class="decisive"') == 1
    assert text.count('class="name decided"') == 1
    assert text.count('<a href="timelines/x.html#record-4"') >= 2
    assert text.count('id="p-here"') == 1
    assert 'class="decisive"' not in svg(picture(told.records), NAMES)


def test_the_end_of_a_process_that_decides_has_a_ring_on_its_lane() -> None:
    told = headed_story().process(1, "started", "ready").process(2, "started", "ready")
    told = told.process(1, "exited by itself").act("the end")
    drawn = decided(told, "process 1", 5)
    assert ringed(drawn) == ["process 1"]
    assert [mark.kind for mark in lane(drawn, "process 1").marks] == ["killed", "decisive"]
    assert drawn.here[0].label == "process 1 MODIFIED"


def test_a_step_that_decides_has_a_ring_among_the_steps() -> None:
    drawn = decided(headed_story().job("a").act("creates nothing"), "step", 2)
    assert ringed(drawn) == ["test"]


def test_a_request_that_decides_has_a_ring_on_its_lane_and_on_that_of_its_object() -> None:
    told = headed_story().job("a").write("update", "jobs", "a").act("the end")
    drawn = decided(told, "job/a", 2)
    assert ringed(drawn) == ["writes", "job/a"]


def test_of_two_pods_of_one_name_only_that_which_is_there_has_a_ring() -> None:
    told = headed_story().job("a").pod("a-1").gone("pods", "a-1").act("later").pod("a-1").runs("a-1")
    second = [
        replace(one, entry=changed_uid(one.entry))
        if one.number > 3 and isinstance(one.entry, Change)
        else one
        for one in told.records
    ]
    drawn = picture(second, [unmet(2, subject="pod/a-1")])
    assert [[mark.kind for mark in one.marks] for one in drawn.lanes if one.name == "a-1"] == [
        ["gone", "decisive"], [],
    ]  # fmt: skip


def changed_uid(change: Change) -> Change:
    """The same change of another object of that name."""
    metadata = {**change.object["metadata"], "uid": "another"}
    return replace(change, object={**change.object, "metadata": metadata})


def test_where_no_record_decides_the_end_of_the_broken_claim_is_marked() -> None:
    call = FactCall("pod_released", {"job": "a"})
    told = headed_story().job("a").claims(1, never(call)).pod("a-1").closes(1).act("the end")
    finding = unmet(fact="pod_released", arguments={"job": "a"})
    drawn = picture(told.records, [finding])
    (mark,) = drawn.here
    assert (mark.record, mark.label, round(mark.at_s, 1)) == (4, "not so", 0.4)
    assert mark.title.startswith("this decides: not so: ")
    assert ringed(drawn) == ["claims"]
    assert "this decides: not so: " in svg(drawn, NAMES)


def test_where_nothing_decides_and_there_is_no_claim_the_last_moment_is_marked() -> None:
    told = headed_story().job("a").pod("a-1").act("the end")
    moments = tuple(Moment(0.1 * n, "pod/a-1", "ADDED", record=n) for n in (1, 2))
    drawn = picture(told.records, [replace(unmet(), timeline=moments)])
    assert [(mark.record, mark.label) for mark in drawn.here] == [(2, "not so up to here")]
    assert ringed(drawn) == ["a-1"]
    assert picture(told.records, [unmet()]).here == ()


def test_a_wait_in_vain_has_a_ring_at_the_end_of_its_window() -> None:
    told = headed_story().job("a").claims(1, never(FactCall("pod_released", {"job": "a"}))).closes(1)
    over = Moment(0.3, WAITED, "not so after 3 s", here=True, record=3)
    drawn = picture(told.records, [replace(unmet(), timeline=(over,))])
    assert [mark.label for mark in drawn.here] == ["not so in time"]
    assert ringed(drawn) == ["claims"]


def test_the_label_says_what_happened_where_that_is_said_in_a_sentence() -> None:
    told = headed_story().job("a").pods("a-1", "a-2")
    said = "+0.200 s: a-1 was created when Job a had 1 pod. At the end of the wait of 3 s nothing was so."
    drawn = picture(told.records, [unmet(2, 3)], [said])
    assert [mark.label for mark in drawn.here] == ["a-1 was created", "pod/a-1 MODIFIED"]
    assert drawn.here[0].title == "this decides: pod/a-1 MODIFIED"


def test_a_pod_says_that_it_is_bound_how_often_it_was_restarted_and_with_which_code_it_ended() -> None:
    told = headed_story().node("n-1").gang("a", 1).member("a-0").bound("n-1", "a-0").runs("a-0")
    told = told.reports("a-0", "Running", restartCount=2).reports("a-0", "Failed", state=ended(137))
    spans = lane(picture(told.act("the end").records), "a-0").spans
    assert [(span.kind, span.label) for span in spans] == [
        ("pending", "Pending"),
        ("bound", "bound"),
        ("running", "Running"),
        ("running", "Running, 2 restarts"),
        ("failed", "Failed, exit code 137"),
    ]


def ended(code: int) -> dict[str, Any]:
    return {"terminated": {"exitCode": code}}


def test_an_object_has_the_colour_of_what_it_has_come_to() -> None:
    told = headed_story().job("a").status("a", failed=1).complete("a", succeeded=2)
    assert [span.kind for span in lane(picture(told.act("x").records), "job/a").spans] == [
        "object", "object", "succeeded",
    ]  # fmt: skip


def test_the_requests_of_a_supporting_process_have_lanes_of_their_own() -> None:
    told = headed_story().write("create", "pods", by=0).write("create", "pods", by=1)
    drawn = picture(told.records)
    assert [one.name for one in drawn.lanes if one.kind == "calls"] == ["writes (support)", "writes of 1"]


def test_a_refused_request_that_is_drawn_narrow_has_its_status_beside_it() -> None:
    told = headed_story().job("a").asks("update", "jobs", "a").answered(500).at(30).act("the end")
    assert ">500</text>" in svg(picture(told.records), NAMES)


@pytest.mark.parametrize(
    ("label", "width", "text"),
    [
        ("Created,Running,Failed PS.active=1", 400, "Created,Running,Failed PS.active=1"),
        ("Created,Running,Failed PS.active=1", 120, "Failed PS.active=1"),
        ("Failed, exit code 1", 40, "Failed, exit code 1"),
        ("Pending", 5, "Pending"),
    ],
)
def test_the_newest_condition_is_shown_where_there_is_no_room_for_all(
    label: str, width: float, text: str
) -> None:
    assert newest(label, width) == text


def test_a_gang_of_which_a_part_is_bound_is_seen_as_such() -> None:
    told = headed_story().node("n-1", "2").gang("a", 3).members("a-0", "a-1", "a-2")
    told = told.bound("n-1", "a-0", "a-1").node("n-2", "1").bound("n-2", "a-2").act("the end")
    (*_, at) = [span.record for span in lane(picture(told.records), "a-0").spans if span.kind == "bound"]
    drawn = decided(told, "pod/a-0", at or 0)
    bound = lane(drawn, "bound of a")
    assert [level.value for level in bound.levels][-4:] == [1, 2, 2, 3]
    assert bound.least == 3
    assert ringed(drawn) == ["bound of a", "n-1", "a-0"]
    text = svg(drawn, NAMES)
    assert text.count('class="level part"') == 2  # alike levels that follow each other are one
    assert ">minimum 3<" in text


def test_of_many_gangs_that_of_an_accused_pod_is_drawn() -> None:
    told = headed_story().node("n-1", "9")
    for number in range(6):
        told = told.gang(f"gang-{number}", 1).member(f"p-{number}", of=f"gang-{number}")
    told = told.bound("n-1", "p-5").act("the end")
    rooms = [one.name for one in picture(told.records).lanes if one.kind == "room"]
    assert rooms == [f"room for gang-{number}" for number in range(4)]
    drawn = picture(told.records, [replace(unmet(), observed="p-5 of gang-5")])
    assert [one.name for one in drawn.lanes if one.kind == "room"] == ["room for gang-0", "room for gang-5"]
    assert "4 more gangs left out of the picture" in drawn.folded


def test_names_are_drawn_without_what_all_of_a_scenario_begin_with() -> None:
    told = headed_story().node("bp-0123ab-gw0-1-node-1").node("bp-0123ab-gw0-probes").act("the end")
    drawn = picture(told.records)
    assert [one.name for one in drawn.lanes if one.kind == "node"] == ["bp-0123ab-gw0-1-node-1"]
    text = svg(drawn, NAMES)
    assert ">node-1</text>" in text


def test_a_gang_shows_the_room_that_there_was_and_its_minimum() -> None:
    told = headed_story().node("n-1", "2").gang("a", 3).members("a-0", "a-1", "a-2")
    told = told.node("n-2", "1").bound("n-1", "a-0", "a-1").bound("n-2", "a-2").act("the end")
    drawn = picture(told.records)
    room = lane(drawn, "room for a")
    assert room.least == 3
    assert [level.value for level in room.levels] == [2, 2, 2, 3, 2, 1]
    on_node = lane(drawn, "n-1")
    assert [span.label for span in on_node.spans] == ["empty", "a-0", "a-0, a-1"]
    assert "2 of 2 cpu used" in on_node.spans[-1].title


def test_what_only_holds_room_takes_none() -> None:
    told = headed_story().act("the dialect", holders=[["labels", "holds", "room"]]).node("n-1", "2")
    told = told.gang("a", 2).member("holder").labelled("holder", holds="room").bound("n-1", "holder")
    told = told.members("a-0", "a-1").act("the end")
    assert lane(picture(told.records), "room for a").levels[-1].value == 2


def adds(told: Story, name: str, **spec: int) -> Story:
    return told.act(f"adds queue {name}", queue=name, **{"weight": 1, **spec})


def test_a_queue_shows_what_its_pods_use_against_its_capability() -> None:
    told = adds(headed_story().node("n-1", "4"), "q", capability=1, guarantee=1)
    told = told.members("a-0", "a-1", queue="q").bound("n-1", "a-0", "a-1").succeeds("a-0")
    drawn = picture(adds(told.act("later"), "q", capability=3).act("the end").records)
    queue = lane(drawn, "queue q")
    assert [(level.value, level.most) for level in queue.levels] == [(0, 1), (1, 1), (2, 1), (1, 1), (1, 3)]
    assert queue.limit == "capability"
    assert queue.title.endswith("the dashed line is its capability")
    text = svg(drawn, NAMES)
    assert text.count('class="level above capability"') == 1
    assert ">capability 3<" in text


def test_queues_without_a_capability_show_their_share_by_weight() -> None:
    told = adds(adds(headed_story().node("n-1", "3"), "q", weight=2, guarantee=1), "r")
    told = told.members("q-0", "q-1", "q-2", of="b", queue="q").members("r-0", "r-1", "r-2", queue="r")
    drawn = picture(told.bound("n-1", "r-0", "r-1").gone("pods", "r-0").act("the end").records)
    of_r = [(level.value, level.most) for level in lane(drawn, "queue r").levels]
    assert of_r == [(0, 0), (0, 1), (1, 1), (2, 1), (1, 1)]
    assert lane(drawn, "queue q").levels[-1].most == 2
    assert lane(drawn, "queue q").title.endswith("by weight of what all pods request; kept for it: 1 CPU")
    assert svg(drawn, NAMES).count('class="level above share"') == 1


@pytest.mark.parametrize(
    ("told", "queues"),
    [
        (headed_story().node("n-1", "3").gang("a", 2).members("a-0", "a-1"), []),
        (adds(headed_story(), "alone").members("a-0", queue="alone"), []),
        (adds(adds(headed_story(), "q"), "none", weight=0).members("a-0", queue="q"), []),
    ],
)
def test_a_queue_has_a_lane_only_where_there_is_a_limit(told: Story, queues: list[str]) -> None:
    drawn = picture(told.act("the end").records)
    assert [one.name for one in drawn.lanes if one.kind == "use"] == queues


def test_of_many_queues_those_that_a_finding_names_are_drawn() -> None:
    told = headed_story()
    for number in range(6):
        adds(told, f"queue-{number}", capability=2)
    drawn = picture(
        told.member("a-0").act("the end").records,
        [msgspec.structs.replace(unmet(), observed="queue-5 has 2")],
    )
    names = [one.name for one in drawn.lanes if one.kind == "use"]
    assert names == [f"queue queue-{number}" for number in (0, 1, 2, 5)]
    assert "2 more queues left out of the picture" in drawn.folded


def test_many_pods_are_drawn_together_but_those_that_decide_never_are() -> None:
    told = headed_story().job("a")
    for number in range(600):
        told.pod(f"a-{number}")
    for number in range(600):
        told.succeeds(f"a-{number}")
    drawn = picture(told.records, [unmet(700, subject="pod/a-599")])
    pods = [one.name for one in drawn.lanes if one.kind == "pod"]
    assert len(pods) == 24
    assert "a-599" in pods
    assert max(level.value for level in lane(drawn, "576 more pods").levels) == 576
    assert drawn.folded == ("576 more pods drawn together, as how many are active",)
    assert len(svg(drawn, NAMES)) < 200_000


# Places


def test_moments_that_follow_at_once_stay_apart_and_a_wait_is_short() -> None:
    axis = Axis([0.0, 0.01, 0.02, 20.0], 0, 100)
    assert axis.x(0.0) == 0
    assert axis.x(20.0) == pytest.approx(100)
    assert 2 < axis.x(0.01) < axis.x(0.02) - 2
    assert axis.x(-1) == 0
    assert axis.x(99) == pytest.approx(100)
    ticks = axis.ticks(20)
    assert ticks[0][2] == "0 s"
    assert all(after[1] - before[1] >= 20 for before, after in pairwise(ticks))


def test_a_history_of_one_moment_has_an_axis() -> None:
    assert Axis([0.0], 5, 100).x(0.0) == 5
    assert Axis([0.0], 5, 100).ticks(10) == [(0.0, 5, "0 s")]


@pytest.mark.parametrize(
    ("times", "squeezed"),
    [
        pytest.param([0.0, 0.01, 0.02, 20.0], [(0.02, 20.0)], id="a wait after a race"),
        pytest.param(
            [0.0, 0.01, 0.02, 9.0, 9.01, 9.02, 20.0], [(0.02, 9.0), (9.02, 20.0)], id="several waits"
        ),
        pytest.param([0.0, 0.01, 0.02, 0.9], [], id="less than a second"),
        pytest.param([0.0, 0.1, 0.2, 1.7], [], id="drawn less than four times narrower"),
        pytest.param([0.0, 0.1, 0.2, 1.9], [(0.2, 1.9)], id="drawn more than four times narrower"),
        pytest.param([0.0, 5.0, 10.0, 15.0], [], id="all alike"),
        pytest.param([0.0, 30.0], [], id="one wait and nothing else"),
        pytest.param([0.0], [], id="one moment"),
    ],
)
def test_a_wait_that_is_drawn_far_narrower_than_the_rest_is_squeezed(
    times: list[float], squeezed: list[tuple[float, float]]
) -> None:
    assert Axis(times, 0, 850).squeezed(12) == squeezed


def test_a_wait_that_is_too_narrow_for_a_mark_has_none() -> None:
    times = [*(number / 1000 for number in range(1000)), 2.5]
    assert Axis(times, 0, 850).squeezed(12) == [(0.999, 2.5)]
    assert Axis(times, 0, 850).squeezed(40) == []


def test_what_overlaps_lies_in_rows() -> None:
    spans = [Span(0, 2, "done"), Span(1, 3, "done"), Span(2.5, 4, "done"), Span(2.6, 3, "done")]
    assert stacked(spans, lambda a, b: (a, b - a), 6) == [0, 1, 0, 2]
    assert stacked(spans, lambda a, b: (a, b - a), 2) == [0, 1, 0, 1]
    crowd = [Span(0, 2, "done")] * 500
    assert stacked(crowd, lambda a, b: (a, b - a), 2).count(-1) == 498


def test_marks_at_one_place_are_one() -> None:
    marks = [PictureMark(at_s, "action", str(at_s)) for at_s in (1.0, 2.0, 30.0)]
    assert [(x, len(together)) for x, together in bunched(marks, float)] == [(1.0, 2), (30.0, 1)]
    assert fitted("a long text", 30) == "a lo…"
    assert not fitted("a long text", 10)


@pytest.mark.parametrize(
    ("labels", "placed"),
    [
        pytest.param([(10.0, "abcd")], [(0, 18.0, False)], id="after its place"),
        pytest.param([(90.0, "abcd")], [(0, 82.0, True)], id="before its place where the border is near"),
        pytest.param([(10.0, "abcd"), (60.0, "efgh")], [(0, 18.0, False), (0, 68.0, False)], id="two apart"),
        pytest.param(
            [(10.0, "abcd"), (14.0, "efgh"), (18.0, "ijkl")],
            [(1, 18.0, False), None, (0, 26.0, False)],
            id="no room for the second",
        ),
        pytest.param(
            [(10.0, "abcd"), (30.0, "efgh")], [(1, 18.0, False), (0, 38.0, False)], id="not over a cross"
        ),
        pytest.param([(50.0, "")], [(0, 58.0, False)], id="no text"),
    ],
)
def test_a_label_is_written_beside_its_place_where_there_is_room(
    labels: list[tuple[float, str]], placed: list[tuple[int, float, bool] | None]
) -> None:
    found = beside(labels, 100, 2)
    assert [one and (one.row, one.x, one.before) for one in found] == placed


# SVG


@pytest.mark.parametrize("kind", get_args(Kind))
def test_the_style_sheet_knows_every_kind_of_span_and_mark(kind: str) -> None:
    assert re.search(rf"\.{kind}\b", (TEMPLATE / "timeline.css").read_text("utf-8"))


def test_what_decides_has_a_label_that_is_seen_without_pointing_at_it() -> None:
    told = headed_story().job("a").pod("a-1").act("x")
    text = svg(picture(told.records, [unmet(2)]), NAMES)
    assert '<text class="decides' in text
    assert ">pod/a-1 MODIFIED</text>" in text


@pytest.mark.parametrize("number", [1, 2, 3, 8, 40])
def test_of_many_records_that_decide_the_first_is_always_labelled(number: int) -> None:
    told = headed_story().job("a").pods(*MANY)
    text = svg(picture(told.records, [unmet(*range(2, 2 + number), subject="pod/a-quite-long-name")]), NAMES)
    assert text.count('class="cross"') == number
    assert text.count(">pod/a-quite-long-name MODIFIED</text>") >= min(number, 3)


def test_a_long_wait_has_the_mark_of_a_break_that_says_how_long_it_was() -> None:
    told = headed_story().job("a").pods(*MANY[:20]).at(40.0).act("the end")
    text = svg(picture(told.records), NAMES)
    assert text.count('class="break"') == 1
    assert re.search(r"<title>nothing happens from \+2\.\d+ s to \+40\.000 s: drawn narrower</title>", text)
    even = headed_story().job("a").pods(*MANY[:20])
    assert 'class="break"' not in svg(picture(even.records), NAMES)


def test_the_key_explains_what_is_drawn() -> None:
    key = (TEMPLATE / "drawing.html.jinja").read_text("utf-8")
    for words in ("a request whose reply was lost", "it is paused", "mark a long wait", "with its record"):
        assert words in key


@pytest.mark.parametrize("path", sorted(RECORDED.rglob("*.jsonl")), ids=lambda path: path.stem)
def test_recorded_histories_are_drawn(path: Path) -> None:
    records = list(Saved(path))
    drawn = picture(records, [unmet(len(records) - 1)])
    text = svg(drawn, NAMES)
    assert len(text) < 150_000
    root = ET.fromstring(f'<x xmlns="http://www.w3.org/2000/svg">{text}</x>')[0]  # noqa: S314 - our own
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    for rect in root.iter(f"{SVG}rect"):
        at = {name: float(rect.attrib[name]) for name in ("x", "y", "width", "height")}
        assert at["x"] >= 0
        assert at["width"] >= 0
        assert at["height"] >= 0
        assert at["x"] + at["width"] <= width
        assert at["y"] + at["height"] <= height
    assert not any(name.startswith("on") or name == "style" for one in root.iter() for name in one.attrib)
    assert all(link.attrib["href"].startswith("timelines/x.html#record-") for link in root.iter(f"{SVG}a"))
    assert all(link[0].tag == f"{SVG}title" for link in root.iter(f"{SVG}a"))


def test_what_a_history_says_is_escaped() -> None:
    hostile = "</title><script>alert(1)</script>\x1b"
    told = headed_story().act(hostile).fault(1, "armed", hostile).add(StepBegan(hostile)).pod(hostile)
    told = told.process(1, "started", hostile).lost("patch", "pods", hostile)
    text = svg(picture(told.records, [unmet(2, subject=hostile)]), NAMES)
    assert "<script" not in text
    assert "\x1b" not in text
    assert len(ET.fromstring(f"<x>{text}</x>")) == 2  # noqa: S314 - our own: the picture, and its names again


def test_only_what_is_tabbed_can_be_reached_by_the_keyboard() -> None:
    drawn = picture(headed_story().act("x").records)
    assert 'tabindex="-1"' in svg(drawn, NAMES)
    assert "tabindex" not in svg(drawn, Names("p", "t", "s", tabbed=True))


# The text


def test_every_record_is_in_the_log_and_noise_is_folded() -> None:
    told = headed_story().job("a").event("Started", "text").event("Started", "more").pod("a-1")
    told = told.write("create", "leases", "lock").write("patch", "pods", "a-1")
    runs = log(told.records, set())
    assert [line.record for run in runs for line in run.lines] == list(range(len(told.records)))
    assert [run.folded for run in runs] == [True, False, True, False, True, False]
    assert runs[2].text.startswith("2 records: event")


def test_what_decides_is_never_noise() -> None:
    told = story().event("Started", "text")
    ((line,),) = [run.lines for run in log(told.records, {0})]
    assert line.here
    assert not line.noise


# The files


def run(tmp_path: Path, told: Story | None, history: str = "histories/FIN-004.1.jsonl") -> str:
    """A run of one failed scenario with this history, reported; what its page says."""
    failed = sample.scenario("FIN-004", "Status writes fail", "failed", history=history)
    sample.write_stream(tmp_path, sample.stream([failed]))
    (tmp_path / "histories").mkdir(exist_ok=True)
    if told:
        (tmp_path / history).write_bytes(encode(told.records))
    write_all(read_results(tmp_path), tmp_path)
    return (tmp_path / "index.html").read_text("utf-8")


def finished() -> Story:
    told = headed_story().job("a").pods("a-1", "a-2")
    return told.succeeds("a-2").released("a-2").act("the end")


def test_a_run_has_a_page_for_each_history_and_a_picture_for_each_cause(tmp_path: Path) -> None:
    page = run(tmp_path, finished())
    assert '<svg class="tl"' in page
    assert 'href="timelines/FIN-004.1.html#record-' in page
    timeline = (tmp_path / "timelines" / "FIN-004.1.html").read_text("utf-8")
    assert 'id="record-0"' in timeline
    assert 'href="../histories/FIN-004.1.jsonl"' in timeline
    assert "script-src 'none'" in timeline.replace("&#39;", "'")


def test_a_history_that_is_missing_damaged_or_behind_a_link_has_no_picture(tmp_path: Path) -> None:
    assert "<svg" not in run(tmp_path, None)
    (tmp_path / "histories" / "FIN-004.1.jsonl").write_text("no history\n")
    assert "<svg" not in run(tmp_path, None)
    malformed = headed_story().add(Change("ADDED", JOBS, {"metadata": {"name": "a"}}))
    assert "<svg" not in run(tmp_path, malformed)
    (tmp_path / "secret.jsonl").write_bytes(encode(finished().records))
    (tmp_path / "histories" / "FIN-004.1.jsonl").unlink()
    (tmp_path / "histories" / "FIN-004.1.jsonl").symlink_to(tmp_path / "secret.jsonl")
    assert "<svg" not in run(tmp_path, None)
    assert not list((tmp_path / "timelines").iterdir())


def test_the_same_history_gives_the_same_timeline(tmp_path: Path) -> None:
    run(tmp_path, finished())
    before = (tmp_path / "timelines" / "FIN-004.1.html").read_bytes()
    run(tmp_path, finished())
    assert (tmp_path / "timelines" / "FIN-004.1.html").read_bytes() == before
