"""What ``batchproof run`` would come to: the scenarios, and why some would be skipped."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from batchproof.descriptor import implementation as descriptors
from batchproof.evidence.plan import needs
from batchproof.ground.screen import say, say_json
from batchproof.report import wording
from batchproof.report.records import IN_PLACE, NOT_DECLARED
from batchproof.running.runner import (
    RunOptions,
    check_claimed,
    check_suite,
    chosen_requirements,
    out_of_reach,
    selected,
)


@dataclass(frozen=True, slots=True)
class ToRun:
    """A scenario that a run would come to.

    Attributes:
        skipped: why it would be skipped; empty if it would not.
    """

    id: str
    title: str
    requirement: str
    skipped: str


def dry_run(choices: RunOptions) -> int:
    """List what ``run`` would judge, one scenario a line: id and title."""
    if choices.feature:
        check_suite(choices.profile, choices.files)
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = chosen_requirements(choices)
    check_claimed(implementation, choices.profile)
    unreached, capabilities = out_of_reach(choices, implementation), needs(choices.what)
    rows = []
    for one in selected(choices):
        requirement = registry[one.requirement]
        why = IN_PLACE if one.id in unreached else ""
        why = why if requirement.in_force(implementation.implements) else "not-applicable"
        declared = map(implementation.declares, {requirement.capability, *capabilities[one.id]})
        rows.append(ToRun(one.id, one.title, one.requirement, why if all(declared) else NOT_DECLARED))
    if choices.as_json:
        told = {"implementation": implementation.full_name, "profile": choices.profile}
        say_json({**told, "scenarios": [asdict(row) for row in rows]})
        return 0
    for row in rows:
        say(f"{row.id}  {row.title}" + (f"  (skipped: {row.skipped})" if row.skipped else ""))
    say(f"{wording.count(len(rows), 'scenario')} for {implementation.full_name}")
    return 0
