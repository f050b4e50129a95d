"""A bundle verified against what its reader trusts: nothing is accepted because the bundle says so.

The order is the defence: who has signed is known before anything that was signed is read, the manifest is
sound before any file of it is unpacked, and each file is the signed one before it is judged.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from batchproof.attestation import bundle, statement
from batchproof.attestation.certificate import (
    Said,
    certificate,
    differences,
    in_place,
    subjects,
    test_result,
    why_not,
)
from batchproof.attestation.deviations import expired, see_deviations
from batchproof.attestation.evidence import check_sound, files_of
from batchproof.attestation.judging import JudgedAgain, judged_again
from batchproof.attestation.parties import Party, parties, see_second, signed
from batchproof.attestation.refusal import CannotDecide, Invalid
from batchproof.attestation.statement import TEST_RESULT, ResultPredicate, Statement
from batchproof.attestation.times import LONGEST, SKEW, moment
from batchproof.attestation.trust import Trust
from batchproof.attestation.unproven import CODES
from batchproof.report.outcome import CONFORMS

if TYPE_CHECKING:
    from datetime import datetime

VALID, NOT_CONFORMANT, INVALID, UNDECIDED = 0, 1, 2, 3
"""The exit codes."""


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What a reader asks beside whether a bundle is valid.

    Attributes:
        now: the moment against which dates are compared.
        artifact: the sha256 of the file that the reader has.
        profile: what must have been judged.
        with_deviations: known deviations are accepted.
    """

    now: datetime
    artifact: str = ""
    profile: str = ""
    with_deviations: bool = False


@dataclass(frozen=True, slots=True)
class VerificationVerdict:
    """The answer of ``verify``.

    Attributes:
        code: the exit code.
        sentence: why.
        parties: who has signed, as far as that is known; the one that certifies first. Of an invalid bundle
            none, unless it has only expired.
        asked: what was asked.
    """

    code: int
    sentence: str
    asked: VerifyRequest
    parties: tuple[Party, ...] = ()

    @property
    def level(self) -> str:
        """The highest level that is attested."""
        return self.parties[-1].said.level if self.parties else ""


def verify(path: Path, trust: Trust, asked: VerifyRequest) -> VerificationVerdict:
    """Whether a bundle is valid, and what it certifies.

    Raises:
        UserError: the file cannot be read at all.
    """
    found: list[Party] = []
    try:
        with bundle.opened(path) as opened, ExitStack() as private:
            said = signed(opened.statements, trust)
            found[:] = parties(said)
            for one in found:
                _see_dates(one, asked.now)
                _see_accepted(one, trust)
                check_sound(one.said.evidence)
            see_second(found)
            _see_asked(found[0], asked)
            folders = [_unpacked(opened, one, private) for one in found]
            opened.end()
            found[:] = [_judged(one, folder) for one, folder in zip(found, folders, strict=True)]
        for one in found:
            _see_follows(one)
            see_deviations(one.run)
        _see_test_result(said[TEST_RESULT].statement, found[0])
    except Invalid as error:
        return VerificationVerdict(INVALID, f"invalid: {error}", asked)
    except CannotDecide as error:
        verdict = VerificationVerdict(UNDECIDED, f"cannot be decided here: {error}", asked, tuple(found))
    else:
        verdict = _conformity(tuple(found), asked)
    ended = min((one.said.expires for one in found), default="", key=moment)
    if ended and moment(ended) <= asked.now:  # looked at last: a reader may ask what it was worth before
        return replace(verdict, code=INVALID, sentence=f"invalid: it has expired on {ended}")
    return verdict


def _see_dates(party: Party, now: datetime) -> None:
    """See that the dates of a certificate are possible, and that it has begun."""
    said = party.said
    issued, begins, ends = moment(said.issued), moment(said.not_before), moment(said.expires)
    if issued > now + SKEW or begins > now + SKEW:
        raise Invalid(f"it is not valid before {max(said.issued, said.not_before)}")
    if issued < moment(said.run.finished) - SKEW:
        raise Invalid(f"it says that it was issued on {said.issued}, before its run ended")
    if ends - min(issued, begins) > LONGEST:
        raise Invalid(f"it is to last until {said.expires}: more than 12 months are not accepted")


def _see_asked(first: Party, asked: VerifyRequest) -> None:
    """See that it is about what the reader has."""
    if asked.artifact and asked.artifact not in first.subjects:
        raise Invalid(
            f"it is not about this file: none of the files that it names has the sha256 {asked.artifact}"
        )
    if asked.profile and asked.profile not in first.said.implementation.profiles:
        judged = ", ".join(first.said.implementation.profiles)
        raise Invalid(f"it is about the {judged} profile, not about {asked.profile}")


def _see_accepted(party: Party, trust: Trust) -> None:
    """See that the reader accepts the suite."""
    suite = party.said.verifier.suite
    if trust.suites and suite not in trust.suites:
        raise Invalid(f"it was judged by the suite {suite}, which the trust file does not accept")


def _unpacked(opened: bundle.Opened, party: Party, private: ExitStack) -> Path:
    """The evidence of a party in a private folder."""
    made = tempfile.TemporaryDirectory(prefix="batchproof-verify-")
    folder = Path(private.enter_context(made))
    for file in party.said.evidence.manifest:
        target = folder / file.path
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(opened.file(party.place + file.path, file))
    return folder


def _judged(party: Party, folder: Path) -> Party:
    """A party with its run, judged again."""
    judged = judged_again(folder)
    shown = {one.path for one in party.said.evidence.manifest}
    if shown != (named := set(files_of(judged.results))):
        wrong = min(shown ^ named)
        what = "is evidence that the run does not name" if wrong in shown else "is missing in the evidence"
        raise Invalid(f"{wrong} {what}")
    return replace(party, judged=judged)


def _see_follows(party: Party) -> None:
    """See that a certificate says what its evidence says."""
    said, run = party.said, party.run
    if reason := why_not(run):
        raise Invalid(f"it cannot be certified: {reason}")
    expected = certificate(run, said.evidence, Said.of(said))
    expected = msgspec.structs.replace(expected, not_proven=said.not_proven)
    if wrong := next(differences(said, expected), ""):
        raise Invalid(f"it says something else than its evidence: {wrong}")
    if missing := [code for code in CODES if code not in said.not_proven]:
        raise Invalid(f"it hides what it does not prove: {', '.join(missing)}")
    if party.subjects != frozenset(one.digest["sha256"] for one in subjects(run.results)):
        raise Invalid("it is about other files than its evidence")


def _see_test_result(said: Statement, party: Party) -> None:
    """See that the test result says what the evidence says, about the same files."""
    expected = test_result(party.run, party.said.evidence)
    if wrong := next(differences(statement.predicate(said, ResultPredicate), expected), ""):
        raise Invalid(f"the test result says something else than the evidence: {wrong}")
    if said.digests != party.subjects:
        raise Invalid("the test result is about other files than the certificate")


def _conformity(found: tuple[Party, ...], asked: VerifyRequest) -> VerificationVerdict:
    """What a valid bundle certifies."""
    for one in found:
        who = f"{one.said.implementation.name} {one.said.implementation.version}"
        by = "" if one is found[0] else f" by the run of {one.signer.name}"
        if why := _not_conformant(one.run, asked):
            return VerificationVerdict(NOT_CONFORMANT, f"{_verdict(one.run, who)}{by}: {why}", asked, found)
    first = found[0]
    ran = first.said.implementation
    version = f" as of Kubernetes {ran.implements}" if ran.implements else ""
    judged = f"{who} conforms to the {', '.join(ran.profiles)} profile{version}"
    sentence = f"valid until {first.said.expires[:10]}: {judged}: {first.run.outcome.headline}"
    return VerificationVerdict(VALID, sentence, asked, found)


def _verdict(run: JudgedAgain, who: str) -> str:
    """How the sentence begins of a valid certificate that shows no plain conformance."""
    match run.outcome.conformity:
        case "not-conformant" | "not-conformant-known":
            return f"the certificate is valid, and {who} does NOT conform"
        case "not-proven":
            return f"the certificate is valid, but it is NOT proven that {who} conforms"
        case _:
            return f"valid, but {who} is not plainly conformant"


def _not_conformant(run: JudgedAgain, asked: VerifyRequest) -> str:
    """Why a run does not show plain conformance, if it does not."""
    if ended := expired(run, asked.now):
        return f"the deviation of {ended} is no longer accepted, it has expired"
    if feature := run.results.header.suite.feature:
        return f"it was judged by {feature} alone: {run.outcome.headline}"
    if in_place(run):
        return f"it was tested in in-cluster mode, without faults: {run.outcome.headline}"
    accepted = CONFORMS if asked.with_deviations else CONFORMS[:1]
    return "" if run.outcome.conformity in accepted else run.outcome.headline
