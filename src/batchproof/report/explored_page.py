"""The pages of an exploration: all that was found, and for each its steps and its drawn timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report import html
from batchproof.report.drawings import Drawings
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Explored:
    """A requirement that programs broke.

    Attributes:
        name: what its files are called.
        unmet: how the program that is shown breaks it.
        confirmed: that program broke it again.
        how: how often it was broken and reproduced, in words.
        steps: the sentences of the program.
        command: what runs it again in the folder of the page.
        history: the file of its history, relative to the folder; None if there is none.
    """

    name: str
    unmet: UnmetClaim
    confirmed: bool
    how: str
    steps: tuple[str, ...]
    command: str
    history: str | None

    @property
    def feature(self) -> str:
        """The file of its scenario."""
        return f"{self.name}.feature"

    @property
    def page(self) -> str:
        """The file of its page."""
        return f"{self.name}.html"

    @property
    def verdict(self) -> str:
        """The verdict that its state is shown as."""
        return "failed" if self.confirmed else "inconclusive"

    @property
    def state(self) -> str:
        """Whether it counts, in words."""
        return "broken" if self.confirmed else "not confirmed"


def explored_page(found: Sequence[Explored], *, implementation: str, profile: str, counts: str) -> bytes:
    """The page of all that was found.

    Args:
        found: what was found.
        implementation: its name and version.
        profile: what it was explored as.
        counts: how much was run, in words.
    """
    broken = sum(one.confirmed for one in found)
    headline = f"{count(broken, 'requirement')} broken" if found else "Nothing found"
    if doubtful := len(found) - broken:
        headline += f", {doubtful} more not confirmed"
    return html.document(
        "explored.html.jinja",
        headline=headline,
        found=found,
        implementation=implementation,
        profile=profile,
        counts=counts,
    ).encode()


def finding_page(one: Explored, folder: Path, implementation: str) -> bytes:
    """The page of one finding.

    Args:
        one: the finding.
        folder: where the page and the histories lie.
        implementation: its name and version.
    """
    drawn, lines = Drawings(folder).of(one.history, one.unmet)
    return html.document(
        "explored_finding.html.jinja", one=one, drawn=drawn, lines=lines, implementation=implementation
    ).encode()
