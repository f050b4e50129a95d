"""What a fact reads of a history is noted while it reads, so that it is asked again only when that changed.

This is how incremental computation does it (Salsa, Adapton): an *input* is a part of the history that can
change, such as the pods, or the writes of Jobs; it knows the newest record that changed it. A fact is a pure
function of what it reads. So what it found stands until a record changes one of the inputs that it read in
its last evaluation: what it did not read then, it would not read now either.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from batchproof.resources import Resource


class Kind(StrEnum):
    """What an input is a part of."""

    CHANGES = "changes"
    WRITES = "writes"
    READS = "reads"
    FAULTS = "faults"
    PROCESSES = "processes"
    ACTIONS = "actions"
    HEADER = "header"
    RECORDS = "records"

    @property
    def of_resources(self) -> bool:
        """Each resource has one of its own."""
        return self in {Kind.CHANGES, Kind.WRITES, Kind.READS}


OF_THE_PROCESS = frozenset({Kind.WRITES, Kind.READS, Kind.FAULTS, Kind.PROCESSES})
"""What is seen only of an implementation whose requests pass by the proxy and whose process is ours."""


@dataclass(eq=False, slots=True)
class Input:
    """A part of a history that can change.

    Attributes:
        kind: what it is a part of.
        resource: the changes, writes or reads of one resource; None: of all.
        changed: the number of the newest record that changed it; -1 before the first.
    """

    kind: Kind
    resource: Resource | None = None
    changed: int = -1


class Inputs:
    """The inputs of one history, and who reads them."""

    def __init__(self) -> None:
        self._all: dict[tuple[Kind, Resource | None], Input] = {}
        self._noted: set[Input] | None = None

    def of(self, kind: Kind, resource: Resource | None = None) -> Input:
        """One of them."""
        found = self._all.get((kind, resource))
        if found is None:
            found = self._all[kind, resource] = Input(kind, resource)
        return found

    def read(self, kind: Kind, *resources: Resource) -> None:
        """Note that it is read, if anybody notes: of these resources, or of all."""
        if self._noted is not None:
            self._noted.update(self.of(kind, resource) for resource in resources or (None,))

    def change(self, number: int, kind: Kind, resource: Resource | None = None) -> None:
        """Note that a record changes it; what is of one resource changes what is of all as well."""
        self.of(kind).changed = number
        if resource is not None:
            self.of(kind, resource).changed = number

    @contextmanager
    def noted(self) -> Iterator[set[Input]]:
        """The inputs that are read within; what is read within that is read here too."""
        outer, inner = self._noted, set[Input]()
        self._noted = inner
        try:
            yield inner
        finally:
            self._noted = outer
            if outer is not None:
                outer |= inner
