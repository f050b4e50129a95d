"""Own writes that the watch has not shown yet.

The cache lags behind the API server. A decision made from a cache that lacks the pods just created would
create them again, so for each owner, such as a Job, the controller remembers what it expects to see.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Generic, TypeVar

from reference_controller.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Hashable

R = TypeVar("R", bound="Hashable")

EXPIRY_S = 300.0


class Expectations:
    """What one owner's pods should soon look like, by UID: each expectation is met only by its pod."""

    def __init__(self) -> None:
        self.creations: dict[str, int] = {}
        self.deletions: dict[str, int] = {}
        self.releases: dict[str, int] = {}
        self._unanswered = 0
        self._raised_at = 0.0
        self._held_until = 0.0
        self._written = 0

    def met(self) -> bool:
        """EXP-001, EXP-025: whether the watch has shown every creation and deletion."""
        if clock.steady() < self._held_until:
            return False
        return not self._unanswered and not self.creations and not self.deletions

    def expire(self, seen: int) -> None:
        """EXP-004: what the watch has not shown within 5 minutes is given up.

        EXP-003: but only once the watch has passed the newest own write, for only then is it proved missing.
        """
        if clock.steady() - self._raised_at > EXPIRY_S and seen >= self._written:
            self._unanswered = 0
            self.creations.clear()
            self.deletions.clear()

    def expires_in_s(self) -> float:
        """When the answer of `met` may change by time alone."""
        remaining = self._held_until - clock.steady()
        return remaining if remaining > 0 else self._raised_at + EXPIRY_S - clock.steady() + 1.0

    def expect_creations(self, count: int) -> None:
        """The given number of creations are about to be sent."""
        self._unanswered += count
        self._raised_at = clock.steady()

    def created(self, uid: str, version: int, seen: int) -> None:
        """A creation was accepted; its pod is expected, unless the watch was faster than the reply."""
        self._unanswered -= 1
        self.expect_pod(uid, version, seen)

    def expect_pod(self, uid: str, version: int, seen: int) -> None:
        """A pod of this UID is the owner's from this resourceVersion on."""
        self._written = max(self._written, version)
        self._raised_at = clock.steady()
        if version > seen:
            self.creations[uid] = version

    def creation_failed(self, count: int = 1) -> None:
        """EXP-014: creations that failed or were skipped are not waited for."""
        self._unanswered -= count

    def expect_deletion(self, uid: str) -> None:
        """A deletion is about to be sent."""
        self.deletions[uid] = 0
        self._raised_at = clock.steady()

    def deletion_failed(self, uid: str) -> None:
        """EXP-026: a deletion that failed, or found nothing, is not waited for."""
        self.deletions.pop(uid, None)

    def expect_release(self, uid: str) -> None:
        """The removal of a finalizer is about to be sent."""
        self.releases[uid] = 0

    def release_failed(self, uid: str) -> None:
        """The finalizer may still be there."""
        self.releases.pop(uid, None)

    def wrote(self, version: int) -> None:
        """A pod of this owner was changed by us at this resourceVersion."""
        self._written = max(self._written, version)

    def hold(self, duration_s: float) -> None:
        """EXP-019: create nothing for a while."""
        self._held_until = clock.steady() + duration_s

    def observe(self, uid: str, *, deleting: bool, released: bool) -> None:
        """The watch shows a pod. EXP-010, EXP-011: no other pod's expectation is touched."""
        self.creations.pop(uid, None)
        if deleting:
            self.deletions.pop(uid, None)
        if released:
            self.releases.pop(uid, None)

    def caught_up(self, seen: int) -> None:
        """A new list shows all pods up to `seen`: what it lacks was created and is gone again."""
        self.creations = {uid: version for uid, version in self.creations.items() if version > seen}


class ExpectationsByType(Generic[R]):
    """The expectations of one owner, apart for each type of its objects, such as "ps" and "worker"."""

    def __init__(self) -> None:
        self._of: defaultdict[R, Expectations] = defaultdict(Expectations)

    def __getitem__(self, of_type: R) -> Expectations:
        return self._of[of_type]

    def met(self) -> bool:
        """Whether those of all types are met."""
        return all(expectations.met() for expectations in self._of.values())

    def expire(self, seen: int) -> None:
        """Give up, of each type, what the watch has not shown within 5 minutes."""
        for expectations in self._of.values():
            expectations.expire(seen)

    def expires_in_s(self) -> float:
        """When the answer of `met` may change by time alone."""
        unmet = [e.expires_in_s() for e in self._of.values() if not e.met()]
        return min(unmet, default=EXPIRY_S)

    def observe(self, uid: str, *, deleting: bool, released: bool = True) -> None:
        """The watch shows an object, of whichever type."""
        for expectations in self._of.values():
            expectations.observe(uid, deleting=deleting, released=released)

    def caught_up(self, seen: int) -> None:
        """A new list shows all objects up to `seen`."""
        for expectations in self._of.values():
            expectations.caught_up(seen)
