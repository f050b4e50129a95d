"""The reader's trust file: whose signature counts, for what, and until when.

Levels come from here and never from a certificate: what a signer says of itself gives it no rights.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

from batchproof.attestation import keys
from batchproof.attestation.refusal import Invalid
from batchproof.attestation.statement import Level
from batchproof.ground import documents
from batchproof.ground.documents import Document, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class TrustedIdentity:
    """Who a certificate of Sigstore is for, and who vouches for that; both are compared letter by letter."""

    identity: str
    issuer: str


@dataclass(frozen=True, slots=True)
class Revocation:
    """The signer's signatures count no more.

    Attributes:
        since: those from this moment on; None: all.
    """

    since: datetime | None
    reason: str


@dataclass(frozen=True, slots=True)
class Signer:
    """One whose signature counts.

    Attributes:
        name: what the reader calls it.
        organisation: whose it is.
        levels: what it may attest.
        key: its key, or else ``identity``.
        revoked: until when its signatures count, if they count no more.
    """

    name: str
    organisation: str
    levels: tuple[Level, ...]
    key: keys.PublicKey | None
    identity: TrustedIdentity | None = None
    revoked: Revocation | None = None

    @property
    def text(self) -> str:
        """The signer as a reader is shown it: name, organisation, and by which key or identity."""
        how = f"key {self.key.keyid[:16]}, {self.key.algorithm}" if self.key else ""
        how = f"{self.identity.identity} at {self.identity.issuer}" if self.identity else how
        return f"{self.name} ({how})"

    def see_entitled(self, level: Level, issued: datetime) -> None:
        """See that it may attest a level, and that it could sign at that moment.

        Raises:
            Invalid: it may not.
        """
        if level not in self.levels:
            may = ", ".join(self.levels)
            raise Invalid(
                f"the certificate says level {level}, but the trust file lets {self.name} attest {may} only"
            )
        if self.revoked is None:
            return
        if self.revoked.since is None:
            raise Invalid(
                f"{self.name} is revoked ({self.revoked.reason}): nothing that it signed is accepted"
            )
        if issued >= self.revoked.since:
            day = self.revoked.since.date().isoformat()
            raise Invalid(
                f"{self.name} is revoked since {day} ({self.revoked.reason}), and signed this after it"
            )


@dataclass(frozen=True, slots=True)
class Trust:
    """Whom a reader trusts.

    Attributes:
        signers: whose signature counts.
        suites: the digests of the suites that are accepted; none: that of the installed suite.
        sigstore_root: the trusted root of a private instance of Sigstore; None: that of the public one.
    """

    signers: tuple[Signer, ...]
    suites: tuple[str, ...] = ()
    sigstore_root: Path | None = None


def read(path: Path) -> Trust:
    """The trust file at a path.

    Raises:
        UserError: it cannot be read, or something in it is wrong; a line for each problem.
    """
    document = documents.read(path, "trust")
    documents.refuse(document.problems)
    rows = document.value["signers"]
    signers = [_signer(document, position, row) for position, row in enumerate(rows)]
    documents.refuse(one for one in signers if isinstance(one, Problem))
    found = tuple(one for one in signers if isinstance(one, Signer))
    documents.refuse(_repeated(document, found))
    root = document.value.get("sigstore_root")
    return Trust(found, tuple(document.value.get("suites", ())), path.parent / root if root else None)


def _signer(document: Document, position: int, row: dict[str, Any]) -> Signer | Problem:
    """One row, or what is wrong with it."""
    key, place = None, "name"
    try:
        if "key" in row or "key_file" in row:
            place = "key" if "key" in row else "key_file"
            key = keys.public_key(_pem(document.path, row))
        place = "revoked"
        revoked = _revocation(row["revoked"]) if "revoked" in row else None
    except ValueError as error:
        line = document.line("signers", position, place)
        return Problem(document.path, line, f"signers.{row['name']}.{place}: {error}")
    identity = TrustedIdentity(row["identity"], row["issuer"]) if "identity" in row else None
    owner = row.get("organisation", row["name"])
    return Signer(row["name"], owner, tuple(row["levels"]), key, identity, revoked)


def _pem(path: Path, row: dict[str, str]) -> bytes:
    if "key" in row:
        return row["key"].encode()
    file = path.parent / row["key_file"]
    try:
        with file.open("rb") as opened:
            return opened.read(keys.MOST_BYTES)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error


def _revocation(row: dict[str, str]) -> Revocation:
    since = row.get("from")
    try:
        day = date.fromisoformat(since) if since else None
    except ValueError as error:
        raise ValueError(f"from: {since} is no day of the calendar") from error
    return Revocation(datetime.combine(day, time(), UTC) if day else None, row["reason"])


def _repeated(document: Document, signers: tuple[Signer, ...]) -> Iterator[Problem]:
    """A name, a key or an identity that appears twice: it would be unclear what it may attest."""
    seen: set[object] = set()
    for position, one in enumerate(signers):
        for what, value in (
            ("name", one.name),
            ("key", one.key.keyid if one.key else None),
            ("identity", one.identity),
        ):
            if value is not None and (what, value) in seen:
                line = document.line("signers", position)
                yield Problem(
                    document.path, line, f"signers.{one.name}: its {what} appears twice in the file"
                )
            seen.add((what, value))
