"""How many pods ever were in some state: of each controller and in each namespace, by their names and labels.

A controller counts what its cache shows, which may be old, but was true at some time. So it never rightly
counts more pods in a phase than ever had it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TypeAlias

from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod

MADE, STARTED, DELETING, SERVED = "made", "started", "deleting", "served"
"""What is counted beside the phases: all pods; those that run or have ended; are being deleted; are
ready, or have succeeded."""

ANYWHERE = "/*"
"""The scope of all namespaces."""
_Key: TypeAlias = tuple[str, str]


class Tally:
    """The pods that ever were in some state; each is counted once in each."""

    def __init__(self) -> None:
        self._counts: defaultdict[_Key, Counter[str]] = defaultdict(Counter)
        self._of: dict[str, tuple[set[_Key], set[str]]] = {}

    def count(self, scope: str, value: str, state: str) -> int:
        """How many pods were ever in a state.

        Args:
            scope: the UID of their controller, their namespace, or ``ANYWHERE``.
            value: what each has as its name or as the value of a label or an annotation; empty: anything.
            state: a phase, ``made``, ``started``, ``deleting`` or ``served``.
        """
        counts = self._counts.get((scope, value))
        return counts[state] if counts else 0

    def take(self, pod: Pod) -> None:
        """Take in the next state of a pod."""
        keys, states = self._of.setdefault(pod.uid, (set(), set()))
        new_states = _states(pod) - states
        for key in keys:
            self._counts[key].update(new_states)
        states |= new_states
        for key in _keys(pod) - keys:
            self._counts[key].update(states)
            keys.add(key)


def _states(pod: Pod) -> set[str]:
    started = pod.phase == "Running" or pod.finished
    flags = ((STARTED, started), (DELETING, pod.deleting), (SERVED, pod.ready or pod.phase == "Succeeded"))
    return {pod.phase, MADE, *(name for name, holds in flags if holds)}


def _keys(pod: Pod) -> set[_Key]:
    values = ("", pod.name, *pod.labels.values(), *pod.annotations.values())
    scopes = [it for it in (pod.controller_uid, namespace_of(pod), ANYWHERE) if it]
    return {(scope, value) for scope in scopes for value in values}


def namespace_of(thing: ApiObject) -> str:
    """The namespace of an object, with a slash, so that no UID is equal to it."""
    return f"/{thing.metadata.get('namespace', '')}"
