"""What a certificate says of a run: all that follows from the evidence, and the few words of its signer.

``verify`` builds it again from the evidence, and accepts a certificate only if the two are equal. So nothing
in it that the evidence knows can be changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from batchproof.attestation.judging import JudgedAgain
from batchproof.attestation.statement import (
    SHA256,
    TEST_RESULT,
    AttestedEvidence,
    AttestedImplementation,
    AttestedOutcome,
    AttestedProcess,
    AttestedRun,
    AttestedWaiver,
    Certificate,
    Configuration,
    Level,
    Platform,
    ResultPredicate,
    Subject,
    Verifier,
    statement,
)
from batchproof.attestation.unproven import CODES
from batchproof.ground import stored
from batchproof.report.outcome import CONFORMS
from batchproof.report.results import Results
from batchproof.report.wording import count
from batchproof.specification.suites import small_suites

if TYPE_CHECKING:
    from collections.abc import Iterator

CHANGED: Final = "changed checkout"
SMALL_SUITES: Final = frozenset(one.feature.name for one in small_suites().values())
"""The feature files that are no whole profile, and that others ask for."""
REDACTED: Final = ("data of Secrets", "tokens", "private keys")
"""What the recorder leaves out of every history."""


class Said(msgspec.Struct, frozen=True):
    """What no evidence knows: the words of the signer.

    Attributes:
        id: the certificate's own, random.
        attempts: how many whole runs there were; 0: it does not say.
        ci: what the CI system says of the job.
        witness_of: of a second party: the sha256 of the statement that it has run again.
    """

    id: str
    issued: str
    not_before: str
    expires: str
    level: Level
    signer: str
    attempts: int = 0
    ci: dict[str, str] = {}
    witness_of: str = ""

    @classmethod
    def of(cls, found: Certificate) -> Said:
        """The words of a certificate."""
        return stored.copied(cls, found, attempts=found.run.attempts, ci=found.run.ci)


def certificate(judged: JudgedAgain, evidence: AttestedEvidence, said: Said) -> Certificate:
    """The certificate of a run."""
    header = judged.results.header
    return stored.copied(
        Certificate,
        said,
        verifier=stored.copied(
            Verifier,
            header.suite,
            batchproof=header.batchproof,
            suite=header.suite.digest,
            versions=dict(header.versions),
        ),
        implementation=_implementation(judged.results),
        platform=stored.copied(
            Platform, header.cluster, programs=dict(header.cluster.programs), machine=header.machine
        ),
        run=_run(judged, said),
        outcome=_outcome(judged),
        evidence=evidence,
        redactions=REDACTED,
        not_proven=CODES,
    )


def test_result(judged: JudgedAgain, evidence: AttestedEvidence) -> ResultPredicate:
    """The test result beside it, for readers who know in-toto and not us."""
    outcome = judged.outcome
    warned = [one.id for one in outcome.requirements if one.standing not in {"passed", "failed", "not-run"}]
    result = "PASSED" if outcome.conformity == "conformant" else "WARNED"
    return ResultPredicate(
        result="FAILED" if outcome.conformity.startswith("not-") else result,  # type: ignore[arg-type]
        configuration=(Configuration({"sha256": evidence.root}, "evidence"),),
        passed_tests=tuple(one.id for one in outcome.of("passed")),
        warned_tests=tuple(warned),
        failed_tests=tuple(one.id for one in outcome.of("failed")),
    )


def statements(judged: JudgedAgain, evidence: AttestedEvidence, said: Said, kind: str) -> tuple[bytes, bytes]:
    """The two statements of a party, the certificate (of that predicate type) first."""
    about = subjects(judged.results)
    return (
        statement(about, kind, certificate(judged, evidence, said)),
        statement(about, TEST_RESULT, test_result(judged, evidence)),
    )


def subjects(results: Results) -> tuple[Subject, ...]:
    """The files of the implementation that were started, and those among their arguments.

    One that was installed in a cluster already was not started: its descriptor stands for it.
    """
    judged = results.header.implementation
    found = {(one.program, one.sha256) for one in judged.started}
    found |= {each for one in judged.started for each in one.files.items()}
    files = found or {(judged.descriptor, judged.descriptor_digest)}
    return tuple(Subject({"sha256": digest.removeprefix(SHA256)}, name) for name, digest in sorted(files))


def differences(found: object, expected: object, place: str = "") -> Iterator[str]:
    """Where two records differ, field by field."""
    names = getattr(expected, "__struct_fields__", None)
    if names is None or type(found) is not type(expected):
        if found != expected:
            yield place
        return
    for name in names:
        yield from differences(
            getattr(found, name), getattr(expected, name), f"{place}.{name}" if place else name
        )


def why_not(judged: JudgedAgain) -> str:
    """Why a run cannot be certified at all, in a sentence; empty if it can."""
    header, footer, suite = judged.results.header, judged.results.footer, judged.results.header.suite
    left_out = judged.outcome.left_out
    missing = count(len(left_out), "MUST requirement")
    reasons = (
        (not footer.complete, f"the run is incomplete ({footer.reason or 'no reason given'})"),
        (
            suite.installed == CHANGED,
            "the run was made by a checkout of batchproof with changes that are published nowhere",
        ),
        (
            bool(suite.feature) and suite.feature not in SMALL_SUITES,
            f"the run was of {suite.feature}, which the suite does not have",
        ),
        (
            bool(suite.selection or (left_out and not suite.feature)),
            f"the run was of a part of the {header.profile} profile: {missing} not judged",
        ),
        (
            any(one.fault for one in header.planned),
            "the run was of the fault grid, which is no run of a profile",
        ),
        (
            header.time_scale != 1,
            f"the run had a time_scale of {header.time_scale:g}, and only 1 can be certified",
        ),
    )
    return next((why for found, why in reasons if found), "")


def _implementation(results: Results) -> AttestedImplementation:
    judged = results.header.implementation
    return AttestedImplementation(
        name=judged.name,
        version=judged.version,
        organisation=judged.organisation,
        profiles=(results.header.profile,),
        capabilities=judged.capabilities,
        implements=judged.implements,
        in_place=judged.in_place,
        descriptor=judged.descriptor_digest,
        started=tuple(AttestedProcess(one.name, one.program, one.argv, one.env) for one in judged.started),
    )


def _run(judged: JudgedAgain, said: Said) -> AttestedRun:
    header, footer = judged.results.header, judged.results.footer
    return stored.copied(
        AttestedRun,
        header,
        id=header.run,
        finished=footer.finished,
        feature=header.suite.feature,
        deadlines=dict(header.deadlines),
        scenarios=len(judged.results.scenarios),
        retried=tuple(one.id for one in judged.outcome.retried),
        attempts=said.attempts,
        ci=said.ci,
    )


def _outcome(judged: JudgedAgain) -> AttestedOutcome:
    outcome = judged.outcome
    skipped = dict(outcome.skipped)
    for one in outcome.not_judged:
        reason = f"without {one.capability}"
        skipped[reason] = (*skipped.get(reason, ()), *one.requirements)
    return AttestedOutcome(
        conformity="in-place" if in_place(judged) else outcome.conformity,
        requirements={one.id: one.standing for one in outcome.requirements},
        skipped=skipped,
        waivers=tuple(stored.copied(AttestedWaiver, use.waiver) for use in outcome.deviations),
    )


def in_place(judged: JudgedAgain) -> bool:
    """What would be conformant was judged in a cluster, without faults."""
    return judged.outcome.in_place and judged.outcome.conformity in CONFORMS
