"""``index.html``: the page that a reviewer believes at a glance and checks down to the single request."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report import html
from batchproof.report.areas import areas
from batchproof.report.changes import KINDS, Changes
from batchproof.report.drawings import Drawings, Drawn
from batchproof.report.grid import grid
from batchproof.report.judged import sentence, unusual
from batchproof.report.outcome import Outcome
from batchproof.report.records import RequirementRecord
from batchproof.report.rerun import rerun
from batchproof.report.results import Results
from batchproof.report.scope import chosen, without
from batchproof.report.standing import STANDINGS
from batchproof.report.unreported import issue_text
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_MOST_NAMED = 3
_MOST_DRAWN = 20  # causes with a picture on the page itself: each takes 15 KB, and all have one of their own
_MOST_OPEN = 5  # causes whose timeline stands open at first: more would hide what comes after them


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """How much a verdict rests on, counted over all scenarios.

    Attributes:
        waived: the claims that are broken as a deviation says.
        unrun: the scenarios that were skipped and did not run.
    """

    scenarios: int
    claims: int
    held: int
    waived: int
    faults: int
    firings: int
    idle_faults: int
    histories: int
    unrun: int
    twice: int


@dataclass(frozen=True, slots=True)
class PageProof:
    """What shows that the scenarios can fail, counted over the requirements of the profile.

    Attributes:
        mutants: the mutants of the suite, each of which breaks one requirement.
        broken: the requirements that some mutant breaks.
        otherwise: those of which something else shows it.
    """

    mutants: int
    broken: int
    otherwise: int
    requirements: int


@dataclass(frozen=True, slots=True)
class Unchecked:
    """What a certificate beside the results says of them: nothing of it was checked.

    Attributes:
        bundle: the name of its file.
        signer: the name of its signer, as it says itself.
        level: what that attests, as it says itself.
        issued: when it was signed, by the signer's clock.
        expires: when it ends.
    """

    bundle: str
    signer: str
    level: str
    issued: str
    expires: str

    @property
    def verify(self) -> str:
        """The command that checks it, for a shell in the folder: any party may have chosen the name."""
        return f"batchproof verify {shlex.quote(f'./{self.bundle}')} --trust FILE"


def page(
    results: Results,
    outcome: Outcome,
    drawings: Drawings,
    changes: Changes | None = None,
    *,
    checked: str = "",
    certificates: Sequence[Unchecked] = (),
) -> str:
    """The whole page as HTML.

    Args:
        results: the run.
        outcome: what it comes to.
        drawings: the timelines of its histories.
        changes: what has changed since another run.
        checked: when and by which suite it was judged again; empty: it was not.
        certificates: what those say that lie beside the results.
    """
    shares = {name: number for name in STANDINGS if (number := outcome.standings.get(name, 0))}
    return html.page(
        "page.html.jinja",
        shares=shares,
        header=results.header,
        chosen=chosen(results.header.suite),
        footer=results.footer,
        outcome=outcome,
        checked=checked,
        certificates=certificates,
        title=_title(results, outcome),
        judged=sentence(results.header.implementation.name, unusual(results.header)),
        most_open=_MOST_OPEN,
        timeline_of=drawings.link,
        areas=areas(outcome.requirements, results.header.planned),
        changes=changes,
        kinds=KINDS,
        issue_text=lambda use: issue_text(results.header, outcome.of_waiver(use), use),
        again=lambda shown: rerun(results.header, shown),
        drawn=_drawn(outcome, drawings),
        errored=[one for one in results.scenarios if one.verdict == "errored"],
        evidence=_evidence(results),
        proof=_proof(results.header.requirements.values()),
        grid=grid(results.header.planned, results.scenarios),
    )


def _drawn(outcome: Outcome, drawings: Drawings) -> Mapping[str, Drawn]:
    """The picture of the clearest history of each of the first causes, by the id of the requirement."""
    found = {}
    for number, one in enumerate(outcome.causes[:_MOST_DRAWN]):
        clearest = one.broken[0]
        if drawn := drawings.drawn(clearest.scenario, clearest.unmet, f"drawn-{number}"):
            found[one.id] = drawn
    return found


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
            waived = f" but for {count(len(outcome.deviating), 'deviation')}" if outcome.deviating else ""
            return f"{name} was judged by a part of the {profile} profile only, without a failed MUST{waived}"
        case "not-conformant-known":
            known = count(len(outcome.known), "core requirement")
            return f"{name} does not conform to the {profile} profile: {known} known to fail"
        case "conformant" | "conformant-with-deviations":
            place = " in place" if outcome.in_place else ""
            return f"{name} conforms{place} to the {profile} profile{_but(outcome)}"


def _but(outcome: Outcome) -> str:
    """What the verdict leaves out: deviations, and what was not judged in place or without a capability."""
    number = count(len(outcome.deviating), "deviation")
    deviating = f", with {number}" if outcome.deviating else ""
    lacking = f", {without(outcome.not_judged, _MOST_NAMED)}" if outcome.not_judged else ""
    return f"{deviating}{outcome.reach}{lacking}"


def _proof(requirements: Collection[RequirementRecord]) -> PageProof:
    return PageProof(
        mutants=sum(len(one.mutants) for one in requirements),
        broken=sum(bool(one.mutants) for one in requirements),
        otherwise=sum(bool(one.proven_by) for one in requirements),
        requirements=len(requirements),
    )


def _evidence(results: Results) -> PageEvidence:
    claims = [claim for scenario in results.scenarios for claim in scenario.claims]
    faults = [fault for scenario in results.scenarios for fault in scenario.faults]
    return PageEvidence(
        scenarios=len(results.scenarios),
        claims=len(claims),
        held=sum(claim.outcome == "held" for claim in claims),
        waived=sum(
            claim.outcome == "broken"
            for scenario in results.scenarios
            if scenario.waived
            for claim in scenario.claims
        ),
        faults=len(faults),
        firings=sum(fault.fired for fault in faults),
        idle_faults=sum(not fault.fired for fault in faults),
        histories=sum(scenario.history is not None for scenario in results.scenarios),
        unrun=sum(one.verdict == "skipped" and one.history is None for one in results.scenarios),
        twice=sum(scenario.first is not None for scenario in results.scenarios),
    )
