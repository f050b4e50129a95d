"""The verdict of a run has the same words in the terminal, in a comparison, on a badge and in an export."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree as ET

import pytest
import report_sample as sample

from batchproof.attestation import verification
from batchproof.attestation.badge import badge
from batchproof.attestation.certificate import Said, certificate
from batchproof.attestation.judging import JudgedAgain
from batchproof.attestation.parties import Party
from batchproof.attestation.statement import AttestedEvidence
from batchproof.attestation.trust import Signer
from batchproof.attestation.verification import VerificationVerdict, VerifyRequest
from batchproof.ground.errors import UserError
from batchproof.ground.screen import console
from batchproof.report.ai_conformance.export import submission
from batchproof.report.ai_conformance.shown import show
from batchproof.report.compare import comparison, comparison_table
from batchproof.report.outcome import judge_run
from batchproof.report.results import Results, read_results
from batchproof.report.table import verdict_table

if TYPE_CHECKING:
    from rich.console import RenderableType

MARK = (
    r"(?P<mark>(?:NOT )?CONFORMANT(?: IN PLACE)?(?:, with \d+ deviations?|, \d+ known)?"
    r"|NOT PROVEN|NO MUST FAILED|NO FAILURE)"
)
ISSUED = "2026-11-21T11:00:00Z"
SAID = Said("a", ISSUED, ISSUED, "2027-11-21T10:00:00Z", "self", "Acme Batch GmbH")


def case(requirement: str, verdict: str = "passed", *, waived: bool = False) -> dict[str, Any]:
    """A scenario of the suite that can be exported; a deviation covers it if it is waived."""
    told = {"id": f"ai-conformance.feature::{requirement}", "feature": "ai-conformance.feature"}
    if waived:
        waiver = {**sample.WAIVER, "requirement": requirement, "scenario": told["id"]}
        more = {"reason": "waived", "waived": waiver, "unmet": sample.unmet(requirement)}
        return sample.scenario(requirement, f"Of {requirement}", "skipped", **more) | told
    return sample.scenario(requirement, f"Of {requirement}", verdict) | told


MET = case("FIN-004")
SHOULD, CORE, OTHER = (case(id_, waived=True) for id_ in ("FIN-005", "FIN-003", "EXP-003"))
PART = {"requirements": {"BAS-001": {"level": "MUST", "sentence": "No scenario judges it."}}}


@pytest.mark.parametrize(
    ("mark", "records", "header"),
    [
        ("CONFORMANT", [MET], {}),
        ("CONFORMANT, with 1 deviation", [MET, SHOULD], {}),
        ("CONFORMANT, with 2 deviations", [MET, SHOULD, OTHER], {}),
        ("CONFORMANT IN PLACE", [MET], {"in_place": True}),
        ("CONFORMANT IN PLACE, with 1 deviation", [MET, SHOULD], {"in_place": True}),
        ("NOT CONFORMANT, 1 known", [MET, CORE], {}),
        ("NOT CONFORMANT, 1 known", [MET, CORE], {"in_place": True}),
        ("NOT CONFORMANT", [MET, case("FIN-003", "failed")], {}),
        ("NOT PROVEN", [MET, case("FIN-003", "inconclusive")], {}),
        ("NO FAILURE", [MET], PART),
        ("NO MUST FAILED", [MET, case("FIN-005", "failed")], PART),
    ],
)
def test_the_verdict_has_the_same_words_everywhere(
    tmp_path: Path, mark: str, records: list[dict[str, Any]], header: dict[str, Any]
) -> None:
    results = run(tmp_path, records, **header)
    assert judge_run(results).mark == mark
    assert {name: of(text) for name, text in told(results).items()} == {
        "terminal": mark,
        "compare": mark,
        "badge": mark,
        "export": mark,
    }


def run(folder: Path, records: list[dict[str, Any]], **header: Any) -> Results:
    """The results of these scenarios alone; the deviations that cover some are in the descriptor."""
    waivers = [one["waived"] for one in records if one["waived"]]
    judged = sample.admitting(*waivers) | {"in_place": header.pop("in_place", False)}
    required = [one["requirement"] for one in records if one["level"] == "MUST"]
    options = {"profile": "gang", "required": required, "requirements": {}, **header}
    return read_results(sample.write_stream(folder, sample.stream(records, implementation=judged, **options)))


def told(results: Results) -> dict[str, str]:
    """Where the verdict of a run is told, and how."""
    outcome = judge_run(results)
    terminal = printed(verdict_table(results, outcome, {})).partition(" is complete: ")[2]
    compared = printed(comparison_table(comparison({Path("a"): results}))).partition(" is complete: ")[2]
    return {
        "terminal": terminal,
        "compare": compared,
        "badge": badged(results).removeprefix("gang "),
        "export": exported(results),
    }


def of(text: str) -> str:
    """The words with which a text begins that tells a verdict."""
    found = re.match(MARK, text)
    assert found, text
    return found["mark"]


def printed(thing: RenderableType) -> str:
    out = console(file := io.StringIO(), 1000)
    out.print(thing)
    return file.getvalue()


def badged(results: Results) -> str:
    """What the badge of a valid certificate of this run says."""
    judged = JudgedAgain(results, judge_run(results), 0)
    evidence = AttestedEvidence((), "0" * 64)
    signer = cast("Signer", None)
    party = Party(signer, certificate(judged, evidence, SAID), "", frozenset(), "", judged)
    asked = VerifyRequest(now=cast("Any", None))
    return badge(VerificationVerdict(verification.VALID, "", asked, (party,))).message


def exported(results: Results) -> str:
    """The verdict in the JUnit report of an export, or why there is none."""
    try:
        shown = show(results, {one.id for one in results.header.planned})
    except UserError as error:
        return str(error).removeprefix("there is nothing to submit: ")
    root = ET.fromstring(submission([shown])["batchproof/junit.xml"])  # noqa: S314 - our own
    (verdict,) = [one.attrib["value"] for one in root.iter("property") if one.attrib["name"] == "verdict"]
    return verdict
