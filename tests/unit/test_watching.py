"""What is watched, when a change has come to its end, and what is played again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import report_sample as sample

from batchproof.report.failing import to_play_again
from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results
from batchproof.running.watching import await_change, seen, watched

if TYPE_CHECKING:
    from pathlib import Path

DESCRIPTOR = """\
name: acme
version: "1"
organisation: Acme
profiles: [job]
start:
  argv: ["{binary}", "--kubeconfig={kubeconfig}", "--config={descriptor_dir}/acme.conf"]
  env: {PYTHONPATH: "{descriptor_dir}/lib"}
binary: {path: bin/acme}
"""


@pytest.fixture
def descriptor(tmp_path: Path) -> Path:
    for name in ("bin/acme", "acme.conf", "lib/a/b.py", "lib/a/c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    (tmp_path / "acme.yaml").write_text(DESCRIPTOR)
    return tmp_path / "acme.yaml"


def test_watched_are_descriptor_program_files_and_sources(descriptor: Path) -> None:
    names = {path.relative_to(descriptor.parent).as_posix() for path in watched(str(descriptor))}
    assert names == {"acme.yaml", "bin/acme", "acme.conf", "lib/a/b.py"}


def test_of_a_broken_descriptor_the_file_itself_is_watched(descriptor: Path) -> None:
    descriptor.write_text("name: [")
    assert watched(str(descriptor)) == [descriptor]


@pytest.mark.parametrize("name", ["acme.yaml", "bin/acme", "acme.conf", "lib/a/b.py", "lib/new.py"])
def test_a_change_is_seen_and_what_is_half_written_is_waited_for(
    descriptor: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = seen(watched(str(descriptor)))
    to_write = list(range(8))

    def between_two_looks(_: float) -> None:
        if to_write:
            with (descriptor.parent / name).open("a") as file:
                file.write(f"\n#{to_write.pop()}")

    monkeypatch.setattr("batchproof.running.watching.time.sleep", between_two_looks)
    await_change(str(descriptor), before)
    assert not to_write, "it returned while the file was being written"


def test_what_is_rebuilt_under_the_same_name_is_seen(descriptor: Path) -> None:
    before = seen(watched(str(descriptor)))
    binary = descriptor.parent / "bin" / "acme"
    other = binary.with_name("new")
    other.write_text("2")
    other.replace(binary)
    await_change(str(descriptor), before)


def again(folder: Path, *records: dict[str, Any], most: int = 40) -> tuple[str, ...]:
    results = read_results(sample.write_stream(folder, sample.stream([*records])))
    return to_play_again(judge_run(results), most)


def test_played_again_is_what_failed_and_what_shows_it_then_what_is_undecided(tmp_path: Path) -> None:
    records = [
        sample.scenario("BAS-001", "Passes", id="BAS-001.1"),
        sample.scenario("EXP-001", "Undecided", "inconclusive", id="EXP-001.1", reason="no proof of life"),
        sample.scenario("FIN-004", "Fails", "failed", id="FIN-004.1a"),
        sample.scenario("FIN-004", "Fails too", "failed", id="FIN-004.1b"),
        sample.scenario("ROB-001", "Shows", id="ROB-001.3c", breaches=[sample.breach("BAS-002")]),
        sample.scenario("ROB-001", "Shows too", id="ROB-001.4", breaches=[sample.breach("BAS-002")]),
    ]
    found = again(tmp_path, *records)
    assert set(found[:2]) == {"FIN-004.1a", "ROB-001.3c"}
    assert found[2:] == ("FIN-004.1b", "EXP-001.1")
    assert len(again(tmp_path, *records, most=1)) == 1


def test_nothing_is_played_again_where_all_passed(tmp_path: Path) -> None:
    assert again(tmp_path, *sample.passing_scenarios()) == ()
