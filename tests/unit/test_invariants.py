"""Invariants: a history that breaks each, with the record that decides, and what they do not accuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from histories import Story, headed_story, story, time_of_day

from batchproof.judgement.faults import Fault, Freeze, On, view_fault
from batchproof.judgement.finding import FactBroke
from batchproof.judgement.invariants import breaches, invariants, rule
from batchproof.judgement.invariants.process import EXIT
from batchproof.judgement.things.batch import Job
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from batchproof.judgement.finding import Finding


def judged(told: Story) -> Finding | None:
    return next(iter(breaches(told.seen)), None)


# -- a whole life that breaks nothing


def good_life() -> Story:
    """Three pods, two at a time, recorded, released and counted as the specification wants it."""
    told = story().job("a", parallelism=2, completions=3).pods("a-1", "a-2").status("a", active=2)
    told.succeeds("a-1").status("a", active=1, recorded=("a-1",)).released("a-1")
    told.pod("a-3").status("a", active=2, succeeded=1)
    told.succeeds("a-2").succeeds("a-3").status("a", succeeded=1, recorded=("a-2", "a-3"))
    told.released("a-2").released("a-3").status("a", "SuccessCriteriaMet", succeeded=3)
    told.complete("a", succeeded=3)
    return told.gone("pods", "a-1").gone("pods", "a-2").gone("pods", "a-3").gone("jobs", "a")


def test_a_job_that_lives_as_it_should_breaks_nothing() -> None:
    assert judged(good_life()) is None


def test_an_empty_history_breaks_nothing() -> None:
    assert judged(story()) is None


# -- each invariant is broken by one record


def job(**spec: object) -> Story:
    return story().job("a", **{"parallelism": 2, "completions": 4, **spec})


def indexed(**spec: object) -> Story:
    return job(completionMode="Indexed", **{"completions": 2, **spec})


def elastic() -> Story:
    """A Job of three indexes, of which 0 and 2 are completed, shrinks to two."""
    told = indexed(parallelism=3, completions=3).pod("a-0", index=0).pod("a-2", index=2)
    told.succeeds("a-0").succeeds("a-2").status("a", succeeded=2, completedIndexes="0,2")
    told.spec("a", parallelism=2, completions=2)
    return told.status("a", succeeded=1, completedIndexes="0")


def blind(told: Story) -> Story:
    """From now on no new pod is seen."""
    return told.fault(1, "armed", **view_fault(PODS, frozen=True, delay_s=0.0)).fault(1, "fired")


def recorded() -> Story:
    """A pod that is finished and recorded."""
    return job().pod("a-1").succeeds("a-1").status("a", recorded=("a-1",))


def both_recorded() -> Story:
    """Two pods have succeeded, are recorded, and are released."""
    told = job().pods("a-1", "a-2").succeeds("a-1").succeeds("a-2").status("a", recorded=("a-1", "a-2"))
    return told.released("a-1").released("a-2")


def idle() -> Story:
    """The status of a Job is written again and again, and stays as it is."""
    told = job()
    for _ in range(11):
        told.asks("update", "jobs", "a", subresource="status").answered(200)
    return told


def withheld(told: Story, *, frozen: bool, delay_s: float) -> Story:
    """From now on the view of Jobs is withheld."""
    return told.fault(1, "armed", **view_fault(JOBS, frozen=frozen, delay_s=delay_s)).fault(1, "fired")


BREAKS = [
    pytest.param(
        "GNG-001",
        story().node("n", "4").gang("a", 3).members("a-1", "a-2").bound("n", "a-1"),
        *(5, "a-1 of gang a"),
        id="a pod of a gang is bound before the others are created",
    ),
    pytest.param(
        "GNG-002",
        story().node("n", "2").gang("a", 3).members("a-1", "a-2", "a-3").bound("n", "a-1"),
        *(6, "a-1 of gang a"),
        id="a pod of a gang is bound though there never was room for the others",
    ),
    pytest.param(
        "GNG-009",
        story().node("n", "1").members("a-1", "a-2").bound("n", "a-1", "a-2"),
        *(4, "a-2 on n: cpu exceeded"),
        id="a node is given more than it has",
    ),
    pytest.param(
        "GNG-009",
        story().node("n").node("n", cordoned=True).member("a-1").bound("n", "a-1").runs("a-1"),
        *(3, "a-1 on n: the node does not suit it"),
        id="a pod is bound to a node that is cordoned",
    ),
    pytest.param(
        "BAS-014",
        job().pods("a-1", "a-2", "a-3"),
        3,
        "3 with the creation of a-3",
        id="a pod above parallelism",
    ),
    pytest.param(
        "BAS-014",
        job(completions=2).pods("a-1", "a-2").succeeds("a-1").pod("a-3"),
        *(4, "2 with the creation of a-3"),
        id="a pod above what is left to complete",
    ),
    pytest.param(
        "BAS-014",
        job(parallelism=3)
        .pods("a-1", "a-2", "a-3")
        .spec("a", parallelism=1)
        .at(3)
        .gone("pods", "a-1")
        .pod("a-4"),
        *(6, "3 with the creation of a-4"),
        id="a pod above a parallelism that was lowered long ago",
    ),
    pytest.param(
        "BAS-014",
        indexed().pod("a-0", index=0).succeeds("a-0").pod("a-1", index=1).pod("a-2", index=2),
        *(4, "2 with the creation of a-2"),
        id="a pod above the indexes that are left to complete",
    ),
    pytest.param(
        "IDX-004",
        indexed().status("a", succeeded=2, completedIndexes="1"),
        *(1, "2: succeeded=2 completedIndexes=1"),
        id="more successes than completed indexes",
    ),
    pytest.param("IDX-006", job().pod("a-0", index=0), *(1, "annotation and label"), id="a needless index"),
    pytest.param(
        "IDX-022",
        indexed().status("a", succeeded=1, completedIndexes="0").pod("a-0", index=0),
        *(2, "a-0 created"),
        id="a completed index is run again",
    ),
    pytest.param(
        "IDX-028",
        indexed().pod("a-0", index=0).pod("b-0", index=0),
        *(2, "b-0 created while a-0 is active"),
        id="a second pod of an index",
    ),
    pytest.param(
        "FIN-004",
        indexed().pod("a-0", index=0).succeeds("a-0").released("a-0"),
        *(5, "released; the Job has empty status"),
        id="a succeeded pod is released before its index is listed",
    ),
    pytest.param(
        "FIN-004",
        indexed().pod("a-0", index=0).fails("a-0").released("a-0"),
        *(5, "never held uid-a-0"),
        id="a failed pod of an Indexed Job is released unrecorded",
    ),
    pytest.param(
        "FIN-006",
        indexed()
        .status("a", succeeded=2, completedIndexes="0,1")
        .status("a", succeeded=1, completedIndexes="1"),
        *(2, "0 left: succeeded=1 completedIndexes=1"),
        id="a completed index is forgotten",
    ),
    pytest.param(
        "FIN-006",
        indexed().status("a", failed=2).status("a", failed=1),
        *(2, "1: failed=1"),
        id="a failure of an Indexed Job is forgotten",
    ),
    pytest.param(
        "BAS-060", job().complete("a", succeeded=0).pod("a-1"), 2, "a-1 created", id="a pod after the end"
    ),
    pytest.param(
        "EXP-043",
        withheld(job(completions=2).pods("a-1", "a-2").succeeds("a-1"), frozen=True, delay_s=0.0).pod("a-3"),
        *(6, "2 with the creation of a-3"),
        id="a pod in place of one that has succeeded, by a stale view",
    ),
    pytest.param(
        "BAS-014",
        withheld(job().pods("a-1", "a-2"), frozen=True, delay_s=0.0).pod("a-3"),
        *(5, "3 with the creation of a-3"),
        id="more pods than parallelism, though the view is stale",
    ),
    pytest.param(
        "BAS-075",
        withheld(job().complete("a", succeeded=0), frozen=True, delay_s=0.0).pod("a-1"),
        *(4, "a-1 created"),
        id="a pod after an end that the view does not show",
    ),
    pytest.param("FIN-001", job().pod("a-1", tracked=False), 1, "finalizers []", id="a pod born bare"),
    pytest.param(
        "FIN-004",
        job().pod("a-1").succeeds("a-1").released("a-1"),
        *(5, "never held uid-a-1"),
        id="a finished pod is released unrecorded",
    ),
    pytest.param(
        "FIN-004",
        job().pods("a-1", "a-2").succeeds("a-1").status("a", recorded=("a-2",)).released("a-1"),
        *(7, "never held uid-a-1"),
        id="another pod was recorded than the one that is released",
    ),
    pytest.param(
        "FIN-004",
        job().pod("a-1").fails("a-1").write("delete", "pods", "a-1").gone("pods", "a-1"),
        *(5, "never held uid-a-1"),
        id="a finished pod vanishes unrecorded",
    ),
    pytest.param(
        "FIN-005",
        recorded().status("a", succeeded=1),
        *(4, "still tracked: a-1"),
        id="a UID leaves the record before its pod is released",
    ),
    pytest.param(
        "FIN-006",
        job().status("a", recorded=("a-1",), recorded_failed=("a-1",)),
        *(1, "both: uid-a-1"),
        id="a UID is both succeeded and failed",
    ),
    pytest.param(
        "FIN-006",
        job().status("a", recorded=("x", "y")).status("a", succeeded=1),
        *(2, "1: succeeded=1"),
        id="a recorded pod is forgotten",
    ),
    pytest.param(
        "FIN-006", job().status("a", failed=2).status("a", failed=1), 2, "1: failed=1", id="a counter falls"
    ),
    pytest.param(
        "BAS-059",
        job().status("a", "SuccessCriteriaMet", "Complete", "FailureTarget", "Failed", completionTime="t"),
        *(1, "Complete and Failed after none"),
        id="a Job is Complete and Failed",
    ),
    pytest.param(
        "BAS-059",
        job().status("a", "FailureTarget", "Failed").status("a", "FailureTarget"),
        *(2, "none after Failed"),
        id="a terminal condition is taken back",
    ),
    pytest.param(
        "BAS-059",
        job().complete("a", succeeded=4).status("a", "FailureTarget", "Failed", succeeded=4),
        *(2, "Failed after Complete"),
        id="one terminal condition replaces the other",
    ),
    pytest.param(
        "BAS-055",
        job().status("a", "Complete", completionTime="t"),
        *(1, "Complete=True"),
        id="Complete without SuccessCriteriaMet",
    ),
    pytest.param("BAS-056", job().status("a", "Failed"), 1, "Failed=True", id="Failed without FailureTarget"),
    pytest.param(
        "BAS-058",
        job().status("a", "FailureTarget", "Failed", active=1),
        *(1, "active=1"),
        id="a finished Job with an active pod",
    ),
    pytest.param(
        "BAS-058",
        job().status("a", "FailureTarget", "Failed", terminating=1),
        *(1, "terminating=1"),
        id="a finished Job with a terminating pod",
    ),
    pytest.param(
        "BAS-058",
        job().status("a", "FailureTarget", "Failed", recorded=("x",)),
        *(1, "uncounted succeeded=1"),
        id="a finished Job with a pod that waits to be counted",
    ),
    pytest.param(
        "FIN-020",
        job().pods("a-1", "a-2").succeeds("a-1").complete("a", succeeded=1),
        *(4, "tracked: a-1, a-2"),
        id="a Job finishes before its pods are released",
    ),
    pytest.param(
        "FIN-007",
        both_recorded()
        .at(9)
        .status("a", "SuccessCriteriaMet", "Complete", succeeded=1, failed=1, completionTime="t"),
        *(12, "1: succeeded=1 failed=1"),
        id="a success that is counted as a failure",
    ),
    pytest.param(
        "FIN-007",
        job().pod("a-1").released("a-1").complete("a", succeeded=1),
        *(5, "1: succeeded=1"),
        id="a success that never was",
    ),
    pytest.param(
        "EXP-030",
        job(template={"metadata": {"labels": {"colour": "green"}}}).pod("a-1"),
        *(1, "metadata.labels.colour"),
        id="a pod without a label of its template",
    ),
    pytest.param(
        "BAS-037",
        job(suspend=True).pod("a-1"),
        *(1, "a-1 created"),
        id="a pod of a suspended Job",
    ),
    pytest.param(
        "BAS-065",
        job().deleting("jobs", "a", "foregroundDeletion").at(9).pod("a-1"),
        *(2, "a-1 created"),
        id="a pod of a Job that is being deleted",
    ),
    pytest.param(
        "BAS-025",
        story().job("a", parallelism=2).pod("a-1").succeeds("a-1").at(9).pod("a-2"),
        *(3, "a-2 created"),
        id="a pod of a work queue after its first success",
    ),
    pytest.param(
        "BAS-078",
        recorded().released("a-1").at(9).asks("delete", "pods", "a-1"),
        *(7, "the deletion of a-1"),
        id="a finished pod is deleted",
    ),
    pytest.param(
        "BAS-073",
        job().asks("update", "jobs", "a", subresource="status").answered(422),
        *(2, "refused"),
        id="a status that is refused as invalid",
    ),
    pytest.param(
        "ROB-028",
        idle(),
        *(21, "11 status writes of Job a, 0 changes of it"),
        id="a status that is written on and on",
    ),
    pytest.param(
        "BAS-054",
        job().status("a", "SuccessCriteriaMet", "Complete"),
        *(1, "completionTime None -> None"),
        id="Complete without a completionTime",
    ),
    pytest.param(
        "BAS-054",
        job().status("a", "FailureTarget", "Failed", completionTime="t"),
        *(1, "completionTime None -> t"),
        id="Failed with a completionTime",
    ),
    pytest.param(
        "BAS-054",
        job().complete("a", succeeded=4).at(9).complete("a", succeeded=4),
        *(2, f"-> {time_of_day(8)}"),
        id="a completionTime that changes",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_is_broken_by(requirement: str, told: Story, decisive: int, observed: str) -> None:
    finding = judged(told)

    assert finding is not None
    assert (finding.requirement, finding.decisive) == (requirement, (decisive,))
    assert observed in finding.observed
    assert [it.record for it in finding.timeline if it.here] == [decisive]


def test_what_is_not_in_force_is_not_judged() -> None:
    told = story().job("a", parallelism=2).pod("a-1", tracked=False).complete("a", succeeded=0).pod("a-2")

    assert [one.requirement for one in breaches(told.seen)] == ["FIN-001", "BAS-060"]
    assert [one.requirement for one in breaches(told.seen, {"BAS-060": "It ends."})] == ["BAS-060"]


def test_each_requirement_is_accused_once_by_its_first_breach() -> None:
    told = story().job("a", parallelism=3).pod("a-1", tracked=False).pod("a-2", tracked=False)

    (one,) = breaches(told.seen)

    assert (one.requirement, one.decisive) == ("FIN-001", (1,))


def test_an_exit_is_a_breach_of_its_own_and_a_kill_is_none() -> None:
    told = story().process(1, "ready").process(1, "killed").process(2, "ready")
    assert breaches(told.seen) == []

    told.process(2, "exited by itself: mine 1.0: exit code 3\nRuntimeError: no more")

    one, *of_the_other_profiles = breaches(told.seen)
    assert {it.requirement for it in (one, *of_the_other_profiles)} == EXIT
    assert one.decisive == (told.last,)
    assert one.observed == "exited by itself: mine 1.0: exit code 3 | RuntimeError: no more"


def test_an_invariant_that_raises_accuses_nobody_but_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise KeyError("template")

    monkeypatch.setitem(rule.RULES[Job], "BAS-059", wrong)
    with pytest.raises(
        FactBroke, match=r"invariant of BAS-059 broke at record 0, unit/test_invariants\.py:\d+: KeyError"
    ):
        breaches(story().job("a").seen)


def test_a_requirement_has_one_rule() -> None:
    with pytest.raises(ValueError, match="BAS-059 has a rule already"):
        rule.about_pods("BAS-059")(lambda _, __: None)


def test_every_invariant_has_a_history_that_breaks_it() -> None:
    assert {case.values[0] for case in BREAKS} == invariants() - EXIT


# -- what an invariant does not accuse


ENDED = ("FailureTarget", "Failed")


# -- BAS-014: how long a controller may act on a spec that has been changed


def lowered(time_scale: float = 1.0) -> Story:
    """A Job whose parallelism is lowered from 2 to 1."""
    return headed_story(time_scale).job("a", parallelism=2).pod("a-1").at(10).spec("a", parallelism=1)


def frozen(told: Story) -> Story:
    return withheld(told, frozen=True, delay_s=0.0)


def late(told: Story) -> Story:
    return withheld(told, frozen=False, delay_s=3.0)


def frozen_by_a_request(told: Story) -> Story:
    """The view of Jobs is frozen by a fault of requests when that strikes."""
    fault = Fault("freezes", On(JOBS), Freeze(JOBS), times=1)
    return told.fault(1, "armed", **fault.to_json()).fault(1, "fired")


def lowered_while(withhold: Callable[[Story], Story]) -> Story:
    return withhold(headed_story().job("a", parallelism=2).pod("a-1").at(9)).at(10).spec("a", parallelism=1)


@pytest.mark.parametrize(
    ("told", "accused"),
    [
        pytest.param(lowered().at(11.9).pod("a-2"), False, id="within the reaction"),
        pytest.param(lowered().at(12.1).pod("a-2"), True, id="after the reaction"),
        pytest.param(lowered(3).at(15.9).pod("a-2"), False, id="within the reaction of a slow one"),
        pytest.param(lowered(3).at(16.1).pod("a-2"), True, id="after the reaction of a slow one"),
        pytest.param(lowered_while(frozen).at(30).pod("a-2"), False, id="while its view is frozen"),
        pytest.param(
            lowered_while(frozen_by_a_request).at(30).pod("a-2"),
            False,
            id="while a fault has frozen its view",
        ),
        pytest.param(
            lowered_while(frozen).at(29).fault(1, "thawed").at(30.9).pod("a-2"),
            *(False,),
            id="within the reaction to what it sees at last",
        ),
        pytest.param(
            lowered_while(frozen).at(29).fault(1, "thawed").at(31.1).pod("a-2"),
            *(True,),
            id="after the reaction to what it sees at last",
        ),
        pytest.param(lowered_while(late).at(14.9).pod("a-2"), False, id="while its view is late"),
        pytest.param(lowered_while(late).at(15.1).pod("a-2"), True, id="when its view has shown it"),
        pytest.param(
            lowered_while(frozen).at(30).pods("a-2", "a-3"),
            *(True,),
            id="never above the old spec",
        ),
    ],
)
def test_a_controller_may_act_on_an_old_spec_as_long_as_it_cannot_know_the_new_one(
    told: Story, *, accused: bool
) -> None:
    finding = judged(told)

    assert (finding.requirement if finding else None) == ("BAS-014" if accused else None)


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(
            job().pods("a-1", "a-2").lost("create", "pods").pod("a-3"),
            id="BAS-014: a creation whose reply was lost is unknown to the controller",
        ),
        pytest.param(
            job().pods("a-1", "a-2").spec("a", parallelism=1).gone("pods", "a-1").pod("a-3"),
            id="BAS-014: the controller may act on the spec of a moment ago",
        ),
        pytest.param(
            job().pods("a-1", "a-2").deleting("pods", "a-1").pod("a-3"),
            id="BAS-014: a pod that is being deleted may be replaced",
        ),
        pytest.param(
            job().pods("a-1", "a-2").fails("a-1").pod("a-3"), id="BAS-014: a failed pod may be replaced"
        ),
        pytest.param(
            indexed()
            .pod("x", of=None, index=0)
            .owned("x", by="a")
            .pod("y", index=0)
            .succeeds("x")
            .succeeds("y")
            .pod("z", index=1),
            id="BAS-014, IDX-028: an Indexed Job counts indexes, not pods",
        ),
        pytest.param(
            indexed().pod("x", index=2).succeeds("x").pod("y", index=0).pod("z", index=1),
            id="BAS-014: the success of an index that the Job does not have",
        ),
        pytest.param(
            elastic().spec("a", parallelism=3, completions=3).pod("z", index=2).pod("y", index=1),
            id="BAS-014, IDX-022: an index that was gone is run again",
        ),
        pytest.param(
            elastic().released("a-2"), id="FIN-004: the index is beyond completions since they were lowered"
        ),
        pytest.param(
            elastic().status("a", succeeded=1, completedIndexes="0"),
            id="FIN-006: a completed index leaves since it is beyond completions",
        ),
        pytest.param(
            indexed().pod("a-0", index=0).lost("create", "pods").pod("b-0", index=0),
            id="IDX-028: a creation whose reply was lost is unknown to the controller",
        ),
        pytest.param(
            indexed().pod("u", of=None, index=0).owned("u", by="a").pod("a-0", index=0),
            id="IDX-028: a pod that a user has given to the Job is unknown to the controller",
        ),
        pytest.param(
            blind(indexed().pod("a-0", index=0).process(1, "killed")).pod("b-0", index=0),
            id="IDX-028: a new process knows what it is shown",
        ),
        pytest.param(
            indexed().pod("a-0", index=0).fails("a-0").pod("b-0", index=0),
            id="IDX-028: a failed pod is replaced by one of its index",
        ),
        pytest.param(
            withheld(indexed().status("a", succeeded=1, completedIndexes="0"), frozen=True, delay_s=0.0).pod(
                "a-0", index=0
            ),
            id="IDX-022: the view of Jobs does not show what is completed",
        ),
        pytest.param(job().pods("a-1", "a-2"), id="IDX-006: pods without an index"),
        pytest.param(
            job(completions=None).pods("a-1", "a-2").succeeds("a-1").pod("a-3"),
            id="BAS-014: a work queue has no completions to exceed",
        ),
        pytest.param(
            job().pods("a-1", "a-2").gone("pods", "a-1").pod("a-3"),
            id="BAS-014: a pod that is gone may be replaced",
        ),
        pytest.param(
            job().pods("a-1", "a-2").pod("a-3", phase="Failed"),
            id="BAS-014: a pod that had ended when it was first seen",
        ),
        pytest.param(
            recorded().released("a-1").complete("a", succeeded=1), id="FIN-007: every success is counted"
        ),
        pytest.param(
            recorded()
            .pod("a-2")
            .at(9)
            .succeeds("a-2")
            .status("a", recorded=("a-1", "a-2"))
            .released("a-1")
            .released("a-2")
            .complete("a", succeeded=2),
            id="FIN-007: a success at the very end",
        ),
        pytest.param(
            job()
            .pod("a-1")
            .deleting("pods", "a-1")
            .succeeds("a-1")
            .status("a", recorded_failed=("a-1",))
            .released("a-1")
            .at(9)
            .status("a", "SuccessCriteriaMet", "Complete", failed=1, completionTime="t"),
            id="FIN-007: a success of a pod that was being deleted",
        ),
        pytest.param(
            job(template={"spec": {"containers": [{"name": "main"}]}}).pod("a-1", of=None),
            id="EXP-030: a pod that a user made",
        ),
        pytest.param(job().spec("a", suspend=True).pod("a-1"), id="BAS-037: the Job was suspended just now"),
        pytest.param(job().pod("a-1").asks("delete", "pods", "a-1"), id="BAS-078: a pod that runs"),
        pytest.param(
            recorded().released("a-1").deleting("jobs", "a").at(9).asks("delete", "pods", "a-1"),
            id="BAS-078: a finished pod goes with its Job",
        ),
        pytest.param(
            job().asks("update", "jobs", "a", subresource="status").answered(422, fault="a fault"),
            id="BAS-073: a fault refuses the status",
        ),
        pytest.param(
            job().pod("o", of=None).status("a", *ENDED).owned("o", by="a").fails("o").released("o"),
            id="FIN-004: the Job is finished and counts nothing more",
        ),
        pytest.param(
            job().pod("o", of=None).status("a", *ENDED).owned("o", by="a").status("a", *ENDED),
            id="FIN-020: a pod that came to a Job which was finished already",
        ),
        pytest.param(
            job().pods("a-1", "a-2").pod("b-1", of="b").pod("orphan", of=None, tracked=False),
            id="BAS-014: pods of others do not count",
        ),
        pytest.param(job().gone("jobs", "a").pod("a-1", tracked=False), id="FIN-001: the Job is gone"),
        pytest.param(
            recorded().released("a-1").status("a", succeeded=1),
            id="FIN-004: the UID is recorded first",
        ),
        pytest.param(
            recorded().gone("pods", "a-1").status("a", succeeded=1),
            id="FIN-005: the pod is gone",
        ),
        pytest.param(
            job().pod("a-1").succeeds("a-1").deleting("jobs", "a").released("a-1"),
            id="FIN-004: the Job is being deleted",
        ),
        pytest.param(
            job().pod("a-1").succeeds("a-1").gone("jobs", "a").released("a-1"), id="FIN-004: the Job is gone"
        ),
        pytest.param(
            indexed()
            .pod("a-0", index=0)
            .succeeds("a-0")
            .status("a", succeeded=1, completedIndexes="0")
            .released("a-0"),
            id="FIN-004: an Indexed Job records indexes",
        ),
        pytest.param(
            indexed()
            .pod("a-0", index=0)
            .status("a", failed=1, failedIndexes="0")
            .succeeds("a-0")
            .released("a-0"),
            id="FIN-004: the index has failed already",
        ),
        pytest.param(
            indexed().pod("a-1").succeeds("a-1").released("a-1"),
            id="FIN-004: a pod without an index counts for nothing",
        ),
        pytest.param(
            job().pod("a-1").succeeds("a-1").released("a-1", by_the_implementation=False),
            id="FIN-004: somebody else released the pod",
        ),
        pytest.param(
            job().pod("a-1").deleting("pods", "a-1").released("a-1"), id="FIN-004: the pod is not finished"
        ),
        pytest.param(
            job(completionMode="Indexed").status("a", recorded=("x",)).status("a"),
            id="FIN-006: an Indexed Job counts by index",
        ),
        pytest.param(
            job().status("a", recorded=("x", "y")).status("a", succeeded=1, recorded=("y",)),
            id="FIN-006: what left the record was counted",
        ),
        pytest.param(
            story()
            .node("n", "1")
            .members("a-1", "a-2")
            .bound("n", "a-1")
            .succeeds("a-1")
            .bound("n", "a-2")
            .swapped(),
            id="GNG-009: the pod before it had ended in etcd, though its watch told so later",
        ),
    ],
)
def test_an_invariant_does_not_accuse(told: Story) -> None:
    finding = judged(told)

    assert finding is None, finding.text() if finding else ""


def test_the_order_of_etcd_decides_not_the_order_of_arrival() -> None:
    told = job().pod("a-1").succeeds("a-1").write("patch", "pods", "a-1")
    told.status("a", recorded=("a-1",)).released("a-1", by_the_implementation=False)

    assert judged(told.swapped()) is None


def test_the_first_broken_invariant_is_told_with_its_sentence() -> None:
    told = job().pod("a-1", tracked=False).status("a", "Failed")

    (finding,) = breaches(told.seen, {"FIN-001": "Every pod MUST be born with the finalizer."})

    assert finding is not None
    assert finding.text().startswith("FIN-001 not met: Every pod MUST be born with the finalizer.")


def test_a_job_that_is_made_anew_under_its_name_is_another_job() -> None:
    told = good_life().job("a", parallelism=1)

    assert judged(told.pod("b-1", of="a-again")) is None
