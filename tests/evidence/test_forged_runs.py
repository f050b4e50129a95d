"""What the plays of a run say together: how many at once, when, and that a selection is no whole run."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from forging import Forgery, replayed

from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

    Json = dict[str, Any]


@pytest.fixture
def forged(original: Path, tmp_path: Path) -> Forgery:
    it = Forgery(original, tmp_path / "forged")
    it.without_reports()
    return it


def moved(it: Forgery, one: Json, seconds: float) -> None:
    """Let all that the harness did in a play have happened at another time of day."""
    records = it.records(one)
    for record in records:
        about = record["entry"].get("about") or {}
        if "clock" in about:
            time = datetime.fromisoformat(about["clock"]) + timedelta(seconds=seconds)
            about["clock"] = time.isoformat(timespec="milliseconds")
    it.rewrite(one, records)


def begin_of(it: Forgery, one: Json) -> datetime:
    clocks = [record["entry"].get("about", {}).get("clock") for record in it.records(one)]
    return min(datetime.fromisoformat(time) for time in clocks if time)


def test_no_more_scenarios_were_played_at_once_than_there_were_workers(forged: Forgery) -> None:
    """Each history is moved to one moment of the run: the best plays of as many runs as it takes."""
    judged = [one for one in forged.scenarios.values() if one["history"]]
    forged.header["workers"] = len(judged) - 1
    moment = begin_of(forged, judged[-1])
    for one in judged:
        moved(forged, one, (moment - begin_of(forged, one)).total_seconds())

    status, said = replayed(forged.save())

    told = f"more than {forged.header['workers']} scenarios ran at the same time"
    assert (status, told in said) == (1, True), said


@pytest.mark.parametrize("seconds", [-86400, 86400])
def test_a_play_of_another_day_is_none_of_the_run(forged: Forgery, seconds: float) -> None:
    moved(forged, forged.scenarios["BAS-014.1"], seconds)

    status, said = replayed(forged.save())

    assert (status, "the harness did something before or after it" in said) == (1, True), said


def test_a_selection_is_always_a_partial_run(original: Path) -> None:
    """Even where it leaves out no requirement: which scenarios are missing only the suite knows."""
    results = read_results(original)
    tested = {one.requirement for one in results.header.planned}
    known = {id_: one for id_, one in results.header.requirements.items() if id_ in tested}
    header = msgspec.structs.replace(results.header, requirements=known)
    whole = msgspec.structs.replace(header, suite=msgspec.structs.replace(header.suite, selection=""))

    assert header.suite.selection
    assert judge_run(replace(results, header=header)).conformity == "partial"
    assert judge_run(replace(results, header=whole)).conformity == "conformant"


def test_the_page_of_a_run_says_whether_it_was_judged_again(original: Path, tmp_path: Path) -> None:
    it = Forgery(original, tmp_path / "copy")
    page = it.folder / "checked.html"
    assert "Not checked: only the run itself" in (it.folder / "index.html").read_text()

    status, said = replayed(it.folder, "--html", str(page))

    assert (status, f"page   {page}" in said) == (0, True), said
    assert "judged again, all as recorded" in page.read_text()
    assert "Not checked" not in page.read_text()
    assert replayed(it.folder)[0] == 0


def test_no_page_says_that_a_forgery_was_judged_again(forged: Forgery) -> None:
    forged.rewrite(forged.passed(), [])
    page = forged.folder / "checked.html"

    status, said = replayed(forged.save(), "--html", str(page))

    assert (status, f"{page} is not written" in said) == (1, True), said
    assert not page.exists()


@pytest.mark.parametrize("name", ["../elsewhere.html", "index.html", "results.jsonl"])
def test_the_page_is_beside_its_histories(original: Path, tmp_path: Path, name: str) -> None:
    it = Forgery(original, tmp_path / "copy")
    before = (it.folder / "index.html").read_bytes()

    status, said = replayed(it.folder, "--html", str(it.folder / name))

    assert (status, "checked.html" in said) == (2, True), said
    assert (it.folder / "index.html").read_bytes() == before
