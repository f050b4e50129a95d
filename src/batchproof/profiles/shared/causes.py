"""What the causes of several profiles say alike: how many pods were in which phase, what of a status changed.

Nothing here is a cause or a standing by itself (see ``batchproof.report.cause_and_effect``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.report.cause_and_effect import Shown
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

T = TypeVar("T", bound=ApiObject)
_MOST = 3  # objects that are spoken of


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


def stood(seen: Observed, unmet: UnmetClaim, kind: type[T], noun: str, state: Callable[[T], str]) -> str:
    """What the objects of a kind were that a claim is about: those that it names, else the only one.

    One that another object controls is left to the profile that knows that. Empty if there were none ever.

    Args:
        seen: what was observed.
        unmet: the claim.
        kind: the class of the objects.
        noun: what one is called.
        state: what one was, as a verb.
    """
    of_all = seen.all(kind)
    there = [it for it in of_all if not it.controller]
    names = names_in(unmet)
    meant = [it for it in there if it.name in names or re.search(rf"\b{noun} {it.name}\b", unmet.expected)]
    if told := meant or there[: len(there) == 1]:
        return joined([f"{noun} {it.name} {state(it)}" for it in told[:_MOST]])
    ever = not of_all and any(not it.controller for _, it in seen.versions(kind.served_as))
    return f"there was no {noun}" if ever else ""


def names_in(unmet: UnmetClaim) -> set[str]:
    """What may be the name of an object in the arguments of a claim."""
    return {*_texts(unmet.arguments)}


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            yield from _texts([*value, *value.values()])
        case Collection():
            for one in value:
                yield from _texts(one)
        case _:
            pass


def was(thing: ApiObject, what: str, had: str) -> str:
    """What an object was, what it reported besides, and what it had.

    Args:
        thing: the object; the first of its words is what it was.
        what: that in words.
        had: what it had.
    """
    reported = [word for word in thing.words[1:] if word]
    return f"was {what}{f', reported {joined(reported)},' if reported else ''} and had {had}"


def conditions_in_words(thing: ApiObject) -> str:
    """The conditions of an object that are True: ``Created and Running``."""
    return joined([*true_conditions(thing)] or ["without a condition"])
