"""What changed from one run to another: what is fixed, newly broken, still broken, and newly not judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from batchproof.ground.errors import UserError
from batchproof.report.outcome import judge_run
from batchproof.report.records import Header, Level
from batchproof.report.results import Results
from batchproof.report.scope import chosen
from batchproof.report.standing import RequirementOutcome, State
from batchproof.report.wording import count, named

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["newly broken", "newly not judged", "still broken", "fixed", "newly met", "same"]
KINDS: tuple[Kind, ...] = ("newly broken", "newly not judged", "still broken", "fixed", "newly met", "same")
"""All kinds, in the order in which they are shown."""

_KIND_OF: dict[tuple[State, State], Kind] = {
    ("met", "met"): "same",
    ("met", "broken"): "newly broken",
    ("met", "not judged"): "newly not judged",
    ("broken", "met"): "fixed",
    ("broken", "broken"): "still broken",
    ("broken", "not judged"): "newly not judged",
    ("not judged", "met"): "newly met",
    ("not judged", "broken"): "newly broken",
    ("not judged", "not judged"): "same",
}
_SHORT = 12  # characters of a digest
_AS_WRITTEN = "no faults"
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A requirement in the two runs.

    Attributes:
        old: what it comes to in the old run; None if that run does not know it.
        new: what it comes to in the new run.
        unplayed: how many of the scenarios that broke it in the old run a smaller new run left out.
        hidden_behind: the broken requirements because of which the old run did not judge it, or named it only
            after them; empty if it was in plain sight.
    """

    old: RequirementOutcome | None
    new: RequirementOutcome
    unplayed: int = 0
    hidden_behind: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the requirement."""
        return self.new.id

    @property
    def level(self) -> Level:
        """How binding the new run says that it is."""
        return self.new.requirement.level

    @property
    def sentence(self) -> str:
        """The sentence of the requirement, as the new run has it."""
        return self.new.requirement.sentence

    @property
    def kind(self) -> Kind:
        """What happened to it; it is not fixed where the scenarios that broke it did not run."""
        kind = _KIND_OF[_state(self.old), _state(self.new)]
        return "newly not judged" if kind == "fixed" and self.unplayed else kind

    @property
    def before(self) -> str:
        """The old verdict in words."""
        return _words(self.old)

    @property
    def after(self) -> str:
        """The new verdict in words."""
        if self.kind == "newly not judged" and self.unplayed:
            scenarios = count(self.unplayed, "scenario")
            return f"{_words(self.new)}, but {scenarios} in which it failed before did not run"
        return _words(self.new)

    @property
    def uncovered(self) -> str:
        """Where the old run hid what is broken now; empty if it hid nothing."""
        if not self.hidden_behind or self.kind not in {"newly broken", "still broken"}:
            return ""
        behind = named(self.hidden_behind)
        if self.kind == "newly broken":
            return f"it was hidden behind {behind} before: it may be no new bug"
        return f"the old run named it only after {behind}"

    @property
    def worse(self) -> bool:
        """The new run shows less of it, or something against it that the old one does not show.

        What fails now though a deviation covered it before is worse; what was broken and is not judged now
        is not: nothing is known to have changed.
        """
        if self.kind == "still broken":
            return self.new.standing == "failed" and _waived(self.old)
        return self.kind == "newly broken" or (self.kind == "newly not judged" and _state(self.old) == "met")


@dataclass(frozen=True, slots=True)
class Changes:
    """The difference between two runs.

    Attributes:
        all: each requirement that the new run set out to judge, in its order.
        not_played: the requirements that the old run judged, and that the new one did not set out to judge.
        notes: what else is different between the runs, so that a change may come from there.
        complete: both runs have come to their end.
    """

    old: Header
    new: Header
    all: tuple[VerdictChange, ...]
    not_played: tuple[str, ...]
    notes: tuple[str, ...]
    complete: bool

    def of(self, kind: Kind) -> tuple[VerdictChange, ...]:
        """The changes of this kind."""
        return tuple(one for one in self.all if one.kind == kind)

    @property
    def worse(self) -> tuple[VerdictChange, ...]:
        """What got worse."""
        return tuple(one for one in self.all if one.worse)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """The requirements that the old run judged, and the new one did not, whatever they came to before."""
        lost = (one.id for one in self.of("newly not judged"))
        return tuple(dict.fromkeys([*lost, *self.not_played]))

    @property
    def by_choice(self) -> str:
        """What was selected in the new run, where that is why it judged less; else empty."""
        return chosen(self.new.suite) if self.not_played else ""

    @property
    def sentence(self) -> str:
        """All in one line: ``1 newly broken, 3 fixed: WORSE in 1 requirement``."""
        left_out = ""
        if self.by_choice:
            number = count(len(self.not_played), "requirement")
            left_out = f"; {number} not judged by choice: {self.by_choice}"
        numbers = [(len(self.of(kind)), kind) for kind in KINDS if kind != "same"]
        counts = ", ".join(f"{number} {kind}" for number, kind in numbers if number)
        if not counts:
            return f"nothing changed{f' in what both runs judged{left_out}' if left_out else ''}"
        worse = f"WORSE in {count(len(self.worse), 'requirement')}" if self.worse else "nothing got worse"
        return f"{counts}: {worse}{self._uncovered}{left_out}"

    @property
    def doubts(self) -> str:
        """Why it is not certain that nothing got worse, for which ``--strict`` fails; empty: it is."""
        doubts = []
        if self.unjudged:
            number = count(len(self.unjudged), "requirement")
            doubts.append(f"{number} not judged by the new run ({named(self.unjudged, _MOST_NAMED)})")
        if not self.complete:
            doubts.append("a run is incomplete")
        return " and ".join(doubts)

    def failed(self, *, strict: bool) -> bool:
        """Whether anything got worse or, if it is asked strictly, may have."""
        return bool(self.worse or (strict and self.doubts))

    def headline(self, *, strict: bool) -> str:
        """The sentence, with why ``--strict`` fails if it does."""
        return (
            f"{self.sentence}; FAILED by --strict: {self.doubts}" if strict and self.doubts else self.sentence
        )

    @property
    def _uncovered(self) -> str:
        """What is newly broken and was hidden before, and behind what."""
        hidden = [one for one in self.of("newly broken") if one.uncovered]
        if not hidden:
            return ""
        behind = named([*dict.fromkeys(id_ for one in hidden for id_ in one.hidden_behind)], _MOST_NAMED)
        verb = "was" if len(hidden) == 1 else "were"
        return f"; {named([one.id for one in hidden], _MOST_NAMED)} {verb} hidden behind {behind} before"


def changes(old: Results, new: Results) -> Changes:
    """What changed from an old run to a new one, requirement by requirement.

    Raises:
        UserError: the runs judged different profiles.
    """
    if old.header.profile != new.header.profile:
        profiles = f"{old.header.profile} and {new.header.profile}"
        raise UserError(f"the runs judged different profiles, {profiles}: nothing in them can be compared")
    was, now = judge_run(old), judge_run(new)
    before = {one.id: one for one in was.requirements}
    hidden = {id_: behind for id_, behind in was.hidden_behind.items() if id_ not in now.wake}
    judged = [one for one in now.requirements if one.standing != "not-run"]
    ids = {one.id for one in judged}
    return Changes(
        old=old.header,
        new=new.header,
        all=tuple(
            replace(_change(before.get(one.id), one, old, new), hidden_behind=hidden.get(one.id, ()))
            for one in judged
        ),
        not_played=tuple(id_ for id_, one in before.items() if id_ not in ids and one.standing != "not-run"),
        notes=tuple(_notes(old, new)),
        complete=old.footer.complete and new.footer.complete,
    )


def _change(
    before: RequirementOutcome | None, now: RequirementOutcome, old: Results, new: Results
) -> VerdictChange:
    smaller = not new.header.suite.whole or not _faults(old.header) <= _faults(new.header)
    if before is None or not smaller:
        return VerdictChange(before, now)
    ran = {one.id for one in new.scenarios}
    return VerdictChange(before, now, sum(one.scenario.id not in ran for one in before.evidence))


def _state(one: RequirementOutcome | None) -> State:
    """What a run shows of a requirement; of one that its suite does not have, nothing."""
    return one.state if one else "not judged"


def _waived(one: RequirementOutcome | None) -> bool:
    return one is not None and one.waived


def _words(one: RequirementOutcome | None) -> str:
    if one is None:
        return "not in the suite"
    if one.standing == "failed":
        return f"failed in {one.shown_by}"
    return f"{one.standing} ({one.reason})" if one.reason else one.standing


def _faults(header: Header) -> set[str]:
    """The fault profiles of a run; the empty one is that of scenarios as they are written."""
    return {one.fault for one in header.planned}


def _notes(old: Results, new: Results) -> Iterator[str]:
    """What else is different, a sentence each."""
    before, after = _circumstances(old.header), _circumstances(new.header)
    for what, value in before.items():
        if value != after[what]:
            yield f"{what}: {value} in the old run, {after[what]} in the new run"
    for name, run in ("old", old), ("new", new):
        if not run.footer.complete:
            yield f"the {name} run is incomplete: {run.footer.reason or 'no reason given'}"


def _circumstances(header: Header) -> dict[str, str]:
    """What should be the same in two runs that are compared."""
    suite = header.suite
    return {
        "implementation": header.implementation.name,
        "suite": suite.digest.removeprefix("sha256:")[:_SHORT],
        "Kubernetes": header.cluster.kubernetes,
        "capabilities": ", ".join(sorted(header.implementation.capabilities)) or "none",
        "selection": " ".join(filter(None, (suite.feature, suite.selection))) or "everything",
        "faults": ", ".join(sorted(one or _AS_WRITTEN for one in _faults(header))) or _AS_WRITTEN,
        "time scale": f"{header.time_scale:g}",
    }
