"""What an exploration leaves: a feature file for each broken requirement, its evidence, and a summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from batchproof import files
from batchproof.exploration.program import gherkin, script
from batchproof.report import wording
from batchproof.running.session.record import HISTORIES
from batchproof.screen import printable

if TYPE_CHECKING:
    from pathlib import Path

    from batchproof.exploration.program import State
    from batchproof.running.exploring.exploration import Exploration, Found

SUMMARY = "explored.json"
_KEPT = 10
"""How many histories of programs without a verdict are kept."""


@dataclass(frozen=True, slots=True)
class About:
    """What was explored, as it is told.

    Attributes:
        implementation: its name and version.
        descriptor: what to name after ``-i`` to play it again.
        interrupted: the user pressed Ctrl-C.
    """

    profile: str
    implementation: str
    descriptor: str
    seed: int
    workers: int
    interrupted: bool = False


def write(exploration: Exploration, begin: State, about: About, output: Path) -> list[str]:
    """Write all that was found into a folder; returns it in lines for the terminal."""
    lines = [_counts(exploration, about)]
    found: list[dict[str, Any]] = []
    for requirement, one in exploration.found.items():
        record = _finding(requirement, one, begin, about, output)
        found.append(record)
        lines += ["", *_lines(record)]
    for number, _, answer in exploration.undecided[:_KEPT]:
        if answer.history and answer.history.is_file():
            files.copy(answer.history, output, f"{HISTORIES}/undecided-{number}.jsonl")
    for number, _, answer in exploration.undecided[:3]:
        lines += ["", f"{answer.verdict:<13} program {number}: {answer.stopped}"]
    if not found:
        lines += ["", "nothing found"]
    summary = orjson.dumps(_summary(exploration, about, found), option=orjson.OPT_INDENT_2)
    files.write(output, SUMMARY, summary + b"\n")
    return lines


def _counts(exploration: Exploration, about: About) -> str:
    verdicts = exploration.verdicts
    special = [f"{verdicts[it]} {it}" for it in ("inconclusive", "errored") if verdicts[it]]
    programs = wording.count(verdicts.total(), "program") + (f" ({', '.join(special)})" if special else "")
    steps, faults = f"{exploration.steps} steps", wording.count(exploration.struck, "fault") + " struck"
    took = wording.duration(exploration.took_s)
    cut = ", interrupted" if about.interrupted else ""
    return f"seed {about.seed}: {programs}, {steps}, {faults}, {took}{cut}"


def _finding(requirement: str, one: Found, begin: State, about: About, output: Path) -> dict[str, Any]:
    """Write what is known of a requirement that is broken."""
    confirmed = one.case.confirmed
    program = confirmed or one.case.found
    broken, answer = one.shown.get(program, (one.at.broken, one.at.answer))
    written = script(begin, program)
    name = requirement if confirmed else f"{requirement}-seen-once"
    again, number = one.case.again[program], one.at.number
    state = f"failed again in the same way {again} times" if confirmed else "seen once, not confirmed"
    command = f"batchproof run -i {about.descriptor} --feature {name}.feature"
    description = [
        f"Expected: {broken.expected}. Observed: {broken.observed}.",
        f"Found by batchproof explore --profile {about.profile} --seed {about.seed}, program {number},",
        f"in {about.implementation}; {state}. To play it again, in the folder of this file:",
        command,
    ]
    title = f"Program {number} of seed {about.seed} breaks {requirement}"
    text = gherkin(
        written,
        requirement=requirement,
        title=title,
        feature=f"{requirement} is broken",
        description=description,
    )
    files.write(output, f"{name}.feature", text.encode())
    files.write(output, f"{name}.txt", f"{printable(broken.text)}\n".encode())
    history = None
    if answer.history and answer.history.is_file():
        history = f"{HISTORIES}/{name}.jsonl"
        files.copy(answer.history, output, history)
    return {
        "requirement": requirement,
        "confirmed": bool(confirmed),
        "program": number,
        "after_s": round(one.after_s, 1),
        "programs": one.programs,
        "steps_found": len(script(begin, one.case.found).sentences),
        "steps": len(written.sentences),
        "tried": one.case.shrinking.tried,
        "expected": broken.expected,
        "observed": broken.observed,
        "feature": str(output / f"{name}.feature"),
        "history": history,
    }


def _lines(record: dict[str, Any]) -> list[str]:
    seen = wording.count(record["programs"], "program")
    how = "broken" if record["confirmed"] else "seen once, not confirmed:"
    shrunk = f" made {record['steps']} steps of {record['steps_found']}" if record["confirmed"] else ""
    first = f"the first after {wording.duration(record['after_s'])}; program {record['program']}"
    return [
        f"{how} {record['requirement']}  by {seen}, {first}{shrunk}",
        f"  expected  {record['expected']}",
        f"  observed  {record['observed']}",
        f"  {record['feature']}",
    ]


def _summary(exploration: Exploration, about: About, found: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "profile": about.profile,
        "implementation": about.implementation,
        "seed": about.seed,
        "workers": about.workers,
        "interrupted": about.interrupted,
        "took_s": round(exploration.took_s, 1),
        "programs": exploration.verdicts.total(),
        "verdicts": dict(exploration.verdicts),
        "replays": exploration.replays,
        "steps": exploration.steps,
        "faults": exploration.struck,
        "found": found,
        "undecided": [
            {
                "program": number,
                "verdict": answer.verdict,
                "reason": answer.stopped,
                "steps": [sentence.text for sentence in one.sentences],
            }
            for number, one, answer in exploration.undecided
        ],
    }
