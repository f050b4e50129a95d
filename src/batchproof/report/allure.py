"""``allure/``: the cases of ``cases`` as Allure reads them, with their steps and timelines."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Literal
from uuid import NAMESPACE_URL, uuid5

import orjson
from allure_commons.logger import AllureFileLogger
from allure_commons.model2 import (
    ATTACHMENT_PATTERN,
    Attachment,
    Label,
    StatusDetails,
    TestResult,
    TestStepResult,
)

from batchproof.ground.screen import printable
from batchproof.report.cases import AFTER, MAY_FOLLOW, ReportCase, Status, cases
from batchproof.report.drawings import Drawings
from batchproof.report.outcome import Outcome
from batchproof.report.records import ScenarioRecord
from batchproof.report.results import Results

if TYPE_CHECKING:
    from pathlib import Path

_STATUS: dict[Status, str] = {
    "passed": "passed",
    "failure": "failed",
    "error": "broken",
    "skipped": "skipped",
}
_TYPES = {"txt": "text/plain", "html": "text/html"}
_CATEGORIES = (
    {"name": "Causes", "matchedStatuses": ["failed"], "messageRegex": f"(?s)(?!{AFTER}|{MAY_FOLLOW}).*"},
    {"name": "Failed only after a cause", "matchedStatuses": ["failed"], "messageRegex": f"(?s){AFTER}.*"},
    {"name": "May follow from a cause", "matchedStatuses": ["failed"], "messageRegex": f"(?s){MAY_FOLLOW}.*"},
    {"name": "Errored, missing or undecided", "matchedStatuses": ["broken"]},
)
"""The groups of what is red, as Allure's own file for them has them; it matches messages as a whole."""
_STEP_STATUS = {"passed": "passed", "failed": "failed", "not-run": "skipped"}


def write_allure(results: Results, outcome: Outcome, drawings: Drawings, folder: Path) -> None:
    """Write the run into an empty folder.

    Args:
        results: the run.
        outcome: what it comes to.
        drawings: the timelines of its histories.
        folder: the empty folder.

    Raises:
        OSError: it cannot be written.
    """
    logger = AllureFileLogger(folder)
    for case in cases(results, outcome):
        drawn = None
        if case.ending.status != "passed" and case.shown_in:
            drawn = drawings.page(results, case.shown_in, alone=True)
        logger.report_result(_result(case, results, drawn, logger))
    categories = orjson.dumps(_CATEGORIES, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    (folder / "categories.json").write_bytes(categories)


def _result(case: ReportCase, results: Results, drawn: bytes | None, logger: AllureFileLogger) -> TestResult:
    """One case; it is known from run to run by its suite and its name.

    Args:
        case: the case.
        results: the run.
        drawn: the drawn timeline of the scenario that shows it.
        logger: writes what is attached.
    """
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
        if drawn:
            result.attachments.append(_attached("drawn-timeline", drawn, uuid, logger, "html"))
        evidence = printable("\n".join(case.evidence))
        result.attachments += [_attached("evidence", evidence, uuid, logger)] if evidence else []
    return result


def _steps(scenario: ScenarioRecord, begun_ms: int) -> list[TestStepResult]:
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


def _attached(
    name: str, content: str | bytes, uuid: str, logger: AllureFileLogger, kind: Literal["txt", "html"] = "txt"
) -> Attachment:
    source = ATTACHMENT_PATTERN.format(prefix=f"{uuid}-{name}", ext=kind)
    logger.report_attached_data(content, source)
    return Attachment(name=name.replace("-", " "), source=source, type=_TYPES[kind])


def _ms(time: str) -> int:
    """Milliseconds since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)
