"""What a fact reads of a history is noted, so that it is evaluated again only when that changed.

This is how incremental computation does it (Salsa, Adapton): an *input* is a part of the history that can
change, such as the pods, or the writes of Jobs; it knows the newest record that changed it. A fact is a pure
function of what it reads. So what it found stands until a record changes one of the inputs that it read in
its last evaluation: what it did not read then, it would not read now either.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from batchproof.ground.resources import Resource


class InputKind(StrEnum):
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
        return self in {InputKind.CHANGES, InputKind.WRITES, InputKind.READS}


OF_THE_PROCESS = frozenset({InputKind.WRITES, InputKind.READS, InputKind.FAULTS, InputKind.PROCESSES})
"""What is seen only of an implementation whose requests pass by the proxy and whose process is ours."""


@dataclass(eq=False, slots=True)
class Input:
    """A part of a history that can change.

    Attributes:
        kind: what it is a part of.
        resource: the changes, writes or reads of one resource; None: of all.
        changed: the number of the newest record that changed it; -1 before the first.
    """

    kind: InputKind
    resource: Resource | None = None
    changed: int = -1


class Inputs:
    """The inputs of one history, and what reads them."""

    def __init__(self) -> None:
        self._of: dict[InputKind, dict[Resource | None, Input]] = {
            kind: {None: Input(kind)} for kind in InputKind
        }
        self._noted: set[Input] | None = None

    def of(self, kind: InputKind, resource: Resource | None = None) -> Input:
        """One of them."""
        some = self._of[kind]
        found = some.get(resource)
        if found is None:
            found = some[resource] = Input(kind, resource)
        return found

    def read(self, kind: InputKind, *resources: Resource) -> None:
        """Note that it is read, while reads are noted: of these resources, or of all."""
        noted = self._noted
        if noted is None:
            return
        for resource in resources or (None,):
            noted.add(self.of(kind, resource))

    def change(self, number: int, kind: InputKind, resource: Resource | None = None) -> None:
        """Note that a record changes it; what is of one resource changes what is of all as well."""
        self._of[kind][None].changed = number
        if resource is not None:
            self.of(kind, resource).changed = number

    def noted(self) -> Noted:
        """Note what is read within: ``with seen.noted() as read``."""
        return Noted(self)

    def note_in(self, noted: set[Input] | None) -> set[Input] | None:
        """Note in this set from now on; returns where it was noted before."""
        before, self._noted = self._noted, noted
        return before


class Noted:
    """The inputs that are read within a ``with``; what is read within another one there is read here too.

    A class and no generator: a fact is asked a million times.
    """

    __slots__ = ("_inner", "_inputs", "_outer")

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._inner: set[Input] = set()
        self._outer: set[Input] | None = None

    def __enter__(self) -> set[Input]:
        """Begin to note."""
        self._outer = self._inputs.note_in(self._inner)
        return self._inner

    def __exit__(self, *_: object) -> None:
        """Note again where it was noted before."""
        self._inputs.note_in(self._outer)
        if self._outer is not None:
            self._outer |= self._inner
