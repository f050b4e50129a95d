"""A bundle: one file that carries the signed statements and all of their evidence.

It is a tar archive in gzip, so that `tar tzf` lists it. The statements come first: a reader knows who has
signed before anything else is unpacked. The rest is read in the order of the signed manifest, file by file,
and each header has to be the one that ``write`` makes. A link, a device, a long name, an attribute or a file
that the manifest does not name has a header that ``write`` never makes.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

from batchproof.attestation.refusal import AGAIN, Changed, Invalid
from batchproof.attestation.statement import File
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

STATEMENTS: Final = "statements.intoto.jsonl"
FIRST: Final = "evidence/"
"""Where the files are of the party that has made the run."""
SECOND: Final = "witness/"
"""Where those are of the party that has run it again."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Of a bundle; one of the job profile has 2 MB."""
_MOST_OF_STATEMENTS: Final = 8 * 1024 * 1024
_BLOCK: Final = 512
_PIECE: Final = 64 * 1024
_NAME: Final = 100
_END: Final = bytes(2 * _BLOCK)
_GZIP: Final = b"\x1f\x8b"
"""How a file of gzip begins (RFC 1952)."""
_LEVEL: Final = 6  # of zlib: 9 takes three times as long and gains 3 %


def write(out: IO[bytes], statements: bytes, files: Iterable[tuple[str, bytes]]) -> None:
    """Write a bundle.

    Args:
        out: where to.
        statements: the envelopes, one a line.
        files: each file by its path in the bundle, in the order in which the manifests name them.
    """
    with gzip.GzipFile("", "wb", _LEVEL, out, mtime=0) as packed:
        for path, content in [(STATEMENTS, statements)]:
            _append(packed, path, content)
        for path, content in files:
            _append(packed, path, content)
        packed.write(_END)


def _append(packed: gzip.GzipFile, path: str, content: bytes) -> None:
    packed.write(_header(path, len(content)))
    packed.write(content)
    packed.write(bytes(-len(content) % _BLOCK))


def _header(path: str, size: int) -> bytes:
    """The header of a regular file, in the ustar format of POSIX.1-1988, with nothing that varies."""
    name, prefix = path.encode("ascii"), b""
    if len(name) > _NAME:
        folder, _, last = path.rpartition("/")
        name, prefix = last.encode("ascii"), folder.encode("ascii")
    if len(name) > _NAME:
        raise UserError(f"the name {path} is too long for a bundle")
    begin = b"".join(
        (
            name.ljust(_NAME, b"\0"),
            b"0000644\0",
            b"0000000\0" * 2,  # user and group
            b"%011o\0" % size,
            b"00000000000\0",  # the time
        )
    )
    rest = b"".join(
        (b"0", bytes(100), b"ustar\0" + b"00", bytes(32 + 32 + 8 + 8), prefix.ljust(155, b"\0"), bytes(12))
    )
    checksum = sum(begin) + sum(rest) + 8 * ord(" ")
    return begin + b"%06o\0 " % checksum + rest


class Opened:
    """A bundle that is read, once, from its beginning to its end.

    Attributes:
        statements: the envelopes, one a line.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._packed = _Unpacked(file)
        header = self._packed.read(_BLOCK)
        size = _size(header)
        if size is None or header != _header(STATEMENTS, size):
            raise Changed(f"the file does not begin as a bundle does, with {STATEMENTS}")
        if size > _MOST_OF_STATEMENTS:
            raise Invalid(f"the statements are larger than {_MOST_OF_STATEMENTS} bytes")
        self.statements = self._content(size)

    def file(self, path: str, wanted: File) -> bytes:
        """The next file, which has to be this one.

        Raises:
            Invalid: it is another, or its content is.
        """
        header = self._packed.read(_BLOCK)
        if header != _header(path, wanted.size):
            raise Changed(
                f"the bundle has {_named(header)} where its manifest has {path} of {wanted.size} bytes"
            )
        content = self._content(wanted.size)
        if hashlib.sha256(content).hexdigest() != wanted.sha256:
            raise Changed(f"{path} is not the file that was signed: its sha256 is another")
        return content

    def end(self) -> None:
        """See that nothing follows.

        Raises:
            Invalid: something does.
        """
        last = self._packed.read(len(_END))
        if last != _END:
            raise Changed(f"the bundle has {_named(last[:_BLOCK])}, which its manifest does not name")
        if self._packed.more():
            raise Changed("the bundle has more data after its end")

    def _content(self, size: int) -> bytes:
        content = self._packed.read(size)
        if any(self._packed.read(-size % _BLOCK)):
            raise Changed("the bundle is not as batchproof writes it: something hides between two files")
        return content


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """A bundle, open for reading.

    Raises:
        UserError: it cannot be read.
        Invalid: it is no bundle.
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error
    about = os.fstat(number)
    if not stat.S_ISREG(about.st_mode):
        os.close(number)
        raise UserError(f"{path} is no file: give the bundle that `batchproof certify` has written")
    with os.fdopen(number, "rb") as file:
        if not about.st_size:
            raise Invalid(f"the file is empty: {AGAIN}")
        if about.st_size > MOST_BYTES:
            raise Invalid(f"the bundle is larger than {MOST_BYTES} bytes")
        if not _GZIP.startswith(begin := file.read(len(_GZIP))):
            raise Invalid(
                "the file is no bundle: it is not compressed by gzip. A bundle is the file that "
                "`batchproof certify` made"
            )
        file.seek(-len(begin), os.SEEK_CUR)
        yield Opened(file)


class _Unpacked:
    """The bytes of one gzip member, as many at a time as are asked for."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._zlib = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def read(self, size: int) -> bytes:
        """Read that many bytes.

        Raises:
            Invalid: there are fewer, or they are not compressed as they should be.
        """
        pieces, missing = [], size
        while missing:
            piece = self._some(missing)
            if not piece:
                raise Changed("the bundle is cut")
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def more(self) -> bool:
        """Whether anything follows, be it compressed or not."""
        if self._some(1):
            return True
        if not self._zlib.eof:  # so the checksum at the end of the member was not seen
            raise Changed("the bundle is cut")
        return bool(self._zlib.unused_data or self._file.read(1))

    def _some(self, most: int) -> bytes:
        """Some bytes, at least one but at the end."""
        while not self._zlib.eof:
            packed = self._zlib.unconsumed_tail or self._file.read(_PIECE)
            if not packed:
                return b""
            try:
                found = self._zlib.decompress(packed, most)
            except zlib.error as error:
                raise Changed("what gzip has compressed cannot be read") from error
            if found:
                return found
        return b""


def _size(header: bytes) -> int | None:
    try:
        return int(header[124:135], 8)
    except ValueError:
        return None


def _named(header: bytes) -> str:
    """What a header is of, as far as it can be said."""
    if not any(header):
        return "its end"
    name = header[:_NAME].split(b"\0")[0].decode("utf-8", "replace")
    kind = {b"1": "a hard link", b"2": "a link", b"3": "a device", b"4": "a device", b"5": "a folder"}
    return f"{kind.get(header[156:157], 'an entry')} {name!r}"
