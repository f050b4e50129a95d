"""The evidence of a certificate: which files, of which size and digest, and within which limits."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

import msgspec

from batchproof.attestation.refusal import Invalid
from batchproof.attestation.statement import AttestedEvidence, File
from batchproof.judgement.values import counted
from batchproof.report.results import FILE_NAME, Results

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_FILES: Final = 5_000
MOST_BYTES: Final = 512 * 1024 * 1024
"""Of all files of one party together, not compressed; a run of the job profile has 48 MB."""
_PATH: Final = re.compile(
    rf"(?:{re.escape(FILE_NAME)}|histories/[A-Za-z0-9][\w.-]{{0,120}}\.jsonl)", re.ASCII
)


def files_of(results: Results) -> list[str]:
    """The files that a run rests on, sorted: its results and all histories, those of first plays included."""
    histories = {one.history for one in results.scenarios}
    histories |= {one.first.history for one in results.scenarios if one.first}
    return sorted({FILE_NAME, *(one for one in histories if one)})


def evidence(files: Iterable[tuple[str, bytes]]) -> AttestedEvidence:
    """The manifest of files, given by path and content."""
    return of_manifest(
        File(path, len(content), hashlib.sha256(content).hexdigest()) for path, content in files
    )


def of_manifest(files: Iterable[File]) -> AttestedEvidence:
    """The evidence that consists of these files."""
    manifest = tuple(sorted(files, key=lambda one: one.path))
    return AttestedEvidence(manifest, root(manifest))


def root(manifest: tuple[File, ...]) -> str:
    """The digest over a whole manifest: each path, size and digest, in the order of the paths."""
    return hashlib.sha256(msgspec.json.encode(manifest, order="deterministic")).hexdigest()


def check_sound(found: AttestedEvidence) -> None:
    """See that a manifest names what may be read, and no more than may be read.

    Raises:
        Invalid: it does not.
    """
    paths = [one.path for one in found.manifest]
    if len(paths) > MOST_FILES:
        raise Invalid(f"the manifest names {counted(len(paths), 'file')}, more than {MOST_FILES}")
    if wrong := next((path for path in paths if not _PATH.fullmatch(path)), None):
        raise Invalid(f"the manifest names {wrong!r}, which is neither {FILE_NAME} nor a history")
    if paths != sorted(set(paths)):
        raise Invalid("the manifest is not sorted by path, or names a file twice")
    if FILE_NAME not in paths:
        raise Invalid(f"the manifest does not name {FILE_NAME}")
    if sum(one.size for one in found.manifest) > MOST_BYTES:
        raise Invalid(f"the evidence is larger than {MOST_BYTES} bytes")
    if found.root != root(found.manifest):
        raise Invalid("the root digest is not that of the manifest")
