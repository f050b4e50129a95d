"""Whether conditions say when their status changed: what facts of several profiles share."""

from __future__ import annotations

from typing import Any

from batchproof.judgement.facts import Finding, found
from batchproof.judgement.log import Log
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.values import said


def times_of_changes(versions: Log[Any]) -> Finding:
    """Whether lastTransitionTime of each condition changed with its status, and only then.

    What changes twice within a second may keep its time, for the API has whole seconds: between changes of a
    condition a scenario has to let a second pass.
    """
    wrong = versions.fold(_Transitions).wrong
    record, words, values = wrong[0] if wrong else (None, "", {})
    return found(
        record is None,
        observed=said(words, **values) if wrong else "each at the time of its last change",
        decisive=[] if record is None else [record],
    )


class _Transitions:
    """The changes of conditions of which the time is not that of a change of their status."""

    def __init__(self) -> None:
        self.wrong: list[tuple[int, str, dict[str, Any]]] = []
        self._before: dict[str, dict[str, tuple[str, str]]] = {}

    def take(self, _: str, it: ApiObject) -> None:
        conditions = it.status.get("conditions") or []
        now = {one["type"]: (one["status"], one.get("lastTransitionTime", "")) for one in conditions}
        before = self._before.get(it.uid, {})
        for kind in now.keys() & before.keys():
            (old, since), (new, at) = before[kind], now[kind]
            if old != new and since == at:
                words = "{condition}={before}, then {condition}={now}, and lastTransitionTime stayed {at}"
                values = {"condition": kind, "before": old, "now": new, "at": at}
                self.wrong.append((it.record, words, values))
            elif old == new and since != at:
                words = "{condition}={now} all the time, and lastTransitionTime changed from {since} to {at}"
                self.wrong.append(
                    (it.record, words, {"condition": kind, "now": new, "since": since, "at": at})
                )
        self._before[it.uid] = now
