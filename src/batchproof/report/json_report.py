"""``report.json``: the outcome of a run for programs; its form is ``report.schema.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from batchproof.report.outcome import STANDINGS, Outcome, RequirementOutcome
from batchproof.report.records import VERDICTS, Scenario
from batchproof.report.results import FILE_NAME as RESULTS_NAME
from batchproof.report.results import Results

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from batchproof.judgement.finding import Moment
    from batchproof.report.evidence import Evidence
    from batchproof.report.undecided import Obstacle

REPORT_SCHEMA_VERSION = 2


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
        "broken": [
            {
                "requirement": one.id,
                "level": one.requirement.level,
                "histories": len(one.broken),
                "after": outcome.wake.get(one.id, ()),
            }
            for one in (*outcome.causes, *outcome.followers)
        ],
        "undecided": [_obstacle(one) for one in outcome.obstacles],
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
        "waivers": [
            {"waiver": use.waiver, "seen": use.seen, "looked": use.looked, "needless": use.needless}
            for use in one.waivers
        ],
        "scenarios": [_scenario(scenario) for scenario in one.scenarios],
        "breaches": [_breach(breach) for breach in one.breaches],
        "unrun": one.unrun,
    }


def _breach(one: Evidence) -> Mapping[str, Any]:
    """A scenario of another requirement whose history breaks this one."""
    return {
        "scenario": one.scenario.id,
        "expected": one.unmet.expected,
        "observed": one.unmet.observed,
        "waived": one.waived is not None,
        "evidence": _evidence(one.scenario.history, one.unmet.timeline),
    }


def _obstacle(one: Obstacle) -> Mapping[str, Any]:
    """What did not come about, and the scenarios that it kept from being judged."""
    return {
        "reason": one.why,
        "what": one.what,
        "speaks_of": one.speaks_of,
        "broken": one.broken,
        "scenarios": [scenario.id for scenario in one.scenarios],
    }


def _scenario(scenario: Scenario) -> Mapping[str, Any]:
    return {
        "id": scenario.id,
        "name": scenario.name,
        "title": scenario.title,
        "example": scenario.example,
        "feature": scenario.feature,
        "verdict": scenario.verdict,
        "reason": scenario.reason,
        "duration_s": scenario.duration_s,
        "claims": scenario.claims,
        "faults": scenario.faults,
        "unmet": scenario.unmet,
        "precondition": scenario.precondition,
        "waived": scenario.waived,
        "error": scenario.error,
        "first": scenario.first,
        "evidence": _evidence(scenario.history, _moments(scenario)),
    }


def _moments(scenario: Scenario) -> Sequence[Moment]:
    """The timeline of what decided the verdict."""
    decided = scenario.unmet or scenario.precondition
    return decided.timeline if decided else ()


def _evidence(history: str | None, moments: Sequence[Moment]) -> Mapping[str, Any] | None:
    """Where to look: the history, and in it the records that decided."""
    if history is None:
        return None
    decisive = [moment.record for moment in moments if moment.here and moment.record is not None]
    return {"history": history, "records": decisive}
