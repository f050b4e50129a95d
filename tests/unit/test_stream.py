"""The results stream of a pytest session: a header, a record a scenario, a footer, whatever happens."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from report_sample import header, read

from batchproof.evidence.plan import catalogue, history_path
from batchproof.ground.errors import HarnessError, UserError
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.finding import Finding, Inconclusive, Unmet
from batchproof.report.records import FirstPlay, Header, Planned
from batchproof.report.results import FILE_NAME, Results, ResultsStream, read_results
from batchproof.running.session import stream as module
from batchproof.running.session.record import RECORD, error_text, now, verdict_of
from batchproof.running.session.stream import RunObserver, Stream

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

FIRST, SECOND = "job/a.feature::First", "job/a.feature::Second"


class _Progress(RunObserver):
    """What was told about the progress."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def planned(self, count: int) -> None:
        self.told.append(("planned", count))

    def started(self, id_: str) -> None:
        self.told.append(("started", id_))

    def left(self, id_: str) -> None:
        self.told.append(("left", id_))

    def again(self, verdict: str) -> None:
        self.told.append(("again", verdict))

    def finished(self, id_: str, verdict: str, title: str = "", broken: Collection[str] = ()) -> None:
        self.told.append(("finished", id_, verdict, title, *broken))


def _header() -> Header:
    parsed = read(header())
    assert isinstance(parsed, Header)
    return parsed


class _Session:
    """A stream into a folder, and a pytest session that plays it."""

    def __init__(self, folder: Path, *, selected_all: bool = True) -> None:
        self.folder = folder
        self.progress = _Progress()
        self._file = ResultsStream(folder / FILE_NAME)
        self.stream = Stream(self._file.__enter__(), _header(), self.progress, selected_all=selected_all)

    def collects(self, *ids: str) -> None:
        items = [SimpleNamespace(nodeid=it) for it in ids]
        session: Any = SimpleNamespace(items=items)
        self.stream.pytest_collection_finish(session)

    def reports(self, id_: str, verdict: str | None = "passed", **report: Any) -> None:
        told: Any = SimpleNamespace(nodeid=id_, failed=False, longrepr="", **report)
        if verdict:
            setattr(told, RECORD, orjson.dumps(record(id_, verdict)).decode())
        self.stream.pytest_runtest_logreport(told)

    def ends(self, trouble: str = "") -> None:
        self.stream.finish(trouble)
        self._file.__exit__(None, None, None)

    def read(self, trouble: str = "") -> Results:
        self.ends(trouble)
        return read_results(self.folder)

    @property
    def kinds(self) -> list[str]:
        lines = (self.folder / FILE_NAME).read_bytes().splitlines()
        return [orjson.loads(line)["record"] for line in lines]


def record(id_: str, verdict: str) -> dict[str, Any]:
    planned = {
        "id": id_,
        "name": id_[-6:],
        "title": id_[-6:],
        "feature": "job/a.feature",
        "requirement": "FIN-004",
        "example": None,
    }
    unmet = {"requirement": "FIN-004", "sentence": "", "expected": "", "observed": ""}
    breaches = [{**unmet, "requirement": "FIN-015"}] if verdict == "passed" else []
    told = {"record": "scenario", **planned, "level": "MUST", "verdict": verdict, "breaches": breaches}
    return told | {"unmet": unmet} if verdict == "failed" else told


@pytest.fixture(autouse=True)
def small_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite of two scenarios."""
    cases = {id_: Planned(id_, id_[-6:], id_[-6:], "job/a.feature", "FIN-004") for id_ in (FIRST, SECOND)}
    monkeypatch.setattr(module, "catalogue", lambda _: cases)
    monkeypatch.setattr(module, "of_node", lambda node, _: cases[node])
    monkeypatch.setattr(module, "tags", lambda _: dict.fromkeys(cases, ("FIN-004.1", "fault")))


@pytest.fixture
def session(tmp_path: Path) -> _Session:
    return _Session(tmp_path)


def test_a_run_is_a_header_a_record_a_scenario_and_a_footer(session: _Session) -> None:
    session.collects(FIRST, SECOND)
    session.stream.pytest_runtest_logstart(SECOND)
    session.reports(SECOND, "failed")
    session.reports(FIRST)

    results = session.read()

    assert session.kinds == ["header", "scenario", "scenario", "footer"]
    assert [one.id for one in results.scenarios] == [FIRST, SECOND]
    assert (results.footer.complete, results.footer.reason) == (True, "")
    assert results.footer.counts == {"passed": 1, "failed": 1, "inconclusive": 0, "errored": 0, "skipped": 0}
    assert session.progress.told == [
        ("planned", 2),
        ("started", SECOND),
        ("finished", SECOND, "failed", f"FIN-004 {SECOND[-6:]}"),
        ("finished", FIRST, "passed", f"FIN-004 {FIRST[-6:]}", "FIN-015"),
    ]


def test_a_record_is_on_disk_as_soon_as_it_is_known(session: _Session) -> None:
    session.collects(FIRST, SECOND)
    session.reports(FIRST)

    assert session.kinds == ["header", "scenario"]
    session.ends()


def test_all_workers_know_the_same_so_that_the_header_is_written_once(session: _Session) -> None:
    for _ in range(3):
        session.stream.pytest_xdist_node_collection_finished([FIRST])
    session.reports(FIRST)

    assert [one.id for one in session.read().header.planned] == [FIRST]


def test_a_process_that_has_workers_collects_nothing_itself(session: _Session) -> None:
    session.collects()
    session.stream.pytest_xdist_node_collection_finished([FIRST])
    session.reports(FIRST)

    assert session.read().footer.complete


def test_everything_required_needs_a_verdict_if_everything_is_selected(session: _Session) -> None:
    session.collects(FIRST)
    session.reports(FIRST)

    assert session.read().header.required == tuple(header()["required"])


def test_only_what_is_selected_needs_a_verdict_in_a_partial_run(tmp_path: Path) -> None:
    session = _Session(tmp_path, selected_all=False)
    session.collects(FIRST)
    session.reports(FIRST)

    assert session.read().header.required == ("FIN-004",)


# -- when something goes wrong


def test_a_run_without_a_record_of_each_planned_scenario_is_incomplete(session: _Session) -> None:
    session.collects(FIRST, SECOND)
    session.reports(FIRST)

    footer = session.read().footer

    assert (footer.complete, footer.reason) == (False, "1 scenario not run")


def test_an_interrupted_run_says_so(session: _Session) -> None:
    session.collects(FIRST, SECOND)
    session.stream.pytest_keyboard_interrupt()

    footer = session.read().footer

    assert (footer.complete, footer.reason) == (False, "interrupted")


def test_a_run_that_collects_nothing_is_still_a_stream(session: _Session) -> None:
    results = session.read("pytest ended with 3")

    assert session.kinds == ["header", "footer"]
    assert (results.footer.complete, results.footer.reason) == (False, "pytest ended with 3")


def test_a_scenario_whose_worker_died_is_errored(session: _Session) -> None:
    session.collects(FIRST)
    lost: Any = SimpleNamespace(nodeid=FIRST, failed=True, longrepr="worker 'gw0' crashed")
    session.stream.pytest_runtest_logreport(lost)

    (one,) = session.read().scenarios

    assert (one.verdict, one.reason, one.error) == ("errored", "the worker was lost", "worker 'gw0' crashed")
    assert (one.history, one.tags) == (None, ("FIN-004.1", "fault"))


def test_the_history_that_a_lost_worker_left_behind_is_the_evidence(session: _Session) -> None:
    left = session.folder / history_path(FIRST)
    left.parent.mkdir()
    left.write_bytes(b"")
    session.collects(FIRST)
    lost: Any = SimpleNamespace(nodeid=FIRST, failed=True, longrepr="worker 'gw0' crashed")
    session.stream.pytest_runtest_logreport(lost)

    (one,) = session.read().scenarios

    assert one.history == str(history_path(FIRST))


def test_the_first_verdict_stands_though_the_teardown_fails(session: _Session) -> None:
    session.collects(FIRST)
    session.reports(FIRST, "failed")
    session.reports(FIRST, "errored")

    (one,) = session.read().scenarios

    assert one.verdict == "failed"


# -- a second play


def test_the_second_play_of_what_had_no_verdict_counts_and_the_first_is_told(session: _Session) -> None:
    session.collects(FIRST, SECOND)
    session.reports(FIRST, "skipped")
    session.reports(SECOND, "inconclusive")

    assert session.stream.play_again() == (SECOND,)
    session.reports(SECOND)

    results = session.read()
    second = next(one for one in results.scenarios if one.id == SECOND)
    assert session.kinds == ["header", "scenario", "scenario", "scenario", "footer"]
    assert second.verdict == "passed"
    assert second.first == FirstPlay("inconclusive", "no reason given")
    assert results.footer.complete
    assert (results.footer.counts["passed"], results.footer.counts["inconclusive"]) == (1, 0)


def test_a_second_play_that_never_came_leaves_the_first(session: _Session) -> None:
    session.collects(FIRST)
    session.reports(FIRST, "inconclusive")
    session.stream.play_again()

    results = session.read("interrupted")

    assert [(one.verdict, one.first) for one in results.scenarios] == [("inconclusive", None)]


def test_nothing_is_played_a_third_time(session: _Session) -> None:
    session.collects(FIRST)
    session.reports(FIRST, "inconclusive")
    session.stream.play_again()
    session.reports(FIRST, "inconclusive")

    assert session.stream.play_again() == ()
    session.ends()


def test_what_may_be_played_again_can_be_limited(session: _Session) -> None:
    session.collects(FIRST, SECOND)
    session.reports(FIRST, "inconclusive")
    session.reports(SECOND, "inconclusive")

    assert session.stream.play_again({FIRST}) == (FIRST,)
    session.ends()


@pytest.mark.parametrize("phase", ["setup", "teardown"])
def test_a_phase_that_decides_nothing_leaves_no_record(session: _Session, phase: str) -> None:
    session.collects(FIRST)
    session.reports(FIRST, None, when=phase)
    session.ends()

    assert session.kinds == ["header", "footer"]


# -- what an exception means


@pytest.mark.parametrize(
    ("error", "verdict", "reason"),
    [
        (None, Verdict.PASSED, ""),
        (Unmet(Finding(holds=False, expected="3", observed="2")), Verdict.FAILED, ""),
        (Inconclusive("never triggered: writes fail"), Verdict.INCONCLUSIVE, "never triggered: writes fail"),
        (pytest.skip.Exception("not-declared"), Verdict.SKIPPED, "not-declared"),
        (HarnessError("etcd is gone\nfor good"), Verdict.ERRORED, "etcd is gone"),
        (UserError("no such thing"), Verdict.ERRORED, "no such thing"),
        (AssertionError("a mistake of ours"), Verdict.ERRORED, "a mistake of ours"),
        (KeyError("uid"), Verdict.ERRORED, "'uid'"),
    ],
)
def test_an_exception_means_a_verdict(error: BaseException | None, verdict: Verdict, reason: str) -> None:
    assert verdict_of(error) == (verdict, reason)


def test_our_own_trouble_is_told_in_words_and_a_mistake_with_its_trace() -> None:
    empty: dict[str, str] = {}
    with pytest.raises(KeyError) as caught:
        empty["uid"]
    mistake = error_text(caught.value)

    assert error_text(HarnessError("etcd is gone")) == "etcd is gone"
    assert "test_stream.py" in mistake
    assert mistake.endswith("KeyError: 'uid'\n")


# -- where a history is kept


def test_every_scenario_has_a_history_of_its_own_with_a_name_that_any_disk_takes() -> None:
    paths = [str(history_path(id_)) for id_ in catalogue()]

    assert len(set(paths)) == len(paths)
    assert all(path.startswith("histories/") and path.endswith(".jsonl") for path in paths)
    assert all(len(path) < 120 and path.isascii() for path in paths)


def test_examples_that_differ_only_in_signs_have_histories_of_their_own() -> None:
    assert history_path("a.feature::Fails[>1]") != history_path("a.feature::Fails[<1]")


def test_a_time_of_day_is_rfc_3339_in_utc() -> None:
    assert now().endswith("Z")
    assert now()[10] == "T"
