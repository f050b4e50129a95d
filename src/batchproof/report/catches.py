"""Is a mutant killed? Decided from a scenario's record, and from what the controller printed.

Killed means that a scenario of the requirement that is broken reports that requirement as failed. A scenario
that finds something else, never gets to its claim, or sees the changed code raise an exception kills nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from batchproof.judgement.invariants.processes import exits
from batchproof.report.marks import Mark, marks
from batchproof.report.records import ScenarioRecord
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_FRAME = re.compile(r'^ *File "(?P<file>.+)", line \d+, in (?P<function>.+)$')
_GROUP = re.compile(r"^(?: *[|+][- ]*)+")
_RAISED = re.compile(r"^[A-Za-z_][\w.]*(: .*)?$")


class Kill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scenario that killed a mutant, and the sentence that the mutant broke in it.

    Attributes:
        scenario: its id.
        title: its title, with the values of the example.
        step: the number of the step that found it, from 1; None: it was judged over the whole history.
        steps: how many steps the scenario has.
        sentence: the step as it is written, or the requirement where there is no step.
        expected: what had to be observed.
        observed: what was.
        history: the file of the history.
        marks: the records that its failure is shown by; none where something was waited for in vain.
    """

    scenario: str
    title: str
    step: int | None
    steps: int
    sentence: str
    expected: str
    observed: str
    history: str | None = None
    marks: tuple[Mark, ...] = ()

    @property
    def where(self) -> str:
        """At which step, in words."""
        if not self.step:
            return "the end, over the whole history"
        return f"step {self.step} of {self.steps}" + ("" if self.last else ", before the last claim")

    @property
    def last(self) -> bool:
        """No claim of the scenario was left to be made."""
        return self.step in (None, self.steps)


class Survival(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario of the requirement that did not kill a mutant, and why not.

    Attributes:
        scenario: its id.
        verdict: what it came to instead.
        why: the reason, in a few words; empty where it just passed.
    """

    scenario: str
    verdict: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A traceback that a controller printed: where it ended, and the error.

    Attributes:
        file: the file of the innermost function.
        function: its name.
        error: the last line.
    """

    file: str
    function: str
    error: str


def judged(
    scenario: ScenarioRecord, requirement: str, traces: Collection[Trace], planted: Collection[str]
) -> Kill | Survival:
    """Whether a scenario kills a mutant.

    Args:
        scenario: its record.
        requirement: the id that the mutant breaks.
        traces: what the wrong controller printed until then.
        planted: where the mutant differs from the reference, as ``file::Class.method``.
    """
    if fallen := next((one for one in traces if _within(one, planted)), None):
        return Survival(
            scenario.id, scenario.verdict, f"the changed code raises an exception: {fallen.error}"
        )
    broken = [one.requirement for one in scenario.breaches]
    if exits().intersection(broken) and requirement not in exits():
        return Survival(scenario.id, scenario.verdict, "the controller exited unexpectedly")
    unmet = scenario.unmet
    if unmet is None or unmet.requirement != requirement:
        return Survival(scenario.id, scenario.verdict, _why(scenario, broken))
    number = next((n for n, step in enumerate(scenario.steps, start=1) if step.outcome == "failed"), None)
    step = scenario.steps[number - 1] if number else None
    return Kill(
        scenario=scenario.id,
        title=scenario.title,
        step=number,
        steps=len(scenario.steps),
        sentence=f"{step.keyword} {step.text}" if step else unmet.sentence,
        expected=unmet.expected,
        observed=unmet.observed,
        history=scenario.history,
        marks=marks(unmet),
    )


def _why(scenario: ScenarioRecord, broken: list[str]) -> str:
    if scenario.unmet:
        broken = [scenario.unmet.requirement, *broken]
    others = f"only {', '.join(dict.fromkeys(broken))} was found unmet" if broken else ""
    missing = scenario.precondition
    never = f"{missing.step}: expected {missing.expected}, observed {missing.observed}" if missing else ""
    reason = never or scenario.reason or (scenario.error or "").strip().rpartition("\n")[2]
    return "; ".join(part for part in (reason, others) if part)


def warnings(
    traces: Collection[Trace], marks: Collection[Mark] = (), *, second: bool = False
) -> tuple[str, ...]:
    """What makes a kill doubtful though it is one.

    Args:
        marks: the records that it is shown by.
        traces: what the wrong controller printed.
        second: it was killed only in the retry of a scenario.
    """
    found = ["no scenario killed it in the first run"] if second else []
    if traces:
        printed = count(len(traces), "traceback")
        found.append(f"the controller printed {printed}: {next(iter(traces)).error}")
    astray = [f"record {one.record} ({one.subject})" for one in marks if not one.touched]
    if astray:
        found.append(f"it is shown by what the mutant has not touched: {', '.join(astray)}")
    return tuple(found)


def tracebacks(printed: str) -> Iterator[Trace]:
    """Every traceback in what a Python program has printed."""
    place: tuple[str, str] | None = None
    inside = False
    for raw in printed.splitlines():
        line = _GROUP.sub("", raw)
        if line.startswith("Traceback (most recent call last):"):  # that of a group says nothing
            inside, place = True, None
        elif inside and (frame := _FRAME.match(line)):
            if not frame["function"].startswith("<"):  # a lambda is part of what surrounds it
                place = frame["file"], frame["function"]
        elif inside and place and _RAISED.match(line):
            yield Trace(*place, line)
            inside = False


def _within(trace: Trace, planted: Collection[str]) -> bool:
    for where in planted:
        file, _, inside = where.partition("::")
        if trace.file.endswith(f"/{file}") and trace.function.rpartition(".")[2] == inside.rpartition(".")[2]:
            return True
    return False
