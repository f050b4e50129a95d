"""A run from its first line to its exit code: verdicts, results, reports, replays."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from textwrap import dedent
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import planted
import pytest
from jsonschema import Draft202012Validator

from batchproof.report.schemas import schemas

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Run, Start

PASSES = "FIN-001 or (FIN-004 and 500)"
BROKEN = "pods-without-finalizer"
BREAKS = "FIN-001"
WAIVERS = """
    deviations:
      - requirement: FIN-001
        scenario: FIN-001.1
        fact: born_with_finalizer
        values: {{finalizers: []}}
        reason: it is planted
        issue: "https://example.com/1"
        expires: {last_day}
      - requirement: BAS-028
        scenario: BAS-028.1
        fact: job_suspended
        values: {{observed: not suspended}}
        reason: it is not
        issue: "https://example.com/2"
        expires: {last_day}
"""


def waivers() -> str:
    """The deviations, with a last day that is not too far away."""
    return WAIVERS.format(last_day=datetime.now(UTC).date() + timedelta(days=30))


@pytest.fixture(scope="module")
def passed(ended: Start) -> Run:
    return ended("run", "-i", "reference", "-k", PASSES, "-n", "2", "--junit", "../out.xml")


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The descriptor of a controller that is the reference with a planted defect."""
    return planted.wrong(tmp_path_factory.mktemp("wrong"), BROKEN)


@pytest.fixture(scope="module")
def failed(ended: Start, wrong: Path) -> Run:
    return ended("run", "-i", wrong, "-k", BREAKS, "-n", "1")


def allure(run: Run) -> dict[str, dict[str, Any]]:
    """The Allure results by the name of their scenario."""
    told = [json.loads(path.read_text()) for path in (run.output / "allure").glob("*-result.json")]
    return {one["name"]: one for one in told}


def junit(run: Run) -> ET.Element:
    """The JUnit report."""
    return ET.fromstring((run.output / "junit.xml").read_bytes())  # noqa: S314 - we wrote it ourselves


# -- what a run that passes leaves


@pytest.mark.quick
def test_a_run_that_passes_ends_with_0(passed: Run) -> None:
    assert passed.process.returncode == 0, passed.said
    assert set(passed.verdicts().values()) == {"passed"}
    assert len(passed.scenarios) == 2
    passed.nothing_is_left()


@pytest.mark.quick
def test_the_results_go_from_header_to_footer(passed: Run) -> None:
    header, *scenarios, footer = passed.records()
    assert [one["record"] for one in (header, *scenarios)] == ["header", "scenario", "scenario"]
    assert {one["id"] for one in header["planned"]} == {one["id"] for one in scenarios}
    assert footer["complete"] is True
    assert footer["counts"]["passed"] == 2
    schema = json.loads(schemas()["results.schema.json"])
    for record in passed.records():
        Draft202012Validator(schema).validate(record)


@pytest.mark.quick
def test_a_fault_is_told_with_how_often_it_struck(passed: Run) -> None:
    [faulted] = [one for one in passed.scenarios if "fault" in one["tags"]]
    [fault] = faulted["faults"]
    assert fault["text"] == "updates of the Job status answered with 500"
    assert fault["fired"] > 0


@pytest.mark.quick
def test_the_reports_tell_what_the_results_tell(passed: Run) -> None:
    schema = json.loads(schemas()["report.schema.json"])
    Draft202012Validator(schema).validate(passed.report)
    titles = {one["title"] for one in passed.scenarios}
    page = (passed.output / "index.html").read_text()
    cases = junit(passed).findall(".//testcase")
    assert len(cases) == 2
    for title in titles:
        assert title in page
        assert any(title in case.attrib["name"] for case in cases)
    assert (passed.output.parent.parent / "out.xml").read_bytes() == (
        passed.output / "junit.xml"
    ).read_bytes()


@pytest.mark.quick
def test_each_gherkin_step_is_a_step_in_allure(passed: Run) -> None:
    told = allure(passed)
    for scenario in passed.scenarios:
        mine = told[f"{scenario['requirement']} {scenario['title']}"]
        assert mine["status"] == "passed"
        steps = [f"{step['keyword']} {step['text']}" for step in scenario["steps"]]
        assert [step["name"] for step in mine["steps"]] == steps


@pytest.mark.quick
def test_what_the_implementation_prints_is_kept(passed: Run) -> None:
    for worker in {one["worker"] for one in passed.scenarios}:
        assert "caches are complete" in (passed.output / f"logs/{worker}-reference-1.log").read_text()


@pytest.mark.quick
def test_a_replay_of_a_run_that_passed_comes_to_the_same_verdicts(passed: Run, ended: Start) -> None:
    again = ended("replay", passed.output)
    assert again.process.returncode == 0, again.said
    assert "2 scenarios judged again, all as recorded" in again.said
    told = json.loads(ended("replay", passed.output, "--json").said)
    assert (told["stands"], told["judged"], told["wrong"]) == (True, 2, [])
    assert "2 requirements: 2 passed" in told["verdict"]


def test_a_quiet_run_prints_its_verdict_alone(ended: Start) -> None:
    quiet = ended("run", "-i", "reference", "-k", "FIN-001", "-n", "1", "--quiet")
    [line] = quiet.said.splitlines()
    assert line.startswith(
        "1 requirement: 1 passed; the selection is complete: NO FAILURE in what was selected"
    )


# -- what a run that fails leaves


def test_a_run_is_json_for_programs(ended: Start) -> None:
    run = ended("run", "-k", "BAS-013", "-n", "1", "--quiet", "--json")
    told = json.loads(run.said)
    assert run.process.returncode == 0
    assert told == json.loads((run.output / "report.json").read_text("utf-8"))
    assert [one["id"] for one in told["requirements"] if one["scenarios"]] == ["BAS-013"]


@pytest.mark.quick
def test_a_run_that_fails_ends_with_1_and_its_evidence(failed: Run) -> None:
    assert failed.process.returncode == 1, failed.said
    [scenario] = failed.scenarios
    assert scenario["verdict"] == "failed"
    assert scenario["unmet"]["requirement"] == "FIN-001"
    assert scenario["unmet"]["timeline"]
    assert "FIN-001 not met" in failed.said
    assert failed.footer["complete"] is True
    assert failed.report["verdict"]["conformity"] == "not-conformant"
    failed.nothing_is_left()


@pytest.mark.quick
def test_the_failed_step_and_the_timeline_are_in_allure_and_junit(failed: Run) -> None:
    [scenario] = failed.scenarios
    [told] = allure(failed).values()
    assert told["status"] == "failed"
    outcomes = {step["text"]: step["outcome"] for step in scenario["steps"]}
    assert "failed" in outcomes.values()
    [attached] = [one for one in told["attachments"] if one["name"] == "timeline"]
    timeline = (failed.output / "allure" / attached["source"]).read_text()
    assert "FIN-001 not met" in timeline
    case = junit(failed).find(".//testcase/failure")
    assert case is not None
    assert "FIN-001 not met" in (case.text or "")


@pytest.mark.quick
def test_a_replay_of_a_run_that_failed_comes_to_the_same_verdicts(failed: Run, ended: Start) -> None:
    again = ended("replay", failed.output)
    assert again.process.returncode == 1, again.said
    assert "1 scenario judged again, all as recorded" in again.said


@pytest.mark.quick
def test_a_replay_does_not_believe_a_changed_verdict(failed: Run, ended: Start, tmp_path: Path) -> None:
    forged = tmp_path / "forged"
    forged.mkdir()
    shutil.copytree(failed.output / "histories", forged / "histories")
    header, scenario, footer = map(json.loads, (failed.output / "results.jsonl").read_text().splitlines())
    scenario = {**scenario, "verdict": "passed", "unmet": None}
    footer["counts"] = {**footer["counts"], "passed": 1, "failed": 0}
    records = map(json.dumps, (header, scenario, footer))
    (forged / "results.jsonl").write_text("".join(f"{one}\n" for one in records))
    again = ended("replay", forged)
    assert again.process.returncode == 1
    assert "recorded passed, judged failed" in again.said, again.said


def test_a_waived_failure_is_skipped_and_a_needless_waiver_fails_the_run(wrong: Path, ended: Start) -> None:
    waived = wrong.with_name("waived.yaml")
    waived.write_text(planted.DESCRIPTOR + dedent(waivers()))
    run = ended("run", "-i", waived, "-k", f"{BREAKS} or BAS-028", "-n", "1")
    assert run.process.returncode == 1, run.said
    told = {one["requirement"]: (one["verdict"], one["reason"]) for one in run.scenarios}
    assert told == {"FIN-001": ("skipped", "waived"), "BAS-028": ("passed", "")}
    assert "BAS-028 passed though waived" in run.said
    again = ended("replay", run.output)
    assert "all as recorded" in again.said, again.said


def test_a_waiver_of_another_observation_covers_nothing(wrong: Path, ended: Start) -> None:
    waived = wrong.with_name("other.yaml")
    waived.write_text(planted.DESCRIPTOR + dedent(waivers()).replace("finalizers: []", "finalizers: [other]"))
    run = ended("run", "-i", waived, "-k", BREAKS, "-n", "1")
    assert run.process.returncode == 1, run.said
    assert "NOT CONFORMANT because FIN-001 failed" in run.said
