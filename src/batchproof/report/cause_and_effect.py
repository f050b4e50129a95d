"""One sentence of what a history shows at the record that decides: what happened, and what was so then.

It says only what the records say; where the record is of a kind that says little by itself, there is none.
What a record shows of the objects of a profile, the profile says (see ``cause``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from batchproof.judgement.history import Change, FaultChange
from batchproof.judgement.objects import thing_of
from batchproof.judgement.observed import observe
from batchproof.judgement.parts import load
from batchproof.judgement.timeline import WAITED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from batchproof.judgement.history import Record
    from batchproof.judgement.objects import ApiObject
    from batchproof.judgement.observed import Observed
    from batchproof.report.records import UnmetClaim

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

_CAUSES: list[Cause] = []


def cause(says: Cause) -> Cause:
    """Let this be one of the things that are said of a decisive change; to be used as a decorator."""
    _CAUSES.append(says)
    return says


def sentence(records: Sequence[Record], unmet: UnmetClaim) -> str:
    """What the first record that decides shows; empty where that is not plain.

    Args:
        records: the whole history.
        unmet: how it breaks a requirement.
    """
    decisive = [one for one in unmet.timeline if one.here]
    numbers = [one.record for one in decisive if one.record is not None and one.subject != WAITED]
    if numbers and numbers[0] < len(records):
        return _shown(records, records[numbers[0]])
    if decisive and decisive[-1].subject == WAITED:
        return _in_vain(unmet)
    return ""


def _in_vain(unmet: UnmetClaim) -> str:
    """For how long nothing happened before a wait was over; empty where something did until the end."""
    before = [one for one in unmet.timeline if one.record is not None]
    waited_s = unmet.timeline[-1].at_s - before[-1].at_s if before else 0.0
    if waited_s < _LONG_S:
        return ""
    last = f"{before[-1].subject} {before[-1].what}"
    return f"Nothing happened in the last {waited_s:.1f} s of the wait, after {last}."


def _shown(records: Sequence[Record], record: Record) -> str:
    """What a record shows."""
    match record.entry:
        case Change(resource=resource, type=kind) as change:
            load("causes")
            seen = observe(_before(records, record, change))
            thing = thing_of(resource, change.object, record.number)
            shown = Shown(records, record, kind, thing, seen.objects(resource).get(thing.uid))
            said = next((said for says in _CAUSES if (said := says(seen, shown))), "")
            return f"{said}{_after(records, record)}." if said else ""
        case _:
            return ""


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
