"""Several runs side by side: which implementation meets which requirement, and what each does otherwise."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from batchproof.ground.errors import UserError
from batchproof.ground.screen import printable
from batchproof.report.evidence import Evidence
from batchproof.report.judged import sentence, unusual
from batchproof.report.markdown import code, plain, table
from batchproof.report.outcome import Outcome, judge_run
from batchproof.report.records import NOT_DECLARED, WAIVED, Header, Level, ScenarioRecord
from batchproof.report.results import Results
from batchproof.report.standing import RequirementOutcome, Standing, State
from batchproof.report.table import STYLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import RenderableType

_OF_A_RUN = ("implementation", "day", "Kubernetes", "suite", "configuration", "result", "not judged")
_OF_A_DEVIATION = ("requirement", "implementation", "scenario", "expected", "observed", "why")
_AS_MARKDOWN = {
    "skipped (not-declared)": "\N{MIDDLE DOT}",
    f"skipped ({WAIVED})": "**deviation**",
    "failed": "**failed**",
}
_LEGEND = (
    "**deviation**: the implementation fails, as its descriptor lists under [deviations](#deviations); "
    "passed (not always): the same, but this run did not show it; "
    "\N{MIDDLE DOT}: the requirement belongs to a capability that the implementation does not declare."
)
_MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A column.

    Attributes:
        implementation: name and version of what was judged; with the folder where other runs judged the same.
        day: the day of the run, in UTC.
        kubernetes: the version of the API server.
        suite: the digest of what it was judged by.
        configuration: in what it differs from a release in its default configuration.
        conclusion: the one line that ends the run.
        not_judged: the capabilities that it does not declare, with what was not judged for that.
    """

    implementation: str
    day: str
    kubernetes: str
    suite: str
    configuration: tuple[str, ...]
    conclusion: str
    not_judged: tuple[str, ...]

    @property
    def judged(self) -> str:
        """What was judged, in one sentence; empty where nothing about it is unusual."""
        return sentence(self.implementation, self.configuration)


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """A requirement in one run.

    Attributes:
        standing: its verdict.
        state: what the run shows of it.
        verdict: the verdict in words, with the reason where it was skipped.
        evidence: how the run shows that it is broken, the clearest history first.
        scenarios: its own scenarios in this run.
        sometimes: it passed, but an intermittent deviation is admitted.
    """

    standing: Standing
    state: State
    verdict: str
    evidence: tuple[Evidence, ...] = ()
    scenarios: tuple[ScenarioRecord, ...] = ()
    sometimes: bool = False

    @property
    def words(self) -> str:
        """The verdict in as few words as fit into a table."""
        if self.state == "broken" and self.standing == "skipped":
            return "deviation"
        short = "not declared" if NOT_DECLARED in self.verdict else self.standing.replace("-", " ")
        return "not always" if self.sometimes else short


_NOT_RUN = ComparisonCell("not-run", "not judged", "not-run")


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A requirement, and what it comes to in each run, in the order of the runs."""

    id: str
    level: Level
    sentence: str
    cells: tuple[ComparisonCell, ...]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict in each run, in words."""
        return tuple(one.verdict for one in self.cells)


@dataclass(frozen=True, slots=True)
class ComparedDeviation:
    """What an implementation is known to do otherwise.

    Attributes:
        implementation: its name and version.
        scenario: the id of the scenario that shows it.
        fact: the fact that is broken there.
        admitted: the values that the descriptor says are observed instead, in words.
        expected: what that scenario expects, in words; empty if the run did not see the deviation.
        observed: what the run saw instead; empty if it did not see the deviation.
        how_often: how often the run saw it, in words.
        reason: why.
        issue: where to read more.
    """

    requirement: str
    implementation: str
    scenario: str
    fact: str
    admitted: str
    expected: str
    observed: str
    how_often: str
    reason: str
    issue: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of verdicts.

    Attributes:
        profile: what all were judged as.
        runs: the columns, in the order in which they were named.
        rows: each requirement that some run judged.
        deviations: what the descriptors admit of these, requirement by requirement.
        accepted: the exit code of every run was 0.
    """

    profile: str
    runs: tuple[ComparedRun, ...]
    rows: tuple[ComparisonRow, ...]
    deviations: tuple[ComparedDeviation, ...]
    accepted: bool

    def to_json(self) -> dict[str, Any]:
        """The table as JSON."""
        names = [one.implementation for one in self.runs]
        return {
            "implementations": {one.implementation: one.conclusion for one in self.runs},
            "configuration": {one.implementation: one.configuration for one in self.runs},
            "not_judged": {one.implementation: one.not_judged for one in self.runs},
            "requirements": [
                {
                    "id": row.id,
                    "level": row.level,
                    "sentence": row.sentence,
                    "verdicts": dict(zip(names, row.verdicts, strict=True)),
                }
                for row in self.rows
            ],
            "deviations": [asdict(one) for one in self.deviations],
        }

    def to_markdown(self) -> str:
        """The page: what each run came to, the table, and the deviations."""
        names = [one.implementation for one in self.runs]
        blocks = [
            f"# The profile `{self.profile}`: which implementation meets which requirement",
            "<!-- Made by `batchproof compare --markdown`: do not edit. -->",
            _table(_OF_A_RUN, map(_of_a_run, self.runs)),
            "## Requirements",
            _LEGEND,
            _table(("requirement", *names, "sentence"), map(self._verdicts, self.rows)),
        ]
        if self.deviations:
            blocks += ["## Deviations", table(_OF_A_DEVIATION, map(_told, self.deviations), str)]
        return "\n\n".join(blocks) + "\n"

    def _verdicts(self, row: ComparisonRow) -> Iterator[str]:
        yield f"{row.id} ({row.level})"
        for one in row.cells:
            yield "passed (not always)" if one.sometimes else _AS_MARKDOWN.get(one.verdict, one.verdict)
        yield row.sentence


def _of_a_run(one: ComparedRun) -> Iterator[str]:
    """A run as a line of the table: what is more than one part in one cell."""
    for value in asdict(one).values():
        yield value if isinstance(value, str) else "; ".join(value)


def _told(one: ComparedDeviation) -> tuple[str, ...]:
    """A deviation as a line of the table: what facts say is quoted."""
    observed = one.observed or f"{one.admitted}: {one.how_often}"
    if len(observed) > _MOST_CHARACTERS:
        observed = f"{observed[:_MOST_CHARACTERS]} ..."
    why = f"{one.reason} {one.issue}".rstrip()
    named = map(plain, (one.requirement, one.implementation, one.scenario))
    return *named, code(one.expected or one.fact), code(observed), plain(why)


def _table(head: Sequence[str], lines: Iterable[Iterable[str]]) -> str:
    return table(head, lines, _cell)


def _cell(text: str) -> str:
    """A verdict is shown as we word it; all else stays text."""
    return text if text in _AS_MARKDOWN.values() else plain(text)


def comparison(results: Mapping[Path, Results]) -> Comparison:
    """The verdicts of several runs, requirement by requirement.

    Args:
        results: the runs by their folders: these distinguish runs of the same implementation.

    Raises:
        UserError: they judged different profiles.
    """
    headers = [one.header for one in results.values()]
    names = _names(results)
    if len(profiles := {one.profile for one in headers}) > 1:
        raise UserError(f"runs of different profiles cannot be compared: {', '.join(sorted(profiles))}")
    outcomes = [judge_run(one) for one in results.values()]
    cells = [{one.id: _cell_of(one) for one in outcome.requirements} for outcome in outcomes]
    told = {one.id: one.requirement for outcome in outcomes for one in outcome.requirements}
    rows = (
        ComparisonRow(id_, one.level, one.sentence, tuple(of_run.get(id_, _NOT_RUN) for of_run in cells))
        for id_, one in told.items()
    )
    judged = tuple(row for row in rows if set(row.verdicts) != {"not-run"})
    return Comparison(
        profile=headers[0].profile,
        runs=tuple(map(_run, names, headers, outcomes)),
        rows=judged,
        deviations=tuple(_deviations(judged, dict(zip(names, outcomes, strict=True)))),
        accepted=not any(one.exit_code for one in outcomes),
    )


def _names(results: Mapping[Path, Results]) -> list[str]:
    """What each column is called, in order: name and version, and the folder where these are not enough."""
    of = {
        path: f"{one.header.implementation.name} {one.header.implementation.version}"
        for path, one in results.items()
    }
    times, ends = Counter(of.values()), Counter(path.absolute().name for path in of)
    short = {path: end if ends[end := path.absolute().name] == 1 else str(path) for path in of}
    return [name if times[name] == 1 else f"{name} ({short[path]})" for path, name in of.items()]


def _run(name: str, header: Header, outcome: Outcome) -> ComparedRun:
    suite = header.suite.digest.removeprefix("sha256:")[:12]
    unjudged = tuple(f"{one.capability}: {one.text}" for one in outcome.not_judged)
    when, kubernetes = header.started[:10], header.cluster.kubernetes
    return ComparedRun(name, when, kubernetes, suite, unusual(header), outcome.sentence, unjudged)


def _cell_of(one: RequirementOutcome) -> ComparisonCell:
    reason = f" ({one.reason})" if one.standing == "skipped" and one.reason else ""
    return ComparisonCell(
        standing=one.standing,
        state=one.state,
        verdict=f"{one.standing}{reason}",
        evidence=one.evidence,
        scenarios=one.scenarios,
        sometimes=one.standing == "passed" and bool(one.waivers),
    )


def _deviations(
    rows: Iterable[ComparisonRow], outcomes: Mapping[str, Outcome]
) -> Iterator[ComparedDeviation]:
    of_each = {name: {one.id: one for one in outcome.requirements} for name, outcome in outcomes.items()}
    for row in rows:
        for name, requirements in of_each.items():
            if row.id in requirements:
                yield from _admitted(name, requirements[row.id])


def _admitted(implementation: str, one: RequirementOutcome) -> Iterator[ComparedDeviation]:
    for use in one.waivers:
        waiver = use.waiver
        seen = next((against.unmet for against in one.evidence if against.waived == waiver), None)
        yield ComparedDeviation(
            requirement=one.id,
            implementation=implementation,
            scenario=waiver.scenario,
            fact=waiver.broken,
            admitted=waiver.admitted,
            expected=seen.expected if seen else "",
            observed=seen.observed if seen else "",
            how_often=use.how_often,
            reason=waiver.reason.strip(),
            issue=waiver.reported,
        )


def comparison_table(compared: Comparison) -> RenderableType:
    """The table as it is printed; below it the verdict of each run, and what was judged."""
    table = Table(
        "requirement", *(printable(one.implementation) for one in compared.runs), header_style="bold"
    )
    for row in compared.rows:
        cells = [Text(printable(verdict), STYLES.get(verdict.split()[0], "")) for verdict in row.verdicts]
        table.add_row(row.id, *cells)
    lines = chain.from_iterable(map(_below, compared.runs))
    return Group(table, *(Text(printable(line), overflow="fold") for line in lines))


def _below(run: ComparedRun) -> Iterator[str]:
    """What stands below the table: the verdict of a run, and what was judged where that is unusual."""
    yield f"{run.implementation}: {run.conclusion}"
    if run.judged:
        yield f"  {run.judged}"
