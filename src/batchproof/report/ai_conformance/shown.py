"""What a run shows to CNCF AI Conformance: a test of our own name, and its parts.

The checker refuses a file in which any test has failed, so a run with a failed MUST is nothing to submit. A
failure that a deviation covers, and a SHOULD that is not met, are skipped parts that say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from batchproof.ground.errors import UserError
from batchproof.ground.screen import printable
from batchproof.report.ai_conformance.program import ENTRIES, Entry
from batchproof.report.cases import ReportCase, cases
from batchproof.report.outcome import CONFORMS, Outcome, judge_run
from batchproof.report.records import WAIVED, ScenarioRecord
from batchproof.report.results import Results
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Collection

_PLATFORM = "existing"
"""The provider of a cluster that is there already: all others make one for the run."""
_TO_SUBMIT = {"partial", *CONFORMS}
_LINE_ENDS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A case of the run, as a part of the test.

    Attributes:
        name: behind that of the test, without blanks, as Go names a part of a test.
        case: how it reads in the run.
        why: why it is skipped; empty if it passed.
        lines: what it rests on, and why it is skipped.
        after_s: when it began, in seconds after the run did.
        took_s: how long it took, in seconds.
    """

    name: str
    case: str
    why: str
    lines: tuple[str, ...]
    after_s: float
    took_s: float


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run that can be submitted.

    Attributes:
        entry: the entry of PRODUCT.yaml that it is evidence for.
        bundle: the name of the file with its certificate; empty if there is none.
    """

    entry: Entry
    results: Results
    outcome: Outcome
    parts: tuple[ShownPart, ...]
    bundle: str = ""

    @property
    def suite(self) -> str:
        """The suite that was run, as ``run --suite`` takes it."""
        return self.results.header.planned[0].feature.removesuffix(".feature")

    @property
    def missing(self) -> str:
        """Why the run does not show that a platform implements the entry; empty if it does."""
        if self.entry.on_nodes:
            return "the nodes were simulated"
        if self.results.header.cluster.provider != _PLATFORM:
            return "the cluster was made for the run"
        return ""

    @property
    def judged(self) -> str:
        """What was judged: ``acme-jobs 2.3.1, Acme Batch``."""
        implementation = self.results.header.implementation
        return one_line(
            f"{implementation.name} {implementation.version}, {implementation.organisation}".rstrip(", ")
        )

    @property
    def counts(self) -> str:
        """How much passed: ``2 of 2 requirements met, 3 of 3 cases passed``."""
        met = self.outcome.standings.get("passed", 0)
        passed = sum(not part.why for part in self.parts)
        requirements = count(self.outcome.judged, "requirement")
        return f"{met} of {requirements} met, {passed} of {count(len(self.parts), 'case')} passed"

    @property
    def besides(self) -> str:
        """The verdict, where it says more than that all passed: deviations, retries, a SHOULD not met."""
        outcome = self.outcome
        told = outcome.deviations or outcome.retried or outcome.failed_others
        return outcome.headline if told else ""


def show(results: Results, asked: Collection[str], bundle: str = "") -> ShownRun:
    """What a run shows.

    Args:
        results: a run of a suite of the program.
        asked: the ids of all scenarios of that suite.
        bundle: the name of the file with its certificate, if there is one.

    Raises:
        UserError: the results are of something else, or cannot be submitted.
    """
    if {one.id for one in results.header.planned} != set(asked) or results.header.profile not in ENTRIES:
        what = next((one.feature for one in results.header.planned if one.id not in asked), "a part of it")
        raise UserError(
            f"these are the results of {what}: a submission needs those of "
            "`batchproof run --suite ai-conformance`, or ai-conformance-operator"
        )
    outcome = judge_run(results)
    if outcome.conformity not in _TO_SUBMIT:
        raise UserError(
            f"there is nothing to submit: {outcome.headline}; the program accepts nothing but "
            "'Implemented' for a MUST: see the report of the run, and run it again"
        )
    _see_judged(results.scenarios)
    parts = tuple(_part(results, case) for case in cases(results, outcome))
    if all(part.why for part in parts):
        raise UserError("there is nothing to submit: every case is waived, so that nothing is shown")
    return ShownRun(ENTRIES[results.header.profile], results, outcome, parts, bundle)


def one_line(text: str) -> str:
    """A text from outside as one line, printable."""
    return printable(_LINE_ENDS.sub(" ", text))


def _see_judged(scenarios: Collection[ScenarioRecord]) -> None:
    for one in scenarios:
        if one.verdict == "skipped" and one.reason != WAIVED:
            raise UserError(
                f"there is nothing to submit: {one.title} was not judged ({one.reason}): declare what "
                "it needs in the descriptor, and run it again"
            )


def _part(results: Results, case: ReportCase) -> ShownPart:
    ending = case.ending
    why = "" if ending.status == "passed" else one_line(ending.message or ending.kind or ending.status)
    lines = [*case.evidence, *([why, *_LINE_ENDS.split(ending.text)] if why else [])]
    return ShownPart(
        name="_".join(printable(case.name).split()),
        case=one_line(case.name),
        why=why,
        lines=tuple(one_line(line) for line in lines if line),
        after_s=_after_s(results, case.scenario),
        took_s=case.scenario.duration_s if case.scenario else 0.0,
    )


def _after_s(results: Results, scenario: ScenarioRecord | None) -> float:
    if scenario is None or scenario.started is None:
        return 0.0
    begun = datetime.fromisoformat(results.header.started)
    return (datetime.fromisoformat(scenario.started) - begun).total_seconds()
