"""``allure/``: the cases of ``cases`` as Allure reads them, with their steps and timelines."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from allure_commons.logger import AllureFileLogger
from allure_commons.model2 import (
    ATTACHMENT_PATTERN,
    Attachment,
    Label,
    StatusDetails,
    TestResult,
    TestStepResult,
)

from batchproof.report.cases import cases
from batchproof.screen import printable

if TYPE_CHECKING:
    from pathlib import Path

    from batchproof.report.cases import Case, Status
    from batchproof.report.outcome import Outcome
    from batchproof.report.records import Scenario
    from batchproof.report.results import Results

_STATUS: dict[Status, str] = {
    "passed": "passed",
    "failure": "failed",
    "error": "broken",
    "skipped": "skipped",
}
_STEP_STATUS = {"passed": "passed", "failed": "failed", "not-run": "skipped"}


def write_allure(results: Results, outcome: Outcome, folder: Path) -> None:
    """Write the run into an empty folder.

    Raises:
        OSError: it cannot be written.
    """
    logger = AllureFileLogger(folder)
    for case in cases(results, outcome):
        logger.report_result(_result(case, results, logger))


def _result(case: Case, results: Results, logger: AllureFileLogger) -> TestResult:
    """One case; it is known from run to run by its suite and its name."""
    header = results.header
    known_by = f"{case.suite}::{case.scenario.id if case.scenario else case.requirement}"
    uuid = str(uuid5(NAMESPACE_URL, f"{header.started} {known_by}"))
    begun_ms = _ms((case.scenario.started if case.scenario else None) or header.started)
    lasted_s = case.scenario.duration_s if case.scenario else 0.0
    digest = sha256(known_by.encode()).hexdigest()
    result = TestResult(
        uuid=uuid,
        historyId=digest,
        testCaseId=digest,
        fullName=printable(known_by),
        name=printable(case.name),
        status=_STATUS[case.ending.status],
        start=begun_ms,
        stop=begun_ms + round(lasted_s * 1000),
        steps=_steps(case.scenario, begun_ms) if case.scenario else [],
        labels=[
            Label(
                name="parentSuite",
                value=printable(f"{header.implementation.name} {header.implementation.version}"),
            ),
            Label(name="suite", value=printable(case.suite)),
            Label(name="epic", value=printable(header.profile)),
            Label(name="feature", value=printable(case.requirement)),
            Label(name="framework", value="batchproof"),
        ],
    )
    if case.ending.status != "passed":
        text = printable(case.ending.text)
        result.statusDetails = StatusDetails(message=printable(case.ending.message), trace=text)
        result.attachments = [_attached("timeline", text, uuid, logger)] if text else []
        evidence = printable("\n".join(case.evidence))
        result.attachments += [_attached("evidence", evidence, uuid, logger)] if evidence else []
    return result


def _steps(scenario: Scenario, begun_ms: int) -> list[TestStepResult]:
    steps = []
    for step in scenario.steps:
        start = begun_ms + round((step.at_s or 0.0) * 1000)
        steps.append(
            TestStepResult(
                name=printable(f"{step.keyword} {step.text}"),
                status=_STEP_STATUS[step.outcome],
                start=start,
                stop=start + round((step.duration_s or 0.0) * 1000),
            )
        )
    return steps


def _attached(name: str, text: str, uuid: str, logger: AllureFileLogger) -> Attachment:
    source = ATTACHMENT_PATTERN.format(prefix=f"{uuid}-{name}", ext="txt")
    logger.report_attached_data(text, source)
    return Attachment(name=name, source=source, type="text/plain")


def _ms(time: str) -> int:
    """Milliseconds since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)
