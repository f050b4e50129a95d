"""The text by which a deviation can be reported that no public issue tells of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import report_sample as sample

from batchproof.report import write_all
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

TITLE = "A text to report it"


def page(folder: Path, issue: str) -> str:
    """The page of a run in which FIN-003 is waived and broken."""
    records = sample.stream(sample.scenarios())
    (admitted,) = records[0]["implementation"]["deviations"]
    (shown,) = [one["waived"] for one in records if one.get("waived")]
    for waiver in (admitted, shown):
        waiver["issue"] = issue
    sample.write_stream(folder, records)
    write_all(read_results(folder), folder)
    return (folder / "index.html").read_text("utf-8")


def test_the_page_has_a_text_to_report_what_is_reported_nowhere(tmp_path: Path) -> None:
    text = page(tmp_path, "").partition(TITLE)[2].partition("</pre>")[0]
    steps = [one["text"] for one in sample.scenarios()[2]["steps"]]
    assert steps
    unmet = sample.unmet("FIN-003")
    for said in (sample.WAIVED, "acme-jobs 2.3.1", *steps, unmet["expected"], unmet["observed"]):
        assert said in text
    assert f"Cause, as far as it is known: {sample.WAIVER['reason']}" in text
    assert f"FIN-003 (MUST): {sample.REQUIREMENTS['FIN-003'][1]}" in text


def test_what_has_an_issue_is_not_reported_again(tmp_path: Path) -> None:
    told = page(tmp_path, sample.WAIVER["issue"])
    assert sample.WAIVER["issue"] in told
    assert TITLE not in told
