"""Whether a scenario of the results was played as the suite has it, and says what its history comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.evidence import claims, origin, undecided
from batchproof.evidence.bound import Bound
from batchproof.evidence.deeds import actions, undone
from batchproof.evidence.lacking import lacking, limit_of
from batchproof.evidence.plan import fault_profile, plain
from batchproof.evidence.played import PlayedSteps as HowPlayed
from batchproof.evidence.replay import Again, Heard, again
from batchproof.evidence.verdicts import concluded
from batchproof.judgement.claims import Judged, Role
from batchproof.judgement.facts.writes import works_on
from batchproof.judgement.fault_profiles import FaultProfile
from batchproof.judgement.forms import Quantifier
from batchproof.profiles import profile
from batchproof.report.records import (
    LEFT_OUT,
    WAIVED,
    ClaimRecord,
    Planned,
    ScenarioRecord,
)
from batchproof.specification import gherkin
from batchproof.world.grid import PLAYS_FAULTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NOT_COMPARED = {"worker", "started", "duration_s", "steps", "tags", "error", "end", "left_out", "first"}
"""What no history says of a scenario: these say nothing of the implementation either."""


@dataclass(frozen=True, slots=True)
class PlayedScenario:
    """A scenario of the results, judged again, with all that is not as the suite demands it.

    Attributes:
        again: what its history comes to.
        wrong: what is not so, in words.
        created: the times at which the API server created its objects.
        clocks: the times of day at which the harness did something in it.
    """

    again: Again
    wrong: tuple[str, ...] = ()
    created: frozenset[str] = frozenset()
    clocks: tuple[str, ...] = ()


def scenario(recorded: ScenarioRecord, folder: Path, bound: Bound) -> PlayedScenario:
    """A scenario of the results, judged again and compared with what the suite has of it.

    Raises:
        UserError: its history cannot be read.
    """
    judged = again(recorded, folder, bound.sentences, bound.waivers)
    found = judged.heard.played if judged.heard else None
    wrong = tuple(_wrong(judged, folder, bound))
    return PlayedScenario(
        judged, wrong, found.created if found else frozenset(), found.clocks if found else ()
    )


def _wrong(judged: Again, folder: Path, bound: Bound) -> Iterator[str]:
    recorded, heard = judged.recorded, judged.heard
    if bound.known:
        if plain(recorded.id) not in bound.catalogue:
            yield "the suite has no such scenario"
            return
        if other := list(_written(recorded, bound)):
            yield from other
            return
        yield from _skipped(recorded, bound)
    if recorded.first:
        yield from undecided.first(recorded, recorded.first, folder, bound)
    if heard is None:
        yield from _unheard(judged, folder, bound)
        return
    yield from origin.of_file(recorded.history, recorded.history_digest, folder)
    yield from origin.of_path(recorded.history, recorded.id, second=recorded.first is not None)
    yield from origin.of_history(recorded.id, heard, bound)
    yield from _verdict(judged, heard, bound)
    yield from _play(recorded, heard, bound)
    if recorded.end is not None and recorded.end != heard.end:
        yield "its record says of 'end' something else than its history"
    if recorded.left_out and recorded.verdict == "passed" and not heard.left_out:
        yield "it is said to have no end that can be compared, but has one"


def _unheard(judged: Again, folder: Path, bound: Bound) -> Iterator[str]:
    """What was not judged from a history says why, and no verdict is hidden so."""
    recorded = judged.recorded
    if recorded.verdict == "inconclusive":
        yield "it is inconclusive, but names no history"
    elif judged.judged and not judged.agrees:
        yield f"judged again, a fact broke: {judged.error}"
    elif not judged.judged and recorded.verdict == "errored":
        yield from undecided.errored(recorded, folder, bound)


def _written(recorded: ScenarioRecord, bound: Bound) -> Iterator[str]:
    """It is the scenario that the suite has under this id."""
    one = Planned(**{name: getattr(recorded, name) for name in Planned.__struct_fields__})
    if bound.planned(one) != one:
        yield "its title, feature or requirement is another in the suite"
    if {*recorded.tags} != {*bound.cases[plain(recorded.id)][0].tags}:
        yield "its tags are others in the suite"
    requirement = bound.registry.get(recorded.requirement)
    if requirement and recorded.level != requirement.level:
        yield f"its requirement {requirement.id} is a {requirement.level}"


def _skipped(recorded: ScenarioRecord, bound: Bound) -> Iterator[str]:
    """It is skipped if the suite would skip it, and for this reason."""
    why = bound.skipped(recorded)
    is_skipped = recorded.verdict == "skipped" and recorded.reason != WAIVED
    if is_skipped and recorded.reason != why and not _left_out(recorded, bound):
        yield f"it is skipped as {recorded.reason!r}, but has to be judged"
    elif not is_skipped and why and recorded.verdict != "errored":
        yield f"it was judged, but is {why}"
    if is_skipped and (recorded.history or recorded.history_digest):
        yield "it is skipped, but names a history"


def _left_out(recorded: ScenarioRecord, bound: Bound) -> bool:
    """A grid leaves out what plays faults itself, and plays under faults of what has no end to compare."""
    if not recorded.fault:
        return bound.grid and "fault" in recorded.tags and recorded.reason == f"{LEFT_OUT}{PLAYS_FAULTS}"
    return recorded.reason == f"{LEFT_OUT}{bound.left_out[plain(recorded.id)]}" != LEFT_OUT


def _verdict(judged: Again, heard: Heard, bound: Bound) -> Iterator[str]:
    """The record says what the history comes to."""
    recorded = judged.recorded
    if not judged.agrees:
        reason = judged.error or judged.conclusion.reason
        yield f"recorded {recorded.verdict}, judged {judged.verdict}{f': {reason}' if reason else ''}"
        return
    if recorded.verdict == "errored":
        return
    comes_to = concluded(judged.conclusion, recorded.id, bound.waivers)
    comes_to |= {"claims": tuple(map(ClaimRecord.of, heard.judged)), "faults": heard.faults}
    for name, value in comes_to.items():
        if name not in _NOT_COMPARED and getattr(recorded, name) != value:
            yield f"its record says of '{name}' something else than its history"


def _play(recorded: ScenarioRecord, heard: Heard, bound: Bound) -> Iterator[str]:
    """It was played as it is written, to its end."""
    found = heard.played
    if found is None or recorded.verdict == "errored":
        return
    if not heard.ended:
        yield "its history does not end as that of a scenario that was judged: it is cut"
    whole = recorded.verdict == "passed"
    if bound.known:
        yield from _steps(recorded, found, bound, whole=whole)
        yield from _claims(recorded, found, bound, whole=whole)
    if whole and not recorded.fault:
        yield from _proofs(heard, bound)
    yield from heard.course


def _steps(recorded: ScenarioRecord, found: HowPlayed, bound: Bound, *, whole: bool) -> Iterator[str]:
    scenario, case = bound.cases[plain(recorded.id)]
    written = tuple(
        f"{step.keyword.strip()} {text}" for step, _, text in gherkin.sentences_of(scenario, case)
    )
    if tuple(f"{one.keyword} {one.text}" for one in recorded.steps) != written:
        yield "its record has other steps than the suite"
    if found.steps != written[: len(found.steps)]:
        yield "its history has other steps than the suite"
    elif whole and len(found.steps) < len(written):
        yield f"it passed without its step {written[len(found.steps)]!r}"
    if whole and any(one.outcome != "passed" for one in recorded.steps):
        yield "it passed, but one of its steps did not"


def _claims(recorded: ScenarioRecord, found: HowPlayed, bound: Bound, *, whole: bool) -> Iterator[str]:
    wanted = claims.manifest().get(plain(recorded.id))
    if wanted is None:
        yield "the claims manifest of the suite does not have it"
    elif recorded.fault:
        if faults := fault_profile(recorded.feature, recorded.fault):
            yield from _under(faults, found, bound, recorded, whole=whole)
        else:
            yield f"the suite has no fault profile {recorded.fault} for it"
        yield from undone(actions(wanted.did), actions(found.did), whole=whole, in_grid=True)
    else:
        of, judged = recorded.requirement, bound.implementation
        yield from lacking(wanted, found, of, judged, whole=whole, in_grid=bound.grid)


def _under(
    faults: FaultProfile, found: HowPlayed, bound: Bound, recorded: ScenarioRecord, *, whole: bool
) -> Iterator[str]:
    """The faults of the profile were in force from the beginning, and the end was compared."""
    armed = [(one.step, one.text) for one in found.faults]
    texts = [one.text for one in faults.parts]
    texts += [f"{resource.plural} are seen {late_s:g} s late" for resource, late_s in faults.late_s]
    if armed[: len(texts)] != [(-1, text) for text in texts]:
        yield f"it did not run under the faults of {faults.name}"
    wanted = [
        (quantifier, "ends_as", limit)
        for quantifier, limit in ((Quantifier.EVENTUALLY, "recovery"), (Quantifier.ALWAYS, "moment"))
    ]
    made = [one.claim for one in found.claims if one.claim.fact.name == "ends_as"]
    if whole and [(one.quantifier, one.fact.name, one.limit) for one in made] != wanted:
        yield "its end was not compared with the one without faults"
    end = bound.ends.get(plain(recorded.id))
    for one in made:
        if one.fact.arguments != {"end": end} or one.requirement != recorded.requirement:
            yield "its end was compared with another than the one without faults"
        yield from limit_of(one, recorded.requirement, bound.implementation)


def _proofs(heard: Heard, bound: Bound) -> Iterator[str]:
    """After what held though nothing had to happen the implementation was seen alive (ADR 0010)."""
    if profile(bound.header.profile).witness is None:
        return
    owed = [one for one in heard.judged if _owes(one)]
    proofs = [
        one
        for one in heard.judged
        if one.claim.role is Role.PROOF and one.outcome == "held" and one.claim.fact.name == works_on.__name__
    ]
    last = max((one.opened for one in proofs), default=-1)
    if owed and max(one.opened for one in owed) > last:
        yield "nothing shows that the implementation was alive when nothing happened"


def _owes(one: Judged) -> bool:
    if one.claim.role is not Role.JUDGED or one.outcome != "held":
        return False
    return not one.claim.waits or one.at_once or one.claim.quantifier is Quantifier.STAYS
