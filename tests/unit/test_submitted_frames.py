"""Frames in a log: the messages are those that were sent, or nothing is believed."""

from __future__ import annotations

import base64
import hashlib

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from batchproof.submitting import frames
from batchproof.submitting.frames import LONGEST, FrameError, Reader, Writer

KEY = "sha256:ab 0"
MESSAGES = st.lists(
    st.binary(max_size=400) | st.binary(min_size=1, max_size=3).map(lambda one: one * 9000), max_size=8
)


def log(messages: list[bytes], key: str = KEY) -> list[str]:
    writer = Writer(key)
    return [*(line for one in messages for line in writer.lines(one)), writer.footer()]


def incompressible(size: int) -> bytes:
    """Bytes that take many frames."""
    return b"".join(hashlib.sha256(b"%d" % place).digest() for place in range(size // 32))


LARGE = incompressible(50_000)


@given(MESSAGES)
def test_what_was_sent_is_read_in_its_order(messages: list[bytes]) -> None:
    reader = Reader(KEY)
    assert [one for line in log(messages) for one in reader.read(line)] == messages
    assert (reader.complete, reader.missing) == (True, "")


@given(MESSAGES, st.data())
@settings(max_examples=60)
def test_a_log_that_is_read_in_pieces_and_again_gives_each_message_once(
    messages: list[bytes], data: st.DataObject
) -> None:
    lines = log(messages)
    reader, read = Reader(KEY), []
    for _ in range(3):  # cut anywhere, and with lines lost in between
        kept = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)))
        read += [one for line, keep in zip(lines, kept, strict=True) if keep for one in reader.read(line)]
    assert reader.complete or reader.missing
    read += [one for line in lines for one in reader.read(line)]
    assert read == messages
    assert reader.complete


@given(st.lists(st.text(), max_size=5))
def test_other_lines_are_kept_apart(others: list[str]) -> None:
    reader = Reader(KEY)
    spoken = [line for line in others if not line.startswith("BP1 ")]
    lines = [line for one in log([b"a", b"b"]) for line in (*spoken, one)]
    assert [one for line in lines for one in reader.read(line)] == [b"a", b"b"]
    assert list(reader.said) == (spoken * 3)[-30:]


def test_no_line_is_cut_by_a_container_runtime() -> None:
    lines = log([LARGE])
    assert len(lines) > 4
    assert max(map(len, lines)) + 1 < LONGEST
    reader = Reader(KEY)
    assert [one for line in lines for one in reader.read(line)] == [LARGE]


def test_a_gap_is_named_until_it_is_filled() -> None:
    lines = log([LARGE, b"b"])
    reader = Reader(KEY)
    for line in [*lines[:1], *lines[3:]]:
        reader.read(line)
    assert (reader.complete, reader.missing) == (False, "frames 1 to 2")
    reader.read(lines[1])
    assert reader.missing == "frame 2"
    assert reader.read(lines[2]) == [LARGE, b"b"]
    assert reader.complete


def test_without_its_last_line_a_log_is_not_whole() -> None:
    reader = Reader(KEY)
    for line in log([b"a"])[:-1]:
        reader.read(line)
    assert (reader.complete, reader.missing) == (False, "those from 1 on")


@pytest.mark.parametrize("key", ["sha256:ab 1", "sha256:cd 0"], ids=["shard", "plan"])
def test_a_frame_of_another_shard_or_run_is_refused(key: str) -> None:
    with pytest.raises(FrameError, match="frame 0 is damaged, or of another sender"):
        Reader(KEY).read(log([b"a"], key)[0])


@given(st.integers(0, 2), st.integers(0, 10_000), st.characters(exclude_characters="\n\r"))
@settings(max_examples=200)
def test_a_changed_line_is_never_believed(number: int, place: int, letter: str) -> None:
    """One character of a log is another: nothing is read that was not sent."""
    messages = [b"the first", b"the second"]
    lines = log(messages)
    line = lines[number]
    place %= len(line)
    lines[number] = line[:place] + letter + line[place + 1 :]
    reader, read = Reader(KEY), []
    try:
        for one in lines:
            read += reader.read(one)
    except FrameError:
        assert read == messages[: len(read)]
        return
    assert read == messages[: len(read)]
    assert not reader.complete or lines[number] == line


def test_a_second_frame_of_a_number_must_be_the_same() -> None:
    mine, other = log([b"a"])[0], log([b"b"])[0]
    for first in ([], [log([b"x", b"y"])[1]]):  # read already, and kept until those before it come
        reader = Reader(KEY)
        for line in first:
            reader.read(line)
        reader.read(mine)
        reader.read(mine)
        with pytest.raises(FrameError, match="frame 0 comes a second time with another content"):
            reader.read(other)


def test_frames_after_the_last_line_and_two_last_lines_are_refused() -> None:
    short, long = log([b"a"]), log([b"a", b"b"])
    reader = Reader(KEY)
    for line in short:
        reader.read(line)
    with pytest.raises(FrameError, match="frame 1 comes, but the last line counts 1"):
        reader.read(long[1])
    with pytest.raises(FrameError, match="two last lines"):
        reader.read(long[-1])
    early = Reader(KEY)
    early.read(long[1])
    with pytest.raises(FrameError, match="counts 1 frame, but frame 1 has come"):
        early.read(short[-1])


def test_a_last_line_of_other_frames_is_refused() -> None:
    reader = Reader(KEY)
    reader.read(log([b"a"])[0])
    with pytest.raises(FrameError, match="not that of these frames"):
        reader.read(log([b"b"])[-1])


def test_a_message_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "LARGEST", 1000)
    with pytest.raises(FrameError, match="larger than 1000 bytes"):
        Reader(KEY).read(log([b"a" * 1001])[0])


def test_a_message_that_does_not_say_its_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "LARGEST", 1000)
    packed = zstandard.ZstdCompressor(write_content_size=False).compress(b"a" * 100_000)
    digest = hashlib.sha256(f"{KEY}\n0\n".encode() + packed).hexdigest()
    with pytest.raises(FrameError, match="cannot be unpacked"):
        Reader(KEY).read(f"BP1 0 {digest} {base64.b64encode(packed).decode()}")


@pytest.mark.parametrize("line", ["BP1 ", "BP1 0 ab ab", "BP1 end 1", "BP1 -1 " + "0" * 64 + " AA=="])
def test_a_line_that_only_begins_as_a_frame_is_refused(line: str) -> None:
    with pytest.raises(FrameError, match="begins as a frame, but is none"):
        Reader(KEY).read(line)


def test_a_frame_far_ahead_is_refused() -> None:
    """A writer of the log cannot make its reader keep arbitrary amounts."""
    number = 200_000
    piece = b"a"
    digest = hashlib.sha256(f"{KEY}\n{number}\n".encode() + piece).hexdigest()
    with pytest.raises(FrameError, match="comes before frame 0"):
        Reader(KEY).read(f"BP1 {number} {digest} {base64.b64encode(piece).decode()}")
