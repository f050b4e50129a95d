"""The pages of an exploration: what was found, and the steps and the timeline of each."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from batchproof.judgement.finding import Moment
from batchproof.report.explored_page import Explored, explored_page, finding_page
from batchproof.report.records import UnmetClaim

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.jsonl"))
HOSTILE = "<script>alert(1)</script>"


def explored(*, confirmed: bool = True, history: str | None = "histories/FIN-004.jsonl") -> Explored:
    here = Moment(0.5, "pod/a", "PATCH removes finalizers", here=True, record=12)
    return Explored(
        name="FIN-004" if confirmed else "FIN-004-not-confirmed",
        unmet=UnmetClaim("FIN-004", f"The controller MUST NOT. {HOSTILE}", "3 pods", "2", timeline=(here,)),
        confirmed=confirmed,
        how="by 2 programs, the first after 5.00 s; program 1 minimized from 8 steps to 2",
        steps=("a Job with 3 pods", f"3 pods succeed {HOSTILE}"),
        command="batchproof run -i ./acme.yaml --feature FIN-004.feature",
        history=history,
    )


@pytest.fixture(params=RECORDED, ids=lambda path: path.stem)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "histories").mkdir()
    shutil.copy(request.param, tmp_path / "histories" / "FIN-004.jsonl")
    return tmp_path


def test_a_finding_has_steps_command_picture_and_records(folder: Path) -> None:
    page = finding_page(explored(), folder, "acme 1").decode()
    assert "<li>a Job with 3 pods</li>" in page
    assert "batchproof run -i ./acme.yaml --feature FIN-004.feature" in page
    assert "<svg" in page
    linked, there = ({*re.findall(rf'{name}="#?(record-\d+)"', page)} for name in ("href", "id"))
    assert linked
    assert linked <= there
    assert 'id="record-12" class="here"' in page
    assert "<script" not in page


@pytest.mark.parametrize("history", [None, "histories/none.jsonl", "../FIN-004.jsonl", "histories/cut.jsonl"])
def test_a_history_that_cannot_be_read_has_no_picture(tmp_path: Path, history: str | None) -> None:
    (tmp_path / "histories").mkdir()
    (tmp_path / "histories" / "cut.jsonl").write_bytes(RECORDED[0].read_bytes()[:5])
    shutil.copy(RECORDED[0], tmp_path.parent / "FIN-004.jsonl")
    page = finding_page(explored(history=history), tmp_path, "acme 1").decode()
    assert "<svg" not in page
    assert "a Job with 3 pods" in page


@pytest.mark.parametrize(
    ("found", "headline"),
    [
        ([], "Nothing found"),
        ([explored()], "1 requirement broken"),
        ([explored(confirmed=False)], "0 requirements broken, 1 more not confirmed"),
        ([explored(), explored(confirmed=False)], "1 requirement broken, 1 more not confirmed"),
    ],
)
def test_all_that_was_found_is_listed(found: list[Explored], headline: str) -> None:
    page = explored_page(found, implementation="acme 1", profile="job", counts="seed 1: 4 programs").decode()
    assert f"<h1>{headline}</h1>" in page
    assert "seed 1: 4 programs" in page
    assert [*re.findall(r'href="(FIN[^"]*)"', page)] == [one.page for one in found]
    assert "<script" not in page
