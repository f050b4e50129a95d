"""What a dishonest signer forges is refused for the right reason, and what cannot be found is named."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from dishonest import moment
from edits_of_evidence import EDITS, LIMITS

from batchproof.attestation import making
from batchproof.attestation.badge import badge
from batchproof.attestation.certificate import in_place
from batchproof.attestation.judging import JudgedAgain
from batchproof.attestation.telling import lines
from batchproof.attestation.unproven import CODES
from batchproof.attestation.verification import _conformity
from batchproof.report.outcome import judge_run
from batchproof.report.results import Results, read_results
from batchproof.specification.gherkin import CAPABILITY_TAG

if TYPE_CHECKING:
    from dishonest import Json, Scene
    from edits_of_evidence import Edit

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "docs" / "explanation" / "certificate-limits.md"


def names(edits: list[Edit]) -> list[str]:
    return [f"{one.number:02}-{one.name}" for one in edits]


@pytest.mark.parametrize("one", EDITS, ids=names(EDITS))
def test_forged_evidence_is_refused(scene: Scene, one: Edit) -> None:
    forged = scene.forgery()
    one.make(forged)
    forged.recount(sealed=one.sealed)
    forged.save()
    verdict = scene.verify(scene.bundle(forged.folder))
    assert verdict.code == one.code, verdict.sentence
    assert re.search(one.says, verdict.sentence), verdict.sentence


@pytest.mark.parametrize("one", LIMITS, ids=names(LIMITS))
def test_what_nobody_can_find_is_in_the_certificate(scene: Scene, one: Edit) -> None:
    forged = scene.forgery()
    one.make(forged)
    forged.recount()
    forged.save()
    verdict = scene.verify(scene.bundle(forged.folder))
    assert verdict.code == 0, f"somebody can find it: {verdict.sentence}"
    assert one.says in verdict.parties[0].said.not_proven
    assert one.says in list(lines(verdict))[-1]


def test_the_honest_run_is_valid(scene: Scene) -> None:
    verdict = scene.verify(scene.bundle())
    assert verdict.code == 0, verdict.sentence
    assert "conforms to the tfjob profile" in verdict.sentence


def test_26_the_best_of_two_runs(scene: Scene) -> None:
    """Either is a valid certificate; that there was another run is the signer's word."""
    for run in (scene.run, scene.again):
        verdict = scene.verify(scene.bundle(run))
        assert verdict.code == 0
        assert "attempts" in verdict.parties[0].said.not_proven
        assert "  attempts    not stated" in list(lines(verdict))
    told = scene.verify(scene.bundle(said=scene.said(attempts=3)))
    assert "  attempts    3, as the signer says" in list(lines(told))


def test_08_what_is_not_declared_is_in_the_first_sentence(scene: Scene) -> None:
    """The forger drops a capability everywhere, and what needs it with it: the verdict says so."""
    forged = scene.forgery()
    judged = forged.header["implementation"]
    gone = judged["capabilities"][0]
    forged.describe(lambda said: said["capabilities"].remove(gone))
    judged["capabilities"].remove(gone)
    needed = {id_ for id_, one in forged.header["requirements"].items() if one["capability"] == gone}
    forged.header["required"] = [one for one in forged.header["required"] if one not in needed]
    for one in forged.scenarios:
        if one["requirement"] in needed or CAPABILITY_TAG + gone in one["tags"]:
            if one["history"]:  # none where it lacked another capability already
                (forged.folder / one["history"]).unlink()
            emptied: Json = {"history": None, "history_digest": "", "claims": [], "faults": [], "steps": []}
            one.update(verdict="skipped", reason="not-declared", **emptied)
    forged.recount()
    forged.save()
    verdict = scene.verify(scene.bundle(forged.folder))
    assert verdict.code == 0, verdict.sentence
    assert re.search(rf"CONFORMANT, without .*\b{gone}\b", verdict.sentence), verdict.sentence
    without = len(verdict.parties[0].run.outcome.not_judged)
    assert f", {without} part{'s' * (without > 1)} not judged (self)" in badge(verdict).message


@pytest.mark.parametrize(
    ("ended", "says"),
    [
        ("failed", "the certificate is valid, and {who} does NOT conform: NOT CONFORMANT because"),
        ("inconclusive", "the certificate is valid, but it is NOT proven that {who} conforms: NOT PROVEN"),
    ],
)
def test_a_run_that_does_not_conform_is_not_called_valid_first(scene: Scene, ended: str, says: str) -> None:
    verdict = scene.verify(scene.bundle())
    (party,) = verdict.parties
    results = party.run.results
    musts = {one.id for one in party.run.outcome.of("passed") if one.must}
    scenarios = tuple(
        msgspec.structs.replace(one, verdict=ended) if one.requirement in musts else one
        for one in results.scenarios
    )
    judged = Results(results.header, scenarios, results.footer)
    party = replace(party, judged=JudgedAgain(judged, judge_run(judged), 0))
    found = _conformity((party,), verdict.asked)
    who = f"{party.said.implementation.name} {party.said.implementation.version}"
    assert found.code == 1
    assert found.sentence.startswith(says.format(who=who)), found.sentence


def test_10_a_run_in_place_is_never_plainly_conformant(scene: Scene) -> None:
    results = scene.honest.results
    judged = msgspec.structs.replace(results.header.implementation, in_place=True)
    placed = Results(
        msgspec.structs.replace(results.header, implementation=judged), results.scenarios, results.footer
    )
    assert in_place(JudgedAgain(placed, judge_run(placed), 0))
    assert not in_place(scene.honest)


def test_11_a_run_of_a_small_suite_is_no_run_of_a_profile(scene: Scene, small: Path) -> None:
    later = moment(read_results(small).footer.finished) + timedelta(hours=1)
    words = making.Words(now=later, expires=later + timedelta(days=90))
    path = scene.folder / "small.tgz"
    path.write_bytes(making.certified(making.run(small), words, making.by_key(scene.key)))
    verdict = scene.verify(path, now=later)
    assert verdict.code == 1, verdict.sentence
    assert "it was judged by ai-conformance-operator.feature alone" in verdict.sentence


def test_each_of_the_47_attacks_is_made() -> None:
    """By an edit, or by a test that has its number in its name."""
    rows = [int(found) for found in re.findall(r"^\| (\d+) \|", TABLE.read_text(), re.MULTILINE)]
    assert rows == list(range(1, 48))
    text = "".join(path.read_text() for path in sorted(HERE.glob("test_*.py")))
    made = {int(found) for found in re.findall(r"def test_(\d\d)_", text)}
    made |= {one.number for one in (*EDITS, *LIMITS)}
    assert made >= set(rows), f"never made: {sorted(set(rows) - made)}"
    refused = {one.number for one in EDITS} | {2, 29, 41, 42, 43, 44, 45, 46, 47}
    assert len(refused) >= 34


def test_each_limit_has_an_attack() -> None:
    assert {one.says for one in LIMITS} | {"attempts"} == set(CODES)
