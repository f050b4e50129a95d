"""One sentence of what a history shows at the record that decides: what happened, and what was so then.

It says only what the records say; where the record is of a kind that says little by itself, there is none.
What a record shows of the objects of a profile, the profile says (see ``cause``), and what they were when a
wait in vain was over (see ``standing``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from batchproof.ground.resources import EVENTS, LEASES
from batchproof.judgement.finding import Moment
from batchproof.judgement.history import Change, FaultChange, ProcessChange, Record, Request
from batchproof.judgement.objects import ApiObject, thing_of
from batchproof.judgement.observed import Observed, observe
from batchproof.judgement.parts import load
from batchproof.judgement.timeline import NOT_SO, WAITED, noise
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SOON_S = 2.0  # a fault that was triggered longer ago is no longer named as what came before
_LONG_S = 1.0  # a silence that is worth a word


@dataclass(frozen=True, slots=True)
class Shown:
    """A change of an object at which something is decided.

    Attributes:
        records: the whole history.
        record: the one that shows it.
        kind: ADDED, MODIFIED or DELETED.
        thing: the object as it is then.
        before: as it was before; None if it was not there.
        waited: it decides a wait in vain, of which the end is said besides.
    """

    records: Sequence[Record]
    record: Record
    kind: str
    thing: ApiObject
    before: ApiObject | None
    waited: bool = False


Cause: TypeAlias = "Callable[[Observed, Shown], str]"
"""What a change shows, in words without a full stop, by what was observed before it; empty: nothing plain."""

Standing: TypeAlias = "Callable[[Observed, UnmetClaim], str]"
"""What the objects that a claim is about were, in words without a full stop; empty: it is about others."""

_CAUSES: list[Cause] = []
_STANDINGS: list[Standing] = []


def cause(says: Cause) -> Cause:
    """Let this be one of the things that are said of a decisive change; to be used as a decorator."""
    _CAUSES.append(says)
    return says


def standing(says: Standing) -> Standing:
    """Let this say what was observed at the end of a wait in vain; to be used as a decorator."""
    _STANDINGS.append(says)
    return says


def sentence(records: Sequence[Record], unmet: UnmetClaim) -> str:
    """What the first record that decides shows, and the end of a wait in vain; empty where that is not plain.

    Args:
        records: the whole history.
        unmet: how it breaks a requirement.
    """
    load("causes")
    decisive = [one for one in unmet.timeline if one.here]
    numbers = [one.record for one in decisive if one.record is not None and one.subject != WAITED]
    over = decisive[-1] if decisive and decisive[-1].subject == WAITED else None
    shown = numbers and numbers[0] < len(records)
    said = _shown(records, records[numbers[0]], waited=over is not None) if shown else ""
    in_vain = _in_vain(records, unmet, over, numbers[0] if said else -1) if over else ""
    return f"{said} {in_vain}".strip()


def _in_vain(records: Sequence[Record], unmet: UnmetClaim, over: Moment, told: int) -> str:
    """What the object that is waited for was at the end of the wait, and since when nothing had changed.

    That is not said again where ``told``, of which all is said, is the last change. Empty where no profile
    knows that object and something changed until the end.
    """
    until = records if over.record is None else records[: over.record + 1]
    seen = observe(until)
    stood = next((said for says in _STANDINGS if (said := says(seen, unmet))), "")
    last = next((one for one in reversed(until) if isinstance(one.entry, Change) and not _aside(one)), None)
    unchanged = _unchanged(until, last, over) if last else ""
    wait = f"the wait of {over.what.removeprefix(NOT_SO)}"
    if last and last.number == told:
        return f"That was still so at the end of {wait}: {unchanged}."
    if stood:
        return f"At the end of {wait} {stood}{unchanged and f'; {unchanged}'}."
    if not last or over.at_s - last.at_s < _LONG_S:
        return ""
    return f"At the end of {wait} {unchanged}."


def _aside(record: Record) -> bool:
    """Whether a record is the change of an event or a lease, which say nothing of what is waited for."""
    return isinstance(record.entry, Change) and record.entry.resource in {EVENTS, LEASES}


def _unchanged(until: Sequence[Record], last: Record, over: Moment) -> str:
    """Since when nothing had changed, and how many writes were requested since then.

    Where no request was recorded at all, as of an implementation that is judged in place, none is counted.
    """
    if not isinstance(last.entry, Change):
        return ""
    told = f"the last change was {last.entry.subject} {last.entry.type}, {over.at_s - last.at_s:.1f} s before"
    if not any(isinstance(one.entry, Request) for one in until):
        return told
    writes = sum(isinstance(one.entry, Request) and not noise(one, {}) for one in until[last.number + 1 :])
    are = "were" if writes > 1 else "was"
    return f"{told}, and {count(writes, 'write') if writes else 'no write'} {are} requested after it"


def _shown(records: Sequence[Record], record: Record, *, waited: bool) -> str:
    """What a record shows."""
    match record.entry:
        case Change(resource=resource, type=kind) as change:
            seen = observe(_before(records, record, change))
            thing = thing_of(resource, change.object, record.number)
            shown = Shown(records, record, kind, thing, seen.objects(resource).get(thing.uid), waited)
            said = next((said for says in _CAUSES if (said := says(seen, shown))), "")
        case ProcessChange(instance=number, what=what):
            said = f"Process {number} {what}"
        case _:
            said = ""
    return f"+{record.at_s:.3f} s: {said}{_after(records, record)}." if said else ""


def _before(records: Sequence[Record], record: Record, change: Change) -> list[Record]:
    """The records before a change, by the revisions of etcd where it has them.

    The recorder has a watch for each resource, so that a change of one may arrive before an older one of
    another.
    """
    earlier, later = records[: record.number], records[record.number + 1 :]
    return [
        *(one for one in earlier if not _changes(one) or _changes(one) < change.revision),
        *(one for one in later if 0 < _changes(one) < change.revision),
    ]


def _changes(record: Record) -> int:
    """The revision of the change that a record is of; 0: it is of none."""
    return record.entry.revision if isinstance(record.entry, Change) else 0


def _after(records: Sequence[Record], record: Record) -> str:
    """The fault that was triggered shortly before."""
    for before in reversed(records[: record.number]):
        since_s = record.at_s - before.at_s
        if since_s > _SOON_S:
            return ""
        match before.entry:
            case FaultChange(what="fired", text=text):
                return f", {since_s:.3f} s after a fault was triggered: {text}"
            case _:
                pass
    return ""
