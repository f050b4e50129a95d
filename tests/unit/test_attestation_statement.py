"""Statements of in-toto, dates, badges and deviations: the pure parts of a certificate."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from batchproof.attestation import certificate, statement, times
from batchproof.attestation.badge import Badge, svg
from batchproof.attestation.making import ci_job
from batchproof.attestation.refusal import Invalid
from batchproof.attestation.statement import (
    CERTIFICATE,
    STATEMENT,
    TEST_RESULT,
    AttestedEvidence,
    File,
    ResultPredicate,
)
from batchproof.attestation.unproven import CODES, SENTENCES

SUBJECT = {"name": "controller", "digest": {"sha256": "a" * 64}}
RESULT = {"result": "PASSED", "configuration": []}


def text(**more: Any) -> bytes:
    said = {"_type": STATEMENT, "subject": [SUBJECT], "predicateType": TEST_RESULT, "predicate": RESULT}
    return msgspec.json.encode({**said, **more})


def test_unknown_fields_of_a_statement_are_ignored_as_in_toto_demands() -> None:
    subject = {**SUBJECT, "annotations": {"a": 1}, "digest": {"sha256": "a" * 64, "sha512": "b"}}
    found = statement.read(text(subject=[subject], later="field", predicate={**RESULT, "later": 1}))
    assert found.digests == {"a" * 64}
    assert statement.predicate(found, ResultPredicate) == ResultPredicate("PASSED", ())


def test_unknown_fields_of_our_predicate_are_refused() -> None:
    found = statement.read(text(predicateType=CERTIFICATE, predicate={"id": "a", "exceptions": ["all"]}))
    with pytest.raises(Invalid, match="malformed"):
        statement.predicate(found, statement.Certificate)
    with pytest.raises(msgspec.ValidationError, match="unknown field `note`"):
        msgspec.convert({"path": "a", "size": 1, "sha256": "a" * 64, "note": ""}, File)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            text(_type="https://in-toto.io/Statement/v0.1"),
            "has the type 'https://in-toto.io/Statement/v0.1' instead",
        ),
        (text(predicateType="https://slsa.dev/provenance/v1"), "unknown predicate type"),
        (text(predicateType="urn:batchproof:certificate:v2"), "unknown predicate type"),
        (text(predicateType=f"{CERTIFICATE} "), "unknown predicate type"),
        (text(subject="controller"), "malformed"),
        (b'{"_type":"a","_type":"b"}', "appears twice"),
        (b"null", "malformed"),
    ],
)
def test_a_statement_of_another_kind_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        statement.read(body)


@pytest.mark.parametrize(
    "subjects",
    [[], [{"digest": {}}], [{"digest": {"sha512": "a" * 128}}], [{"digest": {"sha256": "A" * 64}}]],
)
def test_a_subject_needs_its_digest(subjects: list[Any]) -> None:
    with pytest.raises(Invalid, match=r"names no file|has no sha256 digest"):
        _ = statement.read(text(subject=subjects)).digests


def test_where_two_records_differ_is_named() -> None:
    one = AttestedEvidence((File("a", 1, "a" * 64),), "b" * 64)
    assert list(certificate.differences(one, one)) == []
    assert list(certificate.differences(one, msgspec.structs.replace(one, root="c" * 64), "evidence")) == [
        "evidence.root"
    ]
    assert list(certificate.differences(one, msgspec.structs.replace(one, manifest=()))) == ["manifest"]


@pytest.mark.parametrize("when", ["2026-11-26", "2026-11-26T10:00:00", "tomorrow", ""])
def test_what_is_no_time_with_a_zone_is_refused(when: str) -> None:
    with pytest.raises(Invalid):
        times.moment(when)


def test_a_time_is_read_as_it_is_written() -> None:
    when = datetime(2026, 11, 26, 10, 0, 1, tzinfo=UTC)
    assert times.written(when) == "2026-11-26T10:00:01Z"
    assert times.moment("2026-11-26T11:00:01+01:00") == when


def test_a_picture_is_one_element_whatever_the_words_are() -> None:
    drawn = svg(Badge("<script>alert(1)</script> \"'&", "#1a7f37"))
    assert "<script" not in drawn
    assert drawn.count("<svg") == 1
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


def test_every_code_has_one_sentence() -> None:
    assert len(set(SENTENCES.values())) == len(CODES)
    assert all(sentence.endswith(".") for sentence in SENTENCES.values())


def test_of_the_environment_only_the_job_is_told() -> None:
    environment = {
        "GITHUB_RUN_ID": "7",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_TOKEN": "secret",
        "CI_JOB_URL": "",
    }
    assert ci_job(environment) == {"GITHUB_RUN_ID": "7", "GITHUB_RUN_ATTEMPT": "2"}
