"""``index.html``: the page that a reviewer believes at a glance and checks down to the single request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report import html
from batchproof.report.grid import grid
from batchproof.report.scope import without
from batchproof.report.standing import STANDINGS
from batchproof.report.wording import count

if TYPE_CHECKING:
    from batchproof.report.outcome import Outcome
    from batchproof.report.results import Results

_MOST_NAMED = 3
_MOST_OPEN = 5  # causes whose timeline stands open at first: more would hide what comes after them


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much a verdict rests on, counted over all scenarios."""

    scenarios: int
    claims: int
    held: int
    faults: int
    firings: int
    idle_faults: int
    histories: int
    twice: int


def page(results: Results, outcome: Outcome) -> str:
    """The whole page as HTML."""
    shares = {name: number for name in STANDINGS if (number := outcome.standings.get(name, 0))}
    return html.page(
        "page.html.jinja",
        shares=shares,
        header=results.header,
        footer=results.footer,
        outcome=outcome,
        title=_title(results, outcome),
        most_open=_MOST_OPEN,
        errored=[one for one in results.scenarios if one.verdict == "errored"],
        evidence=_evidence(results),
        grid=grid(results.header.planned, results.scenarios),
    )


def _title(results: Results, outcome: Outcome) -> str:
    """The one big sentence."""
    header = results.header
    name, profile = f"{header.implementation.name} {header.implementation.version}", header.profile
    match outcome.conformity:
        case "not-conformant":
            return f"{name} does not conform to the {profile} profile"
        case "not-proven":
            return f"It is not proven that {name} conforms to the {profile} profile"
        case "partial":
            part = f"{name} was judged by a part of the {profile} profile only, without a failed MUST"
            return f"{part}{_but(outcome)}"
        case "conformant" | "conformant-with-deviations":
            return f"{name} conforms to the {profile} profile{_but(outcome)}"


def _but(outcome: Outcome) -> str:
    """What the verdict leaves out: deviations, and capabilities that were not judged."""
    number = count(len(outcome.deviations), "deviation")
    deviating = f", with {number}" if outcome.deviations else ""
    return f"{deviating}{f', {without(outcome.not_judged, _MOST_NAMED)}' if outcome.not_judged else ''}"


def _evidence(results: Results) -> Evidence:
    claims = [claim for scenario in results.scenarios for claim in scenario.claims]
    faults = [fault for scenario in results.scenarios for fault in scenario.faults]
    return Evidence(
        scenarios=len(results.scenarios),
        claims=len(claims),
        held=sum(claim.outcome == "held" for claim in claims),
        faults=len(faults),
        firings=sum(fault.fired for fault in faults),
        idle_faults=sum(not fault.fired for fault in faults),
        histories=sum(scenario.history is not None for scenario in results.scenarios),
        twice=sum(scenario.first is not None for scenario in results.scenarios),
    )
