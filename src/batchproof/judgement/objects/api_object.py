"""What every object of the API has, and the values that are spelled in one way in all of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json

KINDS: dict[Resource, type[ApiObject]] = {}
"""The class of a resource, for those that have one."""

NOUNS: dict[str, Resource] = {}
"""How sentences call one object of a resource, for those that have such a word."""

_SUFFIXES = {
    "n": "e-9",
    "u": "e-6",
    "m": "e-3",
    "k": "e3",
    "M": "e6",
    "G": "e9",
    "T": "e12",
    "P": "e15",
    "E": "e18",
}
_LAST = datetime(9999, 12, 31, tzinfo=UTC)
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


class ApiObject:
    """An object of the API, read only. A subclass names its resource: ``class Pod(ApiObject, of=PODS)``.

    With ``noun="pod"`` it also says how sentences call one: steps about faults and views know it by that.

    Attributes:
        served_as: the resource whose objects a subclass is the type of.
    """

    served_as: ClassVar[Resource]

    def __init_subclass__(cls, *, of: Resource, noun: str = "") -> None:
        """Make it known as the type of a resource."""
        KINDS[of] = cls
        cls.served_as = of
        if noun:
            NOUNS[noun] = of

    def __init__(self, raw: Json, record: int = -1) -> None:
        """Wrap the JSON of an object; ``record`` is the number of the record that showed it."""
        self.raw = raw
        self.born = raw
        self.record = record
        self.at_s = 0.0
        self.resource: Resource | None = None

    @property
    def metadata(self) -> Json:
        """The object's metadata."""
        found: Json = self.raw["metadata"]
        return found

    @property
    def name(self) -> str:
        """The object's name."""
        return str(self.metadata["name"])

    @property
    def uid(self) -> str:
        """The object's UID."""
        return str(self.metadata["uid"])

    @property
    def revision(self) -> int:
        """The etcd revision at which the object became as it is here."""
        return int(self.metadata["resourceVersion"])

    @property
    def deleting(self) -> bool:
        """The object has a deletionTimestamp."""
        return "deletionTimestamp" in self.metadata

    @property
    def finalizers(self) -> list[str]:
        """The object's finalizers."""
        return list(self.metadata.get("finalizers") or [])

    @cached_property
    def controller(self) -> Json | None:
        """The owner reference with controller=true."""
        owners: list[Json] = self.metadata.get("ownerReferences") or []
        return next((owner for owner in owners if owner.get("controller")), None)

    @property
    def controller_uid(self) -> str:
        """The UID of the object that controls it; empty if none does."""
        return str(self.controller["uid"]) if self.controller else ""

    def owned_by(self, owner: ApiObject) -> bool:
        """It is controlled by this very object (by UID)."""
        return self.controller_uid == owner.uid

    def controlled_by(self, owner: ApiObject | None) -> bool:
        """There is such an object, and it controls this one."""
        return owner is not None and self.owned_by(owner)

    @property
    def status(self) -> Json:
        """The object's status."""
        found: Json = self.raw.get("status") or {}
        return found

    @property
    def spec(self) -> Json:
        """The object's spec."""
        found: Json = self.raw.get("spec") or {}
        return found

    @property
    def words(self) -> list[str]:
        """What a timeline shows of its state; empty parts are left out."""
        return []

    @property
    def values(self) -> Json:
        """The same as values by name, for a finding."""
        return {}


def quantity(text: str) -> Fraction:
    """A quantity of the API (``500m``, ``2Gi``) as a number."""
    if text[-2:] in _BINARY_SUFFIXES:
        return Fraction(text[:-2]) * (1 << _BINARY_SUFFIXES[text[-2:]])
    if text[-1:] in _SUFFIXES:
        return Fraction(text[:-1] + _SUFFIXES[text[-1:]])
    return Fraction(text)


def timestamp(text: str) -> datetime:
    """A time of the API (RFC 3339) as a datetime in UTC."""
    return datetime.fromisoformat(text)


def after(start: datetime, seconds: float) -> datetime:
    """A time some seconds after another, but at most the last day of the year 9999.

    The API limits neither activeDeadlineSeconds (an int64) nor what is added to it.
    """
    try:
        return min(start + timedelta(seconds=seconds), _LAST)
    except OverflowError:
        return _LAST
