"""The pods of each controller, by what facts ask of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from batchproof.judgement.objects.core import Pod


@dataclass(slots=True)
class Owned:
    """The pods of one controller.

    Attributes:
        pods: those that it controls now, by UID; ``active``, ``finished``, and ``held`` (finished, but with
            the tracking finalizer) are some of them.
        having: those with a finalizer, by finalizer and UID.
        made: UID of every pod that it ever controlled.
        names: their names.
        records: the records that showed them first, in order.
    """

    pods: dict[str, Pod] = field(default_factory=dict)
    active: dict[str, Pod] = field(default_factory=dict)
    finished: dict[str, Pod] = field(default_factory=dict)
    held: dict[str, Pod] = field(default_factory=dict)
    having: dict[str, dict[str, Pod]] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    names: dict[str, None] = field(default_factory=dict)
    records: list[int] = field(default_factory=list)

    def put(self, pod: Pod) -> None:
        """Take in a new state of a pod."""
        uid, tracked, finished = pod.uid, pod.tracked, pod.finished
        before = self.pods.get(uid)
        self.pods[uid] = pod
        _keep(self.active, uid, pod, wanted=pod.active)
        _keep(self.finished, uid, pod, wanted=finished)
        _keep(self.held, uid, pod, wanted=finished and tracked)
        finalizers = pod.finalizers
        for finalizer in before.finalizers if before else ():
            if finalizer not in finalizers:
                self.having[finalizer].pop(uid, None)
        for finalizer in finalizers:
            self.having.setdefault(finalizer, {})[uid] = pod
        if uid not in self.made:
            self.made.add(uid)
            self.names[pod.name] = None
            self.records.append(pod.record)

    def drop(self, uid: str) -> None:
        """A pod is gone, or controlled by another."""
        pod = self.pods.pop(uid)
        for some in (self.active, self.finished, self.held, *map(self.having.get, pod.finalizers)):
            if some is not None:
                some.pop(uid, None)


def _keep(some: dict[str, Pod], uid: str, pod: Pod, *, wanted: bool) -> None:
    if wanted:
        some[uid] = pod
    else:
        some.pop(uid, None)


_NOBODY = Owned()


class Owners:
    """All controllers of pods that were ever seen, by UID."""

    def __init__(self) -> None:
        self._owned: dict[str, Owned] = {}
        self._owner: dict[str, str] = {}

    def of(self, uid: str) -> Owned:
        """The pods of one controller: to be read only."""
        return self._owned.get(uid, _NOBODY)

    def take(self, pod: Pod, *, gone: bool) -> None:
        """Take in a new state of a pod, or that it is gone."""
        uid, owner = pod.uid, pod.controller["uid"] if pod.controller else ""
        before = self._owner.get(uid, "")
        if before and (gone or before != owner):
            del self._owner[uid]
            self._owned[before].drop(uid)
        if owner:
            owned = self._owned.setdefault(owner, Owned())
            owned.put(pod)
            if gone:
                owned.drop(uid)
            else:
                self._owner[uid] = owner
