"""The matrix of mutants: kept, read again, merged from shards without a gap, shown on a page."""

from __future__ import annotations

import shutil
from pathlib import Path

import orjson
import pytest
import report_sample as sample
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from msgspec.structs import replace
from report_sample import HOSTILE

from batchproof.commands import mutants
from batchproof.ground.errors import UserError
from batchproof.report.catches import Kill, Survival
from batchproof.report.matrix import Matrix, MutantResult, MutatedRequirement, Selection, dump, load, merged
from batchproof.report.matrix_page import matrix_page
from batchproof.report.schemas import schemas
from batchproof.running.mutants.choice import share
from batchproof.running.mutants.proof import write

RECORDED = Path(__file__).parent / "recorded" / "status-writes-answered-with-500.jsonl"
CATCH = Kill("a.feature::A", "A", 3, 4, "Then it is so", "this", HOSTILE, "one/histories/a.jsonl")
KILLED = MutantResult("one", "FIN-001", "a change", ("a.py::f",), CATCH, warnings=("look",), took_s=2.5)
SURVIVED = MutantResult("two", "FIN-002", "another", ("a.py",), misses=(Survival("c.feature::C", "passed"),))
OTHER = MutantResult("three", "TTL-001", "a third", ("b.py",), not_declared="TTLAfterFinished")


def matrix(*rows: MutantResult, shard: str = "1/1", **more: str) -> Matrix:
    return Matrix(
        schema=1,
        batchproof="0.2.0",
        digest="sha256:1",
        selection=Selection(("job",), {"job": "reference 0.1.0"}, shard=shard, **more),
        planned=("one", "two", "three"),
        requirements={
            id_: MutatedRequirement("MUST", "job", f"It MUST be {id_}.")
            for id_ in ("FIN-001", "FIN-002", "TTL-001", "FIN-009")
        },
        rows=rows,
        took_s=3.0,
    )


@pytest.mark.parametrize(
    ("rows", "code", "said"),
    [
        ([KILLED], 0, "1 of 1 mutants killed"),
        ([KILLED, SURVIVED], 1, "1 of 2 mutants killed"),
        ([KILLED, OTHER], 0, "1 of 1 mutants killed; 1 of capabilities that are not declared"),
        ([OTHER], 1, "0 of 0 mutants killed; 1 of capabilities that are not declared"),
        ([], 1, "0 of 0 mutants killed"),
    ],
)
def test_every_mutant_that_can_be_judged_has_to_be_killed(
    rows: list[MutantResult], code: int, said: str
) -> None:
    assert (matrix(*rows).exit_code, matrix(*rows).sentence) == (code, said)


def test_nothing_to_judge_is_right_only_where_a_part_was_asked_for() -> None:
    assert matrix(since="HEAD~1").exit_code == 0
    assert matrix(shard="9/9").exit_code == 0


def test_a_matrix_is_kept_by_its_schema(tmp_path: Path) -> None:
    told = matrix(KILLED, SURVIVED, OTHER)
    write(told, tmp_path)
    schema = orjson.loads(schemas()["defect-matrix.schema.json"])
    Draft202012Validator(schema).validate(orjson.loads(dump(told)))
    assert load(tmp_path) == told
    assert (tmp_path / "index.html").is_file()


def test_what_is_no_matrix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load(tmp_path)
    (tmp_path / "defects.json").write_text('{"schema": 1, "rows": []}')
    with pytest.raises(UserError, match=r"is not a matrix .*: batchproof is missing"):
        load(tmp_path)


def test_shards_make_one_matrix() -> None:
    shards = [matrix(OTHER, shard="2/2"), matrix(KILLED, SURVIVED, shard="1/2")]
    assert merged(shards) == matrix(KILLED, SURVIVED, OTHER)


@pytest.mark.parametrize(
    ("shards", "message"),
    [
        ([matrix(KILLED, SURVIVED, shard="1/3"), matrix(OTHER, shard="3/3")], "gap: shard 2/3 is missing"),
        ([matrix(KILLED, shard="1/2"), matrix(OTHER, shard="2/2")], "incomplete: no shard ran two"),
        ([matrix(KILLED, shard="1/2"), matrix(OTHER, shard="1/2")], "shard 1/2 is there twice"),
        ([matrix(KILLED, shard="1/2"), matrix(OTHER, shard="2/3")], "of different divisions: 1/2 and 2/3"),
        ([matrix(shard="1/2"), replace(matrix(shard="2/2"), digest="sha256:2")], "of different states"),
        ([matrix(shard="1/2"), matrix(shard="2/2", expression="FIN")], "of different selections"),
    ],
)
def test_shards_that_leave_a_gap_or_do_not_fit_are_refused(shards: list[Matrix], message: str) -> None:
    with pytest.raises(UserError, match=message):
        merged(shards)


def test_shards_share_all_mutants_fairly() -> None:
    names, weights = [f"mutant-{n}" for n in range(10)], [5, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    parts = [share(names, weights, f"{number}/3") for number in (1, 2, 3)]
    assert sorted(name for part in parts for name in part) == sorted(names)
    assert [sum(weights[names.index(name)] for name in part) for part in parts] == [5, 5, 4]


@pytest.mark.parametrize("shard", ["0/3", "4/3", "2", "a/b", "1/0"])
def test_what_is_no_shard_is_refused(shard: str) -> None:
    with pytest.raises(UserError, match="write the second of five as 2/5"):
        share(["one"], [1], shard)


def test_the_page_says_what_killed_each_and_escapes_it() -> None:
    told = matrix_page(matrix(KILLED, SURVIVED, OTHER))
    assert "at step 3 of 4, before the last claim: Then it is so" in told
    assert "FIN-009" in told
    assert "without a mutant" in told
    assert "<script>alert" not in told
    assert 'href="one/histories/a.jsonl"' in told
    assert "FIN-009" not in matrix_page(matrix(KILLED, expression="FIN-001"))


def test_each_kill_has_its_drawn_timeline_beside_the_page(tmp_path: Path) -> None:
    histories = tmp_path / "one" / "histories"
    histories.mkdir(parents=True)
    shutil.copy(RECORDED, histories / "a.jsonl")
    caught = sample.scenario("FIN-001", "A", "failed", id="a.feature::A", history="histories/a.jsonl")
    sample.write_stream(tmp_path / "one", sample.stream([caught]))
    write(matrix(KILLED, SURVIVED, OTHER), tmp_path)
    page = (tmp_path / "index.html").read_text()
    assert page.count('href="timelines/') == 1
    assert 'href="timelines/one.html"' in page
    drawn = (tmp_path / "timelines" / "one.html").read_text()
    assert '<svg class="tl"' in drawn
    assert 'href="../index.html#FIN-001"' in drawn  # to the row of the matrix
    assert 'href="../one/histories/a.jsonl"' in drawn
    assert [path.name for path in (tmp_path / "timelines").iterdir()] == ["one.html"]


def test_a_row_says_in_one_line_how_many_mutants_which_scenarios_killed() -> None:
    missed = replace(SURVIVED, requirement="FIN-001")
    told = matrix_page(matrix(KILLED, missed))
    assert "<summary>2 mutants, 1 killed by a.feature::A</summary>" in told
    assert "<summary>1 mutant, killed by a.feature::A</summary>" in matrix_page(matrix(KILLED))


def test_the_command_prints_sentence_and_step(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mutants, "judge_mutants", lambda _: matrix(KILLED, SURVIVED, OTHER))
    result = CliRunner().invoke(mutants.command, ["-o", str(tmp_path)], standalone_mode=False)
    assert result.return_value == 1
    lines = result.output.splitlines()
    assert lines[:4] == [
        "killed  one  FIN-001",
        "  killed at step 3 of 4, before the last claim: Then it is so",
        "  of a.feature::A",
        "  warning: look",
    ]
    assert "SURVIVED  two  FIN-002" in lines
    assert "  not judged: TTLAfterFinished is not declared" in lines
    assert "without a mutant: FIN-009" in lines


def test_shards_are_merged_by_the_command(tmp_path: Path) -> None:
    for name, part in (("a", matrix(KILLED, OTHER, shard="1/2")), ("b", matrix(SURVIVED, shard="2/2"))):
        write(part, tmp_path / name)
    arguments = ["--merge", str(tmp_path / "a"), str(tmp_path / "b"), "-o", str(tmp_path / "all"), "--json"]
    result = CliRunner().invoke(mutants.command, arguments, standalone_mode=False)
    assert orjson.loads(result.output)["selection"]["shard"] == "1/1"
    assert load(tmp_path / "all") == matrix(KILLED, SURVIVED, OTHER)
