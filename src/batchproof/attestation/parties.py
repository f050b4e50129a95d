"""Who has signed what: the party that certifies its run, and the second party that has run it again.

Each signs a statement of its own about a run of its own. Whose signature it is, and what it may attest, comes
from the reader's trust file.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from batchproof.attestation import bundle, envelope, keyless, statement
from batchproof.attestation.certificate import differences
from batchproof.attestation.envelope import Envelope
from batchproof.attestation.judging import JudgedAgain
from batchproof.attestation.refusal import CannotDecide, Changed, Invalid
from batchproof.attestation.statement import CERTIFICATE, TEST_RESULT, WITNESS, Certificate, Statement
from batchproof.attestation.strict_json import NotJson, load
from batchproof.attestation.times import SKEW, moment, written
from batchproof.attestation.trust import Signer, Trust

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

_FOLDERS: Final = {CERTIFICATE: bundle.FIRST, WITNESS: bundle.SECOND}
_AGREE: Final = frozenset(
    {
        "implementation.name",
        "implementation.version",
        "implementation.profiles",
        "implementation.capabilities",
        "implementation.implements",
        "implementation.in_place",
        "verifier.suite",
    }
)
"""What a witness must have run as the first party has."""
_KEYID: Final = 64
"""How much of a key id is shown: one of ours has 64 digits."""


class Ran(NamedTuple):
    """A run as its certificate has it, with the digests of the files that were run."""

    said: Certificate
    subjects: frozenset[str]


@dataclass(frozen=True, slots=True)
class Party:
    """A party that ran, with what it says, and what its evidence comes to.

    Attributes:
        signer: whose signature it is, by the reader's trust file.
        said: its certificate.
        payload: the sha256 of its statement.
        subjects: the digests of the files that it is about.
        place: where its evidence is in the bundle.
        judged: the run, judged again; None where that could not be done.
    """

    signer: Signer
    said: Certificate
    payload: str
    subjects: frozenset[str]
    place: str
    judged: JudgedAgain | None = None

    @property
    def ran(self) -> Ran:
        """What it says that it has run."""
        return Ran(self.said, self.subjects)

    @property
    def run(self) -> JudgedAgain:
        """The run.

        Raises:
            Undecided: it was not judged.
        """
        if self.judged is None:
            raise CannotDecide("the run was not judged again")
        return self.judged


@dataclass(frozen=True, slots=True)
class Signed:
    """A statement that a trusted party has signed.

    Attributes:
        at: when it was signed, where more than the signer's word says so.
    """

    statement: Statement
    payload: bytes
    signer: Signer
    at: datetime | None = None


def signed(lines: bytes, trust: Trust) -> dict[str, Signed]:
    """The statements by their type, each with its signer.

    Args:
        lines: the envelopes, one a line.
        trust: whose signature counts.

    Raises:
        Invalid: no trusted party has signed one, one is missing, or there are two of one type.
    """
    found: dict[str, Signed] = {}
    for line in lines.splitlines():
        one = _by_identity(line, trust) if keyless.MARK in _fields(line) else _by_key(line, trust)
        kind = one.statement.predicate_type
        if kind in found:
            raise Invalid(f"the bundle has two statements of the type {kind}")
        found[kind] = one
    if CERTIFICATE not in found or TEST_RESULT not in found:
        missing = CERTIFICATE if CERTIFICATE not in found else TEST_RESULT
        raise Invalid(f"the bundle has no statement of the type {missing}")
    return found


def _fields(line: bytes) -> Mapping[str, object]:
    try:
        found = load(line)
    except NotJson as error:
        raise Changed(f"an envelope is {error}") from error
    return found if isinstance(found, dict) else {}


def _by_key(line: bytes, trust: Trust) -> Signed:
    """An envelope, and who has signed it; a signature of another party counts as none."""
    one = envelope.read(line)
    keys = envelope.signers(one, [signer.key for signer in trust.signers if signer.key])
    for signer in trust.signers:
        if signer.key in keys:
            return Signed(statement.read(one.body), one.body, signer)
    raise _unsigned(one, trust)


def _unsigned(one: Envelope, trust: Trust) -> Invalid:
    """Why no signature of an envelope counts; what it says of its signer is only a hint."""
    what = "the statement of the witness" if WITNESS.encode() in one.body else "it"
    unsigned = f"no signer of the trust file has signed {what}"
    named = [each.keyid for each in one.signatures]
    for signer in trust.signers:
        if signer.key and signer.key.keyid in named:
            return Changed(
                f"{unsigned} as it is: it names the key of {signer.name}, but the signature does not match"
            )
    ids = ", ".join(each[:_KEYID] for each in named if each)
    why = f"the trust file does not have the key {ids}" if ids else "it names no key"
    return Invalid(
        f"{unsigned}: {why} (not confirmed: anyone can write a key id); if you trust the signer, get its "
        "public key from its owner and add it, else reject it"
    )


def _by_identity(line: bytes, trust: Trust) -> Signed:
    """A bundle of Sigstore, and whose identity has signed it."""
    signers = {signer.identity: signer for signer in trust.signers if signer.identity}
    seen = keyless.read(line, signers, trust.sigstore_root)
    return Signed(statement.read(seen.body), seen.body, signers[seen.identity], seen.at)


def parties(found: Mapping[str, Signed]) -> list[Party]:
    """Who says what, the party that certifies first.

    Raises:
        Invalid: a predicate is malformed, or its signer may not say so.
    """
    running = []
    for kind, place in _FOLDERS.items():
        if one := found.get(kind):
            said = statement.predicate(one.statement, Certificate)
            payload = hashlib.sha256(one.payload).hexdigest()
            issued = moment(said.issued)
            if one.at and not one.at - SKEW <= issued <= one.at + SKEW:
                raise Invalid(
                    f"it says that it was issued on {said.issued}, and was signed on {written(one.at)}"
                )
            one.signer.see_entitled(said.level, issued)
            running.append(Party(one.signer, said, payload, one.statement.digests, place))
    if found[TEST_RESULT].signer != running[0].signer:
        raise Invalid("certificate and test result are signed by different signers")
    return running


def see_second(parties: Sequence[Party]) -> None:
    """See that the second party, if there is one, is another one, and has run the same again.

    Raises:
        Invalid: it is not, or it has not.
    """
    first, *others = parties
    if first.said.level == "witnessed" or first.said.witness_of:
        raise Invalid("the first statement says that it is a witness, but there is nothing that it witnesses")
    for second in others:
        _see_entitled(first, second)
        see_again(first.ran, second.ran)


def _see_entitled(first: Party, second: Party) -> None:
    """See that it may be a witness of this certificate."""
    if second.said.level != "witnessed":
        raise Invalid(f"the statement of the witness says level {second.said.level}")
    if second.said.witness_of != first.payload:
        raise Invalid("the witness has run again what another certificate says")
    if second.signer.organisation == first.signer.organisation:
        raise Invalid(f"{first.signer.organisation} cannot be its own witness")


def see_again(first: Ran, second: Ran) -> None:
    """See that a second run is another run of the same implementation, by the same suite.

    Raises:
        Invalid: it is not.
    """
    if second.subjects != first.subjects:
        raise Invalid("the witness ran other files of the implementation")
    for what in ("implementation", "verifier"):
        for place in differences(getattr(second.said, what), getattr(first.said, what), what):
            if place in _AGREE:
                raise Invalid(f"the witness ran something else: {place} is another")
    shown = {one.sha256 for one in first.said.evidence.manifest}
    if shown & {one.sha256 for one in second.said.evidence.manifest}:
        raise Invalid("the witness shows files of the first run as its own")
    if second.said.run.id == first.said.run.id:
        raise Invalid("the witness shows the first run as its own")
