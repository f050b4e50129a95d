"""What a submission to CNCF AI Conformance carries on one requirement, made from the results of a run.

A submission (cncf/k8s-ai-conformance, instructions.md) is a PRODUCT.yaml with an entry for each requirement,
and the evidence beside it: what its tests printed (``e2e.log``), a JUnit report, and the events of
``go test -json`` (``results.json``), as kubernetes-sigs/ai-conformance, test/README.md, has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson
import yaml

from batchproof.errors import UserError
from batchproof.report.cases import Case, cases
from batchproof.report.junit import junit_report
from batchproof.report.outcome import judge_run

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from batchproof.report.outcome import Outcome
    from batchproof.report.results import Results

LOG, JUNIT, EVENTS = "e2e.log", "junit.xml", "results.json"
_SAID = {"passed": ("PASS", "pass"), "failure": ("FAIL", "fail"), "error": ("FAIL", "fail")}
_STATUS = {
    "partial": "Implemented",
    "conformant": "Implemented",
    "conformant-with-deviations": "Implemented",
    "not-conformant": "Not Implemented",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of PRODUCT.yaml that evidence is for.

    Attributes:
        id: its id.
        section: the list that it stands in.
        test: the name of the test, as Go would have it.
    """

    id: str
    section: str
    test: str

    @property
    def file(self) -> str:
        """The file with the entry."""
        return f"{self.id}.yaml"


ENTRIES = {
    "gang": Entry("gang_scheduling", "schedulingOrchestration", "TestGangScheduling"),
    "tfjob": Entry("robust_controller", "operator", "TestRobustController"),
}
"""The entries by the profile that shows them."""


def submission(results: Results, asked: Collection[str]) -> dict[str, bytes]:
    """The files of a submission by their names.

    Args:
        results: a run of the suite.
        asked: the ids of all scenarios of the suite.

    Raises:
        UserError: the results are of something else, or nothing is shown by them.
    """
    if {one.id for one in results.header.planned} != set(asked):
        what = next((one.feature for one in results.header.planned if one.id not in asked), "a part of it")
        raise UserError(
            f"these are the results of {what}: a submission needs those of "
            "`batchproof run --suite ai-conformance`, or ai-conformance-operator"
        )
    entry = ENTRIES[results.header.profile]
    outcome = judge_run(results)
    if outcome.conformity not in _STATUS:
        raise UserError(f"there is nothing to submit: {outcome.headline}; run it again")
    told = list(cases(results, outcome))
    if unjudged := next((one for one in results.scenarios if one.verdict == "skipped"), None):
        raise UserError(
            f"there is nothing to submit: {unjudged.title} was not judged ({unjudged.reason}): declare what "
            "it needs in the descriptor, and run it again"
        )
    return {
        LOG: "".join(f"{line}\n" for line in _log(results, entry, told)).encode(),
        JUNIT: junit_report(results, outcome),
        EVENTS: b"".join(orjson.dumps(event) + b"\n" for event in _events(results, entry, told)),
        entry.file: _entry(results, entry, told, outcome),
    }


def _log(results: Results, entry: Entry, told: list[Case]) -> Iterator[str]:
    """What ``go test -v`` would print: each case with the steps, claims and faults that it rests on."""
    yield from _heading(results)
    yield f"=== RUN   {entry.test}"
    for case in told:
        yield f"=== RUN   {_name(entry, case)}"
        yield from (f"    {line}" for line in _evidence(case))
    whole = _SAID["failure" if _broken(told) else "passed"][0]
    yield f"--- {whole}: {entry.test} ({results.footer.duration_s:.2f}s)"
    for case in told:
        yield f"    --- {_said(case)[0]}: {_name(entry, case)} ({_took_s(case):.2f}s)"
    yield whole


def _heading(results: Results) -> Iterator[str]:
    header = results.header
    implementation, cluster = header.implementation, header.cluster
    yield f"# {implementation.name} {implementation.version}, {implementation.organisation}".rstrip(", ")
    yield f"# on Kubernetes {cluster.kubernetes} ({cluster.provider}), {header.started}"
    yield f"# judged by batchproof {header.batchproof}, suite {header.suite.digest}"


def _events(results: Results, entry: Entry, told: list[Case]) -> Iterator[dict[str, Any]]:
    """The events that ``go test -json`` writes (go doc test2json)."""
    begun = datetime.fromisoformat(results.header.started)
    package = f"batchproof/{results.header.profile}"

    def event(action: str, after_s: float, test: str | None = entry.test, **more: Any) -> dict[str, Any]:
        time = (begun + timedelta(seconds=after_s)).isoformat(timespec="milliseconds")
        named = {"Test": test} if test else {}
        return {"Time": time.replace("+00:00", "Z"), "Action": action, "Package": package, **named, **more}

    yield event("start", 0.0, None)
    yield event("run", 0.0)
    for case in told:
        at_s = _began_s(results, case)
        yield event("run", at_s, _name(entry, case))
        for line in _evidence(case):
            yield event("output", at_s, _name(entry, case), Output=f"    {line}\n")
        yield event(_said(case)[1], at_s + _took_s(case), _name(entry, case), Elapsed=_took_s(case))
    took_s = results.footer.duration_s
    whole = _SAID["failure" if _broken(told) else "passed"][1]
    yield event(whole, took_s, Elapsed=took_s)
    yield event(whole, took_s, None, Elapsed=took_s)


def _entry(results: Results, of: Entry, told: list[Case], outcome: Outcome) -> bytes:
    """The fields of the entry that a vendor fills in."""
    header = results.header
    implementation = header.implementation
    passed = sum(_said(case)[1] == "pass" for case in told)
    besides = f" {outcome.headline}." if outcome.deviations or outcome.retried else ""
    entry = {
        "id": of.id,
        "level": "MUST",
        "status": _STATUS[outcome.conformity],
        "evidence": [LOG, JUNIT, EVENTS],
        "notes": (
            f"{implementation.name} {implementation.version} on Kubernetes {header.cluster.kubernetes}, "
            f"judged from outside by batchproof {header.batchproof} (suite {header.suite.digest[:19]}): "
            f"{passed} of {len(told)} cases passed.{besides}"
        ),
    }
    text: str = yaml.safe_dump([entry], sort_keys=False, width=110)
    where = f"# Below {of.section} of PRODUCT.yaml; leave the description there as it stands.\n"
    return (where + text).encode()


def _evidence(case: Case) -> Iterator[str]:
    yield from case.evidence
    if case.ending.status != "passed":
        yield from (case.ending.message, *case.ending.text.splitlines())


def _name(entry: Entry, case: Case) -> str:
    """As Go names a part of a test: without blanks."""
    return f"{entry.test}/{case.name.replace(' ', '_')}"


def _said(case: Case) -> tuple[str, str]:
    return _SAID.get(case.ending.status, ("SKIP", "skip"))


def _broken(told: list[Case]) -> bool:
    return any(_said(case)[1] == "fail" for case in told)


def _took_s(case: Case) -> float:
    return case.scenario.duration_s if case.scenario else 0.0


def _began_s(results: Results, case: Case) -> float:
    if case.scenario is None or case.scenario.started is None:
        return 0.0
    begun = datetime.fromisoformat(results.header.started)
    return (datetime.fromisoformat(case.scenario.started) - begun).total_seconds()
