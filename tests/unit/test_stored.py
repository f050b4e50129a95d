"""JSON that batchproof reads again: what does not fit is said in one sentence, with its place."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from batchproof.ground import stored
from batchproof.ground.errors import UserError


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    at: Path = Path()


class Whole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: tuple[Part, ...]
    count: int = 0


WHOLE = Whole((Part("one", Path("/a")), Part("two")), 3)


class Named(msgspec.Struct, frozen=True):
    name: str
    size: int = 0
    at: Path = Path()


def test_a_record_copies_what_it_is_not_given_by_name() -> None:
    source = SimpleNamespace(name="one", size=3, strange=True)
    assert stored.copied(Named, source, size=4, at=Path()) == Named("one", 4, Path())
    with pytest.raises(AttributeError, match="at"):
        stored.copied(Named, source)


def test_what_was_written_is_read() -> None:
    assert stored.decode(stored.encode(WHOLE), Whole) == WHOLE
    assert stored.decode(stored.indented(WHOLE), Whole) == WHOLE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"parts": [{"nmae": "x", "name": "x"}]}', "parts[0].nmae is not a known field"),
        (b'{"parts": [{}]}', "parts[0].name is missing"),
        (b"{}", "parts is missing"),
        (b'{"parts": [], "count": true}', "count: expected `int`, got `bool`"),
        (b'{"parts": [{"name": "x", "at": 1}]}', "parts[0].at: "),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"parts": [', "not JSON: Input data was truncated"),
        (b'{"parts": [{"name": "\xff"}]}', "not JSON: "),
        (b'{"parts": [{"name": "\\ud800"}]}', "not JSON: "),
        (b"[" * 100_000, ""),
        (b"", "not JSON: Input data was truncated"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(text: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(stored.Mismatch) as raised:
        stored.decode(text, Whole)
    assert str(raised.value).startswith(said)
    file = tmp_path / "whole.json"
    file.write_bytes(text)
    with pytest.raises(UserError) as refused:
        stored.read(file, Whole, "a whole")
    assert str(refused.value) == f"{file} is not a whole: {raised.value}"
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.json cannot be read: .*; it should be a whole"):
        stored.read(tmp_path / "gone.json", Whole, "a whole")
