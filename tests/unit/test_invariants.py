"""Invariants as such: how they are judged; ``test_invariants_<subject>.py`` has what breaks each."""

from __future__ import annotations

import pytest
from histories import Story, story
from invariant_examples import every_case, judged

from batchproof.judgement.finding import FactBroke
from batchproof.judgement.invariants import breaches, invariants
from batchproof.judgement.invariants.processes import exits
from batchproof.profiles.job.invariants import rule
from batchproof.profiles.shared.objects.batch import Job


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
    assert {it.requirement for it in (one, *of_the_other_profiles)} == exits()
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
    broken = {case.requirement for cases in every_case().values() for case in cases if case.decisive}
    assert broken == invariants() - exits()


def test_the_first_broken_invariant_is_told_with_its_sentence() -> None:
    told = story().job("a", parallelism=2).pod("a-1", tracked=False).status("a", "Failed")

    (finding,) = breaches(told.seen, {"FIN-001": "Every pod MUST be born with the finalizer."})

    assert finding is not None
    assert finding.text().startswith("FIN-001 not met: Every pod MUST be born with the finalizer.")


def test_a_job_that_is_made_anew_under_its_name_is_another_job() -> None:
    told = good_life().job("a", parallelism=1)

    assert judged(told.pod("b-1", of="a-again")) is None
