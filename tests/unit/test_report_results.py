from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import orjson
import pytest
import report_sample as sample
from jsonschema import Draft202012Validator

from batchproof.ground import stored
from batchproof.ground.errors import HarnessError, UserError
from batchproof.report import results as stream
from batchproof.report.records import Record, ScenarioRecord
from batchproof.report.results import ResultsStream, read_results
from batchproof.report.schemas import schemas

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCHEMA = orjson.loads(schemas()["results.schema.json"])
VALIDATOR = Draft202012Validator(SCHEMA)
GOOD = sample.stream(sample.scenarios())
PLANNED = GOOD[0]["planned"]


def changed(index: int, **fields: Any) -> list[dict[str, Any]]:
    records = sample.stream(sample.scenarios())
    records[index] |= fields
    return records


def twice(verdict: str) -> list[dict[str, Any]]:
    """The first scenario has no verdict, and a second record that says what the first was."""
    header, first, *rest = sample.stream(sample.scenarios())
    before = {**first, "verdict": "inconclusive", "reason": "no proof of life"}
    told = {"verdict": verdict, "why": "no proof of life", "history": first["history"]}
    return [header, before, {**first, "first": told}, *rest]


def test_the_second_play_takes_the_place_of_the_first(tmp_path: Path) -> None:
    sample.write_stream(tmp_path, twice("inconclusive"))
    first, *_ = read_results(tmp_path).scenarios
    assert (first.verdict, first.first is not None) == ("passed", True)


def test_a_stream_is_read_as_it_was_written(tmp_path: Path) -> None:
    with ResultsStream(tmp_path / "out" / "results.jsonl") as out:
        for record in GOOD:
            out.write(sample.read(record))
    results = read_results(tmp_path / "out")
    written = (tmp_path / "out" / "results.jsonl").read_bytes().splitlines()
    assert [stored.decode(line, Record) for line in written] == [
        results.header,
        *results.scenarios,
        results.footer,
    ]
    assert [orjson.loads(line) for line in written[1:-1]] == [
        {**record, "steps": [{"at_s": None, "duration_s": None} | step for step in record["steps"]]}
        for record in GOOD[1:-1]
    ]


def test_every_record_that_is_written_keeps_the_schema() -> None:
    VALIDATOR.check_schema(SCHEMA)
    for record in GOOD:
        VALIDATOR.validate(record)
        VALIDATOR.validate(orjson.loads(stored.encode(sample.read(record))))


def test_scenarios_stand_in_the_order_of_the_plan(tmp_path: Path) -> None:
    header, *scenarios, footer = GOOD
    sample.write_stream(tmp_path, [header, *reversed(scenarios), footer])
    assert [one.id for one in read_results(tmp_path).scenarios] == [one["id"] for one in header["planned"]]


def test_each_record_is_on_disk_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with ResultsStream(path) as out:
        out.write(sample.read(GOOD[0]))
        out.write(sample.read(GOOD[1]))
        assert path.read_bytes().count(b"\n") == 2
    with pytest.raises(stream.NoFooter):
        read_results(path)


@pytest.mark.parametrize(
    "order",
    [
        pytest.param([1], id="a scenario first"),
        pytest.param([-1], id="a footer first"),
        pytest.param([0, 0], id="two headers"),
        pytest.param([0, -1, 1], id="a scenario after the footer"),
    ],
)
def test_records_out_of_order_are_not_written(tmp_path: Path, order: list[int]) -> None:
    with ResultsStream(tmp_path / "results.jsonl") as out:
        for index in order[:-1]:
            out.write(sample.read(GOOD[index]))
        with pytest.raises(HarnessError, match="cannot follow"):
            out.write(sample.read(GOOD[order[-1]]))


def test_a_malformed_record_is_not_written(tmp_path: Path) -> None:
    failed = sample.read(GOOD[5])
    assert isinstance(failed, ScenarioRecord)
    with ResultsStream(tmp_path / "results.jsonl") as out:
        out.write(sample.read(GOOD[0]))
        with pytest.raises(HarnessError, match="its evidence"):
            out.write(msgspec.structs.replace(failed, unmet=None))


LAST = len(GOOD)
BROKEN = [
    ("no header", lambda: GOOD[1:], stream.NoHeader, 1, "not a header"),
    ("nothing", list, stream.NoHeader, None, "empty"),
    ("no footer", lambda: GOOD[:-1], stream.NoFooter, LAST - 1, "without a footer"),
    ("another schema", lambda: changed(0, schema=4), stream.WrongSchema, 1, "schema 4"),
    ("a run of before", lambda: changed(0, schema=2), stream.WrongSchema, 1, "record the run again"),
    ("an older schema", lambda: changed(0, schema=1), stream.WrongSchema, 1, "record the run again"),
    ("a schema without a number", lambda: changed(0, schema=None), stream.WrongSchema, 1, "schema None"),
    ("an unknown kind", lambda: changed(1, record="scene"), stream.MalformedLine, 2, "scene"),
    ("an unknown field", lambda: changed(1, verdikt="x"), stream.MalformedLine, 2, "verdikt is not a known"),
    ("a wrong verdict", lambda: changed(1, verdict="ok"), stream.MalformedLine, 2, "verdict: invalid"),
    ("a wrong type", lambda: changed(1, duration_s="2"), stream.MalformedLine, 2, "duration_s: exp"),
    ("true as a number", lambda: changed(1, duration_s=True), stream.MalformedLine, 2, "duration_s: exp"),
    ("a nested fault", lambda: changed(1, claims=[{}]), stream.MalformedLine, 2, r"claims\[0\]\.text is"),
    ("no list", lambda: changed(1, tags="x"), stream.MalformedLine, 2, "tags: expected `array`"),
    ("no time", lambda: changed(-1, finished="noon"), stream.MalformedLine, LAST, "not a time"),
    ("no time zone", lambda: changed(0, started="2026-11-21T10:00:00"), stream.MalformedLine, 1, "time zone"),
    ("a link out", lambda: changed(1, history="../../etc/passwd"), stream.MalformedLine, 2, "below"),
    ("a link to a script", lambda: changed(1, history="javascript:x"), stream.MalformedLine, 2, "below"),
    ("an absolute link", lambda: changed(1, history="/etc/passwd"), stream.MalformedLine, 2, "below"),
    ("a failure without evidence", lambda: changed(5, unmet=None), stream.MalformedLine, 6, "its evidence"),
    ("a pass with an error", lambda: changed(1, error="x"), stream.MalformedLine, 2, "says otherwise"),
    ("a second header", lambda: [GOOD[0], *GOOD], stream.MalformedLine, 2, "second header"),
    ("more after the footer", lambda: [*GOOD, GOOD[1]], stream.MalformedLine, LAST + 1, "after the footer"),
    ("a scenario twice", lambda: [*GOOD[:2], *GOOD[1:]], stream.DuplicateScenario, 3, "second record"),
    ("again what passed", lambda: twice("passed"), stream.MalformedLine, 3, "not retried"),
    ("again another first", lambda: twice("errored"), stream.DuplicateScenario, 3, "second record"),
    ("a scenario lost", lambda: [*GOOD[:2], *GOOD[3:]], stream.MissingScenario, None, "no record of 1 "),
    ("one unplanned", lambda: changed(0, planned=PLANNED[1:]), stream.Contradiction, None, "not planned"),
    ("a wrong count", lambda: changed(-1, counts={"passed": 99}), stream.Contradiction, None, "counts"),
    ("planned twice", lambda: changed(0, planned=PLANNED * 2), stream.DuplicateScenario, 1, "twice"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("records", "error", "line", "text"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_what_cannot_be_believed_is_refused(
    tmp_path: Path,
    records: Callable[[], list[dict[str, Any]]],
    error: type[stream.InvalidResults],
    line: int | None,
    text: str,
) -> None:
    path = sample.write_stream(tmp_path, records())
    with pytest.raises(error, match=text) as raised:
        read_results(path)
    assert raised.value.line == line
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    ("end", "error", "line"),
    [
        pytest.param(b'{"record":"scen', stream.NoFooter, 2, id="cut in a line"),
        pytest.param(b"{]\n", stream.MalformedLine, 2, id="no JSON"),
        pytest.param(b"[]\n", stream.MalformedLine, 2, id="no object"),
        pytest.param(b"\xff\xfe\n", stream.MalformedLine, 2, id="no UTF-8"),
    ],
)
def test_a_broken_line_is_named(
    tmp_path: Path, end: bytes, error: type[stream.InvalidResults], line: int
) -> None:
    path = sample.write_stream(tmp_path, GOOD[:1])
    path.write_bytes(path.read_bytes() + end)
    with pytest.raises(error) as raised:
        read_results(path)
    assert raised.value.line == line


def test_no_results_are_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="output folder of a run"):
        read_results(tmp_path)


@pytest.mark.parametrize("case", BROKEN[5:18], ids=lambda case: str(case[0]))
def test_the_schema_refuses_broken_records_as_well(case: Any) -> None:
    if case[0] in {"no time", "no time zone"}:
        pytest.skip("a format is an annotation in JSON Schema")
    assert any(not VALIDATOR.is_valid(record) for record in case[1]())


def test_results_whose_deviations_cover_anything_are_refused_in_words(tmp_path: Path) -> None:
    records = sample.stream(sample.passing_scenarios())
    old = {key: value for key, value in sample.WAIVER.items() if key not in {"fact", "observed", "arguments"}}
    records[0]["implementation"]["deviations"] = [old | {"finding": "pod *"}]
    with pytest.raises(
        stream.WrongSchema, match=r"deviations of this run say only what was expected .* record the run again"
    ):
        read_results(sample.write_stream(tmp_path, records))


def test_results_of_before_are_read_without_the_names_of_facts(tmp_path: Path) -> None:
    failed = sample.scenario("FIN-004", "Kept", "failed")
    for key in ("fact", "arguments"):
        del failed["unmet"][key]
    records = sample.stream([failed], implementation=sample.admitting())
    (one,) = read_results(sample.write_stream(tmp_path, records)).scenarios
    assert one.unmet is not None
    assert (one.unmet.fact, one.unmet.arguments) == ("", {})
