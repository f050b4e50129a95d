"""Invariants: how many pods a Job has, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from histories import Story, condition, headed_story, story, time_of_day
from invariant_examples import Case, breaks, check, examples, job, judged, keeps, withheld

from batchproof.ground.resources import JOBS
from batchproof.judgement.faults import Fault, Freeze, On

if TYPE_CHECKING:
    from collections.abc import Callable


def by_deadline(told: Story, *, at: float) -> Story:
    """A Job that was started at noon ends by its deadline."""
    return told.status("a", condition("FailureTarget", "DeadlineExceeded", at=at), startTime=time_of_day(0))


@examples(
    "BAS-014",
    breaks("a pod above parallelism", 3, "3 with the creation of a-3", job().pods("a-1", "a-2", "a-3")),
    breaks("a pod above what is left to complete", 5, "2 with the creation of a-3"),
    job(completions=2).pods("a-1", "a-2").succeeds("a-1").status("a", succeeded=1).pod("a-3"),
    breaks("a pod above a parallelism that was lowered long ago", 6, "3 with the creation of a-4"),
    job(parallelism=3)
    .pods("a-1", "a-2", "a-3")
    .spec("a", parallelism=1)
    .at(3)
    .gone("pods", "a-1")
    .pod("a-4"),
    "BAS-040",
    breaks("a deadline that takes effect too early", 1, "an end by the deadline at 12:00:04"),
    by_deadline(job(activeDeadlineSeconds=5), at=4),
    breaks("a deadline that was made later long ago", 2, "an end by the deadline at 12:00:09"),
    by_deadline(job(activeDeadlineSeconds=5).spec("a", activeDeadlineSeconds=600).at(9), at=9),
    breaks("a deadline in centuries that takes effect now", 1, "an end by the deadline at 12:00:04"),
    by_deadline(job(activeDeadlineSeconds=10_000_000_000), at=4),
    breaks("a deadline after the last year that takes effect now", 1, "an end by the deadline at 12:00:04"),
    by_deadline(job(activeDeadlineSeconds=2**63 - 1), at=4),
    breaks("a deadline that no user has set", 1, "an end by the deadline at 12:00:09"),
    by_deadline(job(), at=9),
    "BAS-060",
    breaks("a pod after the end", 2, "a-1 created", job().complete("a", succeeded=0).pod("a-1")),
    "EXP-043",
    breaks("a pod in place of one that is counted, by a stale view", 7, "2 with the creation of a-3"),
    withheld(
        job(completions=2).pods("a-1", "a-2").succeeds("a-1").status("a", succeeded=1),
        frozen=True,
        delay_s=0.0,
    ).pod("a-3"),
    "BAS-014",
    breaks("more pods than parallelism, though the view is stale", 5, "3 with the creation of a-3"),
    withheld(job().pods("a-1", "a-2"), frozen=True, delay_s=0.0).pod("a-3"),
    keeps("a creation whose reply was lost is unknown to the controller"),
    job().pods("a-1", "a-2").lost("create", "pods").pod("a-3"),
    keeps("the controller may act on the spec of a moment ago"),
    job().pods("a-1", "a-2").spec("a", parallelism=1).gone("pods", "a-1").pod("a-3"),
    keeps("a pod that is being deleted may be replaced"),
    job().pods("a-1", "a-2").deleting("pods", "a-1").pod("a-3"),
    keeps("a failed pod may be replaced", job().pods("a-1", "a-2").fails("a-1").pod("a-3")),
    "BAS-040",
    keeps("a deadline that is due", by_deadline(job(activeDeadlineSeconds=5), at=5)),
    keeps("a deadline that was made later just now"),
    by_deadline(job(activeDeadlineSeconds=5).at(5).spec("a", activeDeadlineSeconds=600), at=5),
    "BAS-014",
    keeps("a terminating pod succeeds just before the one that replaces it is created"),
    job(completions=1).pod("a-1").deleting("pods", "a-1").succeeds("a-1").pod("a-2"),
    keeps("a pod that succeeded loses its finalizer to another client, and is not counted"),
    job(completions=1)
    .pod("a-1")
    .succeeds("a-1")
    .released("a-1", by_the_implementation=False)
    .gone("pods", "a-1")
    .pod("a-2"),
    keeps("a work queue has no completions to exceed"),
    job(completions=None).pods("a-1", "a-2").succeeds("a-1").pod("a-3"),
    keeps("a pod that is gone may be replaced", job().pods("a-1", "a-2").gone("pods", "a-1").pod("a-3")),
    keeps("a pod that had ended when it was first seen", job().pods("a-1", "a-2").pod("a-3", phase="Failed")),
    "BAS-075",
    breaks("a pod after an end that the view does not show", 4, "a-1 created"),
    withheld(job().complete("a", succeeded=0), frozen=True, delay_s=0.0).pod("a-1"),
    "BAS-059",
    breaks("a Job is Complete and Failed", 1, "Complete and Failed after none"),
    job().status("a", "SuccessCriteriaMet", "Complete", "FailureTarget", "Failed", completionTime="t"),
    breaks("a terminal condition is taken back", 2, "none after Failed"),
    job().status("a", "FailureTarget", "Failed").status("a", "FailureTarget"),
    breaks("one terminal condition replaces the other", 2, "Failed after Complete"),
    job().complete("a", succeeded=4).status("a", "FailureTarget", "Failed", succeeded=4),
    "BAS-055",
    breaks("Complete without SuccessCriteriaMet", 1, "Complete=True"),
    job().status("a", "Complete", completionTime="t"),
    "BAS-056",
    breaks("Failed without FailureTarget", 1, "Failed=True", job().status("a", "Failed")),
    "BAS-058",
    breaks("a finished Job with an active pod", 1, "active=1"),
    job().status("a", "FailureTarget", "Failed", active=1),
    breaks("a finished Job with a terminating pod", 1, "terminating=1"),
    job().status("a", "FailureTarget", "Failed", terminating=1),
    breaks("a finished Job with a pod that waits to be counted", 1, "uncounted succeeded=1"),
    job().status("a", "FailureTarget", "Failed", recorded=("x",)),
    "BAS-037",
    breaks("a pod of a suspended Job", 1, "a-1 created", job(suspend=True).pod("a-1")),
    keeps("the Job was suspended just now", job().spec("a", suspend=True).pod("a-1")),
    "BAS-014",
    keeps("pods of others do not count"),
    job().pods("a-1", "a-2").pod("b-1", of="b").pod("orphan", of=None, tracked=False),
    "BAS-065",
    breaks("a pod of a Job that is being deleted", 2, "a-1 created"),
    job().deleting("jobs", "a", "foregroundDeletion").at(9).pod("a-1"),
    "BAS-025",
    breaks("a pod of a work queue after its first success", 3, "a-2 created"),
    story().job("a", parallelism=2).pod("a-1").succeeds("a-1").at(9).pod("a-2"),
    "BAS-054",
    breaks("Complete without a completionTime", 1, "completionTime none -> none"),
    job().status("a", "SuccessCriteriaMet", "Complete"),
    breaks("Failed with a completionTime", 1, "completionTime none -> t"),
    job().status("a", "FailureTarget", "Failed", completionTime="t"),
    breaks("a completionTime that changes", 2, f"-> {time_of_day(8)}"),
    job().complete("a", succeeded=4).at(9).complete("a", succeeded=4),
)
def test_an_invariant_of_jobs(case: Case) -> None:
    check(case)


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
