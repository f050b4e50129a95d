"""What a submission to CNCF AI Conformance carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
import report_sample as sample
import yaml

from batchproof.errors import UserError
from batchproof.report.ai_conformance import submission
from batchproof.report.results import read_results
from batchproof.specification import lint
from batchproof.specification.gherkin import parse_features
from batchproof.specification.suites import SUITES

if TYPE_CHECKING:
    from pathlib import Path

FEATURE = "ai-conformance.feature"


def case(name: str, verdict: str = "passed", **more: Any) -> dict[str, Any]:
    record = sample.scenario("FIN-004", name, verdict, **more)
    return {**record, "feature": FEATURE, "id": f"{FEATURE}::{name}"}


def files(folder: Path, *records: dict[str, Any], profile: str = "gang") -> dict[str, str]:
    asked = [one["id"] for one in records if one["feature"] == FEATURE]
    sample.write_stream(folder, sample.stream(list(records), profile=profile, required=["FIN-004"]))
    return {name: content.decode() for name, content in submission(read_results(folder), asked).items()}


def events(told: str) -> list[tuple[str, str]]:
    read = [orjson.loads(line) for line in told.splitlines()]
    return [(one["Action"], one.get("Test", "")) for one in read if one["Action"] != "output"]


def test_cases_that_pass_are_an_implementation(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case"), case("Negative case"))

    [entry] = yaml.safe_load(made["gang_scheduling.yaml"])
    assert (entry["id"], entry["level"], entry["status"]) == ("gang_scheduling", "MUST", "Implemented")
    assert entry["evidence"] == ["e2e.log", "junit.xml", "results.json"]
    assert set(entry["evidence"]) < set(made)
    assert "acme-jobs 2.3.1 on Kubernetes 1.37.0" in entry["notes"]
    assert entry["notes"].endswith("2 of 2 cases passed.")


def test_a_retry_stands_in_the_notes(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case", first=sample.FIRST_PLAY))
    [entry] = yaml.safe_load(made["gang_scheduling.yaml"])
    assert entry["notes"].endswith("1 scenario was retried.")


def test_the_log_reads_as_that_of_go_test(tmp_path: Path) -> None:
    log = files(tmp_path, case("Positive case"))["e2e.log"].splitlines()

    assert log[3:5] == ["=== RUN   TestGangScheduling", "=== RUN   TestGangScheduling/FIN-004_Positive_case"]
    assert log[-3:] == [
        "--- PASS: TestGangScheduling (31.20s)",
        "    --- PASS: TestGangScheduling/FIN-004_Positive_case (2.10s)",
        "PASS",
    ]
    assert any("eventually the Job is Complete" in line for line in log)


def test_the_events_are_those_of_go_test_json(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case"))
    whole, part = "TestGangScheduling", "TestGangScheduling/FIN-004_Positive_case"

    assert events(made["results.json"]) == [
        ("start", ""),
        ("run", whole),
        ("run", part),
        ("pass", part),
        ("pass", whole),
        ("pass", ""),
    ]


def test_a_case_that_fails_is_no_implementation(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case"), case("Negative case", "failed"))

    [entry] = yaml.safe_load(made["gang_scheduling.yaml"])
    assert entry["status"] == "Not Implemented"
    assert made["e2e.log"].splitlines()[-1] == "FAIL"
    assert ("fail", "TestGangScheduling/FIN-004_Negative_case") in events(made["results.json"])
    assert "pod a-2 keeps batch.kubernetes.io/job-tracking" in made["e2e.log"]


def test_what_could_not_be_judged_is_nothing_to_submit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to submit: NOT PROVEN"):
        files(tmp_path, case("Negative case", "inconclusive", reason="no proof of life"))


def test_what_was_not_judged_is_nothing_to_submit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Refused was not judged \(not-declared\): declare what it needs"):
        files(tmp_path, case("Reconciled"), case("Refused", "skipped", reason="not-declared"))


def test_a_complex_operator_has_an_entry_of_its_own(tmp_path: Path) -> None:
    made = files(tmp_path, case("Reconciled"), profile="tfjob")

    assert b"Below operator of PRODUCT.yaml" in made["robust_controller.yaml"].encode()
    [entry] = yaml.safe_load(made["robust_controller.yaml"])
    assert entry["id"] == "robust_controller"
    assert "=== RUN   TestRobustController/FIN-004_Reconciled" in made["e2e.log"]


def test_results_of_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match="a submission needs those of `batchproof run --suite ai-conformance`"
    ):
        files(tmp_path, sample.scenario("FIN-004", "Something else"))


@pytest.mark.parametrize("name", SUITES)
def test_a_small_suite_can_be_run(name: str) -> None:
    one = SUITES[name]
    assert lint.blocking(lint.bundled(), one.profile, one.feature) == []
    assert parse_features(one.feature)
    assert one.see_profile(None) == one.see_profile(one.profile) == one.profile
    with pytest.raises(UserError, match=f"judges the profile {one.profile}, not other"):
        one.see_profile("other")
