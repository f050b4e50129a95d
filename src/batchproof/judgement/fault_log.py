"""The faults of a history: how often each was triggered, and whose views were frozen or late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground.resources import Resource
from batchproof.judgement.history import FaultChange, Json

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class StaleView:
    """A view of a resource that is frozen or late.

    Attributes:
        resource: what the implementation sees late, or not.
        since_s: since when.
        delay_s: how late; 0 of a frozen view.
        until_s: when it caught up; None while it does not.
    """

    resource: Resource
    since_s: float
    delay_s: float
    until_s: float | None = None


class FaultLog:
    """The faults so far.

    Attributes:
        fired: how often each fault has fired, by its number; armed ones are there with 0.
        withheld: the views that were frozen or late, by the number of the fault.
    """

    def __init__(self) -> None:
        self.fired: dict[int, int] = {}
        self.withheld: dict[int, StaleView] = {}
        self._armed: dict[int, Json] = {}
        self._texts: dict[int, str] = {}

    def take(self, fault: FaultChange, at_s: float) -> None:
        """Take in that a fault is armed, triggered or ended."""
        number = fault.fault
        self.fired[number] = self.fired.get(number, 0) + (fault.what == "fired")
        self._texts[number] = fault.text
        match fault.what, fault.about or self._armed.get(number, {}):
            case "armed", {"kind": "view", "resource": resource, "delay_s": delay_s} as about:
                self._armed[number] = about
                self.withheld[number] = StaleView(Resource(**resource), at_s, delay_s)
            case "armed", about:
                self._armed[number] = about
            case "fired", {"do": {"effect": "Freeze", "resource": resource}}:
                self.withheld.setdefault(number, StaleView(Resource(**resource), at_s, 0.0))
            case "thawed", _ if number in self.withheld:
                self.withheld[number].until_s = at_s

    @property
    def unfired(self) -> list[str]:
        """The faults that were never triggered; of the faults of one profile it is enough that one was."""
        profile = {number: self._armed.get(number, {}).get("of", "") for number in self.fired}
        triggered = {profile[number] for number, fired in self.fired.items() if fired} - {""}
        return [
            self._texts[number]
            for number, fired in self.fired.items()
            if not fired and profile[number] not in triggered
        ]

    def known_since_s(self, resource: Resource, at_s: float, reaction_s: float) -> float:
        """Since when changes of a resource may be unknown to an implementation that acts at a time.

        Args:
            resource: what changes.
            at_s: when the implementation acts.
            reaction_s: how long it may take to act on what it sees.
        """
        since_s = at_s - reaction_s
        for view in self._stale(resource, at_s, reaction_s):
            began_s = at_s - view.delay_s if view.delay_s else view.since_s
            since_s = min(since_s, began_s - reaction_s)
        return since_s

    def stale(self, resource: Resource, at_s: float, reaction_s: float) -> bool:
        """Whether the view of a resource is withheld from an implementation that acts at a time."""
        return any(self._stale(resource, at_s, reaction_s))

    def _stale(self, resource: Resource, at_s: float, reaction_s: float) -> Iterator[StaleView]:
        for view in self.withheld.values():
            late_until_s = float("inf") if view.until_s is None else view.until_s + reaction_s + view.delay_s
            if view.resource == resource and view.since_s <= at_s <= late_until_s:
                yield view
