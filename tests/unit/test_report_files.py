from __future__ import annotations

import io
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import orjson
import pytest
import report_sample as sample
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from batchproof.commands.report import command
from batchproof.ground.errors import UserError
from batchproof.ground.screen import console
from batchproof.report import write_all
from batchproof.report.outcome import judge_run
from batchproof.report.records import IN_PLACE, Suite
from batchproof.report.results import NoFooter, read_results
from batchproof.report.schemas import schemas
from batchproof.report.scope import chosen
from batchproof.report.table import verdict_table

RECORDED = Path(__file__).parent / "recorded" / "status-writes-answered-with-500.jsonl"

FAILURE = """\
FIN-004 not met: no finalizer is removed before its pod's UID is recorded
  expected  pod a-2 keeps batch.kubernetes.io/job-tracking
  observed  removed at +1.204 s; UID recorded: no
  +0.911 s  pod/a-2  phase Succeeded
  +1.190 s  job/a    PUT status -> 500 (fault)
  +1.204 s  pod/a-2  PATCH finalizers           <- here"""

RUNS = {
    "mixed": sample.stream(sample.scenarios()),
    "clean": sample.stream(sample.passing_scenarios()),
    "interrupted": sample.stream(
        sample.scenarios()[:5], unrun=sample.scenarios()[5:], complete=False, reason="interrupted"
    ),
    "partial": sample.stream(sample.passing_scenarios()[:2], required=["BAS-001", "BAS-002"]),
    "partial-with-a-deviation": sample.stream(sample.scenarios()[:3], required=["BAS-001", "BAS-002"]),
    "empty": sample.stream([], required=[]),
    "in-place": sample.stream(
        [
            *[one for one in sample.passing_scenarios() if one["requirement"] != "ROB-001"],
            sample.scenario("ROB-001", "Killed at any write", "skipped", reason=IN_PLACE),
        ]
    ),
}


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    sample.write_stream(tmp_path, RUNS[request.param])
    write_all(read_results(tmp_path), tmp_path)
    return tmp_path


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    sample.write_stream(tmp_path, RUNS["mixed"])
    write_all(read_results(tmp_path), tmp_path)
    return tmp_path


# JSON


def validator() -> Draft202012Validator:
    return Draft202012Validator(orjson.loads(schemas()["report.schema.json"]))


def test_the_json_report_keeps_its_schema(run: Path) -> None:
    validator().validate(orjson.loads((run / "report.json").read_bytes()))


def test_the_json_report_points_to_the_evidence(mixed: Path) -> None:
    report = orjson.loads((mixed / "report.json").read_bytes())
    (finding,) = [one for one in report["requirements"] if one["id"] == "FIN-004"]
    assert finding["verdict"] == "failed"
    assert finding["scenarios"][0]["evidence"] == {
        "history": "histories/FIN-004-Finished-pods-keep-t[1].jsonl",
        "records": [17],
    }
    assert finding["breaches"][0]["scenario"].startswith("job/rob.feature::The controller is killed")
    assert report["broken"] == [
        {"requirement": "FIN-004", "level": "MUST", "histories": 4, "after": [], "supposed": False},
        {"requirement": "FIN-005", "level": "SHOULD", "histories": 1, "after": [], "supposed": False},
    ]
    assert report["undecided"][0] == {
        "reason": "precondition",
        "what": ["3 pods of Job a run", "2 pods of Job a run"],
        "speaks_of": ["FIN-004", "BAS-001"],
        "broken": ["FIN-004"],
        "scenarios": ["job/exp.feature::An expectation is met", "job/exp.feature::An expectation runs out"],
    }
    assert report["verdict"]["failed"] == ["FIN-004"]
    assert report["totals"]["scenarios"] == {
        "passed": 7, "failed": 2, "inconclusive": 3, "errored": 1, "skipped": 2,
    }  # fmt: skip


def test_the_same_results_give_the_same_bytes(mixed: Path) -> None:
    names = ("report.json", "junit.xml", "index.html")
    before = [(mixed / name).read_bytes() for name in names]
    write_all(read_results(mixed), mixed)
    assert [(mixed / name).read_bytes() for name in names] == before


# JUnit: what the strict form of Jenkins' xUnit plugin allows.

CASE_ATTRIBUTES = {"name", "classname", "group", "time"}
SUITE_ATTRIBUTES = {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}


def test_junit_has_the_form_that_ci_systems_validate(run: Path) -> None:
    root = ET.parse(run / "junit.xml").getroot()  # noqa: S314 - our own file
    assert root.tag == "testsuites"
    assert set(root.attrib) <= {"name", "time", "tests", "failures", "errors"}
    for part in root:
        assert part.tag == "testsuite"
        assert set(part.attrib) <= SUITE_ATTRIBUTES
        assert [child.tag for child in part] == ["properties"] + ["testcase"] * int(part.attrib["tests"])
        assert re.fullmatch(r"\d+\.\d{3}", part.attrib["time"])
        for case in part.findall("testcase"):
            assert set(case.attrib) == CASE_ATTRIBUTES
            assert {child.tag for child in case} <= {"failure", "error", "skipped", "system-out"}
    for total in ("tests", "failures", "errors"):
        assert int(root.attrib[total]) == sum(int(part.attrib[total]) for part in root)


def junit_cases(folder: Path) -> dict[str, ET.Element]:
    root = ET.parse(folder / "junit.xml").getroot()  # noqa: S314 - our own file
    return {case.attrib["name"]: case for case in root.iter("testcase")}


def test_junit_tells_each_verdict(mixed: Path) -> None:
    cases = junit_cases(mixed)
    failure = cases["FIN-004 Finished pods keep their finalizer while status writes fail"].find("failure")
    assert failure is not None
    assert failure.text == FAILURE
    assert failure.attrib == {
        "type": "MUST not met",
        "message": "FIN-004 not met: no finalizer is removed before its pod's UID is recorded",
    }
    invariant = cases[
        "FIN-004 (invariant) No finalizer MUST be removed before the UID of its pod is recorded."
    ]
    breach = invariant.find("failure")
    assert breach is not None
    assert breach.attrib["message"].startswith("FIN-004 not met in 3 histories: removed at +1.204 s")
    assert "broken in  ROB-001 The controller is killed at write 1  histories/" in "".join(
        invariant.itertext()
    )
    killed = cases["ROB-001 The controller is killed at write 1"]
    assert killed.find("failure") is None
    errored = cases["EXP-002 An expectation ends"].find("error")
    assert errored is not None
    assert errored.attrib == {"type": "errored", "message": "HarnessError: the API server went away"}
    skipped = cases["TTL-001 A finished Job is deleted"].find("skipped")
    assert skipped is not None
    assert skipped.attrib["message"] == "not-declared: TTLAfterFinished"
    waived = cases["FIN-003 Pods are recorded first"].find("skipped")
    assert waived is not None
    assert "https://github.com/acme/jobs/issues/17" in waived.attrib["message"]
    assert {f"ROB-001 The controller is killed at write {n}" for n in (1, 2, 3)} <= set(cases)
    assert cases["FIN-003 Pods are recorded first"].attrib["group"] == "FIN-003"


def test_junit_is_red_with_what_failed(mixed: Path) -> None:
    red = {name.split()[0] for name, case in junit_cases(mixed).items() if case.find("failure") is not None}
    assert red == {"FIN-004", "FIN-005"}
    undecided = junit_cases(mixed)["EXP-003 An expectation is met"].find("skipped")
    assert undecided is not None
    assert undecided.attrib == {
        "type": "inconclusive",
        "message": 'could not be judged: precondition not met: "3 pods of Job a run"; FIN-004 covers that, '
        "and failed",
    }


def test_junit_is_red_with_what_is_undecided_if_nothing_else_tells_of_it(tmp_path: Path) -> None:
    undecided = sample.undecided("EXP-002", "An expectation is met", "3 pods run", ())
    sample.write_stream(tmp_path, sample.stream([undecided]))
    write_all(read_results(tmp_path), tmp_path)
    case = junit_cases(tmp_path)["EXP-002 An expectation is met"].find("error")
    assert case is not None
    assert case.attrib["message"] == 'could not be judged: precondition not met: "3 pods run"'
    assert "precondition not met: Given 3 pods run" in (case.text or "")


def test_what_failed_only_after_a_cause_is_red_and_says_after_which(tmp_path: Path) -> None:
    late = sample.unmet("BAS-001")
    late["timeline"][-1]["at_s"] = 5.0
    failed = sample.scenario("BAS-001", "One", "failed", unmet=late, breaches=[sample.breach("FIN-004")])
    others = [
        sample.scenario("BAS-002", name, breaches=[sample.breach("FIN-004")]) for name in ("Two", "Three")
    ]
    sample.write_stream(tmp_path, sample.stream([failed, *others], required=[]))
    write_all(read_results(tmp_path), tmp_path)
    cases = junit_cases(tmp_path)
    red = [name[:7] for name, case in cases.items() if case.find("failure") is not None]
    assert red == ["FIN-004", "BAS-001"]
    after = cases["BAS-001 One"].find("failure")
    assert after is not None
    assert after.attrib["type"] == "MUST not met, after FIN-004"
    assert after.attrib["message"].startswith("after FIN-004 had failed: BAS-001 not met")
    told = ET.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - our own file
    properties = {one.attrib["name"]: one.attrib["value"] for one in told.iter("property")}
    assert (properties["causes"], properties["failed only after a cause"]) == ("FIN-004", "BAS-001")
    assert allure_categories(tmp_path) == {"FIN-004": "Causes", "BAS-001": "Failed only after a cause"}
    assert "BAS-001 failed too, but only where FIN-004 had failed" in printed(tmp_path)
    assert "1 more requirement failed, but only where" in (tmp_path / "index.html").read_text()


def test_what_only_lacks_what_a_cause_lacks_is_red_and_says_that_it_may_follow(tmp_path: Path) -> None:
    def lacks(requirement: str) -> dict[str, Any]:
        unmet = {**sample.unmet(requirement), "speaks_of": ["FIN-004"]}
        return sample.scenario(requirement, requirement, "failed", unmet=unmet)

    sample.write_stream(tmp_path, sample.stream([lacks("FIN-004"), lacks("BAS-001")], required=[]))
    write_all(read_results(tmp_path), tmp_path)

    ending = junit_cases(tmp_path)["BAS-001 BAS-001"].find("failure")
    assert ending is not None
    assert ending.attrib["type"] == "MUST not met, may follow from FIN-004"
    assert allure_categories(tmp_path) == {"FIN-004": "Causes", "BAS-001": "May follow from a cause"}
    assert "BAS-001 failed too, and may follow from FIN-004" in printed(tmp_path)
    page = (tmp_path / "index.html").read_text()
    assert "1 more requirement failed, and may follow from another" in page
    report = orjson.loads((tmp_path / "report.json").read_bytes())
    assert [(one["requirement"], one["after"], one["supposed"]) for one in report["broken"]] == [
        ("FIN-004", [], False),
        ("BAS-001", ["FIN-004"], True),
    ]


# Allure


def allure_categories(folder: Path) -> dict[str, str]:
    """The category of each case that is red, as Allure finds it: by status, and by the whole message."""
    categories = orjson.loads((folder / "allure" / "categories.json").read_bytes())
    found = {}
    for name, one in allure(folder).items():
        for category in categories if one["status"] in {"failed", "broken"} else ():
            fits = re.fullmatch(category.get("messageRegex", "(?s).*"), one["statusDetails"]["message"])
            if one["status"] in category["matchedStatuses"] and fits:
                assert name[:7] not in found
                found[name[:7]] = category["name"]
    return found


def allure(folder: Path) -> dict[str, dict[str, Any]]:
    told = [orjson.loads(path.read_bytes()) for path in (folder / "allure").glob("*-result.json")]
    return {one["name"]: one for one in told}


def test_allure_tells_what_junit_tells(run: Path) -> None:
    status = {"failure": "failed", "error": "broken", "skipped": "skipped"}
    told = {name: one["status"] for name, one in allure(run).items()}
    assert told == {
        name: next((status[child.tag] for child in case if child.tag in status), "passed")
        for name, case in junit_cases(run).items()
    }


def test_allure_has_steps_and_timelines(mixed: Path) -> None:
    told = allure(mixed)["FIN-004 Finished pods keep their finalizer while status writes fail"]
    assert [(step["name"], step["status"]) for step in told["steps"]][-2:] == [
        ("Then no pod loses its tracking finalizer while the fault lasts", "failed"),
        ("And once the fault ends the Job completes with 3 succeeded pods", "skipped"),
    ]
    assert told["steps"][1]["start"] - told["start"] == 410
    (timeline,) = [one for one in told["attachments"] if one["name"] == "timeline"]
    assert (mixed / "allure" / timeline["source"]).read_text() == FAILURE


def test_allure_gets_the_drawn_timeline_of_what_did_not_pass(tmp_path: Path) -> None:
    (tmp_path / "histories").mkdir()
    shutil.copy(RECORDED, tmp_path / "histories")
    history = f"histories/{RECORDED.name}"
    broken = sample.scenario("FIN-004", "Broken", "failed", history=history)
    other = sample.scenario("ROB-001", "Other", history=history, breaches=[sample.breach("EXP-001")])
    sample.write_stream(tmp_path, sample.stream([broken, other]))
    write_all(read_results(tmp_path), tmp_path)
    told = allure(tmp_path)
    for name in ("FIN-004 Broken", "EXP-001 (invariant) A restart MUST NOT create a pod twice."):
        (drawn,) = [one for one in told[name]["attachments"] if one["name"] == "drawn timeline"]
        page = (tmp_path / "allure" / drawn["source"]).read_text()
        assert drawn["type"] == "text/html"
        assert '<svg class="tl"' in page
        assert 'href="..' not in page  # Allure keeps it elsewhere
    assert "attachments" not in told["ROB-001 Other"]


def test_a_case_keeps_its_name_in_allure_from_run_to_run(mixed: Path) -> None:
    before = {name: (one["historyId"], one["uuid"]) for name, one in allure(mixed).items()}
    write_all(read_results(mixed), mixed)
    assert {name: (one["historyId"], one["uuid"]) for name, one in allure(mixed).items()} == before
    assert len({history for history, _ in before.values()}) == len(before)


def test_junit_shows_control_characters_and_escapes_markup(mixed: Path) -> None:
    assert "FIN-004 A hostile name <script>alert('x')</script> & \"quotes\" \\x1b[31m" in junit_cases(mixed)
    assert b"<script" not in (mixed / "junit.xml").read_bytes()


WAIVED = next(one for one in sample.scenarios() if one["waived"])
ONE = {"FIN-003": sample.header()["requirements"]["FIN-003"]}


@pytest.mark.parametrize(
    ("records", "kind"),
    [
        pytest.param(RUNS["interrupted"], "missing", id="what did not run"),
        pytest.param(sample.stream(sample.passing_scenarios()[1:]), "missing", id="what has no scenario"),
        pytest.param(
            sample.stream([sample.scenario("FIN-003", sample.WAIVED)]),
            "needless waiver",
            id="a needless waiver",
        ),
        pytest.param(
            sample.stream([sample.scenario("FIN-003", "Recorded", first=sample.FIRST_PLAY)], strict=True),
            "retried",
            id="a retried scenario of a strict run",
        ),
        pytest.param(
            sample.stream(
                [WAIVED],
                implementation=sample.admitting(sample.WAIVER),
                required=["FIN-003"],
                requirements=ONE,
            ),
            "nothing proven",
            id="every MUST is waived",
        ),
    ],
)
def test_what_fails_the_run_is_red_in_junit(tmp_path: Path, records: Any, kind: str) -> None:
    sample.write_stream(tmp_path, records)
    results = read_results(tmp_path)
    write_all(results, tmp_path)
    assert judge_run(results).exit_code == 1
    red = [child.attrib["type"] for case in junit_cases(tmp_path).values() for child in case if child.attrib]
    assert kind in red


def test_junit_is_written_to_where_ci_wants_it_as_well(mixed: Path) -> None:
    paths = write_all(read_results(mixed), mixed, mixed / "ci" / "out.xml")
    assert paths["junit"] == mixed / "ci" / "out.xml"
    assert paths["junit"].read_bytes() == (mixed / "junit.xml").read_bytes()


def test_a_report_that_cannot_be_written_is_the_users_affair(mixed: Path) -> None:
    with pytest.raises(UserError, match=r"index.html cannot be written"):
        write_all(read_results(mixed), mixed / "results.jsonl")


# The page


class Page(HTMLParser):
    """What a browser makes of the page: its tags, its ids and its text."""

    VOID = frozenset({"meta", "link", "input", "br"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_well_formed_and_asks_for_nothing(run: Path) -> None:
    page = Page((run / "index.html").read_text("utf-8"))
    assert page.open == []
    sources = [attrs["src"] for _, attrs in page.tags if "src" in attrs]
    assert sources == []
    assert [attrs["href"] for tag, attrs in page.tags if tag == "link"] == ["data:,"]
    assert "url(" not in (run / "index.html").read_text("utf-8")
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    anchors = {str(attrs["href"])[1:] for _, attrs in page.tags if str(attrs.get("href", "")).startswith("#")}
    assert anchors <= set(ids)


def test_the_page_escapes_whatever_the_run_says(tmp_path: Path) -> None:
    def hostile(value: Any) -> Any:
        """Every text of the run, but for those that have a fixed form."""
        fixed = {"record", "verdict", "level", "outcome", "role", "started", "finished", "history", "reason"}
        if isinstance(value, dict):
            return {key: item if key in fixed else hostile(item) for key, item in value.items()}
        if isinstance(value, list):
            return [hostile(item) for item in value]
        return f"{value}{sample.HOSTILE}" if isinstance(value, str) else value

    records = hostile(sample.stream(sample.scenarios()))
    records[0]["requirements"] = {
        f"{name}{sample.HOSTILE}": entry for name, entry in records[0]["requirements"].items()
    }
    sample.write_stream(tmp_path, records)
    write_all(read_results(tmp_path), tmp_path)
    page = Page((tmp_path / "index.html").read_text("utf-8"))
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert page.open == []
    assert "\x1b" not in page.text
    assert not {name for _, attrs in page.tags for name in attrs if name.startswith("on")}
    links = [str(attrs["href"]) for tag, attrs in page.tags if tag == "a"]
    ours = ("#", "https://", "histories/", "results", "report", "junit")
    assert all(link.startswith(ours) for link in links)
    ET.parse(tmp_path / "junit.xml")  # noqa: S314 - our own file


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("mixed", "acme-jobs 2.3.1 does not conform to the job profile"),
        ("clean", "acme-jobs 2.3.1 conforms to the job profile"),
        (
            "in-place",
            "acme-jobs 2.3.1 conforms in place to the job profile, with 1 MUST requirement out of reach",
        ),
        ("interrupted", "Incomplete run (interrupted). acme-jobs 2.3.1 does not conform to the job profile"),
        ("partial", "acme-jobs 2.3.1 was judged by a part of the job profile only, without a failed MUST"),
        (
            "partial-with-a-deviation",
            (
                "acme-jobs 2.3.1 was judged by a part of the job profile only, "
                "without a failed MUST but for 1 deviation"
            ),
        ),
        ("empty", "Incomplete run (nothing was planned). It is not proven that acme-jobs 2.3.1 conforms"),
    ],
)
def test_the_headline_says_it_all(tmp_path: Path, name: str, heading: str) -> None:
    sample.write_stream(tmp_path, RUNS[name])
    write_all(read_results(tmp_path), tmp_path)
    found = re.search(r"<h1>(.*?)</h1>", (tmp_path / "index.html").read_text("utf-8"), re.DOTALL)
    assert found is not None
    assert re.sub(r"<[^>]*>", "", found[1]).startswith(heading)


def test_the_page_says_how_many_claims_are_broken_as_a_deviation_says(tmp_path: Path) -> None:
    records = sample.scenarios()
    waived = next(one for one in records if one["verdict"] == "skipped" and one.get("waived"))
    waived["claims"][0]["outcome"] = "broken"
    sample.write_stream(tmp_path, sample.stream(records))
    write_all(read_results(tmp_path), tmp_path)
    text = Page((tmp_path / "index.html").read_text("utf-8")).text
    assert "25 of 28 claims held, 1 broken as a deviation says" in text


def test_the_page_shows_who_was_judged_and_the_evidence(mixed: Path) -> None:
    html = (mixed / "index.html").read_text("utf-8")
    text = Page(html).text
    for shown in (
        "acme-jobs 2.3.1", "Acme Batch GmbH", "Kubernetes 1.37.0", "embedded control plane", "sha256:9f86d",
        "2026-11-21 10:00:00 UTC", "31.2 s", "26 of 28 claims held", "1.20 s of 15.0 s (settle)",
        "triggered 3 times",
        "never triggered", "until 2027-06-30", "seen in 1 of 1 scenario", "KEP-2307",
        "Seen in 4 histories, 1 of its own scenarios", "2 scenarios could not be judged",
        "Retried: the first time it was inconclusive: no proof of life",
        "1 scenario was retried", "14 of 15 scenarios recorded request by request, 1 not run",
    ):  # fmt: skip
        assert shown in text
    assert 'href="histories/FIN-004-Finished-pods-keep-t%5B1%5D.jsonl"' in html
    assert 'href="histories/FIN-003-first-play.jsonl"' in html
    assert re.search(r'<tr class="here">.*PATCH finalizers', html)


def test_five_thousand_scenarios_stay_a_page(tmp_path: Path) -> None:
    names = list(sample.REQUIREMENTS)
    records = [sample.scenario(names[n % len(names)], f"Scenario {n} is a fact") for n in range(5000)]
    sample.write_stream(tmp_path, sample.stream(records))
    write_all(read_results(tmp_path), tmp_path)
    assert (tmp_path / "index.html").stat().st_size < 8_000_000


# The terminal


def printed(folder: Path) -> str:
    results = read_results(folder)
    out = console(io.StringIO(), 200)
    out.print(verdict_table(results, judge_run(results), {"page": folder / "index.html"}))
    text: str = out.file.getvalue()  # type: ignore[attr-defined]
    return text


def test_the_table_explains_each_failure(mixed: Path) -> None:
    text = printed(mixed)
    assert FAILURE in text
    assert "  HarnessError: the API server went away" in text
    assert "failed  FIN-004  in 4 histories, 1 of its own scenarios" in text
    assert "failed  FIN-005 (SHOULD)  in 1 history of its own scenarios" in text
    assert "1 scenario could not be judged: fault never triggered: hold watches of pods" in text
    assert (
        'inconclusive  2 scenarios could not be judged: precondition not met: "3 pods of Job a run" and '
        '"2 pods of Job a run"; FIN-004 covers that, and failed'
    ) in text
    assert "FIN-003 waived: recorded one write too late, https://github.com/acme/jobs/issues/17" in text
    assert "seen in 1 of 1 scenario" in text
    assert "1 scenario was retried: not judged the first time" in text
    assert "FIN-003 Pods are recorded once: no proof of life; the second time passed" in text
    assert "not judged: TTLAfterFinished is not declared, 1 requirement (1 MUST), 1 scenario" in text
    assert "NOT CONFORMANT" in text
    assert re.search(r"^fin +2 +2 ", text, re.MULTILINE)


def selected(folder: Path, **suite: str) -> Path:
    """The results of twelve scenarios, where this was selected."""
    one = sample.passing_scenarios()[0]
    scenarios = [one | {"id": f"BAS-001.{number}", "title": f"Job {number}"} for number in range(1, 13)]
    stream = sample.stream(scenarios)
    stream[0]["suite"] |= suite
    sample.write_stream(folder, stream)
    return folder


def test_the_table_names_what_was_selected_and_judged(tmp_path: Path) -> None:
    text = printed(selected(tmp_path, selection="pods"))
    [line] = [one.rstrip() for one in text.splitlines() if one.startswith("judged: ")]
    assert line.startswith("judged: BAS-001.1, BAS-001.2, ")
    assert line.endswith(", BAS-001.10 and 2 more")


def test_the_table_names_nothing_where_all_was_judged(tmp_path: Path) -> None:
    assert "judged: " not in printed(selected(tmp_path)).replace("not judged: ", "")


def test_the_page_says_at_its_top_what_was_selected(tmp_path: Path) -> None:
    write_all(read_results(selected(tmp_path, selection="FIN-004 or <b>")), tmp_path)
    top = (tmp_path / "index.html").read_text("utf-8").partition("</header>")[0]
    assert "<code>-k &#39;FIN-004 or &lt;b&gt;&#39;</code>, 12 scenarios" in top


@pytest.mark.parametrize(
    ("suite", "options"),
    [
        ({}, ""),
        ({"selection": "FIN-004 or suspend"}, "-k 'FIN-004 or suspend'"),
        ({"feature": "ai-conformance.feature"}, "--suite ai-conformance"),
        ({"feature": "mine.feature", "selection": "a"}, "--feature mine.feature -k a"),
    ],
)
def test_what_was_chosen_is_said_as_it_was_typed(suite: dict[str, str], options: str) -> None:
    assert chosen(Suite(digest="", **suite)) == options  # type: ignore[arg-type]


def test_the_table_reads_nothing_as_markup_and_obeys_no_control(tmp_path: Path) -> None:
    records = sample.stream([sample.scenario("FIN-004", f"[bold]{sample.HOSTILE}", "failed")])
    sample.write_stream(tmp_path, records)
    text = printed(tmp_path)
    assert "[bold]<script>" in text
    assert "\x1b" not in text


# The command


def test_the_command_makes_all_reports_again(tmp_path: Path) -> None:
    sample.write_stream(tmp_path, RUNS["mixed"])
    done = CliRunner().invoke(command, [str(tmp_path), "--junit", str(tmp_path / "ci.xml")])
    assert done.exit_code == 0, done.output
    assert "because FIN-004 failed" in " ".join(done.output.split())
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "results.jsonl", "report.json", "junit.xml", "index.html", "ci.xml", "allure", "timelines",
    }  # fmt: skip


def test_the_command_refuses_a_cut_stream(tmp_path: Path) -> None:
    sample.write_stream(tmp_path, RUNS["mixed"][:-1])
    done = CliRunner().invoke(command, [str(tmp_path)])
    assert isinstance(done.exception, NoFooter)
    assert not (tmp_path / "index.html").exists()


def test_every_report_says_what_the_verdict_leaves_out(tmp_path: Path) -> None:
    """The capability that is not declared, the deviation and the retry stand in each headline."""
    records = [one for one in sample.scenarios() if one["verdict"] in {"passed", "skipped"}]
    clean = [{**one, "breaches": []} for one in records]
    musts = {one["requirement"] for one in clean}
    told = {id_: one for id_, one in sample.header()["requirements"].items() if id_ in musts}
    sample.write_stream(tmp_path, sample.stream(clean, requirements=told, required=[]))
    results = read_results(tmp_path)
    write_all(results, tmp_path)
    headline = (
        "NOT CONFORMANT, 1 known: FIN-003; without TTLAfterFinished: "
        "1 requirement not judged; 1 scenario was retried"
    )
    assert judge_run(results).headline == headline
    page = Page((tmp_path / "index.html").read_text("utf-8"))
    title = "acme-jobs 2.3.1 does not conform to the job profile: 1 core requirement known to fail"
    assert page.text.count(title) == 2  # title and h1
    assert headline in page.text
    assert "What was not judged" in page.text
    assert "TTLAfterFinished is not declared: 1 requirement (1 MUST), 1 scenario" in page.text
    assert f"fact {sample.WAIVER['fact']}, observed recorded=false" in page.text
    report = orjson.loads((tmp_path / "report.json").read_bytes())
    assert report["not_judged"] == [
        {"capability": "TTLAfterFinished", "requirements": ["TTL-001"], "scenarios": 1}
    ]
    verdict = report["verdict"]
    assert verdict["conformity"] == "not-conformant-known"
    assert verdict["mark"] == "NOT CONFORMANT, 1 known"
    assert verdict["known"] == verdict["deviations"] == verdict["waived"] == ["FIN-003"]
    assert len(verdict["retried"]) == 1
    junit = ET.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - our own file
    assert junit.attrib["name"] == f"batchproof job: {headline}"
    for each in junit:
        properties = {one.attrib["name"]: one.attrib["value"] for one in each.find("properties") or ()}
        assert properties["verdict"] == headline
        assert properties["not judged"] == "TTLAfterFinished: 1 requirement (1 MUST), 1 scenario"
        assert properties["mark"] == "NOT CONFORMANT, 1 known"
        assert (properties["deviations"], properties["known"], properties["retried"]) == (
            "FIN-003",
            "FIN-003",
            "1",
        )
