"""A slow machine accuses no implementation, and excuses none that had all it needs (ADR 0021, ADR 0035)."""

from __future__ import annotations

from typing import Any

import pytest
from histories import Story, story

from batchproof.api.client import parse
from batchproof.evidence.windows import windows
from batchproof.ground.resources import PODS
from batchproof.judgement.claims import Claim, always, eventually, judge
from batchproof.judgement.conclusion import Verdict, conclude
from batchproof.judgement.facts.election import replica_leads
from batchproof.judgement.faults import Fault, Freeze, On
from batchproof.judgement.history import Request
from batchproof.profiles.job.facts.jobs import job_complete
from batchproof.profiles.job.facts.pods import active_pods_exactly

WAITED = eventually(job_complete(job="a", succeeded=1), within="settle").scaled(1.0, "BAS-001")
ALL_WRITES = eventually(replica_leads(), within="settle").scaled(1.0, "BAS-001")
KEPT = always(active_pods_exactly(job="a", count=1)).scaled(1.0, "BAS-001")


def told(answered_after_s: float, fault: str = "") -> Story:
    """A Job whose status is written before the claim, and answered so much later."""
    begun = story().job("a").claims(1, WAITED).asks("update", "jobs", "a", subresource="status")
    return begun.at(1 + answered_after_s).answered(fault=fault).at(30).closes(1)


def verdict(of: Story) -> tuple[Verdict, str]:
    found = conclude("BAS-001", judge(of.records), (), [])
    return found.verdict, found.reason


def test_who_is_answered_in_time_is_late() -> None:
    assert verdict(told(1.0)) == (Verdict.FAILED, "")


def test_who_waits_for_the_api_server_is_not_blamed() -> None:
    found, why = verdict(told(4.0))
    assert found is Verdict.INCONCLUSIVE
    assert why.startswith("slow answers: the API server took 4.")
    assert why.endswith(" s for update job/a")


# -- which answers what is waited for may hang on


def late_answer(before_s: float, resource: str, subresource: str = "", **about: Any) -> Story:
    """An answer that takes 4.8 s, and ends so long before the claim is made; less than 0: after that."""
    asked = story().job("a").asks("update", resource, "a", subresource=subresource, **about)
    if before_s >= 0:
        return asked.at(5).answered().at(5 + before_s).claims(1, WAITED).at(60 + before_s).closes(1)
    return asked.at(5 + before_s).claims(1, WAITED).at(5).answered().at(60).closes(1)


def test_an_answer_that_came_long_before_the_claim_excuses_nobody() -> None:
    assert verdict(late_answer(55, "jobs"))[0] is Verdict.FAILED
    assert verdict(late_answer(0.1, "jobs"))[0] is Verdict.FAILED


def test_an_answer_that_was_outstanding_when_the_claim_was_made_excuses() -> None:
    assert verdict(late_answer(-0.1, "jobs"))[0] is Verdict.INCONCLUSIVE
    assert verdict(late_answer(-3, "jobs", "status"))[0] is Verdict.INCONCLUSIVE


def test_what_the_fact_does_not_read_excuses_nobody() -> None:
    assert verdict(late_answer(-1, "events"))[0] is Verdict.FAILED
    assert verdict(late_answer(-1, "nodes"))[0] is Verdict.FAILED


def test_pods_concern_whatever_is_computed_from_them() -> None:
    assert verdict(late_answer(-1, "pods"))[0] is Verdict.INCONCLUSIVE


def test_a_supporting_process_excuses_nobody() -> None:
    assert verdict(late_answer(-1, "jobs", by=0))[0] is Verdict.FAILED


@pytest.mark.parametrize("subresource", ["log", "exec", "attach", "portforward", "proxy"])
@pytest.mark.parametrize("verb", ["get", "create"])
def test_a_stream_that_is_never_answered_excuses_nobody(verb: str, subresource: str) -> None:
    begun = story().job("a").claims(1, WAITED).asks(verb, "pods", "a-1", subresource=subresource)
    assert verdict(begun.at(30).closes(1)) == (Verdict.FAILED, "")


@pytest.mark.parametrize("path", ["/api/v1/watch/pods", "/apis/batch/v1/watch/namespaces/n/jobs"])
def test_a_watch_by_the_old_path_excuses_nobody(path: str) -> None:
    call = parse("GET", path, {})
    assert call
    begun = story().job("a").claims(1, ALL_WRITES)
    what = (call.verb, call.resource, call.subresource, call.namespace, call.name, None)
    assert verdict(begun.add(Request(1, *what, "test/1", 1)).at(30).closes(1))[0] is Verdict.FAILED


def test_who_looks_at_all_writes_is_excused_by_any() -> None:
    begun = story().job("a").claims(1, ALL_WRITES).asks("update", "leases", "a")
    assert verdict(begun.at(30).closes(1))[0] is Verdict.INCONCLUSIVE


# -- what explains a slow answer


def test_an_answer_that_a_fault_holds_back_excuses_nobody() -> None:
    assert verdict(told(4.0, fault="updates of the Job status held"))[0] is Verdict.FAILED


def test_an_answer_that_never_comes_is_a_slow_one() -> None:
    begun = story().job("a").claims(1, WAITED).asks("update", "jobs", "a", subresource="status")
    assert verdict(begun.at(30).closes(1))[0] is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("explained", ["killed", "fault"])
def test_unless_something_else_explains_it(explained: str) -> None:
    begun = story().job("a").claims(1, WAITED).asks("update", "jobs", "a", subresource="status")
    if explained == "killed":
        begun.process(1, "killed").process(2, "started", "ready")
    else:
        begun.fault(1, "armed").fault(1, "fired")
    assert verdict(begun.at(30).closes(1))[0] is Verdict.FAILED


def watching(begun_after_s: float, status: int = 200) -> Story:
    """A watch of pods that is asked for before the claim, and begins so much later."""
    begun = story().job("a").claims(1, WAITED).asks("watch", "pods")
    return begun.at(1 + begun_after_s).answered(status).at(30).closes(1)


def test_who_waits_for_his_watch_to_begin_is_not_blamed() -> None:
    assert verdict(watching(1.0))[0] is Verdict.FAILED
    found, why = verdict(watching(4.0))
    assert found is Verdict.INCONCLUSIVE
    assert why.endswith(" s for watch pods")


def test_a_watch_of_a_version_that_is_not_there_yet_excuses_nobody() -> None:
    assert verdict(watching(4.0, status=504))[0] is Verdict.FAILED


def test_a_list_that_is_held_back_with_its_view_excuses_nobody() -> None:
    fault = Fault("freezes", On(PODS), Freeze(PODS), times=1)
    begun = story().job("a").claims(1, WAITED).fault(1, "armed", **fault.to_json()).fault(1, "fired")
    assert verdict(begun.asks("list", "pods").at(5).answered().at(30).closes(1))[0] is Verdict.FAILED


# -- a process without a processor


def starved(for_s: float, claim: Claim = WAITED) -> Story:
    """What is waited for in vain for 20 s, and as long again as the implementation has no processor."""
    return story().job("a").claims(1, claim).at(21 + min(for_s, 20)).closes(1, starved_s=for_s)


def test_an_implementation_without_a_processor_for_half_the_time_is_not_blamed() -> None:
    found, why = verdict(starved(20.1))
    assert found is Verdict.INCONCLUSIVE
    assert why == "no processor: the implementation, or the proxy, had none for 20.1 s"


def test_an_implementation_that_had_one_as_long_as_the_limit_says_is_late() -> None:
    assert verdict(starved(19.9)) == (Verdict.FAILED, "")


def test_the_time_without_a_processor_is_shown() -> None:
    (one,) = judge(starved(3.25).records)
    assert one.finding.timeline[-1].what == "not so after 20 s and 3.2 s for the lack of a processor"


@pytest.mark.parametrize(("came_s", "late"), [(21, False), (25, True)])
def test_what_comes_about_in_the_time_that_was_added_is_in_time(came_s: float, *, late: bool) -> None:
    soon = eventually(active_pods_exactly(job="a", count=1)).scaled(1.0, "BAS-001")
    told = story().job("a").claims(1, soon).at(came_s).pod("a-1").closes(1, starved_s=5.0)
    assert verdict(told)[0] is Verdict.PASSED
    assert bool([*windows(judge(told.records))]) is late


def test_what_must_not_happen_is_not_excused_by_a_missing_processor() -> None:
    begun = story().job("a").pod("a-1").claims(1, KEPT).pod("a-2")
    assert verdict(begun.closes(1, starved_s=40.0))[0] is Verdict.FAILED


def test_what_must_not_happen_is_not_excused_by_slow_answers() -> None:
    begun = story().job("a").pod("a-1").claims(1, KEPT).asks("create", "pods", "").at(5).answered()
    assert verdict(begun.pod("a-2").closes(1))[0] is Verdict.FAILED
