"""in-toto statements: what a certificate says, of which files, and the test result beside it.

Source: https://github.com/in-toto/attestation (Statement v1, Test Result v0.1). As in-toto demands, unknown
fields of a statement and of its subjects are ignored. In our own predicate they are refused: a field that a
verifier does not know could take back what the others say (ADR 0025).
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from batchproof.attestation.refusal import Invalid
from batchproof.attestation.strict_json import NotJson, load
from batchproof.ground.stored import explain
from batchproof.report.records import Commit, Count, OneLine, Seconds, Time

STATEMENT: Final = "https://in-toto.io/Statement/v1"
CERTIFICATE: Final = "urn:batchproof:certificate:v1"
"""The predicate type of what the party says that has made the run."""
WITNESS: Final = "urn:batchproof:witness:v1"
"""The predicate type of what a second party says that has run it again; the form is the same."""
TEST_RESULT: Final = "https://in-toto.io/attestation/test-result/v0.1"

Level = Literal["self", "ci", "witnessed"]
Sha256: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
SHA256: Final = "sha256:"
"""How the results begin a digest; in statements of in-toto the algorithm is a key."""
_HEX: Final = re.compile("[0-9a-f]{64}")
_T = TypeVar("_T")


class Subject(msgspec.Struct, frozen=True):
    """A file that the statement is about; its digest counts, its name is a hint."""

    digest: dict[str, str]
    name: OneLine = ""


class Statement(msgspec.Struct, frozen=True, rename="camel"):
    """A statement: of which files, of which type, and what."""

    type_: str = msgspec.field(name="_type")
    subject: tuple[Subject, ...]
    predicate_type: str
    predicate: dict[str, Any]

    @property
    def digests(self) -> frozenset[str]:
        """The sha256 of each subject.

        Raises:
            Invalid: a subject has none, or there is no subject.
        """
        found = [one.digest.get("sha256", "") for one in self.subject]
        if not found:
            raise Invalid("a statement names no file that it is about")
        if not all(_HEX.fullmatch(one) for one in found):
            raise Invalid("a subject of a statement has no sha256 digest")
        return frozenset(found)


class _Strict(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A part of our predicate."""


class Verifier(_Strict, frozen=True, omit_defaults=True):
    """By what the run was judged when it was recorded.

    Attributes:
        batchproof: the version.
        suite: the digest of what specifies and judges: features, steps, requirements, claims, code.
        code: the digest of that and of the references.
        lock: the digest of the file that pins the libraries.
        installed: as a wheel, or as a checkout without changes.
        versions: of Python and of the libraries, by name.
        commit: of the checkout, by which a reader finds the suite; empty where it was no checkout. Whether it
            is that suite says its digest.
    """

    batchproof: str
    suite: str
    code: str
    lock: str
    installed: str
    versions: dict[str, str]
    commit: Commit = ""


class AttestedProcess(_Strict, frozen=True):
    """A process of the implementation.

    Attributes:
        program: the file that was run.
        argv: its arguments, with placeholders.
        environment: the names of the variables that the descriptor sets or passes on.
    """

    name: str
    program: str
    argv: tuple[str, ...]
    environment: tuple[str, ...]


class AttestedImplementation(_Strict, frozen=True):
    """Who was judged.

    Attributes:
        implements: the version of the Kubernetes API that it follows.
        in_place: it was installed in a cluster, and judged without faults.
        descriptor: the digest of the descriptor, whose text is in the evidence.
        started: how each of its processes was started.
    """

    name: OneLine
    version: OneLine
    organisation: str
    profiles: tuple[str, ...]
    capabilities: tuple[str, ...]
    implements: str
    in_place: bool
    descriptor: str
    started: tuple[AttestedProcess, ...]


class Platform(_Strict, frozen=True):
    """The control plane and the machine.

    Attributes:
        programs: the digests of the programs of the control plane, by name.
        flags: what kube-apiserver was given beside what it always is.
        machine: operating system, architecture and number of processors.
    """

    provider: str
    kubernetes: str
    programs: dict[str, str]
    flags: tuple[str, ...]
    machine: str


class AttestedRun(_Strict, frozen=True):
    """The run.

    Attributes:
        id: it is in every history too.
        feature: the small suite that was run; empty: the whole profile.
        retried: the scenarios that could not be judged the first time.
        attempts: how many whole runs there were, as the signer says; 0: it does not say.
        ci: what the CI system says of the job, by the name of its variable.
    """

    id: str
    started: Time
    finished: Time
    workers: int
    feature: str
    time_scale: float
    deadlines: dict[str, Seconds]
    scenarios: Count
    retried: tuple[str, ...]
    attempts: Count
    ci: dict[str, str] = {}


class AttestedWaiver(_Strict, frozen=True):
    """A known deviation that the run looked for."""

    requirement: str
    scenario: str
    reason: str
    issue: str
    expires: str


class AttestedOutcome(_Strict, frozen=True):
    """What the evidence comes to.

    Attributes:
        conformity: as in report.json.
        requirements: the verdict of each requirement.
        skipped: the requirements that were not judged, by reason.
        waivers: the deviations.
    """

    conformity: str
    requirements: dict[str, str]
    skipped: dict[str, tuple[str, ...]]
    waivers: tuple[AttestedWaiver, ...]


class File(_Strict, frozen=True):
    """A file of the evidence."""

    path: str
    size: Annotated[int, msgspec.Meta(ge=0)]
    sha256: Sha256


class AttestedEvidence(_Strict, frozen=True):
    """The files of the evidence, sorted by path, and the sha256 over all of the list."""

    manifest: tuple[File, ...]
    root: Sha256


class Certificate(_Strict, frozen=True):
    """The predicate: who says what, until when, from what evidence, and what is not proven.

    Attributes:
        id: random, so that each certificate has a name.
        issued: when it was signed, by the signer's clock.
        level: what the signer says that it has done: it ran itself, its CI ran, it is a second party.
        signer: the name of the signer; whose key it is says the reader's trust file.
        witness_of: of a second party: the sha256 of the statement that it has run again.
        redactions: what the recorder leaves out of every history.
        not_proven: codes of what a certificate cannot prove.
    """

    id: OneLine
    issued: Time
    not_before: Time
    expires: Time
    level: Level
    signer: OneLine
    verifier: Verifier
    implementation: AttestedImplementation
    platform: Platform
    run: AttestedRun
    outcome: AttestedOutcome
    evidence: AttestedEvidence
    redactions: tuple[str, ...]
    not_proven: tuple[str, ...]
    witness_of: str = ""


class Configuration(msgspec.Struct, frozen=True):
    """A file that decided what was tested."""

    digest: dict[str, str]
    name: str = ""


class ResultPredicate(msgspec.Struct, frozen=True, rename="camel"):
    """The predicate of in-toto's Test Result v0.1; a test is a requirement."""

    result: Literal["PASSED", "WARNED", "FAILED"]
    configuration: tuple[Configuration, ...]
    passed_tests: tuple[str, ...] = ()
    warned_tests: tuple[str, ...] = ()
    failed_tests: tuple[str, ...] = ()


def read(body: bytes) -> Statement:
    """The statement that the payload of an envelope holds.

    Raises:
        Invalid: it holds none, or one of a type that is not known here.
    """
    try:
        found = msgspec.convert(load(body), Statement)
    except NotJson as error:
        raise Invalid(f"a statement is {error}") from error
    except msgspec.ValidationError as error:
        raise Invalid(f"a statement of in-toto is malformed: {explain(error)}") from error
    if found.type_ != STATEMENT:
        raise Invalid(f"a statement has the type {found.type_!r} instead of {STATEMENT}")
    if found.predicate_type not in {CERTIFICATE, WITNESS, TEST_RESULT}:
        raise Invalid(f"a statement has the unknown predicate type {found.predicate_type!r}")
    return found


def predicate(statement: Statement, form: type[_T]) -> _T:
    """The predicate of a statement.

    Raises:
        Invalid: it has another form.
    """
    try:
        return msgspec.convert(statement.predicate, form)
    except msgspec.ValidationError as error:
        raise Invalid(f"the predicate {statement.predicate_type} is malformed: {explain(error)}") from error


def statement(subjects: tuple[Subject, ...], kind: str, said: object) -> bytes:
    """The text of a statement."""
    return msgspec.json.encode(
        Statement(
            type_=STATEMENT, subject=subjects, predicate_type=kind, predicate=msgspec.to_builtins(said)
        ),
        order="deterministic",
    )
