"""Histories: what is written is what is read, and a damaged one is refused."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from histories import headed_story
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from batchproof.ground.errors import UserError
from batchproof.ground.resources import JOBS, PODS, Resource
from batchproof.judgement.history import (
    Action,
    Change,
    ClaimClosed,
    ClaimOpened,
    Entry,
    FaultChange,
    History,
    HistoryHeader,
    ProcessChange,
    Record,
    Reply,
    Request,
    Saved,
    encode,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WHOLE = st.integers(-(2**63), 2**63 - 1)
JSON = st.recursive(
    st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda values: st.lists(values, max_size=4) | st.dictionaries(TEXT, values, max_size=4),
    max_leaves=10,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=4)
_PART = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=8)
RESOURCES = st.builds(Resource, st.just("") | _PART, _PART, _PART)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(Request, WHOLE, TEXT, RESOURCES, TEXT, TEXT, TEXT, JSON, TEXT, WHOLE),
    st.builds(Reply, WHOLE, WHOLE, st.booleans(), TEXT, JSON),
    st.builds(Change, TEXT, RESOURCES, OBJECT),
    st.builds(Action, TEXT, OBJECT),
    st.builds(FaultChange, WHOLE, TEXT, TEXT, OBJECT),
    st.builds(ProcessChange, WHOLE, TEXT),
    st.builds(ClaimOpened, WHOLE, OBJECT),
    st.builds(ClaimClosed, WHOLE, st.floats(0, 1e4)),
)


@given(entries=st.lists(st.tuples(st.floats(0, 1e4), ENTRIES), max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=150)
def test_a_history_survives_being_written_and_read(
    tmp_path: Path, entries: list[tuple[float, Entry]]
) -> None:
    times = iter([0.0, *(at_s for at_s, _ in entries)])
    history = History(lambda: next(times), HistoryHeader(version="test"))
    for _, entry in entries:
        history.append(entry)

    path = tmp_path / "history.jsonl"
    path.write_bytes(encode(history))
    saved = Saved(path)

    assert saved.line == 0
    assert list(saved) == list(history)
    assert saved.line == len(list(history))


def test_the_digest_of_a_part_of_a_history_is_that_of_its_lines(tmp_path: Path) -> None:
    spool = tmp_path / "history.jsonl"
    history = History(lambda: 0.0, HistoryHeader(version="test"), spool)
    for number in range(5):
        history.append(Action(f"step {number} " + "x" * 400_000))

    for length in (0, 1, 4, 6):
        part = b"".join(spool.read_bytes().splitlines(keepends=True)[:length])
        assert history.digest(length) == hashlib.sha256(part).hexdigest()


def lines_of(records: list[Record]) -> list[bytes]:
    return encode(records).splitlines(keepends=True)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        pytest.param(lambda lines: [lines[0], lines[2]], "record 2, expected 1", id="a line is missing"),
        pytest.param(
            lambda lines: [lines[0], lines[2], lines[1]], "record 2, expected 1", id="lines are swapped"
        ),
        pytest.param(lambda lines: [lines[0][:-9]], "1: not a record", id="the file is cut within a line"),
        pytest.param(lambda _: [b"[]\n"], "1: not a record", id="a line is no object"),
        pytest.param(lambda _: [b"\n"], "1: not a record", id="a line is empty"),
        pytest.param(lambda _: [b'{"kind": "dream"}'], "1: not a record", id="a kind is unknown"),
        pytest.param(lambda lines: [*lines[:1], b'{"number":1}'], "2: not a record", id="a field is missing"),
        pytest.param(lambda lines: lines[1:], "does not begin with a header", id="the header is missing"),
        pytest.param(lambda _: [b"\xff\xfe"], "1: not a record", id="the file is no text"),
    ],
)
def test_a_damaged_history_is_refused_where_it_is_damaged(
    tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]], told: str
) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(b"".join(damage(lines_of(headed_story().job("a").pod("a-1").succeeds("a-1").records))))

    with pytest.raises(UserError) as refused:
        list(Saved(path))

    assert told in str(refused.value)
    assert "history.jsonl:" in str(refused.value)


def test_records_are_numbered_and_timed_in_the_order_of_their_arrival() -> None:
    times = iter([0.5, 0.75004999, 2.0])
    history = History(lambda: next(times))

    for text in ("first", "second", "third"):
        history.append(Action(text))

    assert [(it.number, it.at_s) for it in history] == [(0, 0.5), (1, 0.75), (2, 2.0)]


def test_a_listener_hears_of_each_further_record_until_it_stops() -> None:
    history = History(lambda: 0.0)
    heard: list[Any] = []
    history.append(Action("before"))
    stop = history.listen(lambda record: heard.append(record.entry))

    history.append(Action("heard"))
    stop()
    history.append(Action("after"))

    assert heard == [Action("heard")]


def test_a_listener_may_stop_while_it_is_told_and_the_others_hear_all_the_same() -> None:
    history = History(lambda: 0.0)
    heard: list[int] = []

    def once(_: Record) -> None:
        stop()

    stop = history.listen(once)
    history.listen(lambda record: heard.append(record.number))
    history.append(Action("first"))
    history.append(Action("second"))

    assert heard == [0, 1]


@pytest.mark.parametrize(
    ("entry", "subject"),
    [
        (Request(1, "patch", PODS, "", "n", "a-1", None, "", 1), "pod/a-1"),
        (Request(1, "create", PODS, "", "n", "", None, "", 1), "pods"),
        (Request(1, "update", JOBS, "status", "n", "a", None, "", 1), "job/a"),
        (Change("ADDED", PODS, {"metadata": {"name": "a-1"}}), "pod/a-1"),
    ],
)
def test_an_entry_names_its_subject_as_people_do(entry: Request | Change, subject: str) -> None:
    assert entry.subject == subject


@pytest.mark.parametrize(
    ("line", "what_to_do"),
    [
        pytest.param(
            b'{"number":0,"at_s":0.1,"kind":"process","instance":1,"what":"ready"}\n',
            "record the run again",
            id="one of before there was a header",
        ),
        pytest.param(
            b'{"number":0,"at_s":0.0,"entry":{"kind":"header","schema":7,"version":"3.2.1"}}\n',
            "batchproof 3.2.1 reads it",
            id="one of the future",
        ),
        pytest.param(
            b'{"number":0,"at_s":0.0,"entry":{"kind":"header","schema":"X","version":"4.0"}}\n',
            "batchproof 4.0 reads it",
            id="one of a far future",
        ),
    ],
)
def test_a_history_of_another_form_says_what_to_do(tmp_path: Path, line: bytes, what_to_do: str) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(line)

    with pytest.raises(UserError, match=what_to_do):
        list(Saved(path))


# -- the file that is written as it happens


def spooled(path: Path, *texts: str) -> History:
    history = History(lambda: 0.0, HistoryHeader(version="test"), path)
    for text in texts:
        history.append(Action(text))
    return history


def test_what_has_happened_is_in_the_file_before_the_history_is_closed(tmp_path: Path) -> None:
    history = spooled(tmp_path / "spool", "first", "second")

    assert list(Saved(tmp_path / "spool")) == list(history)
    assert len(history) == 3


def test_a_history_can_be_closed_at_an_earlier_end(tmp_path: Path) -> None:
    history = spooled(tmp_path / "spool", "judged", "too late")

    history.close(2)
    history.append(Action("later still"))

    assert [record.number for record in Saved(tmp_path / "spool")] == [0, 1]


def test_a_record_of_another_thread_leaves_no_hole_where_the_history_is_closed(tmp_path: Path) -> None:
    for number in range(100):
        path = tmp_path / str(number)
        history = spooled(path, *["judged"] * 2, *["too late" * 100] * 50)
        with ThreadPoolExecutor(1) as loop:
            going = loop.submit(
                lambda it: [it.append(Action("later still" * 100)) for _ in range(50)], history
            )
            history.close(2)
            going.result()

        assert b"\0" not in path.read_bytes()
        assert len(list(Saved(path))) == 2


def test_of_a_history_that_is_closed_at_its_beginning_nothing_stays(tmp_path: Path) -> None:
    spooled(tmp_path / "spool", "too late").close(0)

    assert (tmp_path / "spool").read_bytes() == b""


def test_the_beginning_of_a_history_can_be_read_again_while_it_grows() -> None:
    history = History(lambda: 0.0, HistoryHeader(version="test"))
    history.append(Action("first"))
    part = history.until(2)
    history.append(Action("second"))

    assert [record.number for record in part] == [record.number for record in part] == [0, 1]


def test_a_listener_that_raises_is_forgotten_and_whoever_appends_never_hears_of_it() -> None:
    told: list[str] = []
    heard: list[int] = []
    history = History(lambda: 0.0, trouble=lambda error: told.append(repr(error)))

    def wrong(record: Record) -> None:
        raise KeyError(record.number)

    history.listen(wrong)
    forget = history.listen(lambda record: heard.append(record.number))
    for _ in range(2):
        history.append(Action("acts"))
    forget()
    forget()

    assert told == ["KeyError(0)"]
    assert heard == [0, 1]
