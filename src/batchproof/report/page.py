"""``index.html``: the page that a reviewer believes at a glance and checks down to the single request.

One file with no request to anywhere else. Everything in it that came from a run is untrusted: the template
escapes all of it, and a content security policy names the page's own script and style by their digests, so
that even what slipped through could not run.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from batchproof.report import wording
from batchproof.report.outcome import STANDINGS, Outcome

if TYPE_CHECKING:
    from batchproof.report.results import Results

_TEMPLATE = Path(__file__).parent / "template"
_MOST_OPEN = 5  # causes whose timeline stands open at first: more would hide what comes after them
MARKS = {
    "passed": "✓",
    "held": "✓",
    "failed": "✕",
    "broken": "✕",
    "errored": "!",
    "inconclusive": "?",
    "undecided": "?",
    "missing": "∅",
    "skipped": "\N{EN DASH}",
    "not-run": "·",
}


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


def page(results: Results, outcome: Outcome) -> str:
    """The whole page as HTML."""
    shares = {name: number for name in STANDINGS if (number := outcome.standings.get(name, 0))}
    # The policy forbids style attributes, so the widths of the bar are part of the style sheet.
    widths = "".join(f".bar .{name}{{flex-grow:{number}}}" for name, number in shares.items())
    style = (_TEMPLATE / "page.css").read_text("utf-8") + widths
    script = (_TEMPLATE / "page.js").read_text("utf-8")
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            header=results.header,
            footer=results.footer,
            outcome=outcome,
            title=_title(results, outcome),
            most_open=_MOST_OPEN,
            errored=[one for one in results.scenarios if one.verdict == "errored"],
            waivers=[use for one in outcome.requirements for use in one.waivers if use.looked],
            shares=shares,
            evidence=_evidence(results),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
            f"script-src {_digest(script)}; base-uri 'none'; form-action 'none'",
        )
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
            return f"{name} was judged by a part of the {profile} profile only, without a failed MUST"
        case "conformant":
            return f"{name} conforms to the {profile} profile"


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
    )


def _visible(value: object) -> object:
    """Text of a run with its control characters shown; Markup is ours and stays as it is."""
    return wording.printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _digest(text: str) -> str:
    """How a content security policy names an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "duration": wording.duration,
        "utc": wording.utc,
        "link": wording.relative_link,
        "web": wording.web_link,
    }
    environment.globals |= {
        "mark": MARKS,
        "count": wording.count,
        "named": wording.named,
        "errored_because": wording.errored_because,
    }
    return environment
