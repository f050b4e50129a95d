"""What bundles say before anything of them is checked: anyone can have written it.

It is shown beside a run only together with that, and only where the bundle names this very run by digest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from batchproof.attestation import bundle, envelope, keyless, statement
from batchproof.attestation.refusal import Invalid, Refused
from batchproof.attestation.statement import CERTIFICATE, SHA256, WITNESS, Certificate
from batchproof.attestation.strict_json import NotJson, load
from batchproof.attestation.times import moment, written
from batchproof.evidence.digests import file_digest
from batchproof.ground import stored
from batchproof.ground.errors import UserError
from batchproof.report.page import Unchecked
from batchproof.report.results import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX: Final = ".batchproof.tgz"
"""How the name of a bundle ends, unless its signer gives it another."""
_MOST: Final = 5
"""How many bundles of a folder are looked at."""


def beside(folder: Path) -> tuple[Unchecked, ...]:
    """What the bundles in a folder of results say of these results, unchecked.

    A file that is no bundle, or that is about other results, says nothing.
    """
    results = folder / FILE_NAME
    if not results.is_file():
        return ()
    digest = file_digest(results).removeprefix(SHA256)
    paths = [one for one in sorted(folder.glob(f"*{SUFFIX}")) if one.is_file() and not one.is_symlink()]
    found = []
    for path in paths[:_MOST]:
        try:
            found += [_unchecked(path, said) for said in _said(path) if _about(said, digest)]
        except (Refused, UserError):
            continue
    return tuple(found)


def body(line: bytes) -> bytes:
    """The statement in an envelope, or in the envelope of a bundle of Sigstore, signed by anyone.

    Raises:
        Invalid: it holds none.
    """
    try:
        found = load(line)
    except NotJson as error:
        raise Invalid(f"an envelope is {error}") from error
    if isinstance(found, dict) and keyless.MARK in found:
        return envelope.read(stored.encode(found.get("dsseEnvelope"))).body
    return envelope.read(line).body


def _said(path: Path) -> Iterator[Certificate]:
    """The certificates in a bundle: of the party that made a run, and of the one that ran it again."""
    with bundle.opened(path) as opened:
        for line in opened.statements.splitlines():
            found = statement.read(body(line))
            if found.predicate_type in {CERTIFICATE, WITNESS}:
                yield statement.predicate(found, Certificate)


def _about(said: Certificate, digest: str) -> bool:
    return any(one.path == FILE_NAME and one.sha256 == digest for one in said.evidence.manifest)


def _unchecked(path: Path, said: Certificate) -> Unchecked:
    issued, expires = written(moment(said.issued)), written(moment(said.expires))
    return Unchecked(path.name, said.signer, said.level, issued, expires)
