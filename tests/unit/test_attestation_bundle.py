"""A bundle is read within bounds, from its beginning to its end, or refused if ``write`` has not made it."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
from typing import TYPE_CHECKING

import pytest

from batchproof.attestation import bundle
from batchproof.attestation.bundle import STATEMENTS
from batchproof.attestation.evidence import MOST_FILES, check_sound, evidence, of_manifest, root
from batchproof.attestation.refusal import Invalid
from batchproof.attestation.statement import AttestedEvidence, File
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINES = b'{"an":"envelope"}\n'
FILES = [("evidence/results.jsonl", b"{}\n" * 500), ("evidence/histories/a.jsonl", b"")]
LONG = f"evidence/histories/{'a' * 94}.jsonl"


def written(lines: bytes = LINES, files: list[tuple[str, bytes]] = FILES) -> bytes:
    out = io.BytesIO()
    bundle.write(out, lines, files)
    return out.getvalue()


def listed(content: bytes, path: str = "x") -> File:
    return File(path, len(content), hashlib.sha256(content).hexdigest())


def read(packed: bytes, folder: Path, files: list[tuple[str, bytes]] = FILES) -> bytes:
    """Read a bundle whose manifest names these files."""
    path = folder / "bundle"
    path.write_bytes(packed)
    with bundle.opened(path) as opened:
        for name, content in files:
            assert opened.file(name, listed(content)) == content
        opened.end()
        return opened.statements


def tar(*entries: tarfile.TarInfo | tuple[str, bytes]) -> bytes:
    """An archive that Python makes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for entry in entries:
            if isinstance(entry, tarfile.TarInfo):
                archive.addfile(entry, io.BytesIO(bytes(entry.size)))
            else:
                info = tarfile.TarInfo(entry[0])
                info.size = len(entry[1])
                archive.addfile(info, io.BytesIO(entry[1]))
    return out.getvalue()


def kind(type_: bytes, name: str = FILES[0][0], target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = type_, target
    return info


def test_what_is_written_is_read(tmp_path: Path) -> None:
    files = [*FILES, (LONG, b"long"), ("evidence/histories/z.jsonl", bytes(70_000))]
    assert read(written(files=files), tmp_path, files) == LINES


def test_the_same_is_written_twice_alike() -> None:
    assert written() == written()


def test_others_can_open_it(tmp_path: Path) -> None:
    (tmp_path / "bundle").write_bytes(written(files=[*FILES, (LONG, b"long")]))
    with tarfile.open(tmp_path / "bundle", "r:gz") as archive:
        assert archive.getnames() == [STATEMENTS, *(name for name, _ in FILES), LONG]
        assert all(one.isreg() for one in archive.getmembers())
        extracted = archive.extractfile(FILES[0][0])
        assert extracted is not None
        assert extracted.read() == FILES[0][1]


def test_a_name_that_has_no_place_in_a_header_is_refused() -> None:
    with pytest.raises(UserError, match="too long for a bundle"):
        written(files=[("a" * 101, b"")])


CUT = [1, 10, 100, -1, -9, -40]


@pytest.mark.parametrize("end", CUT)
def test_a_cut_bundle_is_refused(tmp_path: Path, end: int) -> None:
    with pytest.raises(Invalid, match=r"the bundle is cut"):
        read(written()[:end], tmp_path)


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (b"", r"^the file is empty: download it again; if it stays so, reject it$"),
        (b"PK\x03\x04" + bytes(100), "not compressed by gzip"),
        (gzip.compress(b"x" * 2000), "does not begin as a bundle does"),
        (gzip.compress(tar(FILES[0])), "does not begin as a bundle does"),
        (written() + b"\0", "more data after its end"),
        (written() + gzip.compress(b"more"), "more data after its end"),
        (gzip.compress(gzip.decompress(written()) + b"\0"), "more data after its end"),
        (written(files=[*FILES, ("evidence/extra", b"")]), "an entry 'evidence/extra', which its manifest"),
        (written(files=FILES[:1]), "its end where its manifest has evidence/histories/a.jsonl"),
        (written(files=FILES[::-1]), "an entry 'evidence/histories/a.jsonl' where its manifest has"),
        (written(files=[(FILES[0][0], FILES[0][1] + b"x"), FILES[1]]), "of 1500 bytes"),
        (written(files=[(FILES[0][0], FILES[0][1][:-1] + b" "), FILES[1]]), "its sha256 is another"),
        (written(files=[(f"../{FILES[0][0]}", FILES[0][1]), FILES[1]]), r"an entry '\.\./evidence"),
    ],
    ids=lambda value: value if isinstance(value, str) else "packed",  # gzip writes the time
)
def test_what_is_not_as_the_manifest_says_is_refused(tmp_path: Path, packed: bytes, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        read(packed, tmp_path)


def test_each_damaged_byte_of_the_content_asks_for_another_download(tmp_path: Path) -> None:
    """Whatever a damaged byte is read as; a header of gzip has bytes that say nothing."""
    whole = written()
    for place in range(10, len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        with pytest.raises(Invalid) as refused:
            read(bytes(damaged), tmp_path)
        assert str(refused.value).endswith(
            "; the file is damaged or was changed: download it again; if it stays so, reject it"
        ), (place, str(refused.value))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (kind(tarfile.SYMTYPE, target="/etc/passwd"), "a link 'evidence/results.jsonl'"),
        (kind(tarfile.LNKTYPE, target=STATEMENTS), "a hard link 'evidence/results.jsonl'"),
        (kind(tarfile.CHRTYPE), "a device"),
        (kind(tarfile.BLKTYPE), "a device"),
        (kind(tarfile.FIFOTYPE), "an entry"),
        (kind(tarfile.DIRTYPE), "a folder"),
        (kind(tarfile.GNUTYPE_LONGNAME), "an entry"),
        (kind(tarfile.GNUTYPE_SPARSE), "an entry"),
        (kind(tarfile.XHDTYPE), "an entry"),
        (kind(tarfile.XGLTYPE), "an entry"),
    ],
)
def test_only_the_headers_that_we_write_are_read(tmp_path: Path, entry: tarfile.TarInfo, why: str) -> None:
    ours = gzip.decompress(written(files=[]))[:-1024]
    with pytest.raises(Invalid, match=why):
        read(gzip.compress(ours + tar(entry)), tmp_path)


def test_the_header_of_a_regular_file_is_the_one_that_python_writes(tmp_path: Path) -> None:
    assert read(gzip.compress(tar((STATEMENTS, LINES), *FILES)[:3584] + bytes(1024)), tmp_path) == LINES


def test_what_stands_between_two_files_is_refused(tmp_path: Path) -> None:
    plain = bytearray(gzip.decompress(written()))
    plain[512 + len(LINES)] = 1  # the padding of the statements
    with pytest.raises(Invalid, match="something hides between two files"):
        read(gzip.compress(bytes(plain)), tmp_path)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """64 MiB of statements are 64 KiB in the file; no more than the bound is ever asked for."""
    asked: list[int] = []

    def read_some(self: bundle._Unpacked, size: int) -> bytes:
        asked.append(size)
        return original(self, size)

    original = bundle._Unpacked.read
    monkeypatch.setattr(bundle._Unpacked, "read", read_some)
    with pytest.raises(Invalid, match="the statements are larger than 8388608 bytes"):
        read(written(bytes(64 * 1024 * 1024)), tmp_path)
    assert asked == [512]


def test_what_the_manifest_does_not_name_is_never_unpacked(tmp_path: Path) -> None:
    """A billion bytes behind the last file: one block of them is read, and nothing is made of it."""
    packed = written(files=[*FILES, ("evidence/bomb", bytes(100_000_000))])
    with pytest.raises(Invalid, match="evidence/bomb"):
        read(packed, tmp_path)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(UserError, match=r"is no file|cannot be read"), bundle.opened(path):
            pass


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "bundle").open("wb") as file:
        file.truncate(bundle.MOST_BYTES + 1)
    with pytest.raises(Invalid, match="the bundle is larger than"), bundle.opened(tmp_path / "bundle"):
        pass


def named(*paths: str) -> AttestedEvidence:
    return of_manifest(listed(b"", path) for path in paths)


def moved(found: AttestedEvidence) -> AttestedEvidence:
    return AttestedEvidence(found.manifest[::-1], root(found.manifest[::-1]))


GOOD = named("results.jsonl", "histories/a.jsonl")


def test_a_sound_manifest_is_accepted() -> None:
    check_sound(GOOD)
    check_sound(evidence([("results.jsonl", b"1"), ("histories/FIN-004.2-second.jsonl", b"2")]))


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: named("histories/a.jsonl"), "does not name results.jsonl"),
        (lambda: named("results.jsonl", "../a"), r"names '\.\./a'"),
        (lambda: named("results.jsonl", "histories/../a.jsonl"), "neither results.jsonl nor a history"),
        (lambda: named("results.jsonl", "/etc/passwd"), "neither results.jsonl nor a history"),
        (lambda: named("results.jsonl", "histories/.a.jsonl"), "neither results.jsonl nor a history"),
        (lambda: named("results.jsonl", "histories/a\0.jsonl"), "neither results.jsonl nor a history"),
        (lambda: named("results.jsonl", "histories/\x1b[2J.jsonl"), "neither results.jsonl nor a history"),
        (lambda: named("results.jsonl", "histories/ä.jsonl"), "neither results.jsonl nor a history"),
        (lambda: named("results.jsonl", "report.json"), "neither results.jsonl nor a history"),
        (lambda: named("results.jsonl", "results.jsonl"), "names a file twice"),
        (lambda: moved(GOOD), "not sorted by path"),
        (lambda: AttestedEvidence(GOOD.manifest, "0" * 64), "the root digest is not that of the manifest"),
        (
            lambda: named("results.jsonl", *(f"histories/{n}.jsonl" for n in range(MOST_FILES))),
            "more than 5000",
        ),
        (lambda: of_manifest([File("results.jsonl", 2**40, "0" * 64)]), "the evidence is larger than"),
    ],
)
def test_a_manifest_that_names_something_else_is_refused(
    made: Callable[[], AttestedEvidence], why: str
) -> None:
    with pytest.raises(Invalid, match=why):
        check_sound(made())


def test_the_root_depends_on_each_path_size_and_content() -> None:
    roots = {
        evidence(files).root
        for files in (
            [("results.jsonl", b"ab")],
            [("results.jsonl", b"a")],
            [("histories/a.jsonl", b"ab")],
            [("results.jsonl", b"ab"), ("histories/a.jsonl", b"")],
            [("results.jsonl", b""), ("histories/a.jsonl", b"ab")],
        )
    }
    assert len(roots) == 5
