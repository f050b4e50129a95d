"""The drawn timelines of a run: a page for each scenario that has a history, and pictures for the run's page.

Results may come from another machine. So a history is read only if it is a plain file in the folder
itself, behind no link; one that is missing, damaged or too large has no picture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground.errors import UserError
from batchproof.judgement.history import Record, Saved
from batchproof.report import html
from batchproof.report.cause_and_effect import sentence
from batchproof.report.records import ScenarioRecord, UnmetClaim
from batchproof.report.results import Results
from batchproof.report.timeline_picture.log import LineRun, log
from batchproof.report.timeline_picture.model import Picture
from batchproof.report.timeline_picture.picture import picture
from batchproof.report.timeline_picture.svg import Names, svg
from batchproof.report.wording import count, relative_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from markupsafe import Markup

TIMELINES = "timelines"
_HISTORY = re.compile(r"histories/(?P<stem>[\w.+@ -]+)\.jsonl", re.ASCII)
_LARGEST = 256 << 20  # bytes: the longest histories of the suite have 10 MB


@dataclass(frozen=True, slots=True)
class Drawn:
    """A timeline on the page of a run.

    Attributes:
        svg: the picture.
        folded: what is left out of it, in words.
        sentence: what the record that decides shows; empty where that is not plain.
    """

    svg: Markup
    folded: tuple[str, ...]
    sentence: str


class Drawings:
    """The timelines of the histories in a folder of results."""

    def __init__(self, folder: Path) -> None:
        """See to a folder.

        Args:
            folder: that of the results.
        """
        self._folder = folder

    def link(self, scenario: ScenarioRecord) -> str | None:
        """The page of a scenario's timeline, relative to the folder; None if it has none."""
        found = _HISTORY.fullmatch(scenario.history or "")
        if found is None or self._plain(found[0]) is None:
            return None
        return f"{TIMELINES}/{found['stem']}.html"

    def drawn(self, scenario: ScenarioRecord, unmet: UnmetClaim, id_: str) -> Drawn | None:
        """The picture of how a scenario breaks a requirement, with links to the records on its own page.

        Args:
            scenario: the scenario.
            unmet: how it breaks it.
            id_: what the ids of the picture begin with.
        """
        link = self.link(scenario)
        records = self._records(scenario.history) if link else None
        if link is None or records is None:
            return None
        title = f"Timeline of “{scenario.title}”: {unmet.requirement} is not met"
        return _drawn(records, unmet, id_, title, relative_link(link))

    def of(self, history: str | None, unmet: UnmetClaim) -> tuple[Drawn | None, tuple[LineRun, ...]]:
        """The picture of how a history breaks a requirement, for a page with its records; and those.

        None, and nothing, if the history cannot be read or drawn.
        """
        records = self._records(history) or []
        title = f"Timeline: {unmet.requirement} is not met"
        drawn = _drawn(records, unmet, "t", title, tabbed=True) if records else None
        here = {moment.record for moment in unmet.timeline if moment.here and moment.record is not None}
        return drawn, log(records, here) if drawn else ()

    def pages(self, results: Results) -> Iterator[tuple[str, bytes]]:
        """The page of each scenario that has a history: its path below the folder, and what it holds."""
        for scenario in results.scenarios:
            if (link := self.link(scenario)) and (page := self.page(results, scenario)) is not None:
                yield link, page

    def page(self, results: Results, scenario: ScenarioRecord, *, alone: bool = False) -> bytes | None:
        """The page of a scenario's timeline; None if its history cannot be read or drawn.

        Args:
            results: the run.
            scenario: the scenario.
            alone: it is read without the folder of the results beside it, so it links to nothing there.
        """
        records = self._records(scenario.history)
        if records is None:
            return None
        unmet = findings(scenario)
        try:
            said = [sentence(records, one) for one in unmet]
            found = picture(records, unmet, said)
            lines = log(records, {one.record for one in found.here if one.record is not None})
        except _MALFORMED:
            return None
        title = f"Timeline of “{scenario.title}”"
        return html.document(
            "timeline.html.jinja",
            header=results.header,
            one=scenario,
            alone=alone,
            unmet=list(zip(unmet, said, strict=True)),
            title=title,
            svg=svg(found, Names("t", title, summary(found), tabbed=True)),
            picture=found,
            lines=lines,
        ).encode()

    def _records(self, history: str | None) -> list[Record] | None:
        path = self._plain(history or "")
        try:
            return list(Saved(path)) if path else None
        except (UserError, OSError):
            return None

    def _plain(self, history: str) -> Path | None:
        """The file of a history if it is a plain one in the folder itself; None if not."""
        path = self._folder / history
        try:
            inside = path.resolve() == self._folder.resolve() / history
            return path if inside and path.is_file() and path.stat().st_size <= _LARGEST else None
        except OSError:
            return None


_MALFORMED = (UserError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What is raised where an object of a history has not the form that the API server gives it."""


def _drawn(
    records: list[Record], unmet: UnmetClaim, id_: str, title: str, link: str = "", *, tabbed: bool = False
) -> Drawn | None:
    """The picture of how a history breaks a requirement; None if an object in it has not its form."""
    try:
        said = sentence(records, unmet)
        found = picture(records, [unmet], [said])
    except _MALFORMED:
        return None
    return Drawn(svg(found, Names(id_, title, summary(found), link, tabbed)), found.folded, said)


def findings(scenario: ScenarioRecord) -> Sequence[UnmetClaim]:
    """What the history of a scenario breaks, or what did not come about in it."""
    own = [scenario.unmet] if scenario.unmet else []
    if needed := scenario.precondition:
        sentence = f"needed: {needed.step}"
        own.append(
            UnmetClaim(
                scenario.requirement, sentence, needed.expected, needed.observed, timeline=needed.timeline
            )
        )
    return [*own, *scenario.breaches]


def summary(drawn: Picture) -> str:
    """What a picture shows, for a reader who cannot see it."""
    names = [lane.name for lane in drawn.lanes]
    parts = [
        f"{drawn.end_s:.1f} seconds in {count(len(names), 'lane')}: {', '.join(names)}.",
        *(
            f"{'View withheld' if one.fog else 'Fault'} from {one.begin_s:.1f} s: {one.text}."
            for one in drawn.shades
        ),
        *(f"At {one.at_s:.3f} s {one.title}." for one in drawn.here),
        "The records are listed as text on the page of the timeline.",
    ]
    return " ".join(parts)
