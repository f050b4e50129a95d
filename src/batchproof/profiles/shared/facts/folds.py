"""Folds that several facts ask for: what there ever was of a resource, and under which controller."""

from __future__ import annotations

from collections import Counter, defaultdict

from batchproof.judgement.objects import ApiObject


class Ever:
    """The objects that there ever were.

    Attributes:
        first: each as it was first seen, by UID.
        named: the first one of each name.
    """

    def __init__(self) -> None:
        self.first: dict[str, ApiObject] = {}
        self.named: dict[str, ApiObject] = {}

    def take(self, _: str, thing: ApiObject) -> None:
        """Take in a version of an object."""
        if thing.uid not in self.first:
            self.first[thing.uid] = thing
            self.named.setdefault(thing.name, thing)


class Controlled:
    """What each controller ever controlled, by the UID of the controller.

    Attributes:
        of: the newest version in which it controlled each object, by UID.
        first: the first version of the first object.
        versions: how many versions of objects it controlled.
    """

    def __init__(self) -> None:
        self.of: defaultdict[str, dict[str, ApiObject]] = defaultdict(dict)
        self.first: dict[str, ApiObject] = {}
        self.versions: Counter[str] = Counter()

    def take(self, _: str, thing: ApiObject) -> None:
        """Take in a version of an object."""
        if owner := thing.controller_uid:
            self.of[owner][thing.uid] = thing
            self.first.setdefault(owner, thing)
            self.versions[owner] += 1
