"""What an exploration leaves: a feature file for each broken requirement, its evidence, and a summary."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from batchproof.descriptor.implementation import is_path
from batchproof.evidence.plan import HISTORIES
from batchproof.exploration.program import gherkin
from batchproof.ground import files
from batchproof.ground.screen import printable
from batchproof.report import wording
from batchproof.report.exploration import ExplorationResult, ShownBreach
from batchproof.report.explored_page import Explored, explored_page, finding_page

SUMMARY = "explored.json"
PAGE = "index.html"
_KEPT = 10
"""How many histories of programs without a verdict are kept."""


@dataclass(frozen=True, slots=True)
class About:
    """What was explored, in words.

    Attributes:
        implementation: its name and version.
        descriptor: what to name after ``-i`` to run it again.
        where: the options that chose the cluster, but for files.
    """

    profile: str
    implementation: str
    descriptor: str
    where: tuple[str, ...] = ()


def write(result: ExplorationResult, about: About, output: Path) -> list[str]:
    """Write all that was found into a folder; returns it in lines for the terminal."""
    lines = [_counts(result)]
    found: list[dict[str, Any]] = []
    pages: list[Explored] = []
    for one in result.found:
        record, page = _finding(one, about, output)
        found.append(record)
        pages.append(page)
        lines += ["", *_lines(record, page)]
    for each in result.undecided[:_KEPT]:
        if each.history and each.history.is_file():
            name = f"undecided-{each.seed}-{each.program}.jsonl"
            files.copy(each.history, output, f"{HISTORIES}/{name}")
    for each in result.undecided[:3]:
        lines += ["", f"{each.verdict:<13} program {each.program} of seed {each.seed}: {each.reason}"]
    if not found:
        lines += ["", "nothing found"]
    told = {"implementation": about.implementation, "profile": about.profile, "counts": lines[0]}
    lines += ["", f"page   {files.write(output, PAGE, explored_page(pages, **told))}"]
    summary = orjson.dumps(_summary(result, about, found), option=orjson.OPT_INDENT_2)
    files.write(output, SUMMARY, summary + b"\n")
    return lines


def _counts(result: ExplorationResult) -> str:
    special = [f"{result.verdicts[it]} {it}" for it in ("inconclusive", "errored") if result.verdicts.get(it)]
    programs = wording.count(sum(result.verdicts.values()), "program")
    programs += f" ({', '.join(special)})" if special else ""
    steps, faults = f"{result.steps} steps", wording.count(result.faults, "fault") + " triggered"
    took = wording.duration(result.took_s)
    cut = ", interrupted" if result.interrupted else ""
    return f"{result.seeds_in_words}: {programs}, {steps}, {faults}, {took}{cut}"


def _finding(one: ShownBreach, about: About, output: Path) -> tuple[dict[str, Any], Explored]:
    """Write what is known of a requirement that is broken."""
    requirement, broken = one.requirement, one.unmet
    name = requirement if one.confirmed else f"{requirement}-not-confirmed"
    command = play_again(about, output, f"{name}.feature")
    state = (
        f"reproduced {one.again} times"
        if one.confirmed
        else "not confirmed: not reproduced when it was run again"
    )
    description = [
        f"Expected: {broken.expected}. Observed: {broken.observed}.",
        f"Found by batchproof explore --profile {about.profile} --seed {one.seed}, program {one.program},",
        f"in {about.implementation}; {state}. To run it again, in the folder of this file:",
        command,
    ]
    text = gherkin(
        one.script,
        requirement=requirement,
        title=f"Program {one.program} of seed {one.seed} breaks {requirement}",
        feature=f"{requirement} is broken",
        description=description,
    )
    files.write(output, f"{name}.feature", text.encode())
    files.write(output, f"{name}.txt", f"{printable(broken.text())}\n".encode())
    history = None
    if one.history and one.history.is_file():
        history = f"{HISTORIES}/{name}.jsonl"
        files.copy(one.history, output, history)
    steps = tuple(sentence.text for sentence in one.script.sentences)
    page = Explored(name, broken, one.confirmed, _how(one), steps, command, history)
    files.write(output, page.page, finding_page(page, output, about.implementation))
    record = {
        "requirement": requirement,
        "confirmed": one.confirmed,
        "seed": one.seed,
        "program": one.program,
        "after_s": round(one.after_s, 1),
        "programs": one.programs,
        "steps_found": one.steps_found,
        "steps": len(steps),
        "tried": one.tried,
        "expected": broken.expected,
        "observed": broken.observed,
        "feature": str(output / f"{name}.feature"),
        "history": history,
    }
    return record, page


def play_again(about: About, output: Path, feature: str) -> str:
    """The command that runs a scenario which was written, as it works in the folder of its file.

    Args:
        about: what was explored.
        output: the folder of the file, from where the user is.
        feature: the name of the file.
    """
    judged = about.descriptor
    if is_path(judged):
        path = os.path.relpath(Path(judged).expanduser().resolve(), output.resolve())
        judged = path if path.startswith(os.pardir) else f"./{path}"
    options = ["-i", judged, "--profile", about.profile, *about.where, "--feature", feature]
    return shlex.join(["batchproof", "run", *options])


def _how(one: ShownBreach) -> str:
    """How often it was broken, and what was made of the first program that broke it."""
    before, after = one.steps_found, len(one.script.sentences)
    told = f"by {wording.count(one.programs, 'program')}, the first after {wording.duration(one.after_s)}; "
    if not one.confirmed:
        return f"{told}not reproduced when run again"
    shrunk = f"minimized from {before} steps to {after}" if after < before else f"of {before} steps"
    return f"{told}program {one.program} {shrunk}"


def _lines(record: dict[str, Any], page: Explored) -> list[str]:
    return [
        f"{page.state} {record['requirement']}  {page.how}",
        f"  expected  {record['expected']}",
        f"  observed  {record['observed']}",
        f"  {record['feature']}",
    ]


def _summary(result: ExplorationResult, about: About, found: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "profile": about.profile,
        "implementation": about.implementation,
        "seed": result.seeds[0],
        "seeds": result.seeds,
        "workers": result.workers,
        "interrupted": result.interrupted,
        "took_s": round(result.took_s, 1),
        "programs": sum(result.verdicts.values()),
        "verdicts": result.verdicts,
        "replays": result.replays,
        "steps": result.steps,
        "faults": result.faults,
        "found": found,
        "undecided": [
            {
                "seed": one.seed,
                "program": one.program,
                "verdict": one.verdict,
                "reason": one.reason,
                "steps": one.steps,
            }
            for one in result.undecided
        ],
    }
