"""The answer of ``verify`` as text: the verdict first, then who says what, and what is not proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof import __version__
from batchproof.attestation.parties import Party
from batchproof.attestation.times import moment
from batchproof.attestation.unproven import SENTENCES, word
from batchproof.attestation.verification import VerificationVerdict
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime


def lines(verdict: VerificationVerdict, at: datetime | None = None) -> Iterator[str]:
    """The answer, line by line; of an invalid bundle only the verdict, unless it has only expired."""
    yield verdict.sentence
    if not verdict.parties:
        return
    for party in verdict.parties:
        yield from _party(party)
    first = verdict.parties[0]
    if verdict.asked.artifact:
        yield f"artifact      sha256:{verdict.asked.artifact} is one of the files that were run"
    else:
        yield "artifact      not checked against a binary: `--artifact FILE` does that"
    if at:
        yield f"on {at.date()}  {_then(verdict.parties, at)}"
    yield told(first)
    yield f"Not proven: {', '.join(first.said.not_proven)} (docs/explanation/certificate-limits.md)."


def as_record(verdict: VerificationVerdict, at: datetime | None = None) -> dict[str, Any]:
    """The same for programs: the exit code and why; each party with what it says; what is not proven."""
    return {
        "exit_code": verdict.code,
        "sentence": verdict.sentence,
        "artifact": f"sha256:{verdict.asked.artifact}" if verdict.asked.artifact else None,
        "on": {"date": str(at.date()), "then": _then(verdict.parties, at)}
        if at and verdict.parties
        else None,
        "parties": [_record(party) for party in verdict.parties],
        "not_proven": [{"code": code, "sentence": sentence} for code, sentence in unproven(verdict)],
    }


def _record(party: Party) -> dict[str, Any]:
    said, judged = party.said, party.judged
    return {
        "level": said.level,
        "signer": party.signer.name,
        "signed_by": party.signer.text,
        "issued": said.issued,
        "expires": said.expires,
        "implementation": {
            "name": said.implementation.name,
            "version": said.implementation.version,
            "organisation": said.implementation.organisation,
        },
        "suite": said.verifier.suite,
        "batchproof": said.verifier.batchproof,
        "commit": said.verifier.commit or None,
        "judged_here": {"histories": judged.histories, "headline": judged.outcome.headline}
        if judged
        else None,
        "attempts": said.run.attempts or None,
        "ci": dict(said.run.ci),
    }


def _party(party: Party) -> Iterator[str]:
    said = party.said
    yield f"{said.level:<12}  {party.signer.text}"
    yield f"  issued      {said.issued}, valid until {said.expires}"
    ran = said.implementation
    yield f"  ran         {ran.name} {ran.version} of {ran.organisation}"
    yield f"  suite       {said.verifier.suite} of batchproof {said.verifier.batchproof}"
    if said.verifier.commit:
        yield f"  commit      {said.verifier.commit}"
    if party.judged:
        histories = count(party.judged.histories, "history", "histories")
        yield f"  judged      {histories} again, now, by batchproof {__version__}"
        yield f"  comes to    {party.judged.outcome.headline}"
    else:
        yield "  judged      NOT here"
    attempts = f"{said.run.attempts}, as the signer says" if said.run.attempts else "not stated"
    yield f"  attempts    {attempts}"
    for name, value in said.run.ci.items():
        yield f"  {name}  {value}"


def told(party: Party) -> str:
    """What remains the word of the party that made the run."""
    return word(party.signer.organisation, judged=party.judged is not None)


def _then(parties: Iterable[Party], at: datetime) -> str:
    """What the dates say of another day."""
    said = [party.said for party in parties]
    if any(at < moment(one.not_before) for one in said):
        return "it was not valid yet"
    return "it had expired" if any(at >= moment(one.expires) for one in said) else "its dates were right"


def unproven(verdict: VerificationVerdict) -> list[tuple[str, str]]:
    """Each code of what is not proven, with its sentence."""
    codes = verdict.parties[0].said.not_proven if verdict.parties else ()
    return [(code, SENTENCES.get(code, "A limit that this version does not know.")) for code in codes]
