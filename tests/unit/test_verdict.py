"""How a finding is told: requirement, expected, observed, and a timeline that marks what decided."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from histories import Story, story
from tables import params, table, when

from batchproof.evidence.verdicts import concluded
from batchproof.ground.resources import JOBS, LEASES
from batchproof.judgement.claims import Judgement, explain, judge, never, now
from batchproof.judgement.conclusion import Conclusion, Verdict
from batchproof.judgement.finding import Finding, Moment
from batchproof.judgement.history import Change, Request
from batchproof.judgement.timeline import Wait, timeline
from batchproof.profiles.job.facts.jobs import job_complete
from batchproof.profiles.job.facts.tracking import pod_released
from batchproof.profiles.shared.objects.batch import status_text
from batchproof.report.records import UnmetClaim, Waiver

FINDING = Finding(
    holds=False,
    expected="pod a-2 keeps batch.kubernetes.io/job-tracking",
    observed="removed at +1.204 s; UID recorded: no",
    decisive=(17,),
    requirement="FIN-004",
    sentence="no finalizer is removed before its pod's UID is recorded",
    timeline=(
        Moment(0.911, "pod/a-2", "phase Succeeded", record=11),
        Moment(1.19, "job/a", "PUT status -> 500 (fault)", record=15),
        Moment(1.204, "pod/a-2", "PATCH finalizers", here=True, record=17),
    ),
)
TEXT = """\
FIN-004 not met: no finalizer is removed before its pod's UID is recorded
  expected  pod a-2 keeps batch.kubernetes.io/job-tracking
  observed  removed at +1.204 s; UID recorded: no
  +0.911 s  pod/a-2  phase Succeeded
  +1.190 s  job/a    PUT status -> 500 (fault)
  +1.204 s  pod/a-2  PATCH finalizers           <- here"""


def test_a_failure_is_told_in_the_form_of_the_style() -> None:
    assert FINDING.text() == TEXT


def test_a_report_tells_a_failure_as_the_run_did() -> None:
    assert UnmetClaim.of(FINDING).text() == TEXT


def test_a_long_line_does_not_push_the_mark_of_the_others_out_of_sight() -> None:
    moments = (Moment(1, "job/a", "x" * 200), Moment(2, "pod/a-1", "released", here=True))

    told = Finding(holds=False, expected="", observed="", timeline=moments).text()

    assert told.splitlines()[-1].index("<- here") < 100


def test_a_finding_without_a_timeline_is_three_lines() -> None:
    assert (
        Finding(holds=False, expected="3", observed="2").text()
        == "Claim not met: \n  expected  3\n  observed  2"
    )


def test_what_a_history_breaks_besides_goes_into_the_results_with_what_covers_it() -> None:
    waiver = Waiver("FIN-004", "BAS-001.1", "finalizers_kept", "Slow.", values=({},))
    finding = replace(FINDING, fact="finalizers_kept")
    conclusion = Conclusion(Verdict.PASSED, breaches=(finding, FINDING))
    covered, bare = concluded(conclusion, "BAS-001.1", [waiver])["breaches"]
    assert (covered.text(), covered.waived) == (TEXT, waiver)
    assert (bare.text(), bare.waived) == (TEXT, None)


def test_a_finding_goes_into_the_results_without_what_only_the_judgement_needs() -> None:
    told = msgspec.to_builtins(UnmetClaim.of(FINDING))

    spoken = {"requirement", "sentence", "expected", "observed", "speaks_of", "timeline"}
    assert set(told) == spoken | {"fact", "arguments", "values"}
    assert told["timeline"][2] == {
        "at_s": 1.204,
        "subject": "pod/a-2",
        "what": "PATCH finalizers",
        "here": True,
        "record": 17,
    }


# -- timelines


def lines(told: Story, *decisive: int) -> list[str]:
    moments = timeline(told.records, decisive, until=told.last)
    return [f"{it.subject}: {it.what}{' <- here' if it.here else ''}" for it in moments]


@pytest.mark.parametrize(
    ("told", "line"),
    params(
        table(
            "pod/a-1: ADDED Pending finalizers batch.kubernetes.io/job-tracking",
            when("a pod with its phase and finalizers", story().pod("a-1")),
            "pod/p: MODIFIED Pending deleting",
            when("a pod that is being deleted", story().pod("p", tracked=False).deleting("pods", "p")),
            "job/a: MODIFIED succeeded=3 Complete=True",
            when("a Job with its status", story().job("a").status("a", "Complete", succeeded=3)),
            "event/a.Completed.Job completed: ADDED Completed Job completed",
            when("an event with its message", story().event("Completed", "Job completed")),
            "job/a: UPDATE status active=2",
            when("a status write with what it writes"),
            story().asks(
                "update", "jobs", "a", subresource="status", body={"kind": "Job", "status": {"active": 2}}
            ),
            "pod/p: PATCH finalizers none",
            when("a patch of all finalizers"),
            story().asks("patch", "pods", "p", body={"metadata": {"finalizers": []}}),
            "job/a: DELETE propagationPolicy Background, precondition uid u",
            when("the options of a deletion"),
            story().asks(
                "delete", "jobs", "a", body={"propagationPolicy": "Background", "preconditions": {"uid": "u"}}
            ),
            "job/a: DELETE",
            when(
                "a deletion without options",
                story().asks("delete", "jobs", "a", body={"gracePeriodSeconds": 0}),
            ),
            "pod/p: PATCH removes finalizers f",
            when("a strategic patch of one finalizer"),
            story().asks(
                "patch", "pods", "p", body={"metadata": {"$deleteFromPrimitiveList/finalizers": ["f"]}}
            ),
            "pod/p: PATCH finalizers none",
            when("a merge patch of all finalizers"),
            story().asks("patch", "pods", "p", body={"metadata": {"finalizers": None}}),
            "pod/p: PATCH finalizers f, g",
            when("a patch of several finalizers"),
            story().asks("patch", "pods", "p", body={"metadata": {"finalizers": ["f", "g"]}}),
            "pod/p: DELETE",
            when("a write without a body", story().asks("delete", "pods", "p")),
            "pods: CREATE -> 500 (fault: writes are answered with 500)",
            when("a reply with the fault that changed it"),
            story().asks("create", "pods").answered(500, fault="writes are answered with 500"),
            "pods: CREATE -> no reply",
            when("a reply that was lost", story().asks("create", "pods").answered(0)),
            "step: 2 pods succeed",
            when("a step", story().act("2 pods succeed")),
            "fault: fired: writes are cut",
            when("a fault", story().fault(1, "fired", "writes are cut")),
            "process 2: killed",
            when("a process", story().process(2, "killed")),
        )
    ),
)
def test_a_timeline_tells(told: Story, line: str) -> None:
    assert lines(told)[-1] == line


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(story().asks("list", "pods").answered(), id="reads"),
        pytest.param(story().asks("create", "events").answered(201), id="writing events"),
        pytest.param(story().asks("update", "leases", "leader").answered(), id="holding a lease"),
        pytest.param(story().answered(), id="a reply to a request before the scenario"),
        pytest.param(story().claims(1, now(pod_released(job="a"))).closes(1), id="claims"),
    ],
)
def test_a_timeline_leaves_out(told: Story) -> None:
    assert lines(told) == []


def test_a_timeline_ends_with_the_decisive_record_and_marks_it() -> None:
    told = story().job("a").pod("a-1").succeeds("a-1").complete("a", succeeded=1)

    assert lines(told, 2)[-1].startswith("pod/a-1: MODIFIED Succeeded")
    assert [line.endswith("<- here") for line in lines(told, 2)] == [False, False, True]


def test_an_early_decisive_record_stays_in_a_long_timeline() -> None:
    told = story().job("a").pods(*(f"a-{n}" for n in range(40)))

    shown = timeline(told.records, (0, 30), until=told.last)

    assert [it.record for it in shown] == [0, None, *range(19, 31)]
    assert [it.record for it in shown if it.here] == [0, 30]
    assert shown[1].what == "18 more"


MANY = [f"a-{n}" for n in range(60)]


@pytest.mark.parametrize("decisive", [(60,), ()])
def test_each_object_that_a_finding_names_has_a_line_however_many_others_there_are(
    decisive: tuple[int, ...],
) -> None:
    told = story().job("a").pods(*MANY)
    observed = "2 pods were lost: a-3, a-17 (a-4711 never was)"

    for waited in (None, Wait(0, Moment(60.0, "claim", "6 s are over", here=True))):
        shown = timeline(told.records, decisive, until=told.last, waited=waited, observed=observed)
        subjects = [it.subject for it in shown]
        assert (subjects.count("pod/a-3"), subjects.count("pod/a-17")) == (1, 1)
        assert "pod/a-18" not in subjects
        assert [it.at_s for it in shown] == sorted(it.at_s for it in shown)


def test_the_decisive_record_of_a_named_object_goes_before_its_last_one() -> None:
    told = story().job("a").pods(*MANY).pod("a-99").succeeds("a-3")
    decisive = range(2, 50, 2)  # of these only the first and the last are shown: a-17 is in the middle

    shown = timeline(told.records, decisive, until=told.last, observed="a-3, a-17")

    assert [it.here for it in shown if it.subject == "pod/a-17"] == [True]
    assert [it.here for it in shown if it.subject == "pod/a-3"] == [True]


def test_a_word_of_a_finding_that_is_a_short_name_too_adds_no_line() -> None:
    told = story().job("a").pods(*MANY)

    shown = timeline(told.records, (60,), until=told.last, observed="a pod of Job a")

    assert "job/a" not in [it.subject for it in shown]


def test_of_many_decisive_records_the_first_and_the_last_are_shown() -> None:
    told = story().job("a").pods(*(f"a-{n}" for n in range(90)))

    shown = timeline(told.records, range(0, 91, 6), until=told.last)

    assert [it.record for it in shown if it.here] == [0, 6, 12, 78, 84, 90]
    assert [it.what for it in shown if it.subject == "..."] == ["2 more", "2 more", "62 more"]


def test_the_first_time_that_each_fault_struck_is_shown_however_early_it_was() -> None:
    told = story().job("a")
    for number, what in ((0, "armed"), (0, "fired"), (0, "fired"), (1, "fired")):
        told.fault(number, what, text=f"fault {number}")
    told.pods(*(f"a-{n}" for n in range(40)))

    shown = timeline(told.records, (40,), until=told.last)

    assert [it.what for it in shown if it.subject == "fault"] == ["fired: fault 0", "fired: fault 1"]
    assert [it.record for it in shown if it.subject == "fault"] == [2, 4]


def test_a_timeline_of_a_wait_in_vain_shows_what_decided_and_how_it_ended() -> None:
    told = story().job("a").pods(*(f"a-{n}" for n in range(40)))
    over = Moment(6.0, "claim", "6 s are over", here=True)

    shown = timeline(told.records, (20,), until=told.last, waited=Wait(10, over))

    assert [it.record for it in shown] == [*range(12, 21), None, *range(37, 41), None]
    assert [it.what for it in shown if it.here][1:] == ["6 s are over"]


def test_a_timeline_of_a_wait_in_which_nothing_decided_shows_what_was_done_instead() -> None:
    told = story().job("a").pods(*(f"a-{n}" for n in range(40)))
    over = Moment(6.0, "claim", "6 s are over", here=True)

    shown = timeline(told.records, (), until=told.last, waited=Wait(10, over))

    assert [it.record for it in shown] == [*range(8, 16), None, *range(37, 41), None]


def test_a_timeline_without_a_decisive_record_tells_what_came_last() -> None:
    told = story().job("a").pods(*(f"a-{n}" for n in range(40)))

    shown = timeline(told.records, (), until=told.last)

    assert [it.record for it in shown] == list(range(29, 41))


def test_a_broken_claim_comes_with_its_timeline_and_a_held_one_without() -> None:
    told = story().job("a").pod("a-1")
    told.claims(1, never(pod_released(job="a")).scaled(1, "FIN-004"))
    told.succeeds("a-1").released("a-1").closes(1)

    (broken,) = judge(told.records, {"FIN-004": "no finalizer is removed too early"})

    assert broken.finding.text().splitlines()[0] == "FIN-004 not met: no finalizer is removed too early"
    assert broken.finding.timeline[-1].here
    held = explain(Judgement(broken.claim, 0, Finding(holds=True, expected="", observed="")), told.seen)
    assert held.timeline == ()


def test_a_claim_without_a_requirement_sentence_tells_itself() -> None:
    claim = now(job_complete(job="a", succeeded=1)).scaled(1, "BAS-050")

    told = explain(Judgement(claim, 0, Finding(holds=False, expected="1", observed="0")), story().seen)

    assert told.sentence == "now the Job completes with 1 succeeded pod"


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ({}, ""),
        ({"active": 0, "failed": 2}, "failed=2"),
        ({"uncountedTerminatedPods": None, "conditions": None}, ""),
        ({"uncountedTerminatedPods": {"failed": ["x"]}}, "uncounted failed=1"),
        (
            {"terminating": 1, "conditions": [{"type": "Suspended", "status": "False"}]},
            "terminating=1 Suspended=False",
        ),
    ],
)
def test_a_status_is_told_by_what_is_in_it(status: dict[str, object], text: str) -> None:
    assert status_text(status) == text


def test_unusual_objects_do_not_stop_a_timeline() -> None:
    told = story().add(Change("ADDED", LEASES, {"metadata": {"name": "leader"}}))
    told.add(Request(9, "patch", JOBS, "", "n", "a", ["a", "json", "patch"], "", 1))

    assert lines(told) == ["lease/leader: ADDED", "job/a: PATCH"]
