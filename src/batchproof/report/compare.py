"""Several runs side by side: which implementation meets which requirement, and what each does otherwise."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from batchproof.errors import UserError
from batchproof.report.outcome import judge_run
from batchproof.report.records import WAIVED
from batchproof.report.table import STYLES
from batchproof.screen import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from batchproof.report.outcome import Outcome
    from batchproof.report.records import Header, Level
    from batchproof.report.results import Results
    from batchproof.report.standing import RequirementOutcome

_OF_A_RUN = ("implementation", "day", "Kubernetes", "suite", "its run", "not judged")
_OF_A_DEVIATION = ("requirement", "implementation", "scenario", "expected", "observed", "why")
_AS_MARKDOWN = {
    "skipped (not-declared)": "\N{MIDDLE DOT}",
    f"skipped ({WAIVED})": "**deviation**",
    "failed": "**failed**",
}
_MARKUP = re.compile(r"[\\`*~|\[\]]|(?<!\w)_|_(?!\w)")
"""What GitHub's Markdown reads as markup: a backslash too, for after one a bar ends no cell only if it is
escaped itself. Within a word ``_`` means nothing."""
_LEGEND = (
    "**deviation**: it does otherwise, its descriptor admits it, and it stands [below](#deviations); "
    "passed (not always): so too, but this run did not see it; "
    "\N{MIDDLE DOT}: about a capability that it does not declare."
)
_MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Run:
    """A column.

    Attributes:
        implementation: name and version of what was judged.
        day: the day of the run, in UTC.
        kubernetes: the version of the API server.
        suite: the digest of what it was judged by.
        conclusion: the one line that ends the run.
        not_judged: the capabilities that it does not declare, with what was not judged for that.
    """

    implementation: str
    day: str
    kubernetes: str
    suite: str
    conclusion: str
    not_judged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A requirement, and its verdict in each run, in the order of the runs."""

    id: str
    level: Level
    sentence: str
    verdicts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deviation:
    """What an implementation is known to do otherwise.

    Attributes:
        implementation: its name and version.
        scenario: the title of the scenario that shows it.
        fact: the fact that is broken there.
        admitted: what the descriptor says is observed instead; ``*`` stands for anything.
        expected: what that scenario expects, in words; empty if the run did not see the deviation.
        observed: what the run saw instead; empty if it did not see the deviation.
        how_often: how often the run saw it, in words.
        reason: why.
        issue: where more is told.
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
        all_conformant: no run has anything against its implementation.
    """

    profile: str
    runs: tuple[Run, ...]
    rows: tuple[Row, ...]
    deviations: tuple[Deviation, ...]
    all_conformant: bool

    def to_json(self) -> dict[str, Any]:
        """The table as JSON."""
        names = [one.implementation for one in self.runs]
        return {
            "implementations": {one.implementation: one.conclusion for one in self.runs},
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
            f"# Who meets what of the profile `{self.profile}`",
            "<!-- Made by `batchproof compare --markdown`: do not edit. -->",
            _table(_OF_A_RUN, ((*values, "; ".join(left)) for *values, left in map(_values, self.runs))),
            "## Requirement by requirement",
            _LEGEND,
            _table(("requirement", *names, "sentence"), map(self._verdicts, self.rows)),
        ]
        if self.deviations:
            blocks += ["## Deviations", _table(_OF_A_DEVIATION, map(_told, self.deviations))]
        return "\n\n".join(blocks) + "\n"

    def _verdicts(self, row: Row) -> Iterator[str]:
        admitted = {one.implementation for one in self.deviations if one.requirement == row.id}
        yield f"{row.id} ({row.level})"
        for run, verdict in zip(self.runs, row.verdicts, strict=True):
            not_always = verdict == "passed" and run.implementation in admitted
            yield "passed (not always)" if not_always else _AS_MARKDOWN.get(verdict, verdict)
        yield row.sentence


def _values(one: Run) -> tuple[Any, ...]:
    return tuple(asdict(one).values())


def _told(one: Deviation) -> tuple[str, ...]:
    """A deviation as a line of the table."""
    observed = one.observed or f"{one.admitted}: {one.how_often}"
    if len(observed) > _MOST_CHARACTERS:
        observed = f"{observed[:_MOST_CHARACTERS]} ..."
    why = f"{one.reason} {one.issue}".rstrip()
    return one.requirement, one.implementation, one.scenario, one.expected or one.fact, observed, why


def _table(head: Sequence[str], lines: Iterable[Iterable[str]]) -> str:
    """A table of Markdown."""
    rows = (head, ["---"] * len(head), *lines)
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(text: str) -> str:
    """Text that stays in its cell, and is neither HTML nor Markdown: no link, no image, no other letters."""
    if text in _AS_MARKDOWN.values():
        return text
    plain = " ".join(printable(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", plain)


def comparison(results: Sequence[Results]) -> Comparison:
    """The verdicts of several runs, requirement by requirement.

    Raises:
        UserError: two runs judged the same version of one implementation, or as different profiles.
    """
    headers = [one.header for one in results]
    names = [f"{one.implementation.name} {one.implementation.version}" for one in headers]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise UserError(f"more than one of these runs judged {', '.join(repeated)}: name one of them only")
    if len(profiles := {one.profile for one in headers}) > 1:
        raise UserError(f"runs of different profiles cannot be compared: {', '.join(sorted(profiles))}")
    outcomes = [judge_run(one) for one in results]
    verdicts = [{one.id: _verdict(one) for one in outcome.requirements} for outcome in outcomes]
    told = {one.id: one.requirement for outcome in outcomes for one in outcome.requirements}
    rows = (
        Row(id_, one.level, one.sentence, tuple(of_run.get(id_, "not-run") for of_run in verdicts))
        for id_, one in told.items()
    )
    judged = tuple(row for row in rows if set(row.verdicts) != {"not-run"})
    return Comparison(
        profile=headers[0].profile,
        runs=tuple(map(_run, names, headers, outcomes)),
        rows=judged,
        deviations=tuple(_deviations(judged, dict(zip(names, outcomes, strict=True)))),
        all_conformant=not any(one.exit_code for one in outcomes),
    )


def _run(name: str, header: Header, outcome: Outcome) -> Run:
    suite = header.suite.digest.removeprefix("sha256:")[:12]
    unjudged = tuple(f"{one.capability}: {one.text}" for one in outcome.not_judged)
    return Run(name, header.started[:10], header.cluster.kubernetes, suite, outcome.sentence, unjudged)


def _verdict(one: RequirementOutcome) -> str:
    return f"{one.standing} ({one.reason})" if one.standing == "skipped" and one.reason else one.standing


def _deviations(rows: Iterable[Row], outcomes: Mapping[str, Outcome]) -> Iterator[Deviation]:
    of_each = {name: {one.id: one for one in outcome.requirements} for name, outcome in outcomes.items()}
    for row in rows:
        for name, requirements in of_each.items():
            if row.id in requirements:
                yield from _admitted(name, requirements[row.id])


def _admitted(implementation: str, one: RequirementOutcome) -> Iterator[Deviation]:
    for use in one.waivers:
        waiver = use.waiver
        seen = next((against.unmet for against in one.evidence if against.waived == waiver), None)
        yield Deviation(
            requirement=one.id,
            implementation=implementation,
            scenario=waiver.scenario,
            fact=waiver.broken,
            admitted=waiver.admitted,
            expected=seen.expected if seen else "",
            observed=seen.observed if seen else "",
            how_often=use.how_often,
            reason=waiver.reason.strip(),
            issue=waiver.issue,
        )


def comparison_table(compared: Comparison) -> RenderableType:
    """The table as it is printed, with the verdict of each run below it."""
    table = Table(
        "requirement", *(printable(one.implementation) for one in compared.runs), header_style="bold"
    )
    for row in compared.rows:
        cells = [Text(printable(verdict), STYLES.get(verdict.split()[0], "")) for verdict in row.verdicts]
        table.add_row(row.id, *cells)
    verdicts = (
        Text(printable(f"{one.implementation}: {one.conclusion}"), overflow="fold") for one in compared.runs
    )
    return Group(table, *verdicts)
