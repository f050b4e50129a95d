"""A bundle made: of a run by the party that made it, and of a second run by its witness."""

from __future__ import annotations

import hashlib
import io
import secrets
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypeAlias

from batchproof.attestation import bundle, envelope, statement, unverified
from batchproof.attestation.certificate import Said, statements, why_not
from batchproof.attestation.deviations import see_deviations
from batchproof.attestation.evidence import check_sound, evidence, files_of
from batchproof.attestation.judging import JudgedAgain, OtherSuite, judged_again
from batchproof.attestation.keys import PrivateKey
from batchproof.attestation.parties import Ran, see_again
from batchproof.attestation.refusal import Refused
from batchproof.attestation.statement import (
    CERTIFICATE,
    TEST_RESULT,
    WITNESS,
    AttestedEvidence,
    Certificate,
    Level,
)
from batchproof.attestation.times import written
from batchproof.cell.redaction import scrubbed
from batchproof.ground import stored
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

Sign: TypeAlias = "Callable[[bytes], bytes]"
"""Signs a statement: the line of a bundle that holds it."""
DEFAULT_LAST: Final = timedelta(days=365)
_OF_JOB: Final = (
    *("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_WORKFLOW_REF", "GITHUB_SHA"),
    *("GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "CI_JOB_URL", "CI_COMMIT_SHA", "CI_PIPELINE_ID"),
)
"""Of GitHub and of GitLab. They are the word of the job; only an identity of Sigstore binds them."""


@dataclass(frozen=True, slots=True)
class Words:
    """What the signer adds to what the evidence says.

    Attributes:
        signer: its name; empty: the organisation of the implementation.
        now: the moment of signing.
        expires: until when it is valid.
        attempts: how many whole runs there were; 0: it does not say.
        ci: what the CI system says of the job.
    """

    now: datetime
    expires: datetime
    level: Level = "self"
    signer: str = ""
    attempts: int = 0
    ci: dict[str, str] = field(default_factory=dict)

    def said(self, judged: JudgedAgain, witness_of: str = "") -> Said:
        """The words as a certificate has them."""
        now = written(self.now)
        return Said(
            id=secrets.token_hex(16),
            issued=now,
            not_before=now,
            expires=written(self.expires),
            level=self.level,
            signer=self.signer or judged.results.header.implementation.organisation,
            attempts=self.attempts,
            ci=self.ci,
            witness_of=witness_of,
        )


@dataclass(frozen=True, slots=True)
class CertifiedRun:
    """A run that can be certified: judged again, with the content of all its files."""

    judged: JudgedAgain
    evidence: AttestedEvidence
    files: tuple[tuple[str, bytes], ...]


def run(folder: Path) -> CertifiedRun:
    """The run in a folder of results, judged again and found fit for a certificate.

    Raises:
        UserError: it is not.
    """
    try:
        judged = judged_again(folder)
        if reason := why_not(judged):
            raise UserError(f"{folder} cannot be certified: {reason}")
        see_deviations(judged)
        files = tuple((name, (folder / name).read_bytes()) for name in files_of(judged.results))
        found = evidence(files)
        check_sound(found)
    except OtherSuite as error:
        advice = "certify it with the batchproof that made the run, or make the run again with this one"
        raise UserError(f"{folder} cannot be certified: {error.what}: {advice}") from error
    except Refused as error:
        raise UserError(f"{folder} cannot be certified: {error}") from error
    see_no_secrets(files)
    return CertifiedRun(judged, found, files)


def ci_job(environment: Mapping[str, str]) -> dict[str, str]:
    """What a CI system says of the job that signs: its run and attempt, so that repeats can be looked up."""
    return {name: environment[name] for name in _OF_JOB if environment.get(name)}


def see_no_secrets(files: Iterable[tuple[str, bytes]]) -> None:
    """See that no file holds a token or a private key: a certificate is published with all of them.

    Raises:
        UserError: one does.
    """
    for name, content in files:
        text = content.decode("utf-8", "replace")
        if scrubbed(text) == text:
            continue
        pairs = enumerate(zip(text.splitlines(), scrubbed(text).splitlines(), strict=False), start=1)
        line = next(number for number, (before, after) in pairs if before != after)
        raise UserError(
            f"{name}:{line} holds what looks like a token or a private key, and a certificate is published "
            "with all histories: keep it out of the objects that the implementation writes, and run again"
        )


def by_key(key: PrivateKey) -> Sign:
    """Signatures of a key."""
    return lambda body: stored.encode(envelope.sign(body, key))


def certified(of: CertifiedRun, words: Words, sign: Sign) -> bytes:
    """The bundle of a run, as a file holds it.

    Args:
        of: the run.
        words: what its signer adds.
        sign: signs a statement.
    """
    signed = statements(of.judged, of.evidence, words.said(of.judged), CERTIFICATE)
    return packed(b"".join(sign(one) + b"\n" for one in signed), placed(bundle.FIRST, of.files))


def witnessed(path: Path, again: CertifiedRun, words: Words, sign: Sign) -> bytes:
    """The bundle at a path, with the run and the signature of a second party added.

    The second party signs a statement of its own, about its own run, that names the first by its digest. So
    no party signs a run of another one, and neither party can make the statement of the other.

    Raises:
        UserError: it is no bundle of one party, or it is about something else. Nothing is signed then.
    """
    try:
        with bundle.opened(path) as opened, ExitStack() as stack:
            bodies = {}
            for line in opened.statements.splitlines():
                body = unverified.body(line)
                bodies[statement.read(body).predicate_type] = body
            if set(bodies) != {CERTIFICATE, TEST_RESULT}:
                raise UserError(f"{path} is not a bundle of one party: it cannot be witnessed")
            said = statement.predicate(statement.read(bodies[CERTIFICATE]), Certificate)
            check_sound(said.evidence)
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="batchproof-witness-")))
            first = [(one.path, opened.file(bundle.FIRST + one.path, one)) for one in said.evidence.manifest]
            opened.end()
            for name, content in first:
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_bytes(content)
            judged_again(folder)
        digest = hashlib.sha256(bodies[CERTIFICATE]).hexdigest()
        mine, _ = statements(again.judged, again.evidence, words.said(again.judged, digest), WITNESS)
        see_again(*(_ran(body) for body in (bodies[CERTIFICATE], mine)))
    except Refused as error:
        raise UserError(f"{path} cannot be witnessed: {error}") from error
    return packed(
        opened.statements + sign(mine) + b"\n",
        [*placed(bundle.FIRST, first), *placed(bundle.SECOND, again.files)],
    )


def _ran(body: bytes) -> Ran:
    """The run that a statement is about."""
    found = statement.read(body)
    return Ran(statement.predicate(found, Certificate), found.digests)


def placed(place: str, files: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Files with their paths in the bundle."""
    return [(place + path, content) for path, content in files]


def packed(lines: bytes, files: Iterable[tuple[str, bytes]]) -> bytes:
    """A bundle as a file holds it."""
    out = io.BytesIO()
    bundle.write(out, lines, files)
    return out.getvalue()
