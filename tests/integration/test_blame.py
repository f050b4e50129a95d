"""What is accused: a controller that hangs or does nothing, and no controller where a fact of ours raises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from runs import Run, Start

WRONG = Path(__file__).parent / "wrong"
ABOUT = "BAS-016 or BAS-017 or BAS-018 or BAS-050 or (BAS-013 and down)"

RAISING = """
from batchproof.judgement.facts import FactCall

of = FactCall.of

def raising(self, seen):
    if self.name == "active_pods_exactly" and any(write.reply for write in seen.writes):
        raise KeyError("template")
    return of(self, seen)

FactCall.of = raising
"""
"""A mistake in a fact that shows only in the midst of a request of the implementation: at a reply."""


def judged(run: Run) -> dict[str, set[str]]:
    """The verdicts of each requirement's scenarios."""
    found: dict[str, set[str]] = {}
    for one in run.scenarios:
        found.setdefault(one["requirement"], set()).add(one["verdict"])
    return found


def test_who_does_nothing_is_failed_for_what_he_had_to_do(ended: Start) -> None:
    run = ended("run", "-i", WRONG / "does_nothing.yaml", "-k", ABOUT, "-n", "4")

    verdicts = judged(run)
    assert {id_ for id_, them in verdicts.items() if "failed" in them} == {
        *("BAS-013", "BAS-016", "BAS-018", "BAS-050")
    }, run.said
    assert not any("passed" in them for them in verdicts.values())
    lacking = [one["precondition"] for one in run.scenarios if one["reason"] == "precondition"]
    assert lacking
    assert all(one["speaks_of"] for one in lacking)
    again = ended("replay", run.output)
    assert "all as recorded" in again.said


def test_who_starts_slowly_is_waited_for_when_a_fault_has_killed_him(ended: Start) -> None:
    run = ended("run", "-i", WRONG / "starts_slowly.yaml", "-k", "EXP-007 or FIN-019", "-n", "4")

    assert {one["verdict"] for one in run.scenarios} == {"passed"}, run.said


def test_who_hangs_after_his_first_write_passes_nothing_where_nothing_happens(ended: Start) -> None:
    run = ended("run", "-i", WRONG / "stops_writing.yaml", "-k", "BAS-017", "-n", "3")

    quiet = [one for one in run.scenarios if "does not finish" in one["title"]]
    assert len(quiet) == 2
    for one in quiet:
        assert one["verdict"] == "inconclusive", one
        assert one["reason"].startswith("no proof of life"), one


def test_who_does_nothing_only_at_first_passes_the_second_time_with_a_word_about_it(
    ended: Start, tmp_path: Path
) -> None:
    env = {"HAS_SLEPT": str(tmp_path / "slept")}
    run = ended("run", "-i", WRONG / "sleeps_once.yaml", "-k", "EXP-009", "-n", "1", env=env)

    first, second = run.plays
    assert first["verdict"] == "inconclusive", run.said
    assert first["reason"].startswith("fault never triggered: ")
    assert second["verdict"] == "passed"
    assert second["first"]["history"] == first["history"] != second["history"]
    assert (run.output / first["history"]).is_file()
    assert "1 scenario was retried: not judged the first time" in run.said
    assert run.process.returncode == 0
    again = ended("replay", run.output)
    assert "all as recorded" in again.said


def test_a_strict_run_does_not_accept_it(ended: Start, tmp_path: Path) -> None:
    env = {"HAS_SLEPT": str(tmp_path / "slept")}
    run = ended("run", "-i", WRONG / "sleeps_once.yaml", "-k", "EXP-009", "-n", "1", "--strict", env=env)

    assert [one["verdict"] for one in run.plays] == ["inconclusive", "passed"]
    assert run.process.returncode == 1
    assert "NOT PROVEN because 1 scenario was retried (--strict)" in run.said
    assert 'type="retried"' in (run.output / "junit.xml").read_text("utf-8")


@pytest.mark.quick
@pytest.mark.parametrize("implementation", ["reference"])
def test_a_fact_that_raises_is_ours_and_no_request_fails_with_it(
    ended: Start, tmp_path: Path, implementation: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(RAISING)
    env = {"PYTHONPATH": str(tmp_path)}
    run = ended("run", "-i", implementation, "-k", "BAS-016.1", "-n", "1", env=env)

    (one,) = run.scenarios
    assert (one["verdict"], one["reason"]) == ("errored", "a fact broke"), run.said
    assert "fact active_pods_exactly broke at record " in one["error"]
    assert "KeyError: 'template'" in one["error"]
    entries = [json.loads(line)["entry"] for line in (run.output / one["history"]).read_text().splitlines()]
    creations = {e["call"] for e in entries if e["kind"] == "request" and e["verb"] == "create"}
    replies = {e["call"]: e["status"] for e in entries if e["kind"] == "reply"}
    assert {status for call, status in replies.items() if call in creations} == {201}
    log = "".join(path.read_text() for path in (run.output / "logs").iterdir())
    assert "500" not in log
    again = ended("replay", run.output, env=env)
    assert "Traceback" not in again.said
    assert "all as recorded" in again.said
