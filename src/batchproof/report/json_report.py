"""``report.json``: the outcome of a run for programs; its form is ``report.schema.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from batchproof.report.outcome import STANDINGS, Outcome, RequirementOutcome
from batchproof.report.records import VERDICTS, Scenario
from batchproof.report.results import FILE_NAME as RESULTS_NAME
from batchproof.report.results import Results

if TYPE_CHECKING:
    from collections.abc import Mapping

REPORT_SCHEMA_VERSION = 1


def json_report(results: Results, outcome: Outcome) -> bytes:
    """The report as indented JSON."""
    return orjson.dumps(_report(results, outcome), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _report(results: Results, outcome: Outcome) -> Mapping[str, Any]:
    header, footer = results.header, results.footer
    return {
        "schema": REPORT_SCHEMA_VERSION,
        "batchproof": header.batchproof,
        "suite": header.suite,
        "implementation": header.implementation,
        "cluster": header.cluster,
        "profile": header.profile,
        "run": {
            "started": header.started,
            "finished": footer.finished,
            "duration_s": footer.duration_s,
            "workers": header.workers,
            "time_scale": header.time_scale,
            "deadlines": header.deadlines,
            "results": RESULTS_NAME,
        },
        "verdict": {
            "conformity": outcome.conformity,
            "sentence": outcome.sentence,
            "exit_code": outcome.exit_code,
            "complete": outcome.complete,
            "reason": outcome.reason,
            "failed": outcome.failed_musts,
            "unproven": outcome.unproven_musts,
            "needless_waivers": outcome.needless_waivers,
        },
        "totals": {
            "requirements": {name: outcome.standings.get(name, 0) for name in STANDINGS},
            "scenarios": {name: outcome.scenarios.get(name, 0) for name in VERDICTS},
        },
        "requirements": [_requirement(one) for one in outcome.requirements],
    }


def _requirement(one: RequirementOutcome) -> Mapping[str, Any]:
    return {
        "id": one.id,
        "level": one.requirement.level,
        "required": one.required,
        "sentence": one.requirement.sentence,
        "source": one.requirement.source,
        "capability": one.requirement.capability,
        "verdict": one.standing,
        "reason": one.reason,
        "waiver": one.waiver,
        "needless_waiver": one.needless_waiver,
        "scenarios": [_scenario(scenario) for scenario in one.scenarios],
        "broken_in": [scenario.id for scenario in one.broken_in],
        "unrun": one.unrun,
    }


def _scenario(scenario: Scenario) -> Mapping[str, Any]:
    return {
        "id": scenario.id,
        "name": scenario.name,
        "example": scenario.example,
        "feature": scenario.feature,
        "verdict": scenario.verdict,
        "reason": scenario.reason,
        "duration_s": scenario.duration_s,
        "claims": scenario.claims,
        "faults": scenario.faults,
        "unmet": scenario.unmet,
        "error": scenario.error,
        "evidence": _evidence(scenario),
    }


def _evidence(scenario: Scenario) -> Mapping[str, Any] | None:
    """Where to look: the history, and in it the records that decided."""
    if scenario.history is None:
        return None
    moments = scenario.unmet.timeline if scenario.unmet else ()
    decisive = [moment.record for moment in moments if moment.here and moment.record is not None]
    return {"history": scenario.history, "records": decisive}
