"""Whether conditions say when their status changed: what facts of several profiles share."""

from __future__ import annotations

from typing import Any

from batchproof.judgement.facts import Finding, found
from batchproof.judgement.log import Log
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.values import said


def times_of_changes(it: ApiObject | None, versions: Log[Any]) -> Finding:
    """Whether lastTransitionTime of each condition of an object changed with its status, and only then.

    Args:
        it: the object as it is now; there may have been others of its kind.
        versions: all versions of its kind.

    What changes twice within a second may keep its time, for the API has whole seconds: between changes of a
    condition a scenario has to let a second pass.
    """
    wrong = versions.fold(_Transitions).wrong.get(it.uid, []) if it else []
    record, words, values = wrong[0] if wrong else (None, "", {})
    right = "each at the time of its last change" if it else "no such object"
    return found(
        it and record is None,
        observed=said(words, **values) if wrong else right,
        decisive=[] if record is None else [record],
    )


class _Transitions:
    """The changes of conditions of which the time is not that of a change of their status, by UID."""

    def __init__(self) -> None:
        self.wrong: dict[str, list[tuple[int, str, dict[str, Any]]]] = {}
        self._before: dict[str, dict[str, tuple[str, str]]] = {}

    def take(self, _: str, it: ApiObject) -> None:
        conditions = it.status.get("conditions") or []
        now = {one["type"]: (one["status"], one.get("lastTransitionTime", "")) for one in conditions}
        before = self._before.get(it.uid, {})
        for kind in sorted(now.keys() & before.keys()):
            (old, since), (new, at) = before[kind], now[kind]
            if old != new and since == at:
                words = "{condition}={before}, then {condition}={now}, and lastTransitionTime stayed {at}"
                self._note(it, words, condition=kind, before=old, now=new, at=at)
            elif old == new and since != at:
                words = "{condition}={now} all the time, and lastTransitionTime changed from {since} to {at}"
                self._note(it, words, condition=kind, now=new, since=since, at=at)
        self._before[it.uid] = now

    def _note(self, it: ApiObject, words: str, **values: Any) -> None:
        self.wrong.setdefault(it.uid, []).append((it.record, words, values))
