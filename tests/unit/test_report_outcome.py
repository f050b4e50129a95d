from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import report_sample as sample

from batchproof.ground.screen import printable
from batchproof.report.outcome import Outcome, judge_run
from batchproof.report.records import IN_PLACE
from batchproof.report.results import read_results
from batchproof.report.wording import duration, named, utc, web_link

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def judge(tmp_path: Path) -> Any:
    def judged(records: list[dict[str, Any]], **options: Any) -> Outcome:
        return judge_run(read_results(sample.write_stream(tmp_path, sample.stream(records, **options))))

    return judged


def standings(outcome: Outcome) -> dict[str, str]:
    return {one.id: one.standing for one in outcome.requirements}


def test_every_kind_of_verdict_is_told(judge: Any) -> None:
    outcome = judge(sample.scenarios())
    assert standings(outcome) == {
        "BAS-001": "passed",
        "BAS-002": "passed",
        "FIN-003": "skipped",
        "FIN-004": "failed",
        "FIN-005": "failed",
        "TTL-001": "skipped",
        "EXP-001": "inconclusive",
        "EXP-002": "errored",
        "EXP-003": "inconclusive",
        "ROB-001": "passed",
    }
    assert outcome.sentence == (
        "10 requirements: 3 passed, 2 failed, 1 errored, 2 inconclusive, 2 skipped; the run is complete: "
        "NOT CONFORMANT because FIN-004 failed; without TTLAfterFinished: 1 requirement not judged; "
        "1 scenario was retried"
    )
    assert (outcome.exit_code, outcome.conformity) == (1, "not-conformant")


def test_a_clean_run_is_conformant(judge: Any) -> None:
    outcome = judge(sample.passing_scenarios())
    assert outcome.sentence == "10 requirements: 10 passed; the run is complete: CONFORMANT"
    assert (outcome.exit_code, outcome.conformity) == (0, "conformant")


def replaced(requirement: str, *scenarios: dict[str, Any]) -> list[dict[str, Any]]:
    return [*(one for one in sample.passing_scenarios() if one["requirement"] != requirement), *scenarios]


_PLAIN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("failed", {}),
    ("errored", {"error": "x"}),
    ("inconclusive", {"reason": "no fault fired"}),
    ("passed", {}),
    ("skipped", {"reason": "not-applicable"}),
)
FAILED, ERRORED, OPEN, GOOD, SKIPPED = _PLAIN
WAIVED = ("skipped", {"reason": "waived", "waived": sample.WAIVER, "unmet": sample.unmet("FIN-003")})
ONE_WAIVED = "NOT CONFORMANT, 1 known: FIN-003"
NEEDLESS = "NOT PROVEN because FIN-003 passed though waived (remove the waiver)"
PASSED_WAIVED = ("passed", {"id": sample.WAIVER["scenario"]})


@pytest.mark.parametrize(
    ("verdicts", "standing", "exit_code"),
    [
        pytest.param([GOOD, ERRORED, OPEN, FAILED], "failed", 1, id="failed is the worst"),
        pytest.param([GOOD, OPEN, ERRORED], "errored", 1, id="then errored"),
        pytest.param([SKIPPED, GOOD, OPEN], "inconclusive", 1, id="then inconclusive"),
        pytest.param([SKIPPED, GOOD], "passed", 0, id="one skipped example leaves a pass"),
        pytest.param([SKIPPED], "skipped", 0, id="all skipped"),
        pytest.param([GOOD, WAIVED], "skipped", 1, id="a waived failure is never a pass"),
        pytest.param([PASSED_WAIVED, WAIVED], "skipped", 1, id="a waiver that is needed by one example"),
        pytest.param([PASSED_WAIVED, FAILED], "failed", 1, id="an unwaived failure"),
        pytest.param([PASSED_WAIVED], "passed", 1, id="a needless waiver fails the run"),
        pytest.param([], "missing", 1, id="no scenario at all"),
    ],
)
def test_a_requirement_is_as_good_as_its_worst_scenario(
    judge: Any, verdicts: list[Any], standing: str, exit_code: int
) -> None:
    scenarios = [
        sample.scenario("FIN-003", f"Scenario {index}", verdict, **more)
        for index, (verdict, more) in enumerate(verdicts)
    ]
    outcome = judge(replaced("FIN-003", *scenarios))
    assert standings(outcome)["FIN-003"] == standing
    assert outcome.exit_code == exit_code


@pytest.mark.parametrize("verdict", ["failed", "inconclusive", "errored"])
def test_a_should_does_not_fail_the_run(judge: Any, verdict: str) -> None:
    outcome = judge(replaced("FIN-005", sample.scenario("FIN-005", "A deleted pod", verdict)))
    assert (outcome.exit_code, outcome.conformity) == (0, "conformant")
    assert f"1 {verdict}" in outcome.sentence


def test_a_needless_waiver_is_named(judge: Any) -> None:
    outcome = judge(replaced("FIN-003", sample.scenario("FIN-003", sample.WAIVED)))
    assert outcome.needless_waivers == ("FIN-003",)
    assert outcome.headline == NEEDLESS


def test_a_needed_waiver_is_named_in_the_verdict(judge: Any) -> None:
    verdict, more = WAIVED
    outcome = judge(replaced("FIN-003", sample.scenario("FIN-003", "Recorded", verdict, **more)))
    assert outcome.headline == ONE_WAIVED


def test_an_interrupted_run_proves_nothing(judge: Any) -> None:
    done, rest = sample.passing_scenarios()[:7], sample.passing_scenarios()[7:]
    outcome = judge(done, unrun=rest, complete=False, reason="interrupted")
    assert outcome.exit_code == 1
    assert outcome.sentence == (
        "10 requirements: 7 passed, 3 missing; the run is INCOMPLETE (interrupted): NOT PROVEN because "
        "the run is incomplete (interrupted) and EXP-002 and ROB-001 went unjudged"
    )


def test_an_outline_with_an_example_unrun_is_not_passed(judge: Any) -> None:
    examples = [sample.scenario("ROB-001", "Killed", example=str(n)) for n in (1, 2)]
    outcome = judge(
        replaced("ROB-001", examples[0]), unrun=examples[1:], complete=False, reason="interrupted"
    )
    assert standings(outcome)["ROB-001"] == "missing"


def test_a_failure_outweighs_an_interruption(judge: Any) -> None:
    outcome = judge(
        [sample.scenario("FIN-004", "Kept", "failed")],
        unrun=[sample.scenario("FIN-004", "Kept again")],
        complete=False,
        reason="interrupted",
    )
    assert standings(outcome)["FIN-004"] == "failed"
    assert outcome.conformity == "not-conformant"


def test_a_part_of_the_suite_is_never_called_conformant(judge: Any) -> None:
    outcome = judge(sample.passing_scenarios()[:3], required=["BAS-001", "BAS-002", "FIN-003"])
    assert (outcome.exit_code, outcome.conformity, outcome.judged) == (0, "partial", 3)
    assert outcome.headline == "NO FAILURE in what was selected: 4 MUST requirements not judged"


def test_what_the_implementation_does_not_declare_is_not_left_out(judge: Any) -> None:
    required = [name for name in sample.header()["required"] if name != "TTL-001"]
    outcome = judge(replaced("TTL-001"), required=required)
    assert standings(outcome)["TTL-001"] == "not-run"
    assert outcome.conformity == "conformant"


def test_a_run_of_nothing_fails(judge: Any) -> None:
    outcome = judge([], required=[])
    assert outcome.exit_code == 1
    assert "nothing was planned" in outcome.sentence


def breaking(requirement: str, *, times: int = 1, **more: Any) -> list[dict[str, Any]]:
    """A run that passes, but that the first histories break a requirement of other scenarios."""
    scenarios = [one for one in sample.passing_scenarios() if one["requirement"] != requirement]
    for one in scenarios[:times]:
        one["breaches"] = [sample.breach(requirement, **more)]
    return [*scenarios, *(one for one in sample.passing_scenarios() if one["requirement"] == requirement)]


def test_a_breach_fails_its_own_requirement_and_no_other(judge: Any) -> None:
    outcome = judge(breaking("FIN-004", times=3))
    assert {id_ for id_, standing in standings(outcome).items() if standing != "passed"} == {"FIN-004"}
    (cause,) = outcome.causes
    assert (len(cause.broken), len(cause.breaches)) == (3, 3)
    assert cause.shown_by == "3 histories of other scenarios"
    assert outcome.headline == "NOT CONFORMANT because FIN-004 failed"


def test_a_waived_breach_is_no_failure_and_no_pass(judge: Any) -> None:
    waiver = {**sample.WAIVER, "scenario": "job/bas.feature::Scenario of BAS-001"}
    outcome = judge(breaking("FIN-003", waived=waiver), implementation=sample.admitting(waiver))
    assert standings(outcome)["FIN-003"] == "skipped"
    assert outcome.headline == ONE_WAIVED
    assert outcome.causes == ()


def test_a_waiver_covers_nothing_but_its_finding(judge: Any) -> None:
    verdict, more = WAIVED
    scenarios = replaced("FIN-003", sample.scenario("FIN-003", "Recorded", verdict, **more))
    scenarios[0]["breaches"] = [sample.breach("FIN-003")]
    outcome = judge(scenarios)
    assert outcome.headline == "NOT CONFORMANT because FIN-003 failed"
    (cause,) = outcome.causes
    assert [one.own for one in cause.broken] == [False]


@pytest.mark.parametrize(
    ("sometimes", "seen", "headline", "told"),
    [
        (False, False, NEEDLESS, "seen in 0 of 1 scenario"),
        (
            True,
            False,
            "NOT CONFORMANT, 1 known: FIN-003 (not in this run)",
            "seen in 0 of 1 scenario, it is intermittent",
        ),
        (True, True, ONE_WAIVED, "seen in 1 of 1 scenario, it is intermittent"),
        (False, True, ONE_WAIVED, "seen in 1 of 1 scenario"),
    ],
)
def test_an_intermittent_waiver_may_pass(
    judge: Any, *, sometimes: bool, seen: bool, headline: str, told: str
) -> None:
    waiver = {**sample.WAIVER, "sometimes": sometimes}
    verdict, more = WAIVED if seen else GOOD
    more = {**more, "waived": waiver} if seen else more
    scenario = sample.scenario("FIN-003", sample.WAIVED, verdict, **more)
    outcome = judge(replaced("FIN-003", scenario), implementation=sample.admitting(waiver))
    assert outcome.headline == headline
    (use,) = [use for one in outcome.requirements for use in one.waivers]
    assert use.how_often == told


def waiving(*requirements: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A run in which these requirements are broken and waived, and the implementation that admits it."""
    waivers = {
        id_: {
            **sample.WAIVER,
            "requirement": id_,
            "scenario": f"job/{id_[:3].lower()}.feature::Scenario of {id_}",
        }
        for id_ in requirements
    }
    records = [
        one
        if (id_ := one["requirement"]) not in waivers
        else one
        | {"verdict": "skipped", "reason": "waived", "waived": waivers[id_], "unmet": sample.unmet(id_)}
        for one in sample.passing_scenarios()
    ]
    return records, sample.admitting(*waivers.values())


def test_many_deviations_never_look_like_none(judge: Any) -> None:
    records, admitting = waiving("BAS-001", "FIN-003", "FIN-004", "FIN-005", "EXP-001", "ROB-001")
    outcome = judge(records, implementation=admitting)
    assert (outcome.exit_code, outcome.conformity) == (1, "not-conformant-known")
    assert outcome.headline == (
        "NOT CONFORMANT, 5 known: BAS-001, FIN-003, FIN-004 and 2 more; 1 other deviation: FIN-005 (SHOULD)"
    )


def test_what_is_known_is_accepted_in_the_same_words(judge: Any) -> None:
    records, admitting = waiving("FIN-003")
    outcome = judge(records, implementation=admitting, accept_known=True)
    assert (outcome.exit_code, outcome.headline) == (0, ONE_WAIVED)


@pytest.mark.parametrize(
    "worse",
    [
        sample.scenario("FIN-004", "Another", "failed"),
        sample.scenario("FIN-004", "Another", "inconclusive", reason="no fault fired"),
    ],
)
def test_what_is_not_known_is_never_accepted(judge: Any, worse: dict[str, Any]) -> None:
    records, admitting = waiving("FIN-003")
    outcome = judge([*records, worse], implementation=admitting, accept_known=True)
    assert outcome.exit_code == 1
    assert outcome.mark in {"NOT CONFORMANT", "NOT PROVEN"}


def test_the_deviations_of_a_part_are_named_too(judge: Any) -> None:
    records, admitting = waiving("FIN-003")
    part = [one for one in records if one["requirement"] in {"BAS-001", "FIN-003"}]
    outcome = judge(part, implementation=admitting, required=["BAS-001", "FIN-003"])
    assert (outcome.exit_code, outcome.conformity) == (0, "partial")
    assert outcome.headline == (
        "NO FAILURE in what was selected: 5 MUST requirements not judged, with 1 deviation: FIN-003"
    )


def test_a_deviation_from_a_should_says_so(judge: Any) -> None:
    records, admitting = waiving("FIN-005")
    assert judge(records, implementation=admitting).headline == (
        "CONFORMANT, with 1 deviation: FIN-005 (SHOULD)"
    )


def test_what_is_unreported_is_counted(judge: Any) -> None:
    records, admitting = waiving("BAS-001", "FIN-003", "FIN-005")
    reported = {"BAS-001": "https://github.com/acme/jobs/issues/18"}
    for waiver in [*admitting["deviations"], *(one["waived"] for one in records if one.get("waived"))]:
        waiver["issue"] = reported.get(waiver["requirement"], "")
    assert judge(records, implementation=admitting).headline == (
        "NOT CONFORMANT, 2 known: BAS-001 and FIN-003 (1 unreported); "
        "1 other deviation: FIN-005 (SHOULD) (1 unreported)"
    )


def test_a_deviation_from_a_must_of_a_capability_says_of_which(judge: Any) -> None:
    records, admitting = waiving("TTL-001")
    outcome = judge(records, implementation=admitting)
    assert (outcome.exit_code, outcome.conformity) == (0, "conformant-with-deviations")
    assert outcome.headline == "CONFORMANT, with 1 deviation: TTL-001 (MUST of TTLAfterFinished)"


def test_where_every_must_is_waived_nothing_is_proven(judge: Any) -> None:
    records, admitting = waiving(*sample.REQUIREMENTS)
    outcome = judge(records, implementation=admitting)
    assert (outcome.exit_code, outcome.conformity) == (1, "not-proven")
    assert "NOT PROVEN because every MUST requirement that was judged is waived: BAS-001" in outcome.headline


def undeclared(*requirements: str, tags: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """A run in which the scenarios of these requirements are skipped, for their capability or for tags."""
    more = {"verdict": "skipped", "reason": "not-declared"}
    return [
        one | more | {"tags": [*one["tags"], *tags]} if one["requirement"] in requirements else one
        for one in sample.passing_scenarios()
    ]


def needing(**capabilities: str) -> dict[str, Any]:
    """The requirements of the registry with these capabilities."""
    told = sample.header()["requirements"]
    return {id_: one | {"capability": capabilities.get(id_.replace("-", "_"))} for id_, one in told.items()}


@pytest.mark.parametrize(
    ("records", "capabilities", "scope"),
    [
        pytest.param(sample.passing_scenarios(), {}, "", id="all is declared"),
        pytest.param(
            undeclared("TTL_001".replace("_", "-")),
            {"TTL_001": "TTLAfterFinished"},
            "without TTLAfterFinished: 1 requirement not judged",
            id="one",
        ),
        pytest.param(
            undeclared("TTL-001", "FIN-003", "FIN-004"),
            {"TTL_001": "TTLAfterFinished", "FIN_003": "Finalizers", "FIN_004": "Finalizers"},
            "without Finalizers and TTLAfterFinished: 3 requirements not judged",
            id="the one with the most first",
        ),
        pytest.param(
            [*undeclared("EXP-001", tags=("cap-Views",)), sample.scenario("EXP-001", "Another")],
            {},
            "without Views: 1 scenario of other requirements not judged",
            id="only by the tag of a scenario",
        ),
        pytest.param(
            undeclared("EXP-001", tags=("cap-PodFailurePolicy", "cap-Views")),
            {},
            "without Views: 1 requirement not judged",
            id="what is declared is not named",
        ),
    ],
)
def test_what_was_not_judged_stands_in_the_headline_by_capability(
    judge: Any, records: list[dict[str, Any]], capabilities: dict[str, str], scope: str
) -> None:
    outcome = judge(records, requirements=needing(**capabilities))
    assert outcome.headline == f"CONFORMANT{scope and ', '}{scope}"
    assert outcome.exit_code == 0


RETRIED = {"first": sample.FIRST_PLAY}


@pytest.mark.parametrize(
    ("strict", "more", "exit_code", "headline"),
    [
        (False, RETRIED, 0, "CONFORMANT; 1 scenario was retried"),
        (True, RETRIED, 1, "NOT PROVEN because 1 scenario was retried (--strict)"),
        (True, {}, 0, "CONFORMANT"),
        (
            True,
            {"verdict": "inconclusive", "reason": "no proof of life"},
            1,
            "NOT PROVEN because 1 scenario could not be judged (--strict)",
        ),
        (
            False,
            {"verdict": "inconclusive", "reason": "no proof of life"},
            0,
            "CONFORMANT; FIN-005 (SHOULD) stayed inconclusive",
        ),
    ],
)
def test_a_first_play_that_was_undecided_stands_in_the_headline_and_fails_a_strict_run(
    judge: Any, *, strict: bool, more: dict[str, Any], exit_code: int, headline: str
) -> None:
    should = sample.scenario("FIN-005", "A deleted pod") | more
    outcome = judge(replaced("FIN-005", should), strict=strict)
    assert (outcome.exit_code, outcome.headline) == (exit_code, headline)


def test_a_waiver_that_was_not_looked_for_is_not_needless(judge: Any) -> None:
    records = [one for one in sample.passing_scenarios() if one["requirement"] != "FIN-003"]
    assert judge(records, required=[]).exit_code == 0


def test_causes_are_named_once_musts_first_and_then_the_most_seen(judge: Any) -> None:
    scenarios = breaking("FIN-004", times=4)
    for one in scenarios:
        if one["requirement"] == "EXP-001":
            one |= {"verdict": "failed", "unmet": broken_at("EXP-001", 0.1)}
        if one["requirement"] == "FIN-005":
            one |= {"verdict": "failed", "unmet": broken_at("FIN-005", 0.1)}
    outcome = judge(scenarios)
    assert [one.id for one in outcome.causes] == ["FIN-004", "EXP-001", "FIN-005"]
    assert outcome.headline == "NOT CONFORMANT because FIN-004 and EXP-001 failed"


def broken_at(requirement: str, at_s: float) -> dict[str, Any]:
    """The evidence against a requirement, at that time."""
    moment = {**sample.unmet(requirement)["timeline"][-1], "at_s": at_s}
    return {**sample.unmet(requirement), "timeline": [moment]}


@pytest.mark.parametrize(
    ("first_s", "causes", "headline"),
    [
        (1.0, ["FIN-004"], "NOT CONFORMANT because FIN-004 failed, and 1 more after that"),
        (9.0, ["FIN-004", "BAS-001"], "NOT CONFORMANT because FIN-004 and BAS-001 failed"),
    ],
)
def test_what_was_only_broken_after_something_else_is_no_cause(
    judge: Any, first_s: float, causes: list[str], headline: str
) -> None:
    scenarios = [
        sample.scenario("BAS-001", "One", "failed", unmet=broken_at("BAS-001", 5.0)),
        sample.scenario("BAS-001", "Two", "failed", unmet=broken_at("BAS-001", 5.0)),
        *(sample.scenario("BAS-002", name) for name in ("Three", "Four", "Five")),
    ]
    for one, at_s in zip(scenarios, (1.0, first_s, 1.0, 1.0, 1.0), strict=True):
        one["breaches"] = [{**broken_at("FIN-004", at_s), "waived": None}]
    outcome = judge(scenarios)
    assert [one.id for one in outcome.causes] == causes
    assert outcome.headline == headline
    assert set(outcome.failed_musts) == {"FIN-004", "BAS-001"}
    assert bool(outcome.in_the_wake) == (causes == ["FIN-004"])


def by_the_same_record(others: int) -> list[dict[str, Any]]:
    """A scenario whose own claim breaks by the record that breaks FIN-004 too, as it is in others."""
    scenarios = [sample.scenario("BAS-001", "One", "failed", unmet=broken_at("BAS-001", 5.0))]
    scenarios += [sample.scenario("BAS-002", f"Other {number}") for number in range(others)]
    for one in scenarios:
        one["breaches"] = [{**broken_at("FIN-004", 5.0), "waived": None}]
    return scenarios


def test_what_all_histories_break_is_the_cause_of_what_breaks_by_the_same_record(judge: Any) -> None:
    assert [one.id for one in judge(by_the_same_record(4)).causes] == ["FIN-004"]
    assert [one.id for one in judge(by_the_same_record(1)).causes] == ["FIN-004", "BAS-001"]


@pytest.mark.parametrize(("others", "causes"), [(4, {"FIN-004"}), (1, {"FIN-004", "EXP-001"})])
def test_of_what_all_histories_are_judged_by_that_which_far_more_of_them_break_is_the_cause(
    judge: Any, others: int, causes: set[str]
) -> None:
    scenarios = by_the_same_record(others)
    scenarios[1]["breaches"].append({**broken_at("EXP-001", 5.0), "waived": None})
    found = {one.id for one in judge(scenarios[1:]).causes}
    assert found == causes


@pytest.mark.parametrize(("histories", "causes"), [(10, {"FIN-004"}), (9, {"FIN-004", "BAS-001"})])
def test_one_history_in_ten_without_its_cause_makes_no_other_one(
    judge: Any, histories: int, causes: set[str]
) -> None:
    scenarios = [sample.scenario("BAS-002", f"Other {number}") for number in range(3 * histories)]
    for one in scenarios[1:]:
        one["breaches"] = [{**broken_at("FIN-004", 1.0), "waived": None}]
    for one in scenarios[:histories]:
        one.setdefault("breaches", []).append({**broken_at("BAS-001", 5.0), "waived": None})
    assert {one.id for one in judge(scenarios).causes} == causes


def test_what_explains_another_is_named_with_it(judge: Any) -> None:
    explaining = {"BAS-001": {"level": "MUST", "sentence": "It MUST.", "explains": ["FIN-004"]}}
    outcome = judge(by_the_same_record(4), requirements=explaining)
    assert {one.id for one in outcome.causes} == {"FIN-004", "BAS-001"}


def waits(requirement: str, speaks_of: str) -> dict[str, Any]:
    """A scenario that waits in vain for what another requirement speaks of."""
    unmet = {**broken_at(requirement, 5.0), "speaks_of": [speaks_of]}
    return sample.scenario(requirement, requirement, "failed", unmet=unmet)


def test_what_waits_for_what_another_one_lacks_is_no_cause(judge: Any) -> None:
    others = [waits("BAS-002", "BAS-001"), waits("EXP-001", "BAS-001")]
    assert [one.id for one in judge([*others, waits("BAS-001", "BAS-001")]).causes] == ["BAS-001"]
    assert {one.id for one in judge(others).causes} == {"BAS-002", "EXP-001"}


@pytest.mark.parametrize(
    ("shown", "headline", "wake"),
    [
        (False, "1 more that may follow from that", "BAS-002 failed too, and may follow from BAS-001"),
        (True, "1 more after that", "BAS-002 failed too, but only where BAS-001 had failed"),
    ],
)
def test_what_no_history_shows_to_follow_is_only_said_to_be_possible(
    judge: Any, headline: str, wake: str, *, shown: bool
) -> None:
    """BAS-002 lacks what BAS-001 lacks; that its history broke BAS-001 before is more than a guess."""
    other = waits("BAS-002", "BAS-001")
    if shown:
        other["breaches"] = [{**broken_at("BAS-001", 1.0), "waived": None}]
    outcome = judge([other, *({**waits("BAS-001", "BAS-001"), "id": f"f::{n}"} for n in range(3))])
    assert outcome.supposed == (frozenset() if shown else {"BAS-002"})
    assert outcome.headline == f"NOT CONFORMANT because BAS-001 failed, and {headline}"
    assert outcome.in_the_wake == wake
    assert outcome.hidden_behind == {"BAS-002": ("BAS-001",)}


@pytest.mark.parametrize(
    ("broken", "others", "supposed"),
    [(20, 5, {"BAS-001"}), (20, 6, set()), (19, 0, set())],
    ids=["in 20 of 25", "in 20 of 26", "in too few"],
)
def test_what_follows_only_what_is_broken_everywhere_may_be_a_bug_of_its_own(
    judge: Any, broken: int, others: int, supposed: set[str]
) -> None:
    """A pod without a finalizer comes before nearly all that fails: most of it is not related."""
    scenarios = [sample.scenario("BAS-001", "One", "failed", unmet=broken_at("BAS-001", 5.0))]
    scenarios += [sample.scenario("BAS-002", f"Other {number}") for number in range(broken + others - 1)]
    for one in scenarios[:broken]:
        one["breaches"] = [{**broken_at("FIN-004", 1.0), "waived": None}]
    outcome = judge(scenarios)
    assert [one.id for one in outcome.causes] == ["FIN-004"]
    assert outcome.supposed == supposed


def test_those_that_would_only_hide_each_other_are_all_causes(judge: Any) -> None:
    """BAS-001 lacks what BAS-002 speaks of, and BAS-002 is broken only after BAS-001."""
    several = [{**waits("BAS-001", "BAS-002"), "id": f"some.feature::{n}"} for n in range(3)]
    late = waits("BAS-002", "BAS-002")
    late["breaches"] = [{**broken_at("BAS-001", 1.0), "speaks_of": ["BAS-002"], "waived": None}]
    assert {one.id for one in judge([*several, late]).causes} == {"BAS-001", "BAS-002"}


def test_a_should_hides_no_must(judge: Any) -> None:
    failed = sample.scenario("BAS-001", "One", "failed", unmet=broken_at("BAS-001", 5.0))
    failed["breaches"] = [{**broken_at("FIN-005", 1.0), "waived": None}]
    assert [one.id for one in judge([failed]).causes] == ["BAS-001", "FIN-005"]


def test_a_waived_breach_hides_nothing(judge: Any) -> None:
    failed = sample.scenario("BAS-001", "One", "failed", unmet=broken_at("BAS-001", 5.0))
    failed["breaches"] = [{**broken_at("FIN-003", 1.0), "waived": {**sample.WAIVER, "scenario": "One"}}]
    assert [one.id for one in judge([failed]).causes] == ["BAS-001"]


def test_the_clearest_evidence_comes_first(judge: Any) -> None:
    def timeline(length: int, *, marked: bool) -> dict[str, Any]:
        moment = sample.unmet("FIN-004")["timeline"][0]
        return {"timeline": [{**moment, "here": marked and n == 0} for n in range(length)]}

    own = [
        sample.scenario("FIN-004", name, "failed", unmet={**sample.unmet("FIN-004"), **moments})
        for name, moments in (
            ("unmarked", timeline(2, marked=False)),
            ("long", timeline(9, marked=True)),
            ("short", timeline(5, marked=True)),
        )
    ]
    other = sample.scenario(
        "BAS-001", "other", breaches=[sample.breach("FIN-004", **timeline(1, marked=True))]
    )
    (cause,) = judge([other, *own]).causes
    assert [one.scenario.name for one in cause.broken] == ["short", "long", "other", "unmarked"]
    assert cause.shown_by == "4 histories, 3 of its own scenarios"


def test_a_wait_that_is_over_marks_nothing(judge: Any) -> None:
    over = {"at_s": 9.0, "subject": "claim", "what": "not so after 6 s", "here": True, "record": 20}
    waited = {**sample.unmet("FIN-004"), "timeline": [over]}
    own = sample.scenario("FIN-004", "waited", "failed", unmet=waited)
    other = sample.scenario("BAS-001", "other", breaches=[sample.breach("FIN-004")])
    (cause,) = judge([own, other]).causes
    assert [one.scenario.name for one in cause.broken] == ["other", "waited"]


def test_what_only_speaks_of_other_requirements_comes_last(judge: Any) -> None:
    """FIN-020 in a vendor's run: "the Job completes" was shown, and not the pods that it still held."""
    ended = {**sample.unmet("FIN-004"), "speaks_of": ["BAS-013", "BAS-018"]}
    own = sample.scenario("FIN-004", "completes", "failed", unmet=ended)
    other = sample.scenario("BAS-001", "other", breaches=[sample.breach("FIN-004")])
    (cause,) = judge([own, other]).causes
    assert [one.scenario.name for one in cause.broken] == ["other", "completes"]
    ended["speaks_of"] = ["FIN-004", "BAS-018"]
    (cause,) = judge([own, other]).causes
    assert [one.scenario.name for one in cause.broken] == ["completes", "other"]


def test_what_did_not_come_about_is_told_once(judge: Any) -> None:
    scenarios = [
        sample.scenario("FIN-004", "Kept", "failed"),
        *(sample.undecided("EXP-001", f"A {n}", f"{n} pods run", ("BAS-001", "FIN-004")) for n in (3, 3, 2)),
        *(sample.undecided("EXP-002", f"B {n}", f"a node with {n} pods", ()) for n in (1, 2)),
        sample.scenario("BAS-002", "C", "inconclusive", reason="no proof of life"),
        sample.scenario("BAS-001", "D", "inconclusive", reason="fault never triggered: status writes fail"),
    ]
    for place, one in enumerate(scenarios):
        one["id"] = f"{place}"
    first, *others = (one.text for one in judge(scenarios).obstacles)
    assert first == (
        '3 scenarios could not be judged: precondition not met: "3 pods run" and "2 pods run"; FIN-004 '
        "covers that, and failed"
    )
    assert others == [
        (
            "2 scenarios could not be judged: precondition not met: "
            '"a node with 1 pods" and "a node with 2 pods"'
        ),
        "1 scenario could not be judged: no proof of life",
        "1 scenario could not be judged: fault never triggered: status writes fail",
    ]


@pytest.mark.parametrize(("breaches", "standing"), [([], "skipped"), ([sample.breach("BAS-001")], "failed")])
def test_what_is_not_in_force_does_not_apply(judge: Any, breaches: list[Any], standing: str) -> None:
    scenarios = replaced("BAS-001")
    scenarios[0]["breaches"] = breaches
    outcome = judge(scenarios, required=["BAS-002"], not_in_force=["BAS-001"])
    assert standings(outcome)["BAS-001"] == standing


def test_a_failed_should_is_named_beside_a_verdict_without_a_failed_must(judge: Any) -> None:
    failed = sample.scenario("FIN-005", "A deleted pod", "failed")
    outcome = judge([*sample.passing_scenarios()[:2], failed], required=["BAS-001", "BAS-002"])
    assert outcome.headline == (
        "NO MUST FAILED in what was selected: 5 MUST requirements not judged; FIN-005 (SHOULD) failed"
    )
    outcome = judge(replaced("FIN-005", failed))
    assert outcome.headline == "CONFORMANT; FIN-005 (SHOULD) failed"


def test_a_registry_that_is_silent_is_filled_from_the_records(judge: Any) -> None:
    outcome = judge([sample.scenario("FIN-004", "Kept", "failed")], requirements={}, required=[])
    (one,) = outcome.requirements
    assert (one.requirement.level, one.requirement.sentence) == (
        "MUST",
        "no finalizer is removed before its pod's UID is recorded",
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.123, "0.12 s"), (31.2, "31.2 s"), (59.97, "60.0 s"), (125.4, "2 min 5 s")],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_wording() -> None:
    assert named(["A"]) == "A"
    assert named(["A", "B", "C"]) == "A, B and C"
    assert named(["A", "B", "C", "D", "E"]) == "A, B, C and 2 more"
    assert printable("a\x1b[31m\r\nb\t\x00") == "a\\x1b[31m\\x0d\nb\t\\x00"
    assert (
        printable("\u202eab\u2066\u200f\u061c\u2028\x9b\ud800")
        == r"\u202eab\u2066\u200f\u061c\u2028\u009b\ud800"
    )
    assert json.loads(printable('{"a": "\u202e\x7f\x85"}')) == {"a": "\u202e\x7f\x85"}
    assert utc("2026-11-21T11:00:00+01:00") == "2026-11-21 10:00:00 UTC"
    assert web_link("javascript:alert(1)") is None


def test_in_place_the_verdict_says_what_it_leaves_open(judge: Any) -> None:
    unreached = sample.scenario("ROB-001", "Killed at any write", "skipped", reason=IN_PLACE)
    outcome = judge(replaced("ROB-001", unreached))
    assert standings(outcome)["ROB-001"] == "skipped"
    assert outcome.headline == "CONFORMANT IN PLACE, with 1 MUST requirement out of reach"
    assert outcome.exit_code == 0


def test_what_failed_before_is_named_in_an_order_of_its_own(judge: Any) -> None:
    """Sets have none that two processes share: an untouched run would look forged in the next."""
    earlier = [f"FIN-{number:03}" for number in (4, 1, 3, 2, 6)]
    scenarios = [
        sample.scenario("BAS-001", "One", "failed", unmet=broken_at("BAS-001", 5.0)),
        *(sample.scenario("BAS-002", f"Other {number}") for number in range(8)),
    ]
    for one in scenarios:
        one["breaches"] = [{**broken_at(id_, 1.0), "waived": None} for id_ in earlier]
    outcome = judge(scenarios)
    assert list(outcome.wake["BAS-001"]) == sorted(earlier)
