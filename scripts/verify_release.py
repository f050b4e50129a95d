"""Checks a release: python scripts/verify_release.py FOLDER --key KEY.pub.

The key comes from the maintainers, not from the folder. Checked is that it signed the manifest; that every
file is listed in SHA256SUMS, and in the manifest with the same digest; and that the wheel has the files of
the suite that the manifest lists, and no others. Nothing of the release is executed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import zipfile
from pathlib import Path
from typing import Final

import msgspec
from release import MANIFEST, RELEASE, SUMS, Release

from batchproof.attestation import envelope, keys
from batchproof.attestation.refusal import Refused
from batchproof.attestation.statement import STATEMENT, Statement
from batchproof.attestation.strict_json import NotJson, load
from batchproof.evidence.digests import digest_of

_CODE: Final = "batchproof/"
_SUITE: Final = tuple(f"{_CODE}suite/{one}/" for one in ("features", "suites", "steps", "fixtures/dialects"))
"""Where a wheel has what specifies; its code is beside that."""


def main(arguments: list[str] | None = None) -> int:
    """Check a folder; 1 if something in it is not what the owner of the key has released."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--key", type=Path, required=True, help="public key of the maintainers, in PEM")
    given = parser.parse_args(arguments)
    try:
        key = keys.public_key(given.key.read_bytes())
        statement = _statement(given.folder, key)
        release = msgspec.convert(statement.predicate, Release)
        _see_files(given.folder, statement)
        _see_suite(given.folder, release)
    except (Refused, NotJson, OSError, ValueError, zipfile.BadZipFile, msgspec.ValidationError) as error:
        print(f"verify_release: {error}", file=sys.stderr)
        return 1
    print(f"batchproof {release.version}, commit {release.commit}")
    print(f"suite {release.suite}, signed by {key.keyid}")
    return 0


def _statement(folder: Path, key: keys.PublicKey) -> Statement:
    """What the owner of the key has signed.

    Raises:
        ValueError: the owner has signed nothing here, or something else than a release.
    """
    (line,) = (folder / MANIFEST).read_bytes().splitlines()
    signed = envelope.read(line)
    if not envelope.signers(signed, [key]):
        raise ValueError(f"{MANIFEST} is not signed by this key")
    statement = msgspec.convert(load(signed.body), Statement)
    if (statement.type_, statement.predicate_type) != (STATEMENT, RELEASE):
        raise ValueError(f"{MANIFEST} is a statement of another type: {statement.predicate_type}")
    return statement


def _see_files(folder: Path, statement: Statement) -> None:
    """See that the folder has the listed files and no others, each with its digest."""
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    found.pop(SUMS, None)
    sums: dict[str, str] = {}
    for line in (folder / SUMS).read_text("utf-8").splitlines():
        digest, _, name = line.partition("  ")
        sums[name] = digest
    signed = {one.name: one.digest["sha256"] for one in statement.subject}
    for name in sorted({*found, *sums, *signed, MANIFEST}):
        if name not in found:
            raise ValueError(f"{name} is listed, but it is not here")
        if found[name] != sums.get(name):
            raise ValueError(f"{name} is not the file that {SUMS} lists")
        if name != MANIFEST and found[name] != signed.get(name):
            raise ValueError(f"{name} is not the file that the manifest lists")


def _see_suite(folder: Path, release: Release) -> None:
    """See that the wheel has the suite of the manifest."""
    wanted = {_in_wheel(one.path): one.sha256 for one in release.files}
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = [name for name in wheel.namelist() if name.startswith(_SUITE) or _is_code(name)]
        held = {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in names}
    other = sorted(name for name in {*held, *wanted} if held.get(name) != wanted.get(name))
    if other:
        raise ValueError(f"{path.name} has other files of the suite than the manifest lists: {other[0]}")
    if digest_of(sorted(release.files)) != release.suite:
        raise ValueError(f"{MANIFEST} names another digest of the suite than its files have")


def _in_wheel(path: str) -> str:
    """Where a file of the suite lies in a wheel."""
    return path if path.startswith(_CODE) else f"{_CODE}suite/{path}"


def _is_code(name: str) -> bool:
    return name.startswith(_CODE) and not name.startswith(f"{_CODE}suite/")


if __name__ == "__main__":
    sys.exit(main())
