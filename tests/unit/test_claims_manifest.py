"""The claims manifest: made from runs that passed, stale where a scenario has changed, and demanded."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from histories import headed_story

from batchproof.descriptor.implementation import find, load
from batchproof.evidence.claims import Demands, manifest
from batchproof.evidence.lacking import lacking
from batchproof.evidence.measured import demands_of
from batchproof.evidence.played import PlayedSteps, played
from batchproof.evidence.worded import stale
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.judgement.claims import Claim, eventually
from batchproof.judgement.claims import now as claim_now
from batchproof.judgement.facts.writes import written
from batchproof.judgement.history import ClaimClosed, ClaimOpened, FaultChange, StepBegan
from batchproof.profiles.job.facts.pods import active_pods
from batchproof.specification.gherkin import parse_features
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

OF = "BAS-014"
REFERENCE = load(find("reference"))
TWO = eventually(active_pods(job="a", at_least=2))
QUIET = claim_now(written(since=1))
Step = tuple[str, "Sequence[Claim | str]"]


def play(*steps: Step) -> PlayedSteps:
    """How a scenario was played of which each step made these claims and armed these faults."""
    told, claims, faults = headed_story(), 0, 0
    for text, makes in steps:
        told.add(StepBegan(text))
        for one in makes:
            if isinstance(one, str):
                faults += 1
                told.add(FaultChange(faults, one, "armed"))
                continue
            claims += 1
            precondition = not text.startswith(("Then", "And"))
            made = one.scaled(1.0, OF, REFERENCE.longest_backoff_s).of_step(text, precondition=precondition)
            told.add(ClaimOpened(claims, made.to_json())).add(ClaimClosed(claims))
    return played(told.records)


RIGHT: tuple[Step, ...] = (
    ("Given a Job", [TWO, "status writes are answered with 500"]),
    ("When 1 pod fails", []),
    ("Then 2 pods are active", [TWO]),
    ("And nothing is written", [QUIET]),
)


def demanded(*runs: PlayedSteps) -> Demands:
    return demands_of("BAS-014.1", OF, runs or [play(*RIGHT)])


def lacks(found: PlayedSteps, *, whole: bool = True, demands: Demands | None = None) -> list[str]:
    return list(lacking(demands or demanded(), found, OF, REFERENCE, whole=whole))


def test_what_was_played_has_all_that_is_demanded() -> None:
    assert lacks(play(*RIGHT)) == []


def changed(place: int, makes: Sequence[Claim | str]) -> PlayedSteps:
    """The same play, but for what one step makes."""
    steps = list(RIGHT)
    steps[place] = (steps[place][0], makes)
    return play(*steps)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        pytest.param(changed(2, []), "active_pods", id="a claim is not made"),
        pytest.param(changed(3, []), "it lacks the claim now written", id="the last claim is not made"),
        pytest.param(
            changed(2, [eventually(active_pods(job="a", at_least=1))]), "at_least=2", id="of fewer pods"
        ),
        pytest.param(
            changed(2, [eventually(active_pods(job="b", at_least=2))]), "job=a", id="of another Job"
        ),
        pytest.param(
            changed(2, [eventually(active_pods(job="a", at_least=2), within="recovery")]),
            "by reaction",
            id="with a longer deadline",
        ),
        pytest.param(changed(2, [TWO, TWO]), "the suite", id="twice"),
        pytest.param(changed(0, [TWO]), "it never arms", id="without the fault"),
        pytest.param(changed(0, [TWO, "a fault of mine"]), "the suite: 'status writes", id="another fault"),
        pytest.param(changed(1, ["a fault of mine"]), "which the suite does not", id="one fault more"),
        pytest.param(
            changed(3, [claim_now(written(since=10_000))]), "looks back to record 10000", id="less far back"
        ),
    ],
)
def test_what_a_history_lacks_is_named(found: PlayedSteps, why: str) -> None:
    said = lacks(found)
    assert len(said) == 1
    assert why in said[0]


def test_of_a_scenario_that_ended_early_the_rest_is_no_lack() -> None:
    assert lacks(play(*RIGHT[:3]), whole=False) == []
    assert lacks(play(*RIGHT[:3])) != []


def test_a_fact_looks_no_farther_back_than_its_step() -> None:
    (said,) = lacks(changed(3, [claim_now(written(since=0))]))
    assert "looks back to record 0, not to where step 1 begins" in said


def test_a_limit_that_is_not_the_one_of_the_deadline_is_named() -> None:
    told = play(*RIGHT)
    wider = msgspec.structs.replace(told.claims[1].claim, limit_s=600.0)
    made = replace(told.claims[1], claim=wider)
    claims = (told.claims[0], made, *told.claims[2:])
    (said,) = lacks(replace(told, claims=claims))
    assert "had 600 s; its deadline 'reaction' is 6 s" in said


def test_two_runs_may_differ_in_preconditions_and_in_names_that_an_implementation_makes_up() -> None:
    ours = changed(0, [TWO, "updates of a-x7 are answered with 500"])
    theirs = changed(0, ["updates of a-p2 are answered with 500"])
    both = demanded(ours, theirs)
    assert [one.optional for one in both.claims] == [True, False, False]
    assert [one.text for one in both.faults] == ["updates of * are answered with 500"]
    assert lacks(ours, demands=both) == lacks(theirs, demands=both) == []


def test_runs_that_judge_otherwise_make_no_manifest() -> None:
    with pytest.raises(UserError, match="only one of two runs that passed claims active_pods"):
        demanded(play(*RIGHT), changed(2, []))


def test_the_manifest_has_all_scenarios_and_says_what_they_say() -> None:
    scenarios = [one for file in (None, *suite.suites().glob("*.feature")) for one in parse_features(file)]
    assert list(stale(scenarios, load_steps(suite.steps()), manifest())) == []
    cases = {case.id for one in scenarios for case in one.cases}
    assert manifest().keys() == cases


def test_the_manifest_names_no_pod_of_the_run_that_it_was_made_of() -> None:
    """A fault or a deed that says a generated name is another one in each run: no run would match it."""
    generated = re.compile(r"\b[a-z]-[bcdfghjklmnpqrstvwxz2456789]{5}\b")
    named = {
        id_: text
        for id_, demands in manifest().items()
        for text in (
            *(one.text for one in demands.faults),
            *(deed for some in demands.did for deed in some or ()),
        )
        if generated.search(text)
    }
    assert named == {}


def test_a_scenario_that_says_something_else_is_stale() -> None:
    scenario = next(one for one in parse_features() if one.id == "BAS-014.1")
    known = manifest()["BAS-014.1"]
    weaker = msgspec.structs.replace(known, claims=known.claims[:1])
    found = list(stale([scenario], load_steps(suite.steps()), {"BAS-014.1": weaker}))
    assert [one.id for one, _ in found] == ["BAS-014.1"]
    assert [why for _, why in stale([scenario], load_steps(suite.steps()), {})] == [
        "the claims manifest lacks BAS-014.1"
    ]
