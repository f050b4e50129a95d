"""What changed from one run to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import report_sample as sample

from batchproof.ground.errors import UserError
from batchproof.report.change_list import changes_json, changes_markdown
from batchproof.report.changes import Changes, Kind, changes
from batchproof.report.results import Results, read_results

if TYPE_CHECKING:
    from pathlib import Path


class Runs:
    """Writes runs to folders, and reads them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(self, *records: dict[str, Any], **header: Any) -> Results:
        """A run of these scenarios that sets out to judge nothing else, but for what ``header`` says."""
        folder = self._folder / str(len([*self._folder.iterdir()]))
        folder.mkdir()
        ids = list({one["requirement"]: None for one in records})
        given = {"required": ids, **header}
        return read_results(sample.write_stream(folder, sample.stream([*records], **given)))

    def changed(self, old: dict[str, Any], new: dict[str, Any]) -> Changes:
        """From a run of one scenario to a run of another."""
        return changes(self.run(old), self.run(new))


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def bas(verdict: str, **more: Any) -> dict[str, Any]:
    return sample.scenario("BAS-001", "A Job never has more pods than its parallelism", verdict, **more)


PASSED, FAILED, ERRORED = bas("passed"), bas("failed"), bas("errored", reason="etcd ended")
INCONCLUSIVE = bas("inconclusive", reason="no proof of life")
UNDECLARED = bas("skipped", reason="not-declared")
WAIVED = bas(
    "skipped",
    reason="waived",
    unmet=sample.unmet("BAS-001"),
    waived=sample.WAIVER | {"requirement": "BAS-001", "scenario": PASSED["id"]},
)


@pytest.mark.parametrize(
    ("old", "new", "kind", "worse"),
    [
        (PASSED, PASSED, "same", False),
        (PASSED, FAILED, "newly broken", True),
        (PASSED, WAIVED, "newly broken", True),
        (PASSED, INCONCLUSIVE, "newly not judged", True),
        (PASSED, ERRORED, "newly not judged", True),
        (PASSED, UNDECLARED, "newly not judged", True),
        (FAILED, PASSED, "fixed", False),
        (FAILED, FAILED, "still broken", False),
        (FAILED, WAIVED, "still broken", False),
        (FAILED, INCONCLUSIVE, "newly not judged", False),
        (WAIVED, FAILED, "still broken", True),
        (WAIVED, PASSED, "fixed", False),
        (INCONCLUSIVE, FAILED, "newly broken", True),
        (INCONCLUSIVE, PASSED, "newly met", False),
        (INCONCLUSIVE, UNDECLARED, "same", False),
        (UNDECLARED, PASSED, "newly met", False),
    ],
)
def test_a_change_is_named_by_what_was_and_is(
    runs: Runs, old: dict[str, Any], new: dict[str, Any], kind: Kind, worse: bool
) -> None:
    changed = runs.changed(old, new)
    assert [one.id for one in changed.of(kind)] == ["BAS-001"]
    assert [one.id for one in changed.worse] == (["BAS-001"] if worse else [])
    assert ("WORSE" in changed.sentence) is worse


def test_a_planned_scenario_without_a_record_is_worse_than_one_that_passed(runs: Runs) -> None:
    other = sample.scenario("BAS-002", "A Job completes")
    old = runs.run(PASSED, other)
    cut = sample.stream([other], unrun=[PASSED], complete=False, reason="interrupted")
    folder = runs._folder / "cut"
    folder.mkdir()
    changed = changes(old, read_results(sample.write_stream(folder, cut)))
    assert "BAS-001" in [one.id for one in changed.worse]
    assert "the new run is incomplete: interrupted" in changed.notes


def test_what_a_partial_run_leaves_out_is_neither_worse_nor_better(runs: Runs) -> None:
    suite = {**sample.header()["suite"], "selection": "BAS-001"}
    old = runs.run(FAILED, sample.scenario("BAS-002", "A Job completes"))
    changed = changes(old, runs.run(PASSED, suite=suite))
    assert [one.id for one in changed.of("fixed")] == ["BAS-001"]
    assert changed.not_played == ("BAS-002",)
    assert not changed.worse
    assert changed.sentence == "1 fixed: nothing got worse; 1 requirement not judged by choice: -k BAS-001"
    assert "Not selected in the new run: 1 requirement: BAS-002" in changes_markdown(changed, strict=False)
    assert any(note.startswith("selection: everything in the old run, BAS-001") for note in changed.notes)


def test_nothing_is_fixed_by_leaving_out_the_scenario_that_broke_it(runs: Runs) -> None:
    suite = {**sample.header()["suite"], "selection": "BAS-001"}
    elsewhere = sample.scenario("ROB-001", "Killed", breaches=[sample.breach("BAS-001")])
    changed = changes(runs.run(PASSED, elsewhere), runs.run(PASSED, suite=suite))
    (one,) = changed.of("newly not judged")
    assert one.after == "passed, but 1 scenario in which it failed before did not run"
    assert not changed.of("fixed")


def test_nothing_is_fixed_by_leaving_out_the_faults_that_broke_it(runs: Runs) -> None:
    under_faults = bas("failed") | {"id": f"{FAILED['id']} under lost-replies", "fault": "lost-replies"}
    stream = sample.stream([PASSED, under_faults])
    stream[0]["planned"][1]["fault"] = "lost-replies"
    folder = runs._folder / "grid"
    folder.mkdir()
    old = read_results(sample.write_stream(folder, stream))
    changed = changes(old, runs.run(PASSED))
    assert [one.id for one in changed.of("newly not judged")] == ["BAS-001"]
    assert "faults: lost-replies, no faults in the old run, no faults in the new run" in changed.notes


def test_what_a_new_suite_requires_and_finds_broken_is_newly_broken(runs: Runs) -> None:
    known = {"BAS-002": sample.header()["requirements"]["BAS-002"]}
    old = runs.run(sample.scenario("BAS-002", "A Job completes"), requirements=known)
    (one,) = changes(old, runs.run(FAILED)).of("newly broken")
    assert (one.before, one.after) == ("not in the suite", "failed in 1 history of its own scenarios")


def test_another_suite_is_named_for_it_may_be_the_reason(runs: Runs) -> None:
    other = {"digest": "sha256:" + "a" * 64}
    changed = changes(runs.run(PASSED), runs.run(FAILED, suite=other))
    assert "suite: 9f86d081884c in the old run, aaaaaaaaaaaa in the new run" in changed.notes


def lacking(requirement: str, speaks_of: str) -> dict[str, Any]:
    """A failed scenario that lacks what another requirement covers."""
    unmet = {**sample.unmet(requirement), "speaks_of": [speaks_of]}
    return sample.scenario(requirement, requirement, "failed", unmet=unmet)


def test_what_could_not_be_judged_because_of_a_fixed_failure_is_said_to_have_been_hidden(runs: Runs) -> None:
    """BAS-002 could not be judged while BAS-001 failed: that it fails now is no news of this change alone."""
    hidden = sample.undecided("BAS-002", "Two", "0 pods are active", ("BAS-001",))
    old = runs.run(FAILED, hidden)
    changed = changes(old, runs.run(PASSED, sample.scenario("BAS-002", "Two", "failed")))

    (one,) = changed.of("newly broken")
    assert one.uncovered == "it was hidden behind BAS-001 before: it may be no new bug"
    assert changed.sentence == (
        "1 newly broken, 1 fixed: WORSE in 1 requirement; BAS-002 was hidden behind BAS-001 before"
    )
    assert changes_json(changed, strict=False)["newly_broken"][0]["hidden_behind"] == ("BAS-001",)
    assert "it was hidden behind BAS-001 before" in changes_markdown(changed, strict=False)


def test_what_the_old_run_named_only_after_another_says_so_when_it_is_left(runs: Runs) -> None:
    old = runs.run(lacking("BAS-001", "BAS-001"), lacking("BAS-002", "BAS-001"))
    changed = changes(old, runs.run(PASSED, lacking("BAS-002", "BAS-001")))

    (one,) = changed.of("still broken")
    assert (one.id, one.uncovered) == ("BAS-002", "the old run named it only after BAS-001")


@pytest.mark.parametrize("hidden", [False, True])
def test_what_was_in_plain_sight_or_still_follows_was_hidden_by_nothing(runs: Runs, *, hidden: bool) -> None:
    two = sample.scenario("BAS-002", "Two", "passed")
    if hidden:
        two = sample.undecided("BAS-002", "Two", "0 pods are active", ("BAS-003",))  # BAS-003 has not failed
    changed = changes(runs.run(FAILED, two), runs.run(PASSED, sample.scenario("BAS-002", "Two", "failed")))
    assert [one.uncovered for one in changed.of("newly broken")] == [""]
    both = lacking("BAS-001", "BAS-001"), lacking("BAS-002", "BAS-001")
    assert [one.uncovered for one in changes(runs.run(*both), runs.run(*both)).all] == ["", ""]


@pytest.mark.parametrize(
    ("old", "new", "unjudged"),
    [
        (FAILED, PASSED, ()),
        (FAILED, INCONCLUSIVE, ("BAS-001",)),
        (PASSED, INCONCLUSIVE, ("BAS-001",)),
        (INCONCLUSIVE, INCONCLUSIVE, ()),
    ],
)
def test_what_was_judged_before_and_is_not_now_is_known(
    runs: Runs, old: dict[str, Any], new: dict[str, Any], unjudged: tuple[str, ...]
) -> None:
    assert runs.changed(old, new).unjudged == unjudged


def test_what_a_partial_run_left_out_is_unjudged(runs: Runs) -> None:
    suite = {**sample.header()["suite"], "selection": "BAS-001"}
    old = runs.run(PASSED, sample.scenario("BAS-002", "A Job completes"))
    assert changes(old, runs.run(PASSED, suite=suite)).unjudged == ("BAS-002",)


def test_a_narrower_selection_changes_nothing_but_what_was_chosen(runs: Runs) -> None:
    suite = {**sample.header()["suite"], "selection": "BAS-001 or 'TTL'"}
    old = runs.run(PASSED, sample.scenario("BAS-002", "A Job completes"))
    changed = changes(old, runs.run(PASSED, suite=suite))
    said = "nothing changed in what both runs judged; 1 requirement not judged by choice: -k "
    assert changed.headline(strict=False).startswith(said)
    assert not changed.failed(strict=False)
    assert "FAILED by --strict: 1 requirement not judged by the new run" in changed.headline(strict=True)


def test_what_a_smaller_suite_does_not_have_is_nobody_s_choice(runs: Runs) -> None:
    old = runs.run(PASSED, sample.scenario("BAS-002", "A Job completes"))
    assert changes(old, runs.run(PASSED)).by_choice == ""


def test_runs_of_two_profiles_have_nothing_to_compare(runs: Runs) -> None:
    with pytest.raises(UserError, match="job and gang"):
        changes(runs.run(PASSED), runs.run(PASSED, profile="gang"))
