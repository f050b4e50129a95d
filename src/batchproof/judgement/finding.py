"""A finding: whether something holds, why, and the moments that show it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec

from batchproof.ground.errors import BatchproofError, HarnessError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Excused = Callable[["Finding"], bool]

_WIDE = 60  # the column of the mark at the most: a long line does not push those of the others out of sight


class Moment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a timeline: when, what about, what happened.

    Attributes:
        at_s: seconds since the scenario began.
        here: this is what decided.
        record: the number of the history's record that proves it.
    """

    at_s: float
    subject: str
    what: str
    here: bool = False
    record: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a fact holds, and why.

    Attributes:
        holds: the fact is true of what was observed.
        expected: what the fact asks for, in words.
        observed: what there was instead (or indeed), in words.
        decisive: numbers of the records that decide; empty where nothing in particular did.
        awaits_pods: it does not hold, and all that is missing is pods that are still to be created.
        requirement: the id of the requirement that is not met; set by the judge.
        sentence: what is claimed, or the requirement's own sentence.
        speaks_of: the requirements whose own scenarios judge what is expected; set by the judge.
        timeline: what happened around the decisive records.
        fact: the name of the fact or of the invariant that found it; set by the judge.
        arguments: what the fact was asked for; an invariant has none.
        values: what is observed, as values of JSON by name; this is what a deviation is compared with.
    """

    holds: bool
    expected: str
    observed: str
    decisive: tuple[int, ...] = ()
    awaits_pods: bool = False
    requirement: str = ""
    sentence: str = ""
    speaks_of: tuple[str, ...] = ()
    timeline: tuple[Moment, ...] = ()
    fact: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)

    def about(self, requirement: str, sentence: str) -> Finding:
        """The same finding, naming the requirement that it speaks of."""
        return replace(self, requirement=requirement, sentence=sentence)

    def text(self) -> str:
        """The finding as a person reads it: requirement, expected, observed, timeline."""
        about = self.requirement or "Claim"
        return unmet_text(about, self.sentence, self.expected, self.observed, self.timeline)


def nothing_excused(_: Finding) -> bool:
    """What is excused where no deviation is in force."""
    return False


def worse(kept: Finding | None, other: Finding, excused: Excused) -> bool:
    """Whether another breach of a requirement has to be shown in place of the one that is kept.

    It has if none is kept, or if a deviation excuses the kept one alone: what is known hides no other breach.
    """
    return kept is None or (excused(kept) and not excused(other))


def unmet_text(
    requirement: str, sentence: str, expected: str, observed: str, moments: Sequence[Moment]
) -> str:
    """A failure as it is printed everywhere: requirement, expected, observed, timeline."""
    return finding_text(f"{requirement} not met: {sentence}", expected, observed, moments)


def finding_text(head: str, expected: str, observed: str, moments: Sequence[Moment]) -> str:
    """Any finding as it is printed: what it says, expected, observed, timeline."""
    lines = [head, f"  expected  {expected}", f"  observed  {observed}"]
    times = max((len(f"{moment.at_s:+.3f}") for moment in moments), default=0)
    subjects = max((len(moment.subject) for moment in moments), default=0)
    whats = min(_WIDE, max((len(moment.what) for moment in moments), default=0))
    for moment in moments:
        what = f"{moment.what:<{whats}}  <- here" if moment.here else moment.what
        lines.append(f"  {moment.at_s:>+{times}.3f} s  {moment.subject:<{subjects}}  {what}")
    return "\n".join(lines)


class Unmet(BatchproofError, AssertionError):  # noqa: N818 - a verdict, not a mistake of the program
    """A claim about the implementation does not hold; an AssertionError, so that Allure calls it failed.

    Attributes:
        finding: what was expected, what was observed, and the records that prove it.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text())
        self.finding = finding


class FactBroke(HarnessError):  # noqa: N818 - reads as what it is
    """A fact or an invariant raised an exception instead of giving a finding: a mistake of ours.

    What is claimed by it stays undecided, and nothing is said about the implementation.
    """

    def __init__(self, what: str, record: int, error: Exception) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = "/".join(PurePath(place.filename).parts[-2:])
        problem = f"{type(error).__name__}: {error}"
        super().__init__(f"{what} broke at record {record}, {where}:{place.lineno}: {problem}")


class Inconclusive(BatchproofError):  # noqa: N818 - a verdict, not a mistake of the program
    """Neither held nor broken could be shown: no fault fired, or a witness was missing."""
