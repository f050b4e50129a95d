"""The end of a run on the terminal: counts by subject, what is broken, what could not be judged, the verdict.

Causes come first: each broken requirement once, the first ones with their clearest timeline; then what could
not be judged, once for each thing that did not come about. Whatever there is to say, it fits into 200 lines.
"""

from __future__ import annotations

from collections import Counter
from math import fsum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from batchproof.ground.screen import printable
from batchproof.report.evidence import Evidence, WaiverUse
from batchproof.report.excerpt import Excerpt
from batchproof.report.grid import Grid, grid
from batchproof.report.outcome import Outcome
from batchproof.report.records import VERDICTS, FirstPlay, ScenarioRecord
from batchproof.report.rerun import rerun
from batchproof.report.results import Results
from batchproof.report.standing import RequirementOutcome
from batchproof.report.undecided import Obstacle
from batchproof.report.wording import count, duration, errored_because, named, retried

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import RenderableType

_MOST_NAMED = 10
_IN_FULL = 5  # causes that are shown with their timeline: more would hide the verdict
_MOST_LINES = 200  # of all that is printed: the page has the rest
_RARE = ("inconclusive", "errored")
STYLES = {
    "passed": "green",
    "failed": "bold red",
    "errored": "magenta",
    "inconclusive": "yellow",
    "skipped": "cyan",
}
_CONFORMITY_STYLES = {
    "conformant": "bold green",
    "conformant-with-deviations": "bold cyan",
    "not-conformant-known": "bold red",
    "not-conformant": "bold red",
    "not-proven": "bold yellow",
    "partial": "bold cyan",
}


def verdict_table(
    results: Results,
    outcome: Outcome,
    paths: Mapping[str, Path],
    judged: str = "",
    where: Sequence[str] = (),
) -> RenderableType:
    """What is printed when a run has ended; nothing in it is read as rich markup.

    Args:
        results: the run.
        outcome: what it comes to.
        paths: the files written, by their kind (``page``, ``junit``, ...).
        judged: what the user named after ``-i``, if it is known.
        where: the options that chose the cluster, if they are known.
    """
    parts: list[RenderableType] = [_counts(results), Text()]
    if found := grid(results.header.planned, results.scenarios):
        parts = [*_under_faults(found), Text()]
    page = paths.get("page")
    parts.extend(_causes(outcome, page, lambda shown: rerun(results.header, shown, judged, where)))
    parts.extend(_unpassed(results, outcome))
    parts.extend(_judged(results))
    width = max(map(len, paths), default=0)
    end = [
        Text(printable(outcome.sentence), _CONFORMITY_STYLES[outcome.conformity]),
        *(Text(f"{kind:<{width}}  {path}", overflow="fold") for kind, path in paths.items()),
    ]
    return Excerpt(parts, end, _MOST_LINES, lambda number: _left_out(number, page))


def _left_out(number: int, page: Path | None) -> Text:
    where = f": they are on the page, {page}" if page else ""
    return Text(f"... {count(number, 'more line')}{where}", STYLES["inconclusive"], overflow="fold")


def _counts(results: Results) -> Table:
    """A row a subject, that is a feature file; a column for each verdict that occurs."""
    by_subject: dict[str, list[ScenarioRecord]] = {}
    for scenario in results.scenarios:
        by_subject.setdefault(scenario.feature, []).append(scenario)
    occurring = {scenario.verdict for scenario in results.scenarios} | {"passed", "failed"}
    columns = [verdict for verdict in VERDICTS if verdict in occurring]
    table = Table(box=None, pad_edge=False, header_style="bold", show_footer=len(by_subject) > 1)
    total = Counter(scenario.verdict for scenario in results.scenarios)
    table.add_column("scenarios", "total")
    for verdict in columns:
        table.add_column(verdict, _number(total[verdict], verdict), justify="right")
    table.add_column("time", duration(results.footer.duration_s), justify="right")
    for feature, scenarios in by_subject.items():
        counts = Counter(scenario.verdict for scenario in scenarios)
        spent_s = fsum(scenario.duration_s for scenario in scenarios)
        name = Text(printable(PurePosixPath(feature).stem.replace("_", " ")))
        table.add_row(name, *(_number(counts[one], one) for one in columns), Text(duration(spent_s)))
    return table


def _under_faults(found: Grid) -> Iterator[RenderableType]:
    """A row a fault profile; each play that differs; and why scenarios were left out."""
    columns = (
        "passed",
        "failed",
        *(one for one in _RARE if any(found.counts[it][one] for it in found.counts)),
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("under faults")
    for verdict in columns:
        table.add_column(verdict, justify="right")
    for name in found.profiles:
        table.add_row(Text(name), *(_number(found.counts[name][one], one) for one in columns))
    yield table
    for one in found.differing:
        yield from _differing(one)
    for why, number in found.left_out.items():
        text = f"{count(number, 'scenario')} left out: {why}"
        yield Text(printable(text), STYLES["skipped"], overflow="fold")


def _differing(one: ScenarioRecord) -> Iterator[RenderableType]:
    """What is other than without faults, in one line each, and where it can be read."""
    yield Text.assemble(("differs", STYLES["failed"]), "  ", (printable(one.title), "bold"), overflow="fold")
    for unmet in filter(None, (one.unmet, *(breach for breach in one.breaches if breach.waived is None))):
        yield Text(printable(f"  {unmet.requirement}  {unmet.observed}"), overflow="fold")
    yield from _history(one)


def _number(number: int, verdict: str) -> Text:
    return Text(str(number), STYLES[verdict]) if number else Text("·", "dim")


def _unpassed(results: Results, outcome: Outcome) -> Iterator[RenderableType]:
    """What failed after a cause, what is not decided, and what was skipped: a line for each reason."""
    if outcome.followers:
        yield Text(printable(outcome.in_the_wake), STYLES["failed"], overflow="fold")
        yield Text()
    for scenario in results.scenarios:
        if scenario.verdict == "errored":
            yield from _errored(scenario)
    for obstacle in outcome.obstacles:
        yield from _obstacle(obstacle)
    yield from _played_twice([(one, one.first) for one in results.scenarios if one.first])
    if missing := [one.id for one in outcome.of("missing")]:
        text = f"{count(len(missing), 'requirement')} missing a verdict: {named(missing, _MOST_NAMED)}"
        yield Text(printable(text), STYLES["failed"])
    for use in outcome.deviations:
        yield _waiver(use)
    for line in _not_judged(outcome):
        yield Text(printable(line), STYLES["skipped"], overflow="fold")
    if outcome.exit_code or outcome.of("skipped", "failed", "errored", "inconclusive"):
        yield Text()


def _judged(results: Results) -> Iterator[RenderableType]:
    """What was judged, where it was a selection: else the word that selected it is all that is known."""
    if results.header.suite.whole:
        return
    if ids := [one.id for one in results.scenarios if one.verdict != "skipped"]:
        yield Text(printable(f"judged: {named(ids, _MOST_NAMED)}"), "dim", overflow="fold")
        yield Text()


def _not_judged(outcome: Outcome) -> Iterator[str]:
    """What was skipped, a line for each capability that is not declared and for each other reason."""
    for unjudged in outcome.not_judged:
        yield f"not judged: {unjudged.capability} is not declared, {unjudged.text}"
    for reason, ids in outcome.skipped.items():
        yield f"not judged: {reason}, {count(len(ids), 'requirement')}"


def _causes(
    outcome: Outcome, page: Path | None, again: Callable[[Evidence], str]
) -> Iterator[RenderableType]:
    """The first causes in full, and each of the others in one line that says where the rest is."""
    for one in outcome.causes[:_IN_FULL]:
        yield from _cause(one, again(one.broken[0]))
    for one in outcome.causes[_IN_FULL:]:
        yield _in_one_line(one, page)
    if len(outcome.causes) > _IN_FULL:
        yield Text()


def _in_one_line(one: RequirementOutcome, page: Path | None) -> Text:
    """A broken requirement with its place on the page; the end is cut where the terminal is too narrow."""
    where = f"  {page}#{one.id}" if page else ""
    told = f"in {count(len(one.broken), 'history', 'histories')}: {one.requirement.sentence}"
    line = _named(one)
    line.append(f"{where}  {' '.join(printable(told).split())}", "dim")
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def _named(one: RequirementOutcome) -> Text:
    level = "" if one.requirement.level == "MUST" else f" ({one.requirement.level})"
    return Text.assemble(("failed", STYLES["failed"]), "  ", (f"{one.id}{level}", "bold"))


def _cause(one: RequirementOutcome, again: str) -> Iterator[RenderableType]:
    """A broken requirement: in how many histories, the clearest of them in full, and how to see it again.

    Args:
        one: the requirement.
        again: the command that runs it again; empty if there is none.
    """
    clearest = one.broken[0]
    yield _named(one).append(f"  in {one.shown_by}", "dim")
    yield Text(printable(clearest.unmet.text()), overflow="fold")
    where = f"{clearest.scenario.title}  {clearest.scenario.feature}"
    if clearest.unmet.fact:
        yield Text(f"  fact      {printable(clearest.unmet.fact)}", "dim", overflow="fold")
    yield Text(f"  scenario  {printable(where)}", "dim", overflow="fold")
    yield from _history(clearest.scenario)
    if again:
        yield Text(f"  rerun     {printable(again)}", overflow="fold")
    yield Text()


def _errored(scenario: ScenarioRecord) -> Iterator[RenderableType]:
    """What broke on our side."""
    yield Text.assemble(
        ("errored", STYLES["errored"]),
        "  ",
        (printable(f"{scenario.requirement} {scenario.title}"), "bold"),
        (f"  {scenario.feature}", "dim"),
    )
    lines = errored_because(scenario.reason, scenario.error)
    yield Text("\n".join(f"  {printable(line)}" for line in lines), overflow="fold")
    yield from _history(scenario)
    yield Text()


def _waiver(use: WaiverUse) -> Text:
    """A deviation, and how often it was seen."""
    waiver = use.waiver
    if use.needless:
        text = f"{waiver.requirement} passed though waived in {waiver.scenario}: remove the waiver"
        return Text(printable(text), STYLES["failed"], overflow="fold")
    return Text(printable(f"{waiver.requirement} waived: {waiver.text}; {use.how_often}"), STYLES["skipped"])


def _obstacle(obstacle: Obstacle) -> Iterator[RenderableType]:
    """What did not come about, and whose scenarios could not be judged for it."""
    style = STYLES["inconclusive"]
    yield Text.assemble(("inconclusive", style), "  ", printable(obstacle.text), overflow="fold")
    if len(obstacle.scenarios) == 1:
        (scenario,) = obstacle.scenarios
        yield Text(f"  scenario  {scenario.requirement} {printable(scenario.title)}", "dim", overflow="fold")
        yield from _history(scenario)
    else:
        of = named(obstacle.requirements, _MOST_NAMED)
        yield Text(f"  of        {printable(of)}", "dim", overflow="fold")
    yield Text()


def _played_twice(played: list[tuple[ScenarioRecord, FirstPlay]]) -> Iterator[RenderableType]:
    """What could not be judged the first time, and why not."""
    if not played:
        return
    yield Text(f"{retried(len(played))}: not judged the first time", STYLES["inconclusive"])
    for one, first in played[:_MOST_NAMED]:
        text = f"  {one.requirement} {one.title}: {first.why}; the second time {one.verdict}"
        yield Text(printable(text), overflow="fold")
    if len(played) > _MOST_NAMED:
        yield Text(f"  and {len(played) - _MOST_NAMED} more, on the page")
    yield Text()


def _history(scenario: ScenarioRecord) -> Iterator[RenderableType]:
    if scenario.history:
        yield Text(f"  history   {printable(scenario.history)}", "dim", overflow="fold")
