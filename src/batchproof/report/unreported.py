"""The text by which a deviation without a public issue can be reported to its project."""

from __future__ import annotations

from batchproof.report.evidence import WaiverUse
from batchproof.report.records import Header
from batchproof.report.rerun import rerun
from batchproof.report.standing import RequirementOutcome


def issue_text(header: Header, one: RequirementOutcome, use: WaiverUse) -> str:
    """What to report, as Markdown: what happens, what is required, why, and how to see it.

    Empty if the deviation has a public issue already, or this run does not show it.

    Args:
        header: that of the run.
        one: the requirement that is not met.
        use: the deviation.
    """
    shown = next((each for each in one.evidence if each.waived == use.waiver), None)
    if shown is None or not use.waiver.unreported:
        return ""
    judged, scenario = header.implementation, shown.scenario
    steps = "\n".join(f"    {step.keyword.strip()} {step.text}" for step in scenario.steps)
    often = "It does not happen in every run." if use.waiver.sometimes else ""
    command = rerun(header, shown)
    parts = (
        f"# {scenario.title}",
        f"{judged.name} {judged.version}, Kubernetes {header.cluster.kubernetes}",
        f"What was done:\n\n{steps}",
        f"Expected: {shown.unmet.expected}\n\nObserved: {shown.unmet.observed}",
        often,
        f"Cause, as far as it is known: {use.waiver.reason.strip()}",
        f"{one.id} ({one.requirement.level}): {one.requirement.sentence}",
        f"Source: {one.requirement.source}" if one.requirement.source else "",
        f"To see it, with batchproof {header.batchproof}:\n\n    {command}" if command else "",
    )
    return "\n\n".join(filter(None, parts)) + "\n"
