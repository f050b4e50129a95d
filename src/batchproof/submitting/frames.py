"""Messages as lines of a log, so that the reader of the log knows whether all of them have come.

Each message is compressed and cut into frames, each one line: ``BP1 <number> <sha256> <base64>``. The number
has a ``+`` where the message goes on in the next frame. The digest is over the sender's key, the number and
the bytes, so a frame of another sender is found out. The last line is ``BP1 end <count> <sha256>``: the
digest over those of all frames. Lines that do not begin so are not of the sender, and are kept apart.

A container runtime cuts a line of a log after 16 KiB (the kubelet's CRI logging format), so frames are
shorter.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections import deque
from typing import TYPE_CHECKING, Final

import zstandard

from batchproof.ground.errors import BatchproofError
from batchproof.judgement.values import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST: Final = 16 * 1024
"""In bytes: more than any line has, its end included."""
LARGEST: Final = 256 * 2**20
"""In bytes: more than any message has, uncompressed."""
_PIECE: Final = 12_000  # 16,000 characters in base64
_MOST_AHEAD: Final = 100_000
_LAST_LINES: Final = 30
_FRAME: Final = re.compile(r"BP1 (0|[1-9][0-9]{0,8})(\+?) ([0-9a-f]{64}) ([A-Za-z0-9+/=]+)")
_FOOTER: Final = re.compile(r"BP1 end (0|[1-9][0-9]{0,8}) ([0-9a-f]{64})")
_MARK: Final = "BP1 "


class FrameError(BatchproofError):
    """A line is no frame of the sender that is read, or contradicts one that was read before."""


class Writer:
    """Makes lines of messages.

    Args:
        key: what the reader knows of the sender.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._packer = zstandard.ZstdCompressor(level=9, write_checksum=True)
        self._digests: list[str] = []

    def lines(self, message: bytes) -> Iterator[str]:
        """The lines of a message, without their ends."""
        packed = self._packer.compress(message)
        places = range(0, len(packed), _PIECE)
        for place in places:
            piece, more = packed[place : place + _PIECE], "+" if place != places[-1] else ""
            number = len(self._digests)
            self._digests.append(_digest(self._key, number, more, piece))
            yield f"{_MARK}{number}{more} {self._digests[-1]} {base64.b64encode(piece).decode()}"

    def footer(self) -> str:
        """The last line."""
        return f"{_MARK}end {len(self._digests)} {_root(self._digests)}"


class Reader:
    """Reads lines of a log, from the beginning, and again from the beginning after a gap.

    Args:
        key: what is known of the sender.

    Attributes:
        said: the last lines that are not of the sender.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._unpacker = zstandard.ZstdDecompressor()
        self._digests: list[str] = []
        self._pieces: list[bytes] = []
        self._ahead: dict[int, tuple[str, str, bytes]] = {}
        self._end: tuple[int, str] | None = None
        self.said: deque[str] = deque(maxlen=_LAST_LINES)

    @property
    def complete(self) -> bool:
        """Every frame has come, and they are those that the last line speaks of."""
        return self._end is not None and len(self._digests) == self._end[0]

    @property
    def missing(self) -> str:
        """Which frames have not come, in words; empty if all have."""
        if self.complete:
            return ""
        begin = len(self._digests)
        until = min(self._ahead) if self._ahead else self._end[0] if self._end else None
        if until is None:
            return f"those from {begin} on"
        return f"frame {begin}" if until == begin + 1 else f"frames {begin} to {until - 1}"

    def read(self, line: str) -> list[bytes]:
        """Read a line, without its end; returns the messages that are whole now, in their order.

        Raises:
            FrameError: it is a frame, but not one that can follow.
        """
        if not line.startswith(_MARK):
            self.said.append(line)
            return []
        if found := _FOOTER.fullmatch(line):
            self._read_end(int(found[1]), found[2])
            return []
        found = _FRAME.fullmatch(line)
        if found is None:
            raise FrameError(f"a line begins as a frame, but is none: {line[:80]!r}")
        number, more, digest = int(found[1]), found[2], found[3]
        if number < len(self._digests):
            if self._digests[number] != digest:
                raise FrameError(f"frame {number} comes a second time with another content")
            return []
        self._keep(number, more, digest, found[4])
        return self._whole()

    def _keep(self, number: int, more: str, digest: str, text: str) -> None:
        """Keep a frame until those before it have come."""
        try:
            piece = base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise FrameError(f"frame {number} is no base64: {error}") from error
        spelled = base64.b64encode(piece).decode() == text  # the last bits of the last letter may say nothing
        if not spelled or _digest(self._key, number, more, piece) != digest:
            raise FrameError(f"frame {number} is damaged, or of another sender")
        if self._ahead.get(number, (more, digest, piece)) != (more, digest, piece):
            raise FrameError(f"frame {number} comes a second time with another content")
        if self._end and number >= self._end[0]:
            raise FrameError(f"frame {number} comes, but the last line counts {self._end[0]}")
        if number > len(self._digests) + _MOST_AHEAD:
            raise FrameError(f"frame {number} comes before frame {len(self._digests)}")
        self._ahead[number] = (more, digest, piece)

    def _whole(self) -> list[bytes]:
        """Take what can be taken in order."""
        messages = []
        while (number := len(self._digests)) in self._ahead:
            more, digest, piece = self._ahead.pop(number)
            self._digests.append(digest)
            self._pieces.append(piece)
            if not more:
                messages.append(self._unpacked(number))
        self._see_root()
        return messages

    def _unpacked(self, number: int) -> bytes:
        packed = b"".join(self._pieces)
        self._pieces.clear()
        try:
            if zstandard.frame_content_size(packed) > LARGEST:
                raise FrameError(f"the message that ends in frame {number} is larger than {LARGEST} bytes")
            return self._unpacker.decompress(packed, max_output_size=LARGEST, allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise FrameError(
                f"the message that ends in frame {number} cannot be unpacked: {error}"
            ) from error

    def _read_end(self, count: int, root: str) -> None:
        if self._end not in {None, (count, root)}:
            raise FrameError("there are two last lines, and they differ")
        known = max([len(self._digests) - 1, *self._ahead])
        if known >= count:
            raise FrameError(f"the last line counts {counted(count, 'frame')}, but frame {known} has come")
        self._end = (count, root)
        self._see_root()

    def _see_root(self) -> None:
        if self._end is None or not self.complete:
            return
        if self._pieces:
            raise FrameError("the last message is cut")
        if _root(self._digests) != self._end[1]:
            raise FrameError("the last line is not that of these frames")


def _digest(key: str, number: int, more: str, piece: bytes) -> str:
    return hashlib.sha256(f"{key}\n{number}{more}\n".encode() + piece).hexdigest()


def _root(digests: list[str]) -> str:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()
