"""Invariants: how many pods a Job has, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from histories import Story, condition, headed_story, story, time_of_day
from invariant_examples import assert_blameless, assert_broken, job, judged, withheld

from batchproof.judgement.faults import Fault, Freeze, On
from batchproof.resources import JOBS

if TYPE_CHECKING:
    from collections.abc import Callable


def by_deadline(told: Story, *, at: float) -> Story:
    """A Job that was started at noon ends by its deadline."""
    return told.status("a", condition("FailureTarget", "DeadlineExceeded", at=at), startTime=time_of_day(0))


BREAKS = [
    pytest.param(
        "BAS-014",
        job().pods("a-1", "a-2", "a-3"),
        3,
        "3 with the creation of a-3",
        id="a pod above parallelism",
    ),
    pytest.param(
        "BAS-014",
        job(completions=2).pods("a-1", "a-2").succeeds("a-1").status("a", succeeded=1).pod("a-3"),
        *(5, "2 with the creation of a-3"),
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
        "BAS-040",
        by_deadline(job(activeDeadlineSeconds=5), at=4),
        *(1, "an end by the deadline at 12:00:04"),
        id="a deadline that takes effect too early",
    ),
    pytest.param(
        "BAS-040",
        by_deadline(job(activeDeadlineSeconds=5).spec("a", activeDeadlineSeconds=600).at(9), at=9),
        *(2, "an end by the deadline at 12:00:09"),
        id="a deadline that was made later long ago",
    ),
    pytest.param(
        "BAS-040",
        by_deadline(job(activeDeadlineSeconds=10_000_000_000), at=4),
        *(1, "an end by the deadline at 12:00:04"),
        id="a deadline in centuries that takes effect now",
    ),
    pytest.param(
        "BAS-040",
        by_deadline(job(activeDeadlineSeconds=2**63 - 1), at=4),
        *(1, "an end by the deadline at 12:00:04"),
        id="a deadline after the last year that takes effect now",
    ),
    pytest.param(
        "BAS-040",
        by_deadline(job(), at=9),
        *(1, "an end by the deadline at 12:00:09"),
        id="a deadline that nobody has set",
    ),
    pytest.param(
        "BAS-060", job().complete("a", succeeded=0).pod("a-1"), 2, "a-1 created", id="a pod after the end"
    ),
    pytest.param(
        "EXP-043",
        withheld(
            job(completions=2).pods("a-1", "a-2").succeeds("a-1").status("a", succeeded=1),
            frozen=True,
            delay_s=0.0,
        ).pod("a-3"),
        *(7, "2 with the creation of a-3"),
        id="a pod in place of one that is counted, by a stale view",
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
        "BAS-054",
        job().status("a", "SuccessCriteriaMet", "Complete"),
        *(1, "completionTime none -> none"),
        id="Complete without a completionTime",
    ),
    pytest.param(
        "BAS-054",
        job().status("a", "FailureTarget", "Failed", completionTime="t"),
        *(1, "completionTime none -> t"),
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
def test_an_invariant_of_jobs_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed)


BLAMELESS = [
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
    pytest.param(by_deadline(job(activeDeadlineSeconds=5), at=5), id="BAS-040: a deadline that is due"),
    pytest.param(
        by_deadline(job(activeDeadlineSeconds=5).at(5).spec("a", activeDeadlineSeconds=600), at=5),
        id="BAS-040: a deadline that was made later just now",
    ),
    pytest.param(
        job(completions=1).pod("a-1").deleting("pods", "a-1").succeeds("a-1").pod("a-2"),
        id="BAS-014: a terminating pod succeeds just before the one that replaces it is created",
    ),
    pytest.param(
        job(completions=1)
        .pod("a-1")
        .succeeds("a-1")
        .released("a-1", by_the_implementation=False)
        .gone("pods", "a-1")
        .pod("a-2"),
        id="BAS-014: a pod that succeeded is let go by another client, and counted by nobody",
    ),
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
    pytest.param(job().spec("a", suspend=True).pod("a-1"), id="BAS-037: the Job was suspended just now"),
    pytest.param(
        job().pods("a-1", "a-2").pod("b-1", of="b").pod("orphan", of=None, tracked=False),
        id="BAS-014: pods of others do not count",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_jobs_does_not_accuse(told: Story) -> None:
    assert_blameless(told)


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
