"""The end of a run on the terminal: counts by subject, what did not pass and why, the verdict, the paths."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from batchproof.report.records import VERDICTS, Scenario
from batchproof.report.wording import count, duration, errored_because, named, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from rich.console import RenderableType

    from batchproof.report.outcome import Outcome
    from batchproof.report.results import Results

_MOST_NAMED = 10
STYLES = {
    "passed": "green",
    "failed": "bold red",
    "errored": "magenta",
    "inconclusive": "yellow",
    "skipped": "cyan",
}
_CONFORMITY_STYLES = {
    "conformant": "bold green",
    "not-conformant": "bold red",
    "not-proven": "bold yellow",
    "partial": "bold cyan",
}


def verdict_table(results: Results, outcome: Outcome, paths: Mapping[str, Path]) -> RenderableType:
    """What is printed when a run has ended; nothing in it is read as rich markup.

    Args:
        results: the run.
        outcome: what it comes to.
        paths: the files written, by their kind (``page``, ``junit``, ...).
    """
    parts: list[RenderableType] = [_counts(results), Text()]
    parts.extend(_unpassed(results, outcome))
    parts.append(Text(printable(outcome.sentence), _CONFORMITY_STYLES[outcome.conformity]))
    width = max(map(len, paths), default=0)
    parts.extend(Text(f"{kind:<{width}}  {path}", overflow="fold") for kind, path in paths.items())
    return Group(*parts)


def _counts(results: Results) -> Table:
    """A row a subject, that is a feature file; a column for each verdict that occurs."""
    by_subject: dict[str, list[Scenario]] = {}
    for scenario in results.scenarios:
        by_subject.setdefault(scenario.feature, []).append(scenario)
    occurring = {scenario.verdict for scenario in results.scenarios} | {"passed", "failed"}
    columns = [verdict for verdict in VERDICTS if verdict in occurring]
    table = Table(box=None, pad_edge=False, header_style="bold", show_footer=len(by_subject) > 1)
    total = Counter(scenario.verdict for scenario in results.scenarios)
    table.add_column("subject", "total")
    for verdict in columns:
        table.add_column(verdict, _number(total[verdict], verdict), justify="right")
    table.add_column("time", duration(results.footer.duration_s), justify="right")
    for feature, scenarios in by_subject.items():
        counts = Counter(scenario.verdict for scenario in scenarios)
        spent_s = sum(scenario.duration_s for scenario in scenarios)
        name = Text(printable(PurePosixPath(feature).stem.replace("_", " ")))
        table.add_row(name, *(_number(counts[one], one) for one in columns), Text(duration(spent_s)))
    return table


def _number(number: int, verdict: str) -> Text:
    return Text(str(number), STYLES[verdict]) if number else Text("·", "dim")


def _unpassed(results: Results, outcome: Outcome) -> Iterator[RenderableType]:
    """Each failure in full; what was skipped for the same reason in one line."""
    for verdict in ("failed", "errored", "inconclusive"):
        for scenario in results.scenarios:
            if scenario.verdict == verdict:
                yield from _explained(scenario)
    if missing := [one.id for one in outcome.of("missing")]:
        text = f"{count(len(missing), 'requirement')} missing a verdict: {named(missing, _MOST_NAMED)}"
        yield Text(printable(text), STYLES["failed"])
    waived = [one for one in outcome.of("skipped") if one.waiver]
    for one in waived:
        if one.waiver:
            text = f"{one.id} waived: {one.waiver.reason} {one.waiver.issue}".rstrip()
            yield Text(printable(text), STYLES["skipped"])
    for name in outcome.needless_waivers:
        yield Text(f"{name} waived but passes: remove the waiver", STYLES["failed"])
    reasons = Counter(one.reason for one in outcome.of("skipped") if not one.waiver)
    for reason, number in reasons.items():
        yield Text(f"{count(number, 'requirement')} skipped: {printable(reason)}", STYLES["skipped"])
    if outcome.exit_code or outcome.of("skipped", "failed", "errored", "inconclusive"):
        yield Text()


def _explained(scenario: Scenario) -> Iterator[RenderableType]:
    """The name of a scenario that did not pass, and why it did not."""
    style = STYLES[scenario.verdict]
    yield Text.assemble(
        (scenario.verdict, style), "  ", (printable(scenario.title), "bold"), (f"  {scenario.feature}", "dim")
    )
    if scenario.unmet:
        yield Text(printable(scenario.unmet.text()), overflow="fold")
    elif scenario.verdict == "errored":
        lines = errored_because(scenario.reason, scenario.error)
        yield Text("\n".join(f"  {printable(line)}" for line in lines), overflow="fold")
    else:
        text = f"  {scenario.requirement} not decided: {scenario.reason}"
        yield Text(printable(text), overflow="fold")
    if scenario.history:
        yield Text(f"  history   {printable(scenario.history)}", "dim", overflow="fold")
    yield Text()
