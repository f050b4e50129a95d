"""Whom a report names: a controller with one bug is seen by the requirement that it breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from planted import wrong

if TYPE_CHECKING:
    from runs import Run, Start

BUG, BREAKS = "finalizer-removed-before-status", "FIN-004"
SELECTED = "FIN-004 or FIN-014 or ROB-017"
"""Scenarios of the requirement that is broken, and of two more that cannot hold any more after that."""


@pytest.fixture(scope="module")
def judged(ended: Start, tmp_path_factory: pytest.TempPathFactory) -> Run:
    descriptor = wrong(tmp_path_factory.mktemp("wrong"), BUG)
    return ended("run", "-i", descriptor, "-k", SELECTED, "-n", "3")


def test_the_broken_requirement_is_the_cause_and_at_most_two_others_are(judged: Run) -> None:
    assert judged.process.returncode == 1, judged.said
    causes = [one["requirement"] for one in judged.report["broken"] if not one["after"]]
    assert causes[0] == BREAKS
    assert len(causes) <= 3
    assert f"NOT CONFORMANT because {BREAKS}" in judged.said


def test_junit_tells_the_causes_from_what_failed_after_them(judged: Run) -> None:
    after = {one["requirement"]: bool(one["after"]) for one in judged.report["broken"]}
    root = ET.fromstring((judged.output / "junit.xml").read_bytes())  # noqa: S314 - we wrote it ourselves
    red = [(case, child) for case in root.iter("testcase") for child in case if child.tag == "failure"]
    assert {case.attrib["group"] for case, _ in red} == after.keys()
    for case, failure in red:
        assert failure.attrib["message"].startswith("after ") == after[case.attrib["group"]]
    assert any(case.attrib["name"].startswith(f"{BREAKS} (invariant)") for case, _ in red)


def test_a_scenario_whose_history_breaks_another_requirement_keeps_its_own_verdict(judged: Run) -> None:
    for scenario in judged.scenarios:
        if scenario["requirement"] != BREAKS:
            assert BREAKS in [breach["requirement"] for breach in scenario["breaches"]]
        if scenario["unmet"]:
            assert scenario["unmet"]["requirement"] == scenario["requirement"]


def test_the_page_opens_the_clearest_timeline_of_the_cause(judged: Run) -> None:
    page = (judged.output / "index.html").read_text()
    broken = page[page.index("What is broken") : page.index("The run</h2>")]
    assert broken.index(f'<a href="#{BREAKS}"><b>{BREAKS}</b></a>') < broken.index('class="here"')
