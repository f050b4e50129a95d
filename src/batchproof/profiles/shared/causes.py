"""What the causes of several profiles say alike: how many pods were in which phase, what of a status changed.

Nothing here is a cause by itself (see ``batchproof.report.cause_and_effect``).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from batchproof.report.wording import count, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from batchproof.judgement.history import Json
    from batchproof.judgement.objects import ApiObject
    from batchproof.judgement.objects.core import Pod
    from batchproof.report.cause_and_effect import Shown


def amount(states: Sequence[str], noun: str, of: str = "") -> str:
    """``no pods``, ``1 pod of PS (Running)``, ``3 pods of Worker (2 Running, 1 Failed)``.

    Args:
        states: that of each object.
        noun: what one is called.
        of: what all of them are of.
    """
    each = Counter(states)
    told = next(iter(each)) if len(states) == 1 else ", ".join(f"{many} {one}" for one, many in each.items())
    many = count(len(states), noun) if states else f"no {noun}s"
    return f"{many}{of and f' of {of}'}{told and f' ({told})'}"


def state_of(pod: Pod) -> str:
    """Its phase, or that it is terminating."""
    return "terminating" if pod.terminating else pod.phase or "without a phase"


def pods_in_words(pods: Iterable[Pod], of: str = "") -> str:
    """How many pods there are, and in which phases."""
    return amount([state_of(pod) for pod in pods], "pod", of)


def pods_by(pods: Iterable[Pod], parts: Sequence[str], part_of: Callable[[Pod], str]) -> str:
    """How many pods there are of each part: ``1 pod of PS (Running) and no pods of Worker``.

    Args:
        pods: the pods.
        parts: the parts, such as the tasks of a Job.
        part_of: of which of them a pod is.
    """
    of: dict[str, list[Pod]] = {part: [] for part in parts}
    for pod in pods:
        of.setdefault(part_of(pod), []).append(pod)
    return joined([pods_in_words(some, part) for part, some in of.items()]) if any(of.values()) else "no pods"


def true_conditions(thing: ApiObject) -> dict[str, Json]:
    """The conditions of an object that are True, by type."""
    return {it["type"]: it for it in thing.status.get("conditions") or [] if it["status"] == "True"}


def conditions_turned(shown: Shown) -> str:
    """Which conditions are True now, and which no longer: ``became Failed and was no longer Running``.

    A reason that only repeats the type is left out.
    """
    now, before = true_conditions(shown.thing), true_conditions(shown.before) if shown.before else {}
    came = [_with_reason(it) for kind, it in now.items() if kind not in before]
    went = [kind for kind in before if kind not in now]
    words = [f"became {joined(came)}" if came else "", f"was no longer {joined(went)}" if went else ""]
    return " and ".join(filter(None, words))


def _with_reason(condition: Json) -> str:
    kind, reason = str(condition["type"]), str(condition.get("reason") or "")
    return kind if not reason or reason.endswith(kind) else f"{kind} ({reason})"


def changed(shown: Shown, called: str, turned: str, had: str) -> str:
    """What a change of an object shows: that it became another, reported other counts, or was deleted.

    Where a wait in vain ends, the counts of its end are said instead of those.

    Args:
        shown: the change.
        called: what the object is called: ``TFJob a``.
        turned: what it turned into, as a verb; empty where only its counts may have changed.
        had: what was so then: ``it had 1 pod (Running)``.
    """
    now, before = shown.thing, shown.before
    if before is None:
        return ""
    if shown.kind == "DELETED" or (now.deleting and not before.deleting):
        was = " ".join(filter(None, before.words)) or "without a status"
        return "" if before.deleting else f"{called} was deleted while it was {was} and {had}"
    if turned:
        return f"{called} {turned} when {had}"
    if shown.waited:
        return ""
    reported = [word for word in now.words[1:] if word and word not in before.words]
    return f"{called} reported {joined(reported)} when {had}" if reported else ""
