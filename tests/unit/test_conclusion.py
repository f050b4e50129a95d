"""Which record a failure is shown by: the one that breaks the requirement's own sentence.

The three histories are those of a vendor's controller, in small: each breaks its requirement, and the claim
of the scenario ends with a record that breaks nothing.
"""

from __future__ import annotations

from histories import Story, story

from batchproof.judgement.claims import always, eventually, judge, never
from batchproof.judgement.conclusion import Conclusion, Verdict, conclude
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants import breaches
from batchproof.profiles.job.facts.jobs import job_complete
from batchproof.profiles.job.facts.pods import active_pods_exactly, created_pods, surplus_created
from batchproof.profiles.job.facts.tracking import pod_released


def concluded(requirement: str, told: Story) -> Conclusion:
    """What the history comes to for a scenario of that requirement."""
    return conclude(requirement, judge(told.records), breaches(told.seen), [])


def marked(found: Conclusion) -> list[int | None]:
    """The records that its failure is shown by."""
    assert found.verdict is Verdict.FAILED
    assert found.unmet
    return [moment.record for moment in found.unmet.timeline if moment.here]


def test_not_the_surplus_pod_is_shown_but_the_one_that_was_released_uncounted() -> None:
    """FIN-004: a pod too many was deleted before it ran; another one succeeded and was never recorded."""
    kept = never(pod_released(job="a")).scaled(1.0, "FIN-004")
    told = story().job("a", parallelism=2, completions=2).pods("a-1", "a-2", "a-3").claims(1, kept)
    told.write("delete", "pods", "a-3").deleting("pods", "a-3").released("a-3")
    innocent = told.last
    told.succeeds("a-1").released("a-1")

    assert marked(concluded("FIN-004", told.closes(1))) == [innocent + 4]


def test_not_the_rightful_creation_is_shown_but_the_pod_above_parallelism() -> None:
    """BAS-014: three pods are active where two may be; the fifth creation replaces one that failed."""
    four = eventually(created_pods(job="a", count=4)).scaled(1.0, "BAS-014")
    told = story().job("a", parallelism=2, completions=3).pods("a-1", "a-2", "a-3")
    surplus = told.last
    told.fails("a-1").fails("a-2").pod("a-4").fails("a-4").pod("a-5").claims(1, four)

    found = concluded("BAS-014", told.at(20).closes(1))

    assert marked(found) == [surplus]
    assert found.unmet
    assert found.unmet.speaks_of == ()


def test_not_the_wait_for_an_end_is_shown_but_the_end_that_came_too_early() -> None:
    """FIN-020: the Job ends while a pod is held; that it counts one too few is another matter."""
    ends = eventually(job_complete(job="a", succeeded=2), within="settle").scaled(1.0, "FIN-020")
    told = story().job("a", parallelism=2, completions=2).pods("a-1", "a-2").succeeds("a-1").succeeds("a-2")
    told.claims(1, ends).status("a", succeeded=1, recorded=("a-1",)).complete("a", succeeded=1)
    early = told.last

    found = concluded("FIN-020", told.at(40).closes(1))

    assert marked(found) == [early]
    assert found.unmet
    assert found.unmet.observed == "tracked: a-1, a-2"


def test_of_two_that_mark_the_same_record_the_claim_is_shown() -> None:
    above = never(surplus_created(job="a")).scaled(1.0, "BAS-014")
    told = story().job("a", parallelism=1, completions=3).pod("a-1").claims(1, above).pod("a-2")

    found = concluded("BAS-014", told.closes(1))

    assert marked(found) == [told.last - 1]
    assert found.unmet
    assert found.unmet.expected == above.fact.denial


def test_an_invariant_of_another_requirement_takes_nothing_from_the_claim() -> None:
    one = always(active_pods_exactly(job="a", count=1)).scaled(1.0, "BAS-016")
    told = story().job("a", parallelism=1, completions=3).pod("a-1").claims(1, one).pod("a-2")

    found = concluded("BAS-016", told.closes(1))

    assert found.unmet
    assert found.unmet.requirement == "BAS-016"
    assert [breach.requirement for breach in found.breaches] == ["BAS-014"]


def test_an_excused_breach_hides_no_other_of_its_requirement() -> None:
    """A deviation excuses the surplus pod a-2; a-3, which none excuses, comes later in the same history."""
    told = story().job("a", parallelism=1, completions=3).pod("a-1").pod("a-2").succeeds("a-1")
    told.succeeds("a-2").pod("a-3")

    (first,) = (one for one in breaches(told.seen) if one.requirement == "BAS-014")
    told.pod("a-4")
    both = breaches(told.seen, excused=lambda one: one.decisive == first.decisive)
    (shown,) = (one for one in both if one.requirement == "BAS-014")

    assert shown.decisive != first.decisive
    assert breaches(told.seen, excused=lambda _: True)[0].decisive == first.decisive


def shown(told: Story, excused: str) -> str:
    """The fact or rule by which a breach of BAS-014 is shown, where a deviation excuses one."""

    def covered(one: Finding) -> bool:
        return one.fact == excused

    found = conclude("BAS-014", judge(told.records), breaches(told.seen, None, covered), [], covered)
    assert found.unmet
    return found.unmet.fact


RULE = "no_surplus"


def test_an_excused_claim_hides_no_breach_of_an_invariant_and_the_other_way_round() -> None:
    """The surplus pod is a-3; the claim marks a-5, the fifth pod where four are expected."""
    four = eventually(created_pods(job="a", count=4)).scaled(1.0, "BAS-014")
    told = story().job("a", parallelism=2, completions=3).pods("a-1", "a-2", "a-3")
    told.fails("a-1").fails("a-2").pod("a-4").fails("a-4").pod("a-5").claims(1, four).at(20).closes(1)
    claim = created_pods.__name__

    assert (shown(told, claim), shown(told, RULE)) == (RULE, claim)


def test_what_marks_the_same_record_is_one_breach_and_excused_once() -> None:
    above = never(surplus_created(job="a")).scaled(1.0, "BAS-014")
    told = story().job("a", parallelism=1, completions=3).pod("a-1").claims(1, above).pod("a-2").closes(1)
    claim = surplus_created.__name__

    assert (shown(told, claim), shown(told, RULE)) == (claim, RULE)


def test_an_excused_claim_hides_no_claim_that_is_broken_after_it() -> None:
    """A deviation excuses a-2, the pod above parallelism, but not that a-1 was never released."""
    above = never(surplus_created(job="a")).scaled(1.0, "BAS-014")
    released = eventually(pod_released(job="a")).scaled(1.0, "BAS-014")
    told = story().job("a", parallelism=1, completions=3).pod("a-1").claims(1, above).pod("a-2").closes(1)
    told.claims(2, released).at(20).closes(2)

    found = conclude("BAS-014", judge(told.records), [], [], lambda one: one.fact == surplus_created.__name__)

    assert found.unmet
    assert found.unmet.fact == pod_released.__name__
