"""How far a run is, on a terminal and elsewhere."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from batchproof.control_plane.plane import OwnPlane
from batchproof.running import progress
from batchproof.running.plays import Play
from batchproof.running.progress import RunProgress
from batchproof.running.settings import Settings


class _Terminal(StringIO):
    def isatty(self) -> bool:
        return True


class _Clock:
    """The clock of the progress, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        monkeypatch.setattr(progress, "monotonic", lambda: self.now_s)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    return _Clock(monkeypatch)


def test_elsewhere_the_state_is_told_every_ten_seconds_and_at_the_end(clock: _Clock) -> None:
    out = StringIO()
    told = RunProgress(out)
    told.planned(4)
    for number in range(4):
        told.started(f"s{number}")
        clock.now_s += 4
        told.finished(f"s{number}", "passed")
    told.end()

    assert out.getvalue().splitlines() == [
        "4 scenarios",
        "3 of 4 done, 0 running, 0 failed, about 4 s left",
        "4 of 4 done, 0 running, 0 failed",
    ]


def test_the_time_left_is_estimated_once_a_tenth_is_done(clock: _Clock) -> None:
    out = StringIO()
    told = RunProgress(out)
    told.planned(20)
    for number in range(3):
        told.started(f"s{number}")
        clock.now_s += 11
        told.finished(f"s{number}", "passed")
    assert out.getvalue().splitlines()[1:] == [
        "1 of 20 done, 0 running, 0 failed",
        "2 of 20 done, 0 running, 0 failed, about 198 s left",
        "3 of 20 done, 0 running, 0 failed, about 187 s left",
    ]


@pytest.mark.usefixtures("clock")
def test_on_a_terminal_one_line_is_always_as_it_is_and_goes_away_at_the_end() -> None:
    out = _Terminal()
    told = RunProgress(out)
    told.planned(2)
    told.started("one")
    told.started("two")
    told.finished("one", "passed")
    told.end()

    lines = out.getvalue().split("\r\033[K")
    assert lines == [
        "",
        "2 scenarios\n",
        "0 of 2 done, 1 running, 0 failed",
        "0 of 2 done, 2 running, 0 failed",
        "1 of 2 done, 1 running, 0 failed, about 0 s left",
        "",
    ]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("out", [StringIO(), _Terminal()], ids=["elsewhere", "terminal"])
@pytest.mark.parametrize(
    ("verdict", "told_at_once"),
    [("passed", False), ("skipped", False), ("failed", True), ("inconclusive", False), ("errored", True)],
)
def test_what_is_broken_is_told_at_once(out: StringIO, verdict: str, *, told_at_once: bool) -> None:
    told = RunProgress(out)
    told.planned(9)
    told.started("job/a.feature::One <example>[3]")
    out.truncate(0)

    told.finished("job/a.feature::One <example>[3]", verdict, "FIN-004 One 3")

    assert (f"  {verdict:<8} FIN-004 One 3\n" in out.getvalue()) == told_at_once


@pytest.mark.usefixtures("clock")
def test_a_requirement_that_histories_break_is_told_once() -> None:
    out = StringIO()
    told = RunProgress(out)
    told.planned(4)
    for number in range(3):
        told.finished(f"s{number}", "passed", f"BAS-01{number} One", ["FIN-004"])
    told.finished("s3", "inconclusive", "BAS-013 Two", ["FIN-004", "FIN-015"])

    assert out.getvalue().splitlines()[1:] == [
        "  broken   FIN-004 in the history of BAS-010 One",
        "  broken   FIN-015 in the history of BAS-013 Two",
        "4 of 4 done, 0 running, 1 inconclusive",
    ]


def test_a_run_of_nothing_is_no_division_by_zero(clock: _Clock) -> None:
    out = StringIO()
    told = RunProgress(out)
    told.planned(0)
    clock.now_s += 60
    told.started("one")

    assert out.getvalue().splitlines()[-1] == "0 of 0 done, 1 running, 0 failed"


# -- the settings that a run hands over


@pytest.mark.parametrize(
    "own_plane",
    [
        None,
        OwnPlane({"etcd": Path("bin/etcd")}, "1.24.17", ("--v=1",)),
        OwnPlane({"etcd": Path("bin/etcd")}, "1.37.0", (), beside=("job-controller",)),
    ],
    ids=["one control plane for all", "one for each worker", "with the built-in Job controller"],
)
def test_settings_survive_their_way_to_the_workers(tmp_path: Path, own_plane: OwnPlane | None) -> None:
    chosen = Settings(
        run="x7",
        descriptor=Path("a.yaml"),
        profile="job",
        binaries={"scheduler": Path("bin/scheduler")},
        crds=(Path("crds/a.yaml"),),
        run_dir=Path("run"),
        output=tmp_path,
        provider="existing",
        kubernetes_version="1.37.0",
        taken=("TTLAfterFinished",),
        own_plane=own_plane,
        plays=(
            Play("job/a.feature::A", mutant="one"),
            Play("job/a.feature::A", faults="errors", end={"Job a": "Complete"}),
            Play("job/a.feature::A"),
        ),
        reference=Path("reference"),
        out_of_reach=("job/b.feature::B",),
    )
    path = tmp_path / "settings.json"

    chosen.write(path)

    assert Settings.read(path) == chosen
