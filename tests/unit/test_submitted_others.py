"""Shards of mutants become one matrix, those of an exploration one report; a wrong one is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest
from test_matrix import KILLED, OTHER, SURVIVED, matrix
from test_submitted_plan import PLAN

from batchproof.exploration.program import ModelAction, Program, Script, Sentence
from batchproof.ground import stored
from batchproof.ground.errors import UserError
from batchproof.report.exploration import (
    ExplorationCounts,
    ExplorationResult,
    ShownBreach,
    UndecidedProgram,
    merged_explorations,
    together,
)
from batchproof.report.matrix import Matrix, dump, load
from batchproof.report.records import UnmetClaim
from batchproof.running.exploring.explore import told
from batchproof.running.exploring.written import About, write
from batchproof.submitting import explorations, mutants
from batchproof.submitting.given import choices_of
from batchproof.submitting.merge import MergeError, ShardFiles
from batchproof.submitting.merge_others import (
    EXPLORED,
    ShardExploration,
    merged_exploration,
    merged_matrix,
)
from batchproof.submitting.plan import Plan

MUTANTS = msgspec.structs.replace(PLAN, command="mutants", expression="", shards=(("one",), ("three", "two")))
SEEDS = msgspec.structs.replace(PLAN, command="explore", expression="", shards=(("7",), ("8",)), for_s=60)


def part(of: Plan, shard: int, folder: Path = Path()) -> ShardFiles:
    return ShardFiles(shard, of.digest, (), f"pod-{shard}", folder)


def judged() -> list[tuple[ShardFiles, Matrix]]:
    return [
        (part(MUTANTS, 0), matrix(KILLED, shard="1/2")),
        (part(MUTANTS, 1), matrix(SURVIVED, OTHER, shard="2/2")),
    ]


def test_the_matrix_of_all_shards_is_that_of_one_machine() -> None:
    found = merged_matrix(MUTANTS, judged(), "sha256:1")
    assert found == matrix(KILLED, SURVIVED, OTHER)
    assert found.exit_code == 1


def test_a_missing_and_a_doubled_shard_of_mutants_are_named() -> None:
    zero, one = judged()
    with pytest.raises(MergeError, match="missing: shard 1"):
        merged_matrix(MUTANTS, [zero], "sha256:1")
    again = (replace(one[0], origin="pod-x"), one[1])
    with pytest.raises(MergeError, match="doubled: shard 1 comes from pod-1 and pod-x"):
        merged_matrix(MUTANTS, [zero, one, again], "sha256:1")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (matrix(SURVIVED, OTHER, shard="1/2"), "foreign: its shard is 1/2"),
        (matrix(SURVIVED, OTHER, shard="2/2", expression="FIN"), "foreign: its selection is FIN"),
        (matrix(SURVIVED, shard="2/2"), "shard 1 lacks three"),
        (matrix(SURVIVED, OTHER, KILLED, shard="2/2"), "foreign: shard 1 ran one"),
        (
            msgspec.structs.replace(matrix(SURVIVED, OTHER, shard="2/2"), digest="sha256:2"),
            "foreign: its suite is",
        ),
    ],
)
def test_mutants_that_are_not_those_of_the_plan_are_refused(wrong: Matrix, why: str) -> None:
    zero, one = judged()
    with pytest.raises(MergeError) as caught:
        merged_matrix(MUTANTS, [zero, (one[0], wrong)], "sha256:1")
    assert f"pod-1: {why}" in str(caught.value)


def test_a_shard_of_another_plan_is_refused() -> None:
    zero, one = judged()
    other = replace(one[0], plan="sha256:another")
    with pytest.raises(MergeError, match="pod-1: foreign: its plan is sha256:another"):
        merged_matrix(MUTANTS, [zero, (other, one[1])], "sha256:1")


def test_the_matrix_has_the_evidence_of_each_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "code_digest", lambda *_: "sha256:1")
    parts = []
    for one, sent in judged():
        folder = tmp_path / one.origin
        for row in sent.rows:
            (folder / row.defect / "histories").mkdir(parents=True)
            (folder / row.defect / "results.jsonl").write_text(row.defect)
            (folder / row.defect / "histories" / "a.jsonl").write_text(f"history of {row.defect}")
        (folder / "defects.json").write_bytes(dump(sent))
        parts.append(replace(one, folder=folder))
    stale = tmp_path / "out" / "one" / "histories" / "stale.jsonl"
    stale.parent.mkdir(parents=True)
    stale.touch()
    choices = choices_into(tmp_path / "out")

    assert mutants.conclude(MUTANTS, parts[::-1], choices) == 1

    assert load(tmp_path / "out") == matrix(KILLED, SURVIVED, OTHER)
    assert not stale.exists()
    for name in ("one", "two", "three"):
        assert (tmp_path / "out" / name / "results.jsonl").read_text() == name
        assert (tmp_path / "out" / name / "histories" / "a.jsonl").read_text() == f"history of {name}"


def choices_into(output: Path) -> Any:
    return choices_of(MUTANTS, output, output)


def breach(
    requirement: str, seed: int, *, steps: int = 3, confirmed: bool = True, **more: Any
) -> ShownBreach:
    sentences = tuple(Sentence(f"step {number}") for number in range(steps))
    script = Script(Program((ModelAction("create", (1,)),)), sentences)
    unmet = UnmetClaim(requirement, f"It MUST be {requirement}.", "1", "2")
    told_ = {"after_s": 4.0, "programs": 2, "again": 2, "tried": 5, "steps_found": 9, "history": None} | more
    return ShownBreach(
        requirement=requirement,
        confirmed=confirmed,
        seed=seed,
        program=seed * 10,
        script=script,
        unmet=unmet,
        **told_,
    )


def result(seed: int, *found: ShownBreach, **verdicts: int) -> ExplorationResult:
    undecided = UndecidedProgram(seed, 5, "inconclusive", "it was slow", ("a step",), None)
    return ExplorationResult(
        seeds=(seed,),
        workers=4,
        interrupted=False,
        took_s=60.0 + seed,
        verdicts=verdicts or {"passed": 10, "failed": len(found), "inconclusive": 1},
        replays=3,
        steps=100,
        faults=7,
        found=found,
        undecided=(undecided,),
    )


def test_what_several_seeds_find_is_told_once_by_the_shortest_confirmed_program() -> None:
    long, short = breach("FIN-001", 7, steps=8, after_s=1.0), breach("FIN-001", 8, steps=2, after_s=5.0)
    doubtful, only = breach("FIN-001", 9, steps=1, confirmed=False), breach("IDX-001", 9, after_s=0.5)
    found = merged_explorations([result(7, long), result(8, short), result(9, doubtful, only)])
    assert [(one.requirement, one.seed, one.programs, one.after_s) for one in found.found] == [
        ("IDX-001", 9, 2, 0.5),
        ("FIN-001", 8, 6, 1.0),
    ]
    assert (found.seeds, found.workers, found.took_s, found.steps, found.faults) == (
        (7, 8, 9),
        12,
        69.0,
        300,
        21,
    )
    assert found.verdicts == {"passed": 30, "failed": 4, "inconclusive": 3}
    assert [one.seed for one in found.undecided] == [7, 8, 9]


def test_an_exploration_of_one_seed_is_its_own() -> None:
    one = result(7, breach("IDX-001", 7), breach("FIN-001", 7, after_s=9.0))
    assert merged_explorations([one]) == one


def test_a_wrong_shard_of_an_exploration_is_named() -> None:
    mine = [ShardExploration("acme 1", result(seed)) for seed in (7, 8)]
    zero, one = part(SEEDS, 0), part(SEEDS, 1)
    assert merged_exploration(SEEDS, [(zero, mine[0]), (one, mine[1])]).result.seeds == (7, 8)
    with pytest.raises(MergeError, match="missing: shard 1"):
        merged_exploration(SEEDS, [(zero, mine[0])])
    with pytest.raises(MergeError, match="doubled: shard 0"):
        merged_exploration(SEEDS, [(zero, mine[0]), (zero, mine[0]), (one, mine[1])])
    with pytest.raises(MergeError, match="pod-1: foreign: shard 1 ran 7"):
        merged_exploration(SEEDS, [(zero, mine[0]), (one, mine[0])])
    other = ShardExploration("acme 2", mine[1].result)
    with pytest.raises(MergeError, match="different implementations: acme 1, acme 2"):
        merged_exploration(SEEDS, [(zero, mine[0]), (one, other)])
    with pytest.raises(MergeError, match="pod-1: foreign: its plan is x"):
        merged_exploration(SEEDS, [(zero, mine[0]), (replace(one, plan="x"), mine[1])])


def test_the_report_of_all_seeds_has_their_histories_and_no_others(tmp_path: Path) -> None:
    """What a shard names lies in its own folder: a path elsewhere is not followed."""
    secret = tmp_path / "secret.jsonl"
    secret.write_text("not of the run")
    parts = []
    for place, (seed, history) in enumerate(((7, "FIN-001.jsonl"), (8, "../../secret.jsonl"))):
        folder = tmp_path / f"pod-{place}"
        (folder / "histories").mkdir(parents=True)
        (folder / "histories" / "FIN-001.jsonl").write_bytes(b"")
        found = breach("FIN-001" if seed == 7 else "IDX-001", seed, history=Path(history))
        (folder / EXPLORED).write_bytes(stored.encode(ShardExploration("acme 1", result(seed, found))))
        parts.append(part(SEEDS, place, folder))
    output = tmp_path / "out"

    assert explorations.conclude(SEEDS, parts[::-1], choices_into(output)) == 1

    summary = orjson.loads((output / "explored.json").read_bytes())
    assert [(one["requirement"], one["seed"], one["history"]) for one in summary["found"]] == [
        ("FIN-001", 7, "histories/FIN-001.jsonl"),
        ("IDX-001", 8, None),
    ]
    assert (summary["seed"], summary["seeds"], summary["programs"]) == (7, [7, 8], 24)
    assert "--seed 8, program 80," in (output / "IDX-001.feature").read_text()
    assert [one.name for one in (output / "histories").iterdir()] == ["FIN-001.jsonl"]


def test_a_report_says_its_seeds(tmp_path: Path) -> None:
    both = merged_explorations([result(7), result(8)])
    lines = write(both, About("job", "acme 1", "acme"), tmp_path)
    assert lines[0].startswith("seeds 7 to 8: 22 programs (2 inconclusive), 200 steps, 14 faults triggered")
    assert told(both, lines, tmp_path) == 0
    assert write(result(7), About("job", "acme 1", "acme"), tmp_path)[0].startswith("seed 7: ")


def test_how_far_all_shards_are_is_one_line() -> None:
    both = together([ExplorationCounts(3, 30, 2, 1, 50.0), ExplorationCounts(4, 40, 5, 0, 40.0)])
    assert both == ExplorationCounts(7, 70, 7, 1, 50.0)
    assert both.words.startswith("7 programs, 70 steps, 7 faults triggered, 1 broken, ")


def test_what_is_no_matrix_of_a_shard_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        mutants.conclude(MUTANTS, [part(MUTANTS, 0, tmp_path)], choices_into(tmp_path))
