"""Several runs side by side: which implementation meets which requirement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from batchproof.errors import UserError
from batchproof.report.outcome import judge_run
from batchproof.report.table import STYLES
from batchproof.report.wording import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.report.outcome import RequirementOutcome
    from batchproof.report.results import Results


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of verdicts.

    Attributes:
        implementations: the columns: name and version of what was judged, in the order of the runs.
        rows: for each requirement its id, its sentence, and its verdict in each run.
        conclusions: the one line that ends each run.
        all_conformant: no run has anything against its implementation.
    """

    implementations: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str, ...]], ...]
    conclusions: tuple[str, ...]
    all_conformant: bool

    def to_json(self) -> dict[str, Any]:
        """The table as JSON."""
        return {
            "implementations": dict(zip(self.implementations, self.conclusions, strict=True)),
            "requirements": [
                {
                    "id": id_,
                    "sentence": sentence,
                    "verdicts": dict(zip(self.implementations, verdicts, strict=True)),
                }
                for id_, sentence, verdicts in self.rows
            ],
        }

    def to_markdown(self) -> str:
        """The table as Markdown."""
        head = ("requirement", *self.implementations)
        lines = [head, tuple("---" for _ in head), *((id_, *verdicts) for id_, _, verdicts in self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def comparison(runs: Sequence[Results]) -> Comparison:
    """The verdicts of several runs, requirement by requirement.

    Raises:
        UserError: two runs judged the same version of one implementation, or as different profiles.
    """
    names = tuple(f"{run.header.implementation.name} {run.header.implementation.version}" for run in runs)
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise UserError(f"more than one of these runs judged {', '.join(repeated)}: name one of them only")
    if len(profiles := {run.header.profile for run in runs}) > 1:
        raise UserError(f"runs of different profiles cannot be compared: {', '.join(sorted(profiles))}")
    outcomes = [judge_run(run) for run in runs]
    verdicts = [{one.id: _verdict(one) for one in outcome.requirements} for outcome in outcomes]
    sentences = {one.id: one.requirement.sentence for outcome in outcomes for one in outcome.requirements}
    rows = (
        (id_, sentence, tuple(of_run.get(id_, "not-run") for of_run in verdicts))
        for id_, sentence in sentences.items()
    )
    judged = tuple(row for row in rows if set(row[2]) != {"not-run"})
    return Comparison(
        names, judged, tuple(one.sentence for one in outcomes), not any(one.exit_code for one in outcomes)
    )


def _verdict(one: RequirementOutcome) -> str:
    return f"{one.standing} ({one.reason})" if one.standing == "skipped" and one.reason else one.standing


def comparison_table(compared: Comparison) -> Table:
    """The table as it is printed."""
    table = Table("requirement", *compared.implementations, header_style="bold")
    for id_, _, verdicts in compared.rows:
        cells = [Text(printable(verdict), STYLES.get(verdict.split()[0], "")) for verdict in verdicts]
        table.add_row(id_, *cells)
    return table
